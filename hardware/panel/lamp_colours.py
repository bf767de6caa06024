"""The players' colours, as a lamp of three colours shows them.

The shades differ in brightness as well as in hue, for players who do not see the hue. A colour says only whose lamp it
is, which its place says too; the pattern says what it means.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

Light = tuple[float, float, float]
"""Red, green and blue, each from 0 to 1."""

WHITE: Final[Light] = (1.0, 0.85, 0.7)
"""For a lamp of no player's colour. An LED's blue and green outshine its red."""

LIGHTS: Final[Mapping[str, Light]] = MappingProxyType(
    {
        "red": (1.0, 0.0, 0.0),
        "orange": (1.0, 0.28, 0.0),
        "yellow": (1.0, 0.72, 0.0),
        "green": (0.0, 0.5, 0.04),
        "blue": (0.0, 0.05, 0.7),
        "purple": (0.4, 0.0, 0.9),
        "black": (0.05, 0.05, 0.08),  # nothing shines black: hardly lit, and cold
        "white": (1.0, 0.9, 0.85),
    }
)
"""By the names of `calibration.palette.COLOURS`."""


def light(colour: str | None) -> Light:
    """The light of a player's colour; white for none and for an unknown one."""
    return LIGHTS.get(colour or "", WHITE)
