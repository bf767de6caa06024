"""What a finger did, told from what a contact does. Pure, but for the clock that is given."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

QUIET: Final = 0.03
"""Seconds a contact must have been quiet before a press counts. Push buttons bounce for 1 to 10 ms."""

HELD: Final = 0.8
"""Seconds from which on a press is a long one."""

TWICE: Final = 0.4
"""Seconds after a press within which another one of the same button makes it a double press."""


class Push(Enum):
    """What a finger did."""

    DOWN = auto()
    """A press; it counts at once, whatever comes of it."""
    UP = auto()
    """The press that counted before was a short one, and is over."""
    HELD = auto()
    """The press that counted before was a long one, and is over."""
    TWICE = auto()
    """The press that counted before was the first of a double press. This one, and whatever follows as fast, is no
    press of its own."""


class Debounce:
    """Tells a press, a long and a double one, from the bouncing of a contact.

    A press counts when the contact had been quiet for `QUIET` seconds before it. So the first edge of a press
    counts at once, the bounces after it and those of the release do not, and no timer is needed that could
    miss the end of a bounce. gpiozero's own `bounce_time` is not used: its mock pins ignore it, and what runs
    in the tests must be what runs on the table.

    A hand that hammers a button presses it once: whatever follows within `TWICE` seconds of the press before it belongs
    to the first.
    """

    def __init__(
        self, clock: Callable[[], float], quiet: float = QUIET, held: float = HELD, twice: float = TWICE
    ) -> None:
        """`clock` gives monotonic seconds; `quiet`, `held` and `twice` are in seconds."""
        self._clock = clock
        self._quiet = quiet
        self._held = held
        self._twice = twice
        self._last = float("-inf")
        self._closed = False
        self._pressed = float("-inf")
        """When the last press was, be it part of a double one."""
        self._run = 0
        """How many presses there were, each soon after the one before."""
        self._down: float | None = None
        """When the press began of which it is not yet told how it ended."""

    def edge(self, pressed: bool) -> Push | None:
        """Take note of a change of the contact; say what the finger did, None when it only bounced or let go."""
        now = self._clock()
        since, self._last, self._closed = now - self._last, now, pressed
        if pressed:
            return self._press(now) if since >= self._quiet else None
        if self._down is None or now - self._down < self._held:
            return None
        self._down = None
        return Push.HELD

    def _press(self, now: float) -> Push | None:
        soon = now - self._pressed <= self._twice
        self._pressed, self._run = now, self._run + 1 if soon else 1
        self._down = now if self._run == 1 else None
        return Push.DOWN if self._run == 1 else Push.TWICE

    def rest(self) -> Push | None:
        """`Push.UP`, once, when a short press is over and the contact has stopped bouncing; None otherwise.

        To be asked now and then by whoever must know: an edge alone cannot tell a release from a bounce.
        """
        if self.due() != 0.0:
            return None
        self._down = None
        return Push.UP

    def due(self) -> float | None:
        """Seconds until `rest` may have something to say, None while it cannot."""
        if self._down is None or self._closed:
            return None
        return max(0.0, self._last + self._quiet - self._clock())
