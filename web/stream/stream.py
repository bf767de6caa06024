"""The stream: every state and who sits where, from one feed to every phone, with heartbeats in between.

The table puts its states into the feed, from any thread. The server's event loop writes them to all phones, so a stream
needs no thread. The feed keeps the last states, and a phone's place in it is only the version it last got: a hundred
phones need no more memory than one, and none delays another. A phone that reconnects gets the states it missed.

A phone that has not read the last state gets nothing more until it has, and then only the newest; one that reads
nothing for long loses its place. A stream also ends when the phone disconnects, or the table or the server stops.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from tornado.http1connection import HTTP1Connection

from companion.messages.sentence import json_bytes
from companion.table import State
from web.access.phones import PLAYER, SHARED, PhonePresence, Presence

MAX_LISTENERS: Final = 128
"""The most streams at once: a hundred phones at one table, and some to spare."""
STATES_KEPT: Final = 64
"""States that a reconnecting phone can catch up on."""
BEHIND: Final = 8
"""States that may wait for a phone; if there are more, it gets only the newest."""
PHONES_OWN: Final = 16
"""Streams that one phone may have, one per tab."""
STRANGERS: Final = 64
"""Streams for phones at one address that have not joined: a household behind one router, or a proxy."""
HEARTBEAT: Final = 10.0
"""Seconds of silence after which a stream sends a heartbeat."""
UNREAD_FOR: Final = 20.0
"""Seconds after which a phone that reads nothing loses its stream."""
LOOK_EVERY: Final = 2.0
"""Seconds between two checks for phones that have gone."""

RETRY: Final = b"retry: 1000\n\n"
HEARTBEAT_COMMENT: Final = b": alive\n\n"

_ID: Final = re.compile(r"([0-9a-f]{1,32})-([0-9]{1,18})")


def encoded(event: str, data: object) -> bytes:
    """A server-sent event."""
    return _event(event, json_bytes(data))


def _event(event: str, json: bytes, name: str = "") -> bytes:
    head = f"event: {event}\nid: {name}\n" if name else f"event: {event}\n"
    return b"%sdata: %s\n\n" % (head.encode(), json)


class StateEvent(NamedTuple):
    """A state, encoded once for all phones."""

    version: int
    json: bytes
    data: bytes
    """The encoded event."""


@dataclass(eq=False)
class Client:
    """One phone's stream: its place in the feed, and its connection once the server holds it."""

    phone: str | None
    """The phone's id; None if it has not joined."""
    address: str = ""
    version: int = -1
    """The last version it received."""
    seats: int = -1
    dropped: bool = False
    leave: Callable[[], None] = lambda: None
    """Frees its place."""
    connection: HTTP1Connection | None = None
    since: float = 0.0
    """The time at which something was last sent."""
    written: asyncio.Future[None] | None = None
    """Done once the network has accepted everything that was sent."""

    def send(self, data: bytes, now: float) -> None:
        """Send `data`. `now` is in monotonic seconds."""
        assert self.connection is not None
        self.since, self.written = now, self.connection.write(data)

    def cut_off(self) -> None:
        """Close the connection at once, dropping what the kernel still buffers."""
        assert self.connection is not None
        stream = self.connection.stream
        with suppress(OSError):  # it has ended by itself
            stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        stream.close()


class StreamSource(Protocol):
    """A source of streams: a table's `Feed`, or a club's lobby."""

    def on_news(self, wake: Callable[[], object] | None) -> None:
        """Call `wake` whenever there is something to send, until this is called again. It must not block."""

    def next(self, client: Client) -> bytes:
        """The events that `client` has not received yet, which now count as sent."""

    def ended(self, client: Client) -> bool:
        """True if this stream must end."""

    def take_newest(self) -> State | None:
        """The newest state of a table; None if it was taken before."""

    def close(self) -> None:
        """End every stream. Can be called twice."""


@dataclass(eq=False)
class Feed:
    """The source of all streams. Thread-safe. The table puts its states in and never waits.

    In a full feed, places go by rank: first the host and the players, then phones that act for everybody, then those
    that watch; phones that have not joined, and a phone's second stream, come last.
    """

    run: str = field(default_factory=lambda: secrets.token_hex(4))
    """Identifies this start of the program."""
    limit: int = MAX_LISTENERS
    strangers: int = STRANGERS
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _wake: Callable[[], object] | None = None
    _states: deque[StateEvent] = field(default_factory=lambda: deque(maxlen=STATES_KEPT))
    _newest: State | None = None
    """The newest state until it is taken."""
    _hides_dice: bool = False
    _seats: bytes = b""
    _seats_for_strangers: bytes = b""
    _seats_number: int = 0
    """Grows with every change of seats."""
    _ranks: dict[str, int] = field(default_factory=dict)
    """Phone -> its rank; phones missing here have only joined."""
    _clients: list[Client] = field(default_factory=list)
    closed: bool = False
    """True once every stream must end, because the table or the server stops."""

    # Called by the table and the server

    def put(self, state: State) -> None:
        """Add a new state.

        If it hides dice that were visible, earlier states are forgotten, because they show how many there were.
        """
        json = json_bytes(state)
        event = StateEvent(state.version, json, _event("state", json, f"{self.run}-{state.version}"))
        with self._lock:
            if state.hides_dice and not self._hides_dice:
                self._states.clear()
            self._hides_dice = state.hides_dice
            self._newest = state
            self._states.append(event)
            self._tell()

    def close(self) -> None:
        """End every stream. Can be called twice."""
        with self._lock:
            self.closed = True
            self._tell()

    def sit(self, presence: Presence) -> None:
        """Publish a change of seats. Phones that have not joined see the seats, but not the phones."""
        event = encoded("seats", presence)
        with self._lock:
            if event != self._seats:
                self._seats = event
                self._seats_for_strangers = encoded("seats", Presence(presence.seats, ()))
                self._seats_number += 1
                self._ranks = {row.phone: _rank(row) for row in presence.phones}
                self._tell()

    def on_news(self, wake: Callable[[], object] | None) -> None:
        """See `StreamSource`."""
        with self._lock:
            self._wake = wake

    # Called by the phones' requests

    def state_json(self, state: State) -> bytes:
        """`state` as JSON, encoded once for the answer and all streams."""
        with self._lock:
            newest = self._states[-1] if self._states else None
        return newest.json if newest is not None and newest.version == state.version else json_bytes(state)

    @property
    def count(self) -> int:
        """The number of streams."""
        return len(self._clients)

    def enter(self, phone: str | None, last: str = "", address: str = "") -> Client | None:
        """A place for `phone` (None: not joined) at `address`, whose last event was `last`; None if there is no room.

        A phone has at most `PHONES_OWN` places, all phones at one address that have not joined `strangers`. Existing
        streams are kept, since an evicted phone would reconnect at once and evict another. Only in a full feed does a
        phone replace its own oldest stream, or the newest one of the lowest rank.
        """
        with self._lock:
            if self.closed:
                return None
            current = [client for client in self._clients if not client.dropped]
            same = [client for client in current if client.phone == phone and (phone or client.address == address)]
            if len(same) >= (self.strangers if phone is None else PHONES_OWN):
                return None
            if len(current) >= self.limit:
                replaced = self._client_to_replace(phone, current)
                if replaced is None:
                    return None
                replaced.dropped = True
                self._tell()
            client = Client(phone, address, self._version_of(last))
            self._clients.append(client)
            return client

    def leave(self, client: Client) -> None:
        """Free the place. Can be called twice."""
        with self._lock:
            if client in self._clients:
                self._clients.remove(client)

    def ended(self, client: Client) -> bool:
        """True if this stream must end."""
        return client.dropped or self.closed

    def next(self, client: Client) -> bytes:
        """The events that `client` has not received yet, which now count as sent."""
        with self._lock:
            states = [each for each in self._states if each.version > client.version]
            seats = self._seats_for_strangers if client.phone is None else self._seats
            if client.seats >= self._seats_number:
                seats = b""
            if client.version < 0 or (client.seats >= 0 and len(states) > BEHIND):
                states = states[-1:]
            client.version = states[-1].version if states else client.version
            client.seats = self._seats_number
            return b"".join([*(event.data for event in states), seats])

    def take_newest(self) -> State | None:
        """The newest state; None if it was taken before."""
        with self._lock:
            state, self._newest = self._newest, None
            return state

    # Called with the lock held

    def _tell(self) -> None:
        if self._wake is not None:
            self._wake()

    def _client_to_replace(self, phone: str | None, current: Sequence[Client]) -> Client | None:
        if phone is None:
            return None
        first = {client.phone: client for client in reversed(current)}
        if phone in first:
            return first[phone]

        def rank(client: Client) -> int:
            known = client.phone is not None and first[client.phone] is client
            return self._ranks.get(client.phone or "", _JOINED) if known else 0

        lowest = min(reversed(current), key=rank)
        return lowest if rank(lowest) < self._ranks.get(phone, _JOINED) else None

    def _version_of(self, last: str) -> int:
        """The version in an event id if all later states are still here, else -1."""
        found = _ID.fullmatch(last)
        if found is None or found[1] != self.run or not self._states:
            return -1
        version = int(found[2])
        return version if self._states[0].version - 1 <= version <= self._states[-1].version else -1


_JOINED: Final = 1


def _rank(row: PhonePresence) -> int:
    if row.host or row.role == PLAYER:
        return 3
    return 2 if row.role == SHARED else _JOINED


class Streams:
    """All open streams. Every method is called by the server's event loop."""

    def __init__(
        self,
        feed: StreamSource,
        *,
        heartbeat: float = HEARTBEAT,
        unread_for: float = UNREAD_FOR,
        clock: Callable[[], float],
        follow: Callable[[State], None] = lambda _: None,
        look: Callable[[], None] = lambda: None,
    ) -> None:
        """`heartbeat`: seconds until a quiet stream gets a comment. `unread_for`: seconds until a phone that reads
        nothing loses its place. Both are measured by `clock`.

        `follow` is called with the newest state, `look` every `LOOK_EVERY` seconds, both in a thread: they may take
        long.
        """
        self.feed = feed
        self.heartbeat = heartbeat
        self.unread_for = unread_for
        self.clock = clock
        self._follow = follow
        self._look = look
        self._open: dict[Client, None] = {}

    async def serve(self) -> None:
        """Send news until cancelled."""
        loop, news = asyncio.get_running_loop(), asyncio.Event()
        self.feed.on_news(lambda: loop.call_soon_threadsafe(news.set))
        looked = self.clock()
        with ThreadPoolExecutor(1, "web-seats") as thread:
            try:
                while True:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(min(1.0, self.heartbeat / 4)):
                            await news.wait()
                    news.clear()
                    self.turn()
                    if (state := self.feed.take_newest()) is not None:
                        await loop.run_in_executor(thread, self._follow, state)
                    if self.clock() - looked >= min(LOOK_EVERY, self.heartbeat):
                        looked = self.clock()
                        await loop.run_in_executor(thread, self._look)
            finally:
                self.feed.on_news(None)

    def add(self, client: Client, connection: HTTP1Connection, leave: Callable[[], None]) -> None:
        """Begin the stream of `client`. `leave` frees its place."""
        client.connection, client.leave = connection, leave
        self._open[client] = None
        self._send(client, RETRY + self.feed.next(client))

    def remove(self, client: Client) -> None:
        """Give up a stream whose connection has ended. Can be called twice."""
        if client in self._open:
            del self._open[client]
            client.leave()

    def turn(self) -> None:
        """Send each phone the events it has not received."""
        for client in tuple(self._open):
            self._turn(client)

    def _turn(self, client: Client) -> None:
        assert client.connection is not None
        silence = self.clock() - client.since
        read, ended = client.written is None or client.written.done(), self.feed.ended(client)
        if not read and (ended or silence >= self.unread_for):
            client.cut_off()
            self.remove(client)
        elif ended:
            client.connection.finish()
            self.remove(client)
        elif read and (data := self.feed.next(client) or self._heartbeat(silence)):
            self._send(client, data)

    def _heartbeat(self, silence: float) -> bytes:
        return HEARTBEAT_COMMENT if silence >= self.heartbeat else b""

    def _send(self, client: Client, data: bytes) -> None:
        """Send `data`. Once the phone has read it, it may get more."""
        client.send(data, self.clock())

        def turn(_: asyncio.Future[None]) -> None:
            if client in self._open:
                self._turn(client)

        if client.written is not None and not client.written.done():
            client.written.add_done_callback(turn)
