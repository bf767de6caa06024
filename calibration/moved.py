"""Has the camera been moved since it was calibrated? A small picture of the table then, held against one of now.

What lies on a table comes and goes; the table stays. Corners of both pictures (ORB: Rublee et al. 2011) are matched, and
one shift with a turn is looked for that many of them share, spread over the picture (RANSAC). Where many agree that
nothing moved, nothing did, whatever hands and cups do; where nothing can be matched, nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from calibration.image import Grey, Image, grey_of, shrunk
from companion.engine.said import Said

WIDTH = 480
"""Pixels across of the picture that is kept."""


class Moved(StrEnum):
    """What is made of two pictures."""

    UNMOVED = "unmoved"
    MOVED = "moved"
    CANNOT_TELL = "cannot tell"
    """Hands, cups or darkness cover what could be recognised."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One picture held against the kept one."""

    moved: Moved
    shift: float = 0.0
    """How far the picture's content moved, at most, in parts of the picture's width; 0 when it cannot be told."""
    degrees: float = 0.0
    """How far it turned."""

    @property
    def sentence(self) -> Said:
        """For players; empty unless it was moved."""
        if self.moved is not Moved.MOVED:
            return Said.joined()
        return Said("The camera or the table was moved since it was calibrated: calibrate again.")


def reference(image: Image | Grey) -> Grey:
    """The small grey picture that is kept with a profile."""
    return np.asarray(shrunk(grey_of(image), WIDTH), np.uint8)


def compare(kept: Grey, image: Image | Grey) -> Comparison:
    """Hold a picture, of any size and of the kept one's shape, against the kept one."""
    return Comparison(Moved.CANNOT_TELL)


class Watch:
    """Compares now and then, and says it only when it has seen it several times in a row."""

    def __init__(self, kept: Grey, times: int = 3) -> None:
        self._kept = kept
        self._times = times
        self._row = 0

    def see(self, image: Image | Grey) -> Comparison:
        """What is to be said now: `MOVED` only once `times` pictures in a row have moved alike."""
        found = compare(self._kept, image)
        self._row = self._row + 1 if found.moved is Moved.MOVED else 0
        return found if found.moved is not Moved.MOVED or self._row >= self._times else Comparison(Moved.CANNOT_TELL)
