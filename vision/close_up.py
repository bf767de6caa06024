"""Close-ups of dice, each cut out of its frame and turned upright."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, degrees, sin

import cv2
import numpy as np

from calibration.image import Image, grey_of
from vision.patch import patch
from vision.reading import Box

MARGIN = 1.3
"""The side of a close-up, in widths of the die's top."""

EDGE = 0.06
"""Width of the strip round the die, in die widths, that is searched for its edges."""


def close_ups(frame: Image, boxes: Sequence[Box], side: int) -> Image:
    """The dice side by side, each in a square of `side` pixels."""
    row = [_close_up(frame, box, side) for box in boxes]
    return np.hstack(row) if row else np.zeros((side, 0, 3), np.uint8)


def _close_up(frame: Image, box: Box, side: int) -> Image:
    x, y, width, height = box
    turn = _turn(frame, box)
    # A square turned by this angle has a bounding box this many times as wide as itself.
    die = max(width, height) / (cos(turn) + sin(abs(turn)))
    at = cv2.getRotationMatrix2D((x + width / 2, y + height / 2), degrees(turn), side / (MARGIN * die))
    at[0, 2] += side / 2 - (x + width / 2)
    at[1, 2] += side / 2 - (y + height / 2)
    cut = cv2.warpAffine(frame, at, (side, side), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)


def _turn(frame: Image, box: Box) -> float:
    """The die's clockwise rotation in radians, -pi/4 to pi/4: its edges repeat every quarter turn, its pips do not."""
    seen = frame[patch(frame, box, EDGE * box[2])]
    if min(seen.shape[:2]) < 3:
        return 0.0
    cut = cv2.GaussianBlur(grey_of(seen).astype(np.float32), (0, 0), box[2] / 40 + 0.5)
    slope = cv2.Scharr(cut, cv2.CV_32F, 1, 0) + 1j * cv2.Scharr(cut, cv2.CV_32F, 0, 1)
    strength = np.maximum(np.abs(slope), 1e-6)
    return float(np.angle(np.sum(slope**4 / strength**2)) / 4) if strength.max() > 1 else 0.0
