"""A strong robot: infers the others' dice from their bids, weighs the value of each call, and sometimes bluffs.

The last duel has an equilibrium, which it plays.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Final

from companion.engine import Bid, Call, Calza, Dudo, Position
from companion.review.beliefs import Beliefs
from companion.review.worth import Stakes, WeighedCall, choices
from companion.robots.duel import equilibrium_call
from companion.robots.robot import PlayerView, robots_models

MISLEADS: Final = 0.15
"""How often it makes a bid that reveals little about its own dice, if that costs at most `WORTH_IT`."""
WORTH_IT: Final = 0.02
"""In probability of winning."""
CALL_MARGIN: Final = 0.04
"""How much better than silence a call out of turn must be."""


class Bayesian:
    """Makes the call with the best chance of winning."""

    def decide(self, view: PlayerView, luck: random.Random) -> Call:
        if (call := equilibrium_call(view, luck)) is not None:
            return call
        seat = view.position.players.index(view.player)
        found = _choices(view)
        best = max(found, key=lambda choice: choice.wins[seat])
        assert best.call is not None  # the player is on turn
        if not isinstance(best.call, Bid) or luck.random() >= MISLEADS:
            return best.call
        good = [each.call for each in found if each.wins[seat] >= best.wins[seat] - WORTH_IT]
        bids = [call for call in good if isinstance(call, Bid)]
        return min(bids, key=lambda bid: (view.matches(bid.face), luck.random()))

    def interject(self, view: PlayerView, luck: random.Random) -> Dudo | Calza | None:  # noqa: ARG002 - nothing to hide
        if view.position.bid is None:
            return None
        seat = view.position.players.index(view.player)
        silence, *calls = sorted(_choices(view), key=lambda choice: choice.call is not None)
        best = max(calls, key=lambda choice: choice.wins[seat], default=silence)
        if best.wins[seat] < silence.wins[seat] + CALL_MARGIN or isinstance(best.call, Bid):
            return None
        return best.call


def _choices(view: PlayerView) -> list[WeighedCall]:
    start = view.position.reopened()
    beliefs = _beliefs(start, view.bids)
    return choices(robots_models(), _stakes(start), view.position, beliefs, view.player, view.dice)


@lru_cache(maxsize=16)
def _stakes(start: Position) -> Stakes:
    return Stakes(start, robots_models().winning)


@lru_cache(maxsize=256)  # what everybody knows: it is the same for all robots
def _beliefs(start: Position, bids: tuple[Bid, ...]) -> Beliefs:
    if not bids:
        return Beliefs.start(start, robots_models().bids)
    return _beliefs(start, bids[:-1]).after(bids[-1])
