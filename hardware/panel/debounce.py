"""Pushes of a button, made from the edges of its contact."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

QUIET_TIME: Final = 0.03
"""Seconds a contact must have been quiet before a press counts. Push buttons bounce for 1 to 10 ms."""

LONG_PRESS: Final = 0.8
"""A press of at least so many seconds is a long one."""

DOUBLE_PRESS: Final = 0.4
"""Seconds after a press within which another one of the same button makes it a double press."""


class Push(Enum):
    """The kinds of push of a button."""

    DOWN = auto()
    """The button was pressed. This counts at once."""
    SHORT = auto()
    """The press is over, and was a short one."""
    LONG = auto()
    """The press is over, and was a long one."""
    DOUBLE = auto()
    """The button was pressed again, soon after the last press. This does not count as a press of its own."""


class Debounce:
    """Turns the edges of a bouncing contact into pushes.

    A press counts at its first edge if the contact was quiet before, so no timer is needed that could miss the end of a
    bounce. gpiozero's own `bounce_time` is not used: its mock pins ignore it, and tests must run what the table runs.

    Hammering a button is one press: each press soon after another belongs to the first.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` gives monotonic seconds."""
        self._clock = clock
        self._last_edge = float("-inf")
        self._closed = False
        self._last_press = float("-inf")
        """When the last press began."""
        self._down: float | None = None
        """The start of a press whose end has not been reported; None for the second press of a double one."""

    def edge(self, closed: bool) -> Push | None:
        """Note an edge of the contact. None when it only bounced, or may have ended a short press."""
        now = self._clock()
        quiet, self._last_edge, self._closed = now - self._last_edge, now, closed
        if closed:
            return self._press(now) if quiet >= QUIET_TIME else None
        if self._down is None or now - self._down < LONG_PRESS:
            return None
        self._down = None
        return Push.LONG

    def _press(self, now: float) -> Push:
        double = now - self._last_press <= DOUBLE_PRESS
        self._last_press, self._down = now, None if double else now
        return Push.DOUBLE if double else Push.DOWN

    def rest(self) -> Push | None:
        """`Push.SHORT`, once, when a short press is over and the contact is quiet; None otherwise.

        An edge alone cannot tell a release from a bounce, so the caller has to ask from time to time.
        """
        if self.due() != 0.0:
            return None
        self._down = None
        return Push.SHORT

    def due(self) -> float | None:
        """Seconds until `rest` may return a push; None while it cannot."""
        if self._down is None or self._closed:
            return None
        return max(0.0, self._last_edge + QUIET_TIME - self._clock())
