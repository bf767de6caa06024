"""The last duel: two players with one die each. The game is so small that its equilibrium can be computed.

The equilibrium guarantees its value, whatever the opponent does. CFR+ finds it (Tammelin, *Solving Large Imperfect
Information Games Using CFR+*, 2014), here for all positions with the same number of bids at once.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from companion.engine import FACES, Bid, Call, Calza, Dudo, Position
from companion.review.bid_probabilities import Numbers
from companion.review.worth import Stakes
from companion.robots.robot import PlayerView, robots_models

MOST: Final = 2
"""Both players' dice together: nobody bids more, and a higher bid is doubted."""
STEPS: Final = 200
"""Steps of CFR+. The guaranteed probability of winning is then within half a point of the equilibrium's."""
SLIP: Final = 1e-4
"""Probability that a bid is made by mistake, so that the positions after it are solved too."""
SELDOM: Final = 0.01
"""Choices with a smaller probability are dropped; they come from the first steps."""
EVEN: Final = np.full(len(FACES), 1 / len(FACES))
"""The probabilities of a die."""

CountAndFace = tuple[int, int]
S = TypeVar("S")


class Strategy(NamedTuple):
    """Both players' strategies: the probability of each choice in each position of a `Tree`, by the player's die."""

    bids: Numbers
    """For the bid that led to each position, by its bidder's die: positions x dice."""
    calls: Numbers
    """For dudo and calza: positions x calls x dice."""


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The positions of a bidding, in order of the number of bids; the successors of a position are adjacent."""

    bids: tuple[CountAndFace | None, ...]
    """The last bid of each position; None at the start."""
    parents: npt.NDArray[np.intp]
    """The predecessor of each position; the start's is the start itself."""
    first: npt.NDArray[np.intp]
    """The first successor of each position, followed by the number of positions."""
    depths: npt.NDArray[np.intp]
    """The first position after 0, 1, ... bids, followed by the number of positions."""
    able: npt.NDArray[np.bool_]
    """Dudo and calza are allowed: positions x calls."""
    worths: Numbers
    """The values of dudo and calza to the caller, -1 to 1: positions x calls x own die x other die."""

    def following(self, place: int) -> range:
        """The positions after one more bid."""
        return range(self.first[place], self.first[place + 1])

    def place(self, bids: Sequence[Bid]) -> int:
        """The position after `bids`, which must be in the tree."""
        place = 0
        for bid in bids:
            place = next(n for n in self.following(place) if self.bids[n] == (bid.count, bid.face))
        return place

    def chances(self, weights: Strategy) -> Strategy:
        """Normalise `weights`, none of which is negative, to probabilities; uniform ones if all are 0."""
        sums = _sums(weights.bids, self.first) + weights.calls.sum(axis=1)
        choices = np.diff(self.first) + self.able.sum(axis=1)
        none = sums <= 0
        share = 1 / np.where(none, choices[:, None], sums)
        bids = np.where(none[self.parents], 1, weights.bids) * share[self.parents]
        calls = np.where(none[:, None], self.able[:, :, None], weights.calls) * share[:, None]
        return Strategy(bids, calls)


def tree(start: S, expand: Callable[[S], tuple[Mapping[CountAndFace, S], Sequence[Numbers | None]]]) -> Tree:
    """The tree of positions from `start` on.

    `expand` returns the bids that may follow a position with the position after each, and the values of dudo and calza
    to the caller: own die x other die, or None if the call is not allowed.
    """
    bids: list[CountAndFace | None] = [None]
    parents, first, depths = [0], [], [0]
    calls: list[Sequence[Numbers | None]] = []
    level = [start]
    while level:
        depths.append(len(parents))
        after: list[S] = []
        for place, position in enumerate(level, start=depths[-2]):
            first.append(len(parents))
            raised, worths = expand(position)
            calls.append(worths)
            bids += raised
            after += raised.values()
            parents += [place] * len(raised)
        level = after
    return Tree(
        tuple(bids),
        np.array(parents),
        np.array([*first, len(parents)]),
        np.array(depths),
        np.array([[worth is not None for worth in worths] for worths in calls]),
        np.array([[np.zeros((6, 6)) if worth is None else worth for worth in worths] for worths in calls]),
    )


def duel(start: Position) -> Tree:
    """The bidding of the round that begins with `start`, in which two players have one die each."""
    stakes = Stakes(start, robots_models().winning)

    @cache
    def worth(call: Dudo | Calza, bid: Bid, wild: bool) -> Numbers:
        seat = start.players.index(call.player)
        by_tally = np.array([stakes.of_call(call, bid, np.eye(MOST + 1)[tally])[seat] for tally in range(MOST + 1)])
        matches = np.array([bid.matches(die, wild=wild) for die in FACES], dtype=np.intp)
        return np.asarray(2 * by_tally[matches[:, None] + matches] - 1)

    def expand(position: Position) -> tuple[dict[CountAndFace, Position], list[Numbers | None]]:
        player, bid = str(position.turn), position.bid
        raised = {}
        for face in FACES:
            counts = position.counts(face)
            for count in range(counts.lowest or MOST + 1, min(MOST, counts.highest or MOST) + 1):
                raised[count, face] = position.apply(Bid(player, count, face))
        return raised, [
            worth(call, bid, position.wild) if bid is not None and position.check(call) is None else None
            for call in (Dudo(player), Calza(player))
        ]

    return tree(start, expand)


def solve(tree: Tree) -> Strategy:
    size = len(tree.parents)
    regrets, chosen = (Strategy(np.zeros((size, 6)), np.zeros((size, 2, 6))) for _ in range(2))
    levels = [slice(*ends) for ends in zip(tree.depths, tree.depths[1:], strict=False)]
    to_caller, to_other = tree.worths, tree.worths.swapaxes(2, 3)
    for step in range(1, STEPS + 1):
        for learner in (0, 1):  # the opener, then the other
            now = tree.chances(regrets)
            own, other = reach = np.tile(EVEN, (2, size, 1))
            for depth, here in enumerate(levels[1:]):
                reach[:, here] = reach[:, tree.parents[here]]
                reach[int(depth % 2 != learner), here] *= np.maximum(now.bids[here], SLIP)
            # The value of each of the learner's dice, times the probability that the other player gets there.
            worth = np.zeros((size, 6))
            for depth in reversed(range(len(levels))):
                here = levels[depth]
                after = slice(tree.first[here.start], tree.first[here.stop])
                ends = tree.first[here.start : here.stop + 1] - after.start
                if depth % 2 != learner:
                    doubted = now.calls[here] * other[here, None]
                    worth[here] = _sums(worth[after], ends) - (to_other[here] @ doubted[..., None])[..., 0].sum(axis=1)
                    continue
                called = (to_caller[here] @ other[here, None, :, None])[..., 0]
                worth[here] = _sums(worth[after] * now.bids[after], ends) + (now.calls[here] * called).sum(axis=1)
                gains = called - worth[here, None]
                regrets.calls[here] = np.maximum(regrets.calls[here] + gains, 0) * tree.able[here, :, None]
                chosen.calls[here] += step**2 * own[here, None] * now.calls[here]
                above = tree.parents[after]
                regrets.bids[after] = np.maximum(regrets.bids[after] + worth[after] - worth[above], 0)
                chosen.bids[after] += step**2 * own[above] * now.bids[after]
    found = tree.chances(chosen)
    return tree.chances(Strategy(*(np.where(each < SELDOM, 0, each) for each in found)))


def equilibrium_call(view: PlayerView, luck: random.Random) -> Call | None:
    """The equilibrium's call on the player's turn; None if this is no duel, or its `Tree` lacks a bid."""
    position = view.position
    if sorted(filter(None, position.dice_by_seat)) != [1, 1] or any(bid.accepted for bid in view.bids):
        return None
    if position.bid is not None and position.bid.count > MOST:
        return Dudo(view.player)
    if any(bid.count > MOST for bid in view.bids):  # for example, 3 twos, then 2 pacos
        return None
    tree, strategy = _solved(replace(position.reopened(), round=1, loser=None))
    place = tree.place(view.bids)
    die = FACES.index(view.dice[0])
    calls: dict[Call, float] = {
        Bid(view.player, *bid): strategy.bids[n, die] for n in tree.following(place) if (bid := tree.bids[n])
    }
    calls |= dict(zip((Dudo(view.player), Calza(view.player)), strategy.calls[place, :, die], strict=True))
    return luck.choices(list(calls), list(calls.values()))[0]


@lru_cache(maxsize=4)
def _solved(start: Position) -> tuple[Tree, Strategy]:
    found = duel(start)
    return found, solve(found)


def _sums(rows: Numbers, ends: npt.NDArray[np.intp]) -> Numbers:
    """The sums of the rows between consecutive `ends`."""
    summed = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0)])[ends]
    return np.asarray(summed[1:] - summed[:-1])
