"""A fake camera whose driver never returns."""

from __future__ import annotations

import threading
from typing import NoReturn

from hardware.camera.protocol import BaseCamera


class HangingCamera(BaseCamera):
    """A fake camera that opens, and hangs at its first frame and when it is closed."""

    name = "a hanging camera"
    sensor = True
    size = (0, 0)

    def frame(self, after: float = 0.0) -> NoReturn:
        """Never returns."""
        self.close()

    def close(self) -> NoReturn:
        """Never returns."""
        while True:
            threading.Event().wait()
