"""Stands in for a camera when players take the pictures with their phones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Never

from companion.table.state.state import CameraStatus
from hardware.camera.camera_choice import PHONE, PHONE_TAKES
from hardware.camera.protocol import BaseCamera, CameraError


class PhoneCamera(BaseCamera):
    """A camera without frames; pictures come through `companion.camera.photos`."""

    name = PHONE
    sensor = False
    size = 0, 0
    status = CameraStatus(ok=True, name=PHONE, phone=True)

    def __init__(self, tell: Callable[[CameraStatus], None]) -> None:
        """`tell` is called with the status."""
        tell(self.status)

    def frame(self, after: float = 0.0) -> Never:  # noqa: ARG002 - the Protocol's
        """Always raise `CameraError`."""
        raise CameraError(PHONE_TAKES)

    def close(self) -> None:
        """Do nothing, because nothing is open."""
