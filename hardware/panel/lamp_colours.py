"""The light of a seat's lamp: a player's colour, as a lamp of three colours shows it.

A lamp does not mix as paint does: green and blue look alike when dim, orange is a red with a little green. These shades
differ in brightness as well as in hue, so that nobody must tell two of the same brightness apart. Still a colour
says only whose lamp it is, which its place says too; what it means is said by the pattern.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

Light = tuple[float, float, float]
"""Red, green and blue, each from 0 to 1."""

WHITE: Final[Light] = (1.0, 0.85, 0.7)
"""Of a lamp of nobody's colour; a LED's blue and green outshine its red."""

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
    """The light of a colour of dice; white for none and for one that is not known."""
    return LIGHTS.get(colour or "", WHITE)
