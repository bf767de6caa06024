"""A reading at the table: numbered dice, which players can correct, checked against the dice in play. Pure.

A reading is judged once each player has the right number of dice in their colour, no die has a colour that nobody
plays, and no die is uncertain. Uncertain dice that cannot change the verdict stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

import msgspec

from companion import engine
from companion.messages.message import Message
from companion.messages.sentence import Sentence
from companion.table.commands import Count
from companion.table.game import sentences
from companion.table.game.events import DieAdded, DieSet, DieStruck, ReadingTaken, TableDie
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class TableReading:
    """The dice in one picture, with the players' corrections."""

    id: int
    """The reading's number, which is also the name of its picture."""
    dice: tuple[TableDie, ...]
    width: int
    """The width of the picture, in pixels."""
    height: int
    picture: bool
    """True if its picture is on disk."""
    next_die: int
    """The id of the next die to be added."""
    unseen: bool = False
    """True if the table was not seen before the cups went up."""

    @classmethod
    def of(cls, taken: ReadingTaken) -> Self:
        """The reading before any correction."""
        return cls(taken.id, taken.dice, taken.width, taken.height, taken.picture, len(taken.dice), taken.unseen)

    def die(self, number: int) -> TableDie | None:
        """The die with that number; None if there is none or it was removed."""
        return next((die for die in self.dice if die.id == number), None)

    def corrected(self, event: DieSet | DieAdded | DieStruck) -> Self:
        """The reading after a correction. A face that a player names is certain."""
        match event:
            case DieSet():
                return replace(self, dice=tuple(_set(die, event) if die.id == event.die else die for die in self.dice))
            case DieAdded(face, colour, box):
                added = TableDie(self.next_die, face, colour, box, confidence=1.0, uncertain=False, corrected=True)
                return replace(self, dice=(*self.dice, added), next_die=self.next_die + 1)
            case DieStruck():
                return replace(self, dice=tuple(die for die in self.dice if die.id != event.die))


def _set(die: TableDie, event: DieSet) -> TableDie:
    return msgspec.structs.replace(
        die,
        face=die.face if event.face is None else event.face,
        colour=die.colour if event.colour is None else event.colour,
        uncertain=die.uncertain and event.face is None,
        corrected=True,
    )


def reading_taken(number: int, reading: Reading, *, picture: bool) -> ReadingTaken:
    """The event of a camera's reading: dice numbered from 0, and numpy's numbers converted to Python's."""
    dice = []
    for n, die in enumerate(reading.dice):
        x, y, width, height = (round(float(value), 1) for value in die.box)
        likeliest = tuple((int(face), float(share)) for face, share in die.likeliest)
        confidence, uncertain = float(die.confidence), bool(die.uncertain)
        box = (x, y, width, height)
        dice.append(TableDie(n, int(die.face), die.colour, box, confidence, uncertain, likeliest, flagged=die.flagged))
    return ReadingTaken(number, tuple(dice), reading.width, reading.height, picture, reading.unseen)


@dataclass(frozen=True, slots=True)
class PlayerDice:
    """The number of dice that a player should show when the cups are lifted."""

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


def check(
    reading: TableReading, players: Sequence[PlayerDice], called: engine.Position | None = None
) -> tuple[Problem, ...]:
    """The problems of a reading, seat by seat; empty if it can be judged.

    called: the game after the call, if known. Then the players are asked about one uncertain die after another, as long
    as the verdict depends on them.
    """
    problems = _problems(reading, players)
    return problems if called is None or not problems else _to_ask(problems, reading, players, called)


def _problems(reading: TableReading, players: Sequence[PlayerDice]) -> tuple[Problem, ...]:
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


def _to_ask(
    problems: Sequence[Problem], reading: TableReading, players: Sequence[PlayerDice], called: engine.Position
) -> tuple[Problem, ...]:
    """The problems that need an answer now: all but irrelevant uncertain dice, and surplus dice caused by them."""
    bid = called.bid
    assert bid is not None, "a call without a bid"
    have = {player.name: player.dice for player in players}

    def matches(die: TableDie) -> bool:
        return bid.matches(die.face, wild=called.wild)

    def is_doubt(problem: Problem) -> bool:
        certain = sum(die.id in problem.dice and not die.uncertain for die in reading.dice)
        return problem.code != "missing" and certain <= have.get(problem.player or "", 0)

    played = [die for dice in in_play(reading, players).values() for die in dice]
    doubted = in_doubt(reading, players)
    certain = [die for die in played if die.id not in doubted]
    least = sum(map(matches, certain))
    turning_points = called.turning_points(least, least + sum(have.values()) - len(certain))
    if not turning_points:
        return tuple(problem for problem in problems if not is_doubt(problem))

    # If k of n dice must match, the k likeliest to match and the n - k + 1 least likely have one in common. It is
    # asked about first (Y. Ben-Dov, "Optimal testing procedures for special structures of coherent systems", 1981).
    def chance(die: TableDie) -> float:
        return sum(share for face, share in die.likeliest if bid.matches(face, wild=called.wild)) or float(matches(die))

    colours = {player.colour for player in players}
    likeliest = sorted((die for die in reading.dice if die.uncertain and die.colour in colours), key=chance)[::-1]
    nearest = min(turning_points, key=lambda count: abs(count - 0.5 - sum(map(matches, played))))
    needed = nearest - sum(matches(die) for die in played if not die.uncertain)
    first = {die.id for die in likeliest[: max(needed, 1)][-1:]}
    return tuple(
        problem
        for problem in problems
        if problem.code == "extra" or not is_doubt(problem) or (problem.code == "uncertain" and first & {*problem.dice})
    )


def in_doubt(reading: TableReading, players: Sequence[PlayerDice]) -> frozenset[int]:
    """The numbers of the dice in doubt: uncertain ones, and all dice of a player who has too many."""
    found = Counter(die.colour for die in reading.dice)
    too_many = {player.colour for player in players if found[player.colour] > player.dice}
    return frozenset(die.id for die in reading.dice if die.uncertain or die.colour in too_many)


def in_play(reading: TableReading, players: Sequence[PlayerDice]) -> dict[str, tuple[TableDie, ...]]:
    """The dice of each player who has any; if there are too many, the likeliest."""
    likeliest = sorted(reading.dice, key=lambda die: (die.uncertain, -die.confidence))
    return {
        player.name: tuple(die for die in likeliest if die.colour == player.colour)[: player.dice]
        for player in players
        if player.dice
    }


def by_player(
    reading: TableReading, players: Sequence[PlayerDice], *, uncertain: bool = False
) -> dict[str, tuple[int, ...]]:
    """Player -> faces, lowest first, without players who have no dice. `uncertain`: only those in doubt."""
    doubted = in_doubt(reading, players) if uncertain else {die.id for die in reading.dice}
    return {
        name: tuple(sorted(die.face for die in dice if die.id in doubted))
        for name, dice in in_play(reading, players).items()
    }


def under_cover(shown: Counter[str], players: Sequence[PlayerDice]) -> Message | None:
    """The message shown while dice seem to be under cups or hands; else None.

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
