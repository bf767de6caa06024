"""Which part is on which pin, by GPIO number (BCM), and which key of which device is which button."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

DIAL: Final = "dial"
"""The name of the dial's push among the buttons."""

BOTH: Final = "both"
"""The name of DUDO and CALZA held together."""

BUTTONS: Final = ("dudo", "calza")
"""The buttons of a panel."""

SEATS: Final = 8
"""The most seats with lamps, numbered clockwise from 0."""
COLOURED_SEATS: Final = 6
"""The most seats with three-coloured lamps: there are no pins for more."""

SPI_PINS: Final = (8, 9, 10, 11)
"""Select, data in, data out and clock of the header's first SPI port, which the kernel claims as a whole."""

I2C_PINS: Final = (2, 3)
"""Data and clock of the header's I2C port."""

DISPLAYS: Final[Mapping[str, tuple[int, ...]]] = {
    "max7219": (7, *SPI_PINS),
    "ssd1306": I2C_PINS,
    "sh1106": I2C_PINS,
}
"""Display -> its pins: a row of 8 x 8 matrices on the SPI port, with its second select pin, and OLEDs of 128 x 64 dots
on the I2C port."""


@dataclass(frozen=True, slots=True)
class DisplayWiring:
    """The display of a panel."""

    kind: str
    """One of `DISPLAYS`."""
    modules: int = 4
    """The number of 8 x 8 matrices in the row."""
    turn: int = -90
    """Rotation of each matrix in its module, in degrees: 0, 90, -90 or 180."""
    address: int = 0x3C
    """The OLED's address on the I2C port."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """The wiring of a panel. Buttons close to ground; lamps light when their pin is high."""

    buttons: Mapping[str, int] = field(default_factory=lambda: {"dudo": 17, "calza": 27})
    lamps: Mapping[str, int] = field(default_factory=lambda: {"dudo": 23, "calza": 24})
    """The lamps in the buttons."""
    seats: tuple[int, ...] = (5, 6, 13, 19, 26, 21)
    """The pin of each seat's lamp, clockwise; ignored if there are `coloured` ones."""
    coloured: tuple[tuple[int, int, int], ...] = ()
    """The red, green and blue pins of each seat's lamp, clockwise."""
    anode: bool = False
    """The coloured lamps have a common anode, so they light when their pins are low."""
    status: int | None = None
    """The status lamp."""
    buzzer: int | None = None
    tones: bool = True
    """The buzzer is passive and plays tones; an active one only beeps."""
    dial: tuple[int, int, int] | None = None
    """The rotary encoder: contacts A and B, and its push."""
    display: DisplayWiring | None = None


class Key(NamedTuple):
    """A key of a keyboard, or of a button, encoder or pedal that acts as one."""

    name: str
    """Linux's name, such as KEY_ENTER or BTN_TRIGGER."""
    device: str
    """A link in /dev/input/by-id or by-path, a device's own name, or its Bluetooth address."""

    def __str__(self) -> str:
        return f"{self.name} on {self.device}"
