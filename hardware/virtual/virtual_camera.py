"""A camera whose frames are painted instead of taken."""

from __future__ import annotations

import time
from collections.abc import Callable

from hardware.camera.fixed_rate_camera import FixedRateCamera
from hardware.camera.protocol import CameraError, Image

Painter = Callable[[float], Image]
"""Paints the table at a time in monotonic seconds."""


class VirtualCamera(FixedRateCamera):
    """A camera whose frames `painter` paints."""

    sensor = True

    def __init__(
        self,
        painter: Painter,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        name: str = "virtual table",
    ) -> None:
        """`clock` and `sleep` as for `FixedRateCamera`."""
        super().__init__(clock, sleep)
        self.name = name
        self._painter = painter
        self._closed = False

    def picture(self, at: float) -> Image:
        """The table at the time `at`. Raises `CameraError` if closed."""
        if self._closed:
            raise CameraError(f"The {self.name} is closed.")
        return self._painter(at)

    def close(self) -> None:
        """Stop giving frames."""
        self._closed = True
