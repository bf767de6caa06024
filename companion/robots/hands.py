"""What a player's bids say about the dice they hold.

Each hand has its chance of being thrown. Each bid makes the hands likelier from which it looks good (Bayes): the
bidder is taken for somebody who knows the odds, and errs at times.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.engine import FACES, Bid, Position
from companion.engine.bidding import legal_counts
from companion.robots.chances import Numbers, tails

KEENNESS: Final = 9.0
"""The logarithm of how much likelier a bid that certainly holds is than one that cannot."""
ANY_BID: Final = 0.12
"""How often a bid says nothing about the hand: it is a slip, or meant to mislead."""
BIDS_ABOVE: Final = 2
"""How many bids above the lowest on each face a bidder is taken to weigh."""


class Hands(NamedTuple):
    """All hands of a number of dice. The arrays have a row for each hand."""

    thrown: Numbers
    """The chance of each hand."""
    matches: Numbers
    """How many of its dice match a bid on each face; a column for each face."""


class Bids(NamedTuple):
    """Several bids, as arrays."""

    counts: Numbers
    columns: npt.NDArray[np.intp]
    """Their faces, from 0 for the paco."""


@lru_cache(maxsize=32)
def all_hands(dice: int, *, wild: bool) -> Hands:
    """All hands of `dice` dice."""
    throws = [[hand.count(face) for face in FACES] for hand in combinations_with_replacement(FACES, dice)]
    ways = [factorial(dice) / prod(map(factorial, hand)) for hand in throws]
    matches = np.array(throws, dtype=np.float64)
    if wild:
        matches[:, 1:] += matches[:, :1]
    return Hands(np.array(ways) / 6**dice, matches)


def bids_after(position: Position, previous: Bid | None, also: Bid | None = None) -> Bids:
    """The bids that may follow `previous` in this round, lowest first on each face, and `also`."""
    dice = sum(position.dice_by_seat)
    palifico = position.palifico is not None
    above = dice // 2 if previous is None else BIDS_ABOVE
    found = []
    for face in FACES:
        legal = legal_counts(position.ruleset, previous, face, palifico=palifico, locked=True)
        if legal.lowest is not None:
            last = min(legal.lowest + above, legal.highest or legal.lowest + above)
            found += [(count, face) for count in range(legal.lowest, last + 1)]
    if also is not None and (also.count, also.face) not in found:
        found.append((also.count, also.face))
    return Bids(np.array([count for count, _ in found], float), np.array([FACES.index(face) for _, face in found]))


def holding(bids: Bids, matches: Numbers, chances: Numbers) -> Numbers:
    """The chance that each bid holds for the owner of each hand; a row for each hand.

    `chances` has a row for each face: the chance that at least 0, 1, ... of the dice the owner does not see match.
    """
    need = bids.counts - matches[:, bids.columns]
    return chances[bids.columns, np.clip(need, 0, chances.shape[1] - 1).astype(np.intp)]


def likely_hands(position: Position, bids: tuple[Bid, ...], player: str) -> Numbers:
    """The chance of each of `all_hands` of `player` after the round's `bids`; their sum is 1."""
    dice = position.dice[player]
    hands = all_hands(dice, wild=position.wild)
    chances = tails(sum(position.dice_by_seat) - dice, wild=position.wild)
    likely = hands.thrown.copy()
    previous = None
    for bid in bids:
        if bid.player == player:
            choice = bids_after(position, previous, also=bid)
            keen = np.exp(KEENNESS * holding(choice, hands.matches, chances))
            made = (choice.counts == bid.count) & (choice.columns == FACES.index(bid.face))
            likely *= (1 - ANY_BID) * keen[:, made].sum(axis=1) / keen.sum(axis=1) + ANY_BID / len(choice.counts)
        previous = bid
    return np.asarray(likely / likely.sum(), np.float64)


def match_chances(position: Position, likely: dict[str, Numbers]) -> Numbers:
    """The chance that 0, 1, ... dice of several players match a bid on each face; a row for each face.

    `likely` has the chance of each of a player's hands.
    """
    rows = [np.ones(1) for _ in FACES]
    for player, chances in likely.items():
        dice = position.dice[player]
        matches = all_hands(dice, wild=position.wild).matches.astype(np.intp)
        for column in range(len(FACES)):
            one = np.bincount(matches[:, column], chances, minlength=dice + 1)
            rows[column] = np.convolve(rows[column], one)
    return np.array(rows)


def at_least(exactly: Numbers) -> Numbers:
    """From the chances of exactly 0, 1, ... in each row those of at least 0, 1, ..., and 0 at the end."""
    sums = np.cumsum(exactly[:, ::-1], axis=1)[:, ::-1]
    return np.hstack([sums, np.zeros((len(sums), 1))])
