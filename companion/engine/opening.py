"""Who opens the first round. Pure: randomness is injected, or the players roll and say what they rolled."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from companion.engine.ruleset import FirstStarter, Ruleset

Roll = Mapping[str, tuple[int, ...]]
"""What each player rolled."""

_DICE = {FirstStarter.RANDOM: 0, FirstStarter.ONE_DIE: 1, FirstStarter.TWO_DICE: 2}


@dataclass(frozen=True, slots=True)
class Opening:
    """Who opens the first round, and how that came about."""

    starter: str
    rolls: tuple[Roll, ...]
    """Every player's roll, then those of the tied, until one was highest; empty when the starter was drawn."""


def dice_to_roll(ruleset: Ruleset) -> int:
    """How many dice each player rolls for the opening; 0 when the starter is drawn at random."""
    return _DICE[ruleset.first_starter]


def highest(roll: Roll) -> tuple[str, ...]:
    """Who rolled the highest sum, in the order of the roll: one player, or the tied who roll again.

    Here a paco is a plain one: no book says otherwise.
    """
    best = max(map(sum, roll.values()))
    return tuple(player for player, dice in roll.items() if sum(dice) == best)


def draw(ruleset: Ruleset, players: Sequence[str], chance: random.Random) -> Opening:
    """Find the opener among `players` (clockwise) the way the book says, rolling with `chance`."""
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
