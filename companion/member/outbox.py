"""Reads the lines of a table's journal for its club from the disk: the journal is the outbox.

Only what is on disk is published, so that a power cut can revoke nothing.
"""

from __future__ import annotations

import re
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.table.errors import JournalError
from companion.table.game.events import Events
from companion.table.game.history import by_command
from companion.table.journal.event_rows import event_of_row
from companion.table.journal.saved_games import journal_file, open_for_reading

if TYPE_CHECKING:
    from companion.member.payloads import Acknowledgement, EventKey, EventMessage

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
    """The start of the program in which it was executed: its number and time, such as "12-20261124T201500123"."""
    seq: int
    """The number of the command's last row."""
    at: str
    """The time, ISO 8601, which may be wrong."""
    events: Events


def journal_lines(folder: Path, since: int) -> Iterator[JournalLine]:
    """The lines on disk after row `since` (0: all), oldest first.

    A journal from before commands were marked has none: its games were played before there were clubs. Raises
    `JournalError`, `DamagedJournalError`.
    """
    path = journal_file(folder)
    if not path.exists():
        return
    with open_for_reading(path) as database:
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
    """The number of the last row on disk; 0 if empty. Raises `JournalError`."""
    rows = _rows(folder, "SELECT COALESCE(MAX(seq), 0) FROM event")
    return int(rows[0][0]) if rows else 0


def runs_in(folder: Path) -> dict[str, int]:
    """Name of each start of the program on disk -> the last row at its end. Raises `JournalError`."""
    found: dict[str, int] = {}
    last = 0
    for start, began, seq in _rows(folder, _RUNS):
        last = max(last, seq)
        found[run_name(start, began)] = last
    return found


def _rows(folder: Path, query: str) -> list[Any]:
    """The rows of a query to the journal; empty if there is no journal yet. Raises `JournalError`."""
    path = journal_file(folder)
    if not path.exists() or not path.stat().st_size:
        return []
    with open_for_reading(path) as database:
        try:
            return database.execute(query).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"{path} cannot be read: {error}.") from error


def run_name(start: int, began: str | None) -> str:
    """The name of a start of the program. A restored backup repeats numbers, but not times."""
    return f"{start}-{re.sub(r'[^0-9T]', '', (began or '').partition('+')[0])}"


WINDOW: Final = 50
"""The most events that may be in flight."""
ACK_PATIENCE_SECONDS: Final = 10.0
"""Seconds without an acknowledgement after which events in flight are sent again."""


class Outbox:
    """The events after the one that the hub last acknowledged."""

    def __init__(self, since: EventKey | None) -> None:
        """`since`: the hub has this event and all before it; None: it has none."""
        self.since = since
        self.found = since is None
        """`since` was among the events. If it never is, the hub knows another journal, and gets all of this one."""
        self._waiting: deque[EventMessage] = deque()
        self._sent = 0
        """The number of waiting events that are in flight."""
        self._sent_at = float("-inf")

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, messages: Iterable[EventMessage]) -> None:
        """Add the journal's next events, beginning with its first one."""
        for message in messages:
            self._waiting.append(message)
            if not self.found and message.key == self.since:
                self.found = True
                self._waiting.clear()

    def acknowledge(self, ack: Acknowledgement) -> bool:
        """Record what the hub has. Returns False if it wants events before the waiting ones: start again from
        `ack.key`."""
        if ack.key != self.since:
            known = next((n for n, message in enumerate(self._waiting) if message.key == ack.key), None)
            if known is None:
                return not ack.missing
            for _ in range(known + 1):
                self._waiting.popleft()
            self.since, self._sent = ack.key, max(0, self._sent - known - 1)
            self._sent_at = float("-inf") if self._sent == 0 else self._sent_at
        if ack.missing:
            self.send_again()
        return True

    def send_again(self) -> None:
        """Mark all events as not in flight, because the connection was lost or the hub was away."""
        self._sent = 0

    def due(self, now: float) -> list[EventMessage]:
        """The events to send now, which then count as in flight. `now`: monotonic seconds."""
        if self._sent and now - self._sent_at >= ACK_PATIENCE_SECONDS:
            self.send_again()
        found = [self._waiting[n] for n in range(self._sent, min(WINDOW, len(self._waiting)))]
        if found:
            self._sent += len(found)
            self._sent_at = now
        return found
