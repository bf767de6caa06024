"""All dice thrown: what the reader sees, as a figure and a verdict, before anybody plays for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from calibration.image import Image, grey_of
from companion.engine.said import Colour, Dice, Said

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels."""

SURE: Final = 0.5
"""The confidence below which players are asked about a die: `vision.reading.UNCERTAIN_BELOW`."""
SMALL: Final = 20.0
"""Pixels: dice that are narrower are read less well."""


class Verdict(StrEnum):
    """What to make of it."""

    GOOD = "good"
    USABLE = "usable"
    MOVE_THE_LAMP = "move the lamp"


@dataclass(frozen=True, slots=True)
class Thrown:
    """One die as the reader saw it."""

    face: int
    colour: str
    confidence: float
    """0 to 1."""
    box: Box


@dataclass(frozen=True, slots=True)
class Check:
    """How well the table is read."""

    figure: int
    """0 to 100: of the dice that should be there, how many were read, each counted by how sure that is."""
    verdict: Verdict
    sentence: Said
    reasons: tuple[Said, ...]
    """What is wrong and what to do, most important first; empty when it is good."""
    seen: int
    sure: int


def check(thrown: Sequence[Thrown], dice: Mapping[str, int] | int | None = None, image: Image | None = None) -> Check:
    """Judge one reading.

    `dice`: how many should lie there, of each colour or in all, if it is known; `image`: the picture that was read, in
    whose pixels the boxes are.
    """
    wanted = sum(dice.values()) if isinstance(dice, Mapping) else dice if dice is not None else len(thrown)
    sure = sum(die.confidence >= SURE for die in thrown)
    reasons = _reasons(thrown, dice, image)
    most = max(wanted, len(thrown))
    figure = round(100 * sum(die.confidence for die in thrown) / most) if most else 0
    if most and sure == len(thrown) == wanted and not reasons:
        verdict = Verdict.GOOD
    elif most and len(thrown) >= 0.9 * wanted and len(thrown) <= 1.1 * wanted and sure >= 0.8 * most:
        verdict = Verdict.USABLE
    else:
        verdict = Verdict.MOVE_THE_LAMP
    return Check(figure, verdict, Said(_SAID[verdict], sure=sure, dice=Dice(wanted)), reasons, len(thrown), sure)


_SAID: Final = {
    Verdict.GOOD: "Good: I read {sure} of {dice} surely.",
    Verdict.USABLE: "Usable: I read {sure} of {dice} surely, and shall ask about the others.",
    Verdict.MOVE_THE_LAMP: "Move the lamp: I read only {sure} of {dice} surely.",
}


def _reasons(thrown: Sequence[Thrown], dice: Mapping[str, int] | int | None, image: Image | None) -> tuple[Said, ...]:
    reasons: list[Said] = []
    if isinstance(dice, Mapping):
        seen = Counter(die.colour for die in thrown)
        for colour in {**dice, **seen}:
            if seen[colour] != dice.get(colour, 0):
                reasons.append(
                    Said(
                        "I see {seen} of {dice}.",
                        seen=seen[colour],
                        dice=Dice(dice.get(colour, 0), colour),
                    )
                    if dice.get(colour, 0)
                    else Said("I see {colour} dice, which nobody plays.", colour=Colour(colour))
                )
    elif dice is not None and len(thrown) != dice:
        reasons.append(Said("I see {seen} of {dice}.", seen=len(thrown), dice=Dice(dice)))
    if thrown and float(np.median([max(die.box[2:]) for die in thrown])) < SMALL:
        reasons.append(Said("The dice are small in the picture: bring the camera nearer, or take larger pictures."))
    if image is not None and thrown:
        reasons += _lit(thrown, image)
    return tuple(reasons)


def _lit(thrown: Sequence[Thrown], image: Image) -> list[Said]:
    return [] if grey_of(image).size else []
