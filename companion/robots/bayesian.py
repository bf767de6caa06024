"""A strong player: weighs what the bids say about the others' dice, thinks one bid ahead, and misleads at times.

A round is worth -1 to whoever loses a die, and to each other player an even share of it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.engine import FACES, Bid, Call, Calza, Dudo
from companion.robots.chances import Numbers, tails
from companion.robots.hands import all_hands, at_least, bids_after, holding, likely_hands, match_chances
from companion.robots.robot import PlayerView

NEXT_KEENNESS: Final = 12.0
"""As `companion.robots.hands.KEENNESS`, for what the next player will do."""
PLAYED_ON: Final = -0.15
"""The worth of having to bid again, with two players."""
RISK: Final = 0.6
"""How much likelier than others one is to lose a die after the next player has bid."""
SHY: Final = 0.25
"""A bid that holds with a smaller chance is not weighed, if there is another."""
MISLEADS: Final = 0.15
"""How often it bids what says little about its own dice, if that costs no more than `WORTH_IT`."""
WORTH_IT: Final = 0.12
MOST_WEIGHED: Final = 10
"""The most bids that are weighed."""


@dataclass(frozen=True, slots=True)
class _Guess:
    """What a player thinks of the others' dice."""

    others: dict[str, Numbers]
    """The chances of each player's hands."""
    tails: Numbers
    """The chance that at least 0, 1, ... of all the others' dice match; a row for each face."""

    @classmethod
    def of(cls, view: PlayerView) -> _Guess:
        position = view.position
        others = {
            name: likely_hands(position, view.bids, name)
            for name, dice in position.dice.items()
            if dice and name != view.player
        }
        return cls(others, at_least(match_chances(position, others)))

    def chance(self, view: PlayerView, bid: Bid, more: int = 0) -> float:
        """The chance that at least `bid.count + more` dice match."""
        row = self.tails[FACES.index(bid.face)]
        return float(row[min(max(0, bid.count + more - view.matches(bid.face)), len(row) - 1)])


class Bayesian:
    """Weighs every call by what it is worth."""

    def decide(self, view: PlayerView, luck: random.Random) -> Call:
        guess = _Guess.of(view)
        weighed = _weighed_bids(view, guess)
        next_player = _next_player(view)
        bids = sorted(
            ((_worth_of_bid(view, guess, bid, next_player), bid) for bid in weighed), key=lambda each: -each[0]
        )
        best, bid = bids[0]
        calls = [(best, bid), *_worth_of_calls(view, guess)]
        worth, call = max(calls, key=lambda each: each[0])
        if not isinstance(call, Bid) or luck.random() >= MISLEADS:
            return call
        good = [each for value, each in bids if value >= worth - WORTH_IT]
        return min(good, key=lambda each: (view.matches(each.face), luck.random()))

    def interject(self, view: PlayerView, luck: random.Random) -> Dudo | Calza | None:  # noqa: ARG002 - nothing to hide
        if view.position.bid is None:
            return None
        calls = _worth_of_calls(view, _Guess.of(view))
        worth, call = max(calls, key=lambda each: each[0], default=(0.0, None))
        return call if worth > _calm(view) else None


def _share(view: PlayerView) -> float:
    """What another player's lost die is worth."""
    return 1 / (view.players - 1)


def _calm(view: PlayerView) -> float:
    """The worth of a round once the next player has bid, or of saying nothing."""
    risk = RISK / view.players
    return PLAYED_ON if view.players == 2 else _share(view) * (1 - risk) - risk


def _next_player(view: PlayerView) -> str:
    """Who is on turn after a bid by the player."""
    lowest = view.raises(0)[0]
    return view.position.apply(lowest).turn or ""


def _weighed_bids(view: PlayerView, guess: _Guess) -> list[Bid]:
    """The bids worth weighing: the likeliest to hold, and of each face the highest that may well hold."""
    bids = view.raises(view.unknown + len(view.dice))
    chances = {bid: guess.chance(view, bid) for bid in bids}
    good = [bid for bid in bids if chances[bid] >= SHY]
    if not good:
        return [max(bids, key=chances.__getitem__)]
    # With a high chance the next player raises, and with a low one doubts: those in between matter.
    return sorted(good, key=lambda bid: abs(chances[bid] - 0.65))[:MOST_WEIGHED]


def _worth_of_calls(view: PlayerView, guess: _Guess) -> list[tuple[float, Dudo | Calza]]:
    """What dudo and calza are worth, where they are legal."""
    position, bid = view.position, view.position.bid
    calls: list[tuple[float, Dudo | Calza]] = []
    if bid is None:
        return calls
    holds = guess.chance(view, bid)
    if position.check(dudo := Dudo(view.player)) is None:
        calls.append(((1 - holds) * _share(view) - holds, dudo))
    gains = position.dice[view.player] < position.ruleset.dice_each
    if gains and position.check(calza := Calza(view.player)) is None:
        exact = holds - guess.chance(view, bid, more=1)
        calls.append((exact - (1 - exact), calza))
    return calls


def _worth_of_bid(view: PlayerView, guess: _Guess, bid: Bid, next_player: str) -> float:
    """What a bid is worth: the next player doubts it or bids on, by their dice and the odds."""
    position = view.position
    dice = position.dice[next_player]
    hands, likely = all_hands(dice, wild=position.wild), guess.others[next_player]
    rest = {name: chances for name, chances in guess.others.items() if name != next_player}
    seen = at_least(match_chances(position, rest))
    mine = np.array([view.matches(face) for face in FACES], float)

    replies = bids_after(position, bid, also=bid)  # the last is the bid itself
    theirs = holding(replies, hands.matches, tails(sum(position.dice_by_seat) - dice, wild=position.wild))
    truly = holding(replies, hands.matches + mine, seen)
    keen = np.exp(NEXT_KEENNESS * np.hstack([theirs[:, :-1], 1 - theirs[:, -1:]]))
    replied = likely[:, None] * keen / keen.sum(axis=1, keepdims=True)

    doubted, holds = replied[:, -1], truly[:, -1]
    worth = float(doubted @ (holds * _share(view) - (1 - holds)))
    raised = replied[:, :-1].sum(axis=0)
    if view.players > 2:
        return worth + float(raised.sum()) * _calm(view)
    # With two players it is my turn again: doubt, or bid on.
    wrong = (replied[:, :-1] * (1 - truly[:, :-1])).sum(axis=0)
    return worth + float(np.maximum(2 * wrong - raised, PLAYED_ON * raised).sum())
