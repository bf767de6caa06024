"""A player who knows the odds: the exact chance of every bid, from their own dice alone."""

from __future__ import annotations

import random
from typing import Final

from companion.engine import Bid, Call, Calza, Dudo
from companion.robots.robot import PlayerView

BOLD: Final = (0.5, 0.8)
"""The chance at which it opens is drawn from this range: it bids the most dice that hold with it."""
BELIEVED: Final = 0.5
"""How often it reckons that a wrong bid is not doubted."""
SURE_DUDO, SURE_CALZA = 0.9, 0.55
"""The chances at which it calls although it is not on turn."""


class Binomial:
    """Compares the chances of every call, and ignores what the others' bids say about their dice."""

    def decide(self, view: PlayerView, luck: random.Random) -> Call:
        bids = view.raises(sum(view.position.dice_by_seat))
        chances = {bid: view.chance(bid.count, bid.face) for bid in bids}
        standing = view.position.bid
        if standing is None:
            return _opening(chances, luck)
        calls: list[tuple[float, Call]] = []
        if bids:
            best = max(bids, key=lambda bid: (chances[bid], luck.random()))
            calls.append((chances[best] + (1 - chances[best]) * BELIEVED, best))
        calls.append((1 - view.chance(standing.count, standing.face), Dudo(view.player)))
        if view.position.check(Calza(view.player)) is None and _gains(view):
            calls.append((_exact(view, standing), Calza(view.player)))
        return max(calls, key=lambda call: call[0])[1]

    def interject(self, view: PlayerView, luck: random.Random) -> Dudo | Calza | None:  # noqa: ARG002 - the odds are enough
        bid = view.position.bid
        if bid is None:
            return None
        dudo, calza = Dudo(view.player), Calza(view.player)
        if view.position.check(dudo) is None and 1 - view.chance(bid.count, bid.face) >= SURE_DUDO:
            return dudo
        sure = _exact(view, bid) >= SURE_CALZA
        return calza if sure and _gains(view) and view.position.check(calza) is None else None


def _opening(chances: dict[Bid, float], luck: random.Random) -> Bid:
    """The bid of most dice that still holds with a chance drawn from `BOLD`; the safest if none does."""
    bold = luck.uniform(*BOLD)
    held = [bid for bid, holds in chances.items() if holds >= bold]
    if not held:
        return max(chances, key=lambda bid: (chances[bid], luck.random()))
    return max(held, key=lambda bid: (bid.count, chances[bid], luck.random()))


def _gains(view: PlayerView) -> bool:
    """Whether a right calza brings a die."""
    return view.position.dice[view.player] < view.position.ruleset.dice_each


def _exact(view: PlayerView, bid: Bid) -> float:
    """The chance that `bid` is exact."""
    return view.chance(bid.count, bid.face) - view.chance(bid.count + 1, bid.face)
