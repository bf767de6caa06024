"""A weak robot: bids near what it holds, and doubts late."""

from __future__ import annotations

import random
from typing import Final

from companion.engine import FACES, PACO, Bid, Call, Calza, Dudo
from companion.robots.robot import PlayerView

WHIM: Final = 0.08
"""How often it doubts for no reason."""
LATE_BY: Final = (0.5, 3.0)
"""How many dice a bid must exceed its expectation by before it doubts: the least and the most."""


class Beginner:
    """Prefers the face it holds most of, guesses the others' dice roughly, and never says calza."""

    def decide(self, view: PlayerView, luck: random.Random) -> Call:
        bid = view.position.bid
        if bid is not None and (luck.random() < WHIM or bid.count > _expected(view, bid.face) + luck.uniform(*LATE_BY)):
            return Dudo(view.player)
        for face in sorted(FACES, key=lambda face: (view.matches(face), luck.random()), reverse=True):
            legal = view.position.counts(face)
            if legal.lowest is None:
                continue
            # An opener bids what is in its own hand, or a little more.
            held = view.matches(face) + luck.randint(0, 1 + view.unknown // 6)
            count = held if bid is None and held in legal else legal.lowest
            # Whatever the others may have, it believes no count above the dice in play.
            most = min(_expected(view, face) + LATE_BY[1], len(view.dice) + view.unknown)
            if bid is None or count <= most:
                return Bid(view.player, count, face)
        return Dudo(view.player)  # there is a bid, because an opening always finds a face above

    def interject(self, view: PlayerView, luck: random.Random) -> Dudo | Calza | None:  # noqa: ARG002 - a beginner waits
        return None


def _expected(view: PlayerView, face: int) -> float:
    """The number of dice that it expects to match: a third of the others', or a sixth if pacos do not count."""
    share = 1 / 3 if view.position.wild and face != PACO else 1 / 6
    return view.matches(face) + share * view.unknown
