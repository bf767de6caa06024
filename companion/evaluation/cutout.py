"""Drawn things, ready to be laid on a picture.

Pictures are 8-bit sRGB, blended as they are: edges are one pixel wide, and light and shadow, which multiply, do the
same to encoded levels as to linear ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import cv2
import numpy as np

from calibration.image import Floats, Image
from vision.drawn.compose import Linear, Mask, cast_shadow, window

GAMMA: Final = 1 / 2.2
"""The power by which linear light becomes levels."""
HEADROOM: Final = 1.25
"""Things are drawn so many times darker than they are shown, so that what glares is not lost to a darker exposure."""
_LEVELS: Final = np.power(np.linspace(0, HEADROOM ** (1 / GAMMA), 4096, dtype=np.float32), GAMMA) * (255 / HEADROOM)
_SEEN: Final = np.power(np.linspace(1, 0, 256, dtype=np.float32), GAMMA) * 255
"""Level of a white ground where a shadow takes so many parts in 255 of the light."""
_SEEN_LEVEL: Final = 235
"""A shadow that leaves more of the ground is not seen."""
_SHADOW_SIDE: Final = 72
"""Shadows are soft, and drawn no larger than this many pixels."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """The light over the table."""

    sun: tuple[float, float]
    """The length of shadows, right and down, per height of the thing."""
    shade: float
    """How much of the light a shadow takes, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Cutout:
    """A thing and its shadow: a picture becomes `picture * keep / 255 + add`."""

    keep: Image
    """How much of the ground is seen, 0 to 255 in each channel."""
    add: Image
    """The thing, where it hides the ground."""
    middle: tuple[float, float]
    """The thing's own middle, in pixels from the upper left corner."""

    @classmethod
    def of(cls, bgr: Floats, alpha: Mask, lamp: Lamp, height: float, *, lift: float = 0.0) -> Self:
        """A thing `height` pixels tall, `lift` pixels above the table; its middle is the patch's.

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
        """The thing moved by part of a pixel within its patch."""
        if abs(dx) < 0.02 and abs(dy) < 0.02:
            return self
        move = np.array([[1, 0, dx], [0, 1, dy]], np.float64)
        size = (self.keep.shape[1], self.keep.shape[0])
        keep = cv2.warpAffine(self.keep, move, size, borderValue=(255, 255, 255))
        add = cv2.warpAffine(self.add, move, size)
        return Cutout(np.asarray(keep, np.uint8), np.asarray(add, np.uint8), self.middle)

    def enlarged(self, times: int) -> Cutout:
        """The thing in a larger picture."""
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
        """With the thing's middle at x, y. `exact`: to parts of a pixel."""
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
        """Lay it on the picture, in place, and say whether it is seen there; `left`, `top`: the picture's own place."""
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
    """Linear light, red first, as levels of a drawing, blue first: 0 to 255, `HEADROOM` times darker than a frame."""
    steps = np.minimum(rgb[..., ::-1] * np.float32((len(_LEVELS) - 1) * HEADROOM ** (-1 / GAMMA)), len(_LEVELS) - 1)
    steps = np.maximum(steps, 0).astype(np.uint16)
    return np.asarray(_LEVELS[steps], np.float32)


def _shadow(alpha: Mask, lamp: Lamp, height: float, lift: float) -> tuple[Mask, int]:
    """The shadow, drawn small and blown up, and its margin."""
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
