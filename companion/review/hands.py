"""The possible hands of a player: all multisets of a number of dice, with their probabilities."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.engine import FACES
from companion.review.bid_probabilities import Numbers


class Hands(NamedTuple):
    """All hands of a number of dice. The arrays have a row for each hand."""

    thrown: Numbers
    """The probability of each hand."""
    matches: npt.NDArray[np.intp]
    """The number of its dice that match a bid on each face: hands x faces."""
    counted: Numbers
    """1.0 where a hand has this many matches: faces x hands x numbers from 0."""


@lru_cache(maxsize=32)
def all_hands(dice: int, *, wild: bool) -> Hands:
    """All hands of `dice` dice: 252 of five."""
    throws = [[hand.count(face) for face in FACES] for hand in combinations_with_replacement(FACES, dice)]
    ways = [factorial(dice) / prod(map(factorial, hand)) for hand in throws]
    matches = _matches(throws, wild=wild)
    counted = np.stack([np.eye(dice + 1)[matches[:, column]] for column in range(len(FACES))])
    return Hands(np.array(ways) / 6**dice, matches, counted)


def matches_of(dice: Iterable[int], *, wild: bool) -> npt.NDArray[np.intp]:
    """The number of these dice that match a bid on each face."""
    thrown = list(dice)
    return np.asarray(_matches([[thrown.count(face) for face in FACES]], wild=wild)[0])


def _matches(throws: list[list[int]], *, wild: bool) -> npt.NDArray[np.intp]:
    matches = np.array(throws, dtype=np.intp)
    if wild:
        matches[:, 1:] += matches[:, :1]
    return matches


def match_chances(rows_by_player: Iterable[Numbers]) -> Numbers:
    """For each face, the probability that 0, 1, ... dice of several players match a bid on it.

    `rows_by_player`: the same for each of the players.
    """
    rows, *others = [*rows_by_player] or [np.ones((len(FACES), 1))]
    for ones in others:
        sums = np.zeros((len(FACES), rows.shape[1] + ones.shape[1] - 1))
        for tally in range(ones.shape[1]):
            sums[:, tally : tally + rows.shape[1]] += ones[:, tally, None] * rows
        rows = sums
    return rows
