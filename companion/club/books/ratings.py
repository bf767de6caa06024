"""Ratings: how strong a player is, and how sure that is. Pure.

A game is one result for all its players: Plackett-Luce, algorithm 4 of Weng & Lin, "A Bayesian Approximation Method for
Online Ranking", Journal of Machine Learning Research 12 (2011), as the library openskill has it, with its values.

People see the mean and the standard deviation, so enlarged that a newcomer has 1500 ± 350, as in Glicko (Glickman, "The
Glicko system", 1995). Not shown is openskill's `ordinal`, three standard deviations below the mean: it can rise for who
comes last, since each game makes a rating surer. The mean rises for the winner and falls for the last. What the ordinal
is for, that luck in a few games does not lead a ranking, `Form.provisional` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

NEWCOMER_POINTS: Final = 1500
NEWCOMER_PLUS_MINUS: Final = 350

_MODEL: Final = PlackettLuce()
_SCALE: Final = NEWCOMER_PLUS_MINUS / _MODEL.sigma


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a player's strength, on the model's own scale."""

    mean: float
    deviation: float

    @property
    def points(self) -> int:
        """The mean, as people see it."""
        return round(NEWCOMER_POINTS + _SCALE * (self.mean - _MODEL.mu))

    @property
    def plus_minus(self) -> int:
        """One standard deviation: in two of three cases the player's strength is within it."""
        return round(_SCALE * self.deviation)


NEWCOMER: Final = Rating(_MODEL.mu, _MODEL.sigma)


def rate(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a game of two or more players, in their order; equal places are ties.

    Raises `ValueError` for fewer than two players, or another number of places.
    """
    teams = [[_MODEL.rating(each.mean, each.deviation)] for each in before]
    return [Rating(after.mu, after.sigma) for (after,) in _MODEL.rate(teams, ranks=list(places))]
