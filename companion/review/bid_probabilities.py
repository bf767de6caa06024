"""Probabilities of bids as floats: `companion.engine.odds` gives exact fractions, which are slow to compute with."""

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
    """For each face, P(at least k of `dice` match), k = 0 to dice + 1."""
    paco, plain = ([float(odds(count, face, dice, wild=wild).holds) for count in range(dice + 2)] for face in FACES[:2])
    return np.array([paco, *[plain] * (len(FACES) - 1)])


def at_least(exactly: Numbers) -> Numbers:
    """Convert P(exactly k) in each row to P(at least k), followed by a 0."""
    sums = np.cumsum(exactly[:, ::-1], axis=1)[:, ::-1]
    return np.hstack([sums, np.zeros((len(sums), 1))])


def tail(row: Numbers, need: int) -> float:
    """The probability that at least `need` dice match, from a row of `tails`."""
    return min(1.0, float(row[min(max(0, need), len(row) - 1)]))  # sums may slightly exceed 1


def chance(position: Position, player: str, dice: Iterable[int], bid: Bid) -> float:
    """The probability that `bid` holds for `player`, who knows only their own `dice`."""
    unseen = sum(position.dice_by_seat) - position.dice[player]
    own = sum(bid.matches(face, wild=position.wild) for face in dice)
    return tail(tails(unseen, wild=position.wild)[FACES.index(bid.face)], bid.count - own)


def softmax(worth: npt.NDArray[Float]) -> npt.NDArray[Float]:
    """The probability of each choice from its value in natural logarithms; the sum along the last axis is 1."""
    keen = np.exp(worth - worth.max(axis=-1, keepdims=True))
    return np.asarray(keen / keen.sum(axis=-1, keepdims=True))
