"""The journal: every event on disk, in order, for ever; and the judged pictures beside it.

A Raspberry Pi is switched off at the plug. So an event counts as having happened only once SQLite has it on the disk
(WAL with synchronous=FULL syncs at every commit), and a picture lies there, whole, before the event that names it.
When the disk cannot be written the game goes on in memory, and that is told with everything else: `trouble`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path

from companion.table.errors import JournalError
from companion.table.game import sentences
from companion.table.game.events import Event, from_json, to_json
from companion.table.game.history import by_command
from companion.table.journal.event_file import Keeping, Row, why
from companion.table.journal.pictures import MOST, RESERVE, Pictures
from companion.table.journal.schema import APPLICATION_ID, SCHEMA

__all__ = ["APPLICATION_ID", "SCHEMA", "Journal", "utc_now"]


def utc_now() -> str:
    """The time of day as it is written beside events. Nothing is decided by it: a Pi's clock may be wrong."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """The events of one state directory. One process at a time holds it, and calls it from one thread at a time."""

    def __init__(
        self, folder: Path, now: Callable[[], str] = utc_now, *, pictures: int = MOST, reserve: int = RESERVE
    ) -> None:
        """Open the journal in `folder`, making both where there are none. `now` gives the time of day.

        `pictures` megabytes of pictures are kept, the oldest go first; none is kept where less than `reserve` bytes of
        the disk would stay free.

        On a disk that is full or cannot be written, the journal that is there is read, and `trouble` says the rest.
        Raises `JournalError` when the folder cannot be used, another process holds it, or the file is damaged or none
        of ours; it then stays as it is.
        """
        self.folder = folder
        self._now = now
        self._pictures = Pictures(folder / "pictures", pictures, reserve)
        self._picture_trouble = ""
        self._lost = 0
        """Bytes of the last picture where it could not be kept: as many must find room before that is mended."""
        self._kept = Keeping(folder, now())

    @property
    def pictures(self) -> Path:
        """Where the judged pictures are."""
        return self._pictures.folder

    @property
    def start(self) -> int:
        """How many times this journal was opened, this time included."""
        return self._kept.start

    @property
    def trouble(self) -> str:
        """Why what happens is in memory only, or the last picture was lost: a sentence. Empty when all is on disk."""
        return self._kept.trouble or self._picture_trouble

    def events(self) -> tuple[Event, ...]:
        """Everything that has happened, oldest first. Raises `JournalError` when a line cannot be understood."""
        return tuple(self._event(row) for row in self._rows())

    def lines(self) -> tuple[tuple[Event, ...], ...]:
        """The same, with the events of one command together. Raises `JournalError` as `events` does."""
        return tuple(by_command((row.step, self._event(row)) for row in self._rows()))

    def append(self, events: Sequence[Event]) -> None:
        """Keep what one command did, all of it or nothing, after all that was kept before.

        It is on disk when this returns, and so is all that waited to be; unless `trouble` says otherwise: then it waits
        in memory, and every later call of this and of `mend` tries again. Raises `JournalError` once closed.
        """
        rows = []
        for event in events:
            kind, body = to_json(event)
            rows.append((kind, json.dumps(body, ensure_ascii=False)))
        self._kept.add(self._now(), rows)

    def mend(self) -> None:
        """See whether the journal is still where it was, and write what waits. Cheap when all is well."""
        self._kept.mend()
        if self._lost:
            self._pictured(lambda: self._pictures.try_out(self._lost), self._lost)

    def has_picture(self, number: int) -> bool:
        """Whether the picture of a reading is there. The oldest are not kept for ever."""
        return self._pictures.has(number)

    def keep_picture(self, number: int, jpeg: bytes, spare: Collection[int] = ()) -> None:
        """Put a reading's picture on the disk, whole or not at all; it is there when this returns.

        The oldest pictures go where there are too many, but not this one and none of the readings `spare`.
        Raises `JournalError` when it could not be written, which `trouble` says too for as long as none could.
        """
        self._pictured(lambda: self._pictures.keep(number, jpeg, spare), len(jpeg))
        if self._lost:
            raise JournalError(self._picture_trouble)

    def close(self) -> None:
        """Write what waits, if that can be done, and give the file and the folder back. Safe to call twice."""
        self._kept.close()

    def _pictured(self, keep: Callable[[], None], size: int) -> None:
        try:
            self._kept.check_home()
            keep()
        except (OSError, JournalError) as error:
            self._lost, self._picture_trouble = size, sentences.no_picture(why(error, self.folder))
        else:
            self._lost, self._picture_trouble = 0, ""

    def _rows(self) -> list[Row]:
        try:
            return self._kept.rows()
        except sqlite3.Error as error:
            raise JournalError(f"The journal in {self.folder} cannot be read: {error}.") from error

    def _event(self, row: Row) -> Event:
        try:
            return from_json(row.kind, json.loads(row.body))
        except ValueError as error:
            raise JournalError(
                f"Line {row.seq} of the journal in {self.folder} cannot be understood: {error}."
            ) from error
