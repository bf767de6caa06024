"""The odds of a bid for somebody who sees no dice, as exact fractions.

Dice are fair and independent, and the players' bids are ignored. A die matches a bid with probability 1/3 if pacos are
wild, else (a bid on pacos, a palifico round) with 1/6, so the number of matching dice is binomial.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

from companion.messages.english import PACO


@dataclass(frozen=True, slots=True)
class Odds:
    """What to expect of a bid."""

    tally: Fraction
    """The expected number of matching dice."""
    holds: Fraction
    """The probability that at least as many dice match as were bid, so that dudo would be wrong."""
    exact: Fraction
    """The probability that exactly as many dice match as were bid, so that calza would be right."""


@lru_cache(maxsize=1024)
def odds(count: int, face: int, dice: int, *, wild: bool) -> Odds:
    """The odds of a bid of `count` times `face` with `dice` dice in play. A count of 0 or less always holds."""
    match = Fraction(1, 3) if wild and face != PACO else Fraction(1, 6)
    chances = [comb(dice, tally) * match**tally * (1 - match) ** (dice - tally) for tally in range(dice + 1)]
    return Odds(
        dice * match, sum(chances[max(0, count) :], Fraction(0)), chances[count] if 0 <= count <= dice else Fraction(0)
    )
