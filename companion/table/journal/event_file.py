"""The journal's rows on disk, and in memory while the disk cannot be written.

- A row gets its number when it is added, so it is on disk at most once, even if an attempt to write it failed.
- Rows are written in order, all waiting ones in one transaction.
- A file that was removed, replaced or unmounted is noticed before anything is written: SQLite itself would go on
  writing into a file that nobody can find. Nothing is written after rows that this process does not know.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from calibration.atomic_write import sync_folder
from companion.messages.message import Message
from companion.table.errors import JournalError
from companion.table.game import sentences
from companion.table.journal.schema import in_memory, open_for_writing, primary_code

log = logging.getLogger(__name__)

FILE: Final = "journal.sqlite3"
"""The journal's file in the state folder."""

_COLUMNS: Final = "seq, step, start, at, kind, body"

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_UNWRITABLE: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
    }
)
"""Result codes of a disk that is full, broken or read-only, and may still be readable."""

_Identity = tuple[int, int] | None
"""Device and inode of a file, None where there is none."""


class EventRow(NamedTuple):
    """One event as a row of the file."""

    seq: int
    """From 1, without a gap."""
    step: int | None
    """The `seq` of the first event of the same command; None in journals of version 1."""
    start: int
    """The start of the program in which it happened."""
    at: str
    """The time of day, which may be wrong: nothing is ordered by it."""
    kind: str
    body: str


class EventFile:
    """The file of events in one folder, locked by this process, and the rows that wait to be written.

    Call it from one thread at a time.
    """

    def __init__(self, folder: Path, at: str) -> None:
        """Open or create the file in `folder`; `at` is the time of day.

        On a disk that is full or cannot be written the file is read, and `trouble` says so. Raises `JournalError` when
        the folder cannot be used or is locked by another process, and when the file is damaged or not ours.
        """
        self.folder = folder
        self.trouble = ""
        """Why rows wait in memory, as a sentence; empty when all are on disk."""
        self._path = folder / FILE
        self._lock: int | None = None
        self._database: sqlite3.Connection | None = None
        self._opened_as: tuple[_Identity, _Identity] | None = None
        """The open file and its WAL; None while only a copy in memory is open, or nothing."""
        self._waiting: list[EventRow] = []
        """Rows not on disk, in order."""
        self._last: EventRow | None = None
        """The last row that is on disk."""
        self._started = False
        """Whether this start is on disk."""
        self._closed = False
        try:
            self._database = self._open_first()
            self._last = self._last_row()
            (starts,) = self._database.execute("SELECT COALESCE(MAX(id), 0) FROM start").fetchone()
        except OSError as error:
            self.close()
            raise JournalError(f"The folder {folder} cannot be used for the journal: {error}.") from error
        except sqlite3.Error as error:
            self.close()
            raise JournalError(f"The journal in {folder} cannot be used: {error}.") from error
        except JournalError:
            self.close()
            raise
        self._start = (int(starts) + 1, at)
        if not self.trouble:
            self._opened_as = self._identities()
            self.mend()

    @property
    def start(self) -> int:
        """How many times this journal was opened, this time included."""
        return self._start[0]

    def rows(self) -> list[EventRow]:
        """Every row, waiting ones included. Raises `sqlite3.Error` or `JournalError` when the file cannot be read."""
        found = self._open().execute(f"SELECT {_COLUMNS} FROM event ORDER BY seq")
        return [*map(EventRow._make, found), *self._waiting]

    def add(self, at: str, events: Iterable[tuple[str, str]]) -> None:
        """Add the events of one command, as kinds and bodies, and write all waiting rows if the disk allows it.

        Raises `JournalError` once closed.
        """
        if self._closed:
            raise JournalError("The journal is closed.")
        step = seq = self._next()
        for kind, body in events:
            self._waiting.append(EventRow(seq, step, self.start, at, kind, body))
            seq += 1
        self.mend()

    def mend(self) -> None:
        """Write the waiting rows if the disk allows it; `trouble` says whether it did."""
        trouble = ""
        try:
            if self._opened_as is None or self._opened_as != self._identities():
                self._reopen()
            self._write()
        except (OSError, sqlite3.Error, JournalError) as error:
            trouble = sentences.unwritten(reason(error, self.folder))
            if trouble != self.trouble:
                log.exception("rows of the journal wait in memory")
        if self.trouble and not trouble:
            log.warning("the journal is written again, with everything that waited")
        self.trouble = trouble

    def check_folder(self) -> None:
        """Raise `JournalError` if the folder is not the one that was opened."""
        if not self._holds_folder():
            raise JournalError(Message("The folder {folder} is gone.", folder=str(self.folder)))

    def close(self) -> None:
        """Write the waiting rows if the disk allows it, and release file and folder. Safe to call twice."""
        if self._waiting and not self._closed:
            self.mend()
        self._closed = True
        if self._database is not None:
            self._database.close()
            self._database = None
        self._opened_as = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # Opening

    def _open_first(self) -> sqlite3.Connection:
        """The file; or a copy in memory, and `trouble`, where it cannot be written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._claim()
            return open_for_writing(self._path)
        except OSError as error:
            if error.errno not in {*_FULL, errno.EROFS}:
                raise
            self.trouble = sentences.unwritten(reason(error, self.folder))
        except sqlite3.Error as error:
            if primary_code(error) not in _UNWRITABLE:
                raise
            self.trouble = sentences.unwritten(reason(error, self.folder))
        log.error("%s", self.trouble)
        return in_memory(self._path)

    def _claim(self) -> None:
        """Lock the folder; the system unlocks it when the process ends, however it ends."""
        if self._holds_folder():
            return
        try:
            lock = lock_folder(self.folder)
        except BlockingIOError as error:
            raise JournalError(
                Message(
                    "Another perudo is using the folder {folder}. Stop it, or name another folder (--state).",
                    folder=str(self.folder),
                )
            ) from error
        if self._lock is not None:
            os.close(self._lock)
        self._lock = lock

    def _holds_folder(self) -> bool:
        return self._lock is not None and _identity(self.folder) == _identity_of_open(self._lock)

    def _reopen(self) -> None:
        """Open the file that is there now, if it is the journal this process knows."""
        if self._opened_as is not None:
            self._let_go()
        elif self._last is not None and not self._path.exists():
            raise JournalError(Message("The file {file} is gone.", file=str(self._path)))
        if self._last is None:  # nothing was ever there
            self.folder.mkdir(parents=True, exist_ok=True)
        self._claim()
        fresh = open_for_writing(self._path)
        try:
            self._missing_rows(fresh)
        except BaseException:
            fresh.close()
            raise
        if self._database is not None:
            self._database.close()
        self._database = fresh
        self._opened_as = self._identities()

    def _let_go(self) -> None:
        """Close a file that is no longer in place, and save what only this process can still read."""
        assert self._database is not None
        there = _identity(self._path)
        if there is None:
            self._restore_file(self._database)
        elif self._opened_as is not None and there == self._opened_as[0]:
            # Its WAL was removed: move what it held into the file itself.
            (busy, _, _) = self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise JournalError(Message("Another program holds on to {file}.", file=str(self._path)))
        # SQLite sees that the file has moved, and does not delete another one of that name.
        self._database.close()
        self._database = self._opened_as = None

    def _restore_file(self, database: sqlite3.Connection) -> None:
        """Write the removed file anew from the open one. A folder that has gone as a whole may come back."""
        self.check_folder()
        part = self._path.with_suffix(".part")
        for end in ("", "-wal", "-journal"):
            Path(f"{part}{end}").unlink(missing_ok=True)
        with closing(sqlite3.connect(part)) as copy:
            database.backup(copy)
        for end in ("-wal", "-shm"):  # they belong to the file that was removed
            Path(f"{self._path}{end}").unlink(missing_ok=True)
        part.replace(self._path)
        sync_folder(self.folder)
        log.warning("%s was removed, and has been put back", self._path)

    # Writing

    def _write(self) -> None:
        """Put all that waits on disk. Raises `JournalError` or `sqlite3.Error`."""
        if self._started and not self._waiting:
            return
        database = self._open()
        with database:
            database.execute("BEGIN IMMEDIATE")
            lacking = self._missing_rows(database)
            database.execute("INSERT OR IGNORE INTO start (id, at) VALUES (?, ?)", self._start)
            database.executemany(f"INSERT INTO event ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", lacking)
        self._started = True
        if self._waiting:
            self._last = self._waiting[-1]
            self._waiting.clear()

    def _missing_rows(self, database: sqlite3.Connection) -> list[EventRow]:
        """The waiting rows that `database` lacks: an attempt that seemed to fail may have succeeded.

        Raises `JournalError` where the last known row is missing, or unknown rows follow it.
        """
        known = [*([] if self._last is None else [self._last]), *self._waiting]
        since = 0 if self._last is None else self._last.seq
        there = database.execute(f"SELECT {_COLUMNS} FROM event WHERE seq >= ? ORDER BY seq", (since,)).fetchall()
        if there != known[: len(there)] or (self._last is not None and not there):
            raise JournalError(
                Message(
                    "The file {file} is not as this program left it. "
                    "Put the right one back, or start the program again.",
                    file=str(self._path),
                )
            )
        return known[len(there) :]

    def _next(self) -> int:
        last = self._waiting[-1] if self._waiting else self._last
        return 1 if last is None else last.seq + 1

    def _last_row(self) -> EventRow | None:
        row = self._open().execute(f"SELECT {_COLUMNS} FROM event ORDER BY seq DESC LIMIT 1").fetchone()
        return None if row is None else EventRow._make(row)

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            raise JournalError(f"The file {self._path} is not open.")
        return self._database

    def _identities(self) -> tuple[_Identity, _Identity]:
        return _identity(self._path), _identity(Path(f"{self._path}-wal"))


def reason(error: Exception, folder: Path) -> str:
    """What went wrong with a file in `folder`, as a part of a sentence."""
    if isinstance(error, JournalError):
        said = error.said
        return said if isinstance(said, Message) else f"{said[0].lower()}{said[1:].removesuffix('.')}"
    number = error.errno if isinstance(error, OSError) else None
    code = primary_code(error) if isinstance(error, sqlite3.Error) else None
    if number in _FULL or code == sqlite3.SQLITE_FULL:
        return sentences.DISK_FULL
    # SQLite often says no more than that it cannot open or write a file.
    disk = _disk(folder) if code in _UNWRITABLE else None
    if number == errno.EROFS or (disk is not None and disk.f_flag & os.ST_RDONLY):
        return sentences.DISK_READ_ONLY
    if disk is not None and disk.f_bavail == 0:
        return sentences.DISK_FULL
    if number in (errno.EACCES, errno.EPERM) or (
        disk is not None and not os.access(folder, os.W_OK, effective_ids=True)
    ):
        return sentences.NOT_ALLOWED
    return str(error)


def lock_folder(folder: Path) -> int:
    """Open `folder` and lock it for this process, until the descriptor is closed or the process ends.

    Raises `BlockingIOError` when another process has locked it, and another `OSError` when it cannot be opened.
    """
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(number)
        raise
    return number


def _identity(path: Path) -> _Identity:
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def _disk(folder: Path) -> os.statvfs_result | None:
    """The file system that `folder` is or would be on; None where it cannot be asked."""
    for place in (folder, *folder.parents):
        try:
            return os.statvfs(place)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            break
    return None


def _identity_of_open(descriptor: int) -> _Identity:
    found = os.fstat(descriptor)
    return found.st_dev, found.st_ino
