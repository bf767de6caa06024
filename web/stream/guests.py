"""Who is connected: every address has a share, so that one guest keeps nobody else out."""

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
"""Files that a request in work may have open: a journal of SQLite is three."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the server takes on at once, and how long it waits."""

    threads: int = 48
    """Requests in work. Forty phones may request a picture at once; a press must not wait."""
    shared_threads: int = 16
    """How many of them may be one address's. An IPv6 /64 counts as one address."""
    connections: int = 768
    """Below the 1024 files that a process may usually open, and enough for six from each of a hundred phones."""
    share: int = 192
    """How many of them one address may have."""
    head_timeout: float = 5.0
    """Seconds within which a new connection must have sent the head of a request, after its handshake over https."""
    keep_alive: float = 60.0
    """Seconds until the head of the next one."""
    body_timeout: float = 10.0
    """Seconds for a body."""

    @classmethod
    def within(cls, descriptors: int) -> Self:
        """The usual limits, or lower ones for which `descriptors` suffice; a third of few is left to the box itself."""
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
        """Streams at once, so that an address full of them still has connections for taps."""
        return self.share * 2 // 3

    @property
    def strangers(self) -> int:
        """Those of one address's phones that have not joined."""
        return self.share // 3


def descriptors_left() -> int:
    """How many more files and connections this process may open."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most - len([*Path("/dev/fd").iterdir()])


@dataclass(eq=False)
class GuestConnection:
    """One connection."""

    address: str
    network: str
    """What its address counts as."""
    stream: IOStream
    door: Door
    turns: asyncio.Semaphore = field(init=False)
    """Its network's share of the threads."""
    busy: bool = False
    """Whether it has sent a request that is not answered yet."""
    deadline: asyncio.TimerHandle | None = None
    """Ends the connection unless a request comes first."""


class GuestConnections:
    """All connections."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._networks: dict[str, dict[GuestConnection, None]] = {}
        """Network -> its connections, the oldest first."""
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def admit(self, guest: GuestConnection) -> bool:
        """Count a connection; False if there is no room for it.

        Beyond the limits an idle connection is closed: of the same network if that has its share, otherwise of the
        network with the most. If all of that one are busy, its oldest is closed, for networks with fewer.
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
        """A connection has ended. Safe to call twice."""
        guests = self._networks.get(guest.network, {})
        guests.pop(guest, None)
        if not guests:
            self._networks.pop(guest.network, None)

    def __iter__(self) -> Iterator[GuestConnection]:
        return chain.from_iterable(self._networks.values())

    def __len__(self) -> int:
        return sum(map(len, self._networks.values()))
