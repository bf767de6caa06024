"""The virtual table of the demo, where players throw, hide and show painted dice.

It knows the public state alone: who plays, how many dice each has, whether cups are up. What its dice show is known
only here; the rest of the program gets frames of it, as from a camera.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.image import Image
from calibration.sheet.view_guide import Wish
from companion.table.state.state import State
from hardware.virtual.virtual_hand import VirtualHand
from hardware.virtual.virtual_lens import VirtualLens
from vision.drawn.table_scene import (
    CAMERA_MM,
    CUP_MM,
    DIE_MM,
    WIDTH_MM,
    SceneCup,
    SceneDie,
    SceneHand,
    TableScene,
    render_table,
)

FRAME_SIZE: Final = (1280, 960)
"""Width and height of the frames, in pixels."""

LIFT_SECONDS: Final = 1.5
"""From the first hand in the picture to the last one out of it."""

COVER_SECONDS: Final = 1.2

SEAT_X: Final = 195.0
SEAT_Y: Final = 128.0
"""Half axes, in millimetres, of the oval on which the players' dice lie; the picture shows 620 by 465."""

CUP_ASIDE: Final = 100.0
"""Millimetres from its dice to where a lifted cup is set down, so that they do not overlap."""

DICE_APART: Final = 1.5 * DIE_MM
"""The least distance between the centres of two dice, in millimetres."""

UNDER_CUP: Final = CUP_MM - 0.72 * DIE_MM - 2.0
"""Millimetres from a cup's centre within which the centre of a die it covers lies."""

NOISE_LEVELS: Final = 1.5
"""Standard deviation of the sensor's noise, in grey levels."""

HAND_AWAY: Final = 420.0
"""Millimetres from a cup at which a hand is out of the picture."""

COVERED_PHASES: Final = frozenset({"bidding", "asking", "rolling"})
"""The phases in which cups are down."""

SHEET_STEPS: Final = frozenset({"views", "flat", "lens"})
"""The steps of a calibration in which its sheet is over the table."""

OPEN_STEPS: Final = frozenset({"colours", "check"})
"""Those in which the dice lie open."""

JUDGED_PHASES: Final = frozenset({"verdict", "over"})
"""The phases in which the state is already that of the next round, while the dice of the last one lie open."""

ROUND_LEFT_OPEN: Final = -1
"""The round of dice that lie open when the program starts."""


@dataclass(frozen=True, slots=True)
class VirtualPlayer:
    """A player, as the public state has them."""

    name: str
    colour: str
    dice: int


@dataclass(frozen=True, slots=True)
class VirtualSeat:
    """Where a player's dice lie, and which way is out. Millimetres, y towards the picture's bottom."""

    x: float
    y: float
    out: float
    """Radians, clockwise from the picture's right as y runs down."""

    def away(self, distance: float) -> tuple[float, float]:
        """A point so many millimetres further out."""
        return self.x + distance * math.cos(self.out), self.y + distance * math.sin(self.out)


@dataclass(frozen=True, slots=True)
class VirtualThrow:
    """The dice of one round, and whose they are."""

    key: tuple[int, int]
    """The game and the round."""
    players: tuple[VirtualPlayer, ...]
    dice: tuple[SceneDie, ...]


def seats(count: int) -> tuple[VirtualSeat, ...]:
    """The places of `count` players, clockwise as seen from above, beginning at the upper left."""
    places = []
    for n in range(count):
        turn = math.radians(225) + 2 * math.pi * n / count
        x, y = SEAT_X * math.cos(turn), SEAT_Y * math.sin(turn)
        places.append(VirtualSeat(x, y, math.atan2(y, x)))
    return tuple(places)


def throw(key: tuple[int, int], players: tuple[VirtualPlayer, ...], seed: int) -> VirtualThrow:
    """Everybody's dice, thrown. The same for the same game, round, players and seed."""
    luck = random.Random(f"{seed}/{key[0]}/{key[1]}")
    dice = []
    for player, seat in zip(players, seats(len(players)), strict=True):
        for x, y in scattered(player.dice, luck):
            face, angle = luck.randint(1, 6), luck.uniform(0, 2 * math.pi)
            dice.append(SceneDie(seat.x + x, seat.y + y, angle, face, player.colour))
    return VirtualThrow(key, players, tuple(dice))


def scattered(count: int, luck: random.Random) -> list[tuple[float, float]]:
    """Places for `count` dice under one cup, in millimetres from its middle, at least `DICE_APART` from each other."""
    while True:  # a start that leaves no room for the last die is thrown away
        places: list[tuple[float, float]] = []
        for _ in range(40):
            if len(places) == count:
                return places
            radius, turn = UNDER_CUP * math.sqrt(luck.random()), luck.uniform(0, 2 * math.pi)
            place = (radius * math.cos(turn), radius * math.sin(turn))
            if all(math.dist(place, other) >= DICE_APART for other in places):
                places.append(place)


class VirtualTable:
    """The table as its players make it look. A `VirtualCamera` takes its `paint`.

    Not thread-safe: the camera calls it from one thread at a time.
    """

    def __init__(self, state: Callable[[], State], seed: int) -> None:
        """`state` gives the public state of docs/reference/api.md, with the number of all dice; `seed` decides every
        throw.
        """
        self._state = state
        self._seed = seed
        self._throw: VirtualThrow | None = None
        self._up = False
        self._since = float("-inf")
        self._painted: tuple[TableScene, bool, Image] | None = None
        self._hand: tuple[VirtualLens, VirtualHand] | None = None
        self.calibration_wish: Callable[[], tuple[str, Wish, int] | None] = lambda: None
        """What a running calibration wants next: the players hold the sheet for it, and lift their cups."""
        self._noise = SensorNoise(seed)

    def paint(self, at: float) -> Image:
        """The frame at `at` monotonic seconds, BGR. No two are the same: sensors have noise."""
        self._listen(at)
        scene, moving = self._scene(at)
        wanted = self.calibration_wish()
        if wanted is not None:
            scene, moving = TableScene(self._shown() if wanted[0] in OPEN_STEPS else (), seed=self._seed), False
        if self._painted is None or self._painted[:2] != (scene, moving):
            self._painted = (scene, moving, _render(scene, coarse=moving))
        picture = self._painted[2]
        if wanted is not None and wanted[0] in SHEET_STEPS:
            picture = self._with_sheet(picture, *wanted)
        return self._noise.over(picture)

    def _shown(self) -> tuple[SceneDie, ...]:
        """Dice for a calibration: those under the cups of a game stay hidden."""
        players = tuple(VirtualPlayer(p.name, p.colour, 5) for p in self._state().players)
        return throw((0, ROUND_LEFT_OPEN), players, self._seed).dice

    def _with_sheet(self, picture: Image, step: str, wish: Wish, n: int) -> Image:
        """The table with the calibration sheet held over it, or lying on it."""
        if self._hand is None:
            focal = FRAME_SIZE[0] * CAMERA_MM / WIDTH_MM
            middle = np.array([[focal, 0, FRAME_SIZE[0] / 2 - 0.5], [0, focal, FRAME_SIZE[1] / 2 - 0.5], [0, 0, 1]])
            lens = VirtualLens(FRAME_SIZE, middle, np.zeros(5))
            self._hand = lens, VirtualHand(lens, CAMERA_MM)
        lens, hand = self._hand
        return lens.see([hand.lying() if step == "flat" else hand.holding(wish, n)], behind=picture)

    def _listen(self, at: float) -> None:
        """Follow the public state: throw for a new round, lift cups, put them down."""
        state = self._state()
        opening = state.opening if state.opening and state.opening.rolling else None
        players = tuple(
            VirtualPlayer(p.name, p.colour, p.dice or 0 if opening is None else opening.dice)
            for p in state.players
            if opening is None or p.name in opening.rolling
        )
        if not players:
            self._throw = None
            return
        up = state.phase not in COVERED_PHASES
        judged = state.phase in JUDGED_PHASES
        key = (state.game, ROUND_LEFT_OPEN if judged else state.round or 0)
        if opening is not None:
            key = (state.game, ROUND_LEFT_OPEN - 1 - len(opening.rolls))  # each roll is a throw of its own
        new_round = self._throw is not None and self._throw.key != key and not judged
        # New dice come under cups that are down. Where the cups are up already, they were down between two frames.
        if self._throw is None or (new_round and (up or self._covered(at))):
            self._throw = throw(key, players, self._seed)
            self._up, self._since = judged, float("-inf")
        if up != self._up:
            self._up, self._since = up, at

    def _covered(self, at: float) -> bool:
        return not self._up and at - self._since >= COVER_SECONDS

    def _scene(self, at: float) -> tuple[TableScene, bool]:
        """What lies and moves on the table, and whether anything moves."""
        if self._throw is None:
            return TableScene(seed=self._seed), False
        passed = min(1.0, (at - self._since) / (LIFT_SECONDS if self._up else COVER_SECONDS))
        lifted = passed if self._up else 1.0 - passed
        playing = [
            (player, seat)
            for player, seat in zip(self._throw.players, seats(len(self._throw.players)), strict=True)
            if player.dice
        ]
        cups, hands = [], []
        for n, (player, seat) in enumerate(playing):
            late = 0.2 * n / max(1, len(playing) - 1)  # people are not clockwork
            cup, hand = gesture(seat, player.colour, min(1.0, max(0.0, (lifted - late) / 0.8)))
            cups.append(cup)
            if hand is not None:
                hands.append(hand)
        scene = TableScene(self._throw.dice, tuple(cups), tuple(hands), seed=self._seed)
        return scene, 0.0 < lifted < 1.0


def gesture(seat: VirtualSeat, colour: str, done: float) -> tuple[SceneCup, SceneHand | None]:
    """A player's cup and hand when lifting is `done` (0..1): in, up, aside, down, away. Covering is the reverse."""
    reach, up, aside, down, leave = (_part(done, *part) for part in _PARTS)
    carried = CUP_ASIDE * aside
    x, y = seat.away(carried)
    cup = SceneCup(x, y, colour, lift=60.0 * (up - down))
    if done in (0.0, 1.0):
        return cup, None
    hx, hy = seat.away(carried + HAND_AWAY * (1.0 - reach + leave))
    # The scene's angles run anticlockwise as one looks at it, and its y downwards.
    return cup, SceneHand(hx, hy, math.atan2(math.sin(seat.out), -math.cos(seat.out)))


_PARTS: Final = ((0.0, 0.3), (0.3, 0.45), (0.45, 0.65), (0.65, 0.75), (0.75, 1.0))


def _part(done: float, begin: float, end: float) -> float:
    """How much of one part of the gesture is done, 0..1."""
    return min(1.0, max(0.0, (done - begin) / (end - begin)))


class SensorNoise:
    """A sensor's noise: a field drawn once and shifted at random, which costs a Pi nothing."""

    def __init__(self, seed: int) -> None:
        self._luck = np.random.default_rng(seed)
        height, width = FRAME_SIZE[1] * 2, FRAME_SIZE[0] * 2
        field = self._luck.normal(0.0, NOISE_LEVELS, (height, width, 3))
        self._field = np.asarray(np.round(field), dtype=np.int16)

    def over(self, image: Image) -> Image:
        """The image with noise over it."""
        height, width = image.shape[:2]
        y = int(self._luck.integers(0, self._field.shape[0] - height))
        x = int(self._luck.integers(0, self._field.shape[1] - width))
        noisy = cv2.add(image, self._field[y : y + height, x : x + width], dtype=cv2.CV_8U)
        return np.asarray(noisy, dtype=np.uint8)


def _render(scene: TableScene, *, coarse: bool) -> Image:
    """The picture of a scene; a `coarse` one, of a table in motion, which nobody reads, is painted at half the size."""
    if not coarse:
        return render_table(scene, FRAME_SIZE)
    small = render_table(scene, (FRAME_SIZE[0] // 2, FRAME_SIZE[1] // 2))
    return np.asarray(cv2.resize(small, FRAME_SIZE, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
