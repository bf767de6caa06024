"""Every event of a journal, also those that wait in memory."""

from __future__ import annotations

from companion.table import Journal
from companion.table.game.events import Events
from companion.table.journal.event_rows import EventRow, commands, event_of_row, event_rows


def lines_of(journal: Journal) -> tuple[Events, ...]:
    """Oldest first, grouped by command."""
    database = journal._open()
    rows = [*map(EventRow._make, database.execute(event_rows(database))), *journal._waiting]
    return tuple(tuple(event_of_row("A line", row.kind, row.body) for row in line) for line in commands(rows))
