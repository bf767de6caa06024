"""The public state and its JSON, for tests that write one down or compare it with one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from companion.messages.sentence import json_bytes
from companion.table.state.state import State


def in_json(value: object) -> Any:
    """A value of the API as whoever asks for it gets it."""
    return json.loads(json_bytes(value))


def state_of(values: Mapping[str, object]) -> State:
    """The state that has this JSON."""
    return msgspec.convert(values, State, str_keys=True)
