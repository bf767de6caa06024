"""A camera whose frames are painted instead of taken."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from hardware.camera.protocol import UNKNOWN_SIZES, CameraError, FixedExposure, Frame, FrameSizes, Image

VIRTUAL_RATE: Final = 10.0
"""Frames a second."""

Painter = Callable[[float], Image]
"""Paints the table as it looks at a moment, in monotonic seconds."""


class VirtualCamera(FixedExposure):
    """Gives what `painter` paints. Safe to use from several threads."""

    def __init__(
        self,
        painter: Painter,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        name: str = "virtual table",
    ) -> None:
        """`clock` gives monotonic seconds, `sleep` waits for seconds."""
        self._painter = painter
        self._clock = clock
        self._sleep = sleep
        self._name = name
        self._lock = threading.Lock()
        self._last = float("-inf")
        self._closed = False
        self._sizes = UNKNOWN_SIZES

    @property
    def name(self) -> str:
        """What to call this camera in a sentence to the players."""
        return self._name

    @property
    def sensor(self) -> bool:
        """As `hardware.camera.protocol.Camera.sensor`."""
        return True

    def frame(self, after: float = 0.0) -> Frame:
        """The next frame, painted as of now, which is after `after` (monotonic seconds).

        Waits when asked more than ten times a second. Raises `CameraError` when closed.
        """
        with self._lock:
            if self._closed:
                raise CameraError(f"The {self._name} is closed.")
            wait = self._last + 1 / VIRTUAL_RATE - self._clock()
            if wait > 0:
                self._sleep(wait)
            at = max(self._clock(), after)
            self._last = at
            image = self._painter(at)
            self._sizes = FrameSizes.of(image.shape[1], image.shape[0])
            return Frame(image, at)

    @property
    def sizes(self) -> FrameSizes:
        """How large the image and the preview of its frames are; unknown before the first."""
        return self._sizes

    def close(self) -> None:
        """No more frames."""
        self._closed = True
