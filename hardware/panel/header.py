"""The 40 pins of a Raspberry Pi's header, by their numbers on it, as gpiozero has them for a Pi 4."""

from __future__ import annotations

from typing import Final

from gpiozero.pins.pi import PiBoardInfo

_NAMES: Final = [pin.name for _, pin in sorted(PiBoardInfo.from_revision(0xC03111).headers["J8"].pins.items())]

HEADER: Final[tuple[str | int, ...]] = tuple(
    int(name.removeprefix("GPIO")) if name.startswith("GPIO") else name for name in _NAMES
)
"""The use of pins 1 to 40: a GPIO number (BCM), or the power it carries. Odd pins are on the left."""

GROUNDS: Final = tuple(n for n, what in enumerate(HEADER, 1) if what == "GND")
"""The ground pins."""


def pin_of(gpio: int) -> int:
    """The pin of the header that carries a GPIO number (BCM). Raises `ValueError` when none does."""
    return HEADER.index(gpio) + 1


def place_of(gpio: int) -> str:
    """A GPIO number with its pin, in words."""
    return f"GPIO {gpio}, pin {pin_of(gpio)}"
