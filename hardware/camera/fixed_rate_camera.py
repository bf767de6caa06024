"""A camera whose pictures are made by the program, at a fixed rate."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

from hardware.camera.protocol import BaseCamera, Frame, Image

FRAME_RATE: Final = 10.0
"""Frames per second."""


class FixedRateCamera(BaseCamera, ABC):
    """Gives `FRAME_RATE` pictures a second. Safe to use from several threads."""

    def __init__(self, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        """`clock` returns monotonic seconds, `sleep` waits for seconds."""
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._next_at = float("-inf")
        self.size = (0, 0)

    def frame(self, after: float = 0.0) -> Frame:
        """Return the next picture, as if exposed now. Waits for its turn, and until `after` (monotonic seconds).

        Raises `CameraError`.
        """
        with self._lock:
            wait = max(self._next_at, after) - self._clock()
            if wait > 0:
                self._sleep(wait)
            at = max(self._clock(), after)
            image = self.picture(at)
            self._next_at = at + 1 / FRAME_RATE
            self.size = image.shape[1], image.shape[0]
            return Frame(image, at)

    @abstractmethod
    def picture(self, at: float) -> Image:
        """The picture at the time `at`, in monotonic seconds. Raises `CameraError`."""
