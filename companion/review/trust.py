"""Estimates how each player bids, by comparing their bids with the dice they revealed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import numpy as np

from companion.engine import Bid
from companion.review.beliefs import Beliefs
from companion.review.bid_model import BidModel, Closeness, Counting, Style
from companion.review.bid_probabilities import Numbers
from companion.review.hands import all_hands, matches_of
from companion.review.rounds import PlayedRound

STYLES: Final[Mapping[Style, float]] = MappingProxyType(
    {
        Closeness(0, 0): 0.15,
        Closeness(0, 1): 0.15,
        Closeness(0.5, 1): 0.2,
        Closeness(1.5, 1): 0.15,
        Counting(6, 2): 0.2,
        Counting(2, 0): 0.15,
    }
)
"""Styles of bidding, with the prior probability of each: blindly; blindly except for doubts; less and more closely than
robots, whose mean the model knows; strictly by the expected count, on held faces; loosely, on any face."""
OTHERS: Final = 0.5
"""The weight of what another player of the game has revealed, relative to the player's own."""


class Trust:
    """What a game's reveals say about how each player bids (Bayes)."""

    def __init__(self, rounds: Sequence[PlayedRound], model: BidModel) -> None:
        self._gained: list[dict[str, Numbers]] = []
        """For each round, the logarithm of how much likelier each style makes the revealed hands."""
        for played in rounds:
            beliefs = Beliefs.start(played.seen, model, self.after(len(self._gained), played.dice))
            for decision in played.decisions:
                if isinstance(decision.call, Bid):
                    beliefs = beliefs.after(decision.call)
            self._gained.append(_gained(beliefs, played.dice))

    def after(self, rounds: int, players: Iterable[str]) -> dict[str, Mapping[Style, float]]:
        """The probability of each style for each of `players`, from the first `rounds` reveals."""
        return _styles(self._gained[:rounds], players)

    def without(self, place: int, players: Iterable[str]) -> dict[str, Mapping[Style, float]]:
        """The same from all rounds except one, which must not be judged by its own reveal."""
        return _styles(self._gained[:place] + self._gained[place + 1 :], players)


def _styles(gained: Sequence[Mapping[str, Numbers]], players: Iterable[str]) -> dict[str, Mapping[Style, float]]:
    none = np.zeros(len(STYLES))
    everybody = sum((shown for each in gained for shown in each.values()), none)
    found: dict[str, Mapping[Style, float]] = {}
    for player in players:
        own = sum((each[player] for each in gained if player in each), none)
        likely = np.log(list(STYLES.values())) + own + OTHERS * (everybody - own)
        keen = np.exp(likely - likely.max())
        found[player] = dict(zip(STYLES, map(float, keen / keen.sum()), strict=True))
    return found


def _gained(beliefs: Beliefs, shown: Mapping[str, Sequence[int]]) -> dict[str, Numbers]:
    """`beliefs` are those at the end of a round's bids; then each player has `shown` their dice."""
    wild = beliefs.position.wild
    found = {}
    for player, dice in shown.items():
        if len(dice) != beliefs.position.dice[player]:
            continue  # nobody knew how many
        hands = all_hands(len(dice), wild=wild)
        # Hands with the same matches are equivalent.
        same = (hands.matches == matches_of(dice, wild=wild)).all(axis=1)
        found[player] = np.log(beliefs.by_style[player][:, same].sum(axis=1) / hands.thrown[same].sum())
    return found
