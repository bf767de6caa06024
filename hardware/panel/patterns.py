"""What a lamp and a buzzer do in the course of time. Pure: a pattern and a time in, a brightness or a tone out.

All lamps follow one clock, so that two that blink blink together; and the drawing of the panel uses the same functions.
A pattern can be told from every other without seeing colours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Final


class Lamp(StrEnum):
    """What a lamp does."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"
    """Slowly, as long on as off."""
    DOUBLE = "double"
    """Two short flashes and a pause."""
    PULSE = "pulse"
    """Brighter and dimmer, never dark, as if it breathed."""
    FLICKER = "flicker"
    """Fast, and yet less than three times a second, for the sake of who cannot bear more."""


BLINK: Final = 0.4
"""Seconds on, and seconds off, of a blinking lamp."""

_SWITCHED: Final[Mapping[Lamp, tuple[float, ...]]] = MappingProxyType(
    {
        Lamp.BLINK: (BLINK, BLINK),
        Lamp.DOUBLE: (0.12, 0.16, 0.12, 1.2),
        Lamp.FLICKER: (0.17, 0.17),
    }
)
"""Seconds on, off, on and so forth, over and over."""

BREATH: Final = 2.4
"""Seconds from one brightest moment of a lamp that breathes to the next."""

DIMMEST: Final = 0.08
"""Of full brightness; a lamp that breathes is never taken for one that is off."""

STEP: Final = 0.05
"""Seconds between two levels of a lamp that breathes."""


def level(lamp: Lamp, now: float) -> float:
    """The brightness of a lamp at `now` (seconds), from 0, dark, to 1."""
    if lamp is Lamp.PULSE:
        # Squared, because an eye takes half the current for far more than half the light.
        swing = (0.5 - 0.5 * math.cos(2 * math.pi * now / BREATH)) ** 2
        return DIMMEST + (1 - DIMMEST) * swing
    if lamp in _SWITCHED:
        return 1.0 if _place(_SWITCHED[lamp], now)[0] % 2 == 0 else 0.0
    return 1.0 if lamp is Lamp.ON else 0.0


def changes_in(lamp: Lamp, now: float) -> float | None:
    """Seconds from `now` to the next change of a lamp's brightness, None where it stays as it is."""
    if lamp is Lamp.PULSE:
        return STEP
    if lamp in _SWITCHED:
        return _place(_SWITCHED[lamp], now)[1]
    return None


def _place(times: tuple[float, ...], now: float) -> tuple[int, float]:
    """In which of `times`, repeated for ever, `now` lies, and how many seconds of it are left."""
    into = now % sum(times)
    for n, seconds in enumerate(times):
        if into < seconds:
            return n, seconds - into
        into -= seconds
    return 0, times[0]  # the sum of the parts, rounded, fell short of their sum


class Sound(Enum):
    """A short sound: (hertz, seconds) one after the other; 0 hertz is a silence. A buzzer without tones only beeps."""

    PRESS = ((660.0, 0.04),)
    """A button was pressed."""
    LOOK = ((440.0, 0.08), (0.0, 0.04), (660.0, 0.08))
    """Cups up: the camera looks."""
    ASKED = ((660.0, 0.1), (0.0, 0.1), (660.0, 0.1))
    """The players are asked something."""
    JUDGED = ((440.0, 0.1), (550.0, 0.1), (660.0, 0.2))
    """The verdict is there."""
    WON = ((440.0, 0.12), (550.0, 0.12), (660.0, 0.12), (880.0, 0.4))
    """Somebody has won."""
    REFUSED = ((220.0, 0.25),)
    """A press that meant nothing."""


def tone(sound: Sound, since: float) -> tuple[float, float] | None:
    """What a buzzer plays `since` seconds after a sound began: (hertz, seconds that are left of it); None once it is
    over."""
    for hertz, seconds in sound.value:
        if since < seconds:
            return hertz, seconds - since
        since -= seconds
    return None
