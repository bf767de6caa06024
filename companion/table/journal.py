"""The journal: every event on disk, in order, for ever; and the judged pictures beside it.

A Raspberry Pi is switched off at the plug. So an event counts as having happened only once SQLite has it on the disk
(WAL with synchronous=FULL syncs at every commit), and a picture lies there, whole, before the event that names it.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TextIO

from companion.table.errors import JournalError
from companion.table.events import Event, Judged, from_json, to_json

SCHEMA: Final = 2
"""The version of the tables below. A journal of a later one is refused, never guessed at."""

APPLICATION_ID: Final = 0x50455255
"""SQLite's mark for whose file this is: "PERU"."""

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

_STEPS: Final[tuple[str, ...]] = (_FIRST, _SECOND)
"""What makes each version out of the one before. Only ever added to."""


def utc_now() -> str:
    """The time of day as it is written beside events. Nothing is decided by it: a Pi's clock may be wrong."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """The events of one state directory. One process at a time holds it, and calls it from one thread at a time."""

    def __init__(self, folder: Path, now: Callable[[], str] = utc_now) -> None:
        """Open the journal in `folder`, making both where there are none.

        Raises `JournalError` when the folder cannot be written, another process holds it, or the file is none of ours.
        """
        self.folder = folder
        self.pictures = folder / "pictures"
        """Where the judged pictures are."""
        self._now = now
        self._database: sqlite3.Connection | None = None
        self._lock: TextIO | None = None
        try:
            self.pictures.mkdir(parents=True, exist_ok=True)
            self._lock = _held(folder / "lock")
            self._database = _opened(folder / "journal.sqlite3")
            with self._database:
                cursor = self._database.execute("INSERT INTO start (at) VALUES (?)", (self._now(),))
            self.start = cursor.lastrowid or 0
            """How many times this journal was opened, this time included."""
        except OSError as error:
            self.close()
            raise JournalError(f"The folder {folder} cannot be used for the journal: {error}.") from error
        except sqlite3.Error as error:
            self.close()
            raise JournalError(f"The journal in {folder} cannot be used: {error}.") from error
        except JournalError:
            self.close()
            raise

    def events(self) -> tuple[Event, ...]:
        """Everything that has happened, oldest first. Raises `JournalError` when a line cannot be understood."""
        try:
            rows = self._open().execute("SELECT seq, kind, body FROM event ORDER BY seq").fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"The journal in {self.folder} cannot be read: {error}.") from error
        return tuple(self._event(seq, kind, body) for seq, kind, body in rows)

    def lines(self) -> tuple[tuple[Event, ...], ...]:
        """The same, with the events of one command together. Raises `JournalError` as `events` does."""
        try:
            rows = self._open().execute("SELECT seq, step, kind, body FROM event ORDER BY seq").fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"The journal in {self.folder} cannot be read: {error}.") from error
        lines: list[list[Event]] = []
        step: int | None = None
        for seq, of, kind, body in rows:
            event = self._event(seq, kind, body)
            # Before there were steps, a command did one thing, and a verdict that followed of itself.
            joins = isinstance(event, Judged) if of is None else of == step
            if lines and joins:
                lines[-1].append(event)
            else:
                lines.append([event])
            step = of
        return tuple(map(tuple, lines))

    def append(self, events: Sequence[Event]) -> None:
        """Put events on the disk, all of them or none; they are there when this returns.

        Raises `JournalError` when they could not be written; then none of them is there.
        """
        rows = []
        for event in events:
            kind, body = to_json(event)
            rows.append((self.start, self._now(), kind, json.dumps(body, ensure_ascii=False)))
        database = self._open()
        try:
            with database:
                database.execute("BEGIN IMMEDIATE")
                (step,) = database.execute("SELECT COALESCE(MAX(seq), 0) + 1 FROM event").fetchone()
                database.executemany(
                    "INSERT INTO event (step, start, at, kind, body) VALUES (?, ?, ?, ?, ?)",
                    [(step, *row) for row in rows],
                )
        except sqlite3.Error as error:
            raise JournalError(f"This could not be written to the journal, so it was not done: {error}.") from error

    def picture(self, number: int) -> Path:
        """Where the picture of a reading is, or would be."""
        return self.pictures / f"{number}.jpg"

    def keep_picture(self, number: int, jpeg: bytes) -> None:
        """Put a reading's picture on the disk, whole or not at all; it is there when this returns.

        Raises `JournalError` when it could not be written.
        """
        path = self.picture(number)
        draft = path.with_suffix(".part")
        try:
            with draft.open("wb") as file:
                file.write(jpeg)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
            _sync_folder(self.pictures)
        except OSError as error:
            raise JournalError(f"The picture could not be kept: {error}.") from error

    def close(self) -> None:
        """Give the file and the folder back. Safe to call twice."""
        if self._database is not None:
            self._database.close()
            self._database = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            raise JournalError("The journal is closed.")
        return self._database

    def _event(self, seq: int, kind: str, body: str) -> Event:
        try:
            return from_json(kind, json.loads(body))
        except ValueError as error:
            raise JournalError(f"Line {seq} of the journal in {self.folder} cannot be understood: {error}.") from error


def _opened(path: Path) -> sqlite3.Connection:
    # The Table calls from whichever thread has a command, one at a time under its lock.
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        _check_version(database, path)
    except BaseException:
        database.close()
        raise
    return database


def _check_version(database: sqlite3.Connection, path: Path) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (owner,) = database.execute("PRAGMA application_id").fetchone()
    if version == 0 and owner == 0:
        _upgrade(database, 0)
    elif owner != APPLICATION_ID:
        raise JournalError(f"{path} is a database of another program. Name another folder.")
    elif version > SCHEMA:
        raise JournalError(
            f"{path} was written by a newer perudo (its version is {version}, this program knows {SCHEMA}). "
            "Update the program, or name another folder."
        )
    elif version < SCHEMA:
        _keep_a_copy(database, path.with_suffix(f".v{version}.sqlite3"))
        _upgrade(database, version)


def _upgrade(database: sqlite3.Connection, version: int) -> None:
    """From `version` (0 is an empty file) to this one, all of it or nothing."""
    statements: Iterable[str] = (
        "BEGIN IMMEDIATE;",
        *_STEPS[version:],
        f"PRAGMA application_id={APPLICATION_ID};",
        f"PRAGMA user_version={SCHEMA};",
        "COMMIT;",
    )
    database.executescript("\n".join(statements))


def _keep_a_copy(database: sqlite3.Connection, path: Path) -> None:
    """As it was, before it is made into what an older program cannot read."""
    with closing(sqlite3.connect(path)) as copy:
        database.backup(copy)


def _held(path: Path) -> TextIO:
    """The folder's lock file, locked. The system lets go of it when the process ends, however it ends."""
    file = path.open("w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.close()
        raise JournalError(
            f"Another perudo is using the folder {path.parent}. Stop it, or name another folder."
        ) from error
    except BaseException:
        file.close()
        raise
    return file


def _sync_folder(folder: Path) -> None:
    """A new name in a folder outlives a power cut only once the folder itself is on disk."""
    with closing(_Descriptor(folder)) as descriptor:
        os.fsync(descriptor.number)


class _Descriptor:
    """An open folder."""

    def __init__(self, folder: Path) -> None:
        self.number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)

    def close(self) -> None:
        os.close(self.number)
