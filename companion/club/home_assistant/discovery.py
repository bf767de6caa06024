"""How Home Assistant finds a table: MQTT discovery of a device with all its entities, in one retained payload.

The format, and the abbreviations of its keys: https://www.home-assistant.io/integrations/mqtt/, "Device discovery
payload". It needs Home Assistant 2024.11 or newer. The templates: "Using value templates with MQTT" in
https://www.home-assistant.io/docs/configuration/templating/; a value "None" makes a state unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from companion.club.home_assistant.buttons import HOME_BUTTONS
from companion.club.home_assistant.home_state import HomeEventType, HomePhase
from companion.club.topics import TableTopics
from companion.engine import CallKind
from companion.messages.sentence import json_bytes

DISCOVERY_PREFIX: Final = "homeassistant"
"""Home Assistant's default."""

_Config = Mapping[str, object]
"""The configuration of an entity, in abbreviated keys."""

_STATES: Final[Mapping[str, _Config]] = MappingProxyType(
    {
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
)
"""Key -> the configuration of an entity that shows the home state. Its name is the key."""

_EVENTS: Final[Mapping[str, tuple[HomeEventType, HomeEventType]]] = MappingProxyType(
    {
        "call": (HomeEventType.DUDO, HomeEventType.CALZA),
        "round": (HomeEventType.ROUND, HomeEventType.VERDICT),
        "game": (HomeEventType.GAME, HomeEventType.WINNER),
    }
)
"""Key -> the event types of an entity. Events of one moment are on different ones: the state of an event entity is the
time in milliseconds, and of two events in the same one an automation may miss one."""

_BUTTON_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {"next": "Next round", "pause": "Take a break", "resume": "End the break"}
)


def discovery(
    topics: TableTopics, name: str, program: str, *, commands: bool = False, prefix: str = DISCOVERY_PREFIX
) -> tuple[str, bytes]:
    """The topic and the payload, to be published retained, by which Home Assistant finds a table.

    `name` is what people call the table, and `program` the version of the program. `commands`: with buttons.
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
    return _config_topic(topics, prefix), json_bytes(payload)


def removal(topics: TableTopics, *, prefix: str = DISCOVERY_PREFIX) -> tuple[tuple[str, bytes], ...]:
    """The topics and the empty payloads, to be published retained, by which Home Assistant forgets a table."""
    return (_config_topic(topics, prefix), b""), (topics.home, b"")


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
        # A component that has nothing but its platform is removed, if it was there.
        components[key] = {"p": "button", **(pressed if commands else {})}
    return components


def _unique_id(topics: TableTopics, key: str) -> str:
    # No club and no table has an underscore in its id, so the entities of two tables never have the same.
    return f"perudo_{topics.club}_{topics.table}_{key}"


def _node(topics: TableTopics) -> str:
    return f"perudo-{topics.club}-{topics.table}"


def _config_topic(topics: TableTopics, prefix: str) -> str:
    return f"{prefix}/device/{_node(topics)}/config"


def _device_name(name: str) -> str:
    """With the game's name, because Home Assistant has other things in the kitchen."""
    return name if "perudo" in name.casefold() else f"Perudo {name}"
