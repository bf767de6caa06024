"""The lines of a table's journal for its club, read from the disk: the journal is the outbox.

What is not on disk is not there, so that nothing is published that a power cut could take back.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.table.errors import JournalError
from companion.table.game.events import Events
from companion.table.game.history import by_command
from companion.table.journal.journal import any_text, event_of_row
from companion.table.journal.saved_games import journal_file, open_for_reading

_SINCE: Final = """
SELECT event.seq, event.step, event.start, start.at, event.at, event.kind, event.body
FROM event LEFT JOIN start ON start.id = event.start
WHERE event.seq > ? ORDER BY event.seq
"""


_RUNS: Final = """
SELECT start.id, start.at, COALESCE(MAX(event.seq), 0)
FROM start LEFT JOIN event ON event.start = start.id GROUP BY start.id ORDER BY start.id
"""


class JournalLine(NamedTuple):
    """The events of one command."""

    run: str
    """The start of the program in which it was given: its number and time, as "12-20261124T201500123"."""
    seq: int
    """The number of the command's last row."""
    at: str
    """The time of day, ISO 8601, which may be wrong."""
    events: Events


def journal_lines(folder: Path, since: int) -> Iterator[JournalLine]:
    """The lines on disk after row `since` (0: all), oldest first.

    A journal from before commands were marked has none: its games were played before there were clubs.
    Raises `JournalError`, `DamagedJournalError`.
    """
    path = journal_file(folder)
    if not path.exists():
        return
    with open_for_reading(path) as database:
        database.text_factory = any_text
        try:
            (version,) = database.execute("PRAGMA user_version").fetchone()
            rows = database.execute(_SINCE, (since,)).fetchall() if version > 1 else []
        except sqlite3.Error as error:
            raise JournalError(f"{path} cannot be read: {error}.") from error
    for _, group in groupby(rows, key=lambda row: row[0] if row[1] is None else row[1]):
        command = list(group)
        seq, _, start, began, at, _, _ = command[-1]
        events = by_command((row[1], event_of_row(f"Line {row[0]} of {path}", row[5], row[6])) for row in command)
        yield JournalLine(run_name(start, began), seq, at, events[0])


def last_row(folder: Path) -> int:
    """The number of the last row on disk; 0 without one. Raises `JournalError`."""
    rows = _rows(folder, "SELECT COALESCE(MAX(seq), 0) FROM event")
    return int(rows[0][0]) if rows else 0


def runs_in(folder: Path) -> dict[str, int]:
    """Each start of the program on disk, by its name -> the last row at its end. Raises `JournalError`."""
    found: dict[str, int] = {}
    last = 0
    for start, began, seq in _rows(folder, _RUNS):
        last = max(last, seq)
        found[run_name(start, began)] = last
    return found


def _rows(folder: Path, query: str) -> list[Any]:
    """The rows of a query to the journal; none where there is no journal yet. Raises `JournalError`."""
    path = journal_file(folder)
    if not path.exists() or not path.stat().st_size:
        return []
    with open_for_reading(path) as database:
        try:
            return database.execute(query).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"{path} cannot be read: {error}.") from error


def run_name(start: int, began: str | None) -> str:
    """The name of a start of the program. A backup that is put back repeats numbers, but not times."""
    return f"{start}-{re.sub(r'[^0-9T]', '', (began or '').partition('+')[0])}"
