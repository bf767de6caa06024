"""Fakes for tests: a reader that says what it was told each picture shows, and a table with nothing round it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

from companion.table import commands
from companion.table.game import events
from companion.table.game.decide import decide
from companion.table.game.history import History
from companion.table.game.position import TablePosition
from hardware.camera.protocol import Image
from vision.reading import Die, Reading


@dataclass
class Desk:
    """A fake: a table with nothing round it. No disk, no camera, no clock: commands in, and what came of them."""

    history: History = field(default_factory=History)
    lines: list[tuple[events.Event, ...]] = field(default_factory=list)
    """What a journal would hold: the events of each command."""

    @property
    def position(self) -> TablePosition:
        """The table now."""
        return self.history.position

    @property
    def happened(self) -> list[events.Event]:
        """All events, one after the other."""
        return list(chain.from_iterable(self.lines))

    def do(self, *given: commands.Command) -> TablePosition:
        """Carry commands out. Raises what `companion.table.game.decide.decide` raises."""
        for command in given:
            self.take(decide(self.position, command))
        return self.position

    def take(self, line: tuple[events.Event, ...]) -> TablePosition:
        """What was decided happens."""
        self.history = self.history.after(line)
        self.lines.append(line)
        return self.position

    def read(self, shown: Mapping[str, Sequence[int]], **more: Sequence[tuple[str, int]]) -> TablePosition:
        """The camera reads these dice; see `laid_out`."""
        return self.do(commands.TakeReading(self.position.reveals, laid_out(shown, **more), True))  # type: ignore[arg-type]

    def undo(self) -> TablePosition:
        """Take the last step back."""
        return self.take((events.Undone(),))

    def redo(self) -> TablePosition:
        """Do it again."""
        return self.take((events.Redone(),))


class ScriptedReader:
    """A fake. Knows a picture by the grey level of its upper left pixel, and gives its readings one after another.

    When a picture's readings are used up, its last one is given for ever. An exception in the place of a reading is
    raised.
    """

    def __init__(self, script: Mapping[int, Sequence[Reading | Exception]]) -> None:
        self._script = {grey: chain(given, repeat(given[-1])) for grey, given in script.items()}
        self.asked: list[int] = []
        """The grey level of each picture read so far."""

    def read(self, image: Image) -> Reading:
        """What the script says of this picture. Raises `KeyError` for one that is not in it."""
        grey = int(image[0, 0, 0])
        self.asked.append(grey)
        said = next(self._script[grey])
        if isinstance(said, Exception):
            raise said
        return said


def laid_out(
    shown: Mapping[str, Sequence[int]],
    *,
    uncertain: Sequence[tuple[str, int]] = (),
    size: tuple[int, int] = (1280, 960),
) -> Reading:
    """A reading of dice laid out in rows: colour -> faces; `uncertain` names dice by colour and place in their row."""
    dice = []
    for row, (colour, faces) in enumerate(shown.items()):
        for place, face in enumerate(faces):
            confidence = 0.3 if (colour, place) in uncertain else 0.98
            box = (40.0 + 60 * place, 40.0 + 80 * row, 40.0, 40.0)
            dice.append(Die(face, colour, box, confidence, ((face, confidence),)))
    return Reading(tuple(dice), *size)
