"""Exposure times that show no flicker of mains light: whole periods of it.

A lamp on 50 Hz mains is bright 100 times a second. If the exposure is a whole number of these periods, every row of a
rolling shutter gets the same light; otherwise bands move through the picture.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

MAINS_HERTZ: Final = (50, 60)
"""50 Hz: Europe, Africa, Australia and most of Asia. 60 Hz: the Americas and part of Japan."""


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
    """Microseconds between two flashes of a lamp."""
    return 1e6 / (2 * mains)


def flicker_free(measured: Exposure, mains: int, longest: float, gains: tuple[float, float]) -> Exposure:
    """An exposure as bright as `measured` that lasts whole periods of the mains.

    It takes the nearest number of periods that the gain can compensate. If one period at the least gain is too bright,
    the light is sunlight, which does not flicker, and any time will do; the same holds for a camera that cannot expose
    for a whole period. If the longest exposure (microseconds) at the most gain is not enough, the picture is darker.
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
