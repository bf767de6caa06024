"""Pushes of a button, made from the edges of its contact."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

CLOSE_TIME: Final = 0.004
"""Seconds a contact must stay closed to be a press. A long wire picks up glitches of microseconds."""

QUIET_TIME: Final = 0.05
"""Seconds a contact must stay open for a press to be over. Push buttons bounce for 1 to 10 ms, worn ones for 40."""

LONG_PRESS: Final = 0.8
"""A press of at least so many seconds is a long one."""

DOUBLE_PRESS: Final = 0.4
"""Seconds after a press within which another one of the same button makes it a double press."""


HOLD_TIMES: Final = (2.0, 8.0)
"""Seconds for which both buttons are held together until that is `Push.HELD`, and `Push.HELD_LONG`."""


class Push(Enum):
    """The kinds of push of a button, or of both."""

    DOWN = auto()
    """The button was pressed."""
    SHORT = auto()
    """The press is over, and was a short one."""
    LONG = auto()
    """The press is over, and was a long one."""
    DOUBLE = auto()
    """The button was pressed again, soon after the last press. This does not count as a press of its own."""
    HELD = auto()
    """Both buttons are being held together."""
    HELD_LONG = auto()
    """Both buttons are still held, after much longer."""


class Debounce:
    """Turns the edges of a bouncing contact into pushes.

    `edge` says at once when a press may have begun, so that a lamp can answer. `push` gives the pushes: a press once
    the contact has stayed closed for `close_time`, so that a glitch is none, and its end once it has stayed open for
    `QUIET_TIME`. gpiozero's own `bounce_time` is not used: its mock pins ignore it, and tests must run what the table
    runs.

    Hammering a button is one press: each press soon after another belongs to the first.
    """

    def __init__(self, clock: Callable[[], float], close_time: float = CLOSE_TIME) -> None:
        """`clock` gives monotonic seconds."""
        self._clock = clock
        self._close_time = close_time
        self._closed = False
        self._edge = self._answer = float("-inf")
        """The times of the last edge, and of the last one at which a press may have begun."""
        self._pressed = False
        """Whether a press has been told of that is not over."""
        self._began = float("-inf")
        """When the last press began."""
        self._open_end = False
        """Whether the end of the press is still to be told: it is not for a double one, or after a long one."""

    def edge(self, closed: bool) -> bool:
        """Note an edge of the contact. Whether a press may have begun with it."""
        now = self._clock()
        if closed and self._pressed and not self._closed and now >= self._edge + QUIET_TIME:
            self._pressed = False  # it was over, and nobody has asked since
        self._closed, self._edge = closed, now
        if not closed or self._pressed or now < self._answer + QUIET_TIME:
            return False
        self._answer = now
        return True

    def push(self, closed: bool) -> Push | None:
        """The next push that is certain by now. Call it after each edge, and when it is `due`.

        closed: whether the contact is closed, read from its pin now. An edge may be reported late.
        """
        certain = self.due() == 0.0
        if not self._pressed:
            if certain and closed:
                return self._press()
            self._closed = self._closed and not certain  # a glitch whose end is still to be reported
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
        """When the press that is not over began; None without one."""
        return self._began if self._pressed and self._closed else None

    def forget_end(self) -> None:
        """Do not tell of the end of this press."""
        self._open_end = False

    def _press(self) -> Push:
        double = self._edge - self._began <= DOUBLE_PRESS
        self._pressed, self._began, self._open_end = True, self._edge, not double
        return Push.DOUBLE if double else Push.DOWN

    def due(self) -> float | None:
        """Seconds until `push` may return one; None while only an edge can bring one."""
        if self._pressed == self._closed:
            return None
        return max(0.0, self._edge + (QUIET_TIME if self._pressed else self._close_time) - self._clock())
