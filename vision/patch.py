"""Parts of a picture, and whether they look the same in another one."""

from __future__ import annotations

from typing import Final

import cv2

from calibration.image import Image
from vision.reading import Box

_LEAST_CONTRAST: Final = 3.0
"""Standard deviation, in grey levels, below which a patch shows nothing."""
_LEAST_SIDE: Final = 6
"""A patch with a shorter side, in pixels, is not compared."""


def patch(image: Image, box: Box, grow: float = 0.0) -> tuple[slice, slice]:
    """Rows and columns of the box, grown on each side by `grow` pixels, within the picture."""
    x, y, w, h = box
    height, width = image.shape[:2]
    return (
        slice(max(0, round(y - grow)), min(height, max(0, round(y + h + grow)))),
        slice(max(0, round(x - grow)), min(width, max(0, round(x + w + grow)))),
    )


def halves(box: Box) -> tuple[Box, ...]:
    """The left, right, upper and lower half."""
    x, y, w, h = box
    return (x, y, w / 2, h), (x + w / 2, y, w / 2, h), (x, y, w, h / 2), (x, y + h / 2, w, h / 2)


def likeness(image: Image, other: Image, box: Box, shift: float) -> float | None:
    """How alike two pictures of one size look in a box of `image`: normalised correlation, -1 to 1.

    The other picture may be shifted by up to `shift` pixels, and exposed otherwise. None where there is no detail.
    """
    alike = find(image, other, box, shift)
    return None if alike is None else alike[0]


def find(image: Image, other: Image, box: Box, shift: float) -> tuple[float, Box] | None:
    """As `likeness`, with the box that looks most alike in the other picture."""
    here, there = patch(image, box), patch(other, box, shift)
    seen, around = image[here], other[there]
    if min(seen.shape[:2]) < _LEAST_SIDE or seen.std(axis=(0, 1)).max() < _LEAST_CONTRAST:
        return None
    if around.std(axis=(0, 1)).max() < _LEAST_CONTRAST:
        return 0.0, box
    _, alike, _, (right, down) = cv2.minMaxLoc(cv2.matchTemplate(around, seen, cv2.TM_CCOEFF_NORMED))
    x, y, w, h = box
    return float(alike), (x + there[1].start + right - here[1].start, y + there[0].start + down - here[0].start, w, h)
