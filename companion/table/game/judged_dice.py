"""The dice of verdicts that stand: as the camera read them, and what the players said. Pure.

A verdict stands once the players have gone on: until then they may correct its dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from companion.table.game import events
from companion.table.game.history import History
from companion.table.game.table_reading import TableReading
from vision.reading import Box


class Word(StrEnum):
    """What the players said of a die."""

    CONFIRMED = "confirmed"
    """They named the face that was read."""
    CORRECTED = "corrected"
    """They named another face."""
    RECOLOURED = "recoloured"
    """They named another colour, and no face."""
    STRUCK = "struck"
    """They removed it: it is no die, or not in play."""
    ADDED = "added"
    """They added it: the camera had missed it."""
    UNDISPUTED = "undisputed"
    """Nothing. They may not have looked at it."""


@dataclass(frozen=True, slots=True)
class JudgedDie:
    """One die of a reading that was judged."""

    read: events.TableDie | None
    """As the camera read it; None if it was added."""
    word: Word
    face: int
    """As judged; of one that was struck, as read."""
    colour: str
    box: Box

    @property
    def is_known(self) -> bool:
        """Whether the camera or the players were sure of its face: the verdict may not have depended on it."""
        unnamed = self.word in (Word.UNDISPUTED, Word.RECOLOURED)
        return self.read is None or not (self.read.uncertain and unnamed)


@dataclass(frozen=True, slots=True)
class JudgedReading:
    """A reading whose verdict stands, with every die that was read or added."""

    id: int
    width: int
    height: int
    dice: tuple[JudgedDie, ...]


def judged_readings(history: History) -> list[JudgedReading]:
    """The readings of this game and the one before whose verdicts stand, oldest first.

    Dice that were counted by hand, rolled for the opening or read again are not among them.
    """
    steps, step = [], history.last
    while step is not None:
        steps.append(step)
        step = step.earlier
    return list(_standing(event for step in reversed(steps) for event in step.events))


def _standing(all_events: Iterable[events.Event]) -> Iterator[JudgedReading]:
    taken: events.ReadingTaken | None = None
    corrections: list[events.DieSet | events.DieAdded | events.DieStruck] = []
    judged = False
    for event in all_events:
        match event:
            case events.ReadingTaken():
                taken, corrections, judged = event, [], False
            case events.DieSet() | events.DieAdded() | events.DieStruck():
                corrections.append(event)
                judged = False
            case events.Judged():
                judged = True
            case events.ReadingAsked() | events.CountedByHand() | events.Rolled():
                taken = None
            case events.RoundOpened() | events.GameOpened() | events.GameEnded():
                if taken is not None and judged:
                    yield _judged_reading(taken, corrections)
                taken = None


def _judged_reading(
    taken: events.ReadingTaken, corrections: Iterable[events.DieSet | events.DieAdded | events.DieStruck]
) -> JudgedReading:
    final = TableReading.of(taken)
    named = set()
    for event in corrections:
        final = final.corrected(event)
        if isinstance(event, events.DieSet) and event.face is not None:
            named.add(event.die)
    dice = []
    for read in taken.dice:
        die = final.die(read.id)
        if die is None:
            dice.append(JudgedDie(read, Word.STRUCK, read.face, read.colour, read.box))
            continue
        if die.face != read.face:
            word = Word.CORRECTED
        elif read.id in named:
            word = Word.CONFIRMED
        else:
            word = Word.UNDISPUTED if die.colour == read.colour else Word.RECOLOURED
        dice.append(JudgedDie(read, word, die.face, die.colour, die.box))
    added = (die for die in final.dice if die.id >= len(taken.dice))
    dice += [JudgedDie(None, Word.ADDED, die.face, die.colour, die.box) for die in added]
    return JudgedReading(taken.id, taken.width, taken.height, tuple(dice))
