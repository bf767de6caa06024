"""Wrong codes are slowed down: ever more for the address they come from, and for all addresses together.

There are ten thousand codes. An address gets three wrong ones at once and then waits, twice as long after each, up to
ten minutes; all addresses together get twenty at once and then one in half a minute. One address alone never uses up
what is for all, and whoever has joined guesses no more, so neither is kept waiting by somebody else's guesses.
"""

from __future__ import annotations

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
"""Wrong codes of all addresses together before they wait."""
ALL_WAIT: Final = 30.0
"""Seconds until all addresses together have one more."""
MOST_ADDRESSES: Final = 1024
"""Addresses that are remembered; the one that guessed longest ago is forgotten first."""


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
        self._left = float(FREE_FOR_ALL)
        self._at = clock()

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._addresses)

    def wait(self, address: str, right: bool) -> float:
        """A guess from `address`. 0.0 when it counts: then the guesser may be told whether it was `right`.

        Otherwise the seconds until this address may guess again. Nothing follows from that guess, right or wrong.
        """
        with self._lock:
            now = self._clock()
            self._left = min(float(FREE_FOR_ALL), self._left + (now - self._at) / ALL_WAIT)
            self._at = now
            known = self._addresses.get(address)
            if known is not None and now < known.until:
                return known.until - now
            if self._left < 1.0:
                return (1.0 - self._left) * ALL_WAIT
            if right:
                self._addresses.pop(address, None)
                return 0.0
            self._left -= 1.0
            wrong = 1 if known is None else known.wrong + 1
            pause = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(wrong - FREE, 20)) if wrong >= FREE else 0.0
            self._addresses.pop(address, None)
            self._addresses[address] = _Address(wrong, now + pause)
            if len(self._addresses) > MOST_ADDRESSES:
                del self._addresses[next(iter(self._addresses))]
            return 0.0
