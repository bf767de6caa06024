"""The settings of a camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PREVIEW_SIZE: Final = 640
"""Pixels of the longer side of a small picture."""


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What the configuration says of a camera. Each takes of it what it can be set to."""

    still: tuple[int, int] | None = None
    """Width, height of the image in pixels; None for what suits the camera."""
    preview: int = PREVIEW_SIZE
    """Pixels of the longer side of the preview, where the camera makes one."""
    mains: int = 50
    """Hertz of the light: 50 or 60."""
    focus: float | None = None
    """Metres from the lens to the table; None for what suits the camera."""
