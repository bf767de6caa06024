"""What can be read of a damaged journal.

An event that cannot be understood, or does not fit what was before it, takes the rest of its game with it: nobody knows
what happened there. The games before and after it stay.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from companion.engine import EngineError
from companion.table.errors import DamagedJournalError
from companion.table.game.events import KINDS, Event, GameOpened, Judged
from companion.table.game.history import History
from companion.table.journal.journal import EventRow, any_text, event_of_row, event_rows


def rows_in(database: sqlite3.Connection) -> list[EventRow]:
    """Every row of an event that SQLite can still find, oldest first."""
    database.text_factory = any_text
    found: dict[int, EventRow] = {}
    with suppress(sqlite3.Error):
        forward = event_rows(database)
        for statement in (forward, f"{forward} DESC"):  # from either end up to the damage
            with suppress(sqlite3.Error):
                for row in map(EventRow._make, database.execute(statement)):
                    if _is_row(row):
                        found.setdefault(row.seq, row)
    return [found[seq] for seq in sorted(found)]


def readable(rows: Iterable[EventRow], where: str) -> tuple[list[EventRow], list[str]]:
    """The rows that give whole games, or games up to the damage; and a sentence for every damage.

    `where` names the journal. What is left can be replayed without an error.
    """
    kept: list[EventRow] = []
    damage: list[str] = []
    history, lost, last = History(), False, 0
    first = 0
    """The first step of the games that are known without a gap."""
    for command in _commands(rows):
        at = f"Line {command[0].seq} of {where}"
        gap, last = command[0].seq != last + 1, command[-1].seq
        try:
            events = _events(command, where)
            opens = isinstance(events[0], GameOpened)
            if not opens and (lost or gap):
                if not lost:
                    damage.append(f"What was before line {command[0].seq} of {where} is gone.")
                lost = True
                continue
            after = history.after(events)
            assert (after.last.number if after.last else 0) >= first, "it goes back to a game that cannot be read"
        except (DamagedJournalError, AssertionError, EngineError, LookupError, ValueError) as error:
            if not lost:
                damage.append(
                    error.what
                    if isinstance(error, DamagedJournalError)
                    else f"{at} does not fit what was before: {error}."
                )
            lost = True
            continue
        if opens and (lost or gap):
            first = after.steps
        lost, history = False, after
        kept += command
    return kept, damage


def _events(command: Sequence[EventRow], where: str) -> tuple[Event, ...]:
    return tuple(event_of_row(f"Line {row.seq} of {where}", row.kind, row.body) for row in command)


def _commands(rows: Iterable[EventRow]) -> Iterator[list[EventRow]]:
    """The rows of each command, as `companion.table.game.history.by_command` groups its events."""
    command: list[EventRow] = []
    for row in rows:
        same = KINDS.get(row.kind) is Judged if row.step is None else command and row.step == command[-1].step
        if command and not same:
            yield command
            command = []
        command.append(row)
    if command:
        yield command


def _is_row(row: EventRow) -> bool:
    """Whether every value has its type: SQLite finds what a spoilt byte has made of it."""
    return all(type(value) is int for value in (row.seq, row.start)) and (
        all(type(value) is str for value in (row.at, row.kind, row.body)) and isinstance(row.step, int | None)
    )
