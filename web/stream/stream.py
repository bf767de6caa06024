"""The stream: every state and who sits where, from one feed to every phone, with a heart-beat when nothing happens.

One thread serves one phone for as long as it listens. The feed keeps the last states, whole; a phone's place in it is
no more than the version that it was told last, so forty phones cost no more memory than one and none holds up another.
A phone that comes back gets what it missed. One that falls behind gets the newest state alone, and one that reads
nothing for long loses its place. The stream ends as well when the phone has gone and when table or server stop.
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
"""States that a phone which comes back can have missed."""
BEHIND: Final = 8
"""States that may wait for a phone which listens; of more it gets the newest alone."""
PHONES_OWN: Final = 4
"""Streams that a phone may have, one a tab; of more its oldest ends."""
STRANGERS: Final = 8
"""Streams that who has not joined may have from one address; of more the oldest ends."""
SLICE: Final = 0.5
"""Seconds between two looks at whether the phone is still there."""
UNREAD_SLICE: Final = 0.05
"""Seconds between two looks at whether the phone has read what was sent."""

RETRY: Final = b"retry: 1000\n\n"
HEARTBEAT_COMMENT: Final = b": alive\n\n"

_ID: Final = re.compile(r"([0-9a-f]{1,32})-([0-9]{1,18})")


def encoded(event: str, data: object, name: str = "") -> bytes:
    """One event, as server-sent events are written."""
    head = f"event: {event}\nid: {name}\n" if name else f"event: {event}\n"
    return b"%sdata: %s\n\n" % (head.encode(), json_bytes(data))


class _StateEvent:
    """One state, written down when it is first asked for: forty phones get the same bytes."""

    def __init__(self, version: int, state: State, name: str) -> None:
        self.version = version
        self.state = state
        self._name = name
        self._lock = threading.Lock()
        self._bytes: bytes | None = None

    def written(self) -> bytes:
        """The state as an event."""
        with self._lock:
            if self._bytes is None:
                self._bytes = encoded("state", self.state, self._name)
            return self._bytes


@dataclass(eq=False)
class Client:
    """One phone's place in the feed."""

    phone: str | None
    """Its id, None where it has not joined."""
    address: str = ""
    """Where it is."""
    version: int = -1
    """What it was told last."""
    seats: int = -1
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class News:
    """What a phone has not been told yet."""

    states: tuple[_StateEvent, ...] = ()
    seats: bytes = b""

    def __bool__(self) -> bool:
        return bool(self.states or self.seats)


@dataclass(eq=False)
class Feed:
    """What all streams tell. The table puts its states in, and never waits for anybody.

    The limit keeps threads free for everything else: a stream that is refused tries again, a table without a thread
    for the DUDO button is dead.
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

    def put(self, told: tuple[int, State]) -> None:
        """A new state, with its version.

        Where dice that lay open are hidden by it, those before it are forgotten: they tell how many there were.
        """
        version, state = told
        with self._news:
            if state.hides_dice and self._states and not self._states[-1].state.hides_dice:
                self._states.clear()
            self._unfollowed = state
            self._states.append(_StateEvent(version, state, f"{self.run}-{version}"))
            self._news.notify_all()

    def close(self) -> None:
        """The table has closed: nothing more comes, and every stream ends."""
        self.stop()

    def stop(self) -> None:
        """The server stops: every stream ends. Safe to call twice."""
        with self._news:
            self._open = False
            self._news.notify_all()

    def sit(self, presence: Presence) -> None:
        """Somebody sits elsewhere now. Strangers are told who sits where, and not of the phones."""
        said = encoded("seats", presence)
        with self._news:
            if said != self._seats:
                self._seats = said
                self._seats_for_strangers = encoded("seats", Presence(presence.seats, ()))
                self._seated += 1
                self._news.notify_all()

    # From the phones

    @property
    def count(self) -> int:
        """How many listen."""
        return len(self._clients)

    @property
    def stopped(self) -> bool:
        """Whether every stream ends, because the table has closed or the server stops."""
        return not self._open

    def enter(self, phone: str | None, last: str = "", address: str = "") -> Client | None:
        """A place for `phone` (None: a stranger) at `address`, that was told `last` before; None where there is none.

        A phone has `PHONES_OWN` places at most, strangers at one address `STRANGERS`: the oldest makes room for the
        newest. Where all places are taken, so it does below that, and a stranger's for a phone that has joined.
        """
        with self._news:
            if not self._open:
                return None
            standing = [client for client in self._clients if not client.dropped]
            same = [client for client in standing if client.phone == phone and (phone or client.address == address)]
            victim: Client | None = None
            if len(same) >= (STRANGERS if phone is None else PHONES_OWN):
                victim = same[0]
            elif len(standing) >= self.limit:
                victim = _less_wanted(phone, standing)
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
        """Whether this stream is to end."""
        return client.dropped or not self._open

    def next(self, client: Client, timeout: float) -> News:
        """What `client` has not been told, waiting up to `timeout` seconds for it. From then on it has been told."""
        with self._news:
            self._news.wait_for(lambda: self.ended(client) or self._behind(client), timeout)
            if self.ended(client):
                return News()
            states = tuple(kept for kept in self._states if kept.version > client.version)
            seats = self._seats_for_strangers if client.phone is None else self._seats
            if client.seats >= self._seated:
                seats = b""
            if client.version < 0 or (client.seats >= 0 and len(states) > BEHIND):
                states = states[-1:]
            client.version = states[-1].version if states else client.version
            client.seats = self._seated
            return News(states, seats)

    def unfollowed(self) -> State | None:
        """The newest state, for the first who asks after it came; None for all others."""
        with self._news:
            state, self._unfollowed = self._unfollowed, None
            return state

    def pause(self, client: Client, seconds: float) -> None:
        """Wait, unless this stream is to end."""
        with self._news:
            self._news.wait_for(lambda: self.ended(client), seconds)

    # Inside

    def _behind(self, client: Client) -> bool:
        newest = self._states[-1].version if self._states else -1
        return newest > client.version or client.seats < self._seated

    def _version_of(self, last: str) -> int:
        """The version of an event id, where all that came after it is kept; -1 otherwise."""
        found = _ID.fullmatch(last)
        if found is None or found[1] != self.run or not self._states:
            return -1
        version = int(found[2])
        return version if self._states[0].version - 1 <= version <= self._states[-1].version else -1


def _less_wanted(phone: str | None, standing: Sequence[Client]) -> Client | None:
    """Whose place a newcomer takes when there is no other."""
    if phone is None:
        return None
    own = (client for client in standing if client.phone == phone)
    strangers = (client for client in standing if client.phone is None)
    return next(own, None) or next(strangers, None)


class Stream:
    """One phone's stream, as WSGI wants it: an iterator of bytes with a `close` that is always called."""

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
        """`heartbeat` in seconds of `clock`; `patience` are the seconds after which a phone that reads nothing of what
        was sent loses its place. `gone` says whether the phone has hung up, `unread` how many bytes wait for it to
        read, and `drop` cuts it off. `follow` is called with the newest state before that is told, by one of all
        streams, `look` with every heart-beat, and `left` in the end.

        `client` has its place in `feed` already; `close` gives it back.
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
        """Let the feed know that this phone has gone. Safe to call twice."""
        if self._open:
            self._open = False
            self._events.close()
            self._feed.leave(self._client)
            self._left()

    def _run(self) -> Generator[bytes, None, None]:
        yield RETRY
        beat = self._clock() + self._heartbeat
        while not (self._feed.ended(self._client) or self._gone()):
            # What waits unread would go on growing, and in the end hold this thread: nothing is added to it.
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
                yield b"".join([*(kept.written() for kept in news.states), news.seats])
            else:
                continue
            beat = self._clock() + self._heartbeat

    def _has_read(self) -> bool:
        """Wait until the phone has read everything; False when it read nothing for too long."""
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
