"""The settings of a camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PREVIEW_SIZE: Final = 640
"""Pixels of the longer side of a small picture."""


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The camera's part of the configuration. A camera uses the settings that it has."""

    still: tuple[int, int] | None = None
    """Width and height of the image in pixels; None for what suits the camera."""
    preview: int = PREVIEW_SIZE
    """Pixels of the longer side of the preview, if the camera makes one."""
    mains: int = 50
    """The frequency of the mains in hertz: 50 or 60."""
    focus: float | None = None
    """Metres from the lens to the table; None for what suits the camera."""
