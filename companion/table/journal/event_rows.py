"""The rows of the journal's events, read from its database."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from companion.engine import EngineError
from companion.table.errors import DamagedJournalError
from companion.table.game.events import KINDS, Event, Judged, from_json
from companion.table.past.game_replay import GameReplay, ReplayedGame


class EventRow(NamedTuple):
    """One event as a row of the journal."""

    seq: int
    """From 1, without a gap."""
    step: int | None
    """The `seq` of the first event of the same command; None in journals of version 1."""
    start: int
    """The number of the program start during which it happened."""
    at: str
    """The time of day, which may be wrong and is not used for ordering."""
    kind: str
    body: str


def event_rows(database: sqlite3.Connection, since: int = 1) -> str:
    """The statement for the events from row `since`; `step` is NULL in journals of version 1, which lack that
    column."""
    has_step = database.execute("SELECT 1 FROM pragma_table_info('event') WHERE name = 'step'").fetchone()
    step = "step" if has_step else "NULL"
    return f"SELECT seq, {step}, start, at, kind, body FROM event WHERE seq >= {since} ORDER BY seq"


def event_of_row(where: str, kind: str, body: str) -> Event:
    """The event of a row. Raises `DamagedJournalError`, naming the row by `where`, if it cannot be parsed."""
    try:
        return from_json(kind, json.loads(body.encode()))
    except (ValueError, RecursionError) as error:
        raise DamagedJournalError(f"{where} cannot be understood: {str(error).rstrip('.')}.") from error


def commands(rows: Iterable[EventRow]) -> Iterator[list[EventRow]]:
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


def replay_rows(database: sqlite3.Connection, replay: GameReplay, where: str) -> Iterator[ReplayedGame]:
    """Replay the events from where `replay` begins to the end; yields each game when no undo can change it any more.

    `where` names the journal in errors. Raises `DamagedJournalError` for an event that cannot be parsed or does not fit
    the previous ones, and `sqlite3.Error`.
    """
    rows = map(EventRow._make, database.execute(event_rows(database, replay.since.row)))
    for command in commands(rows):
        events = tuple(event_of_row(f"Line {row.seq} of {where}", row.kind, row.body) for row in command)
        try:
            final = replay.step(command[0].seq, command[0].at, events)
        except (AssertionError, EngineError, LookupError, ValueError) as error:
            raise DamagedJournalError(f"{where[:1].upper()}{where[1:]} does not fit together: {error}.") from error
        if final is not None:
            yield final
