"""Whether the dice lie still, judged cheaply from small frames.

Only fine detail of brightness and colour is compared, so that soft shadows, a flickering lamp and the camera's own
exposure do not count as movement. Each frame is compared with the previous one, which shows a moving hand, and with the
first of the quiet time, which shows slow movement. A mast that shakes moves the whole picture: frames are first
registered by phase correlation (Kuglin and Hines 1975). The threshold follows the camera's own noise, so that a dim
room does not look like movement.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Image, halved
from vision.reading import Stillness

_PIXELS: Final = 480 * 270
"""Frames are compared at this many pixels, whatever their shape; a die 1/90 of the frame's width is still 5 wide."""
_BLUR_SIDE: Final = 27
"""Structure wider than this many pixels is light, not an object."""
_NEVER_CHANGE: Final = 10.0
"""Differences below this level are never a change."""
_ALWAYS_CHANGE: Final = 25.0
"""Differences above this level are always a change: when more than half of a pattern moves, it is not noise."""
_LIGHT_TOLERANCE: Final = 0.15
"""The share of the detail by which a lamp may dim or brighten it."""
_NOISE_FACTOR: Final = 7.0
"""A pixel has changed when it differs by this many times the noise."""
_CHANGED_PIXELS: Final = 6
"""Fewer changed pixels are a glint."""
_MAX_SHAKE: Final = 5.0
"""Pixels by which the whole picture may shift; a larger shift means that the camera was pushed."""

Detail = npt.NDArray[np.float32]
"""Height x width x 3: brightness and two colour channels, high-pass filtered."""


class _Frame(NamedTuple):
    detail: Detail
    at: float


class StillnessCheck:
    """Watches frames and says when to read one; nothing may have moved for `still_for` seconds."""

    def __init__(self, still_for: float = 0.3) -> None:
        self.still_for = still_for
        self._before: _Frame | None = None
        self._quiet: _Frame | None = None
        """The first frame of the quiet time."""

    def reset(self) -> None:
        """Forget every frame."""
        self._before = self._quiet = None

    def see(self, image: Image, at: float) -> Stillness:
        """Take the next frame (height x width x 3, BGR); `at` is its time in seconds on any monotonic clock."""
        frame = _Frame(_detail(image), at)
        before, self._before = self._before, frame
        if before is None or self._quiet is None or before.detail.shape != frame.detail.shape:
            self._quiet = frame
            return Stillness.WAITING
        if _moved(before.detail, frame.detail):
            self._quiet = frame
            return Stillness.MOVING
        if _moved(self._quiet.detail, frame.detail):
            self._quiet = before
            return Stillness.MOVING
        return Stillness.STILL if at - self._quiet.at >= self.still_for else Stillness.WAITING


def _detail(image: Image) -> Detail:
    """The frame, small and high-pass filtered."""
    small = image
    while small.shape[0] * small.shape[1] >= 4 * _PIXELS and min(small.shape[:2]) > 1:
        small = halved(small)
    scale = float(np.sqrt(_PIXELS / (small.shape[0] * small.shape[1])))
    size = (max(1, round(small.shape[1] * scale)), max(1, round(small.shape[0] * scale)))
    # less than twice as large now: linear interpolation skips hardly a pixel and is four times faster than area
    small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR))
    bands = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2YCrCb).astype(np.float32), (5, 5), 0.8)
    return np.asarray(bands - cv2.blur(bands, (_BLUR_SIDE, _BLUR_SIDE)), dtype=np.float32)


def _moved(one: Detail, other: Detail) -> bool:
    """Whether two frames differ by more than noise, light and camera shake."""
    if not _changed(one, other):
        return False
    (dx, dy), _ = cv2.phaseCorrelate(cv2.extractChannel(one, 0), cv2.extractChannel(other, 0))
    if not (abs(dx) <= _MAX_SHAKE and abs(dy) <= _MAX_SHAKE):  # also when they are NaN
        return True
    height, width = one.shape[:2]
    edge = int(_MAX_SHAKE) + 2
    if min(height, width) <= 2 * edge:
        return True  # too small to register
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    laid_over = cv2.warpAffine(one, move, (width, height), flags=cv2.INTER_CUBIC)  # linear would blur edges
    inner = (slice(edge, height - edge), slice(edge, width - edge))
    return _changed(np.asarray(laid_over, np.float32)[inner], other[inner])


def _changed(one: Detail, other: Detail) -> bool:
    change = cv2.absdiff(one, other)
    some = change[::4, ::4].reshape(-1, 3)
    nth = len(some) // 4
    noise = np.partition(some, nth, axis=0)[nth] / 0.3186  # the first quartile of a half-normal
    limit = np.clip(_NOISE_FACTOR * noise, _NEVER_CHANGE, _ALWAYS_CHANGE).astype(np.float64)
    alike = cv2.inRange(change - _LIGHT_TOLERANCE * np.abs(other), np.full(3, -np.inf), limit)
    return alike.size - cv2.countNonZero(alike) >= _CHANGED_PIXELS
