"""What tables and the hub of a club tell each other, and the addresses of the lobby, from their declarations."""

from __future__ import annotations

import json

import msgspec
from msgspec import Struct

from companion.club.lobby.document import ENDPOINTS, path_of
from companion.member.payloads import PAYLOADS, TableEvent, payload_schemas
from web.endpoints import API, Nothing


def payloads() -> str:
    """The fields of every topic's payload, and every event."""
    lines = []
    for topic, kind in PAYLOADS.items():
        lines.append(f"- `{topic}`: {_fields(kind)}")
    lines += ["", "| `what.event` | what it says | its fields |", "|---|---|---|"]
    for event in TableEvent.__args__:
        names = ", ".join(f"`{name}`" for name in event.__struct_fields__)
        lines.append(f"| `{event.__struct_config__.tag}` | {_summary(event)} | {names} |")
    return "\n".join(lines)


def addresses() -> str:
    """The lobby's addresses, each with its body, and what it is for."""
    lines = []
    for each in ENDPOINTS:
        body = "" if each.takes is Nothing else f" (`{each.takes.__name__}`)"
        query = "&".join(f"{one['name']}=" for one in each.parameters)
        address = f"{each.method} {API}{path_of(each)}{'?' if query else ''}{query}"
        lines.append(f"- `{address}`{body}: {each.words}")
    return "\n".join(lines)


def schema() -> str:
    """The JSON schemas of the payloads, as a file."""
    return json.dumps(payload_schemas(), indent=1) + "\n"


def _summary(kind: type[Struct]) -> str:
    first = (kind.__doc__ or "").strip().splitlines()[0]
    found = first.partition(": ")[2] or first
    return found[0].upper() + found[1:]


def _fields(kind: type[Struct]) -> str:
    fields = msgspec.structs.fields(kind)
    return ", ".join(f"`{each.name}`" + ("" if each.required else " (optional)") for each in fields)
