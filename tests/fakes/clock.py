"""A clock for whatever takes one: no test waits, and none depends on how fast the machine is."""

from __future__ import annotations


class FakeClock:
    """Seconds that pass when `now` is moved, when slept, and `step` of them before every look."""

    def __init__(self, now: float = 100.0, step: float = 0.0) -> None:
        self.now = now
        self._step = step

    def __call__(self) -> float:
        self.now += self._step
        return self.now

    def sleep(self, seconds: float) -> None:
        """Nobody waits: the time has passed."""
        self.now += seconds
