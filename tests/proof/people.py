"""Simulated people, who bid otherwise than the robots do.

No weight of the review was fitted to them. The ways of bidding that it reckons with (`companion.review.trust.STYLES`)
and a few constants beside them were chosen with other games of theirs in view, on seeds from 11,000,000.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from companion.engine import FACES, PACO, RULESETS, Bid, Call, Dudo
from companion.robots import PlayerView, Robot, play

NUMBERS: Final = (2, 2, 3, 3, 4, 4, 5, 6)
"""Of players in a game."""


class Holder:
    """Bids what it holds: its best face, with its own dice and its share of the others', and any face at times; doubts
    what goes beyond."""

    BLUFFS: Final = 1 / 4
    """How often it bids on any face."""
    MOST_OVER = 0.8
    """By how many dice a bid may be above what is expected."""

    def decide(self, view: PlayerView, luck: random.Random) -> Call:
        bid = view.position.bid
        if bid is not None and bid.count > expected(view, bid.face) + luck.uniform(0, self.MOST_OVER):
            return Dudo(view.player)
        for face in self.faces(view, luck):
            counts = view.position.counts(face)
            if counts.lowest is None:
                continue
            wanted = max(1, round(expected(view, face) - luck.uniform(0, 1.5)))
            count = wanted if wanted in counts else counts.lowest
            if bid is None or count <= expected(view, face) + self.MOST_OVER:
                return Bid(view.player, count, face)
        return Dudo(view.player)

    def faces(self, view: PlayerView, luck: random.Random) -> list[int]:
        """The faces it would bid on, the dearest first."""
        if luck.random() < self.BLUFFS:
            return luck.sample(FACES, len(FACES))
        return sorted(FACES, key=lambda face: (-view.matches(face), luck.random()))

    def interject(self, view: PlayerView, luck: random.Random) -> None:
        return None


class Misleader(Holder):
    """Two bids in three are on the faces that it holds least of, the others on those that it holds most of."""

    MISLEADS: Final = 2 / 3
    MOST_OVER = 1.5

    def faces(self, view: PlayerView, luck: random.Random) -> list[int]:
        sign = 1 if luck.random() < self.MISLEADS else -1
        return sorted(FACES, key=lambda face: (sign * view.matches(face), luck.random()))


class Creeper:
    """Goes up by as little as it can, whatever it holds, until its own dice make the bid unlikely."""

    DOUBTS: Final = (0.15, 0.45)
    """It doubts a bid of a smaller chance, drawn from this range."""

    def decide(self, view: PlayerView, luck: random.Random) -> Call:
        bid = view.position.bid
        if bid is None:
            count = max(1, view.unknown // 6)
            return Bid(view.player, count, luck.choice([face for face in FACES if count in view.position.counts(face)]))
        if view.chance(bid.count, bid.face) < luck.uniform(*self.DOUBTS):
            return Dudo(view.player)
        lowest = view.position.lowest_bids()
        steps = [(count + (face == PACO) * count, face) for face, count in lowest.items() if count is not None]
        if not steps:
            return Dudo(view.player)
        least = min(steps)[0]
        face = luck.choice([face for step, face in steps if step == least])
        return Bid(view.player, lowest[face] or 1, face)

    def interject(self, view: PlayerView, luck: random.Random) -> None:
        return None


class Blind:
    """Never looks at its dice: bids somewhere near the lowest, and doubts what nobody could expect."""

    def decide(self, view: PlayerView, luck: random.Random) -> Call:
        bid = view.position.bid
        dice = sum(view.position.dice_by_seat)
        if bid is not None:
            share = 1 / 3 if view.position.wild and bid.face != PACO else 1 / 6
            if bid.count > dice * share + luck.uniform(-0.5, 2):
                return Dudo(view.player)
        able = [(face, counts) for face in FACES if (counts := view.position.counts(face)).lowest is not None]
        if not able:
            return Dudo(view.player)
        face, counts = luck.choice(able)
        count = (counts.lowest or 1) + luck.choice([0, 0, 1])
        return Bid(view.player, count if count in counts else counts.lowest or 1, face)

    def interject(self, view: PlayerView, luck: random.Random) -> None:
        return None


PEOPLE: Mapping[str, Robot] = MappingProxyType(
    {
        "who bid what they hold": Holder(),
        "who go up by little": Creeper(),
        "who mislead": Misleader(),
        "who never look at their dice": Blind(),
    }
)
"""The players of each game are of one sort."""


def expected(view: PlayerView, face: int) -> float:
    """How many dice match a bid on `face`, for somebody who sees only the own ones."""
    share = 1 / 3 if view.position.wild and face != PACO else 1 / 6
    return view.matches(face) + share * view.unknown


def game(sort: str, seed: int) -> str:
    """The record of a game of such people, under any of the six books."""
    luck = random.Random(f"{seed}/{sort}")
    names = "ABCDEF"[: luck.choice(NUMBERS)]
    return play(dict.fromkeys(names, PEOPLE[sort]), seed, ruleset=RULESETS[luck.choice(list(RULESETS))]).record
