"""Cuts one die out of the frame for the classifiers and the verifier."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.image import Image
from vision.models.networks import CROP_MARGIN, CROP_SIDE
from vision.reading import Box

_CLASSIFIER_DIE: Final = CROP_SIDE / CROP_MARGIN
"""Width of the die in the classifiers' crops."""


def crop_die(image: Image, box: Box, side: int = CROP_SIDE, width: float = _CLASSIFIER_DIE) -> Image:
    """A crop of `side` pixels with the die of this box in the middle, mirrored beyond the edge of the frame.

    The die is `width` pixels wide in crops of any side; wider ones show more of its surroundings.
    """
    left, top, w, h = box
    scale = width / max(w, h, 4.0)
    x, y = left + w / 2 - 0.5, top + h / 2 - 0.5
    source = image
    if scale < 0.7:  # blur before shrinking, or pips alias
        reach = int((side / 2 + 2) / scale) + 4  # the crop and the margin of the blur
        x0, y0 = max(0, int(x) - reach), max(0, int(y) - reach)
        source = image[y0 : int(y) + reach, x0 : int(x) + reach]
        source = np.asarray(cv2.GaussianBlur(source, (0, 0), 0.4 / scale), dtype=np.uint8)
        x, y = x - x0, y - y0
    half = (side - 1) / 2
    move = np.array([[scale, 0, half - x * scale], [0, scale, half - y * scale]], np.float64)
    how = cv2.INTER_LINEAR
    return np.asarray(cv2.warpAffine(source, move, (side, side), flags=how, borderMode=cv2.BORDER_REFLECT), np.uint8)
