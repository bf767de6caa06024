"""Exposure times that mains light does not flicker in: whole periods of it.

A lamp on 50 Hz mains is bright 100 times a second. Exposed for a whole number of these periods, every row of a rolling
shutter and every frame gets as much light as any other; exposed for anything else the picture has bands that wander.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

MAINS: Final = (50, 60)
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


class Reach(NamedTuple):
    """What a camera can be set to."""

    longest: float = 66_667.0
    """Microseconds. At 15 frames a second an exposure has no room for more."""
    least: float = 1.0
    most: float = 16.0
    """Gain."""


def period(mains: int) -> float:
    """Microseconds from one flash of a lamp to the next, on mains of so many hertz."""
    return 1e6 / (2 * mains)


def in_step(measured: Exposure, mains: int, reach: Reach = Reach()) -> Exposure:  # noqa: B008 - a constant
    """As bright as `measured`, exposed for whole periods of the mains.

    The nearest number of periods is taken that the gain can make up for. Light so strong that a single period at the
    least gain would be too bright is the sun's, which does not flicker: then the time is whatever the brightness asks,
    as it is for a camera that cannot expose for a whole period. Where the reach ends, so does the brightness.
    """
    one, light = period(mains), measured.light
    if light < one * reach.least:
        return Exposure(max(1, min(round(light / reach.least), round(reach.longest))), reach.least)
    if reach.longest < one:
        time = max(1, round(reach.longest))
        return Exposure(time, min(max(light / time, reach.least), reach.most))
    nearest = round(measured.time / one)
    fewest = max(1, math.ceil(light / (one * reach.most) - 1e-9))
    most = max(1, min(math.floor(light / (one * reach.least) + 1e-9), math.floor(reach.longest / one + 1e-9)))
    periods = min(max(nearest, fewest), most)
    time = round(periods * one)
    return Exposure(time, min(max(light / time, reach.least), reach.most))
