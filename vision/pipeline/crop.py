"""One die cut out of the frame, as the classifier wants it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.models.networks import CROP, CROP_MARGIN, Image, Spot


def cut(image: Image, spot: Spot, side: int = CROP) -> Image:
    """The die in the middle, side x side, what lies outside the frame mirrored in.

    It is as large in all of them; in wider ones than CROP there is more round it.
    """
    scale = CROP / (CROP_MARGIN * max(spot.w, spot.h, 4.0))
    x, y = spot.x - 0.5, spot.y - 0.5
    source = image
    if scale < 0.7:  # shrinking: blur first, or pips turn into noise
        reach = int((side / 2 + 2) / scale) + 4  # the crop, and what the blur needs round it
        x0, y0 = max(0, int(x) - reach), max(0, int(y) - reach)
        source = image[y0 : int(y) + reach, x0 : int(x) + reach]
        source = np.asarray(cv2.GaussianBlur(source, (0, 0), 0.4 / scale), dtype=np.uint8)
        x, y = x - x0, y - y0
    half = (side - 1) / 2
    move = np.array([[scale, 0, half - x * scale], [0, scale, half - y * scale]], np.float64)
    how = cv2.INTER_LINEAR
    return np.asarray(cv2.warpAffine(source, move, (side, side), flags=how, borderMode=cv2.BORDER_REFLECT), np.uint8)
