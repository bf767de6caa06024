"""Every key of the configuration: its default, what it may be, and what the file that is written says of it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from companion.config.sections import AccessConfig, CameraConfig, PanelConfig, TableConfig, WebConfig
from companion.engine import DEFAULT_RULESET, RULESETS, BadRecordError, house_rules
from companion.engine.rules_in_words import describe, in_words
from hardware.camera.exposure import MAINS
from hardware.panel.wiring import DISPLAYS

LAST_PIN: Final = 27
"""GPIO numbers (BCM) of the 40-pin header go from 2 to this; 0 and 1 are kept for the memory of add-on boards."""

MOST_SEATS: Final = 6

_NAMED: Final = ("dudo", "calza", "dudo_lamp", "calza_lamp", "seats", "seats_rgb", "status", "buzzer", "dial")


def pins_of(panel: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Every pin that a panel takes, with the key that says so. `panel` has the values of `[panel]` by their names."""
    pins: list[tuple[int, str]] = []
    for name in _NAMED:
        value = panel[name]
        if value is None or (name == "seats" and panel["seats_rgb"]):
            continue
        pins += [(pin, name) for pin in (value if isinstance(value, tuple) else (value,))]
    return pins + [(pin, "display") for pin in DISPLAYS.get(panel["display"], ())]


MOST_MEGABYTES: Final = 1_000_000

LEAST_STILL, MOST_STILL = 240, 9152
"""Pixels of a side of the still: no die can be read in fewer, and no camera gives more."""


class Key(NamedTuple):
    """One key of the file."""

    name: str
    default: Any
    read: Callable[[object], Any]
    """The value from TOML's. Raises `NotAnOptionError`, or a `ValueError` with a sentence, both without a full stop."""
    note: str
    """What it is for: the lines of the comment above it."""
    example: str = ""
    """What to show, commented out, where there is no default to write down."""


class NotAnOptionError(ValueError):
    """A value that a key cannot have; the message goes on after the key's name."""

    def __init__(self, may_be: str, value: object) -> None:
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
        super().__init__(f"{may_be}, not {shown if len(shown) <= 60 else shown[:57] + '...'}")


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise NotAnOptionError("is true or false", value)
    return value


def _host(value: object) -> str:
    if not isinstance(value, str) or not value or " " in value or not value.isprintable():
        raise NotAnOptionError('is an address in quotation marks, as "0.0.0.0" or "127.0.0.1"', value)
    return value


def _port(value: object) -> int:
    if type(value) is not int or not 0 <= value <= 65535:
        raise NotAnOptionError("is a whole number from 0 to 65535", value)
    return value


def _code(value: object) -> str:
    if value != "random" and not (isinstance(value, str) and re.fullmatch(r"[0-9]{4}", value)):
        raise NotAnOptionError('is "random", or four digits in quotation marks, as "0271"', value)
    return str(value)


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise NotAnOptionError("is a number of seconds, none or more", value)
    return float(value)


def _megabytes(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MOST_MEGABYTES:
        raise NotAnOptionError(f"is a whole number of megabytes from 0 to {MOST_MEGABYTES}", value)
    return value


def _ruleset(value: object) -> str:
    return str(_as_engine_says("ruleset", value))


def _lost_dice(value: object) -> str:
    if value not in ("open", "hidden"):
        raise NotAnOptionError('is "open" or "hidden"', value)
    return str(value)


def _camera(value: object) -> str:
    from hardware.camera.choose import UnknownCameraError, read_name  # noqa: PLC0415 - brings numpy

    if not isinstance(value, str):
        raise NotAnOptionError("is the name of a camera in quotation marks", value)
    try:
        read_name(value)
    except UnknownCameraError as error:
        raise ValueError(str(error).removesuffix(".")) from error
    return value


def _size(value: object) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2 or any(type(side) is not int for side in value):
        raise NotAnOptionError("is a width and a height in pixels, as [2304, 1296]", value)
    width, height = value
    if min(value) < LEAST_STILL or max(value) > MOST_STILL:
        raise NotAnOptionError(f"has a width and a height from {LEAST_STILL} to {MOST_STILL} pixels", value)
    return width, height


def _preview(value: object) -> int:
    if type(value) is not int or not 320 <= value <= 1280:
        raise NotAnOptionError("is a whole number of pixels from 320 to 1280", value)
    return value


def _mains(value: object) -> int:
    if type(value) is not int or value not in MAINS:
        raise NotAnOptionError("is 50 or 60", value)
    return value


def _focus(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.05 <= value <= 10:
        raise NotAnOptionError("is a number of metres from 0.05 to 10", value)
    return float(value)


def _pin(value: object) -> int:
    if type(value) is not int or not _is_pin(value):
        raise NotAnOptionError(f"is a GPIO number (BCM) from 2 to {LAST_PIN}", value)
    return value


def _pins(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > MOST_SEATS:
        raise NotAnOptionError(f"is a list of at most {MOST_SEATS} GPIO numbers, clockwise", value)
    return _all_pins(value)


def _pins_rgb(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) % 3 or len(value) > 3 * MOST_SEATS:
        raise NotAnOptionError("is a list of three GPIO numbers a seat: red, green and blue, clockwise", value)
    return _all_pins(value)


def _dial(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) not in (0, 3):
        raise NotAnOptionError("is a list of three GPIO numbers: contact A, contact B and the push", value)
    return _all_pins(value)


def _all_pins(pins: list[object]) -> tuple[int, ...]:
    return tuple(map(_pin_of_list, pins))


def _pin_of_list(pin: object) -> int:
    if type(pin) is not int or not _is_pin(pin):
        raise NotAnOptionError(f"holds GPIO numbers (BCM) from 2 to {LAST_PIN}", pin)
    return pin


def _one_of(*options: str | int) -> Callable[[object], Any]:
    listed = ", ".join(map(_toml, options[:-1])) + f" or {_toml(options[-1])}"

    def read(value: object) -> Any:
        if isinstance(value, bool) or value not in options:
            raise NotAnOptionError(f"is {listed}", value)
        return value

    return read


def _whole(least: int, most: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise NotAnOptionError(f"is a whole number from {least} to {most}", value)
        return value

    return read


def _is_pin(value: object) -> bool:
    return type(value) is int and 2 <= value <= LAST_PIN


def _rule(name: str) -> Callable[[object], str | bool]:
    return lambda value: _as_engine_says(name, value)


def _as_engine_says(name: str, value: object) -> Any:
    """The value of a field of the ruleset, read by the engine, which owns what it may be."""
    try:
        ruleset = house_rules({name: value})
    except BadRecordError as error:
        raise ValueError(error.message) from error
    return getattr(ruleset, "id" if name == "ruleset" else name)


def _house_keys() -> tuple[Key, ...]:
    """A key a rule. None has a default: without it the book's holds."""
    keys = []
    for rule in describe(DEFAULT_RULESET):
        value = getattr(DEFAULT_RULESET, rule.name)
        lines = [f"{rule.label[0].upper()}{rule.label[1:]}:"]
        if isinstance(value, bool):
            lines[0] += " true or false."
        else:
            lines += [f"  {_toml(choice)}: {in_words(rule.name, choice)}" for choice in type(value)]
        keys.append(Key(rule.name, value, _rule(rule.name), "\n".join(lines), _toml(value)))
    return tuple(keys)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(str(value))
    return repr(list(value) if isinstance(value, tuple) else value)


def _by_name(*keys: Key) -> Mapping[str, Key]:
    return MappingProxyType({key.name: key for key in keys})


_TABLE, _WEB, _ACCESS = TableConfig(), WebConfig(), AccessConfig()
_CAMERA, _PANEL = CameraConfig(), PanelConfig()

SECTIONS: Final[Mapping[str, Mapping[str, Key]]] = MappingProxyType(
    {
        "table": _by_name(
            Key(
                "ruleset", _TABLE.ruleset, _ruleset, f"The rulebook: {', '.join(RULESETS)}. `perudo rules` tells more."
            ),
            Key("calza", _TABLE.calza, _flag, "Whether calza may be said."),
            Key(
                "patience",
                _TABLE.patience,
                _seconds,
                "Seconds the table may lie still with dice missing before the players are asked.",
            ),
            Key(
                "give_up",
                _TABLE.give_up,
                _seconds,
                "Seconds after a call until the camera stops looking for dice that lie still.",
            ),
            Key(
                "lost_dice",
                _TABLE.lost_dice,
                _lost_dice,
                'Whether all see how many dice each player has: "open", or "hidden". A new game may have it otherwise.',
            ),
            Key(
                "pictures",
                _TABLE.pictures,
                _megabytes,
                "Megabytes of judged pictures to keep; the oldest go first, and the latest always stays.",
            ),
        ),
        "web": _by_name(
            Key("host", _WEB.host, _host, "The address to listen on; 127.0.0.1 shuts phones out."),
            Key("port", _WEB.port, _port, "Where the page is; 0 takes a free one."),
        ),
        "access": _by_name(
            Key(
                "code",
                _ACCESS.code,
                _code,
                'What a phone has to know to join: four digits, or "random", then the box draws them once.\n'
                "Whoever only watches needs none.",
            ),
        ),
        "camera": _by_name(
            Key(
                "source",
                _CAMERA.source,
                _camera,
                "pi, pi:NUMBER, webcam, webcam:NUMBER or folder:PATH, of a folder of pictures or a video.\n"
                "Without it the first camera that answers.",
                '"pi"',
            ),
            Key(
                "still",
                _CAMERA.still,
                _size,
                "Width and height, in pixels, of the pictures that are read. Without it what suits the camera.",
                "[2304, 1296]",
            ),
            Key("preview", _CAMERA.preview, _preview, "Pixels of the longer side of the small pictures beside them."),
            Key("mains", _CAMERA.mains, _mains, "Hertz of the mains the lamps are on: 50, or 60 as in America."),
            Key(
                "focus",
                _CAMERA.focus,
                _focus,
                "Metres from the lens to the table, for a camera that can focus. Without it 0.75.",
                "0.75",
            ),
        ),
        "panel": _by_name(
            Key("use", _PANEL.use, _flag, "Whether there is a panel; false leaves the GPIO pins alone."),
            Key("dudo", _PANEL.dudo, _pin, "GPIO numbers (BCM): the DUDO button,"),
            Key("calza", _PANEL.calza, _pin, "the CALZA button,"),
            Key("dudo_lamp", _PANEL.dudo_lamp, _pin, "the lamp in DUDO,"),
            Key("calza_lamp", _PANEL.calza_lamp, _pin, "the lamp in CALZA,"),
            Key("seats", _PANEL.seats, _pins, "the lamps of the seats, clockwise."),
            Key(
                "seats_rgb",
                _PANEL.seats_rgb,
                _pins_rgb,
                "Lamps of three colours in place of those: red, green and blue of seat 1, then of seat 2, and on.\n"
                "With none here, those of seats are used.",
            ),
            Key(
                "common_anode",
                _PANEL.common_anode,
                _flag,
                "Whether the colours of such a lamp have their plus in common, not their ground.",
            ),
            Key("status", _PANEL.status, _pin, "The status lamp. None without it.", "25"),
            Key("buzzer", _PANEL.buzzer, _pin, "A buzzer. None without it.", "18"),
            Key(
                "buzzer_tones",
                _PANEL.buzzer_tones,
                _flag,
                "Whether it plays tones (a passive one); one that only beeps wants false.",
            ),
            Key(
                "dial",
                _PANEL.dial,
                _dial,
                "A rotary encoder to bid by: its contacts A and B, and its push, as [20, 16, 12]. None without them.",
            ),
            Key(
                "display",
                _PANEL.display,
                _one_of("none", *DISPLAYS),
                'A display: "max7219", a row of 8 x 8 matrices on the SPI port; "ssd1306" or "sh1106", an OLED on\n'
                'the I2C port; or "none". Any of them wants the extra called display.',
            ),
            Key("display_modules", _PANEL.display_modules, _whole(1, 16), "How many matrices are in the row."),
            Key(
                "display_turn",
                _PANEL.display_turn,
                _one_of(0, 90, -90, 180),
                "By how many degrees each matrix is turned in it: 0, 90, -90 or 180.",
            ),
            Key(
                "display_address",
                _PANEL.display_address,
                _whole(0x08, 0x77),
                "The OLED's address on the I2C port; 60 is 0x3C.",
            ),
        ),
        "rules": _by_name(*_house_keys()),
    }
)
"""Every key there is, by section and name, in the order of the file."""

_HEAD: Final = """\
# The configuration of perudo. A key that is left out has its default, which is what stands here.
# An environment variable wins over this file, as PERUDO_WEB_PORT=8080 does over port in [web];
# an option on the command line wins over both. `perudo config check` finds every mistake in it.
"""

_HOUSE: Final = """\
# House rules: what is changed in the book that [table] names. Without a line, as the book says.
"""


def default_text() -> str:
    """The commented file in which every key has its default."""
    parts = [_HEAD]
    for section, keys in SECTIONS.items():
        parts.append(f"\n[{section}]\n" + (_HOUSE if section == "rules" else ""))
        for key in keys.values():
            parts += [f"# {line}\n" for line in key.note.split("\n")]
            parts.append(f"# {key.name} = {key.example}\n" if key.example else f"{key.name} = {_toml(key.default)}\n")
    return "".join(parts)
