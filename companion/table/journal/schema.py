"""The tables of the journal's file, their versions, and how the file is opened.

A file is read before it is written: a file that is damaged, belongs to another program or has a later version is
refused before a byte of it changes.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from companion.kept_database import check_header, connect, primary_code, tells_of_damage
from companion.table.errors import DamagedJournalError, JournalError
from companion.table.journal import write_ahead_log

SCHEMA_VERSION: Final = 2
"""The version of the tables below."""

APPLICATION_ID: Final = 0x50455255
"""SQLite's mark for the program that owns a file: "PERU"."""

WRITE_PATIENCE: Final = 1.0
"""Seconds to wait for another writer. The whole table is blocked meanwhile."""

_FIRST: Final = """
CREATE TABLE event (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    start INTEGER NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE TABLE start (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL
) STRICT;
CREATE TRIGGER event_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER event_fixed BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""

_SECOND: Final = """
ALTER TABLE event ADD COLUMN step INTEGER;
CREATE TABLE record (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    name TEXT NOT NULL,
    lines TEXT NOT NULL UNIQUE
) STRICT;
"""
"""`step` groups the events of one command; `record` holds imported games."""

UPGRADES: Final[tuple[str, ...]] = (_FIRST, _SECOND)
"""The script from each version to the next. Append only."""

_COLUMNS: Final = (
    set[str](),
    {"event.seq", "event.start", "event.at", "event.kind", "event.body", "start.id", "start.at"},
    {"event.seq", "event.start", "event.at", "event.kind", "event.body", "start.id", "start.at"}
    | {"event.step", "record.id", "record.at", "record.name", "record.lines"},
)
"""Version -> its columns."""

_FILE_ENDINGS: Final = ("", "-wal", "-journal")
"""The endings of a database's files. SQLite rebuilds the index of the WAL (-shm)."""


Row = tuple[object, ...]

Check = Callable[[sqlite3.Connection], None]
"""Raises `JournalError` if a journal must not be opened."""


def open_for_writing(path: Path, check: Check | None = None) -> sqlite3.Connection:
    """Open the journal at `path` for writing, and create or upgrade it if necessary.

    `check` is called with a read-only connection first. Raises `JournalError` for a file that is damaged or not ours,
    which stays as it is, and `sqlite3.Error` if it cannot be written.
    """
    version = version_in(path, check)
    # Each command runs in its own thread, one at a time under the table's lock.
    database = connect(path, isolation_level=None, check_same_thread=False, timeout=WRITE_PATIENCE)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        if version < SCHEMA_VERSION:
            if version:
                _copy_aside(database, path.with_suffix(f".v{version}.sqlite3"))
            upgrade(database, version)
        _check_writable(database)
    except BaseException:
        database.close()
        raise
    return database


def in_memory(path: Path, check: Check | None = None) -> sqlite3.Connection:
    """Copy the journal at `path` into memory and upgrade the copy; the file stays as it is.

    For a read-only disk, where SQLite cannot recover an interrupted journal. Without a file the copy is empty. Raises
    `JournalError` like `open_for_writing`, and `OSError` or `sqlite3.Error` if it cannot be read.
    """
    memory = connect(":memory:", isolation_level=None, check_same_thread=False)
    try:
        version = 0
        if path.exists():
            with a_copy(path) as database:
                version = _check_version(database, path, check)
                database.execute("PRAGMA journal_mode=DELETE")  # not needed in memory
                database.backup(memory)
        if version < SCHEMA_VERSION:
            upgrade(memory, version)
    except BaseException:
        memory.close()
        raise
    return memory


@contextmanager
def a_copy(path: Path, *, whole_log: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a copy of the file and its log: whatever SQLite does to them, the file stays as it is.

    whole_log: apply all of the log; SQLite itself reads it only up to damage.
    """
    ram = Path("/dev/shm")  # not beside the file, where there may be no space
    with tempfile.TemporaryDirectory(dir=ram if os.access(ram, os.W_OK) else None) as folder:
        copy = Path(folder) / path.name
        for end in _FILE_ENDINGS:
            part = Path(f"{path}{end}")
            if part.exists():
                shutil.copyfile(part, f"{copy}{end}")
        if whole_log:
            write_ahead_log.apply_all(copy)
        with closing(connect(copy, isolation_level=None)) as database:
            yield database


def check_log(path: Path) -> None:
    """Raise `DamagedJournalError` if SQLite would drop acknowledged events from its log. Nobody may be writing."""
    found = write_ahead_log.frames(path)
    if not found:
        return
    with a_copy(path) as database:
        (_, read, _) = database.execute("PRAGMA wal_checkpoint").fetchone()
    if write_ahead_log.is_cut(found, max(read, 0)):
        raise DamagedJournalError(_damaged(path, f"of {len(found)} pages in its log, {read} can be read as they are"))


def version_in(path: Path, check: Check | None = None) -> int:
    """The version of the journal at `path`, 0 if it is empty. Raises the same errors as `open_for_writing`."""
    if not path.exists():
        return 0
    if path.stat().st_size == 0:
        wal = Path(f"{path}-wal")
        if wal.exists() and wal.stat().st_size:  # SQLite would discard it
            raise DamagedJournalError(_damaged(path, "it is empty, but what belongs to it is not"))
        return 0
    try:
        return _version_by(path, "ro", check)
    except sqlite3.OperationalError as error:
        if primary_code(error) != sqlite3.SQLITE_READONLY:
            raise
    # Its creation was interrupted: SQLite must roll that back before it can be read.
    return _version_by(path, "rw", check)


def _version_by(path: Path, mode: str, check: Check | None) -> int:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    with closing(connect(uri, uri=True, isolation_level=None, timeout=WRITE_PATIENCE)) as database:
        return _check_version(database, path, check)


def _check_version(database: sqlite3.Connection, path: Path, check: Check | None) -> int:
    """The version; 0 if empty. Raises `JournalError`, which names `path`, if the file is not a journal of ours."""
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        (owner,) = database.execute("PRAGMA application_id").fetchone()
        (things,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        check_header(path)
        if (version, owner, things) == (0, 0, 0):
            return 0
        columns = _columns(database)
        if (version, owner) != (SCHEMA_VERSION, APPLICATION_ID) and _own(columns) == _COLUMNS[SCHEMA_VERSION]:
            raise DamagedJournalError(_damaged(path, "its tables are this program's, and its version is not"))
        if owner != APPLICATION_ID:
            raise JournalError(f"{path} is a database of another program. Name another folder (--state).")
        if version < 1:
            raise JournalError(f"{path} is a journal of no version of perudo's ({version}).")
        if version > SCHEMA_VERSION:
            raise JournalError(
                f"{path} was written by a newer perudo (its version is {version}, this program knows "
                f"{SCHEMA_VERSION}). Update the program, or name another folder (--state)."
            )
        if not columns >= _COLUMNS[version]:
            raise DamagedJournalError(_damaged(path, "its tables are not its version's"))
        (result,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        if tells_of_damage(error):
            raise DamagedJournalError(_damaged(path, str(error))) from error
        raise
    if result != "ok":
        raise DamagedJournalError(_damaged(path, str(result).strip().replace("\n", ", ")))
    if check is not None:
        check(database)
    return int(version)


def _columns(database: sqlite3.Connection) -> frozenset[str]:
    """The columns as "table.column"."""
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    return frozenset(
        f"{table}.{column}"
        for (table,) in tables.fetchall()
        for (column,) in database.execute("SELECT name FROM pragma_table_info(?)", (table,))
    )


def _own(columns: frozenset[str]) -> frozenset[str]:
    """The columns except those of `companion.table.journal.kept_summaries`, which any version may have."""
    return frozenset(each for each in columns if not each.startswith("summary."))


def _damaged(path: Path, how: str) -> str:
    return f"The journal {path} is damaged: {how}."


def upgrade(database: sqlite3.Connection, version: int) -> None:
    """Upgrade a journal from `version` (0: empty) to this one, in one transaction."""
    statements = (
        "BEGIN IMMEDIATE;",
        *UPGRADES[version:],
        f"PRAGMA application_id={APPLICATION_ID};",
        f"PRAGMA user_version={SCHEMA_VERSION};",
        "COMMIT;",
    )
    database.executescript("\n".join(statements))


def write_new(path: Path, starts: Iterable[Row], events: Iterable[Row], records: Iterable[Row]) -> None:
    """Write a new journal with these rows: (id, at); (seq, step, start, at, kind, body); (id, at, name, lines).

    Its tables are ours, whatever else the original file contained. Raises `sqlite3.Error`.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        upgrade(database, 0)
        database.execute("BEGIN")
        database.executemany("INSERT INTO start (id, at) VALUES (?, ?)", starts)
        database.executemany("INSERT INTO event (seq, step, start, at, kind, body) VALUES (?, ?, ?, ?, ?, ?)", events)
        database.executemany("INSERT INTO record (id, at, name, lines) VALUES (?, ?, ?, ?)", records)
        database.execute("COMMIT")


def check_plain(database: sqlite3.Connection, path: Path) -> None:
    """Raise `JournalError` unless the file contains only tables and their indexes: reading a view may never end."""
    odd = database.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type != 'table' LIMIT 1"
    ).fetchone()
    if odd is not None:
        raise JournalError(f"{path} is not of perudo's: {odd[0]} is no table.")


def _check_writable(database: sqlite3.Connection) -> None:
    """Raise `sqlite3.Error` if SQLite has silently opened the file read-only.

    Such a connection, and all others of this process while it is open, stay read-only even if the disk recovers.
    """
    try:
        database.execute("BEGIN IMMEDIATE")  # writes nothing yet: only the next line can fail
        database.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        database.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        if primary_code(error) != sqlite3.SQLITE_BUSY:  # another program is writing, so the file is writable
            raise


def _copy_aside(database: sqlite3.Connection, path: Path) -> None:
    """Keep a copy of the old file: an older program cannot read the new version."""
    with closing(sqlite3.connect(path)) as copy:
        database.backup(copy)
