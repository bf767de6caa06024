"""What the table knows against what the camera saw. Pure.

A reading is judged only when nothing here is left to ask: each player's colour shows exactly the dice that player
has, no die is of a colour nobody plays, and no die is uncertain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion.messages.message import Message
from companion.messages.sentence import Sentence
from companion.table.game import sentences
from companion.table.game.table_reading import TableReading
from companion.table.quantities import Count


@dataclass(frozen=True, slots=True)
class Expected:
    """A player as the table knows one before the cups go up."""

    name: str
    colour: str
    dice: int
    """How many dice the player has."""


class Problem(Sentence, frozen=True):
    """Something the players must be asked about before the reading may be judged."""

    code: Literal["missing", "extra", "foreign", "uncertain"]
    """Foreign is a colour nobody plays."""
    player: str | None
    dice: tuple[Count, ...]
    """The numbers of the dice it is about."""


def check(reading: TableReading, players: Sequence[Expected]) -> tuple[Problem, ...]:
    """Everything that keeps this reading from being judged, seat by seat; empty when it may be judged."""
    problems = []
    for player in players:
        dice = tuple(die.id for die in reading.dice if die.colour == player.colour)
        if len(dice) < player.dice:
            sentence = sentences.missing(player.name, player.colour, len(dice), player.dice)
            problems.append(Problem(code="missing", player=player.name, sentence=sentence, dice=dice))
        elif len(dice) > player.dice:
            sentence = sentences.extra(player.name, player.colour, len(dice), player.dice)
            problems.append(Problem(code="extra", player=player.name, sentence=sentence, dice=dice))
    owners = {player.colour: player.name for player in players}
    for die in reading.dice:
        if die.colour not in owners:
            sentence = sentences.foreign(die.colour, die.face)
            problems.append(Problem(code="foreign", player=None, sentence=sentence, dice=(die.id,)))
        if die.uncertain:
            owner = owners.get(die.colour)
            sentence = sentences.uncertain(owner, die.face)
            problems.append(Problem(code="uncertain", player=owner, sentence=sentence, dice=(die.id,)))
    return tuple(problems)


def by_player(reading: TableReading, players: Sequence[Expected]) -> dict[str, tuple[int, ...]]:
    """Each player's faces, lowest first; players without dice are left out."""
    return {
        player.name: tuple(sorted(die.face for die in reading.dice if die.colour == player.colour))
        for player in players
        if player.dice
    }


def under_cover(shown: Counter[str], players: Sequence[Expected]) -> Message | None:
    """What to say while dice may be under cups and hands; None when they are not.

    `shown` is how many dice of each colour are seen. Under cover are fewer dice than there are, or all of a player's.
    Anything else that looks wrong, such as an uncertain die half under a cup, may come right by waiting.
    """
    dice = sum(player.dice for player in players)
    unseen = [player.name for player in players if player.dice and not shown[player.colour]]
    if not unseen and shown.total() >= dice:
        return None
    missing = [
        sentences.missing(player.name, player.colour, shown[player.colour], player.dice)
        for player in players
        if shown[player.colour] < player.dice
    ]
    return sentences.waiting(missing, shown.total(), dice, unseen)
