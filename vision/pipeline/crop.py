"""Cuts one die out of the frame for the classifiers and the verifier, at the camera's full resolution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import cv2
import numpy as np

from calibration.image import Image
from vision.models.networks import CROP_MARGIN, CROP_SIDE
from vision.patch import Move
from vision.reading import Box

_CLASSIFIER_DIE: Final = CROP_SIDE / CROP_MARGIN
"""Width of the die in the classifiers' crops."""


class Whole(NamedTuple):
    """The frame at the sensor's full resolution, where the frame that is read has fewer pixels."""

    image: Image
    to_whole: Callable[[Box], Move]
    """Near a box, the map from points of the frame that is read to points of `image`. The origin of a pixel is its
    corner.
    """


def crop_die(
    image: Image,
    box: Box,
    side: int = CROP_SIDE,
    width: float = _CLASSIFIER_DIE,
    whole: Whole | None = None,
) -> Image:
    """A square crop of `side` pixels with the die of this box in the middle; beyond the frame it is mirrored.

    The die is `width` pixels wide whatever the side; a larger side shows more of its surroundings.
    """
    left, top, w, h = box
    scale = width / max(w, h, 4.0)
    middle = left + w / 2, top + h / 2
    if whole is None:
        turn, (x, y) = np.eye(2), middle
    else:
        image, move = whole.image, whole.to_whole(box)
        turn, (x, y) = move[:, :2], (move @ (*middle, 1.0)).tolist()
        scale /= abs(np.linalg.det(turn)) ** 0.5
        turn = turn / abs(np.linalg.det(turn)) ** 0.5
    x, y = x - 0.5, y - 0.5
    source = image
    if scale < 0.7:  # blur before shrinking, against aliased pips
        reach = int((side / 2 + 2) / scale) + 4  # the crop and the margin of the blur
        x0, y0 = max(0, int(x) - reach), max(0, int(y) - reach)
        source = image[y0 : int(y) + reach, x0 : int(x) + reach]
        source = np.asarray(cv2.GaussianBlur(source, (0, 0), 0.4 / scale), dtype=np.uint8)
        x, y = x - x0, y - y0
    half = (side - 1) / 2
    from_source = scale * np.linalg.inv(turn)
    move = np.column_stack([from_source, half - from_source @ (x, y)])
    how = cv2.INTER_LINEAR
    return np.asarray(cv2.warpAffine(source, move, (side, side), flags=how, borderMode=cv2.BORDER_REFLECT), np.uint8)
