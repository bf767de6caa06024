"""The schemas of what is sent, from the types that `web.body` reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from companion.calibrating.changes import CHANGES
from companion.table.commands import COMMANDS, Address, Command
from web.access.join import Hand, Host, Join
from web.body import Nothing
from web.openapi.json_schema import Schema

_OTHERS: Final = (Nothing, Join, Hand, Host)
"""What is sent and is no command; their schemas have their names."""


def posted() -> Iterator[tuple[type[Command], Address]]:
    """The commands that can be posted."""
    return ((kind, kind.at) for kind in COMMANDS if kind.at is not None)


def in_address(address: Address) -> list[str]:
    """The fields that stand in an address, and not in the body."""
    return re.findall(r"{(\w+)}", address.path)


def schemas() -> dict[str, Schema]:
    """The schema of each body by its name, with what they refer to."""
    found: dict[str, Schema] = {}
    for kind in _OTHERS:
        found |= _schemas(kind, kind.__name__)
    for change in CHANGES:
        if change.address.takes != Nothing.__name__:
            found |= _schemas(change, change.address.takes)
    for command, address in posted():
        if address.takes != Nothing.__name__:
            found |= _schemas(command, address.takes, in_address(address))
            if address.empty:
                found[address.takes]["minProperties"] = 1
    return found


def _schemas(kind: type[msgspec.Struct], name: str, left_out: list[str] | None = None) -> dict[str, Schema]:
    _, found = msgspec.json.schema_components([kind], ref_template="#/components/schemas/{name}")
    body = found.pop(kind.__name__)
    for field in left_out or ():
        del body["properties"][field]
        body["required"].remove(field)
    del body["title"], body["description"]
    if not body["required"]:
        del body["required"]
    return {name: body, **found}
