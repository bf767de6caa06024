"""A table on its club's broker: what happens goes out, acknowledgements and assignments come in.

One thread does all of it. The table and the network only wake it, so neither ever waits for the other; while there is
no broker, events wait in the journal and the state is forgotten.
"""

from __future__ import annotations

import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Final

from companion.member.address import parse_broker_address
from companion.member.connection import Connection
from companion.member.consent import NOBODY_YET, ConsentHistory
from companion.member.events import EventFold, beginning_for
from companion.member.home_assistant import HomeAssistant
from companion.member.membership import Membership
from companion.member.outbox import Outbox, journal_lines
from companion.member.payloads import Acknowledgement, Assignment, EventKey, Online, PayloadError, decode, encode
from companion.member.player_names import table_state
from companion.member.topics import TableTopics, hub_topic
from companion.table import Table
from companion.table.errors import JournalError
from companion.table.game.table_position import TablePosition
from companion.table.state.state import State

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 1.0
"""The longest sleep of the thread, so that what was not acknowledged is sent again."""
JOURNAL_RETRY_SECONDS: Final = 30.0
ANEW_SECONDS: Final = 10.0
"""Between two times that the hub has the whole journal sent again: after years that takes seconds."""
STOP_SECONDS: Final = 3.0


class Publisher:
    """One table on its broker, from `start` to `stop`."""

    def __init__(
        self,
        membership: Membership,
        consent: ConsentHistory | None,
        table: Table,
        folder: Path,
        connection: Connection,
        show: Callable[[bool, Assignment | None], None],
        home: HomeAssistant | None = None,
        clock: Callable[[], float] = time.monotonic,
        session: str = "",
    ) -> None:
        """`consent`: who may be named; None at home, where everybody is. `folder` has the table's journal. `show` gets
        whether the hub is there, and who plays here next. `home`: None if Home Assistant is not used. `session`: that
        of the connection's will; empty: one is drawn.
        """
        self.membership, self._consent = membership, consent
        self._table, self._folder, self._connection, self._show, self._clock = table, folder, connection, show, clock
        self._topics = TableTopics(membership.club, membership.table)
        self._news: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)
        self._home = home
        self._leaves = False
        self._session = session or secrets.token_hex(8)
        # Below: of the thread.
        self._up = self._hub = self._said_taken_over = False
        self._connections = 0
        self._assignment: Assignment | None = None
        """The hub's last word: on this connection if `_assigned`, and not yet passed on if `_reassigned`."""
        self._assigned = self._reassigned = False
        self._fold: EventFold | None = None
        self._outbox: Outbox | None = None
        """None until the hub has said, on this connection, what it has."""
        self._asked: Acknowledgement | None = None
        """The acknowledgement for which the journal is sent again."""
        self._anew_after = float("-inf")
        self._read = 0
        """The last row of the journal that the fold has."""
        self._whole = True
        """True if the fold began with the journal's first row."""
        self._filled = -1
        """The version of the state that the fold is up to."""
        self._published: tuple[int, frozenset[str]] | None = None
        """The version of the state that was published last, and who was named in it."""
        self._journal_after = float("-inf")
        self._unreadable: set[str] = set()
        """The topics on which the last message could not be read."""

    @property
    def taken_over(self) -> bool:
        """True if another box uses the same place in the club: see `Connection.taken_over`."""
        return self._connection.taken_over

    @property
    def refused(self) -> bool:
        """True if the broker refuses the table, which was then removed from the club."""
        return self._connection.refused

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
        """Wait for news, and handle it."""
        try:
            news = self._news.get(timeout=LOOK_SECONDS)
            while True:
                if news is not None:
                    news()
                news = self._news.get_nowait()
        except queue.Empty:
            pass
        if self._up and self._said_taken_over != self.taken_over:
            self._say_online(online=True)
        if self._reassigned:
            self._follow_assignment()
        if self._asked is not None and self._clock() >= self._anew_after:
            self._begin(self._asked.key)
        history, state = self._table.history()
        if self._up and self._fold is not None and self._filled != state.version:
            self._fill(self._fold, state.version)
        self._publish_state(history.position, state)
        if self._up and self._hub and self._outbox is not None:
            for message in self._outbox.due(self._clock()):
                self._connection.publish(self._topics.event, encode(message), qos=1)

    def _connected(self, up: bool) -> None:
        self._up, self._hub, self._outbox, self._asked, self._published = up, False, None, None, None
        self._assigned = False
        if up:
            self._connections += 1
            for topic in (hub_topic(self.membership.club), self._topics.assign, self._topics.ack):
                self._connection.subscribe(topic)
            if not self.membership.in_club:  # no hub is there to tell of a second box
                self._connection.subscribe(self._topics.online)
            self._say_online(online=True)
            if self._home is not None:
                self._home.begin(self._connection)
        self._show(False, self._assignment)

    def _say_online(self, *, online: bool) -> None:
        self._said_taken_over = self.taken_over
        said = Online(
            online=online,
            name=self.membership.name,
            program=version("perudo-companion"),
            session=self._session,
            taken_over=self._said_taken_over,
        )
        self._connection.publish(self._topics.online, encode(said), qos=1, retain=True)

    def _leave(self) -> None:
        """The broker keeps nothing of this table."""
        if self._home is not None:
            self._home.end(self._connection)
        for topic in (self._topics.state, self._topics.online):
            self._connection.publish(topic, b"", qos=1, retain=True)

    def _heard(self, topic: str, payload: bytes) -> None:
        try:
            self._take(topic, payload)
        except PayloadError as error:
            if topic not in self._unreadable:  # once: a hub could fill the disk
                self._unreadable.add(topic)
                log.warning("the club says on %s what cannot be read: %s", topic, error)
        else:
            self._unreadable.discard(topic)

    def _take(self, topic: str, payload: bytes) -> None:
        """Handle a message. Raises `PayloadError`."""
        if topic == self._topics.ack:
            self._acknowledged(decode(payload, Acknowledgement))
        elif topic == self._topics.assign:
            self._assign(decode(payload, Assignment) if payload else None)
        elif self._home is not None and topic == self._home.command_topic:
            self._home.press(payload, self._table)
        elif topic == self._topics.online:
            self._seen(decode(payload, Online) if payload else None)
        elif topic == hub_topic(self.membership.club):
            self._hub_seen(payload != b"" and decode(payload, Online).online)

    def _seen(self, said: Online | None) -> None:
        """What was said in this table's place while it was away. At its first connection that was an earlier start."""
        if said is not None and said.session not in ("", self._session) and self._connections > 1:
            if not self.taken_over:
                log.warning(
                    "Another box says on the broker that it is this table: switch one off, or make it a second."
                )
            self._connection.give_way()

    def _assign(self, assignment: Assignment | None) -> None:
        self._assignment, self._assigned, self._reassigned = assignment, True, True

    def _follow_assignment(self) -> None:
        """Name the assigned players in the games that begin from now on, and show the assignment."""
        self._reassigned = False
        if self._consent is not None:
            self._consent.enter(() if self._assignment is None else self._assignment.players)
        self._show(self._hub, self._assignment)

    def _hub_seen(self, online: bool) -> None:
        self._hub = online
        if self._outbox is not None:
            self._outbox.send_again()
        self._show(online, self._assignment)

    def _acknowledged(self, ack: Acknowledgement) -> None:
        if ack.taken_over:
            self._connection.give_way()
        if self._outbox is None and not self._assigned:
            self._assign(None)  # the broker would have said it before: it was taken back while the table was away
        if self._outbox is None or not self._outbox.acknowledge(ack):
            self._asked = ack

    def _begin(self, since: EventKey | None, *, whole: bool = False) -> EventFold:
        """Make the events from the journal again, and keep those after `since`. `whole`: from its first row on."""
        if self._fold is not None:
            self._anew_after = self._clock() + ANEW_SECONDS
        joined = 0 if self._consent is None else self._consent.since
        try:
            beginning = None if whole else beginning_for(self._folder, since)
        except JournalError as error:
            log.warning("the journal is read from its first row on: %s", error)
            beginning = None
        self._fold, self._outbox = EventFold(self.membership.table, joined, beginning), Outbox(since)
        self._asked, self._filled, self._whole = None, -1, beginning is None
        self._read = 0 if beginning is None else beginning.row - 1
        return self._fold

    def _fill(self, fold: EventFold, version: int) -> None:
        """Add the journal's new lines, up to that version of the state."""
        if self._clock() < self._journal_after:
            return
        try:
            for line in journal_lines(self._folder, self._read):
                agreed = NOBODY_YET if self._consent is None else self._consent.at(line.seq)
                messages = fold.step(line, agreed.names, agreed.entered)
                if self._outbox is not None:
                    self._outbox.add(messages)
                self._read = line.seq
            self._filled = version
            if not self._whole and self._outbox is not None and not self._outbox.found:
                self._fill(self._begin(self._outbox.since, whole=True), version)
        except JournalError as error:
            log.warning("nothing goes into the club's books for now: %s", error)
            self._journal_after = self._clock() + JOURNAL_RETRY_SECONDS

    def _publish_state(self, position: TablePosition, state: State) -> None:
        """Publish the state, if it has changed or names others."""
        named = self._named(position, state)
        if self._published == (state.version, named):
            return
        shown = table_state(position, state, named)
        if self._home is not None:
            self._home.step(shown, self._connection, up=self._up)
        if self._up:
            self._connection.publish(self._topics.state, encode(shown), retain=True)
        self._published = (state.version, named)

    def _named(self, position: TablePosition, state: State) -> frozenset[str]:
        """Who may be named now: those who agreed and, in a tournament's game, those who entered; at home everybody.

        Which game it is follows from the journal, which is read once the hub is there.
        """
        if self._consent is None:
            return frozenset(player.name for player in state.players)
        entered = frozenset[str]() if self._fold is None else self._fold.entered(position)
        return entered.union(self._consent.now.names)


def member_connection(membership: Membership, session: str = "") -> Connection:
    """The connection of a table to its broker. Raises `ClubError`.

    At home its will names the `session`, by which a second box with the same files is told from an earlier start.
    """
    address = parse_broker_address(membership.broker)
    if membership.username:
        address = replace(address, username=membership.username, password=membership.password)
    topic = TableTopics(membership.club, membership.table).online
    gone = encode(Online(online=False, name=membership.name, session="" if membership.in_club else session))
    name = f"{membership.club}-{membership.table}"
    return Connection(address, client_id=name, will=(topic, gone, True), authority=membership.authority)
