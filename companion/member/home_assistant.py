"""Makes a table known to Home Assistant: discovery, published state, and buttons.

Home Assistant finds a table by MQTT discovery: a device with all its entities, in one retained payload. The format, and
the abbreviations of its keys: https://www.home-assistant.io/integrations/mqtt/, "Device discovery payload"; it needs
Home Assistant 2024.11 or newer. The templates: "Using value templates with MQTT" in
https://www.home-assistant.io/docs/configuration/templating/; the value "None" makes a state unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from companion.engine import CallKind
from companion.member.home_state import HomeEventType, HomePhase, HomeView
from companion.member.membership import Membership
from companion.member.payloads import PayloadError, TableState, encode
from companion.member.topics import TableTopics
from companion.messages.sentence import json_bytes
from companion.table import Table
from companion.table.commands import Command, OpenRound, Pause, Resume

if TYPE_CHECKING:
    from companion.member.connection import Connection

HOME_BUTTONS: Final[Mapping[str, Command]] = {"next": OpenRound(), "pause": Pause(), "resume": Resume()}
"""The payload of a button, which is also its id -> its command. None of them calls or changes anybody's dice, and all
can be undone at the table."""

_Config = Mapping[str, object]
"""The configuration of an entity, with abbreviated keys."""

_STATES: Final[Mapping[str, _Config]] = {
    "phase": {"p": "sensor", "dev_cla": "enum", "ops": list(HomePhase), "val_tpl": "{{ value_json.phase }}"},
    "round": {"p": "sensor", "val_tpl": "{{ value_json.round }}"},
    "turn": {"p": "sensor", "val_tpl": "{{ value_json.turn }}"},
    "bid": {
        "p": "sensor",
        "val_tpl": "{{ value_json.bid.words if value_json.bid else None }}",
        "json_attr_tpl": "{{ (value_json.bid or {}) | tojson }}",
    },
    "dice": {
        "p": "sensor",
        "unit_of_meas": "dice",
        "stat_cla": "measurement",
        "val_tpl": "{{ value_json.dice }}",
        "json_attr_tpl": "{{ {'players': value_json.players} | tojson }}",
    },
    "verdict": {
        "p": "sensor",
        "dev_cla": "enum",
        "ops": [f"{call}_{result}" for call in CallKind for result in ("right", "wrong")],
        "val_tpl": "{% set v = value_json.verdict %}"
        "{{ v.call ~ ('_right' if v.correct else '_wrong') if v else None }}",
        "json_attr_tpl": "{{ (value_json.verdict or {}) | tojson }}",
    },
    "game": {
        "p": "binary_sensor",
        "dev_cla": "running",
        "val_tpl": "{{ 'ON' if value_json.playing else 'OFF' }}",
        "json_attr_tpl": "{{ {'winner': value_json.winner} | tojson }}",
    },
    "problem": {
        "p": "binary_sensor",
        "dev_cla": "problem",
        "ent_cat": "diagnostic",
        "val_tpl": "{{ 'OFF' if value_json.camera_ok and value_json.journal_ok else 'ON' }}",
    },
}
"""Key, which is also its name -> configuration of an entity that shows the home state."""

_EVENTS: Final[Mapping[str, tuple[HomeEventType, HomeEventType]]] = {
    "call": (HomeEventType.DUDO, HomeEventType.CALZA),
    "round": (HomeEventType.ROUND, HomeEventType.VERDICT),
    "game": (HomeEventType.GAME, HomeEventType.WINNER),
}
"""Key -> event types of an entity. Simultaneous events use different entities: the state of an event entity is the time
in milliseconds, so an automation could miss one of two events of the same entity."""

_BUTTON_NAMES: Final[Mapping[str, str]] = {"next": "Next round", "pause": "Take a break", "resume": "End the break"}


def discovery(topics: TableTopics, name: str, program: str, *, commands: bool = False) -> tuple[str, bytes]:
    """The topic and the payload, to be published retained, by which Home Assistant finds a table.

    `name` is the table's name for people, `program` the program's version. `commands`: with buttons.
    """
    payload = {
        "dev": {
            "ids": [_node(topics)],
            "name": _device_name(name or topics.table),
            "mf": "perudo-companion",
            "mdl": "Perudo table",
            "sw": program,
        },
        "o": {"name": "perudo-companion", "sw": program},
        "avty_t": topics.online,
        "avty_tpl": "{{ 'online' if value_json.online else 'offline' }}",
        "stat_t": topics.home,
        "cmps": _components(topics, commands=commands),
    }
    return _config_topic(topics), json_bytes(payload)


def removal(topics: TableTopics) -> tuple[tuple[str, bytes], ...]:
    """The topics and empty payloads, to be published retained, that make Home Assistant forget a table."""
    return (_config_topic(topics), b""), (topics.home, b"")


def _components(topics: TableTopics, *, commands: bool) -> dict[str, _Config]:
    components: dict[str, _Config] = {}
    for key, state in _STATES.items():
        attributes = {"json_attr_t": topics.home} if "json_attr_tpl" in state else {}
        components[key] = {**state, "name": key.capitalize(), **attributes, "uniq_id": _unique_id(topics, key)}
    for key, types in _EVENTS.items():
        components[f"{key}_event"] = {
            "p": "event",
            "name": f"{key.capitalize()} event",
            "evt_typ": list(types),
            "stat_t": topics.home_event,
            "val_tpl": f"{{{{ value if value_json.event_type in {list(map(str, types))} else '' }}}}",
            "uniq_id": _unique_id(topics, f"{key}_event"),
        }
    for key in HOME_BUTTONS:
        pressed = {
            "name": _BUTTON_NAMES[key],
            "cmd_t": topics.command,
            "pl_prs": key,
            "uniq_id": _unique_id(topics, key),
        }
        # A component that has only its platform is removed, if it existed.
        components[key] = {"p": "button", **(pressed if commands else {})}
    return components


def _unique_id(topics: TableTopics, key: str) -> str:
    # Ids of clubs and tables contain no underscore, so entities of two tables never collide.
    return f"perudo_{topics.club}_{topics.table}_{key}"


def _node(topics: TableTopics) -> str:
    return f"perudo-{topics.club}-{topics.table}"


def _config_topic(topics: TableTopics) -> str:
    return f"homeassistant/device/{_node(topics)}/config"


def _device_name(name: str) -> str:
    """The name including the game's, because there may be other devices in the kitchen."""
    return name if "perudo" in name.casefold() else f"Perudo {name}"


class HomeAssistant:
    """Publishes the home state and its events. For the publisher's thread."""

    def __init__(self, membership: Membership, *, commands: bool) -> None:
        """`commands`: Home Assistant has buttons."""
        self._topics = TableTopics(membership.club, membership.table)
        self._name, self._commands, self._view = membership.name, commands, HomeView()
        self.command_topic = self._topics.command

    def begin(self, broker: Connection) -> None:
        """Publish the discovery and the state after each connection."""
        topic, payload = discovery(self._topics, self._name, version("perudo-companion"), commands=self._commands)
        broker.publish(topic, payload, qos=1, retain=True)
        if self._view.home is not None:
            broker.publish(self._topics.home, encode(self._view.home), retain=True)
        if self._commands:
            broker.subscribe(self.command_topic, retained=False)

    def end(self, broker: Connection) -> None:
        """Make Home Assistant forget the table."""
        for topic, payload in removal(self._topics):
            broker.publish(topic, payload, qos=1, retain=True)

    def step(self, state: TableState, broker: Connection, *, up: bool) -> None:
        """Publish the table's next state. What happens while the broker is away is never published."""
        home, events = self._view.step(state)
        if up:
            if home is not None:
                broker.publish(self._topics.home, encode(home), retain=True)
            for event in events:
                broker.publish(self._topics.home_event, encode(event))

    def press(self, payload: bytes, table: Table) -> None:
        """Handle a button of Home Assistant. Raises `PayloadError`."""
        command = HOME_BUTTONS.get(payload.decode("utf-8", "replace")) if self._commands else None
        if command is None:
            raise PayloadError(f"{payload[:40]!r} is no command")
        table.do_at_panel(command)
