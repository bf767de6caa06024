"""Infers from the bids of a round which dice each player holds.

Each hand has its probability of being thrown; each bid multiplies it by the probability of that bid for its owner,
under a `BidModel` (Bayes). Because the model uses nothing but a player's own dice, the players' hands stay independent,
and the probabilities of all hands together are exact: their matches are a convolution.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Self

import numpy as np

from companion.engine import Bid, Position
from companion.engine.bidding import other_sort_after
from companion.review.bid_model import USUAL, BidModel, Bids, Counting, Style, bids_after
from companion.review.bid_probabilities import Numbers, at_least
from companion.review.hands import Hands, all_hands, match_chances

CERTAIN: Final[Mapping[Style, float]] = MappingProxyType({USUAL: 1.0})


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """What an observer who sees no dice can know about everybody's. Immutable: `after` returns the next."""

    position: Position
    """The round's first position; if it was opened on pacos, with the effect of that."""
    model: BidModel
    by_style: Mapping[str, Numbers] = field(repr=False)
    """Player with dice -> the probability of each of `all_hands` for each style of bidding: styles x hands."""
    matches_by_player: Mapping[str, Numbers] = field(repr=False)
    """Player with dice -> for each face, the probability that 0, 1, ... of their dice match a bid on it."""
    heard: tuple[Bid, ...] = ()
    """The round's bids so far."""
    other_sort: Bid | None = None
    """See `Position.other_sort`."""
    styles: Mapping[str, Mapping[Style, float]] = field(default_factory=dict)
    """Player -> the probability of each style; missing players certainly have `USUAL`."""
    _ways: dict[tuple[str, Bid | None], tuple[Bids, Numbers]] = field(default_factory=dict, init=False, repr=False)
    """Cached results of `ways`."""

    @classmethod
    def start(
        cls, position: Position, model: BidModel, styles: Mapping[str, Mapping[Style, float]] | None = None
    ) -> Self:
        """The beliefs before the first bid of the round of `position`."""
        styles = styles or {}
        hands = {name: all_hands(n, wild=position.wild) for name, n in position.dice.items() if n}
        rows = {name: np.tile(each.thrown, (len(styles.get(name, CERTAIN)), 1)) for name, each in hands.items()}
        matches = {name: each.thrown @ each.counted for name, each in hands.items()}
        return cls(position, model, rows, matches, styles=styles)

    @property
    def previous(self) -> Bid | None:
        """The standing bid."""
        return self.heard[-1] if self.heard else None

    def hands(self, player: str) -> Numbers:
        """The probability of each of `all_hands`."""
        return self._mean(player, self.by_style[player])

    def after(self, bid: Bid, ways: tuple[Bids, Numbers] | None = None) -> Self:
        """The beliefs after another bid of the round. `ways`: those of the bidder, if known."""
        bids, chances = ways or self.ways(bid.player, also=bid)
        hands = self._all_hands(bid.player)
        others = {each.player for each in self.heard if each.face == bid.face} - {bid.player}
        made = self.model.chances_in_herd(chances[:, :, bids.place(bid)], hands, len(others))
        likely = self.by_style[bid.player] * made
        rows = {**self.by_style, bid.player: likely / likely.sum(axis=1, keepdims=True)}
        changed, position = [bid.player], self.position
        if self.previous is None and position.tamed_by(bid):
            changed, position = list(rows), replace(position, tame=True)
        other = other_sort_after(position.ruleset, self.previous, self.other_sort, bid, wild=position.wild)
        matches = dict(self.matches_by_player)
        for name in changed:
            counted = all_hands(position.dice[name], wild=position.wild).counted
            matches[name] = self._mean(name, rows[name]) @ counted
        heard = (*self.heard, bid)
        return replace(self, position=position, by_style=rows, matches_by_player=matches, heard=heard, other_sort=other)

    def choices(self, player: str, also: Bid | None = None, others: Numbers | None = None) -> tuple[Bids, Numbers]:
        """The bids that `player` may make now, and `also`; and the probability of each for each of the player's hands,
        then of dudo if there is a bid, in the usual style. `others`: everybody else's `matches`, if known."""
        bids, worths = self._worths(player, also, others)
        return bids, self._chances(player, worths)

    def ways(self, player: str, also: Bid | None = None) -> tuple[Bids, Numbers]:
        """Like `choices`, for each style that the player may have: styles x hands x choices."""
        if (player, also) not in self._ways:
            bids, usual = self._worths(player, also, None)
            hands = self._all_hands(player)
            worths = [
                style.worths(self.position, self.previous, hands, bids)
                if isinstance(style, Counting)
                else style.worths(usual, hands, opening=self.previous is None)
                for style in self._styles(player)
            ]
            self._ways[player, also] = bids, self._chances(player, np.stack(worths))
        return self._ways[player, also]

    def matches(self, without: tuple[str, ...] = ()) -> Numbers:
        """For each face, the probability that 0, 1, ... dice of all players except these match a bid on it."""
        return match_chances(rows for name, rows in self.matches_by_player.items() if name not in without)

    def _styles(self, player: str) -> Mapping[Style, float]:
        return self.styles.get(player, CERTAIN)

    def _mean(self, player: str, by_style: Numbers) -> Numbers:
        return np.asarray(np.array(list(self._styles(player).values())) @ by_style)

    def _all_hands(self, player: str) -> Hands:
        return all_hands(self.position.dice[player], wild=self.position.wild)

    def _worths(self, player: str, also: Bid | None, others: Numbers | None) -> tuple[Bids, Numbers]:
        bids = bids_after(self.position, self.previous, also, self.other_sort)
        hands = self._all_hands(player)
        tails = at_least(self.matches(without=(player,)) if others is None else others)
        return bids, self.model.worths(self.position, self.previous, hands, tails, bids)

    def _chances(self, player: str, worths: Numbers) -> Numbers:
        return self.model.choice_chances(worths, self._all_hands(player), opening=self.previous is None)
