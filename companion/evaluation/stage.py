"""The drawn table as the camera sees it: still objects, and those that hands move.

Still objects are kept as one picture, of which only changed parts are redrawn. Pictures are 8-bit sRGB and are blended
without conversion: edges are one pixel wide, and light and shadow, which multiply, do the same to encoded as to linear
levels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Floats, Image, jpeg
from vision.drawn.compose import Linear, Mask, cast_shadow, window
from vision.evaluation.pairs import TrueDie

GAMMA: Final = 1 / 2.2
"""Exponent that converts linear light to levels."""
HEADROOM: Final = 1.25
"""Objects are drawn darker than shown by this factor, so that highlights are not lost to a darker exposure."""
_LEVELS: Final = np.power(np.linspace(0, HEADROOM ** (1 / GAMMA), 4096, dtype=np.float32), GAMMA) * (255 / HEADROOM)
_SEEN: Final = np.power(np.linspace(1, 0, 256, dtype=np.float32), GAMMA) * 255
"""Levels of a white ground in a shadow, indexed by its strength, 0 to 255."""
_SEEN_LEVEL: Final = 235
"""Shadows that leave more of the ground's level are not drawn."""
_SHADOW_SIDE: Final = 72
"""Shadows are soft, so they are drawn at most this many pixels large and enlarged."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """The light over the table."""

    sun: tuple[float, float]
    """The length of shadows, right and down, per height of the object."""
    shade: float
    """The share of the light that a shadow takes."""


@dataclass(frozen=True, slots=True)
class Cutout:
    """An object with its shadow: a picture becomes `picture * keep / 255 + add`."""

    keep: Image
    """How much of the ground is visible, 0 to 255 in each channel."""
    add: Image
    """The object, where it hides the ground."""
    middle: tuple[float, float]
    """The object's centre, in pixels from the upper left corner."""

    @classmethod
    def of(cls, bgr: Floats, alpha: Mask, lamp: Lamp, height: float, *, lift: float = 0.0) -> Self:
        """An object `height` pixels tall, `lift` pixels above the table; its centre is the patch's.

        bgr: height x width x 3, levels from 0 to 255.
        """
        shadow, margin = _shadow(alpha, lamp, height, lift)
        seen = np.asarray(_SEEN[(np.clip(lamp.shade * shadow, 0, 1) * 255).astype(np.uint8)], np.float32)
        inner = (slice(margin, margin + alpha.shape[0]), slice(margin, margin + alpha.shape[1]))
        seen[inner] *= 1 - alpha
        keep = seen.astype(np.uint8)
        add = np.zeros((*keep.shape, 3), np.uint8)
        add[inner] = cv2.convertScaleAbs(bgr * alpha[..., None])
        middle = margin + alpha.shape[1] / 2, margin + alpha.shape[0] / 2
        return cls(np.asarray(cv2.merge([keep, keep, keep]), np.uint8), add, middle)

    def moved(self, dx: float, dy: float) -> Cutout:
        """The object moved by part of a pixel within its patch."""
        if abs(dx) < 0.02 and abs(dy) < 0.02:
            return self
        move = np.array([[1, 0, dx], [0, 1, dy]], np.float64)
        size = (self.keep.shape[1], self.keep.shape[0])
        keep = cv2.warpAffine(self.keep, move, size, borderValue=(255, 255, 255))
        add = cv2.warpAffine(self.add, move, size)
        return Cutout(np.asarray(keep, np.uint8), np.asarray(add, np.uint8), self.middle)

    def enlarged(self, times: int) -> Cutout:
        """The object in a picture `times` as large."""
        keep, add = (
            np.asarray(cv2.resize(part, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR), np.uint8)
            for part in (self.keep, self.add)
        )
        return Cutout(keep, add, (self.middle[0] * times, self.middle[1] * times))


@dataclass(frozen=True, slots=True)
class Placed:
    """A cutout at its place in the picture."""

    cutout: Cutout
    left: int
    top: int

    @classmethod
    def at(cls, cutout: Cutout, x: float, y: float, *, exact: bool = True) -> Self:
        """Place the object's centre at x, y. `exact`: to parts of a pixel."""
        left, top = x - cutout.middle[0], y - cutout.middle[1]
        whole = round(left), round(top)
        moved = cutout.moved(left - whole[0], top - whole[1]) if exact else cutout
        return cls(moved, *whole)

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom."""
        height, width = self.cutout.keep.shape[:2]
        return self.left, self.top, self.left + width, self.top + height

    def lay(self, picture: Image, left: int = 0, top: int = 0) -> bool:
        """Draw it on the picture in place; return True if it is visible. `left`, `top`: the picture's own position."""
        height, width = self.cutout.keep.shape[:2]
        rows, columns, own_rows, own_columns = window(picture, self.left - left, self.top - top, width, height)
        under, keep = picture[rows, columns], self.cutout.keep[own_rows, own_columns]
        if not under.size:
            return False
        picture[rows, columns] = cv2.add(
            cv2.multiply(under, keep, scale=1 / 255), self.cutout.add[own_rows, own_columns]
        )
        return int(keep.min()) < _SEEN_LEVEL


def encoded(rgb: Linear) -> Floats:
    """Convert linear light, red first, to levels of a drawing, blue first: 0 to 255, `HEADROOM` times too dark."""
    steps = np.minimum(rgb[..., ::-1] * np.float32((len(_LEVELS) - 1) * HEADROOM ** (-1 / GAMMA)), len(_LEVELS) - 1)
    steps = np.maximum(steps, 0).astype(np.uint16)
    return np.asarray(_LEVELS[steps], np.float32)


def _shadow(alpha: Mask, lamp: Lamp, height: float, lift: float) -> tuple[Mask, int]:
    """The shadow, drawn small and enlarged, and its margin."""
    share = min(1.0, _SHADOW_SIDE / max(alpha.shape))
    small = alpha
    if share < 1:
        size = max(1, round(alpha.shape[1] * share)), max(1, round(alpha.shape[0] * share))
        small = np.asarray(cv2.resize(alpha, size, interpolation=cv2.INTER_AREA), np.float32)
    tall = (height + lift) * share
    reach = lamp.sun[0] * tall, lamp.sun[1] * tall
    shadow, margin = cast_shadow(small, reach, max(0.4, 0.12 * height * share + 0.06 * lift * share))
    if share == 1:
        return shadow, margin
    wide = int(np.ceil(margin / share))
    across, down = small.shape[1] / alpha.shape[1], small.shape[0] / alpha.shape[0]
    size = alpha.shape[1] + 2 * wide, alpha.shape[0] + 2 * wide
    move = np.array([[1 / across, 0, wide - margin / across], [0, 1 / down, wide - margin / down]], np.float64)
    return np.asarray(cv2.warpAffine(shadow, move, size, flags=cv2.INTER_LINEAR), np.float32), wide


_SOFT: Final = 4
"""Border in pixels that is redrawn with each part, so that blurred edges are right."""
_STRIP: Final = 48
"""Rows per strip of noise. Each strip takes its noise from another place: if a whole frame's noise were another
frame's, only shifted, the two would look like a moving camera."""
_SPARE: Final = 160
"""Rows and columns of noise in addition to a frame's."""

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Item:
    """An object that lies still."""

    placed: Placed
    layer: float
    """Higher layers cover lower ones."""
    die: TrueDie | None = None


def nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A movement that lasts for a while."""

    begin: float
    """In seconds."""
    end: float
    draw: Callable[[float], Sequence[Placed]]
    """The moving objects at a time from 0 to 1."""
    started: Callable[[], None] = nothing
    """Takes the objects off the table."""
    done: Callable[[], None] = nothing
    """Puts them back."""


@dataclass(frozen=True, slots=True)
class CameraLook:
    """How the camera renders the table."""

    gains: tuple[float, float, float]
    """Gains of blue, green and red."""
    noise: float
    """Standard deviation in grey levels."""
    blur: float
    """Standard deviation of the lens's blur in pixels."""
    falloff: float
    """How much darker the corners are, 0 to 1."""
    slope: tuple[float, float]
    """Change of the light across the picture, right and down."""
    quality: int | None
    """JPEG quality of a webcam's frames; None without compression."""
    drift: tuple[float, float]
    """Drift of the light, as a share, and its period in seconds."""


@dataclass(slots=True)
class Stage:
    """The table and the camera over it."""

    cloth: Image
    look: CameraLook
    rng: Rng
    items: dict[str, Item] = field(default_factory=dict)
    """Name -> object that lies still."""
    motions: list[Motion] = field(default_factory=list)
    moved_at: float = float("-inf")
    """Time of the last frame in which something moved."""
    brightness: float = 1.0
    """Brightness of the lamp."""
    exposure: float = 1.0
    """The camera's exposure as a multiple of the usual one."""
    _offset: tuple[float, float] = (0.0, 0.0)
    """How far the mast was nudged, in pixels."""
    _now: float = float("-inf")
    _drawn: list[tuple[int, int, int, int]] = field(default_factory=list)
    """Where the last frame showed moving objects."""
    _placed: dict[str, Placed] = field(default_factory=dict)
    """Where the camera sees the still objects."""
    _base: Image = field(init=False)
    _plate: Floats = field(init=False)
    _cloth_now: Image = field(init=False)
    _noise: npt.NDArray[np.int16] = field(init=False)

    def __post_init__(self) -> None:
        height, width = self.cloth.shape[:2]
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        x, y = xs / width - 0.5, ys / height - 0.5
        light = (1 - self.look.falloff * 2 * (x * x + y * y)) * (1 + self.look.slope[0] * x + self.look.slope[1] * y)
        self._plate = np.asarray(light, np.float32)
        white = self.rng.normal(0, 1, (height + _SPARE, width + _SPARE, 3)).astype(np.float32)
        grain = np.asarray(cv2.GaussianBlur(white, (0, 0), 0.6), np.float32)
        self._noise = np.asarray(np.round(grain * (self.look.noise / float(grain.std()))), np.int16)
        self._cloth_now = self.cloth
        self._base = self.cloth.copy()
        self._paint_all()

    # Still objects

    def put(self, name: str, item: Item) -> None:
        """Lay an object down."""
        self.take(name)
        self.items[name] = item
        self._placed[name] = self._nudged(item.placed)
        self._paint(self._placed[name].box)

    def take(self, name: str) -> None:
        """Take an object away, if it is there."""
        if self.items.pop(name, None) is not None:
            self._paint(self._placed.pop(name).box)

    def put_all(self, items: dict[str, Item]) -> None:
        """Lay several objects down at once."""
        self.items |= items
        self._paint_all()

    def take_all(self, names: Sequence[str]) -> None:
        """Take several objects away at once."""
        for name in names:
            self.items.pop(name, None)
        self._paint_all()

    def dice(self) -> list[TrueDie]:
        """All dice on the table, including hidden ones, with their boxes in the picture."""
        dx, dy = self._offset
        dice = (item.die for item in self.items.values() if item.die is not None)
        return [replace(die, box=(die.box[0] + dx, die.box[1] + dy, *die.box[2:])) for die in dice]

    def nudge(self, dx: float, dy: float) -> None:
        """Push the mast by this many pixels; it stays there."""
        self._offset = self._offset[0] + dx, self._offset[1] + dy
        height, width = self.cloth.shape[:2]
        move = np.array([[1, 0, self._offset[0]], [0, 1, self._offset[1]]], np.float64)
        moved = cv2.warpAffine(self.cloth, move, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
        self._cloth_now = np.asarray(moved, np.uint8)
        self._paint_all()

    # Moving objects

    def picture(self, at: float) -> Image:
        """The frame at `at` seconds."""
        self.advance(at)
        picture = self._base.copy()
        drawn = []
        for motion in self.motions:
            if motion.begin <= at:
                for placed in motion.draw((at - motion.begin) / (motion.end - motion.begin)):
                    nudged = self._nudged(placed, exact=False)
                    if nudged.lay(picture):
                        drawn.append(nudged.box)
        if drawn != self._drawn:
            self.moved_at, self._drawn = at, drawn
        return self._developed(picture, at)

    def advance(self, at: float) -> None:
        """Let everything happen until `at` seconds."""
        while ends := [motion for motion in self.motions if motion.end <= at]:
            first = min(ends, key=lambda motion: motion.end)
            self._start(first.end)
            self.motions.remove(first)
            first.done()
        self._start(at)
        self._now = at

    def _start(self, at: float) -> None:
        for motion in [each for each in self.motions if self._now < each.begin <= at]:
            motion.started()
        self._now = max(self._now, at)

    # Drawing

    def _nudged(self, placed: Placed, *, exact: bool = True) -> Placed:
        if self._offset == (0.0, 0.0):
            return placed
        x, y = placed.left + placed.cutout.middle[0], placed.top + placed.cutout.middle[1]
        return Placed.at(placed.cutout, x + self._offset[0], y + self._offset[1], exact=exact)

    def _paint_all(self) -> None:
        """Redraw all still objects at their places."""
        self._placed = {name: self._nudged(item.placed) for name, item in self.items.items()}
        height, width = self.cloth.shape[:2]
        self._paint((0, 0, width, height))

    def _paint(self, box: tuple[int, int, int, int]) -> None:
        """Redraw this part of the still objects."""
        height, width = self.cloth.shape[:2]
        inner = _grown(box, width, height)
        if inner[0] >= inner[2] or inner[1] >= inner[3]:
            return
        outer = _grown(inner, width, height)
        part = self._cloth_now[outer[1] : outer[3], outer[0] : outer[2]].copy()
        for name, _ in sorted(self.items.items(), key=lambda each: each[1].layer):
            placed = self._placed[name]
            left, top, right, bottom = placed.box
            if left < outer[2] and right > outer[0] and top < outer[3] and bottom > outer[1]:
                placed.lay(part, outer[0], outer[1])
        soft = cv2.GaussianBlur(part, (0, 0), self.look.blur)
        rows = slice(inner[1] - outer[1], inner[3] - outer[1])
        columns = slice(inner[0] - outer[0], inner[2] - outer[0])
        plate = self._plate[inner[1] : inner[3], inner[0] : inner[2], None]
        lit = np.minimum(soft[rows, columns] * plate + 0.5, 255).astype(np.uint8)
        self._base[inner[1] : inner[3], inner[0] : inner[2]] = lit

    def _developed(self, picture: Image, at: float) -> Image:
        """The picture as the camera outputs it, with light, noise and compression."""
        share, period = self.look.drift
        light = HEADROOM * self.exposure**GAMMA * self.brightness * (1 + share * np.sin(2 * np.pi * at / period))
        levels = np.arange(256, dtype=np.float32)[:, None] * np.array(self.look.gains, np.float32) * light
        table = np.clip(levels, 0, 255).astype(np.uint8)[None].reshape(1, 256, 3)
        lit = cv2.LUT(picture, table)
        noisy = np.empty_like(picture)
        height, width = picture.shape[:2]
        tops = range(0, height, _STRIP)
        for top, (y, x) in zip(tops, self.rng.integers(0, _SPARE, (len(tops), 2)).tolist(), strict=True):
            rows = slice(top, min(top + _STRIP, height))
            grain = self._noise[y + rows.start : y + rows.stop, x : x + width]
            noisy[rows] = cv2.add(lit[rows], grain, dtype=cv2.CV_8U)
        if self.look.quality is None:
            return noisy
        return np.asarray(
            cv2.imdecode(np.frombuffer(jpeg(noisy, self.look.quality), np.uint8), cv2.IMREAD_COLOR), np.uint8
        )


def _grown(box: tuple[int, int, int, int], width: int, height: int) -> tuple[int, int, int, int]:
    """The box, grown by `_SOFT` within the picture."""
    left, top, right, bottom = box
    return max(0, left - _SOFT), max(0, top - _SOFT), min(width, right + _SOFT), min(height, bottom + _SOFT)
