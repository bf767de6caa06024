"""Compares patches of two pictures, and registers the pictures when a swaying mast has moved them."""

from __future__ import annotations

from math import hypot, log2
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Floats, Image, halved
from vision.reading import Box

_LEAST_CONTRAST: Final = 3.0
"""Standard deviation, in grey levels, below which a patch has no detail."""
_LEAST_SIDE: Final = 6
"""A patch with a shorter side, in pixels, is not compared."""

_REGISTERED_WIDTH: Final = 640
"""Width in pixels of the pictures for registration, up to half more or less."""
_LIGHT_SIDE: Final = 27
"""Structure wider than this, in pixels of those pictures, counts as light."""
_TILES: Final = (4, 3)
"""Parts of the picture, across and down, that are registered one by one."""
_LEAST_RESPONSE: Final = 0.08
"""Parts whose phase correlation responds less are ignored: they are bare, or hands and cups have moved in them."""
_MOST_SWAY: Final = 12.0
"""The most that a mast sways, in pixels of the pictures for registration."""
_FEWEST_TILES: Final = 3
_MOST_ZOOM: Final = 0.005
"""The most that a swaying mast changes the scale."""

Move = npt.NDArray[np.float64]
"""2 x 3 affine map from the earlier picture to the later one."""


def patch(image: Image, box: Box, grow: float = 0.0) -> tuple[slice, slice]:
    """Rows and columns of the box, grown by `grow` pixels on each side and cut to the picture."""
    x, y, w, h = box
    height, width = image.shape[:2]
    return (
        slice(max(0, round(y - grow)), min(height, max(0, round(y + h + grow)))),
        slice(max(0, round(x - grow)), min(width, max(0, round(x + w + grow)))),
    )


def middle(box: Box) -> tuple[float, float]:
    """The centre, x and y."""
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def halves(box: Box) -> tuple[Box, ...]:
    """The left, right, upper and lower half."""
    x, y, w, h = box
    return (x, y, w / 2, h), (x + w / 2, y, w / 2, h), (x, y, w, h / 2), (x, y + h / 2, w, h / 2)


def shifted(box: Box, offset: tuple[float, float]) -> Box:
    """The box, moved right and down."""
    return box[0] + offset[0], box[1] + offset[1], box[2], box[3]


def scaled(box: Box, times: float) -> Box:
    """The box in a picture `times` as large."""
    x, y, w, h = box
    return x * times, y * times, w * times, h * times


def likeness(image: Image, other: Image, box: Box, sway: float, offset: tuple[float, float] = (0, 0)) -> float | None:
    """Normalised correlation, -1 to 1, of two pictures of one size within a box of `image`.

    In the other picture, which may have another exposure, the box is searched for within `sway` pixels of its place
    moved right and down by `offset`. None if the box has no detail.
    """
    found = find(image, other, box, sway, offset)
    return None if found is None else found[0]


def find(
    image: Image, other: Image, box: Box, sway: float, offset: tuple[float, float] = (0, 0)
) -> tuple[float, Box] | None:
    """Like `likeness`, and also return the best matching box in the other picture."""
    here, there = patch(image, box), patch(other, shifted(box, offset), sway)
    seen, around = image[here], other[there]
    if min(seen.shape[:2]) < _LEAST_SIDE or _contrast(seen) < _LEAST_CONTRAST:
        return None
    if any(a < b for a, b in zip(around.shape, seen.shape, strict=True)) or _contrast(around) < _LEAST_CONTRAST:
        return 0.0, shifted(box, offset)
    _, alike, _, (right, down) = cv2.minMaxLoc(cv2.matchTemplate(around, seen, cv2.TM_CCOEFF_NORMED))
    return alike, shifted(box, (there[1].start + right - here[1].start, there[0].start + down - here[0].start))


def _contrast(part: Image) -> float:
    """The largest standard deviation of any channel, in grey levels."""
    return float(cv2.meanStdDev(part)[1].max())


def back(move: Move) -> Move:
    """The inverse: a map from the later picture to the earlier one."""
    return np.asarray(cv2.invertAffineTransform(move), np.float64)


def moved(box: Box, move: Move) -> Box:
    """The box, shifted to where the other picture shows its centre."""
    x, y = (move[:, :2] @ middle(box) + move[:, 2]).tolist()
    return x - box[2] / 2, y - box[3] / 2, box[2], box[3]


def registration(before: Image, after: Image) -> Move:
    """The move between two pictures that a swaying mast causes: a shift with a slight rotation.

    Each part is registered by phase correlation (Kuglin and Hines 1975); the move is the one most parts share. If too
    few parts can be registered, the picture counts as unmoved.
    """
    halvings = max(0, round(log2(max(after.shape[:2]) / _REGISTERED_WIDTH)))
    scale = 0.5**halvings
    one, other = _detail(before, halvings), _detail(after, halvings)
    size = one.shape[1], one.shape[0]
    wide, tall = size[0] // _TILES[0], size[1] // _TILES[1]
    hann = cv2.createHanningWindow((wide, tall), cv2.CV_32F)
    middles, shifts = [], []
    for row in range(_TILES[1]):
        for column in range(_TILES[0]):
            part = (slice(row * tall, (row + 1) * tall), slice(column * wide, (column + 1) * wide))
            shift, response = cv2.phaseCorrelate(one[part], other[part], hann)
            if response > _LEAST_RESPONSE and hypot(*shift) < _MOST_SWAY:
                middles.append(((column + 0.5) * wide, (row + 0.5) * tall))
                shifts.append(shift)
    still = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    if len(middles) < _FEWEST_TILES:
        return still
    here = np.array(middles) / scale
    move, inliers = cv2.estimateAffinePartial2D(
        here, here + np.array(shifts) / scale, ransacReprojThreshold=0.5 / scale
    )
    if move is None or int(inliers.sum()) < _FEWEST_TILES or abs(hypot(move[0, 0], move[1, 0]) - 1) > _MOST_ZOOM:
        still[:, 2] = np.median(np.array(shifts), axis=0) / scale
        return still
    return np.asarray(move, np.float64)


def _detail(image: Image, halvings: int) -> Floats:
    """A grey picture, halved `halvings` times, without the light: its logarithm, high-pass filtered."""
    for _ in range(halvings):
        image = halved(image)
    grey = np.log(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32) + 8)
    return np.asarray(grey - cv2.blur(grey, (_LIGHT_SIDE, _LIGHT_SIDE)), np.float32)
