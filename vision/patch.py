"""The part of a picture where a die lies, and whether it looks the same in another picture."""

from __future__ import annotations

from typing import Final

import cv2

from calibration.image import Image
from vision.reading import Die

_LEAST_CONTRAST: Final = 3.0
"""Standard deviation, in grey levels, below which a patch shows nothing."""
_LEAST_SIDE: Final = 6
"""A patch with a shorter side, in pixels, is not compared."""


def patch(image: Image, die: Die, grow: float = 0.0) -> tuple[slice, slice]:
    """Rows and columns of the die's box, grown on each side by `grow` pixels, within the picture."""
    (x, y), reach = die.centre, die.width / 2 + grow
    height, width = image.shape[:2]
    return (
        slice(max(0, round(y - reach)), min(height, max(0, round(y + reach)))),
        slice(max(0, round(x - reach)), min(width, max(0, round(x + reach)))),
    )


def likeness(image: Image, other: Image, die: Die, shift: float) -> float | None:
    """How alike two pictures of one size look where a die of `image` lies: normalised correlation, -1 to 1.

    The other picture may be shifted by up to `shift` pixels, and exposed otherwise. None where there is no detail.
    """
    here, around = image[patch(image, die)], other[patch(other, die, shift)]
    if min(here.shape[:2]) < _LEAST_SIDE or here.std(axis=(0, 1)).max() < _LEAST_CONTRAST:
        return None
    if around.std(axis=(0, 1)).max() < _LEAST_CONTRAST:
        return 0.0
    return float(cv2.matchTemplate(around, here, cv2.TM_CCOEFF_NORMED).max())
