"""The two circuits of a button: the filter of its contact, and how a lamp inside it is driven.

The Pi's own pull-up is about 50 kOhm (elinux.org, "RPi Low-level peripherals": 50 to 65 kOhm), so a metre of wire
beside lamp wires picks up glitches. 10 kOhm and 100 nF have a time constant
of 1 ms: a glitch of microseconds is gone, and a press is not delayed, since the contact empties the capacitor at once.

1 kOhm between them and the pin limits what flows through the pin when something is wrong: the wire touches 5V, or is
on a pin that is an output, which the button then shorts to ground. As an input the pin takes next to no current, so its
levels stay as they are.

A ULN2803A has 2.7 kOhm in each input and sinks 250 mA at 2.7 V (Texas Instruments, ULN2803A, "Electrical
Characteristics"); its lamp may have 50 V. LEDs need no flyback diode: they have no coil.
"""

from __future__ import annotations

from typing import Final

from docs.drawings.svg import BLUE, INK, ORANGE, PAPER, RED, SOFT, Drawing
from docs.drawings.wiring import PIN_VOLTS

PULL_UP_OHMS: Final = 10_000
CONTACT_FARADS: Final = 100e-9
SERIES_OHMS: Final = 1_000

TIME_CONSTANT: Final = PULL_UP_OHMS * CONTACT_FARADS
"""Seconds in which the contact's voltage rises to 63 % after it opened."""

_RESISTOR: Final = "#f3e3c0"


def draw() -> Drawing:
    """The filter, and three ways to drive the lamp."""
    sheet = Drawing(
        1000,
        880,
        "A button's contact and its lamp",
        "The contact: 1 kOhm to the pin, 10 kOhm from 3V3 and 100 nF to ground at the Pi. The lamp: a bare LED with "
        "its resistor on the pin, or a lamp of 5 or 12 V through a ULN2803A or a MOSFET, on its own supply, with the "
        "grounds joined.",
    )
    _contact(sheet)
    _lamps(sheet)
    return sheet


def _contact(sheet: Drawing) -> None:
    sheet.text(30, 84, "The contact, one of these for each button", weight="bold")
    y = 220.0
    sheet.box(60, y - 16, 110, 32, "#ffffff", INK)
    sheet.text(115, y + 5, "GPIO pin", anchor="middle", weight="bold")
    sheet.line([(170, y), (700, y)], BLUE, 3)
    sheet.box(188, y - 9, 52, 18, _RESISTOR, INK, 3)
    sheet.text(214, y + 30, "1 kOhm", anchor="middle")
    _resistor(sheet, 260, 128, y, "10 kOhm")
    sheet.text(260, 118, "3V3 (pin 1)", anchor="middle", fill=RED)
    _capacitor(sheet, 400, y, 300, "100 nF")
    _ground(sheet, 400, 300)
    sheet.text(560, y - 12, "up to 2 m of wire", anchor="middle", fill=SOFT)
    sheet.circle(700, y, 4, PAPER, INK)
    sheet.circle(750, y, 4, PAPER, INK)
    sheet.line([(698, y - 14), (752, y - 14)], INK, 2.5)
    sheet.line([(725, y - 14), (725, y - 24)], INK, 2.5)
    sheet.text(725, y - 32, "DUDO", anchor="middle", weight="bold")
    sheet.line([(754, y), (800, y), (800, 300)], INK, 2.5)
    _ground(sheet, 800, 300)
    sheet.texts(
        30,
        352,
        [
            f"All three sit at the Pi. 10 kOhm and 100 nF let no glitch of microseconds through "
            f"({TIME_CONSTANT * 1000:.0f} ms); the Pi's own pull-up does.",
            f"{SERIES_OHMS // 1000} kOhm lets {PIN_VOLTS / SERIES_OHMS * 1000:.1f} mA flow on a wrong pin at most, "
            "which kills nothing. Twist each button's wire with a ground wire.",
        ],
    )


def _lamps(sheet: Drawing) -> None:
    top = 430.0
    sheet.line([(30, top - 22), (970, top - 22)], SOFT, 1)
    sheet.text(30, top + 6, "The lamp in the button, by what it is", weight="bold")
    for x, title, note in (
        (170.0, "a bare LED", "2 to 3 V, no resistor inside"),
        (500.0, "a lamp of 5 V", "arcade button, resistor inside"),
        (830.0, "a lamp of 12 V", "arcade button, resistor inside"),
    ):
        sheet.text(x, top + 36, title, anchor="middle", weight="bold", fill=ORANGE)
        sheet.text(x, top + 56, note, anchor="middle", fill=SOFT, size=14)
    y = top + 260
    _gpio(sheet, 60, y)
    sheet.line([(120, y), (240, y), (240, y + 60)], ORANGE, 3)
    sheet.box(140, y - 8, 60, 16, _RESISTOR, INK, 3)
    sheet.text(170, y + 4.5, "680", size=12, anchor="middle")
    sheet.area([(226, y + 12), (254, y + 12), (240, y + 34)], ORANGE, 1, INK)
    sheet.line([(226, y + 36), (254, y + 36)], INK, 2.5)
    _ground(sheet, 240, y + 60)
    _driven(sheet, 500, y, "5V (pin 2 or 4)", "ULN2803A", "2.7 k inside")
    _driven(sheet, 830, y, "12 V supply", "ULN2803A", "2.7 k inside")
    sheet.texts(
        30,
        y + 110,
        [
            "A ULN2803A drives eight lamps; its pin 10 stays open. A logic-level MOSFET (IRLML6344, AO3400) in "
            "its place: gate to the",
            "GPIO, 10 kOhm from gate to ground, source to ground, drain to the lamp. No flyback diode: a LED has "
            "no coil.",
            "Look at the lamp's print: 5 V lamps take 20 mA, from the Pi's own 5V pins; 12 V lamps have their "
            "own supply, and its ground is",
            "joined to the Pi's. Never connect 5 or 12 V to a GPIO pin.",
        ],
        size=14.5,
    )


def _gpio(sheet: Drawing, x: float, y: float) -> None:
    sheet.box(x, y - 14, 60, 28, "#ffffff", INK)
    sheet.text(x + 30, y + 5, "GPIO", anchor="middle", size=14)


def _driven(sheet: Drawing, x: float, y: float, supply: str, driver: str, inside: str) -> None:
    """A lamp between its supply and a driver, below the lamp's supply at `x`."""
    _gpio(sheet, x - 140, y)
    sheet.line([(x - 80, y), (x - 44, y)], ORANGE, 3)
    sheet.box(x - 44, y - 24, 88, 48, "#dfe7df", INK)
    sheet.text(x, y - 3, driver, anchor="middle", size=13, weight="bold")
    sheet.text(x, y + 15, inside, anchor="middle", size=12, fill=SOFT)
    sheet.line([(x, y - 24), (x, y - 60)], ORANGE, 3)
    sheet.circle(x, y - 82, 22, PAPER, ORANGE)
    sheet.text(x, y - 77, "lamp", anchor="middle", size=13)
    sheet.text(x + 32, y - 90, "+", size=18, weight="bold")
    sheet.line([(x, y - 104), (x, y - 140)], RED, 3)
    sheet.text(x, y - 150, supply, anchor="middle", fill=RED)
    sheet.line([(x, y + 24), (x, y + 60)], INK, 2.5)
    _ground(sheet, x, y + 60)


def _resistor(sheet: Drawing, x: float, top: float, bottom: float, says: str) -> None:
    sheet.line([(x, top), (x, bottom)], INK, 2.5)
    middle = (top + bottom) / 2
    sheet.box(x - 9, middle - 26, 18, 52, _RESISTOR, INK, 3)
    sheet.text(x + 18, middle + 5, says)
    sheet.circle(x, bottom, 4, INK)


def _capacitor(sheet: Drawing, x: float, top: float, bottom: float, says: str) -> None:
    middle = (top + bottom) / 2
    sheet.line([(x, top), (x, middle - 5)], INK, 2.5)
    sheet.line([(x, middle + 5), (x, bottom)], INK, 2.5)
    for y in (middle - 5, middle + 5):
        sheet.line([(x - 20, y), (x + 20, y)], INK, 3)
    sheet.text(x + 30, middle + 5, says)
    sheet.circle(x, top, 4, INK)


def _ground(sheet: Drawing, x: float, y: float) -> None:
    for n, half in enumerate((14, 9, 4)):
        sheet.line([(x - half, y + 6 * n), (x + half, y + 6 * n)], INK, 2.5)
