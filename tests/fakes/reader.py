"""Fakes for reading the dice: readers with a fixed answer, and a stillness check with a fixed answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from hardware.camera.protocol import Image
from vision.cloth import Ignore
from vision.reading import Die, Lab, Reading, Stillness


class ScriptedReader:
    """A fake reader. It knows a picture by the grey level of its upper left pixel.

    A picture's readings are returned in order, the last one for ever. An exception among them is raised.
    """

    def __init__(self, script: Mapping[int, Sequence[Reading | Exception]]) -> None:
        self._script = {grey: list(readings) for grey, readings in script.items()}
        self.asked: list[int] = []
        """The grey level of each picture read so far."""
        self.closely: list[bool] = []
        """Whether it was read closely."""
        self.widths: list[float | None] = []
        """The width of the dice that it was told."""
        self.palette: dict[str, Lab] = {}
        """The colours of the dice that it was told last."""

    def read(
        self, image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
    ) -> Reading:
        """The next reading of this picture. Raises `KeyError` for a picture that is not in the script."""
        grey = int(image[0, 0, 0])
        self.asked.append(grey)
        self.closely.append(closely)
        self.widths.append(die_width)
        readings = self._script[grey]
        reading = readings.pop(0) if len(readings) > 1 else readings[0]
        if isinstance(reading, Exception):
            raise reading
        return reading

    def with_palette(self, palette: Mapping[str, Lab]) -> ScriptedReader:
        """As `vision.reader.Reader.with_palette`, but this one."""
        self.palette = dict(palette)
        return self

    def with_profile(self, profile: object) -> ScriptedReader:
        """As `vision.reader.Reader.with_profile`."""
        return self

    def read_cautiously(self, image: Image) -> Reading:
        """As `vision.reader.Reader.read_cautiously`."""
        return self.read(image).cautious()

    def confirms(self, reading: Reading, before: Image, image: Image) -> bool:
        """Whether the next reading of this picture, which is still to be read, has the same faces and colours."""
        other = self._script[int(image[0, 0, 0])][0]
        assert isinstance(other, Reading)
        one, two = (Counter((die.colour, die.face) for die in each.dice) for each in (reading, other))
        return one == two


class FakeReader:
    """A fake reader: whatever the camera shows, it reads `dice`."""

    def __init__(self) -> None:
        self.dice: tuple[Die, ...] = ()

    def read(
        self, image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
    ) -> Reading:
        """As `vision.reader.Reader.read`."""
        return Reading(self.dice, width=image.shape[1], height=image.shape[0])

    def with_palette(self, palette: object) -> FakeReader:
        """As `vision.reader.Reader.with_palette`."""
        return self

    def with_profile(self, profile: object) -> FakeReader:
        """As `vision.reader.Reader.with_profile`."""
        return self

    def read_cautiously(self, image: Image) -> Reading:
        """As `vision.reader.Reader.read_cautiously`."""
        return self.read(image).cautious()

    def confirms(self, reading: Reading, before: Image, image: Image) -> bool:
        """As `vision.reader.Reader.confirms`."""
        return reading.dice == self.dice


class FakeStillness:
    """A fake detector of stillness: the table is always still, or never."""

    still = True
    left_out = hiding = np.zeros((1, 1), np.bool_)
    place = None

    def see(self, image: Image, at: float) -> Stillness:
        """As `vision.stillness.StillnessCheck.see`."""
        return Stillness.STILL if self.still else Stillness.MOVING

    def reset(self) -> None:
        """Nothing to forget."""


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
