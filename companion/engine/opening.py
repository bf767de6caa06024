"""Who opens the first round. Pure: the caller passes a random generator or the players' rolls."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from companion.engine.ruleset import FirstStarter, Ruleset

Roll = Mapping[str, tuple[int, ...]]
"""The faces each player rolled."""

_DICE = {FirstStarter.RANDOM: 0, FirstStarter.ONE_DIE: 1, FirstStarter.TWO_DICE: 2}


@dataclass(frozen=True, slots=True)
class Opening:
    """The opener of the first round, and the rolls that decided it."""

    starter: str
    rolls: tuple[Roll, ...]
    """Everybody's roll, then those of the tied players until one is highest; empty if the starter was drawn."""


def dice_to_roll(ruleset: Ruleset) -> int:
    """How many dice each player rolls for the opening; 0 if the starter is drawn at random."""
    return _DICE[ruleset.first_starter]


def highest(roll: Roll) -> tuple[str, ...]:
    """The players with the highest sum, in the order of `roll`; if there are several, they roll again.

    A paco counts as one here: no rulebook says otherwise.
    """
    best = max(map(sum, roll.values()))
    return tuple(player for player, dice in roll.items() if sum(dice) == best)


def draw(ruleset: Ruleset, players: Sequence[str], chance: random.Random) -> Opening:
    """Choose the opener among `players` (clockwise) as the ruleset says, with dice rolled by `chance`."""
    dice = dice_to_roll(ruleset)
    if not dice:
        return Opening(chance.choice(players), ())
    rolls: list[Roll] = []
    tied = tuple(players)
    while not rolls or len(tied) > 1:
        roll = {player: tuple(chance.randint(1, 6) for _ in range(dice)) for player in tied}
        rolls.append(MappingProxyType(roll))
        tied = highest(roll)
    return Opening(tied[0], tuple(rolls))
