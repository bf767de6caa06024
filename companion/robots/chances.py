"""The chances of bids, as numbers: `companion.engine.odds` gives exact fractions, which are slow to reckon with."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.engine import FACES
from companion.engine.odds import odds
from companion.robots.robot import PlayerView

Numbers = npt.NDArray[np.float64]


@lru_cache(maxsize=128)
def tails(dice: int, *, wild: bool) -> Numbers:
    """The chance that at least 0, 1, ... `dice` + 1 of so many unseen dice match a bid; a row for each face."""
    paco, plain = ([float(odds(count, face, dice, wild=wild).holds) for count in range(dice + 2)] for face in FACES[:2])
    return np.array([paco, *[plain] * (len(FACES) - 1)])


def chance(view: PlayerView, count: int, face: int) -> float:
    """The chance that a bid holds for somebody who knows only their own dice."""
    chances = tails(view.unknown, wild=view.position.wild)[FACES.index(face)]
    return float(chances[min(max(0, count - view.matches(face)), len(chances) - 1)])


def chance_exact(view: PlayerView, count: int, face: int) -> float:
    """The chance that a bid is exact, as in `chance`."""
    return chance(view, count, face) - chance(view, count + 1, face)
