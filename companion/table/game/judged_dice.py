"""The dice of final verdicts: the camera's reading, and the players' feedback. Pure.

A verdict is final once the players have gone on; until then they may correct its dice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from companion.table.game import events
from companion.table.game.history import History, by_round
from companion.table.game.table_reading import TableReading
from vision.reading import Box


class Feedback(StrEnum):
    """What the players said about a die."""

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
    """They said nothing. They may not have looked at it."""


@dataclass(frozen=True, slots=True)
class JudgedDie:
    """A die of a judged reading."""

    read: events.TableDie | None
    """As the camera read it; None if it was added."""
    feedback: Feedback
    face: int
    """As judged; for a die that was struck, as read."""
    colour: str
    box: Box

    @property
    def is_known(self) -> bool:
        """True if the camera or the players were sure of its face; otherwise the verdict did not depend on it."""
        unnamed = self.feedback in (Feedback.UNDISPUTED, Feedback.RECOLOURED)
        return self.read is None or not (self.read.uncertain and unnamed)


@dataclass(frozen=True, slots=True)
class JudgedReading:
    """A reading with a final verdict, with every die that was read or added."""

    id: int
    width: int
    height: int
    dice: tuple[JudgedDie, ...]


def judged_readings(history: History) -> list[JudgedReading]:
    """The readings with final verdicts of this game and the previous one, oldest first.

    Dice that were counted by hand, rolled for the opening or read again are not included.
    """
    steps, step = [], history.last
    while step is not None:
        steps.append(step)
        step = step.earlier
    played = list(by_round(event for step in reversed(steps) for event in step.events))
    if played and not isinstance(played[-1][-1], events.GameEnded):
        played.pop()  # its dice can still be corrected
    return [reading for each in played if (reading := _judged_reading(each)) is not None]


def _judged_reading(played: Iterable[events.Event]) -> JudgedReading | None:
    """The reading by which this round was judged; None without one."""
    taken: events.ReadingTaken | None = None
    corrections: list[events.DieSet | events.DieAdded | events.DieStruck] = []
    judged = False
    for event in played:
        match event:
            case events.ReadingTaken():
                taken, corrections, judged = event, [], False
            case events.DieSet() | events.DieAdded() | events.DieStruck():
                corrections.append(event)
                judged = False
            case events.Judged():
                judged = True
            case events.ReadingAsked() | events.CountedByHand():
                taken = None
    if taken is None or not judged:
        return None
    final = TableReading.of(taken)
    for correction in corrections:
        final = final.corrected(correction)
    named = {each.die for each in corrections if isinstance(each, events.DieSet) and each.face is not None}
    dice = []
    for read in taken.dice:
        die = final.die(read.id)
        if die is None:
            dice.append(JudgedDie(read, Feedback.STRUCK, read.face, read.colour, read.box))
            continue
        if die.face != read.face:
            feedback = Feedback.CORRECTED
        elif read.id in named:
            feedback = Feedback.CONFIRMED
        else:
            feedback = Feedback.UNDISPUTED if die.colour == read.colour else Feedback.RECOLOURED
        dice.append(JudgedDie(read, feedback, die.face, die.colour, die.box))
    added = (die for die in final.dice if die.id >= len(taken.dice))
    dice += [JudgedDie(None, Feedback.ADDED, die.face, die.colour, die.box) for die in added]
    return JudgedReading(taken.id, taken.width, taken.height, tuple(dice))
