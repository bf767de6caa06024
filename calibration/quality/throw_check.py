"""A test throw of all dice: how well they are read, as a figure and a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

import numpy as np

from calibration.image import Grey, Image, grey_of
from companion.messages.message import Dice, Message

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels."""

SURE_CONFIDENCE: Final = 0.5
"""The confidence below which players are asked about a die: `vision.reading.UNCERTAIN_BELOW`."""
SMALL_DIE_PX: Final = 20.0
"""Pixels: narrower dice are read less well."""

_GLARE: Final = 0.15
"""The share of a die that may be burnt out."""
_WHITE: Final = 252
_DARK: Final = 35.0
"""Grey levels."""
_DARKER: Final = 0.55
"""Relative to the brightness round the other dice."""


class ThrowVerdict(StrEnum):
    """The verdict on a throw."""

    GOOD = "good"
    USABLE = "usable"
    MOVE_THE_LAMP = "move the lamp"
    """Not playable. Most often it is the light; the reasons say what else."""


class ThrowDie(Protocol):
    """A die as the reader gives it: `vision.reading.Die`."""

    @property
    def colour(self) -> str: ...
    @property
    def confidence(self) -> float:
        """0 to 1."""

    @property
    def box(self) -> Box: ...


@dataclass(frozen=True, slots=True)
class ThrowCheck:
    """How well the table is read."""

    figure: int
    """0 to 100: the share of the expected dice that were read, weighted by confidence."""
    verdict: ThrowVerdict
    sentence: Message
    reasons: tuple[Message, ...]
    """What is wrong and what to do, most important first; empty if good."""
    seen: int
    sure: int


def check_throw(
    thrown: Sequence[ThrowDie], dice: Mapping[str, int] | int | None = None, image: Image | None = None
) -> ThrowCheck:
    """Judge one reading.

    `dice` is the expected number, by colour or in all; `image` is the picture that was read.
    """
    wanted = sum(dice.values()) if isinstance(dice, Mapping) else dice if dice is not None else len(thrown)
    sure = sum(die.confidence >= SURE_CONFIDENCE for die in thrown)
    counts, lamp = _counts(thrown, dice), _lit(thrown, image)
    most = max(wanted, len(thrown))
    figure = round(100 * sum(die.confidence for die in thrown) / most) if most else 0
    off = abs(len(thrown) - wanted)
    if most and sure == most and not counts:
        verdict = ThrowVerdict.GOOD
    elif most and off <= 0.1 * wanted and sure >= 0.8 * most:
        verdict = ThrowVerdict.USABLE
    else:
        verdict = ThrowVerdict.MOVE_THE_LAMP
    reasons = () if verdict is ThrowVerdict.GOOD else (*lamp, *_small(thrown), *counts)
    key = "no lamp" if verdict is ThrowVerdict.MOVE_THE_LAMP and reasons and not lamp else verdict.value
    return ThrowCheck(figure, verdict, Message(_SAID[key], sure=sure, dice=Dice(wanted)), reasons, len(thrown), sure)


_SAID: Final = {
    "good": "Good: I read {sure} of {dice} surely.",
    "usable": "Usable: I read {sure} of {dice} surely, and would ask about the others.",
    "move the lamp": "Move the lamp: I read only {sure} of {dice} surely.",
    "no lamp": "Not good enough: I read only {sure} of {dice} surely.",
}


def _counts(thrown: Sequence[ThrowDie], dice: Mapping[str, int] | int | None) -> list[Message]:
    """Which dice are missing, or too many."""
    if dice is None or (isinstance(dice, int) and len(thrown) == dice):
        return []
    if isinstance(dice, int):
        return [Message("I see {seen} of {dice}.", seen=len(thrown), dice=Dice(dice))]
    seen = Counter(die.colour for die in thrown)
    wrong = [colour for colour in {**dice, **seen} if seen[colour] != dice.get(colour, 0)]
    return [
        Message("I see {seen} of {dice}.", seen=seen[colour], dice=Dice(dice[colour], colour))
        if dice.get(colour)
        else Message("I see {dice} that nobody plays.", dice=Dice(seen[colour], colour))
        for colour in wrong
    ]


def _small(thrown: Sequence[ThrowDie]) -> list[Message]:
    if not thrown or float(np.median([max(die.box[2:]) for die in thrown])) >= SMALL_DIE_PX:
        return []
    return [Message("The dice are small in the picture: bring the camera nearer, or take larger pictures.")]


def _lit(thrown: Sequence[ThrowDie], image: Image | None) -> list[Message]:
    """What is wrong with the light on the doubtful dice, compared with the others."""
    doubted = [die for die in thrown if die.confidence < SURE_CONFIDENCE]
    if image is None or not doubted:
        return []
    grey = grey_of(image)
    level = {die: _level(grey, die.box) for die in thrown}
    others = [level[die] for die in thrown if die not in doubted]
    dark = float(np.median([level[die] for die in doubted]))
    if float(np.median([_burnt(image, die.box) for die in doubted])) > _GLARE:
        return [Message("A lamp is reflected in the dice I'm not sure about: move it to the side.")]
    if dark < _DARK or (others and dark < _DARKER * float(np.median(others))):
        return [Message("The dice I'm not sure about are in the dark: move the lamp closer to them.")]
    return []


def _level(grey: Grey, box: Box) -> float:
    """The brightness of the table round a die, in grey levels."""
    x, y, width, height = box
    rows = slice(max(0, round(y - height / 2)), round(y + 1.5 * height))
    patch = grey[rows, max(0, round(x - width / 2)) : round(x + 1.5 * width)]
    return float(np.median(patch)) if patch.size else 0.0


def _burnt(image: Image, box: Box) -> float:
    """The burnt-out share of a die."""
    x, y, width, height = box
    patch = image[max(0, round(y)) : round(y + height), max(0, round(x)) : round(x + width)]
    return float((patch.min(axis=2) >= _WHITE).mean()) if patch.size else 0.0
