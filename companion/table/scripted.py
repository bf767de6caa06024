"""A fake reader for tests: it says what it was told each picture shows, and remembers how often it was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, repeat

from hardware.camera import Image
from vision.reading import Die, Reading


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
