"""The hub: the only owner of a club. It listens to the tables, answers them, and serves the lobby.

Thread-safe: the threads of the broker, the inbox and the lobby's requests call it. Nothing waits for the network while
holding a lock.
"""

from __future__ import annotations

import logging
import random
import threading
from typing import Final

from msgspec.structs import replace

from companion.club.credentials import Credentials
from companion.club.hub.books import ClubBooks
from companion.club.hub.inbox import Inbox
from companion.club.hub.mailbox import TableMessage
from companion.club.hub.store import Store
from companion.club.hub.tables import LobbyFeed, LobbyTable
from companion.club.hub.tournaments import Tournaments
from companion.member.connection import Connection
from companion.member.errors import ClubError, NotAllowedInClubError
from companion.member.home_assistant import removal
from companion.member.invitation import Admission, ClubInvitation, HomeAccess, JoinClub, proof, proves, table_password
from companion.member.payloads import Acknowledgement, Assignment, EventMessage, Online, RecordEvent, encode
from companion.member.topics import TableTopics, hub_topic, table_of, tables_topic
from companion.messages.message import Message

log = logging.getLogger(__name__)

HEARD_KINDS: Final = ("online", "state", "event")
"""The kinds of a table's topics that the hub subscribes to."""


class Hub:
    """One club."""

    def __init__(
        self,
        store: Store,
        broker: Connection,
        credentials: Credentials,
        reach: tuple[str, str],
        *,
        title: str = "",
        rng: random.Random,
    ) -> None:
        """`reach`: the broker's address for tables, without a host if it is the hub's, and the certificate (PEM) of its
        authority, empty for one of the system's. `title`: the club's name for people; empty leaves it unchanged.
        """
        self._store, self._broker, self._credentials, self._reach, self._rng = store, broker, credentials, reach, rng
        self.club = store.club(rng)
        if title:
            store.set("title", title)
        self.title = store.setting("title", lambda: "Perudo club")
        self.feed = LobbyFeed()
        for table, name in store.members().items():
            self.feed.know(table, name)
        for table in store.removed:
            self.feed.forget(table)
        self.books = ClubBooks(store)
        self._lock = threading.Lock()
        self._version = 0
        self.tournaments = Tournaments(store, rng, self.feed.tables, self.assign)
        self._up = False
        self._inbox = Inbox(store, self.feed, self._acknowledge, self._booked, self._left)

    # The broker

    def start(self) -> None:
        """Start listening."""
        self.tournaments.take_records()  # of games that ended just before the hub stopped
        self._inbox.start()
        self._broker.open(self._heard, self._connected)

    def stop(self) -> None:
        """Announce the end, write what has arrived, and close. Safe to call twice."""
        self._say_online(online=False)
        self._inbox.stop()
        self._broker.close()
        self.feed.close()

    @property
    def connected(self) -> bool:
        """True while connected to the broker."""
        return self._up

    def _connected(self, up: bool) -> None:
        self._up = up
        if up:
            for kind in HEARD_KINDS:
                self._broker.subscribe(tables_topic(self.club, kind))
            self._say_online(online=True)
            self.tournaments.show_again()
        log.info("the broker is %s", "there" if up else "gone")

    def _say_online(self, *, online: bool) -> None:
        said = Online(online=online, name=self.title)
        self._broker.publish(hub_topic(self.club), encode(said), qos=1, retain=True)

    def _heard(self, topic: str, payload: bytes) -> None:
        if (found := table_of(topic, self.club)) is not None:
            self._inbox.put(TableMessage(*found, payload))

    def _acknowledge(self, table: str, ack: Acknowledgement) -> None:
        self._broker.publish(TableTopics(self.club, table).ack, encode(ack), qos=1)

    def assign(self, table: str, assignment: Assignment | None) -> None:
        """Show at a table who plays there next; None clears it."""
        payload = b"" if assignment is None else encode(assignment)
        self._broker.publish(TableTopics(self.club, table).assign, payload, qos=1, retain=True)
        self.feed.set_assignment(table, assignment)

    # Joining and leaving

    def invite(self, address: str) -> ClubInvitation:
        """An invitation for one table, through the lobby at `address`."""
        return self._store.invite(address, self._rng)

    def join(self, asked: JoinClub) -> Admission:
        """Admit a table. It may ask again until it is heard, because the answer may be lost. Raises
        `NotAllowedInClubError`, `ClubError`.
        """
        secret = self._store.invitation_secret(asked.invitation)
        if not proves(secret, asked.proof, *asked.said()):
            raise NotAllowedInClubError(
                Message("This invitation is not complete: copy all of it, including the part after the #.")
            )
        if any(each.table != asked.table and each.name == asked.name for each in self.tables()):
            raise NotAllowedInClubError(
                Message("Another table of the club is called {name}. Give this one another name.", name=asked.name)
            )
        known = self.feed.table(asked.table)
        heard = known is not None and (known.online or known.state is not None)
        self._store.admit(asked.invitation, asked.table, asked.name, heard=heard)
        username = ""
        if self._credentials.available:
            username = self._credentials.admit(asked.table, table_password(secret, asked.table))
        self.feed.know(asked.table, asked.name)
        url, authority = self._reach
        admission = Admission(
            club=self.club, title=self.title, broker=url, authority=authority, username=username, proof="0" * 64
        )
        return replace(admission, proof=proof(secret, *admission.said(asked.table)))

    def remove(self, table: str, *, games: bool = False) -> None:
        """Remove a table from the club: its password stops working, the lobby no longer shows it, and its messages are
        ignored until it joins again. `games`: its games are deleted too; results of tournaments stay. Raises
        `NotAllowedInClubError` if there is no such table, and `ClubError`.
        """
        if self.feed.table(table) is None:
            raise NotAllowedInClubError(Message("The club has no table {table}.", table=table))
        if self._credentials.available:
            self._credentials.remove(table)
        self._store.remove(table, games=games)
        self.feed.forget(table)
        self.books.table_removed(table, games=games)
        if games:
            self.tournaments.forget_games(table)
            self.tell()
        topics = TableTopics(self.club, table)
        # Home Assistant is told first that the table is gone: it could not read the empty messages.
        for topic in dict.fromkeys((*(topic for topic, _ in removal(topics)), *topics.retained)):
            self._broker.publish(topic, b"", qos=1, retain=True)

    def _left(self, table: str) -> None:
        """A table has left the club itself."""
        if self.feed.table(table) is not None:
            try:
                self.remove(table)
            except ClubError as error:
                log.warning("table %s has left the club, and its password stays: %s", table, error)

    def admit_home(self) -> HomeAccess:
        """Create a new password for Home Assistant, replacing the old one. Raises `ClubError`."""
        if not self._credentials.available:
            raise NotAllowedInClubError("The hub sets no passwords on this broker: ask whoever runs it for one.")
        password = f"{self._rng.getrandbits(128):032x}"
        url, authority = self._reach
        return HomeAccess(
            broker=url, authority=authority, username=self._credentials.admit_home(password), password=password
        )

    # The books

    def _booked(self, new: tuple[tuple[str, EventMessage], ...]) -> None:
        records = [(table, message.what) for table, message in new if isinstance(message.what, RecordEvent)]
        if not records:
            return
        self.books.extend(records)
        self.tournaments.take_records()
        self.tell()

    def set_table_counts(self, table: str, *, counts: bool) -> None:
        """Decide if a table's past and future games count; it may have left. Raises `NotAllowedInClubError` if there is
        no such table, and `ClubError`.
        """
        there = self.feed.table(table) is not None or table in self.books.tables_left_out
        if not there and not self.books.games(table=table, most=1):
            raise NotAllowedInClubError(Message("The club has no table {table}.", table=table))
        self.books.set_table_counts(table, counts=counts)
        self.tell()

    def tell(self) -> None:
        """Tell the lobby's pages that the books or a tournament have changed."""
        with self._lock:
            self._version += 1
            version = self._version
        self.feed.set_books(version)

    def tables(self) -> list[LobbyTable]:
        return self.feed.tables()
