"""The JSON Schemas of the OpenAPI document, made by msgspec from the types of requests and answers. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, get_args

from msgspec import Struct
from msgspec.json import schema_components

from companion.calibrating.calibration_state import CalibrationState
from companion.calibrating.changes import CHANGES
from companion.messages.message import Param
from companion.table.commands import COMMANDS, Address, PlayerName
from companion.table.past.game_review import GameReview
from companion.table.past.story import Story
from companion.table.state.state import State, Turn
from web.access.demo_seats import OwnDice, Robots
from web.access.join import Hand, Host, Join, Me
from web.access.phones import Presence
from web.api import Health
from web.body import Nothing
from web.box.backup import ReplaceBox, StickChoice, WantedBackup
from web.box.box import BoxState
from web.box.club import ClubNames, JoinByInvitation
from web.box.health import BoxHealth
from web.box.log_lines import LogLines
from web.box.wifi import ChooseWifi
from web.errors import Refusal
from web.past_games import PastGames, PastGameStory, PastStatistics
from web.rules import Choices, Rules

Schema = dict[str, Any]

_REFERENCE: Final = "#/components/schemas/{name}"
_ANSWERS: Final = (
    State,
    Me,
    Presence,
    Story,
    Turn,
    PastGames,
    PastGameStory,
    GameReview,
    PastStatistics,
    Choices,
    Rules,
    Health,
    Refusal,
    CalibrationState,
    OwnDice,
    BoxState,
    LogLines,
    BoxHealth,
)


def ref(name: str) -> Schema:
    """The schema of that name."""
    return {"$ref": _REFERENCE.format(name=name)}


def one_of(*words: str) -> Schema:
    return {"type": "string", "enum": list(words)}


def posted() -> Iterator[tuple[type[Struct], Address]]:
    """Every command and every change of the calibration that can be posted."""
    yield from ((kind, kind.at) for kind in COMMANDS if kind.at is not None)
    yield from ((kind, kind.address) for kind in CHANGES)


def body_name(kind: type[Struct], address: Address) -> str:
    """The name of the schema of its body."""
    return (Nothing if set(kind.__struct_fields__) == set(address.fields) else kind).__name__


def schemas() -> dict[str, Schema]:
    """Every schema by its name, which is that of the class."""
    return {**_answers(), **_requests()}


def _answers() -> dict[str, Schema]:
    param = get_args(Param)
    references, found = schema_components(
        [*param, *_ANSWERS], ref_template=_REFERENCE, schema_hook=lambda _: {"title": "Param"}
    )
    for schema in found.values():
        if "properties" in schema:  # an answer has all its fields, except those that may be `UNSET`
            required, fields = schema["required"], schema["properties"].items()
            schema["required"] = [name for name, field in fields if name in required or "default" in field]
            schema["additionalProperties"] = False
    for name in ("rules", "robots", "club"):
        found["State"]["required"].remove(name)
    # `Part` declares its parameters as objects: msgspec knows no union of dataclasses.
    found["Part"]["properties"]["params"]["additionalProperties"] = {"anyOf": list(references[: len(param)])}
    return found


def _requests() -> dict[str, Schema]:
    bodies = {kind: address for kind, address in posted() if body_name(kind, address) == kind.__name__}
    (name, *_), found = schema_components(
        [
            PlayerName,
            Nothing,
            Join,
            Hand,
            Host,
            Robots,
            ChooseWifi,
            WantedBackup,
            ReplaceBox,
            StickChoice,
            JoinByInvitation,
            ClubNames,
            *bodies,
        ],
        ref_template=_REFERENCE,
    )
    for kind, address in bodies.items():
        schema = found[kind.__name__]
        for field in address.fields:
            del schema["properties"][field]
            schema["required"].remove(field)
        if address.empty:
            schema["minProperties"] = 1
    found["Seat"] = {"oneOf": [_seat({"const": "player"}, player=name), _seat(one_of("table", "watching"))]}
    return found


def _seat(role: Schema, **player: Schema) -> Schema:
    fields = {"role": role, **player}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
