"""The move between two pictures of one table, which a swaying mast makes."""

from __future__ import annotations

from math import hypot, log2
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Floats, Image, halved
from vision.reading import Box

_REGISTERED_WIDTH: Final = 640
"""The width in pixels of the pictures that are registered, give or take a half."""
_LIGHT_SIDE: Final = 27
"""Structure wider than this many of their pixels is light."""
_TILES: Final = (4, 3)
"""Parts of the picture, across and down, that are registered separately."""
_LEAST_RESPONSE: Final = 0.08
"""Response of the phase correlation below which a part is ignored: it is bare, or hands and cups have moved in it."""
_MOST_SWAY: Final = 12.0
"""The most that a mast sways, in pixels of the registered pictures."""
_FEWEST_TILES: Final = 3
_MOST_ZOOM: Final = 0.005
"""A swaying mast changes the scale by less than this."""

Move = npt.NDArray[np.float64]
"""2 x 3, from a point of the earlier picture to one of the later."""


def back(move: Move) -> Move:
    """From a point of the later picture to one of the earlier."""
    return np.asarray(cv2.invertAffineTransform(move), np.float64)


def moved(box: Box, move: Move) -> Box:
    """The box where the other picture shows its middle."""
    x, y, w, h = box
    middle = move[:, :2] @ (x + w / 2, y + h / 2) + move[:, 2]
    return float(middle[0]) - w / 2, float(middle[1]) - h / 2, w, h


def registration(before: Image, after: Image) -> Move:
    """The move between the two pictures that a swaying mast makes: a shift with a slight turn.

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
    """A grey picture, halved so many times, without the light: the logarithm, high-pass filtered."""
    for _ in range(halvings):
        image = halved(image)
    grey = np.log(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32) + 8)
    return np.asarray(grey - cv2.blur(grey, (_LIGHT_SIDE, _LIGHT_SIDE)), np.float32)
