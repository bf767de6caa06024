"""From the broker into the books: many messages, one transaction, then the acknowledgements.

The network's thread only puts messages into a queue. A thread of its own takes all that wait, writes them, and
acknowledges what is on disk. What cannot be written is not acknowledged: the tables send it again.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import Final, NamedTuple

from companion.club.errors import ClubError
from companion.club.hub.store import Store
from companion.club.hub.tables import LobbyFeed
from companion.club.payloads import Acknowledgement, EventMessage, Online, PayloadError, TableState, decode

log = logging.getLogger(__name__)

MESSAGES_WAITING: Final = 20_000
"""Messages; beyond that the newest are dropped. Events come again, and states are replaced anyway."""
MESSAGES_AT_ONCE: Final = 500
"""Messages in one transaction."""
DISK_RETRY_SECONDS: Final = 2.0


class TableMessage(NamedTuple):
    """A message from a table."""

    table: str
    kind: str
    """The last level of its topic."""
    payload: bytes


class Inbox:
    """Takes in what tables say. `put` from any thread; `start` and `stop` from one."""

    def __init__(
        self,
        store: Store,
        feed: LobbyFeed,
        acknowledge: Callable[[str, Acknowledgement], None],
        booked: Callable[[tuple[tuple[str, EventMessage], ...]], None],
        left: Callable[[str], None],
    ) -> None:
        """`acknowledge` tells a table; `booked` gets what is new on disk, in order; `left` the table that has left the
        club. All are called in the thread.
        """
        self._store, self._feed = store, feed
        self._acknowledge, self._booked, self._left = acknowledge, booked, left
        self._waiting: queue.Queue[TableMessage | None] = queue.Queue(MESSAGES_WAITING)
        self._thread = threading.Thread(target=self._run, name="club inbox", daemon=True)
        self._complained: set[str] = set()
        """Tables that sent what cannot be read, and are in the log."""
        self._stop = threading.Event()

    def put(self, message: TableMessage) -> None:
        """A message has come. Never waits."""
        try:
            self._waiting.put_nowait(message)
        except queue.Full:
            log.warning("more messages come than the disk can take: some are dropped, and will come again")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Write what waits, and end. Safe to call twice."""
        self._stop.set()
        try:
            self._waiting.put_nowait(None)
        except queue.Full:
            log.debug("the inbox is full, so it looks by itself whether to stop")
        self._thread.join(10.0)

    def _run(self) -> None:
        while True:
            batch = [self._waiting.get()]
            while len(batch) < MESSAGES_AT_ONCE:
                try:
                    batch.append(self._waiting.get_nowait())
                except queue.Empty:
                    break
            try:
                self._take([each for each in batch if each is not None])
            except ClubError as error:
                log.error("%s Nothing of it is acknowledged; the tables keep it.", error)  # noqa: TRY400
                self._stop.wait(DISK_RETRY_SECONDS)
            except Exception:
                log.exception("messages of the tables could not be taken in")
            if None in batch or (self._stop.is_set() and self._waiting.empty()):
                return

    def _take(self, batch: list[TableMessage]) -> None:
        events = []
        for message in batch:
            try:
                if message.kind == "event":
                    events.append((message.table, _own_event(message)))
                elif message.kind == "state" and message.payload:
                    self._feed.set_state(message.table, decode(message.payload, TableState))
                elif message.kind == "online" and not message.payload:
                    self._left(message.table)
                elif message.kind == "online":
                    self._set_online(message.table, decode(message.payload, Online))
            except PayloadError as error:
                if message.table not in self._complained:
                    self._complained.add(message.table)
                    log.warning("table %s sends what cannot be read (%s): %s", message.table, message.kind, error)
        if not events:
            return
        taken = self._store.take(events)
        for table, ack in taken.acks.items():
            self._acknowledge(table, ack)
        if taken.new:
            self._booked(taken.new)

    def _set_online(self, table: str, said: Online) -> None:
        self._feed.set_online(table, said)
        if said.online:
            # What the table is to send: all that follows the last event in the books.
            self._acknowledge(table, Acknowledgement(key=self._store.cursors().get(table), missing=True))


def _own_event(message: TableMessage) -> EventMessage:
    """The event of a message. Raises `PayloadError`, also for one about a game of another table."""
    event = decode(message.payload, EventMessage)
    if not event.what.game.startswith(f"{message.table}."):
        raise PayloadError(f"{event.what.game} is no game of this table's")
    return event
