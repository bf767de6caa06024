"""Every key of the configuration, declared once: a dataclass for each section, and `Config` for all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from companion.config.key import FLAG, PIN, Key, Kind, NotAnOptionError, key, keys_of, number, one_of, pins, toml, whole
from companion.engine import DEFAULT_RULESET, RULESETS, BadRecordError, Ruleset, house_rules
from companion.engine.rulebooks import RuleValue
from companion.engine.rules_in_words import describe, in_words
from companion.engine.ruleset import BOUNDS
from companion.messages import languages
from companion.messages.printable import printable
from hardware.camera.flicker import MAINS_HERTZ
from hardware.camera.settings import CameraSettings
from hardware.panel.wiring import COLOURED_SEATS, DISPLAYS, SEATS, DisplayWiring, Wiring
from hardware.panel.wiring import Key as PanelKey

RANDOM_CODE: Final = "random"

STILL_SIDE: Final = (240, 9152)
"""Limits of a side of the still in pixels: no die can be read in fewer, and no camera gives more."""

_SETTINGS: Final = CameraSettings()
_WIRING: Final = Wiring()
_NO_DISPLAY: Final = DisplayWiring("none")


def _rule(name: str) -> Kind:
    """The kind of a field of the ruleset. The engine checks its value."""

    def convert(value: object) -> RuleValue:
        try:
            ruleset = house_rules({name: value})
        except BadRecordError as error:
            raise ValueError(error.message) from error
        read: RuleValue = getattr(ruleset, "id" if name == "ruleset" else name)
        return read

    if name in BOUNDS:
        return Kind(f"is a number from {min(BOUNDS[name])} to {max(BOUNDS[name])}", convert=convert)
    values = tuple(RULESETS) if name == "ruleset" else type(getattr(DEFAULT_RULESET, name))
    return Kind(FLAG.may_be if values is bool else one_of(*values).may_be, convert=convert)


def _camera(value: str) -> str:
    from hardware.camera.camera_choice import UnknownCameraError, parse_name  # noqa: PLC0415 - brings numpy

    try:
        parse_name(value)
    except UnknownCameraError as error:
        raise ValueError(str(error).removesuffix(".")) from error
    return value


def _size(value: list[int]) -> tuple[int, int]:
    least, most = STILL_SIDE
    if min(value) < least or max(value) > most:
        raise NotAnOptionError(f"has a width and a height from {least} to {most} pixels", value)
    return value[0], value[1]


def _names(value: list[object]) -> tuple[str, ...]:
    return tuple(map(_name, value))


def _name(value: object) -> str:
    try:
        name = value.encode("idna").decode().lower() if isinstance(value, str) else ""
    except UnicodeError:
        name = ""
    if not re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", name):
        raise NotAnOptionError('holds names without http:// and without a port, as "perudo.example.org"', value)
    return name


def _keys(value: list[object]) -> tuple[PanelKey, ...]:
    return tuple(map(_panel_key, value))


def _panel_key(value: object) -> PanelKey:
    parts = re.fullmatch(r"((?:KEY|BTN)_[0-9A-Z_]+) on (\S.*)", value) if isinstance(value, str) else None
    if parts is None:
        raise NotAnOptionError('holds keys with their devices, as "KEY_ENTER on usb-ABC_Button-event-kbd"', value)
    return PanelKey(parts[1], printable(parts[2]))  # as `hardware.panel.input_devices` names it


_KEYS: Final = Kind("is a list of keys in quotation marks", lambda value: isinstance(value, list), _keys)
_SECONDS: Final = number("is a number of seconds, none or more", 0)
_HOST: Final = Kind(
    'is an address in quotation marks, as "::" or "127.0.0.1"',
    lambda value: isinstance(value, str) and bool(value) and " " not in value and value.isprintable(),
)
_CODE: Final = Kind(
    'is "random", or four digits in quotation marks, as "0271"',
    lambda value: isinstance(value, str) and bool(re.fullmatch(rf"{RANDOM_CODE}|[0-9]{{4}}", value)),
)
_LANGUAGE: Final = Kind(
    'is "auto" or a language of the page, as "en" or "fr"',
    lambda value: value in ["auto", *(language.id for language in languages.offered())],
)
_STILL: Final = Kind(
    "is a width and a height in pixels, as [2304, 1296]",
    lambda value: isinstance(value, list) and list(map(type, value)) == [int, int],
    _size,
)


@dataclass(frozen=True, slots=True)
class TableConfig:
    """`[table]`: how this table plays."""

    ruleset: str = key(
        DEFAULT_RULESET.id, _rule("ruleset"), f"The rulebook: {', '.join(RULESETS)}. `perudo rules` tells more."
    )
    calza: bool = key(True, FLAG, "Whether calza may be said.")
    patience: float = key(
        20.0, _SECONDS, "Seconds the table may lie still with dice missing before the players are asked."
    )
    give_up: float = key(
        120.0, _SECONDS, "Seconds after a call until the camera stops looking for dice that lie still."
    )
    lost_dice: str = key(
        "open",
        one_of("open", "hidden"),
        'Whether all see how many dice each player has: "open", or "hidden". A new game may have it otherwise.',
    )
    pictures: int = key(
        500,
        whole(0, 1_000_000, "megabytes"),
        "Megabytes of judged pictures to keep; the oldest go first, and the latest always stays.",
    )


@dataclass(frozen=True, slots=True)
class WebConfig:
    """`[web]`: where the page is."""

    host: str = key("::", _HOST, "The address to listen on: :: is every one, of IPv4 too; 127.0.0.1 shuts phones out.")
    names: tuple[str, ...] = key(
        (),
        Kind("is a list of names in quotation marks", lambda value: isinstance(value, list), _names),
        "More names by which browsers may ask for the page, as a router or a server of names gives them.\n"
        "The machine's own need not be here.",
        '["perudo.example.org"]',
    )
    port: int = key(8000, whole(0, 65535), "Where the page is; 0 takes a free one.")
    https_port: int | None = key(
        None,
        whole(0, 65535),
        "Where the page is over https, once `perudo certificate` has made a certificate; 0 takes a free one.\n"
        "Without it 8443, or 443 where port is 80.",
        "8443",
    )

    language: str = key(
        "auto",
        _LANGUAGE,
        'The page\'s language where nobody has chosen one: "auto", the browser\'s, or a fixed one, as "en" or "fr".',
    )

    @property
    def secure_port(self) -> int:
        """Where the page is over https; 0 takes a free one."""
        if self.https_port is not None:
            return self.https_port
        return {0: 0, 80: 443}.get(self.port, 8443)


@dataclass(frozen=True, slots=True)
class UpdateConfig:
    """`[update]`: where newer versions are."""

    address: str = key(
        "",
        Kind(
            "is an address in quotation marks that begins with https:// or http://",
            lambda value: isinstance(value, str) and bool(re.fullmatch(r"(https?://[!-~]+)?", value)),
            secret=True,
        ),
        "A folder of a web server with a release, as `perudo card` puts it on a card. Only what is signed is taken.",
    )


@dataclass(frozen=True, slots=True)
class ClubConfig:
    """`[club]`: what this table publishes on a broker. `perudo club join` joins a club."""

    home_assistant: bool = key(
        False, FLAG, "Whether Home Assistant finds this table on the broker: its state, and what happens there."
    )
    broker: str = key(
        "",
        Kind(
            "is an address in quotation marks that begins with mqtt:// or mqtts://",
            lambda value: isinstance(value, str) and bool(re.fullmatch(r"(mqtts?://[!-~]+)?", value)),
            secret=True,
        ),
        "The broker for a table that is in no club, as mqtt://name:password@homeassistant.local; a club has its own.",
    )
    commands: bool = key(False, FLAG, "Whether Home Assistant has buttons, too: the next round, and breaks.")


@dataclass(frozen=True, slots=True)
class AccessConfig:
    """`[access]`: who may act."""

    code: str = key(
        RANDOM_CODE,
        _CODE,
        'What a phone has to know to join: four digits, or "random", then the box draws them once.\n'
        "Whoever only watches needs none.",
    )


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """`[camera]`: the camera and its settings."""

    source: str | None = key(
        None,
        Kind("is the name of a camera in quotation marks", lambda value: isinstance(value, str), _camera, secret=True),
        "pi, pi:NUMBER, webcam, webcam:NUMBER or webcam:/dev/v4l/by-id/NAME; http://ADDRESS, https://ADDRESS or\n"
        "rtsp://ADDRESS, of an IP camera or an app on an old phone; folder:PATH, of a folder of pictures or a\n"
        "video; or phone: the phones take the pictures.\n"
        "Without it the first camera that answers.",
        '"pi"',
    )
    still: tuple[int, int] | None = key(
        _SETTINGS.still,
        _STILL,
        "Width and height, in pixels, of the pictures that are read. Without it what suits the camera.",
        "[2304, 1296]",
    )
    preview: int = key(
        _SETTINGS.preview, whole(320, 1280, "pixels"), "Pixels of the longer side of the small pictures beside them."
    )
    mains: int = key(
        _SETTINGS.mains,
        one_of(*MAINS_HERTZ),
        "Hertz of the mains the lamps are on: 50, or 60 as in America.",
    )
    focus: float | None = key(
        _SETTINGS.focus,
        number("is a number of metres from 0.05 to 10", 0.05, 10),
        "Metres from the lens to the table, for a camera that can focus. Without it 0.75.",
        "0.75",
    )
    learn: bool = key(
        False,
        FLAG,
        "Whether to keep pictures of judged dice with what the players said of them, 200 MB at most, and to set\n"
        "by them from which doubt on this box asks. `perudo export --labels` writes them; nothing leaves the box.",
    )

    @property
    def settings(self) -> CameraSettings:
        return CameraSettings(self.still, self.preview, self.mains, self.focus)


@dataclass(frozen=True, slots=True)
class PanelConfig:
    """`[panel]`: the panel and its pins."""

    use: bool = key(True, FLAG, "Whether there is a panel; false leaves the GPIO pins alone.")
    input: str = key(
        "gpio",
        one_of("gpio", "usb"),
        'Where its buttons are: "gpio", soldered to the pins; or "usb", on anything that is a keyboard to Linux,\n'
        "by USB or Bluetooth: a panel without lamps, which leaves the pins alone and wants the extra called usb.",
    )
    dudo_keys: tuple[PanelKey, ...] = key(
        (),
        _KEYS,
        "With usb, the keys that are DUDO, each with its device's name. The box's page writes them.",
        '["KEY_ENTER on usb-ABC_Button-event-kbd"]',
    )
    calza_keys: tuple[PanelKey, ...] = key((), _KEYS, "Those that are CALZA.", '["KEY_C on ABC Pedal"]')
    dudo: int = key(_WIRING.buttons["dudo"], PIN, "GPIO numbers (BCM): the DUDO button,")
    calza: int = key(_WIRING.buttons["calza"], PIN, "the CALZA button,")
    dudo_lamp: int = key(_WIRING.lamps["dudo"], PIN, "the lamp in DUDO,")
    calza_lamp: int = key(_WIRING.lamps["calza"], PIN, "the lamp in CALZA,")
    seats: tuple[int, ...] = key(
        _WIRING.seats,
        pins(f"is a list of at most {SEATS} GPIO numbers, clockwise", range(SEATS + 1)),
        "the lamps of the seats, clockwise.",
    )
    seats_rgb: tuple[int, ...] = key(
        (),
        pins(
            "is a list of three GPIO numbers a seat: red, green and blue, clockwise",
            range(0, 3 * COLOURED_SEATS + 1, 3),
        ),
        "Lamps of three colours in place of those: red, green and blue of seat 1, then of seat 2, and on.\n"
        "With none here, those of seats are used.",
    )
    common_anode: bool = key(
        _WIRING.anode, FLAG, "Whether the colours of such a lamp have their plus in common, not their ground."
    )
    status: int | None = key(_WIRING.status, PIN, "The status lamp. None without it.", "25")
    buzzer: int | None = key(_WIRING.buzzer, PIN, "A buzzer. None without it.", "18")
    buzzer_tones: bool = key(
        _WIRING.tones, FLAG, "Whether it plays tones (a passive one); one that only beeps wants false."
    )
    dial: tuple[int, ...] = key(
        (),
        pins("is a list of three GPIO numbers: contact A, contact B and the push", (0, 3)),
        "A rotary encoder to bid by: its contacts A and B, and its push, as [20, 16, 12]. None without them.",
    )
    display: str = key(
        _NO_DISPLAY.kind,
        one_of(_NO_DISPLAY.kind, *DISPLAYS),
        'A display: "max7219", a row of 8 x 8 matrices on the SPI port; "ssd1306" or "sh1106", an OLED on\n'
        'the I2C port; or "none". Any of them wants the extra called display.',
    )
    display_modules: int = key(_NO_DISPLAY.modules, whole(1, 16), "How many matrices are in the row.")
    display_turn: int = key(
        _NO_DISPLAY.turn,
        one_of(0, 90, -90, 180),
        "By how many degrees each matrix is turned in it: 0, 90, -90 or 180.",
    )
    display_address: int = key(
        _NO_DISPLAY.address, whole(0x08, 0x77), "The OLED's address on the I2C port; 60 is 0x3C."
    )

    @property
    def keys(self) -> Mapping[str, tuple[PanelKey, ...]]:
        """The keys of each button."""
        return {"dudo": self.dudo_keys, "calza": self.calza_keys}

    @property
    def wiring(self) -> Wiring:
        """The wiring of the soldered parts."""
        rgb = iter(self.seats_rgb)
        display = DisplayWiring(self.display, self.display_modules, self.display_turn, self.display_address)
        return Wiring(
            buttons={"dudo": self.dudo, "calza": self.calza},
            lamps={"dudo": self.dudo_lamp, "calza": self.calza_lamp},
            seats=self.seats,
            coloured=tuple(zip(rgb, rgb, rgb, strict=True)),
            anode=self.common_anode,
            status=self.status,
            buzzer=self.buzzer,
            tones=self.buzzer_tones,
            dial=(self.dial[0], self.dial[1], self.dial[2]) if self.dial else None,
            display=None if display.kind == _NO_DISPLAY.kind else display,
        )

    @property
    def pins(self) -> Iterator[tuple[int, str]]:
        """Every pin that the panel uses, with the key that sets it."""
        for name, each in SECTIONS["panel"].items():
            value = getattr(self, name)
            if each.kind.pins and value is not None and not (name == "seats" and self.seats_rgb):
                for pin in value if isinstance(value, tuple) else (value,):
                    yield pin, name
        for pin in DISPLAYS.get(self.display, ()):
            yield pin, "display"


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be configured."""

    table: TableConfig = TableConfig()
    web: WebConfig = WebConfig()
    update: UpdateConfig = UpdateConfig()
    club: ClubConfig = ClubConfig()
    access: AccessConfig = AccessConfig()
    camera: CameraConfig = CameraConfig()
    panel: PanelConfig = PanelConfig()
    rules: Mapping[str, RuleValue] = field(default_factory=dict)
    """`[rules]`: the house rules, which change the book that `[table]` names. Fields of `Ruleset`."""

    @property
    def house(self) -> Ruleset:
        """The ruleset of this table: its book with the house rules."""
        return house_rules({**self.rules, "ruleset": self.table.ruleset})

    def with_value(self, section: str, key: str, value: Any) -> Config:
        """A copy of this configuration with another value for one key."""
        if section == "rules":
            return replace(self, rules={**self.rules, key: value})
        return replace(self, **{section: replace(getattr(self, section), **{key: value})})


def _house_keys() -> Iterator[Key]:
    """A key for each rule, without a default, which is the book's value."""
    for rule in describe(DEFAULT_RULESET):
        value = getattr(DEFAULT_RULESET, rule.name)
        lines = [f"{rule.label[0].upper()}{rule.label[1:]}:"]
        if isinstance(value, bool):
            lines[0] += " true or false."
        elif rule.name in BOUNDS:
            lines[0] += f" {min(BOUNDS[rule.name])} to {max(BOUNDS[rule.name])}."
        else:
            lines += [f"  {toml(choice)}: {in_words(rule.name, choice)}" for choice in type(value)]
        yield Key(rule.name, value, _rule(rule.name), "\n".join(lines), toml(value))


ADDRESSES: Final = (("update", "address"), ("club", "broker"), ("camera", "source"))
"""Keys whose values may be addresses containing a password."""

SECTIONS: Final[Mapping[str, Mapping[str, Key]]] = {
    "table": keys_of(TableConfig),
    "web": keys_of(WebConfig),
    "update": keys_of(UpdateConfig),
    "club": keys_of(ClubConfig),
    "access": keys_of(AccessConfig),
    "camera": keys_of(CameraConfig),
    "panel": keys_of(PanelConfig),
    "rules": {each.name: each for each in _house_keys()},
}
"""Every key, by section and name, in the order of the file."""


def variable(section: str, name: str) -> str:
    """The environment variable that overrides a key."""
    return f"PERUDO_{section}_{name}".upper()


# The file to write


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
        for each in keys.values():
            parts += [f"# {line}\n" for line in each.note.split("\n")]
            parts.append(f"{'# ' if each.example else ''}{each.name} = {each.toml}\n")
    return "".join(parts)
