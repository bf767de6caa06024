"""A table on its club's broker: what happens goes out, acknowledgements and assignments come in.

One thread does all of it. The table and the network only wake it, so neither ever waits for the other; while there is
no broker, events wait in the journal and the state is forgotten.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Final, Protocol

from companion.club.broker.address import parse_broker_address
from companion.club.broker.connection import Connection
from companion.club.member.event_fold import EventFold
from companion.club.member.home_link import HomeLink
from companion.club.member.journal_lines import journal_lines
from companion.club.member.membership import Membership
from companion.club.member.outbox import Outbox
from companion.club.member.table_state import table_state
from companion.club.payloads import Acknowledgement, Assignment, EventKey, Online, PayloadError, decode, encode
from companion.club.topics import TableTopics, hub_topic
from companion.table import Table
from companion.table.errors import JournalError
from companion.table.state.state import State

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 1.0
"""How long the thread sleeps at most, so that what was not acknowledged is sent again."""
JOURNAL_RETRY_SECONDS: Final = 30.0
STOP_SECONDS: Final = 3.0


class BrokerConnection(Protocol):
    """`companion.club.broker.connection.Connection`."""

    def open(self, heard: Callable[[str, bytes], None], up: Callable[[bool], None]) -> None:
        """Connect. `heard` gets the topic and payload of each message, `up` whether the broker is there."""

    def subscribe(self, topic: str, *, retained: bool = True) -> None: ...
    def publish(self, topic: str, payload: bytes, *, qos: int = 0, retain: bool = False) -> None: ...
    def close(self) -> None: ...


class Publisher:
    """One table on its broker, from `start` to `stop`."""

    def __init__(
        self,
        membership: Membership,
        table: Table,
        folder: Path,
        connection: BrokerConnection,
        show: Callable[[bool, Assignment | None], None],
        home: HomeLink | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`folder` has the table's journal. `show` is told whether the hub is there, and who is to play here next.
        `home`: what Home Assistant is told; None for nothing.
        """
        self.membership = membership
        self._table, self._folder, self._connection, self._show, self._clock = table, folder, connection, show, clock
        self._topics = TableTopics(membership.club, membership.table)
        self._news: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)
        self._home = home
        self._leaves = False
        # Below: of the thread.
        self._up = self._hub = False
        self._assignment: Assignment | None = None
        self._fold = EventFold(membership.table)
        self._outbox: Outbox | None = None
        """None until the hub has said what it has."""
        self._read = 0
        """The last row of the journal that the outbox has."""
        self._version = self._filled = -1
        """That of the state that was published last, and that which the outbox is up to."""
        self._journal_after = float("-inf")

    def start(self) -> None:
        self._thread.start()
        self._table.attach(self)
        self._connection.open(
            lambda topic, payload: self._news.put(lambda: self._heard(topic, payload)),
            lambda up: self._news.put(lambda: self._connected(up)),
        )

    def stop(self, *, leave: bool = False) -> None:
        """Say goodbye, for good if the table is to `leave` the club, and end. Safe to call twice."""
        self._table.detach(self)
        self._leaves = leave
        self._stop.set()
        self._news.put(None)
        self._thread.join(STOP_SECONDS)
        self._connection.close()

    # From the table: `companion.table.state.listener.Listener`

    def put(self, _: State) -> None:
        self._news.put(None)

    def close(self) -> None:
        """The table closes; `stop` follows."""

    # In the thread

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._step()
            except Exception:
                log.exception("the club hears nothing of this table for a moment")
                self._stop.wait(LOOK_SECONDS)
        if self._up and self._leaves:
            self._leave()
        elif self._up:
            self._say_online(online=False)

    def _step(self) -> None:
        """Wait for news, and deal with it."""
        try:
            news = self._news.get(timeout=LOOK_SECONDS)
            while True:
                if news is not None:
                    news()
                news = self._news.get_nowait()
        except queue.Empty:
            pass
        version = self._publish_state()
        if not self._up:
            return
        if self._hub and self._outbox is not None:
            if self._filled != version and self._clock() >= self._journal_after:
                self._fill(self._outbox)
                self._filled = version
            for message in self._outbox.due(self._clock()):
                self._connection.publish(self._topics.event, encode(message), qos=1)

    def _connected(self, up: bool) -> None:
        self._up, self._hub, self._outbox, self._version = up, False, None, -1
        if up:
            for topic in (hub_topic(self.membership.club), self._topics.assign, self._topics.ack):
                self._connection.subscribe(topic)
            self._say_online(online=True)
            if self._home is not None:
                self._home.begin(self._connection)
        self._show(False, self._assignment)

    def _say_online(self, *, online: bool) -> None:
        said = Online(online=online, name=self.membership.name, program=version("perudo-companion"))
        self._connection.publish(self._topics.online, encode(said), qos=1, retain=True)

    def _leave(self) -> None:
        """The broker keeps nothing of this table."""
        if self._home is not None:
            self._home.end(self._connection)
        for topic in (self._topics.state, self._topics.online):
            self._connection.publish(topic, b"", qos=1, retain=True)

    def _heard(self, topic: str, payload: bytes) -> None:
        try:
            if topic == self._topics.ack:
                self._acknowledged(decode(payload, Acknowledgement))
            elif topic == self._topics.assign:
                self._assignment = decode(payload, Assignment) if payload else None
                self._show(self._hub, self._assignment)
            elif self._home is not None and topic == self._home.command_topic:
                self._home.press(payload, self._table)
            elif topic == hub_topic(self.membership.club):
                self._hub_seen(payload != b"" and decode(payload, Online).online)
        except PayloadError as error:
            log.warning("the club says on %s what cannot be read: %s", topic, error)

    def _hub_seen(self, online: bool) -> None:
        self._hub = online
        if self._outbox is not None:
            self._outbox.send_again()
        self._show(online, self._assignment)

    def _acknowledged(self, ack: Acknowledgement) -> None:
        if self._outbox is None or not self._outbox.acknowledge(ack):
            self._begin(ack.key)

    def _begin(self, since: EventKey | None) -> None:
        """Make the events anew from the journal, and keep those after `since`."""
        self._fold, self._outbox = EventFold(self.membership.table), Outbox(since)
        self._read, self._filled = 0, -1

    def _fill(self, outbox: Outbox) -> None:
        """Add what the journal has got since."""
        try:
            for line in journal_lines(self._folder, self._read):
                outbox.add(self._fold.step(line, self._consent(None)))
                self._read = line.seq
        except JournalError as error:
            log.warning("nothing goes into the club's books for now: %s", error)
            self._journal_after = self._clock() + JOURNAL_RETRY_SECONDS

    def _publish_state(self) -> int:
        """The version of the state that is published now."""
        history, state = self._table.history()
        if state.version != self._version:
            shown = table_state(history.position, state, self._consent(state))
            if self._home is not None:
                self._home.step(shown, self._connection, up=self._up)
            if self._up:
                self._connection.publish(self._topics.state, encode(shown), retain=True)
            self._version = state.version
        return state.version

    def _consent(self, state: State | None) -> frozenset[str]:
        """Who may be named: who agreed, or entered the tournament that is played here; in no club everybody."""
        if not self.membership.title:
            return frozenset() if state is None else frozenset(player.name for player in state.players)
        entered = () if self._assignment is None else self._assignment.players
        return frozenset(self.membership.consent) | frozenset(entered)


def member_connection(membership: Membership) -> Connection:
    """The connection of a table to its broker. Raises `BrokerError`."""
    address = parse_broker_address(membership.broker)
    if membership.username:
        address = replace(address, username=membership.username, password=membership.password)
    topic = TableTopics(membership.club, membership.table).online
    gone = encode(Online(online=False, name=membership.name))
    name = f"{membership.club}-{membership.table}"
    return Connection(address, client_id=name, will=(topic, gone, True), authority=membership.authority)
