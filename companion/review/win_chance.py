"""Computes the probability of winning from the number of dice of each player, the opener, and the rules.

A small network, fitted by `companion.evaluation.review_fit` to games of robots of one strength: one hidden layer gives
each player's value, and the probabilities are their softmax. It knows nothing of the players' skill. Rules that are not
among `RULES` make no measurable difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.engine import GamePhase, Position
from companion.engine.events import MOST_DICE
from companion.engine.ruleset import CalzaBy, DudoBy, DudoCosts, OpensAfterDudo, RightCalza
from companion.review.bid_probabilities import Floats, Numbers, softmax

MOST_FITTED: Final = 6
"""Tables with more players are treated as if they had this many; the review does not weigh their rounds
(`is_fitted`)."""
RULES: Final = (
    "nobody may say calza now",
    "calza: not by the next player",
    "calza: by the player on turn only",
    "calza: not with two players left",
    "a right calza costs the bidder a die",
    "pacos are not wild",
    "a dudo costs the difference",
    "anyone may say dudo",
    "the winner of a dudo opens",
    "no palifico rounds",
    "dice above five that a player can have",
    "calza: once a player",
    "a round may be opened on pacos",
    "calza: not in palifico rounds",
    "calza: only while half of the dice are left, and how near that is",
    "palifico once a player",
)
"""The network's inputs about the rules: how far each applies."""
INPUTS: Final = (
    "the player's share of all dice",
    *(f"dice of the {who}player: {n}" for who in ("", "next ", "previous ") for n in range(1, MOST_DICE + 1)),
    "opens the round",
    "plays after the opener",
    "plays last",
    "has said calza, and may not again",
    "one die, palifico no more",
    *(f"{players} players have dice" for players in range(2, MOST_FITTED + 1)),
    "all dice, of fifteen",
    "the most dice of a player, of five",
    "a palifico round",
    "the share of players who have said calza, and may not again",
    *RULES,
)
"""The network's inputs about a player. From the number of players on they are the same for all."""


@dataclass(frozen=True, slots=True, eq=False)
class WinningModel:
    """Predicts the winner: a network with one hidden layer of rectified linear units."""

    hidden: Floats
    """The weights from `INPUTS` to each unit: inputs x units."""
    output: Floats
    """The weight of each unit."""

    def worth(self, inputs: Floats) -> Floats:
        """Each player's value, whose softmax is the probability of winning. `inputs`: players x `INPUTS`, or
        several."""
        return np.asarray(np.maximum(inputs @ self.hidden, 0) @ self.output)


def rule_terms(position: Position) -> Numbers:
    """How far each of `RULES` applies."""
    rules, players = position.ruleset, sum(map(bool, position.dice_by_seat))
    left = not rules.calza_with_two or rules.calza_by is CalzaBy.NOT_NEXT
    half = position.all_dice / (2 * sum(position.dice_by_seat)) if rules.calza_to_half else 0
    calza = position.calza and half <= 1 and not (left and players == 2)
    return np.array(
        [
            not calza,
            calza and rules.calza_by is CalzaBy.NOT_NEXT,
            calza and rules.calza_by is CalzaBy.ON_TURN,
            calza and not rules.calza_with_two,
            calza and rules.right_calza is RightCalza.BIDDER_LOSES,
            not rules.pacos_wild,
            rules.dudo_costs is DudoCosts.DIFFERENCE,
            rules.dudo_by is DudoBy.ANYONE,
            rules.opens_after_dudo is OpensAfterDudo.WINNER,
            not rules.has_palifico_rounds(players),
            rules.dice_each - 5,
            calza and rules.calza_once,
            rules.opens_on_pacos and rules.pacos_wild,
            calza and not rules.calza_in_palifico,
            calza * half,
            not rules.palifico_again,
        ],
        dtype=np.float64,
    )


def is_fitted(position: Position) -> bool:
    """True if the weights were fitted to games with as many players."""
    return sum(map(bool, position.dice_by_seat)) <= MOST_FITTED


def in_order(position: Position) -> list[int]:
    """The seats with dice in playing order, the opener's first."""
    return [position.players.index(name) for name in position.order_of_play(position.starter)]


def inputs(position: Position, seats: list[int]) -> Numbers:
    """The `INPUTS` of the players in `seats`, which are in playing order: players x inputs."""
    dice, count = np.array([position.dice_by_seat[seat] for seat in seats]), len(seats)
    names, rules = [position.players[seat] for seat in seats], position.ruleset
    order = np.eye(count)
    said = [rules.calza_once and name in position.calza_said for name in names]
    of_player = (
        dice / dice.sum(),
        *np.eye(MOST_DICE)[dice - 1].T,
        *np.eye(MOST_DICE)[np.roll(dice, -1) - 1].T,
        *np.eye(MOST_DICE)[np.roll(dice, 1) - 1].T,
        *order[[0, 1, -1]],
        said,
        [not rules.palifico_again and name in position.former_palificos for name in names] * (dice == 1),
    )
    of_table = (
        *np.eye(MOST_FITTED - 1)[min(count, MOST_FITTED) - 2],
        dice.sum() / 15,
        dice.max() / 5,
        position.palifico is not None,
        np.mean(said),
        *rule_terms(position),
    )
    return np.column_stack([*of_player, *np.tile(of_table, (count, 1)).T])


def chances_of_winning(model: WinningModel, position: Position) -> Numbers:
    """Each player's probability of winning at the start of a round, by seat; they add up to 1."""
    found = np.zeros(len(position.players))
    if position.phase is GamePhase.OVER:
        found[position.players.index(position.winner or "")] = 1
        return found
    seats = in_order(position)
    found[seats] = softmax(model.worth(inputs(position, seats)))
    return found
