"""Judges a test throw of all dice: how well they are read, as a figure and a verdict.

One throw that was read proves little: where the picture itself is poor, other throws will not be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

import numpy as np

from calibration.grade import Grade
from calibration.image import Box, Grey, Image, grey_of
from calibration.quality.picture_quality import IS_BLURRED, faults, size
from companion.messages.message import Dice, Message

SURE_CONFIDENCE: Final = 0.5
"""The confidence below which players are asked about a die: `vision.reading.UNCERTAIN_BELOW`."""

_BURNT_SHARE: Final = 0.15
"""The share of a die that may be overexposed."""
_WHITE_LEVEL: Final = 252
_DARK_LEVEL: Final = 35.0
"""Grey level of the table round a die below which it lies in the dark."""
_DARK_SHARE: Final = 0.55
"""The same, as a share of the grey level round the other dice."""


class ThrowVerdict(StrEnum):
    """The verdict on a throw."""

    GOOD = "good"
    USABLE = "usable"
    MOVE_THE_LAMP = "move the lamp"
    """Not playable. Mostly the light is to blame; the reasons say what else."""


class ThrowDie(Protocol):
    """A die as the reader gives it: `vision.reading.Die`."""

    @property
    def confidence(self) -> float:
        """0 to 1."""

    @property
    def box(self) -> Box: ...


@dataclass(frozen=True, slots=True)
class ThrowCheck:
    figure: int
    """0 to 100: the share of the expected dice that were read, weighted by confidence."""
    verdict: ThrowVerdict
    sentence: Message
    reasons: tuple[Message, ...]
    """What is wrong and what to do about it, most important first; empty if good."""
    seen: int
    sure: int


def check_throw(
    dice: Sequence[ThrowDie], image: Image, expected: int | None = None, *, blurred: bool = False
) -> ThrowCheck:
    """Judge the reading of a picture; `expected` is how many dice lie there, by default as many as were read.

    blurred: the reader finds the dice blurred.
    """
    seen = len(dice)
    wanted = seen if expected is None else expected
    sure = sum(die.confidence >= SURE_CONFIDENCE for die in dice)
    most = max(wanted, seen)
    figure = round(100 * sum(die.confidence for die in dice) / most) if most else 0
    boxes = [die.box for die in dice]
    poor = faults(image, boxes) if boxes else ()
    if blurred and IS_BLURRED not in poor:
        poor = (*poor, IS_BLURRED)
    read = most > 0 and sure == wanted == seen
    if read and not poor:
        verdict = ThrowVerdict.GOOD
    elif most and abs(seen - wanted) <= 0.1 * wanted and sure >= 0.8 * most and not poor:
        verdict = ThrowVerdict.USABLE
    else:
        verdict = ThrowVerdict.MOVE_THE_LAMP
    lamp = _light_reasons(dice, image)
    counts = [] if seen == wanted else [Message("I see {seen} of {dice}.", seen=seen, dice=Dice(wanted))]
    reasons = () if verdict is ThrowVerdict.GOOD else (*poor, *lamp, *_size_reasons(image, boxes), *counts)
    if read and poor:
        sentence = Message("Not good enough: I can read this throw, but perhaps not the next.")
    else:
        other = verdict is ThrowVerdict.MOVE_THE_LAMP and reasons and (poor or not lamp)
        sentence = Message(_SENTENCES["no lamp" if other else verdict.value], sure=sure, dice=Dice(wanted))
    return ThrowCheck(figure, verdict, sentence, reasons, seen, sure)


_SENTENCES: Final = {
    "good": "Good: I am sure of {sure} of {dice}.",
    "usable": "Usable: I am sure of {sure} of {dice}, and would ask about the others.",
    "move the lamp": "Move the lamp: I am sure of only {sure} of {dice}.",
    "no lamp": "Not good enough: I am sure of only {sure} of {dice}.",
}


def _size_reasons(image: Image, boxes: Sequence[Box]) -> list[Message]:
    found = size(image.shape[1], boxes)
    return [found.sentence] if boxes and found is not None and found.grade is Grade.USABLE else []


def _light_reasons(dice: Sequence[ThrowDie], image: Image) -> list[Message]:
    """What is wrong with the light on the doubtful dice, compared with the others."""
    doubted = [die for die in dice if die.confidence < SURE_CONFIDENCE]
    if not doubted:
        return []
    grey = grey_of(image)
    others = [_level(grey, die.box) for die in dice if die.confidence >= SURE_CONFIDENCE]
    dark = float(np.median([_level(grey, die.box) for die in doubted]))
    if float(np.median([_burnt(image, die.box) for die in doubted])) > _BURNT_SHARE:
        return [Message("A lamp is reflected in the dice I'm not sure about: move it to the side.")]
    if dark < _DARK_LEVEL or (others and dark < _DARK_SHARE * float(np.median(others))):
        return [Message("The dice I'm not sure about are in the dark: move the lamp closer to them.")]
    return []


def _level(grey: Grey, box: Box) -> float:
    """Grey level of the table round a die."""
    x, y, width, height = box
    rows = slice(max(0, round(y - height / 2)), round(y + 1.5 * height))
    patch = grey[rows, max(0, round(x - width / 2)) : round(x + 1.5 * width)]
    return float(np.median(patch)) if patch.size else 0.0


def _burnt(image: Image, box: Box) -> float:
    """The overexposed share of a die."""
    x, y, width, height = box
    patch = image[max(0, round(y)) : round(y + height), max(0, round(x)) : round(x + width)]
    return float((patch.min(axis=2) >= _WHITE_LEVEL).mean()) if patch.size else 0.0
