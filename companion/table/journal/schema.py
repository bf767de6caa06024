"""The journal's file: what is in it, its versions, and opening it without spoiling one that is not ours or not whole.

Whether a file may be written is found out by reading it. A file that is damaged, of another program or of a later
version is refused before a byte of it is changed.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

from companion.table.errors import JournalError

SCHEMA: Final = 2
"""The version of the tables below. A journal of a later one is refused, never guessed at."""

APPLICATION_ID: Final = 0x50455255
"""SQLite's mark for whose file this is: "PERU"."""

PATIENCE: Final = 1.0
"""Seconds to wait for somebody else who writes to the file. The whole table waits with it."""

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
"""`step` tells the events of one command from those of the next; `record` holds games brought in from elsewhere."""

STEPS: Final[tuple[str, ...]] = (_FIRST, _SECOND)
"""What makes each version out of the one before. Only ever added to."""

_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

_WITH_IT: Final = ("", "-wal", "-journal")
"""What the names of a database's files end in. SQLite makes its index of the WAL anew where there is none."""


def opened(path: Path) -> sqlite3.Connection:
    """The journal in the file `path`, to be written; made where there is none, and of this version from now on.

    Raises `JournalError` for a file that is damaged or not ours; it stays as it is. Raises `sqlite3.Error` when it
    cannot be opened to be written.
    """
    version = _looked_at(path)
    # The Table calls from whichever thread has a command, one at a time under its lock.
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=PATIENCE)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        if version < SCHEMA:
            if version:
                _keep_a_copy(database, path.with_suffix(f".v{version}.sqlite3"))
            _upgrade(database, version)
    except BaseException:
        database.close()
        raise
    return database


def image(path: Path) -> sqlite3.Connection:
    """What the journal in the file `path` holds, in memory and of this version; the file stays as it is.

    For a disk on which nothing can be written: there SQLite does not open a journal that was cut off. Where there is
    no file the image is an empty journal. Raises `JournalError` as `opened` does, `OSError` or `sqlite3.Error` when the
    file cannot be read.
    """
    memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    try:
        version = 0
        if path.exists():
            # Not beside the file, where there may be no room; in memory where the system has such a folder.
            ram = Path("/dev/shm")
            with tempfile.TemporaryDirectory(dir=ram if ram.is_dir() else None) as folder:
                copy = Path(folder) / path.name
                for end in _WITH_IT:
                    part = Path(f"{path}{end}")
                    if part.exists():
                        shutil.copyfile(part, f"{copy}{end}")
                with closing(sqlite3.connect(copy, isolation_level=None)) as database:
                    version = _checked(database, path)
                    database.execute("PRAGMA journal_mode=DELETE")  # which memory can do without
                    database.backup(memory)
        if version < SCHEMA:
            _upgrade(memory, version)
    except BaseException:
        memory.close()
        raise
    return memory


def _looked_at(path: Path) -> int:
    """The version of the journal in `path`, 0 where there is nothing in it yet."""
    if not path.exists():
        return 0
    if path.stat().st_size == 0:
        wal = Path(f"{path}-wal")
        if wal.exists() and wal.stat().st_size:  # SQLite would throw that away
            raise JournalError(_damaged(path, "it is empty, but what belongs to it is not"))
        return 0
    try:
        return _looked_at_through(path, "ro")
    except sqlite3.OperationalError as error:
        if primary(error) != sqlite3.SQLITE_READONLY:
            raise
    # It was cut off while it was made: before it can be read, SQLite has to take back what was begun.
    return _looked_at_through(path, "rw")


def _looked_at_through(path: Path, mode: str) -> int:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=PATIENCE)) as database:
        return _checked(database, path)


def _checked(database: sqlite3.Connection, path: Path) -> int:
    """The version. Raises `JournalError` when this is not a journal that can be gone on with; `path` is for that."""
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        (owner,) = database.execute("PRAGMA application_id").fetchone()
        (things,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if (version, owner, things) == (0, 0, 0):
            return 0
        if owner != APPLICATION_ID:
            raise JournalError(f"{path} is a database of another program. Name another folder (--state).")
        if version > SCHEMA:
            raise JournalError(
                f"{path} was written by a newer perudo (its version is {version}, this program knows {SCHEMA}). "
                "Update the program, or name another folder (--state)."
            )
        (said,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        if primary(error) in _DAMAGED:
            raise JournalError(_damaged(path, str(error))) from error
        raise
    if said != "ok":
        raise JournalError(_damaged(path, str(said).strip().replace("\n", ", ")))
    return int(version)


def primary(error: sqlite3.Error) -> int:
    """SQLite's number for what went wrong, without the finer distinction; 0 where SQLite gave none."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def _damaged(path: Path, how: str) -> str:
    return (
        f"The journal {path} is damaged: {how}. It was left as it is. "
        "To go on, name another folder (--state), or put a copy of the journal in its place."
    )


def _upgrade(database: sqlite3.Connection, version: int) -> None:
    """From `version` (0 is an empty file) to this one, all of it or nothing."""
    statements = (
        "BEGIN IMMEDIATE;",
        *STEPS[version:],
        f"PRAGMA application_id={APPLICATION_ID};",
        f"PRAGMA user_version={SCHEMA};",
        "COMMIT;",
    )
    database.executescript("\n".join(statements))


def _keep_a_copy(database: sqlite3.Connection, path: Path) -> None:
    """As it was, before it is made into what an older program cannot read."""
    with closing(sqlite3.connect(path)) as copy:
        database.backup(copy)
