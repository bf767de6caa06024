"""What the bids of a round say about the dice that each player holds.

Each hand has its chance of being thrown; each bid multiplies it by the chance of that bid for its owner, under a
`BidModel` (Bayes). As the model sees nothing of a player's dice but their own, the players' hands stay independent,
and the chances of all hands together are exact: their matches are a convolution.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from companion.engine import Bid, Position
from companion.engine.bidding import other_sort_after
from companion.review.bid_model import BidModel, Bids, bids_after
from companion.review.chances import Numbers, at_least
from companion.review.hands import all_hands, match_chances


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """What somebody who sees no dice can know of everybody's. Immutable: `after` returns the next."""

    position: Position
    """The round's first position; once it was opened on pacos, with what that made of them."""
    model: BidModel
    hands: Mapping[str, Numbers] = field(repr=False)
    """Of each player with dice, the chance of each of `all_hands`."""
    previous: Bid | None = None
    other_sort: Bid | None = None
    """As `Position.other_sort`."""
    closeness: Mapping[str, float] = field(default_factory=dict)
    """How closely each player's bids follow their dice, as `BidModel.choice_chances` has it; 1 for who is not in it."""

    @classmethod
    def start(cls, position: Position, model: BidModel, closeness: Mapping[str, float] | None = None) -> Self:
        """Before the first bid of the round of `position`."""
        dice = {name: count for name, count in position.dice.items() if count}
        hands = {name: all_hands(n, wild=position.wild).thrown for name, n in dice.items()}
        return cls(position, model, hands, closeness=closeness or {})

    def after(self, bid: Bid, choices: tuple[Bids, Numbers] | None = None) -> Self:
        """After another bid of the round. `choices`: those of the bidder, if they are known."""
        bids, chances = choices or self.choices(bid.player, also=bid)
        likely = self.hands[bid.player] * chances[:, bids.place(bid)]
        hands = {**self.hands, bid.player: likely / likely.sum()}
        position = self.position
        if self.previous is None and position.tamed_by(bid):
            position = replace(position, tame=True)
        other = other_sort_after(position.ruleset, self.previous, self.other_sort, bid, wild=position.wild)
        return replace(self, position=position, hands=hands, previous=bid, other_sort=other)

    def choices(self, player: str, also: Bid | None = None, others: Numbers | None = None) -> tuple[Bids, Numbers]:
        """The bids that `player` may make now, and `also`; and for each of the player's hands the chance of each,
        then of dudo if there is a bid. `others`: the `matches` of everybody else, if they are known."""
        bids = bids_after(self.position, self.previous, also, self.other_sort)
        hands = all_hands(self.position.dice[player], wild=self.position.wild)
        tails = at_least(self.matches(without=(player,)) if others is None else others)
        closeness = self.closeness.get(player, 1.0)
        return bids, self.model.choice_chances(self.position, self.previous, hands, tails, bids, closeness)

    def matches(self, without: tuple[str, ...] = ()) -> Numbers:
        """The chance that 0, 1, ... dice of all players but these match a bid on each face; a row for each face."""
        dice, wild = self.position.dice, self.position.wild
        return match_chances(
            (all_hands(dice[name], wild=wild), chances) for name, chances in self.hands.items() if name not in without
        )
