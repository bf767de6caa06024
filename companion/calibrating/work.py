"""What a calibration under way has found so far, and how it looks at a frame. No IO: pictures in, values out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from calibration.profile import Lens, Profile, Row
from calibration.quality.aim import Aim
from calibration.quality.throw_check import ThrowCheck
from calibration.sheet.board import SQUARE_MM
from calibration.sheet.sighting import Sighting
from calibration.sheet.view_guide import CELLS, Wish
from calibration.solve.lens_fit import LensFit, TableFit
from calibration.solve.table_palette import TablePalette
from hardware.camera.protocol import Image
from vision.reading import Die, Reading

STILL: Final = 0.01
"""Of the picture's width: a sheet whose corners moved less, on the average, is held still."""
HOLD_FOR: Final = 0.7
"""Seconds for which the sheet is to be held still before it is taken."""
LINGER: Final = 0.6
"""Seconds after a picture was taken before the next is looked for: whoever holds the sheet has to see that it was."""

Point = tuple[float, float]


class Step(StrEnum):
    """Where a calibration is."""

    AIM = "aim"
    SHEET = "sheet"
    """The sheet is printed, or shown on a tablet, and measured."""
    VIEWS = "views"
    """The sheet is held under the camera."""
    FLAT = "flat"
    """The sheet lies on the table."""
    LENS = "lens"
    """Lens and table are known: before and after."""
    COLOURS = "colours"
    CHECK = "check"


@dataclass(frozen=True, slots=True)
class Marked:
    """What the users call a die."""

    at: Point
    """Pixels of the frame."""
    colour: str


@dataclass(slots=True)
class Shown:
    """What the latest picture shows, in its own pixels."""

    number: int = 0
    width: int = 0
    height: int = 0
    outline: tuple[Point, ...] = ()
    """Of the sheet."""
    corners: tuple[Point, ...] = ()
    target: tuple[Point, ...] = ()
    """Where to hold the sheet."""
    reading: Reading | None = None
    scale: float = 1.0
    """From the reading's pixels to the picture's."""


@dataclass(slots=True)
class Work:
    """A calibration under way."""

    by: str
    """The phone."""
    player: str | None
    """Whose it is."""
    step: Step = Step.AIM
    after: float = 0.0
    """Only frames exposed after this, in monotonic seconds."""
    image: Image | None = None
    """The latest frame."""
    aimed: Aim | None = None
    square_mm: float = SQUARE_MM
    views: list[Sighting] = field(default_factory=list)
    previews: list[Sighting] = field(default_factory=list)
    """The same, found in small pictures: what is held now is compared with these."""
    said: str = ""
    """What came of the last picture of the sheet."""
    failure: str = ""
    """Why lens or table could not be worked out, until something was done about it."""
    solved: LensFit | Lens | None = None
    solving: bool = False
    asked: int = 0
    """How often the lens was asked for: only the answer to the last time counts."""
    flat: Sighting | None = None
    laid: TableFit | None = None
    read: Image | None = None
    """The frame that `shown.reading` is of."""
    marks: list[Marked] = field(default_factory=list)
    learned: TablePalette | None = None
    lock: dict[str, float] | None = None
    """What the camera is held at, as its `lock()` gave it; None while it chooses for itself."""
    hold_from: float | None = None
    """Monotonic seconds from which it is to be held; no die is read before. None where that is done, or not wanted."""
    expected: int | None = None
    check: ThrowCheck | None = None
    capture: bool = False
    """Whether the next picture of the sheet is taken, held still or not."""
    held: float = 0.0
    """0 to 1: how long it was held still, of what is wanted."""
    seen: bool = False
    """Whether the sheet was in the latest picture."""
    trouble: str = ""
    """Why nothing is looked at."""
    shown: Shown = field(default_factory=Shown)

    @property
    def lens(self) -> Lens | None:
        """The lens, however it was found."""
        return self.solved.lens if isinstance(self.solved, LensFit) else self.solved


class Holding:
    """Whether the sheet is held still."""

    def __init__(self) -> None:
        self._anchor: Sighting | None = None
        self._since = 0.0
        self._not_before = float("-inf")

    def see(self, sighting: Sighting | None, at: float) -> float:
        """How much of `HOLD_FOR` it has been held still for, 0 to 1, in a picture of the moment `at` (seconds)."""
        if sighting is None or at < self._not_before:
            self._anchor = None
            return 0.0
        if self._anchor is None or _moved(self._anchor, sighting) > STILL:
            self._anchor, self._since = sighting, at
        return min(1.0, (at - self._since) / HOLD_FOR)

    def lingers(self, at: float) -> bool:
        """Whether the sheet was taken just now."""
        return at < self._not_before

    def taken(self, at: float) -> None:
        """It was taken; begin anew."""
        self._anchor, self._not_before = None, at + LINGER


def _moved(one: Sighting, other: Sighting) -> float:
    """How far the corners moved, in parts of the picture's width."""
    _, ours, theirs = np.intersect1d(one.ids, other.ids, return_indices=True)
    if len(ours) < 4:
        return 1.0
    away = np.linalg.norm(one.points[ours] - other.points[theirs], axis=1)
    return float(away.mean()) / one.width


def points(array: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> tuple[Point, ...]:
    """n x 2 as pairs, of a tenth of a pixel."""
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in array)


def target(wish: Wish, width: int, height: int) -> tuple[Point, ...]:
    """Where in a picture of that size to hold the sheet: four corners; none where it does not matter."""
    high = 0.54 * height
    wide = min(high * 7 / 5, 0.62 * width)
    left, top = (width - wide) / 2, (height - high) / 2
    if wish in CELLS:
        column, row = CELLS.index(wish) % 3, CELLS.index(wish) // 3
        left = (0.0, left, width - wide)[column]
        top = (0.0, top, height - high)[row]
    elif wish not in (Wish.TIP_SIDEWAYS, Wish.TIP_LENGTHWAYS):
        return ()
    right, bottom = left + wide, top + high
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    if wish is Wish.TIP_SIDEWAYS:  # the raised edge is nearer, and looks longer
        lean = 0.12 * high
        corners = [(left, top + lean), (right, top - lean / 2), (right, bottom + lean / 2), (left, bottom - lean)]
    elif wish is Wish.TIP_LENGTHWAYS:
        lean = 0.12 * wide
        corners = [(left + lean, top), (right - lean, top), (right + lean / 2, bottom), (left - lean / 2, bottom)]
    return tuple((round(x, 1), round(y, 1)) for x, y in corners)


def in_rows(reading: Reading) -> Reading:
    """The same with its dice as one reads a page, so that a die keeps its number from one reading to the next.

    A row begins with its uppermost die, and has all that lie less than a die's height lower.
    """
    if not reading.dice:
        return reading
    tall = float(np.median([die.box[3] for die in reading.dice]))
    rows: list[list[Die]] = []
    for die in sorted(reading.dice, key=lambda die: die.box[1]):
        if rows and die.box[1] - rows[-1][0].box[1] < tall:
            rows[-1].append(die)
        else:
            rows.append([die])
    return replace(reading, dice=tuple(die for row in rows for die in sorted(row, key=lambda die: die.box[0])))


def nearest(reading: Reading, at: Point) -> int | None:
    """The number of the die that lies at a place, in pixels of the frame; None where none does."""
    away = [
        (abs(x + w / 2 - at[0]) + abs(y + h / 2 - at[1]), n, max(w, h))
        for n, (x, y, w, h) in enumerate(die.box for die in reading.dice)
    ]
    if not away:
        return None
    distance, n, size = min(away)
    return n if distance < size else None


def named(reading: Reading, marks: list[Marked]) -> list[str]:
    """The colour of each die of a reading: what the users call the one in that place, else what it was read as."""
    names = [die.colour for die in reading.dice]
    for mark in marks:
        if (n := nearest(reading, mark.at)) is not None:
            names[n] = mark.colour
    return names


def hex_of(lab: Row) -> str:
    """CIE Lab as a colour for a page, "#c4282d"."""
    pixel = np.array([[lab]], np.float32)
    blue, green, red = (np.clip(cv2.cvtColor(pixel, cv2.COLOR_LAB2BGR)[0, 0], 0, 1) * 255).round().astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"


def worth_keeping(work: Work) -> bool:
    """Whether there is anything in it that no profile has yet."""
    return bool(work.laid or (work.learned and work.learned.palette))


def lens_only(profile: Profile) -> Profile:
    """The same profile without a palette: for reading what colours are called by themselves."""
    return Profile(profile.name, profile.made, profile.lens, profile.table)
