"""Exposure times that mains light does not flicker in: whole periods of it.

A lamp on 50 Hz mains is bright 100 times a second. Exposed for a whole number of these periods, every row of a rolling
shutter and every frame gets as much light as any other; exposed for anything else the picture has bands that wander.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

MAINS_HERTZ: Final = (50, 60)
"""Hertz. Europe, Asia but for a part of Japan, Africa and Australia; the Americas and that part of Japan."""


class Exposure(NamedTuple):
    """How long and how much amplified."""

    time: int
    """Microseconds."""
    gain: float

    @property
    def light(self) -> float:
        """How bright it makes the picture, in microseconds at gain 1."""
        return self.time * self.gain


class ExposureLimits(NamedTuple):
    """What a camera can be set to."""

    longest: float = 66_667.0
    """Microseconds. At 15 frames a second an exposure has no room for more."""
    least: float = 1.0
    most: float = 16.0
    """Gain."""


def flash_period(mains: int) -> float:
    """Microseconds from one flash of a lamp to the next, on mains of so many hertz."""
    return 1e6 / (2 * mains)


def flicker_free(measured: Exposure, mains: int, limits: ExposureLimits = ExposureLimits()) -> Exposure:  # noqa: B008 - a constant
    """As bright as `measured`, exposed for whole periods of the mains.

    The nearest number of periods is taken that the gain can make up for. Light so strong that a single period at the
    least gain would be too bright is the sun's, which does not flicker: then the time is whatever the brightness asks,
    as it is for a camera that cannot expose for a whole period. Where the reach ends, so does the brightness.
    """
    one, light = flash_period(mains), measured.light
    if light < one * limits.least:
        return Exposure(max(1, min(round(light / limits.least), round(limits.longest))), limits.least)
    if limits.longest < one:
        time = max(1, round(limits.longest))
        return Exposure(time, min(max(light / time, limits.least), limits.most))
    nearest = round(measured.time / one)
    fewest = max(1, math.ceil(light / (one * limits.most) - 1e-9))
    most = max(1, min(math.floor(light / (one * limits.least) + 1e-9), math.floor(limits.longest / one + 1e-9)))
    periods = min(max(nearest, fewest), most)
    time = round(periods * one)
    return Exposure(time, min(max(light / time, limits.least), limits.most))
