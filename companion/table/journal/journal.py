"""The journal: every event on disk, in order, for ever, and the judged pictures beside it.

A Raspberry Pi is switched off at the plug. So an event has happened only once SQLite has it on disk (WAL with
synchronous=FULL syncs at every commit), and a picture is there, whole, before the event that names it. While the disk
cannot be written the game goes on in memory, and `trouble` says so.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path

from companion.messages.message import Message
from companion.table.errors import JournalError
from companion.table.game.events import Event, from_json, to_json
from companion.table.game.history import by_command
from companion.table.journal.event_file import EventFile, EventRow, reason
from companion.table.journal.picture_folder import DISK_RESERVE, PICTURE_MEGABYTES, PictureFolder
from companion.table.journal.schema import APPLICATION_ID, SCHEMA_VERSION

__all__ = ["APPLICATION_ID", "SCHEMA_VERSION", "Journal", "utc_now"]


def utc_now() -> str:
    """The time of day as written beside events. A Pi's clock may be wrong: nothing is decided by it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """The events of one state folder, locked by this process. Call it from one thread at a time."""

    def __init__(
        self,
        folder: Path,
        now: Callable[[], str] = utc_now,
        *,
        pictures: int = PICTURE_MEGABYTES,
        reserve: int = DISK_RESERVE,
    ) -> None:
        """Open or create the journal in `folder`. `now` gives the time of day.

        `pictures` megabytes of pictures are kept, and `reserve` bytes of the disk left free.

        On a disk that is full or cannot be written the journal is read, and `trouble` says so. Raises `JournalError`
        when the folder cannot be used or is locked by another process, and when the file is damaged or not ours.
        """
        self.folder = folder
        self._now = now
        self._pictures = PictureFolder(folder / "pictures", pictures, reserve)
        self._picture_trouble = ""
        self._lost = 0
        """Bytes of the last picture, where it could not be written: `trouble` stays until there is room for as many."""
        self._file = EventFile(folder, now())

    @property
    def pictures(self) -> Path:
        """Where the judged pictures are."""
        return self._pictures.folder

    @property
    def start(self) -> int:
        """How many times this journal was opened, this time included."""
        return self._file.start

    @property
    def trouble(self) -> str:
        """Why events are in memory only, or the last picture was lost, as a sentence; empty when all is on disk."""
        return self._file.trouble or self._picture_trouble

    def events(self) -> tuple[Event, ...]:
        """Every event, oldest first. Raises `JournalError` when a line cannot be understood."""
        return tuple(self._event(row) for row in self._rows())

    def lines(self) -> tuple[tuple[Event, ...], ...]:
        """The same, grouped by command. Raises `JournalError` as `events` does."""
        return tuple(by_command((row.step, self._event(row)) for row in self._rows()))

    def append(self, events: Sequence[Event]) -> None:
        """Write the events of one command, all or none, and everything that waits.

        They are on disk when this returns, unless `trouble` says otherwise: then they wait in memory, and every later
        call of this and of `mend` tries again. Raises `JournalError` once closed.
        """
        rows = []
        for event in events:
            kind, body = to_json(event)
            rows.append((kind, json.dumps(body, ensure_ascii=False)))
        self._file.add(self._now(), rows)

    def mend(self) -> None:
        """Check that the journal is still in place, and write what waits. Cheap when all is well."""
        self._file.mend()
        if self._lost:
            self._pictured(lambda: self._pictures.check_room(self._lost), self._lost)

    def has_picture(self, number: int) -> bool:
        """Whether the picture of a reading is (still) there."""
        return self._pictures.has(number)

    def keep_picture(self, number: int, jpeg: bytes, spare: Collection[int] = ()) -> None:
        """Write a reading's picture, whole or not at all, and remove the oldest while there are too many.

        This one and the readings `spare` stay. Raises `JournalError` when it could not be written; `trouble` says so
        until one can.
        """
        self._pictured(lambda: self._pictures.keep(number, jpeg, spare), len(jpeg))
        if self._lost:
            raise JournalError(self._picture_trouble)

    def close(self) -> None:
        """Write what waits, if that can be done, and give the file and the folder back. Safe to call twice."""
        self._file.close()

    def _pictured(self, keep: Callable[[], None], size: int) -> None:
        try:
            self._file.check_folder()
            keep()
        except (OSError, JournalError) as error:
            self._lost, self._picture_trouble = (
                size,
                Message(
                    "The judged picture could not be kept: {reason}. The game goes on without it.",
                    reason=reason(error, self.folder),
                ),
            )
        else:
            self._lost, self._picture_trouble = 0, ""

    def _rows(self) -> list[EventRow]:
        try:
            return self._file.rows()
        except sqlite3.Error as error:
            raise JournalError(f"The journal in {self.folder} cannot be read: {error}.") from error

    def _event(self, row: EventRow) -> Event:
        try:
            return from_json(row.kind, json.loads(row.body))
        except ValueError as error:
            raise JournalError(
                f"Line {row.seq} of the journal in {self.folder} cannot be understood: {error}."
            ) from error
