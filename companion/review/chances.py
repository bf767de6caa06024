"""The chances of bids, as numbers: `companion.engine.odds` gives exact fractions, which are slow to reckon with."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from companion.engine import FACES, Bid, Position
from companion.engine.odds import odds

Numbers = npt.NDArray[np.float64]
Floats = npt.NDArray[np.floating]
Float = TypeVar("Float", bound=np.floating)


@lru_cache(maxsize=128)
def tails(dice: int, *, wild: bool) -> Numbers:
    """The chance that at least 0, 1, ... `dice` + 1 of so many unseen dice match a bid; a row for each face."""
    paco, plain = ([float(odds(count, face, dice, wild=wild).holds) for count in range(dice + 2)] for face in FACES[:2])
    return np.array([paco, *[plain] * (len(FACES) - 1)])


def at_least(exactly: Numbers) -> Numbers:
    """From the chances of exactly 0, 1, ... in each row those of at least 0, 1, ..., and 0 at the end."""
    sums = np.cumsum(exactly[:, ::-1], axis=1)[:, ::-1]
    return np.hstack([sums, np.zeros((len(sums), 1))])


def tail(row: Numbers, need: int) -> float:
    """The chance that at least `need` dice match, from a row of `tails`."""
    return min(1.0, float(row[min(max(0, need), len(row) - 1)]))  # sums may be a little more


def chance(position: Position, player: str, dice: Iterable[int], bid: Bid) -> float:
    """The chance that `bid` holds for `player`, who knows only their own `dice`."""
    unseen = sum(position.dice_by_seat) - position.dice[player]
    own = sum(bid.matches(face, wild=position.wild) for face in dice)
    return tail(tails(unseen, wild=position.wild)[FACES.index(bid.face)], bid.count - own)


def softmax(worth: npt.NDArray[Float]) -> npt.NDArray[Float]:
    """The chance of each choice, by what it is worth in natural logarithms; along the last axis the sum is 1."""
    keen = np.exp(worth - worth.max(axis=-1, keepdims=True))
    return np.asarray(keen / keen.sum(axis=-1, keepdims=True))
