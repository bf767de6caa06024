"""Turns the edges of a button's contact into pushes."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

CLOSE_TIME: Final = 0.004
"""Seconds that a contact must stay closed to be a press; a long wire picks up glitches of microseconds."""

QUIET_TIME: Final = 0.05
"""Seconds that a contact must stay open for a press to end. Push buttons bounce for 1 to 10 ms, worn ones for 40."""

LONG_PRESS: Final = 0.8
"""A press of at least this many seconds is a long one."""

DOUBLE_PRESS: Final = 0.4
"""Seconds within which a second press of the same button makes a double press."""


HOLD_TIMES: Final = (2.0, 8.0)
"""Seconds that both buttons must be held together for `Push.HELD`, and for `Push.HELD_LONG`."""


class Push(Enum):
    """The kinds of push of a button, or of both."""

    DOWN = auto()
    """The button was pressed."""
    SHORT = auto()
    """A short press ended."""
    LONG = auto()
    """A long press ended."""
    DOUBLE = auto()
    """The button was pressed again soon after the last press; this is not a press of its own."""
    HELD = auto()
    """Both buttons are being held together."""
    HELD_LONG = auto()
    """Both buttons are still being held, after much longer."""


class Debounce:
    """Turns the edges of a bouncing contact into pushes.

    `edge` says at once if a press may have begun, so that a lamp can respond. `push` returns the pushes: a press once
    the contact has stayed closed for `close_time`, so that glitches are ignored, and its end once it has stayed open
    for `QUIET_TIME`. gpiozero's own `bounce_time` is not used because its mock pins ignore it, and tests must run what
    the table runs.

    Hammering a button is one press: a press soon after another belongs to the first.
    """

    def __init__(self, clock: Callable[[], float], close_time: float = CLOSE_TIME) -> None:
        """`clock` gives monotonic seconds."""
        self._clock = clock
        self._close_time = close_time
        self._closed = False
        self._edge = self._answer = float("-inf")
        """The times of the last edge, and of the last one at which a press may have begun."""
        self._pressed = False
        """A press was reported and has not ended."""
        self._began = float("-inf")
        """When the last press began."""
        self._open_end = False
        """The end of the press is still to be reported: not for a double press, nor after a long one."""

    def edge(self, closed: bool) -> bool:
        """Record an edge of the contact. Returns True if a press may have begun with it."""
        now = self._clock()
        if closed and self._pressed and not self._closed and now >= self._edge + QUIET_TIME:
            self._pressed = False  # it had ended, and nobody has asked since
        self._closed, self._edge = closed, now
        if not closed or self._pressed or now < self._answer + QUIET_TIME:
            return False
        self._answer = now
        return True

    def push(self, closed: bool) -> Push | None:
        """Return the next push that is certain by now. Call it after each edge, and when it is `due`.

        closed: the contact is closed, read from its pin now. An edge may be reported late.
        """
        certain = self.due() == 0.0
        if not self._pressed:
            if certain and closed:
                return self._press()
            self._closed = self._closed and not certain  # a glitch, whose end is still to be reported
            return None
        if self._open_end and not self._closed and self._edge - self._began >= LONG_PRESS:
            self._open_end = False
            return Push.LONG
        if not certain:
            return None
        short, self._pressed, self._open_end = self._open_end, False, False
        return Push.SHORT if short else None

    @property
    def held_since(self) -> float | None:
        """When the present press began; None without one."""
        return self._began if self._pressed and self._closed else None

    def forget_end(self) -> None:
        """Do not report the end of this press."""
        self._open_end = False

    def _press(self) -> Push:
        double = self._edge - self._began <= DOUBLE_PRESS
        self._pressed, self._began, self._open_end = True, self._edge, not double
        return Push.DOUBLE if double else Push.DOWN

    def due(self) -> float | None:
        """Seconds until `push` may return a push; None if that needs another edge."""
        if self._pressed == self._closed:
            return None
        return max(0.0, self._edge + (QUIET_TIME if self._pressed else self._close_time) - self._clock())
