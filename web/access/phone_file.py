"""The phones on disk: one small SQLite file in the state folder, that only this program's user may read.

What cannot be read just now (another program has the file) stays as it is and is read later; only a file that is no
database any more is put aside. Nothing is written over what was not read.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

FILE: Final = "phones.sqlite3"
"""The file in the state folder."""
DAMAGED: Final = "phones.sqlite3.damaged"
"""What it is called once it is no database any more, for whoever wants to look."""

Row = tuple[str, str, str | None, str | None, int, int]
"""The id of a phone, its key, role, player, whether it ever had a part in the game, and `HOST`, `LENT` or 0."""
HOST, LENT = 1, 2

_DAMAGES: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_PRIMARY: Final = 0xFF
"""The part of SQLite's result codes that says what, without how."""
_PATIENCE: Final = 1.0
"""Seconds to wait for another program that has the file."""
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS phone (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT NOT NULL, role TEXT, player TEXT UNIQUE, host INTEGER
)
"""
_ACTED: Final = "ALTER TABLE phone ADD COLUMN acted INTEGER NOT NULL DEFAULT 0"


class Kept:
    """The file. One thread at a time: `web.access.phones` sees to that."""

    def __init__(self, folder: Path | None) -> None:
        """The file in `folder`; None keeps nothing."""
        self._folder = folder
        self._written: dict[str, Row] | None = {} if folder is None else None
        """What the file has, None while that is not known."""

    def read(self) -> list[Row] | None:
        """Every phone, in the order in which they were written; None where the file cannot be read just now."""
        if self._folder is None:
            return []
        path = self._folder / FILE
        try:
            rows = _rows(path) if path.exists() else []
        except (sqlite3.Error, OSError) as error:
            if getattr(error, "sqlite_errorcode", 0) & _PRIMARY not in _DAMAGES:
                log.warning("The phones in %s cannot be read now (%s). The file stays as it is.", path, error)
                return None
            log.warning("The phones in %s cannot be read (%s): every phone has to join again.", path, error)
            with contextlib.suppress(OSError):
                path.replace(self._folder / DAMAGED)
            rows = []
        self._written = {row[0]: row for row in rows}
        return rows

    def write(self, rows: Mapping[str, Row]) -> None:
        """The phones are these now, by their ids: what is new, other or gone is written."""
        if self._folder is None or self._written is None:
            return
        path = self._folder / FILE
        before = self._written if path.exists() else {}
        gone = [name for name in before if name not in rows]
        other = [row for name, row in rows.items() if before.get(name) != row]
        if not gone and not other:
            return
        try:
            _write(path, gone, other)
        except (sqlite3.Error, OSError) as error:
            log.warning("The phones cannot be kept in %s (%s): they join again after a restart.", path, error)
        else:
            self._written = dict(rows)


def _columns(database: sqlite3.Connection) -> set[str]:
    return {column[1] for column in database.execute("PRAGMA table_info(phone)")}


def _rows(path: Path) -> list[Row]:
    with closing(sqlite3.connect(path, timeout=_PATIENCE)) as database:
        columns = _columns(database)
        if not columns:
            return []  # the program was killed before it had written any
        acted = "acted" if "acted" in columns else "role IN ('player', 'table')"
        return database.execute(
            f"SELECT id, key, role, player, COALESCE({acted}, 0), COALESCE(host, 0) FROM phone ORDER BY place"
        ).fetchall()


def _write(path: Path, gone: list[str], other: list[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)  # SQLite's own would be readable by others
    try:
        os.fchmod(file, 0o600)
    finally:
        os.close(file)
    with closing(sqlite3.connect(path, timeout=_PATIENCE)) as database:
        # With a plug that is pulled, what was answered is on disk: EXTRA waits for the folder too.
        database.execute("PRAGMA synchronous = EXTRA")
        with database:
            database.execute(_TABLE)
            if "acted" not in _columns(database):
                database.execute(_ACTED)
            # All that changes goes before any comes: two phones that change seats never have the same one.
            database.executemany(
                "DELETE FROM phone WHERE id = ?", [(name,) for name in (*gone, *(r[0] for r in other))]
            )
            database.executemany(
                "INSERT INTO phone (id, key, role, player, acted, host) VALUES (?, ?, ?, ?, ?, ?)", other
            )
