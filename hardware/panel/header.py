"""The 40 pins of a Raspberry Pi's header by number, as gpiozero lists them for a Pi 4."""

from __future__ import annotations

from typing import Final

from gpiozero.pins.pi import PiBoardInfo

_NAMES: Final = [pin.name for _, pin in sorted(PiBoardInfo.from_revision(0xC03111).headers["J8"].pins.items())]

HEADER: Final[tuple[str | int, ...]] = tuple(
    int(name.removeprefix("GPIO")) if name.startswith("GPIO") else name for name in _NAMES
)
"""The function of pins 1 to 40: a GPIO number (BCM), or a power line. Odd pins are on the left."""

GROUNDS: Final = tuple(n for n, what in enumerate(HEADER, 1) if what == "GND")
"""The ground pins."""


def pin_of(gpio: int) -> int:
    """The header pin of a GPIO number (BCM). Raises `ValueError` if there is none."""
    return HEADER.index(gpio) + 1


def place_of(gpio: int) -> str:
    """A GPIO number and its pin, in words."""
    return f"GPIO {gpio}, pin {pin_of(gpio)}"
