"""The chance of winning, from how many dice each player has and who opens.

A multinomial logit, fitted by `companion.robots.fit` to games of robots of one strength. It knows nothing of how well
the players play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from companion.engine import GamePhase, Position
from companion.review.chances import Numbers

TERMS: Final = (
    "the logarithm of the player's dice",
    "the player's share of all dice",
    "one die",
    "opens the round",
    "opens the round with one die, as palifico",
    "plays after the opener",
    "plays last",
)
"""What each weight of a player is for."""
MOST_FITTED: Final = 6
"""Tables with more players use the weights of this many."""

WinningModel = Mapping[int, Numbers]
"""The weights of `TERMS`, by how many players have dice."""


def in_order(position: Position) -> list[int]:
    """The seats with dice in the order of play, the opener's first."""
    return [position.players.index(name) for name in position.order_of_play(position.starter)]


def terms(position: Position, seats: list[int]) -> Numbers:
    """The `TERMS` of the players in `seats`, which are in the order of play: players x terms."""
    dice = np.array([position.dice_by_seat[seat] for seat in seats], dtype=np.float64)
    found = np.zeros((len(seats), len(TERMS)))
    found[:, 0] = np.log(dice)
    found[:, 1] = dice / dice.sum()
    found[:, 2] = dice == 1
    found[0, 3] = 1
    found[0, 4] = position.palifico is not None
    found[1, 5] = 1
    found[-1, 6] = 1
    return found


def chances_of_winning(model: WinningModel, position: Position) -> Numbers:
    """Each player's chance of winning at the start of a round, by seat; their sum is 1."""
    found = np.zeros(len(position.players))
    if position.phase is GamePhase.OVER:
        found[position.players.index(position.winner or "")] = 1
        return found
    seats = in_order(position)
    worth = terms(position, seats) @ model[min(len(seats), MOST_FITTED)]
    keen = np.exp(worth - worth.max())
    found[seats] = keen / keen.sum()
    return found
