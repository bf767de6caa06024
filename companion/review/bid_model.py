"""Models how people bid: the probability of each bid for a player with a given hand.

A multinomial logit (McFadden 1974): a player chooses among dudo and the legal bids near the lowest, and each choice is
the more probable the better it looks from the hand. `companion.evaluation.review_fit` fits the weights to games in
which every hand was revealed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.engine import FACES, Bid, Position
from companion.engine.bidding import legal_counts
from companion.engine.odds import odds
from companion.review.bid_probabilities import Numbers, softmax, tails
from companion.review.hands import Hands

ABOVE: Final = 3
"""The number of counts above the lowest that a bidder considers on each face."""
ABOVE_OPENING: Final = 12
"""The same for an opening, at most; otherwise half of the dice in play."""
FAR: Final = 4.0
"""Distance in dice from the expected count beyond which a bid looks no worse to a counting bidder: none is
impossible."""
CAUTION: Final = 0.3
"""How much less a bid one die below the expected count is worth to a counting bidder."""
DOUBTED: Final = 0.25
"""How many dice above the expected count a bid must be for a counting bidder to doubt as readily as to bid."""
OPENING_STRICT: Final = 3
"""How many times as strict counting bidders are when they open, because no bid forces them up."""
FEATURES: Final = (
    "the chance that the bid holds, from the own dice alone",
    "the same, given the round's bids",
    "the square of the chance that it does not hold, from the own dice alone",
    "the same, given the round's bids",
    "the share of the own dice that match",
    "how far the count is above the lowest",
    "it is on pacos",
    "it keeps the face",
    "it is dudo",
    "dudo: the chance that it is right, from the own dice alone",
    "dudo: the same, given the round's bids",
)
"""The features of a bid that have weights."""


class Bids(NamedTuple):
    """The bids that a player considers, as arrays of one length."""

    counts: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]
    """Their faces, from 0 for the paco."""
    above: Numbers
    """How far each count is above the lowest on its face."""

    def place(self, bid: Bid) -> int:
        """The index of `bid`. Raises `IndexError`."""
        return int(np.flatnonzero((self.counts == bid.count) & (self.columns == FACES.index(bid.face)))[0])


def bids_after(
    position: Position, previous: Bid | None, also: Bid | None = None, other_sort: Bid | None = None
) -> Bids:
    """The bids that may follow `previous` in this round, lowest first for each face, and `also` if it is not among
    them.

    `other_sort`: see `companion.engine.bidding.legal_counts`.
    """
    above = min(max(2, sum(position.dice_by_seat) // 2), ABOVE_OPENING) if previous is None else ABOVE
    palifico = position.palifico is not None
    found = []
    for column, face in enumerate(FACES):
        rules = position.ruleset
        legal = legal_counts(
            rules, previous, face, wild=position.wild, palifico=palifico, locked=True, other_sort=other_sort
        )
        if not rules.bids_above_dice:
            legal = legal.up_to(sum(position.dice_by_seat))
        if legal.lowest is not None:
            last = min(legal.lowest + above, legal.highest or legal.lowest + above)
            found += [(count, column, count - legal.lowest) for count in range(legal.lowest, last + 1)]
    if also is not None and (also.count, FACES.index(also.face)) not in {each[:2] for each in found}:
        found.append((also.count, FACES.index(also.face), ABOVE + 1))
    table = np.array(found, dtype=np.intp).reshape(-1, 3)
    return Bids(table[:, 0], table[:, 1], table[:, 2].astype(np.float64))


def holding(bids: Bids, matches: npt.NDArray[np.intp], chances: Numbers) -> Numbers:
    """The probability that each bid holds for the owner of each hand: hands x bids.

    `chances`: for each face, the probability that at least 0, 1, ... of the dice that the owner does not see match; or
    any other quantity by the number of dice needed.
    """
    need = bids.counts - matches[:, bids.columns]
    places = np.minimum(np.maximum(need, 0), chances.shape[1] - 1)  # several times as fast as np.clip
    return np.asarray(chances[bids.columns, places])


def worths(
    position: Position,
    previous: Bid | None,
    dice: int,
    matches: npt.NDArray[np.intp],
    others: Numbers,
    bids: Bids,
    weights: Numbers,
) -> Numbers:
    """How good each choice looks to the owner of each hand of `dice` dice: hands x choices.

    The choices are `bids`, then dudo if there is a bid. `others`: as `chances` in `holding`, given the round's bids.
    `weights`: one for each of `FEATURES`, or a row of several for each, which become the last axis of the result.
    """
    times = np.multiply.outer
    alone = tails(sum(position.dice_by_seat) - dice, wild=position.wild)
    # Add the contributions of both probabilities first, so that one lookup is enough.
    table = times(alone, weights[0]) + times(others, weights[1])
    table += times((1 - alone) ** 2, weights[2]) + times((1 - others) ** 2, weights[3])
    found = holding(bids, matches, table) + times(matches[:, bids.columns] / dice, weights[4])
    found += times(np.minimum(bids.above, ABOVE + 1) / 2, weights[5]) + times(bids.columns == 0, weights[6])
    if previous is None:
        return np.asarray(found)
    column = FACES.index(previous.face)
    found += times(bids.columns == column, weights[7])
    last = Bids(np.array([previous.count]), np.array([column]), np.zeros(1))
    doubt = weights[8] + times(1 - alone, weights[9]) + times(1 - others, weights[10])
    return np.concatenate([found, holding(last, matches, doubt)], axis=1)


class Closeness(NamedTuple):
    """How closely a player's choices follow the dice, relative to the players of the fit; 0 means not at all."""

    bids: float
    doubts: float

    def worths(self, usual: Numbers, hands: Hands, *, opening: bool) -> Numbers:
        """Like `BidModel.worths`, from its result."""
        if self == USUAL:
            return usual
        mean = hands.thrown @ usual
        scale = np.full(usual.shape[1], float(self.bids))
        if not opening:
            scale[-1] = self.doubts
        return np.asarray(mean + scale * (usual - mean))


USUAL: Final = Closeness(1, 1)
"""The closeness of the players that the model was fitted to."""


class Counting(NamedTuple):
    """Bidding by the expected count, as guides for beginners advise: one's own dice plus the others' share."""

    strict: float
    """How much less a bid one die above the expected count is worth, and how much more a dudo."""
    faces: float
    """How much more a bid is worth on the face that most of one's own dice match."""

    def worths(self, position: Position, previous: Bid | None, hands: Hands, bids: Bids) -> Numbers:
        """As `BidModel.worths`."""
        dice = hands.counted.shape[2] - 1
        unseen = sum(position.dice_by_seat) - dice
        expected = hands.matches + [float(odds(0, face, unseen, wild=position.wild).tally) for face in FACES]
        over = np.clip(bids.counts - expected[:, bids.columns], -FAR, FAR)
        strict = self.strict * OPENING_STRICT if previous is None else self.strict
        found = -strict * np.maximum(over, 0) ** 2 - CAUTION * np.maximum(-over, 0)
        most = hands.matches == hands.matches.max(axis=1, keepdims=True)
        found += self.faces * most[:, bids.columns]
        if previous is None:
            return np.asarray(found)
        doubted = np.clip(previous.count - expected[:, [FACES.index(previous.face)]], -FAR, FAR) - DOUBTED
        return np.concatenate([found, strict * doubted], axis=1)


Style = Closeness | Counting
"""A style of bidding."""


@dataclass(frozen=True, slots=True, eq=False)
class BidModel:
    """A model of how people bid."""

    opening: Numbers
    """The weights of `FEATURES` when a round is opened."""
    raising: Numbers
    """The same after a bid."""
    slips: tuple[float, float]
    """How often an opening, and a later bid, is unrelated to the hand."""
    herd: float
    """The remaining evidence of a bid about the hand, per player who has bid on its face before, except the first."""

    def worths(self, position: Position, previous: Bid | None, hands: Hands, others: Numbers, bids: Bids) -> Numbers:
        """How good each choice looks to the owner of each hand; see the function `worths`."""
        dice, weights = hands.counted.shape[2] - 1, self.opening if previous is None else self.raising
        return worths(position, previous, dice, hands.matches, others, bids, weights)

    def choice_chances(self, worths: Numbers, hands: Hands, *, opening: bool) -> Numbers:
        """The probability of each choice for the owner of each hand, from its `worths`: ... x hands x choices."""
        keen = softmax(worths)
        slips = self.slips[not opening]
        # A slip is a choice that somebody with any hand might make, so a rare choice still says something about the
        # hand.
        return np.asarray((1 - slips) * keen + slips * (hands.thrown @ keen)[..., None, :])

    def chances_in_herd(self, chances: Numbers, hands: Hands, others: int) -> Numbers:
        """The probability of a bid for the owner of each hand, a row for each style, after `others` other players have
        bid on its face: one of many bidders follows them rather than their own dice."""
        own = self.herd ** max(0, others - 1)
        return np.asarray(own * chances + (1 - own) * (chances @ hands.thrown)[:, None])
