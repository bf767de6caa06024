"""Rate limiting."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

REMEMBERED_NAMES: Final = 1024
"""The most names that are remembered; the least recently used one is forgotten first."""


class Allowance:
    """A token bucket: `most` tokens at once, then one every `seconds`."""

    def __init__(self, most: int, seconds: float, now: float) -> None:
        self._most = float(most)
        self._seconds = seconds
        self._tokens = float(most)
        self._at = now

    def wait(self, now: float) -> float:
        """Seconds until there is a token; 0.0 if there is one."""
        self._tokens = min(self._most, self._tokens + (now - self._at) / self._seconds)
        self._at = now
        return 0.0 if self._tokens >= 1.0 else (1.0 - self._tokens) * self._seconds

    def take(self) -> None:
        """Take a token, after `wait` returned 0.0."""
        self._tokens -= 1.0


class Allowances:
    """An allowance for every name. Thread-safe."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._lock = threading.Lock()
        self._allowances: dict[str, Allowance] = {}

    def __len__(self) -> int:
        return len(self._allowances)

    def spend(self, name: str) -> float:
        """Take a token for `name`: 0.0 if there was one, else the seconds until there is one."""
        with self._lock:
            now = self._clock()
            allowance = self._allowances.pop(name, None) or Allowance(self._most, self._seconds, now)
            self._allowances[name] = allowance
            if len(self._allowances) > REMEMBERED_NAMES:
                del self._allowances[next(iter(self._allowances))]
            wait = allowance.wait(now)
            if not wait:
                allowance.take()
            return wait
