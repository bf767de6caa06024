"""A reading at the table: its dice have numbers, and players can correct them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import msgspec

from companion.table.game.events import DieAdded, DieSet, DieStruck, ReadingTaken, TableDie
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class TableReading:
    """The dice in one picture, with the players' corrections."""

    id: int
    """Also the name of the picture."""
    dice: tuple[TableDie, ...]
    width: int
    """The width of the picture, in pixels."""
    height: int
    picture: bool
    """Whether the picture is on disk."""
    next_die: int
    """The id of the next die to be added."""
    unseen: bool = False
    """Whether the table was not seen before the cups went up."""

    @classmethod
    def of(cls, taken: ReadingTaken) -> Self:
        """The reading before any correction."""
        return cls(taken.id, taken.dice, taken.width, taken.height, taken.picture, len(taken.dice), taken.unseen)

    def die(self, number: int) -> TableDie | None:
        """The die of that number; None if there is none or it was removed."""
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
    """The event of a reading by the camera: dice numbered from 0, Python's numbers instead of numpy's."""
    dice = []
    for n, die in enumerate(reading.dice):
        x, y, width, height = (round(float(value), 1) for value in die.box)
        likeliest = tuple((int(face), float(share)) for face, share in die.likeliest)
        confidence, uncertain = float(die.confidence), bool(die.uncertain)
        box = (x, y, width, height)
        dice.append(TableDie(n, int(die.face), die.colour, box, confidence, uncertain, likeliest, flagged=die.flagged))
    return ReadingTaken(number, tuple(dice), reading.width, reading.height, picture, reading.unseen)
