"""How likely a bid is, for training and for the curious. Off at the table unless the players ask for it.

Every die is fair and independent of the others, and what other players have bid says nothing of their dice: the dice
one cannot see match a bid with probability 1/3 where pacos count as well, with 1/6 where they do not (a bid on pacos,
a palifico round), so their number is binomial. Results are exact fractions; `float()` gives a number to show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from companion.engine.events import Bid
from companion.engine.position import Position
from companion.messages.english import PACO


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely one bid is."""

    bid: Bid
    holds: Fraction
    """Probability that at least as many dice match as were bid: that dudo would be wrong."""
    exact: Fraction
    """Probability that exactly as many match: that calza would be right."""


def odds(bid: Bid, dice: int, own: Sequence[int] = (), *, wild: bool = True) -> Odds:
    """The odds of `bid` with `dice` in play, `own` among them: the faces one can see.

    Raises `ValueError` when `own` holds more dice than are in play, or a face that no die has.
    """
    unseen = dice - len(own)
    if unseen < 0:
        raise ValueError(f"{len(own)} dice of one's own are more than the {dice} in play")
    if not all(PACO <= face <= 6 for face in own):
        raise ValueError("a die shows a face from 1 to 6")
    counting = {bid.face, PACO} if wild else {bid.face}
    needed = bid.count - sum(face in counting for face in own)
    chance = Fraction(len(counting), 6)
    exact = _binomial(unseen, needed, chance)
    holds = sum((_binomial(unseen, count, chance) for count in range(max(needed, 0), unseen + 1)), Fraction(0))
    return Odds(bid, holds, exact)


def best_raises(position: Position, own: Sequence[int] = ()) -> tuple[Odds, ...]:
    """The player on turn's safest bid on each face that may be bid, likeliest to hold first, then by face.

    The lowest count is the safest on every face. `own` are the dice under that player's cup, if they are to count.
    """
    if position.turn is None:
        return ()
    safest = [
        odds(Bid(position.turn, count, face), sum(position.left), own, wild=position.wild)
        for face, count in position.lowest_bids().items()
        if count is not None
    ]
    return tuple(sorted(safest, key=lambda each: (-each.holds, each.bid.face)))


def _binomial(dice: int, count: int, chance: Fraction) -> Fraction:
    """Probability that exactly `count` of `dice` independent dice match, each with probability `chance`."""
    if not 0 <= count <= dice:
        return Fraction(0)
    return comb(dice, count) * chance**count * (1 - chance) ** (dice - count)
