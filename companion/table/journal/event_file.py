"""The rows of the journal on disk, or in memory for as long as they cannot be.

- A row has its number from the moment it is handed over, so it can be on disk only once, whatever became of an attempt.
- Rows go to disk in their order, all that wait in one transaction.
- A file that was removed, replaced or unmounted is noticed before anything is written: SQLite itself would go on
  writing into a file that nobody can find again. And nothing is written after rows that are not the ones we know.
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
from companion.table.journal.schema import image, opened, primary

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
"""What SQLite says of a disk that is full, broken or read-only; it may be readable all the same."""

_Place = tuple[int, int] | None
"""Which file it is, wherever it is and whatever it is called; None where there is none."""


class Row(NamedTuple):
    """One event, as it is or is to be on disk."""

    seq: int
    """From 1, without a gap."""
    step: int | None
    """The `seq` of the first event of the same command; None in journals from before there were steps."""
    start: int
    """The start of the program in which it happened."""
    at: str
    """The time of day. Nothing is ordered by it."""
    kind: str
    body: str


class Keeping:
    """The journal's file in one folder, held by this process alone, and what waits to be written to it.

    Called from one thread at a time.
    """

    def __init__(self, folder: Path, at: str) -> None:
        """Open the file in `folder`, making both where there are none; `at` is the time of day.

        Where the disk is full or cannot be written, what is there is read, and `trouble` says so. Raises `JournalError`
        when the folder cannot be used, another process holds it, or the file is damaged or not ours.
        """
        self.folder = folder
        self.trouble = ""
        """Why rows wait in memory, as a sentence; empty when none does."""
        self._path = folder / FILE
        self._lock: int | None = None
        self._database: sqlite3.Connection | None = None
        self._place: tuple[_Place, _Place] | None = None
        """The file that is open, and its WAL. None while what is open is only an image in memory, or nothing."""
        self._waiting: list[Row] = []
        """Handed over, in order, and not on disk."""
        self._last: Row | None = None
        """The last row that is on disk."""
        self._started = False
        """Whether this start is on disk."""
        self._closed = False
        try:
            self._database = self._first_opened()
            self._last = self._tail()
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
            self._place = self._places()
            self.mend()

    @property
    def start(self) -> int:
        """How many times this journal was opened, this time included."""
        return self._start[0]

    def rows(self) -> list[Row]:
        """Every row, those that wait too. Raises `sqlite3.Error` or `JournalError` when the file cannot be read."""
        found = self._open().execute(f"SELECT {_COLUMNS} FROM event ORDER BY seq")
        return [*map(Row._make, found), *self._waiting]

    def add(self, at: str, events: Iterable[tuple[str, str]]) -> None:
        """Take what one command did, as kinds and bodies, and write it and all that waits, if that can be done now.

        Raises `JournalError` once closed.
        """
        if self._closed:
            raise JournalError("The journal is closed.")
        step = seq = self._next()
        for kind, body in events:
            self._waiting.append(Row(seq, step, self.start, at, kind, body))
            seq += 1
        self.mend()

    def mend(self) -> None:
        """Write what waits, if that can be done now. `trouble` says afterwards whether it could."""
        trouble = ""
        try:
            if self._place is None or self._place != self._places():
                self._come_back()
            self._write()
        except (OSError, sqlite3.Error, JournalError) as error:
            trouble = sentences.unwritten(why(error, self.folder))
            if trouble != self.trouble:
                log.exception("rows of the journal wait in memory")
        if self.trouble and not trouble:
            log.warning("the journal is written again, with everything that waited")
        self.trouble = trouble

    def check_home(self) -> None:
        """Raises `JournalError` when the folder is not the one that was opened."""
        if not self._at_home():
            raise JournalError(Message("The folder {folder} is gone.", folder=str(self.folder)))

    def close(self) -> None:
        """Write what waits, if that can be done now, and give the file and the folder back. Safe to call twice."""
        if self._waiting and not self._closed:
            self.mend()
        self._closed = True
        if self._database is not None:
            self._database.close()
            self._database = None
        self._place = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # Opening

    def _first_opened(self) -> sqlite3.Connection:
        """The file; or an image of it, with `trouble`, where it cannot be written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._claim()
            return opened(self._path)
        except OSError as error:
            if error.errno not in {*_FULL, errno.EROFS}:
                raise
            self.trouble = sentences.unwritten(why(error, self.folder))
        except sqlite3.Error as error:
            if primary(error) not in _UNWRITABLE:
                raise
            self.trouble = sentences.unwritten(why(error, self.folder))
        log.error("%s", self.trouble)
        return image(self._path)

    def _claim(self) -> None:
        """Hold the folder. The system lets go of it when the process ends, however it ends."""
        if self._at_home():
            return
        try:
            lock = locked(self.folder)
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

    def _at_home(self) -> bool:
        return self._lock is not None and _seen(self.folder) == _held(self._lock)

    def _come_back(self) -> None:
        """Open the file that is there now, if it is the journal we know."""
        if self._place is not None:
            self._leave()
        elif self._last is not None and not self._path.exists():
            raise JournalError(Message("The file {file} is gone.", file=str(self._path)))
        if self._last is None:  # nothing was ever there
            self.folder.mkdir(parents=True, exist_ok=True)
        self._claim()
        fresh = opened(self._path)
        try:
            self._lacking(fresh)
        except BaseException:
            fresh.close()
            raise
        if self._database is not None:
            self._database.close()
        self._database = fresh
        self._place = self._places()

    def _leave(self) -> None:
        """Close a file that is no longer where it was, without losing what only this process can still read of it."""
        assert self._database is not None
        there = _seen(self._path)
        if there is None:
            self._put_back(self._database)
        elif self._place is not None and there == self._place[0]:
            # Its WAL was taken away: what was in that goes into the file itself.
            (busy, _, _) = self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise JournalError(Message("Another program holds on to {file}.", file=str(self._path)))
        # SQLite sees that the file has moved, and takes away no other that is there by the same name now.
        self._database.close()
        self._database = self._place = None

    def _put_back(self, database: sqlite3.Connection) -> None:
        """Somebody removed the file; we still have it open. Where the whole folder has gone, it may come back."""
        self.check_home()
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
        """Put all that waits on disk; it is there when this returns. Raises `JournalError` or `sqlite3.Error`."""
        if self._started and not self._waiting:
            return
        database = self._open()
        with database:
            database.execute("BEGIN IMMEDIATE")
            lacking = self._lacking(database)
            database.execute("INSERT OR IGNORE INTO start (id, at) VALUES (?, ?)", self._start)
            database.executemany(f"INSERT INTO event ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", lacking)
        self._started = True
        if self._waiting:
            self._last = self._waiting[-1]
            self._waiting.clear()

    def _lacking(self, database: sqlite3.Connection) -> list[Row]:
        """The waiting rows that are not in `database`: an attempt that seemed to fail may have come through.

        Raises `JournalError` where the last row we know is not there, or other rows come after it.
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

    def _tail(self) -> Row | None:
        row = self._open().execute(f"SELECT {_COLUMNS} FROM event ORDER BY seq DESC LIMIT 1").fetchone()
        return None if row is None else Row._make(row)

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            raise JournalError(f"The file {self._path} is not open.")
        return self._database

    def _places(self) -> tuple[_Place, _Place]:
        return _seen(self._path), _seen(Path(f"{self._path}-wal"))


def why(error: Exception, folder: Path) -> str:
    """What went wrong with a file in `folder`, for `companion.table.game.sentences`."""
    if isinstance(error, JournalError):
        said = error.said
        return said if isinstance(said, Message) else f"{said[0].lower()}{said[1:].removesuffix('.')}"
    number = error.errno if isinstance(error, OSError) else None
    code = primary(error) if isinstance(error, sqlite3.Error) else None
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


def locked(folder: Path) -> int:
    """The folder, open and locked for this process alone, until it is closed or the process ends, however it ends.

    Raises `BlockingIOError` when another process has locked it, and any other `OSError` when it cannot be opened.
    """
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(number)
        raise
    return number


def _seen(path: Path) -> _Place:
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def _disk(folder: Path) -> os.statvfs_result | None:
    """The disk that `folder` is or would be on; None where it cannot be asked."""
    for place in (folder, *folder.parents):
        try:
            return os.statvfs(place)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            break
    return None


def _held(descriptor: int) -> _Place:
    found = os.fstat(descriptor)
    return found.st_dev, found.st_ino
