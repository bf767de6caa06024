"""Saves the phones in a small SQLite file in the state folder, which only this program's user may read."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from companion.kept_database import check_header, connect, tells_of_damage
from companion.kept_file import set_aside
from companion.state_folder import PHONES_FILE

log = logging.getLogger(__name__)

PhoneRow = tuple[str, str, str | None, str | None, int, int]
"""Id, key, role, player, 1 if it ever played, and `HOST`, `LENT`, `HELD` or 0."""
HOST, LENT, HELD = 1, 2, 3

_PATIENCE: Final = 1.0
"""Seconds to wait for another writer."""
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS phone (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT NOT NULL, role TEXT, player TEXT UNIQUE, host INTEGER,
    acted INTEGER NOT NULL DEFAULT 0
)
"""


def read(folder: Path) -> list[PhoneRow] | None:
    """Every phone, oldest first; None if the file cannot be read now, for example because another program uses it.

    A damaged file is set aside, and every phone has to join again.
    """
    path = folder / PHONES_FILE
    if not path.exists():
        return []
    try:
        check_header(path)
        with closing(connect(path, timeout=_PATIENCE)) as database:
            return _checked(_rows(database))
    except (sqlite3.Error, OSError, ValueError) as error:
        if isinstance(error, OSError) or (isinstance(error, sqlite3.Error) and not tells_of_damage(error)):
            log.warning("The phones in %s cannot be read now (%s). The file stays as it is.", path, error)
            return None
        set_aside(path, error, "Every phone has to join again.")
        return []


def write(folder: Path, rows: Mapping[str, PhoneRow]) -> None:
    """Write the differences between `rows`, all phones by id, and the file. A failure is logged."""
    path = folder / PHONES_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            _write_file(path, rows)
        except sqlite3.Error as error:
            if not tells_of_damage(error):
                raise
            set_aside(path, error, "It is written anew.")
            _write_file(path, rows)
    except (sqlite3.Error, OSError) as error:
        log.warning("The phones cannot be kept in %s (%s): they join again after a restart.", path, error)


def _write_file(path: Path, rows: Mapping[str, PhoneRow]) -> None:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)  # SQLite would make it readable by others
    try:
        os.fchmod(file, 0o600)
    finally:
        os.close(file)
    with closing(connect(path, timeout=_PATIENCE)) as database:
        _write(database, rows)


def _columns(database: sqlite3.Connection) -> set[str]:
    return {column[1] for column in database.execute("PRAGMA table_info(phone)")}


def _rows(database: sqlite3.Connection) -> list[PhoneRow]:
    columns = _columns(database)
    if not columns:
        if database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone() != (0,):
            raise ValueError("it has other tables")
        return []  # the program was killed before it wrote any
    acted = "acted" if "acted" in columns else "role IN ('player', 'table')"
    return database.execute(
        f"SELECT id, key, role, player, COALESCE({acted}, 0), COALESCE(host, 0) FROM phone ORDER BY place"
    ).fetchall()


def _checked(rows: list[PhoneRow]) -> list[PhoneRow]:
    """The rows if every value has its type. Raises `ValueError`: SQLite returns whatever a damaged byte turned them
    into.
    """
    for text in (text for row in msgspec.convert(rows, list[PhoneRow]) for text in row[:4]):
        if text is not None:
            text.encode()
    return rows


def _write(database: sqlite3.Connection, rows: Mapping[str, PhoneRow]) -> None:
    # EXTRA also syncs the folder: an acknowledged change survives a power cut.
    database.execute("PRAGMA synchronous = EXTRA")
    with database:
        database.execute("BEGIN IMMEDIATE")
        if "acted" not in _columns(database):  # an older version's
            database.execute("DROP TABLE IF EXISTS phone")
        database.execute(_TABLE)
        before = {row[0]: row for row in _rows(database)}
        # Deletions come first: two phones that swap seats never share one.
        database.executemany(
            "DELETE FROM phone WHERE id = ?", [(name,) for name, row in before.items() if rows.get(name) != row]
        )
        database.executemany(
            "INSERT INTO phone (id, key, role, player, acted, host) VALUES (?, ?, ?, ?, ?, ?)",
            [row for name, row in rows.items() if before.get(name) != row],
        )
