"""The colours a die's body can have, and what each looks like under neutral light."""

from __future__ import annotations

from typing import Final

COLOURS: Final = ("red", "orange", "yellow", "green", "blue", "purple", "black", "white")
"""The colours that a reading may name. The first six come in a Perudo box."""

SEAT_COLOURS: Final = COLOURS[:6]
"""The colours offered to players first, in the order of the seats."""

SRGB: Final[dict[str, tuple[int, int, int]]] = {
    "red": (190, 28, 34),
    "orange": (235, 110, 20),
    "yellow": (242, 200, 30),
    "green": (22, 120, 52),
    "blue": (24, 70, 170),
    "purple": (100, 40, 130),
    "black": (28, 28, 30),
    "white": (238, 236, 226),
}
"""A typical body in 8-bit sRGB, red first: used for drawing, and before a table's own palette is known."""
