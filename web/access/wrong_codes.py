"""Wrong codes are slowed down: ever more for the address they come from, and for all addresses together.

There are ten thousand codes. An address gets three wrong ones at once and then waits, twice as long after each, up to
ten minutes; while it waits, a right code waits too. Beside that there are two purses for all addresses together, of
which each wrong code takes one: addresses that were wrong before have twenty at once and one a minute, and those that
were not have twenty at once and one in five seconds. So guesses from one address, or a few that go on guessing, keep
nobody else waiting for more than five seconds, and in any hour `MOST_AN_HOUR` (820) codes can be tried in all, whatever
number of addresses they come from.

Many addresses of IPv6 are one machine's, so all of one /64 count as one.

Who knows the code is slowed too: of new phones an address has `JOINS` at once, and then one in ten seconds.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

FREE: Final = 3
"""Wrong codes of one address before it has to wait."""
FIRST_WAIT: Final = 2.0
"""Seconds after the wrong code that was one too many; twice as many after each more."""
LONGEST_WAIT: Final = 600.0
FREE_FOR_ALL: Final = 20
"""Wrong codes of all addresses together before they wait, in each of the two purses."""
ALL_WAIT: Final = 60.0
"""Seconds until the addresses that were wrong before have one more."""
CLEAN_WAIT: Final = 5.0
"""Seconds until the addresses that were not have one more."""
MOST_AN_HOUR: Final = 2 * FREE_FOR_ALL + round(3600 / ALL_WAIT) + round(3600 / CLEAN_WAIT)
"""Codes that can be tried in an hour, from all addresses together."""
JOINS: Final = 48
"""Phones that join from one address at once."""
JOIN_WAIT: Final = 10.0
"""Seconds until it has one more."""
MOST_ADDRESSES: Final = 1024
"""Addresses that are remembered; the one that guessed longest ago is forgotten first."""


def counted_as(address: str) -> str:
    """Under what an address is counted: itself, its network of 64 bits for IPv6."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found) >> 64 << 64, 64)))


class _Purse:
    """So many at once, and then one in so many seconds."""

    def __init__(self, most: int, seconds: float, now: float) -> None:
        self._most = float(most)
        self._seconds = seconds
        self._left = float(most)
        self._at = now

    def wait(self, now: float) -> float:
        """The seconds until there is one; 0.0 when there is."""
        self._left = min(self._most, self._left + (now - self._at) / self._seconds)
        self._at = now
        return 0.0 if self._left >= 1.0 else (1.0 - self._left) * self._seconds

    def take(self) -> None:
        """Take one, after `wait` gave 0.0."""
        self._left -= 1.0


@dataclass(slots=True)
class _Address:
    wrong: int
    until: float
    """The moment from which it may guess again."""


class Guesses:
    """The wrong codes so far. Any method may be called from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives monotonic seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._addresses: dict[str, _Address] = {}
        self._joins: dict[str, _Purse] = {}
        self._again = _Purse(FREE_FOR_ALL, ALL_WAIT, clock())
        self._clean = _Purse(FREE_FOR_ALL, CLEAN_WAIT, clock())

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return max(len(self._addresses), len(self._joins))

    def wait(self, address: str, right: bool) -> float:
        """A guess from `address`. 0.0 when it counts: then the guesser may be told whether it was `right`.

        Otherwise the seconds until this address may guess again. Nothing follows from that guess, right or wrong.
        """
        with self._lock:
            name, now = counted_as(address), self._clock()
            known = self._addresses.get(name)
            if known is not None and now < known.until:
                return known.until - now
            purse = self._clean if known is None else self._again
            if wait := purse.wait(now):
                return wait
            if right:
                self._addresses.pop(name, None)
                return 0.0
            purse.take()
            wrong = 1 if known is None else known.wrong + 1
            pause = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(wrong - FREE, 20)) if wrong >= FREE else 0.0
            self._addresses.pop(name, None)
            self._addresses[name] = _Address(wrong, now + pause)
            if len(self._addresses) > MOST_ADDRESSES:
                del self._addresses[next(iter(self._addresses))]
            return 0.0

    def join(self, address: str) -> float:
        """One more phone joins from `address`. 0.0 when it may, otherwise the seconds until it may."""
        with self._lock:
            name, now = counted_as(address), self._clock()
            purse = self._joins.pop(name, None) or _Purse(JOINS, JOIN_WAIT, now)
            self._joins[name] = purse
            if len(self._joins) > MOST_ADDRESSES:
                del self._joins[next(iter(self._joins))]
            if wait := purse.wait(now):
                return wait
            purse.take()
            return 0.0
