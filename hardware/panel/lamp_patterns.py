"""How lamps blink, pulse and flicker.

All lamps follow one clock, so that those that blink do so together. Patterns can be told apart without seeing colours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class LampPattern(StrEnum):
    """How a lamp shines over time."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"
    """Slow, equally long on and off."""
    DOUBLE = "double"
    """Two short flashes and a pause."""
    PULSE = "pulse"
    """Brighter and dimmer, like breathing; never dark."""
    FLICKER = "flicker"
    """Fast, but below three flashes a second, for people with photosensitive epilepsy."""


BLINK_TIME: Final = 0.4
"""Seconds on, and seconds off, of a blinking lamp."""

_SWITCHED: Final[Mapping[LampPattern, tuple[float, ...]]] = {
    LampPattern.BLINK: (BLINK_TIME, BLINK_TIME),
    LampPattern.DOUBLE: (0.12, 0.16, 0.12, 1.2),
    LampPattern.FLICKER: (0.17, 0.17),
}
"""Seconds on, off, on and so on, repeated."""

PULSE_TIME: Final = 2.4
"""Period of a pulsing lamp in seconds."""

PULSE_LOW: Final = 0.08
"""Least brightness of a pulsing lamp, so that it never seems to be off."""

PULSE_STEP: Final = 0.05
"""Seconds between two levels of a pulsing lamp."""


WINK_TIMES: Final = (2.28, 0.12)
"""Seconds lit and dark of a winking lamp."""


def winks(now: float) -> tuple[bool, float]:
    """True if a winking lamp is dark at `now` (seconds), and the seconds until that changes."""
    place, wait = _place(WINK_TIMES, now)
    return place == 1, wait


def level(pattern: LampPattern, now: float) -> float:
    """The brightness of a lamp, 0 to 1, at `now` (seconds)."""
    if pattern is LampPattern.PULSE:
        # Squared, because half the current looks much brighter than half the light.
        swing = (0.5 - 0.5 * math.cos(2 * math.pi * now / PULSE_TIME)) ** 2
        return PULSE_LOW + (1 - PULSE_LOW) * swing
    if pattern in _SWITCHED:
        return 1.0 if _place(_SWITCHED[pattern], now)[0] % 2 == 0 else 0.0
    return 1.0 if pattern is LampPattern.ON else 0.0


def changes_in(pattern: LampPattern, now: float) -> float | None:
    """Seconds from `now` to the next change of brightness; None if there is none."""
    if pattern is LampPattern.PULSE:
        return PULSE_STEP
    if pattern in _SWITCHED:
        return _place(_SWITCHED[pattern], now)[1]
    return None


def _place(times: tuple[float, ...], now: float) -> tuple[int, float]:
    """Where `now` is in the endlessly repeated `times`: the index, and the seconds until the next one."""
    into = now % sum(times)
    for n, seconds in enumerate(times):
        if into < seconds:
            return n, seconds - into
        into -= seconds
    return 0, times[0]  # the rounded parts fell short of their sum
