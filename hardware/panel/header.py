"""The 40 pins of a Raspberry Pi's header, by their numbers on it.

From the Raspberry Pi documentation, "GPIO and the 40-pin header"; Zephyr's devicetree binding
`raspberrypi-40pins-header` has the same table.
"""

from __future__ import annotations

from typing import Final

HEADER: Final[tuple[str | int, ...]] = (
    "3V3", "5V",
    2, "5V",
    3, "GND",
    4, 14,
    "GND", 15,
    17, 18,
    27, "GND",
    22, 23,
    "3V3", 24,
    10, "GND",
    9, 25,
    11, 8,
    "GND", 7,
    0, 1,
    5, "GND",
    6, 12,
    13, "GND",
    19, 16,
    26, 20,
    "GND", 21,
)  # fmt: skip
"""What pin 1, pin 2 ... pin 40 is: a GPIO number (BCM), or the power it carries. Odd pins are on the left."""

GROUNDS: Final = tuple(n for n, what in enumerate(HEADER, 1) if what == "GND")
"""The pins of ground."""


def pin_of(gpio: int) -> int:
    """The pin of the header that carries a GPIO number (BCM). Raises `ValueError` when none does."""
    return HEADER.index(gpio) + 1
