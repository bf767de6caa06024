"""Exposure times in which mains light does not flicker: whole periods of it.

A lamp on 50 Hz mains is bright 100 times a second. Exposed for a whole number of these periods, every row of a rolling
shutter gets the same light. With any other exposure, bands move through the picture.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

MAINS_HERTZ: Final = (50, 60)
"""50: Europe, Africa, Australia and most of Asia. 60: the Americas and a part of Japan."""


class Exposure(NamedTuple):
    """An exposure time and a gain."""

    time: int
    """Microseconds."""
    gain: float

    @property
    def light(self) -> float:
        """The brightness of the picture, in microseconds at gain 1."""
        return self.time * self.gain


def flash_period(mains: int) -> float:
    """Microseconds from one flash of a lamp to the next."""
    return 1e6 / (2 * mains)


def flicker_free(measured: Exposure, mains: int, longest: float, gains: tuple[float, float]) -> Exposure:
    """As bright as `measured`, exposed for whole periods of the mains.

    Takes the nearest number of periods that the gain can make up for. If one period at the least gain would be too
    bright, the light is sunlight, which does not flicker: then any time will do, as it must for a camera that cannot
    expose for a whole period. If the longest exposure (microseconds) and the most gain are not enough, the picture is
    darker.
    """
    one, light = flash_period(mains), measured.light
    least, most = gains
    if light < one * least:
        return Exposure(max(1, min(round(light / least), round(longest))), least)
    if longest < one:
        time = max(1, round(longest))
    else:
        fewest = max(1, math.ceil(light / (one * most) - 1e-9))
        room = max(1, min(math.floor(light / (one * least) + 1e-9), math.floor(longest / one + 1e-9)))
        time = round(min(max(round(measured.time / one), fewest), room) * one)
    return Exposure(time, min(max(light / time, least), most))
