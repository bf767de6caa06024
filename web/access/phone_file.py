"""The phones on disk: a small SQLite file in the state folder that only this program's user may read.

A file that cannot be read now (another program has it) stays as it is and is read later; only a damaged one is put
aside. Nothing is written over what was not read.
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

PHONES_FILE: Final = "phones.sqlite3"
"""The file in the state folder."""
DAMAGED_PHONES_FILE: Final = "phones.sqlite3.damaged"
"""Its name once it is damaged."""

PhoneRow = tuple[str, str, str | None, str | None, int, int]
"""Id, key, role, player, whether it ever played, and `HOST`, `LENT` or 0."""
HOST, LENT = 1, 2

_DAMAGES: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_PRIMARY: Final = 0xFF
"""The bits of SQLite's primary result code."""
_PATIENCE: Final = 1.0
"""Seconds to wait for another writer."""
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS phone (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT NOT NULL, role TEXT, player TEXT UNIQUE, host INTEGER
)
"""
_ACTED: Final = "ALTER TABLE phone ADD COLUMN acted INTEGER NOT NULL DEFAULT 0"


class PhoneFile:
    """The file of phones. Call it from one thread at a time."""

    def __init__(self, folder: Path | None) -> None:
        """`folder` None keeps nothing."""
        self._folder = folder
        self._on_disk: dict[str, PhoneRow] | None = {} if folder is None else None
        """The rows of the file, None while they are unknown."""

    def read(self) -> list[PhoneRow] | None:
        """Every phone, oldest first; None where the file cannot be read now."""
        if self._folder is None:
            return []
        path = self._folder / PHONES_FILE
        try:
            rows = _rows(path) if path.exists() else []
        except (sqlite3.Error, OSError) as error:
            if getattr(error, "sqlite_errorcode", 0) & _PRIMARY not in _DAMAGES:
                log.warning("The phones in %s cannot be read now (%s). The file stays as it is.", path, error)
                return None
            log.warning("The phones in %s cannot be read (%s): every phone has to join again.", path, error)
            with contextlib.suppress(OSError):
                path.replace(self._folder / DAMAGED_PHONES_FILE)
            rows = []
        self._on_disk = {row[0]: row for row in rows}
        return rows

    def write(self, rows: Mapping[str, PhoneRow]) -> None:
        """Write what differs from the file; `rows` are all phones by id."""
        if self._folder is None or self._on_disk is None:
            return
        path = self._folder / PHONES_FILE
        before = self._on_disk if path.exists() else {}
        gone = [name for name in before if name not in rows]
        other = [row for name, row in rows.items() if before.get(name) != row]
        if not gone and not other:
            return
        try:
            _write(path, gone, other)
        except (sqlite3.Error, OSError) as error:
            log.warning("The phones cannot be kept in %s (%s): they join again after a restart.", path, error)
        else:
            self._on_disk = dict(rows)


def _columns(database: sqlite3.Connection) -> set[str]:
    return {column[1] for column in database.execute("PRAGMA table_info(phone)")}


def _rows(path: Path) -> list[PhoneRow]:
    with closing(sqlite3.connect(path, timeout=_PATIENCE)) as database:
        columns = _columns(database)
        if not columns:
            return []  # the program was killed before it wrote any
        acted = "acted" if "acted" in columns else "role IN ('player', 'table')"
        return database.execute(
            f"SELECT id, key, role, player, COALESCE({acted}, 0), COALESCE(host, 0) FROM phone ORDER BY place"
        ).fetchall()


def _write(path: Path, gone: list[str], other: list[PhoneRow]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)  # SQLite would make it readable by others
    try:
        os.fchmod(file, 0o600)
    finally:
        os.close(file)
    with closing(sqlite3.connect(path, timeout=_PATIENCE)) as database:
        # EXTRA syncs the folder as well: what was answered survives a pulled plug.
        database.execute("PRAGMA synchronous = EXTRA")
        with database:
            database.execute(_TABLE)
            if "acted" not in _columns(database):
                database.execute(_ACTED)
            # Deletes come first: two phones that swap seats never share one.
            database.executemany(
                "DELETE FROM phone WHERE id = ?", [(name,) for name in (*gone, *(r[0] for r in other))]
            )
            database.executemany(
                "INSERT INTO phone (id, key, role, player, acted, host) VALUES (?, ?, ?, ?, ?, ?)", other
            )
