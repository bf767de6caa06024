"""The stream: every state and who sits where, from one feed to every phone, with a heart-beat when nothing happens.

One thread serves one phone while it listens. The feed keeps the last states; a phone's place in it is only the version
it got last, so forty phones need no more memory than one, and none delays another. A phone that comes back gets what it
missed. One that falls behind gets only the newest state, and one that reads nothing for long loses its place. A stream
also ends when the phone hangs up and when the table or the server stops.
"""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.messages.sentence import json_bytes
from companion.table import State
from web.access.phones import Presence

STATES_KEPT: Final = 64
"""States that a phone can catch up on when it comes back."""
BEHIND: Final = 8
"""States that may wait for a listening phone; of more it gets only the newest."""
PHONES_OWN: Final = 4
"""Streams that a phone may have, one per tab; beyond that its oldest ends."""
STRANGERS: Final = 8
"""Streams for phones at one address that have not joined; beyond that the oldest ends."""
SLICE: Final = 0.5
"""Seconds between two checks that the phone is still there."""
UNREAD_SLICE: Final = 0.05
"""Seconds between two checks that the phone has read what was sent."""

RETRY: Final = b"retry: 1000\n\n"
HEARTBEAT_COMMENT: Final = b": alive\n\n"

_ID: Final = re.compile(r"([0-9a-f]{1,32})-([0-9]{1,18})")


def encoded(event: str, data: object, name: str = "") -> bytes:
    """A server-sent event."""
    head = f"event: {event}\nid: {name}\n" if name else f"event: {event}\n"
    return b"%sdata: %s\n\n" % (head.encode(), json_bytes(data))


class _StateEvent:
    """A state, encoded once for all phones, when it is first needed."""

    def __init__(self, state: State, name: str) -> None:
        self.state = state
        self._name = name
        self._lock = threading.Lock()
        self._bytes: bytes | None = None

    def encoded(self) -> bytes:
        with self._lock:
            if self._bytes is None:
                self._bytes = encoded("state", self.state, self._name)
            return self._bytes


@dataclass(eq=False)
class Client:
    """One phone's place in the feed."""

    phone: str | None
    """Its id, None if it has not joined."""
    address: str = ""
    version: int = -1
    """The last one it got."""
    seats: int = -1
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class News:
    """What a phone has not got yet."""

    states: tuple[_StateEvent, ...] = ()
    seats: bytes = b""

    def __bool__(self) -> bool:
        return bool(self.states or self.seats)


@dataclass(eq=False)
class Feed:
    """The source of all streams. The table puts its states in and never waits.

    The limit keeps threads free: a refused stream tries again, but without a thread for the DUDO button the table is
    dead.
    """

    run: str
    """Names this start of the program."""
    limit: int
    _news: threading.Condition = field(default_factory=threading.Condition)
    _states: deque[_StateEvent] = field(default_factory=lambda: deque(maxlen=STATES_KEPT))
    _unfollowed: State | None = None
    _seats: bytes = b""
    _seats_for_strangers: bytes = b""
    _seated: int = 0
    _clients: list[Client] = field(default_factory=list)
    _open: bool = True

    # From the table and the server

    def put(self, state: State) -> None:
        """A new state.

        If it hides dice that lay open, earlier states are forgotten: they say how many there were.
        """
        with self._news:
            if state.hides_dice and self._states and not self._states[-1].state.hides_dice:
                self._states.clear()
            self._unfollowed = state
            self._states.append(_StateEvent(state, f"{self.run}-{state.version}"))
            self._news.notify_all()

    def close(self) -> None:
        """The table closes: every stream ends."""
        self.stop()

    def stop(self) -> None:
        """The server stops: every stream ends. Safe to call twice."""
        with self._news:
            self._open = False
            self._news.notify_all()

    def sit(self, presence: Presence) -> None:
        """Somebody changed seats. Strangers see the seats, but not the phones."""
        event = encoded("seats", presence)
        with self._news:
            if event != self._seats:
                self._seats = event
                self._seats_for_strangers = encoded("seats", Presence(presence.seats, ()))
                self._seated += 1
                self._news.notify_all()

    # From the phones

    @property
    def count(self) -> int:
        """The number of streams."""
        return len(self._clients)

    @property
    def stopped(self) -> bool:
        """Whether every stream ends, because the table or the server stops."""
        return not self._open

    def enter(self, phone: str | None, last: str = "", address: str = "") -> Client | None:
        """A place for `phone` (None: a stranger) at `address`, whose last event was `last`; None if there is no room.

        A phone has at most `PHONES_OWN` places, strangers at one address `STRANGERS`; beyond that the newest replaces
        the oldest. In a full feed, a phone that has joined replaces its own oldest, or a stranger.
        """
        with self._news:
            if not self._open:
                return None
            current = [client for client in self._clients if not client.dropped]
            same = [client for client in current if client.phone == phone and (phone or client.address == address)]
            victim: Client | None = None
            if len(same) >= (STRANGERS if phone is None else PHONES_OWN):
                victim = same[0]
            elif len(current) >= self.limit:
                victim = _less_wanted(phone, current)
                if victim is None:
                    return None
            if victim is not None:
                victim.dropped = True
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
        return client.dropped or not self._open

    def next(self, client: Client, timeout: float) -> News:
        """What is new for `client`, which now counts as sent. Waits up to `timeout` seconds for it."""
        with self._news:
            self._news.wait_for(lambda: self.ended(client) or self._behind(client), timeout)
            if self.ended(client):
                return News()
            states = tuple(each for each in self._states if each.state.version > client.version)
            seats = self._seats_for_strangers if client.phone is None else self._seats
            if client.seats >= self._seated:
                seats = b""
            if client.version < 0 or (client.seats >= 0 and len(states) > BEHIND):
                states = states[-1:]
            client.version = states[-1].state.version if states else client.version
            client.seats = self._seated
            return News(states, seats)

    def unfollowed(self) -> State | None:
        """The newest state, once: for the first stream that asks. Otherwise None."""
        with self._news:
            state, self._unfollowed = self._unfollowed, None
            return state

    def pause(self, client: Client, seconds: float) -> None:
        """Wait, unless this stream must end."""
        with self._news:
            self._news.wait_for(lambda: self.ended(client), seconds)

    # Inside

    def _behind(self, client: Client) -> bool:
        newest = self._states[-1].state.version if self._states else -1
        return newest > client.version or client.seats < self._seated

    def _version_of(self, last: str) -> int:
        """The version in an event id if all later states are still here, otherwise -1."""
        found = _ID.fullmatch(last)
        if found is None or found[1] != self.run or not self._states:
            return -1
        version = int(found[2])
        return version if self._states[0].state.version - 1 <= version <= self._states[-1].state.version else -1


def _less_wanted(phone: str | None, current: Sequence[Client]) -> Client | None:
    """Whose place a newcomer takes in a full feed."""
    if phone is None:
        return None
    own = (client for client in current if client.phone == phone)
    strangers = (client for client in current if client.phone is None)
    return next(own, None) or next(strangers, None)


class Stream:
    """One phone's stream for WSGI: an iterator of bytes, with a `close` that is always called."""

    def __init__(
        self,
        feed: Feed,
        client: Client,
        *,
        heartbeat: float,
        patience: float,
        clock: Callable[[], float],
        gone: Callable[[], bool] = lambda: False,
        unread: Callable[[], int] = lambda: 0,
        drop: Callable[[], None] = lambda: None,
        follow: Callable[[State], None] = lambda _: None,
        look: Callable[[], None] = lambda: None,
        left: Callable[[], None] = lambda: None,
    ) -> None:
        """`heartbeat` and `patience`, after which a phone that reads nothing loses its place, are seconds of `clock`.

        `gone` says whether the phone has hung up, `unread` how many bytes it has not read; `drop` cuts it off. One of
        all streams calls `follow` with a new state before sending it. `look` is called with every heartbeat, `left` at
        the end. `client` has its place in `feed` already; `close` gives it back.
        """
        self._feed = feed
        self._client = client
        self._heartbeat = heartbeat
        self._patience = patience
        self._clock = clock
        self._gone = gone
        self._unread = unread
        self._drop = drop
        self._follow = follow
        self._look = look
        self._left = left
        self._events = self._run()
        self._open = True

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._events)

    def close(self) -> None:
        """Leave the feed. Safe to call twice."""
        if self._open:
            self._open = False
            self._events.close()
            self._feed.leave(self._client)
            self._left()

    def _run(self) -> Generator[bytes, None, None]:
        yield RETRY
        beat = self._clock() + self._heartbeat
        while not (self._feed.ended(self._client) or self._gone()):
            # Send nothing to a phone that does not read: its buffer would fill up and block this thread.
            if not self._has_read():
                self._drop()
                return
            left = beat - self._clock()
            if left <= 0:
                self._look()
                yield HEARTBEAT_COMMENT
            elif news := self._feed.next(self._client, timeout=min(left, SLICE)):
                if (state := self._feed.unfollowed()) is not None:
                    self._follow(state)
                yield b"".join([*(each.encoded() for each in news.states), news.seats])
            else:
                continue
            beat = self._clock() + self._heartbeat

    def _has_read(self) -> bool:
        """Wait until the phone has read everything; False if it read nothing for too long."""
        waiting, since = self._unread(), self._clock()
        while waiting and not (self._feed.ended(self._client) or self._gone()):
            if self._clock() - since >= self._patience:
                return False
            self._feed.pause(self._client, UNREAD_SLICE)
            now = self._unread()
            if now < waiting:
                since = self._clock()
            waiting = now
        return True
