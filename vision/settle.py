"""Have the dice settled? A cheap check on small grey frames, so that nothing is read while anything moves.

The frame is compared with the one before and with the oldest one of the quiet time: the first finds a moving hand, the
second finds what creeps. What counts as a change is measured against the camera's own noise, which is estimated from
the frames themselves, so that a dim room is not taken for a moving one.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Stillness

_WIDTH: Final = 240
"""Frames are compared at this width; a die of 1/60 of the picture is then still 4 pixels."""
_FLOOR: Final = 4.0
"""Grey levels that never count as a change."""
_NOISES: Final = 6.0
"""A pixel has changed when it differs by so many times the noise."""
_PIXELS: Final = 5
"""Fewer changed pixels than this are a glint, not a thing."""

Grey = npt.NDArray[np.float32]


class Settle:
    """Watches frames and says when they are worth reading.

    still_for: seconds that nothing may have moved.
    """

    def __init__(self, still_for: float = 0.4) -> None:
        self.still_for = still_for
        self._before: Grey | None = None
        self._quiet: Grey | None = None
        self._since = 0.0

    def reset(self) -> None:
        """Forget every frame."""
        self._before = self._quiet = None

    def see(self, image: npt.NDArray[np.uint8], at: float) -> Stillness:
        """Look at the next frame (height x width x 3, BGR), taken at `at` seconds on any clock that only rises."""
        height = max(1, round(image.shape[0] * _WIDTH / image.shape[1]))
        small = cv2.resize(image, (_WIDTH, height), interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
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


def _moved(one: Grey, other: Grey) -> bool:
    """Whether anything but noise and the lamp's flicker differs between two grey frames."""
    change = other - one
    change = np.abs(change - np.median(change))  # a lamp or the exposure changes the whole frame alike
    noise = float(np.median(change)) * 1.4826
    return int((change > max(_FLOOR, _NOISES * noise)).sum()) >= _PIXELS
