"""The interface of a robot: what it knows, and what it returns."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Protocol

from companion.engine import FACES, Bid, Call, Calza, Dudo, Position
from companion.review.bid_probabilities import chance
from companion.review.models import Models, read_models

ROBOTS_MODELS_FILE: Final = Path(__file__).with_name("models.json")


@cache
def robots_models() -> Models:
    """The models of how people play that robots use. They never change: the review's models are fitted to games of
    robots, which would play differently after each fit if they used those."""
    return read_models(ROBOTS_MODELS_FILE)


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What a player knows during the bidding of a round."""

    player: str
    dice: tuple[int, ...]
    """The faces of the player's own dice."""
    position: Position
    """What everybody knows: the rules, whose turn it is, the last bid, how many dice each player has."""
    bids: tuple[Bid, ...] = ()
    """The bids of this round, oldest first."""

    @property
    def unknown(self) -> int:
        """The number of the others' dice."""
        return sum(self.position.dice_by_seat) - self.position.dice[self.player]

    @property
    def players(self) -> int:
        """The number of players with dice."""
        return sum(map(bool, self.position.dice_by_seat))

    def matches(self, face: int) -> int:
        """The number of the player's own dice that match a bid on `face`."""
        bid = Bid(self.player, 1, face)
        return sum(bid.matches(die, wild=self.position.wild) for die in self.dice)

    def chance(self, count: int, face: int) -> float:
        """The probability that a bid holds for somebody who knows only their own dice."""
        return chance(self.position, self.player, self.dice, Bid(self.player, count, face))

    def raises(self, highest: int) -> list[Bid]:
        """The legal bids of the player on turn with at most `highest` dice; for each face at least the lowest one."""
        bids = []
        for face in FACES:
            counts = self.position.counts(face)
            if counts.lowest is not None:
                last = max(counts.lowest, min(highest, counts.highest or highest))
                bids += [Bid(self.player, count, face) for count in range(counts.lowest, last + 1)]
        return bids


class Robot(Protocol):
    """Plays for a player. It keeps no state: all knowledge is in the view, all randomness in `luck`."""

    def decide(self, view: PlayerView, luck: random.Random) -> Call:
        """A legal bid, dudo or calza of the player on turn."""

    def interject(self, view: PlayerView, luck: random.Random) -> Dudo | Calza | None:
        """A legal call on the last bid by a player who is not on turn; None to say nothing."""
