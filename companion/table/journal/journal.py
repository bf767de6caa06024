"""The journal: every event on disk, in order, forever, with the judged pictures beside it.

A Raspberry Pi is switched off by unplugging it. So an event has happened only once SQLite has it on disk (WAL with
synchronous=FULL syncs at every commit), and a picture is completely written before the event that names it. While the
disk cannot be written, the game continues in memory, and `trouble` says so.

- A row gets its number when it is added, so it is on disk at most once, even if an attempt to write it failed.
- Rows are written in order, all waiting ones in one transaction.
- A file that was removed, replaced or unmounted is noticed before anything is written: SQLite itself would continue to
  write to a file that nobody can find. Nothing is written after rows that this process does not know.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from calibration.atomic_write import sync_folder
from companion.kept_database import primary_code
from companion.messages.message import Message
from companion.table.errors import DamagedJournalError, JournalError
from companion.table.game import sentences
from companion.table.game.events import Events, Judged, to_json
from companion.table.game.history import History
from companion.table.journal.disk import FileIdentity, identity, lock_folder, may_be_readable, reason
from companion.table.journal.event_rows import EventRow, replay_rows
from companion.table.journal.kept_summaries import beginning_before
from companion.table.journal.picture_folder import DISK_RESERVE, PICTURE_MEGABYTES, PictureFolder
from companion.table.journal.schema import check_log, in_memory, open_for_writing
from companion.table.past.game_replay import GameReplay

log = logging.getLogger(__name__)

FILE: Final = "journal.sqlite3"
"""The journal's file in the state folder."""

_COLUMNS: Final = "seq, step, start, at, kind, body"


def utc_now() -> str:
    """The time of day written beside events. A Pi's clock may be wrong: nothing depends on it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """The events of one state folder, locked by this process, and its pictures. Not thread-safe."""

    def __init__(
        self,
        folder: Path,
        now: Callable[[], str] = utc_now,
        *,
        pictures: int = PICTURE_MEGABYTES,
        reserve: int = DISK_RESERVE,
        slow: Callable[[], None] = lambda: None,
    ) -> None:
        """Open or create the journal in `folder`. `now` returns the time of day.

        `pictures` megabytes of pictures are kept, and `reserve` bytes of the disk left free. `slow` is called
        repeatedly while games without a row are replayed (`companion.table.journal.kept_summaries`).

        If the disk is full or cannot be written, the journal is only read, and `trouble` says so. Raises `JournalError`
        if the folder cannot be used or is locked by another process, or the file is not ours, and `DamagedJournalError`
        if it cannot be read to its end. A refused file stays as it is.
        """
        self.folder = folder
        self.pictures = PictureFolder(folder / "pictures", pictures, reserve)
        self._now = now
        self._event_trouble = ""
        """Why rows wait in memory, as a sentence; empty if all are on disk."""
        self._picture_trouble = ""
        self._missing_picture = 0
        """Size in bytes of the last picture if it could not be written: the trouble lasts until there is room for
        it."""
        self._path = folder / FILE
        self._lock: int | None = None
        self._database: sqlite3.Connection | None = None
        self._opened_as: tuple[FileIdentity, FileIdentity] | None = None
        """The open file and its WAL; None while nothing, or only a copy in memory, is open."""
        self._waiting: list[EventRow] = []
        """Rows that are not on disk, in order."""
        self._last: EventRow | None = None
        """The last row on disk."""
        self._start_on_disk = False
        self._round_over = False
        """True if a round was judged since the last checkpoint."""
        self._closed = False
        self._slow = slow
        self.history = History()
        """The history of the events found when the journal was opened."""
        at = now()
        try:
            self._database = self._open_first()
            row = self._database.execute(f"SELECT {_COLUMNS} FROM event ORDER BY seq DESC LIMIT 1").fetchone()
            self._last = None if row is None else EventRow._make(row)
            (starts,) = self._database.execute("SELECT COALESCE(MAX(id), 0) FROM start").fetchone()
            self._start = (int(starts) + 1, at)
            self._checkpoint()
            if not self._event_trouble:
                self._opened_as = self._identities()
                self._write()
        except OSError as error:
            self.close()
            raise JournalError(f"The folder {folder} cannot be used for the journal: {error}.") from error
        except sqlite3.Error as error:
            self.close()
            if primary_code(error) == sqlite3.SQLITE_CORRUPT:  # noticed only now, when writing
                raise DamagedJournalError(f"The journal in {folder} is damaged: {error}.") from error
            raise JournalError(f"The journal in {folder} cannot be used: {error}.") from error
        except JournalError:
            self.close()
            raise

    @property
    def start(self) -> int:
        """The number of times this journal was opened, including this time."""
        return self._start[0]

    @property
    def start_time(self) -> str:
        """The time of this opening, as written beside the events of this start."""
        return self._start[1]

    @property
    def last_row(self) -> int:
        """The number of the last row, including rows that wait in memory; 0 before the first."""
        last = self._waiting[-1] if self._waiting else self._last
        return 0 if last is None else last.seq

    @property
    def trouble(self) -> str:
        """Why events are only in memory, or the last picture was lost, as a sentence; empty if all is on disk."""
        return self._event_trouble or self._picture_trouble

    def append(self, events: Events) -> None:
        """Write the events of one command, all or none, and all waiting ones.

        They are on disk when this returns, unless `trouble` is set: then they wait in memory, and later calls of this
        method and of `flush` try again. Raises `JournalError` once closed.
        """
        if self._closed:
            raise JournalError("The journal is closed.")
        step, at = self.last_row + 1, self._now()
        rows = []
        for seq, event in enumerate(events, start=step):
            kind, values = to_json(event)
            rows.append(EventRow(seq, step, self.start, at, kind, json.dumps(values, ensure_ascii=False)))
            self._round_over |= isinstance(event, Judged)
        self._waiting += rows
        self._write_waiting()

    def flush(self) -> None:
        """Check that the journal is still in place, and write waiting rows. Cheap if all is well.

        After a round, SQLite's log is moved into the file, because a damaged bit in the log loses everything after it.
        """
        self._write_waiting()
        if self._round_over and not self._event_trouble:
            self._checkpoint()
        if self._missing_picture:
            self._try_picture(lambda: self.pictures.check_room(self._missing_picture), self._missing_picture)

    def keep_picture(self, number: int, jpeg: bytes) -> None:
        """Write a reading's picture, completely or not at all, and delete the oldest while there are too many.

        Raises `JournalError` if it could not be written; `trouble` says so until a picture can be.
        """
        self._try_picture(lambda: self.pictures.keep(number, jpeg), len(jpeg))
        if self._missing_picture:
            raise JournalError(self._picture_trouble)

    def close(self) -> None:
        """Write the waiting rows if the disk allows it, and release file and folder. Safe to call twice."""
        if self._waiting and not self._closed:
            self._write_waiting()
        self._closed = True
        if self._database is not None:
            self._database.close()
            self._database = None
        self._opened_as = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _read(self, database: sqlite3.Connection) -> None:
        """Read the journal's last games before it is first written, or all of it if their rows are missing."""
        where = f"the journal in {self.folder}"
        for since in (beginning_before(database), None):
            replay = GameReplay(since)
            try:
                for _ in replay_rows(database, replay, where):
                    self._slow()
            except sqlite3.Error as error:
                raise JournalError(f"The journal in {self.folder} cannot be read: {error}.") from error
            except DamagedJournalError:
                if since is None:
                    raise
                log.warning("the journal is read from its first game on: the row of its last one may be wrong")
            else:
                break
        self.history = replay.history

    def _try_picture(self, write: Callable[[], None], size: int) -> None:
        try:
            self._check_folder()
            write()
        except (OSError, JournalError) as error:
            why = reason(error, self.folder)
            self._missing_picture, self._picture_trouble = (
                size,
                Message("The judged picture could not be kept: {reason}. The game goes on without it.", reason=why),
            )
        else:
            self._missing_picture, self._picture_trouble = 0, ""

    # Opening

    def _open_first(self) -> sqlite3.Connection:
        """Open the file or, if it cannot be written, a copy in memory, and set `trouble`."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._claim()
            check_log(self._path)
            return open_for_writing(self._path, self._read)
        except (OSError, sqlite3.Error) as error:
            if not may_be_readable(error):
                raise
            self._event_trouble = sentences.unwritten(reason(error, self.folder))
        log.error("%s", self._event_trouble)
        return in_memory(self._path, self._read)

    def _claim(self) -> None:
        """Lock the folder; the system unlocks it however the process ends."""
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
        return self._lock is not None and identity(self.folder) == identity(self._lock)

    def _check_folder(self) -> None:
        """Raise `JournalError` if the folder is not the one that was opened."""
        if not self._holds_folder():
            raise JournalError(Message("The folder {folder} is gone.", folder=str(self.folder)))

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            raise JournalError(f"The file {self._path} is not open.")
        return self._database

    def _identities(self) -> tuple[FileIdentity, FileIdentity]:
        return identity(self._path), identity(Path(f"{self._path}-wal"))

    def _reopen(self) -> None:
        """Open the file now in place, if it is the journal that this process knows."""
        if self._opened_as is not None:
            self._let_go()
        elif self._last is not None and not self._path.exists():
            raise JournalError(Message("The file {file} is gone.", file=str(self._path)))
        if self._last is None:  # there never was a journal
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
        there = identity(self._path)
        if there is None:
            self._restore_file(self._database)
        elif self._opened_as is not None and there == self._opened_as[0]:
            # Its WAL was removed: move its content into the file itself.
            (busy, _, _) = self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise JournalError(Message("Another program is using {file}.", file=str(self._path)))
        # SQLite notices that the file has moved, and does not delete another one with that name.
        self._database.close()
        self._database = self._opened_as = None

    def _restore_file(self, database: sqlite3.Connection) -> None:
        """Write the removed file again, from the open one. A folder that has disappeared completely may come back."""
        self._check_folder()
        part = self._path.with_suffix(".part")
        for end in ("", "-wal", "-journal"):
            Path(f"{part}{end}").unlink(missing_ok=True)
        with closing(sqlite3.connect(part)) as copy:
            database.backup(copy)
        for end in ("-wal", "-shm"):  # they belong to the removed file
            Path(f"{self._path}{end}").unlink(missing_ok=True)
        part.replace(self._path)
        sync_folder(self.folder)
        log.warning("%s was removed, and has been put back", self._path)

    # Writing

    def _write_waiting(self) -> None:
        """Write the waiting rows if the disk allows it; `trouble` says whether it did."""
        trouble = ""
        try:
            if self._opened_as is None or self._opened_as != self._identities():
                self._reopen()
            self._write()
        except (OSError, sqlite3.Error, JournalError) as error:
            trouble = sentences.unwritten(reason(error, self.folder))
            if trouble != self._event_trouble:
                log.exception("rows of the journal wait in memory")
        if self._event_trouble and not trouble:
            log.warning("the journal is written again, with everything that waited")
        self._event_trouble = trouble

    def _write(self) -> None:
        """Write everything that waits. Raises `JournalError` or `sqlite3.Error`."""
        if self._start_on_disk and not self._waiting:
            return
        database = self._open()
        with database:
            database.execute("BEGIN IMMEDIATE")
            lacking = self._missing_rows(database)
            database.execute("INSERT OR IGNORE INTO start (id, at) VALUES (?, ?)", self._start)
            database.executemany(f"INSERT INTO event ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", lacking)
        self._start_on_disk = True
        if self._waiting:
            self._last = self._waiting[-1]
            self._waiting.clear()

    def _checkpoint(self) -> None:
        """Move the content of SQLite's log into the file, as far as no other program is reading it."""
        self._round_over = False
        if self._database is not None:
            try:
                self._database.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            except sqlite3.Error as error:
                log.warning("what is in SQLite's log stays there: %s", error)

    def _missing_rows(self, database: sqlite3.Connection) -> list[EventRow]:
        """The waiting rows that `database` lacks, because an attempt that seemed to fail may have succeeded.

        Raises `JournalError` if the last known row is missing, or unknown rows follow it.
        """
        rows = [*([] if self._last is None else [self._last]), *self._waiting]
        since = 0 if self._last is None else self._last.seq
        there = database.execute(f"SELECT {_COLUMNS} FROM event WHERE seq >= ? ORDER BY seq", (since,)).fetchall()
        if there != rows[: len(there)] or (self._last is not None and not there):
            raise JournalError(
                Message(
                    "The file {file} was changed from outside. Put the right one back, or start the program again.",
                    file=str(self._path),
                )
            )
        return rows[len(there) :]
