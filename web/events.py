"""The stream of states: one at once, one at every change, a heart-beat when nothing happens.

One thread serves one phone for as long as it listens. The stream ends when the phone has gone, when the
server stops, and when waitress cannot write any more; whichever it is, the table's subscription is closed.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field

from web.port import State, Table

SLICE = 0.5
"""Seconds between two looks at whether the phone is still there or the server stops."""

RETRY = b"retry: 1000\n\n"
HEARTBEAT = b": alive\n\n"


@dataclass
class Listeners:
    """How many phones listen, how many may, and the word to stop.

    The limit keeps threads free for everything else: a stream that is refused tries again, a table without a
    thread for the DUDO button is dead.
    """

    limit: int
    stopping: threading.Event = field(default_factory=threading.Event)
    count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _last: tuple[int, bytes] = (-1, b"")

    def enter(self) -> bool:
        """Take a place, if there is one."""
        with self._lock:
            if self.count >= self.limit or self.stopping.is_set():
                return False
            self.count += 1
            return True

    def leave(self) -> None:
        """Give the place back."""
        with self._lock:
            self.count -= 1

    def encoded(self, version: int, state: State) -> bytes:
        """`state` as an event. Forty phones get the same bytes, so the last one is kept."""
        last = self._last
        if last[0] == version:
            return last[1]
        data = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
        event = f"event: state\nid: {version}\ndata: {data}\n\n".encode()
        self._last = (version, event)
        return event


class Stream:
    """One phone's stream, as WSGI wants it: an iterator of bytes with a `close` that is always called."""

    def __init__(
        self,
        table: Table,
        listeners: Listeners,
        *,
        heartbeat: float,
        clock: Callable[[], float],
        gone: Callable[[], bool],
    ) -> None:
        """`heartbeat` in seconds of `clock`; `gone` says whether the phone has hung up.

        The place among the listeners is already taken (`Listeners.enter`) and given back by `close`.
        """
        self._table = table
        self._listeners = listeners
        self._heartbeat = heartbeat
        self._clock = clock
        self._gone = gone
        self._subscription = table.subscribe()
        self._events = self._run()
        self._open = True

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._events)

    def close(self) -> None:
        """Let the table and the listeners know that this phone has gone. Safe to call twice."""
        if self._open:
            self._open = False
            self._events.close()
            self._subscription.close()
            self._listeners.leave()

    def _run(self) -> Generator[bytes, None, None]:
        state = self._table.state()  # asked after subscribing, so that no change falls between the two
        sent: int = state["version"]
        yield RETRY + self._listeners.encoded(sent, state)
        beat = self._clock() + self._heartbeat
        while self._subscription.open and not (self._listeners.stopping.is_set() or self._gone()):
            left = beat - self._clock()
            if left <= 0:
                yield HEARTBEAT
                beat = self._clock() + self._heartbeat
                continue
            try:
                version, state = self._subscription.get(timeout=min(left, SLICE))
            except queue.Empty:
                continue
            if version > sent:
                sent = version
                yield self._listeners.encoded(version, state)
                beat = self._clock() + self._heartbeat
