"""Records who may be named in the club, by row of the table's journal: the file consent.json of its state folder.

Consent applies from the moment it is given. So each row of the journal is sent with the names that were agreed when it
was written, even if everything is sent again; players who entered a tournament are named only in the games that begin
while it is played here. The file belongs to one table of one club, and is as secret as `CLUB_FILE`.

A restored backup of the journal has rows with the same numbers, but other starts of the program. So each entry names
the start in which it was made, and counts only in a journal with that start. It stays in the file, because the earlier
journal may be restored, too.
"""

from __future__ import annotations

import logging
import threading
from bisect import bisect_left
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from calibration.atomic_write import write_atomically
from companion.kept_file import read_kept
from companion.member.errors import ClubError
from companion.member.membership import Membership, unwritten
from companion.messages.sentence import TEXT_END, read_json
from companion.state_folder import CONSENT_FILE
from companion.table.commands import Count

log = logging.getLogger(__name__)


class Consent(Struct, frozen=True):
    """The players who may be named in the rows after `row`, up to the next entry."""

    row: Count
    names: tuple[str, ...] = ()
    """Players who agreed."""
    entered: tuple[str, ...] = ()
    """Players of the next tournament game here: named in the games that begin in these rows."""
    run: Annotated[str, Meta(pattern=rf"^([0-9]+-[0-9T]*)?{TEXT_END}")] = ""
    """The start of the program in which this was recorded; empty if it counts in every journal."""


def _in_order(entry: Consent) -> tuple[int, int]:
    return entry.row, int(entry.run.partition("-")[0] or 0)


class _File(Struct, frozen=True):
    club: str
    table: str
    since: int
    """As in the membership: a table that joins again starts afresh."""
    history: tuple[Consent, ...]


def _file(content: bytes) -> _File:
    return read_json(content, _File)


NOBODY_YET: Final = Consent(0)


class ConsentHistory:
    """The consent at one table of a club. Thread-safe."""

    def __init__(
        self, folder: Path, membership: Membership, last_row: Callable[[], int], run: str, runs: Mapping[str, int]
    ) -> None:
        """`last_row`: returns the number of the journal's last row at each change; it may lock the table. `run`: this
        start of the program. `runs`: see `companion.member.outbox.runs_in`.
        """
        self._path, self._last_row, self._run = folder / CONSENT_FILE, last_row, run
        self._owner = (membership.club, membership.table, membership.since)
        self._lock = threading.Lock()
        self._saved = False
        """The file is up to date."""
        self._elsewhere: tuple[Consent, ...] = ()
        """Entries for other journals."""
        self._history = self._read(membership, runs)
        self.follow(membership.consent)

    def of(self, membership: Membership) -> bool:
        """True if it belongs to this table in this club."""
        return self._owner == (membership.club, membership.table, membership.since)

    @property
    def since(self) -> int:
        """The last row that the club does not get: the last one when the table joined, or of a backup restored
        later."""
        with self._lock:
            return self._history[0].row

    @property
    def now(self) -> Consent:
        """The consent for the next row."""
        with self._lock:
            return self._history[-1]

    def at(self, row: int) -> Consent:
        """The consent when the row was written."""
        with self._lock:
            index = bisect_left(self._history, row, key=lambda each: each.row)
            return self._history[index - 1] if index else NOBODY_YET

    def follow(self, names: tuple[str, ...]) -> None:
        """Adopt the membership's names, which another program or a restored backup may have changed."""
        with self._lock:
            if self._history[-1].names != names:
                self._add(names=names)
            self._save()

    def agree(self, names: tuple[str, ...], commit: Callable[[], None]) -> None:
        """Set who agrees from now on, if `commit`, which saves it elsewhere, succeeds.

        Raises `ClubError`, also that of `commit`; the earlier consent is then kept.
        """
        with self._lock:
            before = self._history
            self._add(names=names)
            try:
                self._write()
                commit()
            except ClubError:
                self._history, self._saved = before, False
                self._save()
                raise

    def enter(self, players: tuple[str, ...]) -> None:
        """Set who plays here next in a tournament; empty if nobody does."""
        with self._lock:
            if self._history[-1].entered != players:
                self._add(entered=players)
            self._save()

    def save(self) -> None:
        """Retry writing the file if that failed."""
        with self._lock:
            self._save()

    # Internal; called with the lock held

    def _read(self, membership: Membership, runs: Mapping[str, int]) -> tuple[Consent, ...]:
        row = self._last_row()
        try:
            there = self._path.exists()
            found = read_kept(self._path, _file, "Nobody is named in what was played until now.")
            if not there and not membership.since:
                # It joined before this file existed, and names the same players in all games.
                return (Consent(0, membership.consent),)
            if found is not None and self._owner == (found.club, found.table, found.since):
                reach = {**runs, "": row, self._run: row}
                history = [each for each in found.history if each.row <= reach.get(each.run, -1)]
                self._elsewhere = tuple(each for each in found.history if each not in history)
                self._saved = bool(history)
                return tuple(sorted(history, key=_in_order)) or (Consent(row, run=self._run),)
        except OSError as error:
            log.warning("%s cannot be read (%s): nobody is named in what was played until now.", self._path, error)
        return (Consent(min(membership.since, row), run=self._run),)

    def _add(self, **change: tuple[str, ...]) -> None:
        """Add an entry for the rows after the journal's last one."""
        row, last = self._last_row(), self._history[-1]
        now = replace(last, row=row, run=self._run, **change)
        before = tuple(each for each in self._history[1:] if (each.row, each.run) != (row, self._run))
        self._history, self._saved = (self._history[0], *before, now), False

    def _write(self) -> None:
        found = _File(*self._owner, (*self._elsewhere, *self._history))
        try:
            write_atomically(self._path, msgspec.json.encode(found), mode=0o600)
        except OSError as error:
            raise unwritten(self._path, error) from error
        self._saved = True

    def _save(self) -> None:
        if not self._saved:
            try:
                self._write()
            except ClubError as error:
                log.warning("%s It is tried again.", error)
