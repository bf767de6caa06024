"""The colours a die's body can have, and what each looks like under neutral light."""

from __future__ import annotations

from typing import Final

COLOURS: Final = ("red", "orange", "yellow", "green", "blue", "purple", "black", "white")
"""Every colour a reading may name. The first six are those of a Perudo box."""

SEAT_COLOURS: Final = COLOURS[:6]
"""What players are offered first, in the order of the seats."""

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
"""8-bit sRGB of a typical body, red first. For drawing and as the start of a table's own palette."""
