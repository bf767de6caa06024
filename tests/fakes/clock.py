"""A fake clock, so that no test waits or depends on the speed of the machine."""

from __future__ import annotations


class FakeClock:
    """A clock in seconds. It advances when `now` is set, by `sleep`, and by `step` before every call."""

    def __init__(self, now: float = 100.0, step: float = 0.0) -> None:
        self.now = now
        self._step = step

    def __call__(self) -> float:
        self.now += self._step
        return self.now

    def sleep(self, seconds: float) -> None:
        """Advance the clock without waiting."""
        self.now += seconds
