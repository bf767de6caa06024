"""The connected guests: every address has a share, so that one guest cannot keep others out."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final, Self
from weakref import WeakValueDictionary

from tornado.iostream import IOStream

from web.stream.wsgi import Door

FILES_OF_A_REQUEST: Final = 4
"""Files that a running request may have open: an SQLite journal is three."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many connections and requests the server accepts, and how long it waits for them."""

    threads: int = 48
    """Requests running at once. Forty phones may request a picture at once, and a press must not wait."""
    shared_threads: int = 16
    """How many of them may belong to one address. An IPv6 /64 counts as one address."""
    connections: int = 768
    """Fewer than the 1024 files that a process may usually open, and enough for six from each of a hundred phones."""
    share: int = 192
    """How many of them may belong to one address."""
    head_timeout: float = 5.0
    """Seconds within which a new connection must send a request's head, over https after the handshake."""
    keep_alive: float = 60.0
    """Seconds until the head of the next request."""
    body_timeout: float = 10.0
    """Seconds for the body."""

    @classmethod
    def within(cls, descriptors: int) -> Self:
        """The usual limits, or lower ones if `descriptors` do not suffice; a third of a small number is left to the box
        itself.
        """
        usual = cls()
        spare = min(descriptors // 3, FILES_OF_A_REQUEST * usual.threads)
        connections = max(4, min(usual.connections, descriptors - spare))
        threads = max(1, min(usual.threads, spare // FILES_OF_A_REQUEST))
        return cls(
            threads=threads,
            shared_threads=min(usual.shared_threads, threads),
            connections=connections,
            share=min(usual.share, connections // 2),
        )

    @property
    def streams(self) -> int:
        """Streams per address; some connections are left for taps."""
        return self.share * 2 // 3

    @property
    def strangers(self) -> int:
        """Streams per address for phones that have not joined."""
        return self.share // 3


def descriptors_left() -> int:
    """The number of files and connections that this process may still open."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most - len([*Path("/dev/fd").iterdir()])


@dataclass(eq=False)
class GuestConnection:
    address: str
    network: str
    """The network that its address belongs to: see `network_of`."""
    stream: IOStream
    door: Door
    turns: asyncio.Semaphore = field(init=False)
    """Its network's share of the threads."""
    busy: bool = False
    """True while a request has no answer yet."""
    deadline: asyncio.TimerHandle | None = None
    """Closes the connection unless a request comes first."""


class GuestConnections:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._networks: dict[str, dict[GuestConnection, None]] = {}
        """Network -> its connections, oldest first."""
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def admit(self, guest: GuestConnection) -> bool:
        """Add a connection; False if there is no room for it.

        At a limit, an idle connection is closed: one of the same network if that has used up its share, else one of the
        network with the most. If all of those are busy, the oldest is closed in favour of networks with fewer.
        """
        own = self._networks.get(guest.network, {})
        crowd = own
        if len(own) < self._limits.share and len(self) >= self._limits.connections:
            crowd = max(self._networks.values(), key=len)
        if crowd is not own or len(own) >= self._limits.share:
            closed = next((each for each in crowd if not each.busy), None)
            if closed is None and len(crowd) > len(own) + 1:
                closed = next(iter(crowd))
            if closed is None:
                return False
            self.leave(closed)
            closed.stream.close()
        guest.turns = self._turns.setdefault(guest.network, asyncio.Semaphore(self._limits.shared_threads))
        self._networks.setdefault(guest.network, {})[guest] = None
        return True

    def leave(self, guest: GuestConnection) -> None:
        """Remove a connection that has ended. Can be called twice."""
        guests = self._networks.get(guest.network, {})
        guests.pop(guest, None)
        if not guests:
            self._networks.pop(guest.network, None)

    def __iter__(self) -> Iterator[GuestConnection]:
        return chain.from_iterable(self._networks.values())

    def __len__(self) -> int:
        return sum(map(len, self._networks.values()))
