"""Sentences in the API, and the JSON of its values.

Not in `message`, because the engine uses that and imports no library.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from companion.messages.message import Part, parts_of

Read = TypeVar("Read")

TEXT_END: Final = r"$(?!\n)"
"""The end of the text in a pattern, for Python and JSON Schema alike: `$` alone also matches before a final newline."""


class Value(Struct, frozen=True, forbid_unknown_fields=True):
    """A value of the API: its fields are the keys of its JSON."""


class Sentence(Value, frozen=True, kw_only=True):
    """A sentence for people, in English and in parts that can be translated."""

    sentence: str
    """A `Message` or plain text; may be empty."""
    said: tuple[Part, ...] | UnsetType = UNSET
    """The parts of the sentence, to be joined with spaces. Absent if it is empty."""

    def __post_init__(self) -> None:
        if self.sentence and self.said is UNSET:
            msgspec.structs.force_setattr(self, "said", parts_of(self.sentence))


def json_bytes(value: object) -> bytes:
    """`value` as JSON, in UTF-8."""
    return msgspec.json.encode(value, enc_hook=_plain)


def read_json(data: bytes | bytearray | str, kind: type[Read]) -> Read:
    """Parse untrusted `data` as `kind`. Raises `ValueError` for anything else, however deeply nested."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from error


def json_value(value: object) -> Any:
    """`value` as `json.loads` would return it."""
    return msgspec.to_builtins(value, enc_hook=_plain, str_keys=True)


def _plain(value: object) -> str:
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no JSON")
