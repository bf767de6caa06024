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


def shifted(box: Box, offset: tuple[float, float]) -> Box:
    """The box, moved right and down."""
    return box[0] + offset[0], box[1] + offset[1], box[2], box[3]


def scaled(box: Box, times: float) -> Box:
    """The box in a picture so many times as large."""
    x, y, w, h = box
    return x * times, y * times, w * times, h * times


def likeness(image: Image, other: Image, box: Box, sway: float, offset: tuple[float, float] = (0, 0)) -> float | None:
    """How alike two pictures of one size look in a box of `image`: normalised correlation, -1 to 1.

    In the other picture, which may be exposed otherwise, the box is moved right and down by `offset`, give or take
    `sway` pixels. None where there is no detail.
    """
    found = find(image, other, box, sway, offset)
    return None if found is None else found[0]


def find(
    image: Image, other: Image, box: Box, sway: float, offset: tuple[float, float] = (0, 0)
) -> tuple[float, Box] | None:
    """As `likeness`, with the box that looks most alike in the other picture."""
    here, there = patch(image, box), patch(other, shifted(box, offset), sway)
    seen, around = image[here], other[there]
    if min(seen.shape[:2]) < _LEAST_SIDE or _contrast(seen) < _LEAST_CONTRAST:
        return None
    if any(a < b for a, b in zip(around.shape, seen.shape, strict=True)) or _contrast(around) < _LEAST_CONTRAST:
        return 0.0, shifted(box, offset)
    _, alike, _, (right, down) = cv2.minMaxLoc(cv2.matchTemplate(around, seen, cv2.TM_CCOEFF_NORMED))
    return alike, shifted(box, (there[1].start + right - here[1].start, there[0].start + down - here[0].start))


def _contrast(part: Image) -> float:
    """The largest standard deviation of a channel, in grey levels."""
    return float(cv2.meanStdDev(part)[1].max())
