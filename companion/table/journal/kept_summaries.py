"""The journal's table of summaries of final games.

It contains nothing that does not follow from the events: rows that are missing, damaged or of another version are
computed again. Programs that do not know the table leave it alone.
"""

from __future__ import annotations

import logging
import sqlite3
import sys
from collections.abc import Iterable
from typing import Final

import msgspec

from companion.table.past.game_replay import GameBeginning
from companion.table.past.game_summary import VERSION, GameSummary

log = logging.getLogger(__name__)

_TABLE: Final = """
CREATE TABLE IF NOT EXISTS summary (
    imported INTEGER NOT NULL,
    number INTEGER NOT NULL,
    version INTEGER NOT NULL,
    beginning TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (imported, number)
) STRICT
"""

KeptSummary = tuple[GameSummary, GameBeginning | None]
"""A game, and where to replay it; None for an imported one."""

_summary: Final = msgspec.json.Decoder(GameSummary)
_beginning: Final = msgspec.json.Decoder(GameBeginning | None)


def kept_summaries(database: sqlite3.Connection) -> list[KeptSummary]:
    """The games with valid rows: imported ones, and those played here up to the first without one."""
    found: list[KeptSummary] = []
    played = 0
    for row in _rows(database, "ORDER BY imported DESC, number"):
        kept = _decoded(*row)
        if kept is not None and kept[0].imported:
            found.append(kept)
        elif kept is not None and kept[0].number == played + 1:
            found.append(kept)
            played += 1
    return found


def beginning_before(database: sqlite3.Connection, number: int = sys.maxsize) -> GameBeginning | None:
    """Where to replay game `number`: its own beginning, or else that of the last game before it with a valid row."""
    for row in _rows(database, "AND NOT imported AND number <= ? ORDER BY number DESC LIMIT 1", (number,)):
        kept = _decoded(*row)
        return None if kept is None else kept[1]
    return None


def beginning_games_before(database: sqlite3.Connection, row: int, games: int) -> GameBeginning | None:
    """Where to replay from to get `games` games before the last one that began with event `row` or earlier; None for
    the beginning of the journal.
    """
    began = "json_extract(beginning, '$.row')"  # shared by games that were undone and redone
    which = f"AND NOT imported AND {began} <= ? GROUP BY {began} ORDER BY number DESC LIMIT 1 OFFSET ?"
    try:
        found = _rows(database, which, (row, games))
    except sqlite3.Error as error:
        log.warning("the journal is read from its first game on: %s", error)
        return None
    kept = _decoded(*found[0]) if found else None
    return None if kept is None else kept[1]


def keep_summaries(database: sqlite3.Connection, summaries: Iterable[KeptSummary], *, anew: bool = False) -> None:
    """Write rows. `anew`: delete all others first. Raises `sqlite3.Error`."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        database.execute(_TABLE)
        if anew:
            database.execute("DELETE FROM summary")
        database.executemany(
            "INSERT OR REPLACE INTO summary (imported, number, version, beginning, body) VALUES (?, ?, ?, ?, ?)",
            ((each.imported, each.number, VERSION, _json(beginning), _json(each)) for each, beginning in summaries),
        )


def _rows(database: sqlite3.Connection, which: str, values: tuple[int, ...] = ()) -> list[tuple[int, int, str, str]]:
    if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'summary'").fetchone() is None:
        return []
    statement = f"SELECT imported, number, beginning, body FROM summary WHERE version = {VERSION} {which}"
    return database.execute(statement, values).fetchall()


def _decoded(imported: int, number: int, beginning: str, body: str) -> KeptSummary | None:
    """A row; None if it is damaged."""
    try:
        found = _summary.decode(body), _beginning.decode(beginning)
    except ValueError as error:
        log.warning("what game %d comes to is made again, since its row is spoilt: %s", number, error)
        return None
    game, where = found
    fits = (game.imported, game.number, where is None) == (bool(imported), number, bool(imported))
    return found if fits else None


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
