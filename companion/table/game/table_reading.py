"""A reading as the table holds it: every die has a number to tap, and may have been corrected."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from vision.reading import Box, Die, Reading

SMALLEST: Final = 1.0
"""Pixels: a box narrower or lower than this is none."""


@dataclass(frozen=True, slots=True)
class TableDie:
    """One die of a reading, as read or as the players say it is."""

    id: int
    """Stays the same while other dice of the reading are added and struck."""
    face: int
    colour: str
    box: Box
    """x, y, width, height in pixels of the picture."""
    confidence: float
    uncertain: bool
    likeliest: tuple[tuple[int, float], ...] = ()
    corrected: bool = False
    """Whether a player has said what this die is."""


@dataclass(frozen=True, slots=True)
class TableReading:
    """Everything seen in one judged picture, with the players' corrections."""

    id: int
    """Names the picture, too."""
    dice: tuple[TableDie, ...]
    width: int
    """Width in pixels of the picture."""
    height: int
    added: int = 0
    """How many dice have had a number so far: the next one added gets this."""
    picture: bool = True
    """Whether the picture is on disk."""

    @classmethod
    def of(cls, reading: Reading, number: int = 0, picture: bool = True) -> TableReading:
        """The reading `number` as the camera has it, its dice numbered from 0."""
        dice = tuple(seen(die, n) for n, die in enumerate(reading.dice))
        return cls(number, dice, reading.width, reading.height, len(dice), picture)

    def die(self, number: int) -> TableDie | None:
        """The die of that number, None when there is none or it was struck out."""
        return next((die for die in self.dice if die.id == number), None)

    def set(self, number: int, face: int | None, colour: str | None) -> TableReading:
        """With one die as a player says it is. Its face is certain from then on only where a player named it."""
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
        """With one more die, which the camera missed."""
        die = TableDie(self.added, face, colour, box, confidence=1.0, uncertain=False, corrected=True)
        return replace(self, dice=(*self.dice, die), added=self.added + 1)

    def strike(self, number: int) -> TableReading:
        """Without something that is not a die."""
        return replace(self, dice=tuple(die for die in self.dice if die.id != number))


def seen(die: Die, number: int) -> TableDie:
    """A die as the camera read it, with its number. Plain numbers: numpy's cannot be written to the journal."""
    x, y, width, height = (round(float(value), 1) for value in die.box)
    likeliest = tuple((int(face), float(share)) for face, share in die.likeliest)
    return TableDie(
        number, int(die.face), die.colour, (x, y, width, height), float(die.confidence), bool(die.uncertain), likeliest
    )
