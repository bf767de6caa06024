"""Detects dead frames of a camera: black ones, and ones that repeat to the last bit."""

from __future__ import annotations

from typing import Final

import numpy as np

from companion.messages.message import Message
from hardware.camera.protocol import Frame, Image

BLACK_FOR: Final = 1.0
"""Seconds of black pictures that count as a fault; switching a lamp takes less."""
FROZEN_FOR: Final = 1.5
"""Seconds of an unchanging picture that count as a fault: a sensor's noise makes every picture different."""
_DARK: Final = 16
"""Values above this, of 255, are bright."""
_BRIGHT: Final = 0.01
"""The share of bright values in a black picture: sensors have hot pixels."""
_EVERY: Final = 4
"""Only every fourth row and column is examined, every second one of a preview."""

BLACK_PICTURE: Final = Message("The camera's picture is black: is its cap on, or the light off?")
FROZEN_PICTURE: Final = Message("The camera gives the same picture over and over: it hangs.")


class DeadFrameDetector:
    """Watches the frames of one camera."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._same_since = 0.0
        self._black_since: float | None = None

    def see(self, frame: Frame) -> str | None:
        """Add the next frame. Returns a sentence about a fault that has lasted, else None."""
        if frame.preview is not None:
            small = np.ascontiguousarray(frame.preview[:: _EVERY // 2, :: _EVERY // 2])
        else:
            small = np.ascontiguousarray(frame.image[::_EVERY, ::_EVERY])
        if (
            not frame.noise
            or self._last is None
            or small.shape != self._last.shape
            or not np.array_equal(small, self._last)
        ):
            self._same_since = frame.at
        self._last = small
        if np.count_nonzero(small > _DARK) > _BRIGHT * small.size:
            self._black_since = None
        elif self._black_since is None:
            self._black_since = frame.at
        if self._black_since is not None and frame.at - self._black_since >= BLACK_FOR:
            return BLACK_PICTURE
        return FROZEN_PICTURE if frame.at - self._same_since >= FROZEN_FOR else None
