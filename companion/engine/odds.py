"""The odds of a bid, for training. Off at the table unless the players ask for them.

Dice are fair and independent, and the other players' bids are ignored. An unseen die matches a bid with probability
1/3 if pacos are wild, else (a bid on pacos, a palifico round) with 1/6, so the number of matching dice is binomial.
Results are exact fractions.
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
    bid: Bid
    holds: Fraction
    """The probability that at least `bid.count` dice match, so that dudo would be wrong."""
    exact: Fraction
    """The probability that exactly `bid.count` dice match, so that calza would be right."""


def odds(bid: Bid, dice: int, own: Sequence[int] = (), *, wild: bool = True) -> Odds:
    """The odds of `bid` with `dice` dice in play, of which the player can see those with the faces `own`.

    Raises `ValueError` if `own` has more than `dice` entries or a face outside 1 to 6.
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
    """The safest legal bid on each face (the lowest count) for the player on turn, likeliest first, then by face.

    `own` are the faces under that player's cup, if known.
    """
    if position.turn is None:
        return ()
    safest = [
        odds(Bid(position.turn, count, face), sum(position.dice_by_seat), own, wild=position.wild)
        for face, count in position.lowest_bids().items()
        if count is not None
    ]
    return tuple(sorted(safest, key=lambda each: (-each.holds, each.bid.face)))


def _binomial(dice: int, count: int, chance: Fraction) -> Fraction:
    """The probability that exactly `count` of `dice` dice match, each with probability `chance`."""
    if not 0 <= count <= dice:
        return Fraction(0)
    return comb(dice, count) * chance**count * (1 - chance) ** (dice - count)
