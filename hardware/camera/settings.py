"""The settings of a camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PREVIEW_SIZE: Final = 640
"""Longer side of a small picture in pixels."""


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The camera's section of the configuration. A camera ignores settings that it does not have."""

    still: tuple[int, int] | None = None
    """Width and height of the image in pixels; None lets the camera choose."""
    preview: int = PREVIEW_SIZE
    """Longer side of the preview in pixels, if the camera makes one."""
    mains: int = 50
    """Frequency of the mains in hertz: 50 or 60."""
    focus: float | None = None
    """Distance from the lens to the table in metres; None lets the camera choose."""
