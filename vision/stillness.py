"""Have the dice settled? A cheap check on small frames, so that nothing is read while anything moves.

Only fine detail is compared, of brightness and of colour: an edge that moves is a thing that moves, while soft shadows,
a flickering lamp and the camera's own exposure pass. The frame is held against the one before, which finds a moving
hand, and against the first one of the quiet time, which finds what creeps. A mast that shakes moves the whole picture
alike: frames are laid over one another first, by phase correlation (Kuglin and Hines 1975). What counts as a change is
measured against the camera's own noise, so that a dim room is not taken for a moving one.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Stillness

_PLENTY: Final = 480 * 270
"""Frames are compared at this many pixels, whatever their shape; a die of 1/90 of their width is then still 5 wide."""
_DETAIL: Final = 27
"""Pixels: what is smoother than this is light, not things."""
_FLOOR: Final = 10.0
"""Levels of detail that never count as a change."""
_CEILING: Final = 25.0
"""Levels of detail that always do, light apart: more than half of a pattern that moves changes, and is no noise."""
_LIGHT: Final = 0.15
"""Of the detail: a lamp that dims or brightens by so much makes no change of it."""
_NOISES: Final = 7.0
"""A pixel has changed when it differs by so many times the noise."""
_PIXELS: Final = 6
"""Fewer changed pixels than this are a glint, not a thing."""
_SHAKE: Final = 5.0
"""Pixels the whole picture may have moved; more is no shake but a camera that was pushed."""

Detail = npt.NDArray[np.float32]
"""Height x width x 3: brightness and two of colour, without what is smooth."""


class Settle:
    """Watches frames and says when they are worth reading.

    still_for: seconds that nothing may have moved.
    """

    def __init__(self, still_for: float = 0.3) -> None:
        self.still_for = still_for
        self._before: Detail | None = None
        self._quiet: Detail | None = None
        self._at = self._since = 0.0

    def reset(self) -> None:
        """Forget every frame."""
        self._before = self._quiet = None

    def see(self, image: npt.NDArray[np.uint8], at: float) -> Stillness:
        """Look at the next frame (height x width x 3, BGR), taken at `at` seconds on any clock that only rises."""
        detail = _detail(image)
        before, quiet = self._before, self._quiet
        seen = self._at
        self._before, self._at = detail, at
        if before is None or quiet is None or before.shape != detail.shape or quiet.shape != detail.shape:
            self._quiet, self._since = detail, at
            return Stillness.WAITING
        if _moved(before, detail):
            self._quiet, self._since = detail, at
            return Stillness.MOVING
        if _moved(quiet, detail):
            self._quiet, self._since = before, seen  # from there on nothing has moved as yet
            return Stillness.MOVING
        if at - self._since >= self.still_for:
            return Stillness.STILL
        return Stillness.WAITING


def _detail(image: npt.NDArray[np.uint8]) -> Detail:
    """The frame small and without everything smooth."""
    small: npt.NDArray[np.uint8] = image
    while small.shape[0] * small.shape[1] >= 4 * _PLENTY:  # halving is many times faster than other ways to shrink
        half = (max(1, small.shape[1] // 2), max(1, small.shape[0] // 2))
        small = np.asarray(cv2.resize(small, half, interpolation=cv2.INTER_AREA))
    scale = float(np.sqrt(_PLENTY / (small.shape[0] * small.shape[1])))
    size = (max(1, round(small.shape[1] * scale)), max(1, round(small.shape[0] * scale)))
    # less than twice as large now: between four pixels hardly one is left out, and it is four times as fast as areas
    small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR))
    bands = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2YCrCb).astype(np.float32), (5, 5), 0.8)
    return np.asarray(bands - cv2.blur(bands, (_DETAIL, _DETAIL)), dtype=np.float32)


def _moved(one: Detail, other: Detail) -> bool:
    """Whether anything but noise, light and the shaking of the camera differs between two frames."""
    if not _changed(one, other):
        return False
    (dx, dy), _ = cv2.phaseCorrelate(cv2.extractChannel(one, 0), cv2.extractChannel(other, 0))
    if not (abs(dx) <= _SHAKE and abs(dy) <= _SHAKE):  # also when they are no numbers
        return True
    height, width = one.shape[:2]
    edge = int(_SHAKE) + 2
    if min(height, width) <= 2 * edge:
        return True  # too little of it to lay one over the other
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    laid_over = cv2.warpAffine(one, move, (width, height), flags=cv2.INTER_CUBIC)  # linear would blur sharp edges
    inner = (slice(edge, height - edge), slice(edge, width - edge))
    return _changed(np.asarray(laid_over, np.float32)[inner], other[inner])


def _changed(one: Detail, other: Detail) -> bool:
    change = cv2.absdiff(one, other)
    some = change[::4, ::4].reshape(-1, 3)
    nth = len(some) // 4
    noise = np.partition(some, nth, axis=0)[nth] / 0.3186  # a quarter of what is normally spread lies that near to 0
    limit = np.clip(_NOISES * noise, _FLOOR, _CEILING).astype(np.float64)
    alike = cv2.inRange(change - _LIGHT * np.abs(other), np.full(3, -np.inf), limit)
    return alike.size - cv2.countNonZero(alike) >= _PIXELS
