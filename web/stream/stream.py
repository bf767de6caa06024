"""The stream: every state and who sits where, from one feed to every phone, with a heartbeat when nothing happens.

One thread serves one phone while it listens. The feed keeps the last states; a phone's place in it is only the version
it got last, so forty phones need no more memory than one, and none delays another. A phone that comes back gets the
states it missed. A phone that falls behind gets only the newest state, and one that reads nothing for long loses its
place. A stream also ends when the phone hangs up or the table or the server stops.
"""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from companion.messages.sentence import json_bytes
from companion.table import State
from web.access.phones import Presence

STATES_KEPT: Final = 64
"""States that a phone can catch up on when it comes back."""
BEHIND: Final = 8
"""States that may wait for a listening phone; if there are more, it gets only the newest."""
PHONES_OWN: Final = 4
"""Streams that one phone may have, one per tab; beyond that its oldest ends."""
STRANGERS: Final = 8
"""Streams for phones at one address that have not joined; beyond that the oldest ends."""
SLICE: Final = 0.5
"""Seconds between two checks that the phone is still there."""
UNREAD_SLICE: Final = 0.05
"""Seconds between two checks that the phone has read everything sent."""

RETRY: Final = b"retry: 1000\n\n"
HEARTBEAT_COMMENT: Final = b": alive\n\n"

_ID: Final = re.compile(r"([0-9a-f]{1,32})-([0-9]{1,18})")


def encoded(event: str, data: object, name: str = "") -> bytes:
    """A server-sent event."""
    head = f"event: {event}\nid: {name}\n" if name else f"event: {event}\n"
    return b"%sdata: %s\n\n" % (head.encode(), json_bytes(data))


class StateEvent(NamedTuple):
    """A state, encoded once for all phones."""

    version: int
    data: bytes


@dataclass(eq=False)
class Client:
    """One phone's place in the feed."""

    phone: str | None
    """Its id, None if it has not joined."""
    address: str = ""
    version: int = -1
    """The last version it got."""
    seats: int = -1
    dropped: bool = False


class News(NamedTuple):
    """The events that a phone has not got yet."""

    states: tuple[StateEvent, ...] = ()
    seats: bytes = b""


class Connection:
    """A phone's connection, as its stream sees it. This one is for a server that knows nothing about it."""

    def hung_up(self) -> bool:
        return False

    def unread(self) -> int:
        """The number of bytes sent that the phone has not read."""
        return 0

    def cut_off(self) -> None:
        """End the connection at once."""


@dataclass(eq=False)
class Feed:
    """The source of all streams. The table puts its states in and never waits.

    The limit keeps threads free: a refused stream tries again, but without a free thread the DUDO button does nothing.
    """

    run: str
    """Names this start of the program."""
    limit: int
    _news: threading.Condition = field(default_factory=threading.Condition)
    _states: deque[StateEvent] = field(default_factory=lambda: deque(maxlen=STATES_KEPT))
    _newest: State | None = None
    """The newest state until a stream takes it."""
    _hides_dice: bool = False
    _seats: bytes = b""
    _seats_for_strangers: bytes = b""
    _seats_number: int = 0
    """Grows with every change of seats."""
    _clients: list[Client] = field(default_factory=list)
    closed: bool = False
    """Whether every stream ends, because the table or the server stops."""

    # From the table and the server

    def put(self, state: State) -> None:
        """A new state.

        If it hides dice that lay open, earlier states are forgotten: they tell how many there were.
        """
        event = StateEvent(state.version, encoded("state", state, f"{self.run}-{state.version}"))
        with self._news:
            if state.hides_dice and not self._hides_dice:
                self._states.clear()
            self._hides_dice = state.hides_dice
            self._newest = state
            self._states.append(event)
            self._news.notify_all()

    def close(self) -> None:
        """End every stream. Safe to call twice."""
        with self._news:
            self.closed = True
            self._news.notify_all()

    def sit(self, presence: Presence) -> None:
        """Somebody changed seats. Strangers see the seats, but not the phones."""
        event = encoded("seats", presence)
        with self._news:
            if event != self._seats:
                self._seats = event
                self._seats_for_strangers = encoded("seats", Presence(presence.seats, ()))
                self._seats_number += 1
                self._news.notify_all()

    # From the phones

    @property
    def count(self) -> int:
        """The number of streams."""
        return len(self._clients)

    def enter(self, phone: str | None, last: str = "", address: str = "") -> Client | None:
        """A place for `phone` (None: a stranger) at `address`, whose last event was `last`; None if there is no room.

        A phone has at most `PHONES_OWN` places, strangers at one address `STRANGERS`; beyond that the newest replaces
        the oldest. In a full feed, a phone that has joined replaces its own oldest, or a stranger.
        """
        with self._news:
            if self.closed:
                return None
            current = [client for client in self._clients if not client.dropped]
            same = [client for client in current if client.phone == phone and (phone or client.address == address)]
            replaced: Client | None = None
            if len(same) >= (STRANGERS if phone is None else PHONES_OWN):
                replaced = same[0]
            elif len(current) >= self.limit:
                replaced = _client_to_replace(phone, current)
                if replaced is None:
                    return None
            if replaced is not None:
                replaced.dropped = True
                self._news.notify_all()
            client = Client(phone, address, self._version_of(last))
            self._clients.append(client)
            return client

    def leave(self, client: Client) -> None:
        """Give the place back. Safe to call twice."""
        with self._news:
            if client in self._clients:
                self._clients.remove(client)

    def ended(self, client: Client) -> bool:
        """Whether this stream must end."""
        return client.dropped or self.closed

    def next(self, client: Client, timeout: float) -> News:
        """The news for `client`, which now count as sent. Waits up to `timeout` seconds for them."""
        with self._news:
            self._news.wait_for(lambda: self.ended(client) or self._behind(client), timeout)
            if self.ended(client):
                return News()
            states = tuple(each for each in self._states if each.version > client.version)
            seats = self._seats_for_strangers if client.phone is None else self._seats
            if client.seats >= self._seats_number:
                seats = b""
            if client.version < 0 or (client.seats >= 0 and len(states) > BEHIND):
                states = states[-1:]
            client.version = states[-1].version if states else client.version
            client.seats = self._seats_number
            return News(states, seats)

    def take_newest(self) -> State | None:
        """The newest state, for the first stream that asks; None for the others."""
        with self._news:
            state, self._newest = self._newest, None
            return state

    def pause(self, client: Client, seconds: float) -> None:
        """Wait, unless this stream must end."""
        with self._news:
            self._news.wait_for(lambda: self.ended(client), seconds)

    # Inside

    def _behind(self, client: Client) -> bool:
        newest = self._states[-1].version if self._states else -1
        return newest > client.version or client.seats < self._seats_number

    def _version_of(self, last: str) -> int:
        """The version in an event id if all later states are still here, otherwise -1."""
        found = _ID.fullmatch(last)
        if found is None or found[1] != self.run or not self._states:
            return -1
        version = int(found[2])
        return version if self._states[0].version - 1 <= version <= self._states[-1].version else -1


def _client_to_replace(phone: str | None, current: Sequence[Client]) -> Client | None:
    """The client whose place a newcomer takes in a full feed."""
    if phone is None:
        return None
    own = (client for client in current if client.phone == phone)
    strangers = (client for client in current if client.phone is None)
    return next(own, None) or next(strangers, None)


@dataclass(frozen=True, slots=True)
class Stream:
    """One phone's stream. The caller gives its place in the feed back."""

    feed: Feed
    client: Client
    connection: Connection
    heartbeat: float
    """Seconds of silence after which a comment is sent."""
    patience: float
    """Seconds after which a phone that reads nothing loses its place."""
    clock: Callable[[], float]
    follow: Callable[[State], None] = lambda _: None
    """Called with each new state by one of the streams, before it is sent."""
    look: Callable[[], None] = lambda: None
    """Called with every heartbeat."""

    def __iter__(self) -> Iterator[bytes]:
        yield RETRY
        beat = self.clock() + self.heartbeat
        while not self._ended():
            # Send nothing to a phone that does not read: its buffer would fill up and block this thread.
            if not self._has_read():
                self.connection.cut_off()
                return
            silence = beat - self.clock()
            if silence <= 0:
                self.look()
                yield HEARTBEAT_COMMENT
            elif any(news := self.feed.next(self.client, timeout=min(silence, SLICE))):
                if (state := self.feed.take_newest()) is not None:
                    self.follow(state)
                yield b"".join([*(event.data for event in news.states), news.seats])
            else:
                continue
            beat = self.clock() + self.heartbeat

    def _ended(self) -> bool:
        return self.feed.ended(self.client) or self.connection.hung_up()

    def _has_read(self) -> bool:
        """Wait until the phone has read everything; False if it read nothing for too long."""
        unread, since = self.connection.unread(), self.clock()
        while unread and not self._ended():
            if self.clock() - since >= self.patience:
                return False
            self.feed.pause(self.client, UNREAD_SLICE)
            before, unread = unread, self.connection.unread()
            if unread < before:
                since = self.clock()
        return True
