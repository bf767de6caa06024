"""The demo's table, with painted cups and dice.

It knows only the public state. The rest of the program sees the dice only in frames, as from a camera.
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.image import Image
from calibration.sheet.view_guide import Wish
from companion.engine import DEFAULT_RULESET
from companion.table.game.table_reading import PlayerDice
from companion.table.state.state import State
from hardware.virtual.sheet_holder import SheetHolder
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
"""From when the first hand enters the picture until the last one leaves it."""

COVER_SECONDS: Final = 1.2

SEAT_X: Final = 195.0
SEAT_Y: Final = 128.0
"""Half axes, in millimetres, of the oval on which the players' dice lie; the picture shows 620 x 465."""

CUP_ASIDE: Final = 100.0
"""Millimetres from the dice to where the cup is put down."""

DICE_APART: Final = 1.5 * DIE_MM
"""Least distance between the centres of two dice in millimetres."""

UNDER_CUP: Final = CUP_MM - 0.72 * DIE_MM - 2.0
"""Greatest distance, in millimetres, from a cup's centre to a die's under it."""

NOISE_LEVELS: Final = 1.5
"""Standard deviation of the sensor's noise in grey levels."""

HAND_AWAY: Final = 420.0
"""Distance from a cup, in millimetres, at which a hand is out of the picture."""

GESTURE_PARTS: Final = ((0.0, 0.3), (0.3, 0.45), (0.45, 0.65), (0.65, 0.75), (0.75, 1.0))
"""Begin and end of each part of lifting a cup, as shares of the whole: in, up, aside, down, away."""

COVERED_PHASES: Final = frozenset({"bidding", "asking", "rolling"})
"""The phases in which the cups are down."""

PEEK_PHASES: Final = frozenset({"bidding", "asking"})
"""The phases in which players may look under their cups."""

SHEET_STEPS: Final = frozenset({"views", "flat", "lens"})
"""The steps of a calibration that show its sheet."""

OPEN_STEPS: Final = frozenset({"colours", "check"})
"""The steps of a calibration that show open dice."""

JUDGED_PHASES: Final = frozenset({"verdict", "over"})
"""The phases in which the state is that of the next round, but the dice are still those of the last one."""

ROUND_LEFT_OPEN: Final = -1
"""The round number for dice that lie open when the program starts."""


@dataclass(frozen=True, slots=True)
class VirtualSeat:
    """The place of a player's dice, in millimetres with y downwards, and the direction away from the table."""

    x: float
    y: float
    out: float
    """Radians, clockwise from the right."""

    def away(self, distance: float) -> tuple[float, float]:
        """The point `distance` millimetres further out."""
        return self.x + distance * math.cos(self.out), self.y + distance * math.sin(self.out)


@dataclass(frozen=True, slots=True)
class VirtualThrow:
    """The dice of one round."""

    key: tuple[int, ...]
    """The numbers of the game and the round, and the number of times the round was voided, if it was."""
    players: tuple[PlayerDice, ...]
    dice: tuple[SceneDie, ...]


def seats(count: int) -> tuple[VirtualSeat, ...]:
    """The places of `count` players, clockwise from the bottom, as on the page."""
    places = []
    for n in range(count):
        turn = math.radians(90) + 2 * math.pi * n / count
        x, y = SEAT_X * math.cos(turn), SEAT_Y * math.sin(turn)
        places.append(VirtualSeat(x, y, math.atan2(y, x)))
    return tuple(places)


def throw(key: tuple[int, ...], players: tuple[PlayerDice, ...], seed: int) -> VirtualThrow:
    """Throw everybody's dice. The same arguments give the same dice.

    Each player's dice have their own random numbers, so that they do not change when others join or leave.
    """
    dice = []
    for player, seat in zip(players, seats(len(players)), strict=True):
        luck = random.Random("/".join(map(str, (seed, *key, player.name))))
        for x, y in scatter(player.dice, luck):
            face, angle = luck.randint(1, 6), luck.uniform(0, 2 * math.pi)
            dice.append(SceneDie(seat.x + x, seat.y + y, angle, face, player.colour))
    return VirtualThrow(key, players, tuple(dice))


def scatter(count: int, luck: random.Random) -> list[tuple[float, float]]:
    """Random places for `count` dice under a cup, in millimetres from its centre, at least `DICE_APART` apart."""
    while True:  # start again if there is no room left for a die
        places: list[tuple[float, float]] = []
        for _ in range(40):
            if len(places) == count:
                return places
            radius, turn = UNDER_CUP * math.sqrt(luck.random()), luck.uniform(0, 2 * math.pi)
            place = (radius * math.cos(turn), radius * math.sin(turn))
            if all(math.dist(place, other) >= DICE_APART for other in places):
                places.append(place)


class VirtualTable:
    """The picture of the table, for a `VirtualCamera`, and what a peeking player sees. Thread-safe."""

    def __init__(
        self,
        state: Callable[[], State],
        seed: int,
        *,
        times_voided: Callable[[], int] = lambda: 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`state` returns the public state, with everybody's number of dice; `seed` determines every throw.

        times_voided: how often the round was voided. The dice are then thrown again.
        """
        self._state = state
        self._seed = seed
        self._times_voided = times_voided
        self._clock = clock
        self._lock = threading.Lock()
        self._throw: VirtualThrow | None = None
        self._up = False
        self._since = float("-inf")
        self._painted: tuple[TableScene, bool, Image] | None = None
        self._hand: tuple[VirtualLens, SheetHolder] | None = None
        self.calibration_wish: Callable[[], tuple[str, Wish, int] | None] = lambda: None
        """The step of a running calibration, and the view of the sheet and its number that it needs."""
        self._noise = SensorNoise(seed)

    def paint(self, at: float) -> Image:
        """The frame at `at` monotonic seconds, BGR, with fresh noise."""
        with self._lock:
            self._listen(at)
            scene, moving = self._scene(at)
        wish = self.calibration_wish()
        if wish is not None:
            scene, moving = self._calibration_scene(wish[0]), False
        if self._painted is None or self._painted[:2] != (scene, moving):
            self._painted = (scene, moving, _render(scene, coarse=moving))
        picture = self._painted[2]
        if wish is not None and wish[0] in SHEET_STEPS:
            picture = self._with_sheet(picture, *wish)
        return self._noise.over(picture)

    def peek(self, player: str) -> tuple[int, ...]:
        """The faces of the player's own dice while they are under the cup; empty before the throw."""
        with self._lock:
            self._listen(self._clock())
            state, thrown = self._state(), self._throw
            if thrown is None or self._up or state.phase not in PEEK_PHASES or thrown.key != self._key(state):
                return ()
            colours = [each.colour for each in thrown.players if each.name == player]
            return tuple(sorted(die.face for die in thrown.dice if die.colour in colours))

    def _key(self, state: State) -> tuple[int, ...]:
        voided = self._times_voided()
        return (state.game, state.round or 0, *([voided] if voided else []))

    def _calibration_scene(self, step: str) -> TableScene:
        """The table during a calibration: empty, or with dice other than those under the cups."""
        if step not in OPEN_STEPS:
            return TableScene(seed=self._seed)
        players = tuple(PlayerDice(p.name, p.colour, DEFAULT_RULESET.dice_each) for p in self._state().players)
        return TableScene(throw((0, ROUND_LEFT_OPEN), players, self._seed).dice, seed=self._seed)

    def _with_sheet(self, picture: Image, step: str, wish: Wish, n: int) -> Image:
        """The picture with the calibration sheet held over the table or lying on it."""
        if self._hand is None:
            focal = FRAME_SIZE[0] * CAMERA_MM / WIDTH_MM
            middle = np.array([[focal, 0, FRAME_SIZE[0] / 2 - 0.5], [0, focal, FRAME_SIZE[1] / 2 - 0.5], [0, 0, 1]])
            lens = VirtualLens(FRAME_SIZE, middle)
            self._hand = lens, SheetHolder(lens, CAMERA_MM)
        lens, hand = self._hand
        return lens.see([hand.lying() if step == "flat" else hand.holding(wish, n)], behind=picture)

    def _listen(self, at: float) -> None:
        """Follow the public state: throw dice for a new round, lift the cups or put them down."""
        state = self._state()
        opening = state.opening if state.opening and state.opening.rolling else None
        players = tuple(
            PlayerDice(p.name, p.colour, p.dice or 0 if opening is None else opening.dice)
            for p in state.players
            if opening is None or p.name in opening.rolling
        )
        if not players:
            self._throw = None
            return
        up = state.phase not in COVERED_PHASES
        judged = state.phase in JUDGED_PHASES
        key = (state.game, ROUND_LEFT_OPEN) if judged else self._key(state)
        if opening is not None:
            key = (state.game, ROUND_LEFT_OPEN - 1 - len(opening.rolls))  # each roll is its own throw
        new_round = self._throw is not None and self._throw.key != key and not judged
        # Dice change only under cups. If the cups are already up again, they were down between two frames.
        covered = not self._up and at - self._since >= COVER_SECONDS
        corrected = self._throw is not None and self._throw.players != players and not up and covered
        if self._throw is None or corrected or (new_round and (up or covered)):
            self._throw = throw(key, players, self._seed)
            self._up, self._since = judged, float("-inf")
        if up != self._up:
            self._up, self._since = up, at

    def _scene(self, at: float) -> tuple[TableScene, bool]:
        """The present scene, and whether anything in it moves."""
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
            late = 0.2 * n / max(1, len(playing) - 1)  # people do not move at the same instant
            cup, hand = gesture(seat, player.colour, min(1.0, max(0.0, (lifted - late) / 0.8)))
            cups.append(cup)
            if hand is not None:
                hands.append(hand)
        scene = TableScene(self._throw.dice, tuple(cups), tuple(hands), seed=self._seed)
        return scene, 0.0 < lifted < 1.0


def gesture(seat: VirtualSeat, colour: str, progress: float) -> tuple[SceneCup, SceneHand | None]:
    """A player's cup and hand at a point (0 to 1) of lifting the cup. Covering the dice is the reverse."""
    reach, up, aside, down, leave = (float(np.interp(progress, part, (0.0, 1.0))) for part in GESTURE_PARTS)
    carried = CUP_ASIDE * aside
    x, y = seat.away(carried)
    cup = SceneCup(x, y, colour, lift=60.0 * (up - down))
    if progress in (0.0, 1.0):
        return cup, None
    hx, hy = seat.away(carried + HAND_AWAY * (1.0 - reach + leave))
    # The scene's angles are anticlockwise, while its y points down.
    return cup, SceneHand(hx, hy, math.atan2(math.sin(seat.out), -math.cos(seat.out)))


class SensorNoise:
    """A sensor's noise: one random field, shifted at random for each frame, which is cheap on a Pi."""

    def __init__(self, seed: int) -> None:
        self._luck = np.random.default_rng(seed)
        height, width = FRAME_SIZE[1] * 2, FRAME_SIZE[0] * 2
        field = self._luck.normal(0.0, NOISE_LEVELS, (height, width, 3))
        self._field = np.asarray(np.round(field), dtype=np.int16)

    def over(self, image: Image) -> Image:
        """The image with noise added."""
        height, width = image.shape[:2]
        y = int(self._luck.integers(0, self._field.shape[0] - height))
        x = int(self._luck.integers(0, self._field.shape[1] - width))
        noisy = cv2.add(image, self._field[y : y + height, x : x + width], dtype=cv2.CV_8U)
        return np.asarray(noisy, dtype=np.uint8)


def _render(scene: TableScene, *, coarse: bool) -> Image:
    """The picture of a scene. `coarse` paints it at half size, for a moving table that is not read."""
    if not coarse:
        return render_table(scene, FRAME_SIZE)
    small = render_table(scene, (FRAME_SIZE[0] // 2, FRAME_SIZE[1] // 2))
    return np.asarray(cv2.resize(small, FRAME_SIZE, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
