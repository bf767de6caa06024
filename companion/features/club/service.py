"""A table's place in a club: what the page asks for, and the connection to the hub.

The MQTT part needs the extra `club`, and is imported only if the table is in a club.
"""

from __future__ import annotations

import logging
import random
import secrets
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from companion.config.sections import ClubConfig
from companion.member.consent import ConsentHistory
from companion.member.errors import ClubError
from companion.member.invitation import parse_invitation
from companion.member.membership import (
    Membership,
    forget_membership,
    home_membership,
    join_club,
    read_membership,
    write_membership,
)
from companion.member.outbox import run_name, runs_in
from companion.messages.message import Message
from companion.messages.sentence import Value
from companion.state_folder import CLUB_FILE
from companion.table import Table
from companion.table.errors import JournalError
from companion.table.state.state import ClubAssignment, ClubStatus

if TYPE_CHECKING:
    from companion.member.payloads import Assignment
    from companion.member.publisher import Publisher

log = logging.getLogger(__name__)


_IN_NO_CLUB: Final = Message("This table is in no club.")


class ClubState(Value, frozen=True, kw_only=True):
    """The table's place in a club."""

    title: str
    """The club's name; empty if the table is in none."""
    table: str
    """The table's name in the club."""
    online: bool
    """True if the club's hub is online."""
    refused: bool = False
    """True if the club's broker refuses the table, as when it was removed from the club."""
    taken_over: bool = False
    """True if another box uses this table's identity, as after its memory card was copied: each ends the other's
    connection.
    """
    names: tuple[str, ...]
    """The players who may be named; the others appear by colour."""


def has_club_part() -> bool:
    """True if the extra `club` is installed."""
    return find_spec("paho") is not None


class TableClub:
    """The club of one table. Thread-safe."""

    def __init__(self, folder: Path, table: Table, config: ClubConfig, rng: random.Random) -> None:
        """`folder` contains the journal and, once the table is in a club, `CLUB_FILE`."""
        self._folder, self._table, self._config, self._rng = folder, table, config, rng
        self._lock = threading.Lock()
        self._publisher: Publisher | None = None
        self._membership: Membership | None = None
        self._consent: ConsentHistory | None = None
        self._seen: tuple[int, int] | None = (0, 0)
        """Inode and modification time of the file that was read last; None if it did not exist."""
        self._online = False

    def follow(self) -> None:
        """Reload the file if it has changed, as `perudo club join` may do. Call it every few seconds."""
        with self._lock:
            seen = self._look()
            if seen != self._seen:
                self._seen = seen
                self._connect()
            elif self._consent is not None:
                self._consent.save()

    def close(self) -> None:
        """Disconnect. Can be called twice."""
        with self._lock:
            self._disconnect()

    def state(self) -> ClubState:
        found, publisher = self._membership, self._publisher
        return ClubState(
            title="" if found is None else found.title,
            table="" if found is None else found.name,
            online=self._online,
            refused=publisher is not None and publisher.refused,
            taken_over=publisher is not None and publisher.taken_over,
            names=() if found is None else found.consent,
        )

    def join(self, address: str, name: str) -> None:
        """Join a club with an invitation. Raises `ClubError`."""
        join_club(parse_invitation(address), self._folder, name, self._rng, self._table.last_row())
        self.follow()

    def leave(self) -> None:
        """Leave the club. Raises `ClubError`."""
        if self._look() is None:
            raise ClubError(_IN_NO_CLUB)
        forget_membership(self._folder)
        self.follow()

    def set_names(self, names: tuple[str, ...]) -> None:
        """Set who may be named from now on. Raises `ClubError`."""
        self.follow()
        with self._lock:
            found = read_membership(self._folder)
            if found is None or self._consent is None:
                raise ClubError(_IN_NO_CLUB)
            agreed = replace(found, consent=names)
            self._consent.agree(names, lambda: write_membership(self._folder, agreed))
        self.follow()

    # Called with the lock held

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
        except ClubError as error:  # the table has not left: its file is damaged
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
        if not has_club_part():
            log.warning("The part for clubs is not installed (the extra called club): the table tells no broker.")
            return
        try:
            self._publisher = self._publisher_of(found)
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

    def _publisher_of(self, found: Membership) -> Publisher:
        # A table in no club needs none of this, and the publisher needs the extra.
        from companion.member.home_assistant import HomeAssistant  # noqa: PLC0415
        from companion.member.publisher import Publisher, member_connection  # noqa: PLC0415

        home = HomeAssistant(found, commands=self._config.commands) if self._config.home_assistant else None
        session = secrets.token_hex(8)
        connection = member_connection(found, session)
        return Publisher(found, self._consent, self._table, self._folder, connection, self._show, home, session=session)

    def _show(self, online: bool, assignment: Assignment | None) -> None:
        """Show the connection's state. Called by the publisher's thread."""
        found = self._membership
        if found is None or not found.in_club:
            return
        self._online = online
        shown = None
        if assignment is not None:
            shown = ClubAssignment(tournament=assignment.tournament, round=assignment.round, players=assignment.players)
        self._table.set_club(ClubStatus(title=found.title, online=online, assignment=shown))
