"""The chance of winning, from how many dice each player has, who opens, and the rules.

A multinomial logit, fitted by `companion.robots.fit` to games of robots of one strength. It knows nothing of how well
the players play. House rules add to its weights; those that are not among `RULES` change too little to be seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.engine import GamePhase, Position
from companion.engine.ruleset import CalzaBy, DudoBy, DudoCosts, OpensAfterDudo, RightCalza
from companion.review.chances import Numbers

DUELS: Final = ((1, 1, False), (1, 1, True), (1, 2, False), (1, 2, True), (2, 1, False), (2, 2, False))
"""The dice of the opener and of the other, and whether the opener is palifico, where two players are left. Who wins
there follows no smooth function of the dice, so each has a weight of its own."""
TERMS: Final = (
    "the logarithm of the player's dice",
    "the player's share of all dice",
    "one die",
    "opens the round",
    "opens the round with one die, as palifico",
    "plays after the opener",
    "plays last",
    "has said calza, and may not again",
    "one die, palifico no more",
    *(f"opens a duel of {own} to {other}{', as palifico' * palifico}" for own, other, palifico in DUELS),
)
"""What each weight of a player is for."""
MOST_FITTED: Final = 6
"""Tables with more players use the weights of this many; the review does not weigh their rounds (`is_fitted`)."""
MOST_RULES_FITTED: Final = 3
"""Of players, for what rules change: with more players the weights are those of this many."""
RULES: Final = (
    "nobody may say calza now",
    "the same, where pacos are not wild",
    "calza: not by the next player",
    "calza: by the player on turn only",
    "calza: not with two players left",
    "a right calza costs the bidder a die",
    "the same, where pacos are not wild",
    "pacos are not wild",
    "a dudo costs the difference",
    "the same, where pacos are not wild",
    "the same, where nobody may say calza now",
    "anyone may say dudo",
    "the winner of a dudo opens",
    "no palifico rounds",
    "dice above five that a player can have",
    "calza: once a player",
    "a round may be opened on pacos",
    "calza: not in palifico rounds",
    "palifico once a player",
)
"""What adds to the weights of `TERMS`, as many times as `rule_terms` says."""


@dataclass(frozen=True, slots=True, eq=False)
class WinningModel:
    """Who wins: the weights of `TERMS`."""

    players: Mapping[int, Numbers]
    """By how many players have dice, under the default rules."""
    rules: Mapping[int, Numbers]
    """What each of `RULES` adds to them, with two players left and with more: rules x terms."""

    def weights(self, position: Position, players: int) -> Numbers:
        """The weights where so many players have dice."""
        added = rule_terms(position) @ self.rules[min(players, MOST_RULES_FITTED)]
        return np.asarray(self.players[min(players, MOST_FITTED)] + added)


def rule_terms(position: Position) -> Numbers:
    """How many times each of `RULES` holds."""
    rules, players = position.ruleset, sum(map(bool, position.dice_by_seat))
    left = not rules.calza_with_two or rules.calza_by is CalzaBy.NOT_NEXT
    few = rules.calza_to_half and 2 * sum(position.dice_by_seat) < position.all_dice
    calza = position.calza and not few and not (left and players == 2)
    costly = calza and rules.right_calza is RightCalza.BIDDER_LOSES
    difference, tame = rules.dudo_costs is DudoCosts.DIFFERENCE, not rules.pacos_wild
    return np.array(
        [
            not calza,
            not calza and tame,
            calza and rules.calza_by is CalzaBy.NOT_NEXT,
            calza and rules.calza_by is CalzaBy.ON_TURN,
            calza and not rules.calza_with_two,
            costly,
            costly and tame,
            tame,
            difference,
            difference and tame,
            difference and not calza,
            rules.dudo_by is DudoBy.ANYONE,
            rules.opens_after_dudo is OpensAfterDudo.WINNER,
            not rules.has_palifico_rounds(players),
            rules.dice_each - 5,
            calza and rules.calza_once,
            rules.opens_on_pacos and not tame,
            calza and not rules.calza_in_palifico,
            not rules.palifico_again,
        ],
        dtype=np.float64,
    )


def is_fitted(position: Position) -> bool:
    """Whether games of as many players were played to fit the weights."""
    return sum(map(bool, position.dice_by_seat)) <= MOST_FITTED


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
    names = [position.players[seat] for seat in seats]
    if position.ruleset.calza_once:
        found[:, 7] = [name in position.calza_said for name in names]
    if not position.ruleset.palifico_again:
        found[:, 8] = [name in position.former_palificos for name in names] * found[:, 2]
    duel = *map(int, dice), position.palifico is not None
    if duel in DUELS:
        found[0, len(TERMS) - len(DUELS) + DUELS.index(duel)] = 1
    return found


def chances_of_winning(model: WinningModel, position: Position) -> Numbers:
    """Each player's chance of winning at the start of a round, by seat; their sum is 1."""
    found = np.zeros(len(position.players))
    if position.phase is GamePhase.OVER:
        found[position.players.index(position.winner or "")] = 1
        return found
    seats = in_order(position)
    worth = terms(position, seats) @ model.weights(position, len(seats))
    keen = np.exp(worth - worth.max())
    found[seats] = keen / keen.sum()
    return found
