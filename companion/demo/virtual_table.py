"""The virtual table of the demo: players who shake, hide and show dice that are drawn, not known.

It listens to nothing but the public state: who plays, how many dice each has, and whether cups are to be down or up.
What its dice show is known here alone. The rest of the program gets frames of it, as from a camera, and nothing else.

It lives beside the command line because it needs both the painter in `vision` and the state of `companion.table`, which
must not know of each other's virtual doubles.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.sheet.view_guide import Wish
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

Image = npt.NDArray[np.uint8]

SIZE: Final = (1280, 960)
"""Width and height of the frames, in pixels."""

LIFT_SECONDS: Final = 1.5
"""From the first hand that comes in to the last that has left."""

COVER_SECONDS: Final = 1.2

SEAT_X: Final = 195.0
SEAT_Y: Final = 128.0
"""Half axes, in millimetres, of the oval on which the players' dice lie; the picture shows 620 by 465."""

ASIDE: Final = 100.0
"""Millimetres by which a lifted cup is set down further out than its dice: a cup and a die's corner do not overlap."""

APART: Final = 1.5 * DIE_MM
"""The least distance between the centres of two dice, in millimetres."""

SPREAD: Final = CUP_MM - 0.72 * DIE_MM - 2.0
"""How far a die's centre may lie from its cup's, in millimetres, to be under it whole."""

NOISE: Final = 1.5
"""Spread of the sensor's noise, in grey levels."""

AWAY: Final = 420.0
"""Millimetres from a cup at which a hand is out of the picture."""

COVERED: Final = frozenset({"bidding", "asking", "rolling"})
"""The phases in which cups are down."""

SHEET_STEPS: Final = frozenset({"views", "flat", "lens"})
"""The steps of a calibration in which its sheet is over the table."""

OPEN_STEPS: Final = frozenset({"colours", "check"})
"""Those in which the dice lie open."""

JUDGED: Final = frozenset({"verdict", "over"})
"""The phases in which the state tells of the next round already, while the dice of the last one lie open."""

LEFT_LYING: Final = -1
"""The round of dice found lying open when the program starts."""


@dataclass(frozen=True, slots=True)
class Player:
    """What the table is told of a player."""

    name: str
    colour: str
    dice: int


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place: where the dice lie, and which way is out. Millimetres, y towards the picture's bottom."""

    x: float
    y: float
    out: float
    """Radians, clockwise from the picture's right as y runs down."""

    def away(self, distance: float) -> tuple[float, float]:
        """A point so many millimetres further out."""
        return self.x + distance * math.cos(self.out), self.y + distance * math.sin(self.out)


@dataclass(frozen=True, slots=True)
class Throw:
    """One round's dice, and whose they are."""

    key: tuple[int, int]
    """The game and the round."""
    players: tuple[Player, ...]
    dice: tuple[SceneDie, ...]


def seats(count: int) -> tuple[Seat, ...]:
    """The places of `count` players, clockwise as seen from above, beginning at the upper left."""
    places = []
    for n in range(count):
        turn = math.radians(225) + 2 * math.pi * n / count
        x, y = SEAT_X * math.cos(turn), SEAT_Y * math.sin(turn)
        places.append(Seat(x, y, math.atan2(y, x)))
    return tuple(places)


def throw(key: tuple[int, int], players: tuple[Player, ...], seed: int) -> Throw:
    """Everybody's dice, thrown. The same for the same game, round, players and seed."""
    luck = random.Random(f"{seed}/{key[0]}/{key[1]}")
    dice = []
    for player, seat in zip(players, seats(len(players)), strict=True):
        for x, y in scattered(player.dice, luck):
            face, angle = luck.randint(1, 6), luck.uniform(0, 2 * math.pi)
            dice.append(SceneDie(seat.x + x, seat.y + y, angle, face, player.colour))
    return Throw(key, players, tuple(dice))


def scattered(count: int, luck: random.Random) -> list[tuple[float, float]]:
    """Places for so many dice under one cup, in millimetres from its middle, none nearer than `APART` to another."""
    while True:  # a start that leaves no room for the last die is thrown away
        places: list[tuple[float, float]] = []
        for _ in range(40):
            if len(places) == count:
                return places
            radius, turn = SPREAD * math.sqrt(luck.random()), luck.uniform(0, 2 * math.pi)
            place = (radius * math.cos(turn), radius * math.sin(turn))
            if all(math.dist(place, other) >= APART for other in places):
                places.append(place)


class VirtualTable:
    """Paints the table as its players would make it look. Its `paint` is what a
    `hardware.virtual.virtual_camera.VirtualCamera` takes.

    Not for two threads at once; the camera sees to that.
    """

    def __init__(self, state: Callable[[], dict[str, Any]], seed: int) -> None:
        """`state` gives the public state of docs/reference/api.md, with the number of all dice; `seed` decides every
        throw.
        """
        self._state = state
        self._seed = seed
        self._throw: Throw | None = None
        self._up = False
        self._since = float("-inf")
        self._painted: tuple[TableScene, bool, Image] | None = None
        self._hand: tuple[VirtualLens, VirtualHand] | None = None
        self.wanted: Callable[[], tuple[str, Wish, int] | None] = lambda: None
        """What a calibration under way wants next: this table's players hold the sheet by themselves, and lift cups."""
        self._noise = Noise(seed)

    def paint(self, at: float) -> Image:
        """The frame, BGR, at `at` (monotonic seconds). No two are the same: sensors have noise."""
        self._listen(at)
        scene, moving = self._scene(at)
        wanted = self.wanted()
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
        players = tuple(Player(p["name"], p["colour"], 5) for p in self._state()["players"])
        return throw((0, LEFT_LYING), players, self._seed).dice

    def _with_sheet(self, picture: Image, step: str, wish: Wish, n: int) -> Image:
        """The table with the calibration sheet held over it, or lying on it."""
        if self._hand is None:
            focal = SIZE[0] * CAMERA_MM / WIDTH_MM
            middle = np.array([[focal, 0, SIZE[0] / 2 - 0.5], [0, focal, SIZE[1] / 2 - 0.5], [0, 0, 1]])
            lens = VirtualLens(SIZE, middle, np.zeros(5))
            self._hand = lens, VirtualHand(lens, CAMERA_MM)
        lens, hand = self._hand
        return lens.see([hand.lying() if step == "flat" else hand.holding(wish, n)], behind=picture)

    def _listen(self, at: float) -> None:
        """Do as the public state says: throw for a new round, cups up, cups down."""
        state = self._state()
        opening = state["opening"] if state["opening"] and state["opening"]["rolling"] else None
        players = tuple(
            Player(p["name"], p["colour"], p["dice"] if opening is None else opening["dice"])
            for p in state["players"]
            if opening is None or p["name"] in opening["rolling"]
        )
        if not players:
            self._throw = None
            return
        up = state["phase"] not in COVERED
        judged = state["phase"] in JUDGED
        key = (state["game"], LEFT_LYING if judged else state["round"])
        if opening is not None:
            key = (state["game"], LEFT_LYING - 1 - len(opening["rolls"]))  # each roll is a throw of its own
        new_round = self._throw is not None and self._throw.key != key and not judged
        # New dice come under cups that are down. With cups to be up at once, they were down while nobody looked.
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


def gesture(seat: Seat, colour: str, done: float) -> tuple[SceneCup, SceneHand | None]:
    """A player's cup and hand when the lifting is `done` (0..1): in, up, aside, down, away. Covering is the reverse."""
    reach, up, aside, down, leave = (_part(done, *part) for part in _PARTS)
    carried = ASIDE * aside
    x, y = seat.away(carried)
    cup = SceneCup(x, y, colour, lift=60.0 * (up - down))
    if done in (0.0, 1.0):
        return cup, None
    hx, hy = seat.away(carried + AWAY * (1.0 - reach + leave))
    # The scene's angles run anticlockwise as one looks at it, and its y downwards.
    return cup, SceneHand(hx, hy, math.atan2(math.sin(seat.out), -math.cos(seat.out)))


_PARTS: Final = ((0.0, 0.3), (0.3, 0.45), (0.45, 0.65), (0.65, 0.75), (0.75, 1.0))


def _part(done: float, begin: float, end: float) -> float:
    """How much of one part of the gesture is done, 0..1."""
    return min(1.0, max(0.0, (done - begin) / (end - begin)))


class Noise:
    """A sensor's noise. A field drawn once and shifted at random is noise enough, and costs a Pi nothing."""

    def __init__(self, seed: int) -> None:
        self._luck = np.random.default_rng(seed)
        height, width = SIZE[1] * 2, SIZE[0] * 2
        field = self._luck.normal(0.0, NOISE, (height, width, 3))
        self._field = np.asarray(np.round(field), dtype=np.int16)

    def over(self, image: Image) -> Image:
        """The image with noise over it."""
        height, width = image.shape[:2]
        y = int(self._luck.integers(0, self._field.shape[0] - height))
        x = int(self._luck.integers(0, self._field.shape[1] - width))
        noisy = cv2.add(image, self._field[y : y + height, x : x + width], dtype=cv2.CV_8U)
        return np.asarray(noisy, dtype=np.uint8)


def _render(scene: TableScene, *, coarse: bool) -> Image:
    """The scene painted. In motion at half the size and enlarged: nobody reads that, and it saves a Pi time."""
    if not coarse:
        return render_table(scene, SIZE)
    small = render_table(scene, (SIZE[0] // 2, SIZE[1] // 2))
    return np.asarray(cv2.resize(small, SIZE, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
