"""Averages frames of a still table into one with less noise, registered to a fraction of a pixel.

A swaying mast shifts the picture by a pixel or two between frames. Frames are registered as small pictures, which have
hardly any noise, by the enhanced correlation coefficient (Evangelidis and Psarakis 2008). Where something moved between
them, such as a hand or a glint, only the first frame is used.
"""

from __future__ import annotations

from math import floor
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Grey, Image, grey_of, halved

_SMALL_WIDTH: Final = 256
"""Small pictures are at least this wide, in pixels, and less than twice as wide."""
_ITERATIONS: Final = 20
_PRECISE: Final = 1e-3
"""Registration ends once the correlation grows by less than this."""
_GAUSSIAN: Final = 5
"""Side in pixels of the filter that smooths the small pictures for registration."""
_BROAD: Final = (11, 11)
"""Width and height, in pixels of a small picture, of blocks whose mean brightness hardly changes with sway."""
_BROAD_CHANGE: Final = 12.0
"""Change of a block's mean, in grey levels, that a hand exceeds and sway does not."""
_MOST_SHIFT: Final = 0.02
"""The most that a mast sways between two frames, as a share of the picture's width: see `vision.stillness`."""
_NOISE_FACTOR: Final = 7.0
"""A pixel of a small picture has moved if it differs by at least this many times the noise and `_LEAST_CHANGE`."""
_LEAST_CHANGE: Final = 8.0
"""In grey levels."""
_SURROUNDINGS: Final = np.ones((5, 5), np.uint8)
"""The edge and the shadow of a moving object lie this near to it."""
_MOST_FRAMES: Final = 257
"""A sum of more frames could exceed 16 bits."""


class Stack:
    """The mean of frames of a still table; where they differ, it shows the first one."""

    def __init__(self, image: Image) -> None:
        """Start with a frame: height x width x 3, BGR, 8 bit."""
        self._first, self._small = image, _small(image)
        self._sum: npt.NDArray[np.uint16] = image.astype(np.uint16)
        self.frames = 1

    def add(self, image: Image) -> bool:
        """Add a later frame of the same size. Returns False, adding nothing, if it cannot be registered."""
        if image.shape != self._first.shape or self.frames == _MOST_FRAMES:
            return False
        shift = _shift(self._small, _small(image))
        if shift is None:
            return False
        laid_over = _shifted(image, shift, self._first)
        moved = _moved(self._small, _small(laid_over))
        if moved.any():
            mask = cv2.resize(moved, image.shape[1::-1], interpolation=cv2.INTER_NEAREST)
            cv2.copyTo(self._first, mask, laid_over)
        cv2.add(self._sum, laid_over, dst=self._sum, dtype=cv2.CV_16U)
        self.frames += 1
        return True

    def mean(self) -> Image:
        """The mean of all frames."""
        return np.asarray(cv2.convertScaleAbs(self._sum, alpha=1 / self.frames), np.uint8)


def _small(image: Image) -> Image:
    while image.shape[1] >= 2 * _SMALL_WIDTH:
        image = halved(image)
    return image


def _shift(first: Image, later: Image) -> tuple[float, float] | None:
    """How far the later picture is shifted right and down, as a share of the width; None if unknown."""
    one, other = grey_of(first), grey_of(later)
    change = cv2.blur(one.astype(np.float32) - other, _BROAD)
    lies_still = cv2.erode(cv2.inRange(change, -_BROAD_CHANGE, _BROAD_CHANGE), _SURROUNDINGS)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, _ITERATIONS, _PRECISE)
    still = np.eye(2, 3, dtype=np.float32)
    motion = cv2.MOTION_TRANSLATION
    try:
        _, move = cv2.findTransformECC(one, other, still, motion, criteria, lies_still, _GAUSSIAN)
    except cv2.error:  # the pictures do not correlate, as when they have one grey level
        return None
    right, down = (move[:, 2] / first.shape[1]).tolist()
    return (right, down) if max(abs(right), abs(down)) <= _MOST_SHIFT else None


def _shifted(image: Image, shift: tuple[float, float], border: Image) -> Image:
    """Undo this shift of the picture; uncovered edges are filled from `border`.

    Like `cv2.warpAffine` with linear interpolation, in a third of the time.
    """
    height, width = image.shape[:2]
    right, down = (each * width for each in shift)
    x, y = floor(right), floor(down)
    across, along = np.array([1 - right + x, right - x]), np.array([1 - down + y, down - y])
    between = cv2.filter2D(image, -1, np.outer(along, across), anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
    shifted = border.copy()
    rows, columns = slice(max(0, -y), height - max(0, y)), slice(max(0, -x), width - max(0, x))
    shifted[rows, columns] = between[max(0, y) : height + min(0, y), max(0, x) : width + min(0, x)]
    return shifted


def _moved(first: Image, later: Image) -> Grey:
    """255 where two registered small pictures differ by more than noise, else 0."""
    change = cv2.absdiff(first, later)
    noise = np.median(change[::2, ::2], axis=(0, 1)) / 0.6745  # the median of a half-normal
    limit = np.maximum(_NOISE_FACTOR * noise, _LEAST_CHANGE)
    alike = cv2.inRange(change.astype(np.float32), np.zeros(3), limit)
    return np.asarray(cv2.dilate(cv2.bitwise_not(alike), _SURROUNDINGS), np.uint8)
