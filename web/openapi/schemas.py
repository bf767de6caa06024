"""The shapes of what the API answers: JSON Schema 2020-12, for the OpenAPI document. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.calibrating.calibration_state import CalibrationState
from companion.messages.message import Param, Part
from companion.messages.sentence import Sentence
from companion.table.commands import PlayerName
from companion.table.past.statistics import Statistics
from companion.table.past.story import Story
from companion.table.state.state import PublicDie, PublicReading, PublicStep, PublicVerdict, State
from web.access.join import Me
from web.access.phones import Presence
from web.errors import Refusal
from web.health import Health
from web.openapi.json_schema import Schema, by_name, obj, one_of, schema_of, schemas
from web.rules import Choices, Rules

COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
ANSWERS: Final[Mapping[object, str]] = {
    State: "State",
    PublicReading: "Reading",
    PublicDie: "Die",
    PublicVerdict: "Verdict",
    PublicStep: "Step",
    Me: "Me",
    Presence: "Presence",
    Story: "Story",
    Statistics: "Statistics",
    Choices: "Choices",
    Rules: "Rules",
    Sentence: "Told",
    Part: "Message",
    tuple[Part, ...]: "Messages",
    Health: "Health",
    Refusal: "Refusal",
    CalibrationState: "Calibration",
}
"""Every type that is answered, and the name of its shape."""


def answer_schemas() -> dict[str, Schema]:
    """The schema of each answer by its name, and the one body that no type describes."""
    found = schemas(ANSWERS)
    found["Message"]["properties"]["params"] = by_name(schema_of(Param, ANSWERS))
    found["Seat"] = {
        "oneOf": [
            obj({"role": {"const": "player"}, "player": schema_of(PlayerName, ANSWERS)}),
            obj({"role": one_of("table", "watching")}),
        ]
    }
    return found
