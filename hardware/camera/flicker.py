"""Exposure times in which mains light does not flicker: whole periods of it.

A lamp on 50 Hz mains is bright 100 times a second. Exposed for a whole number of these periods, every row of a rolling
shutter gets the same light; with any other exposure bands wander through the picture.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

MAINS_HERTZ: Final = (50, 60)
"""Hertz. Europe, Asia but for a part of Japan, Africa and Australia; the Americas and that part of Japan."""


class Exposure(NamedTuple):
    """An exposure time and a gain."""

    time: int
    """Microseconds."""
    gain: float

    @property
    def light(self) -> float:
        """The brightness of the picture, in microseconds at gain 1."""
        return self.time * self.gain


class ExposureLimits(NamedTuple):
    """The exposures a camera can be set to."""

    longest: float = 66_667.0
    """Microseconds. At 15 frames a second an exposure has no room for more."""
    least: float = 1.0
    most: float = 16.0
    """Gain."""


def flash_period(mains: int) -> float:
    """Microseconds from one flash of a lamp to the next."""
    return 1e6 / (2 * mains)


def flicker_free(measured: Exposure, mains: int, limits: ExposureLimits = ExposureLimits()) -> Exposure:  # noqa: B008 - a constant
    """As bright as `measured`, exposed for whole periods of the mains.

    Takes the nearest number of periods that the gain can make up for. Where one period at the least gain would be too
    bright, the light is the sun's, which does not flicker; then any time will do, as it must for a camera that cannot
    expose for a whole period. Where the limits are reached, the brightness is not.
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
