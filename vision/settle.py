"""Have the dice settled? A cheap check on small grey frames, so that nothing is read while anything moves.

Only fine detail is compared: an edge that moves is a thing that moves, while soft shadows, a flickering lamp and the
camera's own exposure pass. The frame is held against the one before, which finds a moving hand, and against the first
one of the quiet time, which finds what creeps. A mast that shakes moves the whole picture alike: frames are laid over
one another first, by phase correlation (Kuglin and Hines 1975). What counts as a change is measured against the
camera's own noise, so that a dim room is not taken for a moving one.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Stillness

_WIDTH: Final = 240
"""Frames are compared at this width; a die of 1/60 of the picture is then still 4 pixels."""
_DETAIL: Final = 13
"""Pixels: what is smoother than this is light, not things."""
_FLOOR: Final = 10.0
"""Grey levels of detail that never count as a change."""
_NOISES: Final = 7.0
"""A pixel has changed when it differs by so many times the noise."""
_PIXELS: Final = 6
"""Fewer changed pixels than this are a glint, not a thing."""
_SHAKE: Final = 2.5
"""Pixels the whole picture may have moved; more is no shake but a camera that was pushed."""

Grey = npt.NDArray[np.float32]


class Settle:
    """Watches frames and says when they are worth reading.

    still_for: seconds that nothing may have moved.
    """

    def __init__(self, still_for: float = 0.3) -> None:
        self.still_for = still_for
        self._before: Grey | None = None
        self._quiet: Grey | None = None
        self._since = 0.0

    def reset(self) -> None:
        """Forget every frame."""
        self._before = self._quiet = None

    def see(self, image: npt.NDArray[np.uint8], at: float) -> Stillness:
        """Look at the next frame (height x width x 3, BGR), taken at `at` seconds on any clock that only rises."""
        grey = _detail(image)
        before, quiet = self._before, self._quiet
        self._before = grey
        if before is None or quiet is None or before.shape != grey.shape or quiet.shape != grey.shape:
            self._quiet, self._since = grey, at
            return Stillness.WAITING
        if _moved(before, grey) or _moved(quiet, grey):
            self._quiet, self._since = grey, at
            return Stillness.MOVING
        if at - self._since >= self.still_for:
            return Stillness.STILL
        return Stillness.WAITING


def _detail(image: npt.NDArray[np.uint8]) -> Grey:
    """The frame small, grey and without everything smooth."""
    height = max(1, round(image.shape[0] * _WIDTH / image.shape[1]))
    small = cv2.resize(image, (_WIDTH, height), interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 0.8)
    return np.asarray(grey - cv2.blur(grey, (_DETAIL, _DETAIL)), dtype=np.float32)


def _moved(one: Grey, other: Grey) -> bool:
    """Whether anything but noise, light and the shaking of the camera differs between two frames."""
    if not _changed(one, other):
        return False
    (dx, dy), _ = cv2.phaseCorrelate(one, other)
    if not (abs(dx) <= _SHAKE and abs(dy) <= _SHAKE):  # also when they are no numbers
        return True
    height, width = one.shape
    laid_over = cv2.warpAffine(one, np.array([[1, 0, dx], [0, 1, dy]], np.float32), (width, height))
    edge = int(_SHAKE) + 2
    inner = (slice(edge, max(edge + 1, height - edge)), slice(edge, width - edge))
    return _changed(np.asarray(laid_over, np.float32)[inner], other[inner])


def _changed(one: Grey, other: Grey) -> bool:
    change = np.abs(other - one)
    noise = float(np.median(change)) * 1.4826
    return int((change > max(_FLOOR, _NOISES * noise)).sum()) >= _PIXELS
