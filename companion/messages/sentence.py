"""A sentence as the API gives it, and the JSON of every value of the API.

It is apart from `message` because the engine makes messages, and imports no library.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from companion.messages.message import Part, parts_of


class Value(Struct, frozen=True, forbid_unknown_fields=True):
    """A value of the API: its fields are the keys of its JSON."""


class Sentence(Value, frozen=True, kw_only=True):
    """A sentence for people, in English and as what it was made of."""

    sentence: str
    """A `Message`, or plain text; empty where there is nothing to say."""
    said: tuple[Part, ...] | UnsetType = UNSET
    """The messages of the sentence, parted by spaces. Absent from an empty one."""

    def __post_init__(self) -> None:
        if self.sentence and self.said is UNSET:
            msgspec.structs.force_setattr(self, "said", parts_of(self.sentence))


def spoken(text: str) -> dict[str, object]:
    """`text` as a `Sentence`, in JSON."""
    return dict(json_value(Sentence(sentence=text)))


def json_bytes(value: object) -> bytes:
    """`value` as JSON, in UTF-8."""
    return msgspec.json.encode(value, enc_hook=_plain)


def json_value(value: object) -> Any:
    """`value` as what `json.loads` would give."""
    return msgspec.to_builtins(value, enc_hook=_plain, str_keys=True)


def _plain(value: object) -> str:
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no JSON")
