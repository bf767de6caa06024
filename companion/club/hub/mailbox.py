"""Messages of the tables that are still to be taken: each table has its own share, and they are served in turns.

So a table that floods the hub, or reports a whole month at once, takes nothing from the others.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

TABLE_BYTES: Final = 1024 * 1024
"""The most bytes of events that may wait for one table. More are dropped, and the table sends them again."""
ALL_BYTES: Final = 64 * 1024 * 1024
MAILBOX_TABLES: Final = 10_000
EVENT_RATE: Final = 64 * 1024
"""Bytes per second of one table's events in the long run: a hundred games an hour take a hundredth of it."""
EVENT_BURST: Final = 8 * 1024 * 1024
"""Bytes of one table's events that may come at once after an absence."""


_LEFT: Final = "left"
"""The kind of an empty `online`; a later one, such as a will, does not replace it."""


class TableMessage(NamedTuple):
    """A message from a table."""

    table: str
    kind: str
    """The last level of the message's topic."""
    payload: bytes


class _Box:
    """The waiting messages of one table."""

    def __init__(self, now: float) -> None:
        self.events: deque[bytes] = deque()
        self.bytes = 0
        self.last: dict[str, bytes] = {}
        """The last message of each other kind, in order; older ones are out of date."""
        self.waits = False
        self._allowance, self._counted = float(EVENT_BURST), now

    def keep(self, event: bytes, now: float) -> bool:
        """Keep an event; return False if there is no room for it."""
        self._allowance = min(EVENT_BURST, self._allowance + (now - self._counted) * EVENT_RATE)
        self._counted, size = now, len(event)
        if self.bytes + size > TABLE_BYTES or size > self._allowance:
            return False
        self.events.append(event)
        self.bytes += size
        self._allowance -= size
        return True


class Mailbox:
    """Passes messages from the network's thread to the inbox's."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds."""
        self._clock = clock
        self._boxes: dict[str, _Box] = {}
        self._turns: deque[str] = deque()
        """The tables with waiting messages."""
        self._bytes = 0
        self._ready = threading.Condition()
        self._closed = False

    def put(self, message: TableMessage) -> bool:
        """Keep a message; return False if it was dropped. Never blocks."""
        with self._ready:
            now = self._clock()
            box = self._boxes.get(message.table)
            if box is None:
                if len(self._boxes) >= MAILBOX_TABLES:
                    return False
                box = self._boxes[message.table] = _Box(now)
            if message.kind == "event":
                if self._bytes + len(message.payload) > ALL_BYTES or not box.keep(message.payload, now):
                    return False
                self._bytes += len(message.payload)
            else:
                kind = _LEFT if (message.kind, message.payload) == ("online", b"") else message.kind
                box.last.pop(kind, None)
                box.last[kind] = message.payload
            if not box.waits:
                box.waits = True
                self._turns.append(message.table)
            self._ready.notify()
            return True

    def take(self, most: int) -> list[TableMessage]:
        """Return about `most` messages at most, one table after the other; waits for the first. Empty once `close` has
        been called and nothing is waiting.
        """
        with self._ready:
            self._ready.wait_for(lambda: self._turns or self._closed)
            taken: list[TableMessage] = []
            while self._turns and len(taken) < most:
                table = self._turns.popleft()
                box = self._boxes[table]
                taken += [
                    TableMessage(table, "online" if kind == _LEFT else kind, payload)
                    for kind, payload in box.last.items()
                ]
                box.last.clear()
                if box.events:
                    payload = box.events.popleft()
                    box.bytes -= len(payload)
                    self._bytes -= len(payload)
                    taken.append(TableMessage(table, "event", payload))
                box.waits = bool(box.events)
                if box.waits:
                    self._turns.append(table)
            return taken

    def close(self) -> None:
        """Let `take` end once nothing is waiting."""
        with self._ready:
            self._closed = True
            self._ready.notify()
