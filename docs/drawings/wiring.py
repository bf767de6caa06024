"""The panel's wiring, drawn from a `Wiring`: the drawing shows what the code drives.

Every pin has its own row, so no wire crosses another. A Pi gives 16 mA per pin and 50 mA for all pins together
(Raspberry Pi documentation, "GPIO pads control"; a Pi 5's pins give 12 mA, RP1 Peripherals, "GPIO"). A lamp takes
(3.3 V less the LED's forward voltage) / resistor. Resistors are chosen by the usual forward voltages, and counted by
the lowest ones: 1.6 to 2.0 V for a red LED, 2.5 to 4.0 V for a green or blue one (components101.com, 5 mm LEDs).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from docs.drawings.svg import BLUE, GREEN, INK, ORANGE, PAPER, RED, SOFT, VIOLET, Drawing
from hardware.panel.header import GROUNDS, HEADER, pin_of
from hardware.panel.lamp_patterns import WINK_TIMES
from hardware.panel.wiring import SPI_PINS, DisplayWiring, Wiring

PIN_VOLTS: Final = 3.3
LED_VOLTS: Final = {"red": 2.0, "green": 3.0, "blue": 3.0}
"""The usual forward voltages. A lamp of one colour is counted as red, the worst case."""
LEAST_LED_VOLTS: Final = {"red": 1.6, "green": 2.5, "blue": 2.5}
"""The lowest ones: with these a lamp takes the most."""
LAMP_OHMS: Final = 680
"""The resistor of a lamp of one colour."""
COLOUR_OHMS: Final = {"red": 820, "green": 390, "blue": 390}
"""The resistors of an RGB LED: fewer ohms where the LED leaves less voltage."""
BUZZER_CURRENT: Final = 1.0
"""Milliamperes of a bare piezo disc, on the safe side: 20 nF charged to 3.3 V a thousand times a second take 0.07."""
PIN_MOST: Final = 12.0
ALL_MOST: Final = 50.0
"""Milliamperes."""

EXTRAS: Final = Wiring(status=25, buzzer=18, dial=(20, 16, 12), display=DisplayWiring("max7219"))
"""Pins for everything that can be added to the panel with lamps of one colour. A proposal: the configuration names
none.
"""
SAFE_LAMP: Final = 22
"""The pin that the kernel drives once the machine is off (docs/reference/wiring.md), beside the default wiring."""
COLOURED: Final = Wiring(
    coloured=((5, 6, 13), (19, 26, 21), (20, 16, 12), (7, 8, 25), (22, 10, 9), (4, 14, 15)), status=18, buzzer=11
)
"""Pins for lamps of three colours, which leave room for little else; also a proposal."""


class PartKind(Enum):
    """What is at the end of a wire."""

    BUTTON = auto()
    LAMP = auto()
    BUZZER = auto()
    PLAIN = auto()
    """A contact of a ready-made module."""


@dataclass(frozen=True, slots=True)
class Use:
    """A used pin of the header."""

    pin: int
    kind: PartKind
    says: str
    wire: str
    """Its colour."""
    ohms: int = LAMP_OHMS
    """The resistor of a lamp."""


def panel_uses(wiring: Wiring) -> tuple[Use, ...]:
    """Buttons, their lamps and the seats' lamps."""
    buttons = [Use(pin_of(g), PartKind.BUTTON, f"{name.upper()} button", BLUE) for name, g in wiring.buttons.items()]
    lamps = [Use(pin_of(g), PartKind.LAMP, f"lamp in {name.upper()}", ORANGE) for name, g in wiring.lamps.items()]
    if wiring.coloured:
        seats = [
            Use(pin_of(gpio), PartKind.LAMP, f"seat {seat}, {name}", colour, COLOUR_OHMS[name])
            for seat, lamp in enumerate(wiring.coloured, 1)
            for gpio, (name, colour) in zip(lamp, (("red", RED), ("green", GREEN), ("blue", BLUE)), strict=True)
        ]
    else:
        seats = [Use(pin_of(g), PartKind.LAMP, f"lamp of seat {n}", VIOLET) for n, g in enumerate(wiring.seats, 1)]
    return (*buttons, *lamps, *seats)


def extra_uses(wiring: Wiring) -> tuple[Use, ...]:
    """The other parts of `wiring`. An OLED is not drawn: it has the I2C port to itself."""
    uses: list[Use] = []
    if wiring.status is not None:
        uses.append(Use(pin_of(wiring.status), PartKind.LAMP, "status lamp", ORANGE))
    if wiring.buzzer is not None:
        uses.append(Use(pin_of(wiring.buzzer), PartKind.BUZZER, "buzzer", VIOLET))
    if wiring.dial is not None:
        for name, gpio in zip(("dial, A", "dial, B", "dial, push"), wiring.dial, strict=True):
            uses.append(Use(pin_of(gpio), PartKind.BUTTON, name, BLUE))
    if wiring.display is not None and wiring.display.kind == "max7219":
        select, _, data, clock = SPI_PINS
        for name, gpio in (("DIN", data), ("CLK", clock), ("CS", select)):
            uses.append(Use(pin_of(gpio), PartKind.PLAIN, f"matrix, {name}", GREEN))
        uses.append(Use(20, PartKind.PLAIN, "matrix, GND", INK))
    return tuple(uses)


def current(wiring: Wiring, volts: Mapping[str, float] = LEAST_LED_VOLTS) -> float:
    """Milliamperes from the pins with everything on, for LEDs of these forward voltages."""
    single = len(wiring.lamps) + (wiring.status is not None) + (0 if wiring.coloured else len(wiring.seats))
    coloured = sum(lamp_current(name, ohms, volts) for name, ohms in COLOUR_OHMS.items())
    buzzer = BUZZER_CURRENT if wiring.buzzer is not None else 0.0
    return single * lamp_current("red", LAMP_OHMS, volts) + len(wiring.coloured) * coloured + buzzer


def lamp_current(colour: str, ohms: int, volts: Mapping[str, float] = LEAST_LED_VOLTS) -> float:
    """Milliamperes of one colour of a lamp."""
    return 1000 * (PIN_VOLTS - volts[colour]) / ohms


def draw_panel() -> Drawing:
    """The panel of the default configuration."""
    wiring = Wiring()
    return _draw(
        "The panel: two buttons and a lamp a seat",
        panel_uses(wiring),
        [
            f"Each lamp: a LED with a resistor of {LAMP_OHMS} ohms, long leg to the pin's side. All on: "
            f"{current(wiring):.0f} mA at most (a Pi gives {ALL_MOST:.0f} mA, {PIN_MOST:.0f} mA a pin).",
            "Each button: any push button that closes, with the filter of button.svg at the Pi: 1 kOhm to the pin,",
            "10 kOhm to 3V3, 100 nF to ground.",
            "Seats are counted clockwise. Lamps inside arcade buttons take 5 V or 12 V: button.svg says how they "
            "are driven.",
            "Never connect 5V (pins 2 and 4) to a GPIO pin: it kills the Pi.",
        ],
    )


def draw_extras() -> Drawing:
    """What can be added, without what is on the first drawing."""
    return _draw(
        "What can be added to the panel",
        (*extra_uses(EXTRAS), Use(pin_of(SAFE_LAMP), PartKind.LAMP, "safe to unplug", ORANGE)),
        [
            "All of it is optional, and each part for itself; [panel] in the configuration names the pins.",
            f"Status lamp and safe-to-unplug lamp: a LED with {LAMP_OHMS} ohms each. Buzzer: a passive piezo disc.",
            "Dial: a rotary encoder with a push, bare contacts, each with the filter of button.svg (A and B with "
            "10 nF).",
            "Matrix: four MAX7219 modules. Their VCC is on a 5 V supply of its own, 2 A; its ground is joined to "
            "pin 20.",
            "An OLED (SSD1306, SH1106) goes to pins 1 (3V3), 3 (SDA), 5 (SCL), 9 (GND).",
        ],
    )


def draw_coloured() -> Drawing:
    """Lamps of three colours for the seats."""
    sheet = _draw(
        "The panel with lamps of three colours",
        (*panel_uses(COLOURED), *extra_uses(COLOURED)),
        [
            f"Six RGB LEDs with a common ground. Resistors: red {COLOUR_OHMS['red']} ohms, green "
            f"{COLOUR_OHMS['green']}, "
            f"blue {COLOUR_OHMS['blue']}; a lamp of one colour {LAMP_OHMS}.",
            f"All on: {current(COLOURED):.0f} mA of {ALL_MOST:.0f} mA, for the LEDs that take the most "
            f"({LEAST_LED_VOLTS['red']} and {LEAST_LED_VOLTS['green']} V); usually "
            f"{current(COLOURED, LED_VOLTS):.0f} mA.",
            "They shine in the colours of the players' dice; black is white that winks: dark for "
            f"{WINK_TIMES[1]:.2f} s every {sum(WINK_TIMES):.1f} s.",
            "They take nearly every pin: no dial, no matrix; an OLED still fits.",
        ],
    )
    _wink(sheet, 770.0, sheet.height - 42)
    return sheet


def _wink(sheet: Drawing, x: float, y: float) -> None:
    """The light of black dice over two winks."""
    lit, dark = (30 * seconds for seconds in WINK_TIMES)
    sheet.box(x - 6, y - 6, 2 * (lit + dark) + 12, 26, INK, INK, 3)
    for n in range(2):
        sheet.box(x + n * (lit + dark), y, lit, 14, PAPER, PAPER, 0)
    sheet.text(x + 2 * (lit + dark) + 14, y + 13, "black", size=14, weight="bold")


_WIRES: Final = {
    INK: "black: ground",
    BLUE: "blue: contacts, and blue light",
    ORANGE: "orange: lamps",
    VIOLET: "violet: the seats, the buzzer",
    RED: "red: power, and red light",
    GREEN: "green: data, and green light",
}
"""What the colours of the wires mean."""

_TOP, _STEP = 112.0, 34.0
_CENTRE = 500.0


def _row(pin: int) -> float:
    return _TOP + (pin - 1) // 2 * _STEP


def _side(pin: int) -> int:
    """-1 for the left pins, which are odd, 1 for the right ones."""
    return 1 if pin % 2 == 0 else -1


def _draw(title: str, uses: Sequence[Use], notes: Sequence[str]) -> Drawing:
    said = "; ".join(f"{use.says} on pin {use.pin} ({_name(use.pin)})" for use in sorted(uses, key=lambda u: u.pin))
    sheet = Drawing(1000, _TOP + 20 * _STEP + 88 + 21 * len(notes), title, said)
    sheet.text(30, 68, "The header of a Raspberry Pi seen from above, the USB sockets at the bottom", fill=SOFT)
    used = {use.pin: use for use in uses}
    grounds = [_rail(sheet, [use for use in uses if _side(use.pin) == side], side) for side in (-1, 1)]
    for use in uses:
        _wire(sheet, use)
    _header(sheet, set(used), {pin for pin in grounds if pin is not None})
    _legend(sheet, uses, _TOP + 20 * _STEP + 24)
    sheet.texts(30, _TOP + 20 * _STEP + 80, notes, size=14.5)
    return sheet


def _legend(sheet: Drawing, uses: Sequence[Use], y: float) -> None:
    """The colours that occur."""
    shown = {INK, *(use.wire for use in uses)}
    for n, (colour, said) in enumerate(each for each in _WIRES.items() if each[0] in shown):
        x, row = 30 + n % 3 * 310, y + n // 3 * 22
        sheet.line([(x, row - 5), (x + 34, row - 5)], colour, 4)
        sheet.text(x + 42, row, said, size=14, fill=SOFT)


def _name(pin: int) -> str:
    what = HEADER[pin - 1]
    return what if isinstance(what, str) else f"GPIO {what}"


def _header(sheet: Drawing, used: set[int], grounds: set[int]) -> None:
    sheet.box(_CENTRE - 40, _TOP - 22, 80, 20 * _STEP + 10, "#2d3a33", INK, 6)
    for pin in range(1, 41):
        side, y = _side(pin), _row(pin)
        x = _CENTRE + side * 18
        live = pin in used or pin in grounds
        fill = "#e9c46a" if live else "#8d948f"
        sheet.box(x - 12, y - 12, 24, 24, fill, INK, 2 if pin != 1 else 0)
        sheet.text(x, y + 5, str(pin), size=13, anchor="middle", weight="bold" if live else "normal")
        left = _CENTRE + (48 if side > 0 else -48 - 76)
        if live:
            sheet.box(left, y - 12, 76, 24, "#ffffff", INK, 4)
        sheet.text(left + 38, y + 5, _name(pin), size=14, anchor="middle", fill=INK if live else "#6f757b",
                   weight="bold" if live else "normal")  # fmt: skip


_CHIP = 48 + 76
_RAIL = 300.0
"""From the middle to the vertical ground wire."""


def _rail(sheet: Drawing, uses: Sequence[Use], side: int) -> int | None:
    """The ground wire along one side's parts, to the nearest ground pin on that side."""
    rows = [_row(use.pin) for use in uses if use.kind is not PartKind.PLAIN]
    if not rows:
        return None
    taken = {use.pin for use in uses}
    ours = [pin for pin in GROUNDS if _side(pin) == side and pin not in taken]
    pin = min(ours, key=lambda p: (max(rows[0] - _row(p), 0) + max(_row(p) - max(rows), 0), p))
    x = _CENTRE + side * _RAIL
    sheet.line([(x, min(*rows, _row(pin))), (x, max(*rows, _row(pin)))], INK, 2.5)
    sheet.line([(x, _row(pin)), (_CENTRE + side * _CHIP, _row(pin))], INK, 2.5)
    sheet.text(x + side * 12, _row(pin) + 5, "ground", anchor=_outwards(side), fill=SOFT)
    return pin


def _outwards(side: int) -> str:
    return "start" if side > 0 else "end"


def _wire(sheet: Drawing, use: Use) -> None:
    side, y = _side(use.pin), _row(use.pin)

    def at(offset: float) -> float:
        return _CENTRE + side * offset

    if use.kind is PartKind.PLAIN:
        sheet.line([(at(_CHIP), y), (at(152), y)], use.wire, 3)
        sheet.circle(at(158), y, 6, PAPER, use.wire)
        sheet.text(at(172), y + 5, use.says, anchor=_outwards(side), weight="bold")
        return
    sheet.line([(at(_CHIP), y), (at(_RAIL), y)], use.wire, 3)
    sheet.line([(at(_RAIL - 26), y), (at(_RAIL), y)], INK, 2.5)
    sheet.circle(at(_RAIL), y, 3.5, INK)
    if use.kind is PartKind.LAMP:
        sheet.box(min(at(150), at(200)), y - 7, 50, 14, "#f3e3c0", INK, 3)
        sheet.text(at(175), y + 4.5, str(use.ohms), size=12, anchor="middle")
        sheet.area([(at(236), y - 10), (at(236), y + 10), (at(256), y)], use.wire, 1, INK)
        sheet.line([(at(256), y - 10), (at(256), y + 10)], INK, 2.5)
    elif use.kind is PartKind.BUTTON:
        sheet.box(min(at(150), at(200)), y - 8, 50, 16, "#dfe7df", INK, 3)
        sheet.text(at(175), y + 4.5, "filter", size=12, anchor="middle")
        sheet.line([(at(216), y), (at(254), y)], PAPER, 6)
        sheet.circle(at(216), y, 4, PAPER, INK)
        sheet.circle(at(254), y, 4, PAPER, INK)
        sheet.line([(at(214), y - 11), (at(256), y - 11)], INK, 2.5)
        sheet.line([(at(235), y - 11), (at(235), y - 16)], INK, 2.5)
    else:
        sheet.circle(at(244), y, 13, "#f3e3c0", INK)
        sheet.circle(at(244), y, 3, INK)
    sheet.text(at(_RAIL + 14), y + 5, use.says, anchor=_outwards(side), weight="bold")
