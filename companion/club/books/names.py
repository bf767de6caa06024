"""Names in the books that differ from those on the records. Pure.

Two spellings may be one player, or somebody may no longer want to be named: the records stay as the tables sent them,
and are read with other names.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.engine import EngineError
from companion.engine.record import parse_line
from companion.member.payloads import ClubPlayer, RecordEvent
from companion.member.records import with_names
from companion.table.commands import LONGEST_NAME, PlayerName

log = logging.getLogger(__name__)

BookNames = Mapping[str, str]
"""A name on the records -> the name in the books; "" for an unnamed player. Names are never chained."""


class SetBookName(Struct, frozen=True, forbid_unknown_fields=True):
    """Give a player another name in the books."""

    name: PlayerName
    """As on the records."""
    wanted: Annotated[str, Meta(min_length=0, max_length=LONGEST_NAME)]
    """Empty for no name; the same as `name` reverts it."""


def renamed(names: BookNames, name: str, wanted: str) -> dict[str, str]:
    """`names` after calling `name` `wanted`: another name, its own again, or "" for none.

    Names that led to `name` follow it.
    """
    others = {old: new for old, new in names.items() if old != name}
    if others.get(wanted) == name:
        del others[wanted]
    end = others.get(wanted, wanted)
    found = {old: end if new == name else new for old, new in others.items()}
    return found if end == name else found | {name: end}


def with_book_names(record: RecordEvent, names: BookNames) -> RecordEvent:
    """The record with the names of the books. If two of its players would get one name, they keep their own.

    Lines that cannot be read are left out, because they may contain the names.
    """
    called = {player.name: _called(player, names) for player in record.players if player.named}
    ends = [each.name for each in record.players if each.name not in called] + [each.name for each in called.values()]
    called = {name: each for name, each in called.items() if each.name == name or ends.count(each.name) == 1}

    def name(player: str) -> str:
        return called[player].name if player in called else player

    if all(name(player) == player for player in called):
        return record
    try:
        lines = tuple(with_names(map(parse_line, part), name) for part in record.record)
    except EngineError as error:
        log.warning("the record of %s cannot be read: %s", record.game, error)
        lines = ()
    return replace(
        record,
        players=tuple(called.get(player.name, player) for player in record.players),
        places=tuple(tuple(map(name, sharing)) for sharing in record.places),
        record=lines,
    )


def _called(player: ClubPlayer, names: BookNames) -> ClubPlayer:
    wanted = names.get(player.name, player.name)
    return replace(player, name=wanted or f"({player.colour})", named=bool(wanted))
