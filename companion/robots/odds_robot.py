"""A robot that knows the odds: the probability of every bid, from its own dice and the faces others have bid on."""

from __future__ import annotations

import random
from typing import Final

from companion.engine import FACES, PACO, Bid, Call, Calza, Dudo
from companion.review.bid_probabilities import tail, tails
from companion.robots.robot import PlayerView

BOLD: Final = (0.5, 0.8)
"""It opens with the most dice whose probability is at least one drawn from this range."""
BELIEVED: Final = 0.5
"""How often it expects a wrong bid not to be doubted."""
TRUST: Final = 0.5
"""How often it assumes that everybody who bid on a face holds a die of it; otherwise it ignores their bids."""
SURE_DUDO, SURE_CALZA = 0.9, 0.55
"""The probabilities from which it calls out of turn."""


class OddsRobot:
    """Compares the probabilities of all calls."""

    def decide(self, view: PlayerView, luck: random.Random) -> Call:
        bids = view.raises(sum(view.position.dice_by_seat))
        chances = {bid: _chance(view, bid.count, bid.face) for bid in bids}
        standing = view.position.bid
        if standing is None:
            return _opening(chances, luck)
        # The first of equals wins: a certain dudo, rather than an equally certain raise.
        calls: list[tuple[float, Call]] = [(1 - _chance(view, standing.count, standing.face), Dudo(view.player))]
        if view.position.check(Calza(view.player)) is None and _gains(view):
            calls.append((_exact(view, standing), Calza(view.player)))
        if bids:
            best = max(bids, key=lambda bid: (chances[bid], luck.random()))
            believed = BELIEVED if chances[best] else 0
            calls.append((chances[best] + (1 - chances[best]) * believed, best))
        return max(calls, key=lambda call: call[0])[1]

    def interject(self, view: PlayerView, luck: random.Random) -> Dudo | Calza | None:  # noqa: ARG002 - the odds are enough
        bid = view.position.bid
        if bid is None:
            return None
        dudo, calza = Dudo(view.player), Calza(view.player)
        if view.position.check(dudo) is None and 1 - _chance(view, bid.count, bid.face) >= SURE_DUDO:
            return dudo
        sure = _exact(view, bid) >= SURE_CALZA
        return calza if sure and _gains(view) and view.position.check(calza) is None else None


def _opening(chances: dict[Bid, float], luck: random.Random) -> Bid:
    """The bid of most dice whose probability is at least one drawn from `BOLD`; the safest if there is none."""
    bold = luck.uniform(*BOLD)
    held = [bid for bid, holds in chances.items() if holds >= bold]
    if not held:
        return max(chances, key=lambda bid: (chances[bid], luck.random()))
    return max(held, key=lambda bid: (bid.count, chances[bid], luck.random()))


def _gains(view: PlayerView) -> bool:
    """True if a correct calza gains a die."""
    return view.position.dice[view.player] < view.position.ruleset.dice_each


def _chance(view: PlayerView, count: int, face: int) -> float:
    """The probability that a bid holds, from the robot's own dice and the faces that others have bid on."""
    faces = {face, PACO} if view.position.wild else {face}
    held = len({bid.player for bid in view.bids if bid.face in faces} - {view.player})
    unseen = tails(view.unknown - held, wild=view.position.wild)[FACES.index(face)]
    trusting = tail(unseen, count - view.matches(face) - held)
    return TRUST * trusting + (1 - TRUST) * view.chance(count, face)


def _exact(view: PlayerView, bid: Bid) -> float:
    """The probability that `bid` is exact."""
    return _chance(view, bid.count, bid.face) - _chance(view, bid.count + 1, bid.face)
