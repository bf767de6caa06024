"""Joins and leaves clubs for a table, and keeps its connection to the broker."""

from __future__ import annotations

import logging
import random
import threading
from pathlib import Path

from msgspec.structs import replace

from companion.club.errors import ClubError
from companion.club.invitation import parse_invitation
from companion.club.member.consent import ConsentHistory
from companion.club.member.home_link import HomeLink
from companion.club.member.join import join_club
from companion.club.member.journal_lines import run_name, runs_in
from companion.club.member.membership import (
    Membership,
    forget_membership,
    home_membership,
    read_membership,
    write_membership,
)
from companion.club.member.publisher import Publisher, member_connection
from companion.club.payloads import Assignment
from companion.club.topics import TableTopics
from companion.config.sections import ClubConfig
from companion.messages.message import Message
from companion.state_folder import CLUB_FILE
from companion.table import Table
from companion.table.errors import JournalError
from companion.table.state.state import ClubAssignment, ClubStatus
from web.box.club_desk import ClubRefusal, ClubState

log = logging.getLogger(__name__)


class MemberDesk:
    """The club of one table. Thread-safe."""

    def __init__(self, folder: Path, table: Table, config: ClubConfig, rng: random.Random) -> None:
        """`folder` has the journal, and `CLUB_FILE` once the table is in a club."""
        self._folder, self._table, self._config, self._rng = folder, table, config, rng
        self._lock = threading.Lock()
        self._publisher: Publisher | None = None
        self._membership: Membership | None = None
        self._consent: ConsentHistory | None = None
        self._seen: tuple[int, int] | None = (0, 0)
        """The file that was read last: its inode and when it was written; None if there was none."""
        self._online = False

    def tidy(self) -> None:
        """Follow the file."""
        with self._lock:
            seen = self._look()
            if seen != self._seen:
                self._seen = seen
                self._connect()
            elif self._consent is not None:
                self._consent.save()

    def close(self) -> None:
        """Say goodbye. Safe to call twice."""
        with self._lock:
            self._disconnect()

    def state(self) -> ClubState:
        found, publisher = self._membership, self._publisher
        names = () if found is None else found.consent
        title, table = ("", "") if found is None else (found.title, found.name)
        refused = publisher is not None and publisher.refused
        return ClubState(
            title=title,
            table=table,
            online=self._online,
            refused=refused,
            taken_over=publisher is not None and publisher.taken_over,
            names=names,
        )

    def join(self, address: str, name: str) -> None:
        """Join by an invitation. Raises `ClubRefusal`."""
        try:
            join_club(parse_invitation(address), self._folder, name, self._rng, self._table.last_row())
        except ClubError as error:
            raise ClubRefusal(error.sentence) from error
        self.tidy()

    def leave(self) -> None:
        """Leave the club. Raises `ClubRefusal`."""
        try:
            forget_membership(self._folder)
        except ClubError as error:
            raise ClubRefusal(error.sentence) from error
        self.tidy()

    def set_names(self, names: tuple[str, ...]) -> None:
        """Who may be named from now on. Raises `ClubRefusal`."""
        self.tidy()
        try:
            with self._lock:
                found = read_membership(self._folder)
                if found is None or self._consent is None:
                    raise ClubRefusal(Message("This table is in no club."))
                agreed = replace(found, consent=names)
                self._consent.agree(names, lambda: write_membership(self._folder, agreed))
        except ClubError as error:
            raise ClubRefusal(error.sentence) from error
        self.tidy()

    # Inside; called with the lock held

    def _look(self) -> tuple[int, int] | None:
        try:
            found = (self._folder / CLUB_FILE).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    def _disconnect(self, *, leave: bool = False) -> None:
        if self._publisher is not None:
            self._publisher.stop(leave=leave)
            self._publisher = None

    def _connect(self) -> None:
        before = self._membership
        try:
            found = self._read()
        except ClubError as error:  # the table has not left: its file is spoilt
            log.warning("%s", error)
            found, leave = None, False
        else:
            leave = before is not None and (found is None or (found.club, found.table) != (before.club, before.table))
        self._disconnect(leave=leave)
        self._membership, self._online = found, False
        self._consent = self._history_of(found)
        self._table.set_club(None)
        if found is None:
            return
        try:
            self._publisher = self._published(found)
        except ClubError as error:
            log.warning("%s", error)
        else:
            self._publisher.start()

    def _read(self) -> Membership | None:
        found = read_membership(self._folder)
        if found is None and self._config.broker:
            return home_membership(self._folder, self._config.broker, self._rng)
        return found

    def _history_of(self, found: Membership | None) -> ConsentHistory | None:
        if found is None or not found.in_club:
            return None
        if self._consent is not None and self._consent.of(found):
            self._consent.follow(found.consent)
            return self._consent
        try:
            runs = runs_in(self._folder)
        except JournalError as error:
            log.warning("%s Until the next start nothing of it is told.", error)
            runs = {}
        return ConsentHistory(self._folder, found, self._table.last_row, run_name(*self._table.start), runs)

    def _published(self, found: Membership) -> Publisher:
        home = None
        if self._config.home_assistant:
            home = HomeLink(TableTopics(found.club, found.table), found.name, commands=self._config.commands)
        connection = member_connection(found)
        return Publisher(found, self._consent, self._table, self._folder, connection, self._show, home)

    def _show(self, online: bool, assignment: Assignment | None) -> None:
        """From the publisher's thread."""
        found = self._membership
        if found is None or not found.in_club:
            return
        self._online = online
        shown = None
        if assignment is not None:
            shown = ClubAssignment(tournament=assignment.tournament, round=assignment.round, players=assignment.players)
        self._table.set_club(ClubStatus(title=found.title, online=online, assignment=shown))
