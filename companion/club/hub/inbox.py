"""Takes messages from the broker into the books: many messages, one transaction, then the acknowledgements.

The network's thread only puts messages into the mailbox. The inbox's own thread takes them, writes them, and
acknowledges what is on disk. Messages that cannot be written are not acknowledged, so that the tables send them again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

from companion.club.hub.mailbox import Mailbox, TableMessage
from companion.club.hub.store import Store
from companion.club.hub.tables import LobbyFeed
from companion.member.errors import ClubError
from companion.member.payloads import Acknowledgement, EventMessage, Online, PayloadError, TableState, decode

log = logging.getLogger(__name__)

MESSAGES_AT_ONCE: Final = 500
"""The approximate number of messages per transaction."""
DISK_RETRY_SECONDS: Final = 2.0
INBOX_STOP_SECONDS: Final = 10.0

TableEvents = list[tuple[str, EventMessage]]


class Inbox:
    """Takes in the tables' messages. Call `put` from any thread, `start` and `stop` from one."""

    def __init__(
        self,
        store: Store,
        feed: LobbyFeed,
        acknowledge: Callable[[str, Acknowledgement], None],
        booked: Callable[[tuple[tuple[str, EventMessage], ...]], None],
        left: Callable[[str], None],
    ) -> None:
        """`acknowledge` answers a table; `booked` gets what is new on disk, in order; `left` gets a table that has left
        the club. All are called in the inbox's thread.
        """
        self._store, self._feed = store, feed
        self._acknowledge, self._booked, self._left = acknowledge, booked, left
        self._mailbox = Mailbox()
        self._thread = threading.Thread(target=self._run, name="club inbox", daemon=True)
        self._complained: set[tuple[str, str]] = set()
        """The complaints already logged: a table, and what is wrong with it."""
        self._stop = threading.Event()

    def put(self, message: TableMessage) -> None:
        """Put a message into the mailbox. Never blocks."""
        if not self._mailbox.put(message):
            self._complain(message.table, "sends more than it may; it will have to send it again")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Write the waiting messages and stop. Safe to call twice."""
        self._stop.set()
        self._mailbox.close()
        self._thread.join(INBOX_STOP_SECONDS)

    def _run(self) -> None:
        while batch := self._mailbox.take(MESSAGES_AT_ONCE):
            try:
                self._take(batch)
            except Exception:
                log.exception("messages of the tables could not be taken in")

    def _take(self, batch: list[TableMessage]) -> None:
        events: TableEvents = []
        left: list[str] = []
        for message in batch:
            try:
                if message.kind == "event":
                    events.append((message.table, _own_event(message)))
                elif message.kind == "state" and message.payload:
                    self._feed.set_state(message.table, decode(message.payload, TableState))
                elif message.kind == "online" and not message.payload:
                    left.append(message.table)
                elif message.kind == "online":
                    self._set_online(message.table, decode(message.payload, Online))
            except PayloadError as error:
                self._complain(message.table, f"sends what cannot be read ({message.kind})", error)
        if events and not self._write(events):
            self._stop.wait(DISK_RETRY_SECONDS)
        for table in left:  # after everything it said before: its messages are ignored from now on
            self._left(table)

    def _write(self, events: TableEvents) -> bool:
        """Write events and acknowledge them; return False if nothing can be written.

        If writing several tables together fails, each is tried alone, so that one does not stop the others.
        """
        try:
            taken = self._store.take(events)
        except ClubError as error:
            tables = dict.fromkeys(table for table, _ in events)
            if len(tables) == 1:
                self._complain(next(iter(tables)), "has events that cannot be written, and keeps them", error)
                return False
            written = [self._write([each for each in events if each[0] == table]) for table in tables]
            return any(written)
        for table, ack in taken.acks.items():
            self._acknowledge(table, ack)
        if taken.new:
            self._booked(taken.new)
        return True

    def _set_online(self, table: str, said: Online) -> None:
        twice = self._feed.set_online(table, said)
        if twice:
            self._complain(table, "has two boxes, which end each other's connection")
        if said.online and table not in self._store.removed:
            # The table sends everything after the last event in the books.
            self._acknowledge(
                table, Acknowledgement(key=self._store.cursors().get(table), missing=True, taken_over=twice)
            )

    def _complain(self, table: str, what: str, error: Exception | None = None) -> None:
        """Log what is wrong with a table, once."""
        if (table, what) not in self._complained:
            self._complained.add((table, what))
            log.warning("table %s %s%s", table, what, "" if error is None else f": {error}")


def _own_event(message: TableMessage) -> EventMessage:
    """The event in a message. Raises `PayloadError`, also if it is about a game of another table."""
    event = decode(message.payload, EventMessage)
    if not event.what.game.startswith(f"{message.table}."):
        raise PayloadError(f"{event.what.game} is no game of this table's")
    return event
