"""A reading at the table: its dice have numbers, and players can correct them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from vision.reading import Box, Die, Reading

SMALLEST: Final = 1.0
"""The least width and height of a box, in pixels."""


@dataclass(frozen=True, slots=True)
class TableDie:
    """One die of a reading, as read or corrected."""

    id: int
    """Does not change if other dice are added or removed."""
    face: int
    colour: str
    box: Box
    """x, y, width, height in pixels of the picture."""
    confidence: float
    uncertain: bool
    likeliest: tuple[tuple[int, float], ...] = ()
    corrected: bool = False
    """Whether a player has corrected or confirmed this die."""


@dataclass(frozen=True, slots=True)
class TableReading:
    """The dice in one picture, with the players' corrections."""

    id: int
    """Also the name of the picture."""
    dice: tuple[TableDie, ...]
    width: int
    """The width of the picture, in pixels."""
    height: int
    next_die: int = 0
    """The id of the next die to be added."""
    picture: bool = True
    """Whether the picture is on disk."""

    @classmethod
    def of(cls, reading: Reading, number: int = 0, picture: bool = True) -> TableReading:
        """A new reading from the camera's, with its dice numbered from 0."""
        dice = tuple(table_die(die, n) for n, die in enumerate(reading.dice))
        return cls(number, dice, reading.width, reading.height, len(dice), picture)

    def die(self, number: int) -> TableDie | None:
        """The die of that number; None if there is none or it was removed."""
        return next((die for die in self.dice if die.id == number), None)

    def set(self, number: int, face: int | None, colour: str | None) -> TableReading:
        """The reading with one die corrected (None leaves a value as it is). A face a player names is certain."""
        return replace(
            self,
            dice=tuple(
                replace(
                    die,
                    face=die.face if face is None else face,
                    colour=die.colour if colour is None else colour,
                    uncertain=die.uncertain and face is None,
                    corrected=True,
                )
                if die.id == number
                else die
                for die in self.dice
            ),
        )

    def add(self, face: int, colour: str, box: Box) -> TableReading:
        """The reading with one more die."""
        die = TableDie(self.next_die, face, colour, box, confidence=1.0, uncertain=False, corrected=True)
        return replace(self, dice=(*self.dice, die), next_die=self.next_die + 1)

    def strike(self, number: int) -> TableReading:
        """The reading without a die."""
        return replace(self, dice=tuple(die for die in self.dice if die.id != number))


def table_die(die: Die, number: int) -> TableDie:
    """A die of the camera's reading, with a number, and Python numbers instead of numpy's for the journal."""
    x, y, width, height = (round(float(value), 1) for value in die.box)
    likeliest = tuple((int(face), float(share)) for face, share in die.likeliest)
    return TableDie(
        number, int(die.face), die.colour, (x, y, width, height), float(die.confidence), bool(die.uncertain), likeliest
    )
