"""What can be configured, as values: a frozen dataclass a section, and all of them together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.engine import DEFAULT_RULESET, Ruleset, house_rules


@dataclass(frozen=True, slots=True)
class TableConfig:
    """`[table]`: how this table plays."""

    ruleset: str = DEFAULT_RULESET.id
    """The id of the rulebook."""
    calza: bool = True
    patience: float = 20.0
    """Seconds. As `companion.camera.reveal.PATIENCE`, which takes a second to import: too long for `--help`."""
    give_up: float = 120.0
    """Seconds. As `companion.camera.reveal.GIVE_UP`."""
    lost_dice: str = "open"
    """"open" or "hidden"."""
    pictures: int = 500
    """Megabytes. As `companion.table.journal.picture_folder.MOST`."""


@dataclass(frozen=True, slots=True)
class WebConfig:
    """`[web]`: where the page is."""

    host: str = "0.0.0.0"
    port: int = 8000
    """0 takes a free one."""


@dataclass(frozen=True, slots=True)
class AccessConfig:
    """`[access]`: who may act."""

    code: str = "random"
    """Four digits; "random" has the box draw them once. As `web.access.keys.RANDOM`, which takes a second to import."""


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """`[camera]`: which camera."""

    source: str | None = None
    """As `perudo run --camera` takes it; None is the first that answers."""
    still: tuple[int, int] | None = None
    """Width, height in pixels. As `hardware.camera.protocol.Settings` has this and what follows."""
    preview: int = 640
    mains: int = 50
    focus: float | None = None
    """Metres."""


@dataclass(frozen=True, slots=True)
class PanelConfig:
    """`[panel]`: whether there is one, and its pins, GPIO numbers (BCM), as `hardware.panel.wiring.Wiring` has them."""

    use: bool = True
    dudo: int = 17
    calza: int = 27
    dudo_lamp: int = 23
    calza_lamp: int = 24
    seats: tuple[int, ...] = (5, 6, 13, 19, 26, 21)
    seats_rgb: tuple[int, ...] = ()
    """Three pins a seat, in place of `seats`."""
    common_anode: bool = False
    status: int | None = None
    buzzer: int | None = None
    buzzer_tones: bool = True
    dial: tuple[int, ...] = ()
    """Contact A, contact B and the push; empty where there is none."""
    display: str = "none"
    """"none" or one of `hardware.panel.wiring.DISPLAYS`."""
    display_modules: int = 4
    display_turn: int = -90
    display_address: int = 0x3C

    @property
    def coloured(self) -> tuple[tuple[int, int, int], ...]:
        """`seats_rgb` by the seat: red, green and blue."""
        pins = self.seats_rgb
        return tuple((pins[n], pins[n + 1], pins[n + 2]) for n in range(0, len(pins), 3))


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be configured."""

    table: TableConfig = field(default_factory=TableConfig)
    web: WebConfig = field(default_factory=WebConfig)
    access: AccessConfig = field(default_factory=AccessConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    panel: PanelConfig = field(default_factory=PanelConfig)
    rules: Mapping[str, str | bool] = field(default_factory=lambda: MappingProxyType({}))
    """`[rules]`: the house rules, what is changed in the book that `[table]` names. Fields of `Ruleset`."""

    @property
    def house(self) -> Ruleset:
        """The ruleset of this table: its book with its house rules."""
        return house_rules({**self.rules, "ruleset": self.table.ruleset})
