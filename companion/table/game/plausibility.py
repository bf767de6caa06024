"""Checking a reading against the players' dice. Pure.

A reading is judged only if each player has the right number of dice in their colour, no die has a colour that nobody
plays, and no die is uncertain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion.messages.message import Message
from companion.messages.sentence import Sentence
from companion.table.commands import Count
from companion.table.game import sentences
from companion.table.game.table_reading import TableReading


@dataclass(frozen=True, slots=True)
class PlayerDice:
    """How many dice a player should show when the cups are lifted."""

    name: str
    colour: str
    dice: int


class Problem(Sentence, frozen=True):
    """A question to the players that must be answered before the reading is judged."""

    code: Literal["missing", "extra", "foreign", "uncertain"]
    """"foreign": a die of a colour that nobody plays."""
    player: str | None
    dice: tuple[Count, ...]
    """The numbers of the dice in question."""


def check(reading: TableReading, players: Sequence[PlayerDice]) -> tuple[Problem, ...]:
    """The problems of a reading, seat by seat; empty if it can be judged."""
    problems = []
    for player in players:
        dice = tuple(die.id for die in reading.dice if die.colour == player.colour)
        if len(dice) < player.dice:
            sentence = sentences.missing(player.name, player.colour, len(dice), player.dice)
            problems.append(Problem(code="missing", player=player.name, sentence=sentence, dice=dice))
        elif len(dice) > player.dice:
            sentence = sentences.extra(player.name, player.colour, len(dice), player.dice)
            if reading.unseen and all(problem.code != "extra" for problem in problems):
                sentence = Message.sequence(sentence, sentences.UNSEEN)
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


def by_player(reading: TableReading, players: Sequence[PlayerDice]) -> dict[str, tuple[int, ...]]:
    """Each player's faces, lowest first, without players who have no dice."""
    return {
        player.name: tuple(sorted(die.face for die in reading.dice if die.colour == player.colour))
        for player in players
        if player.dice
    }


def under_cover(shown: Counter[str], players: Sequence[PlayerDice]) -> Message | None:
    """The message to show while dice seem to be under cups or hands; else None.

    `shown` counts the visible dice of each colour. Dice seem covered if there are too few, or none of a player's.
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
