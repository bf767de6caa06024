"""The players' colours, learned under the table's own light: one die a player, or straight from the opening roll.

Measured as `vision.colours` measures a body when it reads: the median of CIE Lab in the middle of the die, of which
pips are less than half.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.grade import Finding, Grade, worst
from calibration.image import Doubles, Image
from calibration.palette import COLOURS
from calibration.profile import Row
from companion.engine.said import Colour, Names, Said

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels."""

SPREAD: Final = (20.0, 5.0, 5.0)
"""How far, in L, a and b, dice of one colour lie apart on one table, as `vision.colours` weighs them."""
APART: Final = (6.0, 3.5)
"""How many spreads two colours must be apart to be told apart well, and usably."""

_REACH: Final = 0.36
"""Half the side of what is looked at, in die widths."""
_STRAY: Final = 3.0
"""Spreads by which a die may lie off its colour before it is left out."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A die in the picture, and whose it is."""

    box: Box
    colour: str
    """One of `calibration.palette.COLOURS`: what the user, or the reader, calls it."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned."""

    palette: Mapping[str, Row]
    """By colour: CIE Lab."""
    seen: Mapping[str, int]
    """By colour: from how many dice."""
    findings: tuple[Finding, ...]
    """What could be better; empty when all is well. `what` is "apart", "even", "dark", "bright" or "missing"."""

    @property
    def grade(self) -> Grade:
        """The worst of the findings; good where there are none."""
        return worst(each.grade for each in self.findings)

    @property
    def sentence(self) -> Said:
        """What to do first, or that all is well."""
        for grade in (Grade.BAD, Grade.USABLE):
            for each in self.findings:
                if each.grade is grade:
                    return each.sentence
        return Said("The colours are told apart well.")


def body(image: Image, box: Box) -> Row:
    """The CIE Lab (L 0 to 100) of the middle of a die."""
    x, y, width, height = box
    reach = _REACH * max(width, height)
    left, top = max(0, round(x + width / 2 - reach)), max(0, round(y + height / 2 - reach))
    patch = image[top : max(top + 1, round(y + height / 2 + reach)), left : max(left + 1, round(x + width / 2 + reach))]
    if not patch.size:
        raise ValueError(f"the die at {box} lies outside the picture")
    lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    light, a, b = np.median(lab, axis=0).tolist()
    return light, a, b


def learn(image: Image, dice: Sequence[Marked], playing: Sequence[str] = ()) -> Learned:
    """The palette that these dice show. Of one die a player, or of a whole opening roll: what is off is left out.

    `playing`: the colours that should be there; one without a die is told. Raises `ValueError` for a box outside the
    picture or a colour that dice do not have.
    """
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for die in dice:
        if die.colour not in COLOURS:
            raise ValueError(f"dice have no colour {die.colour!r}")
        found[die.colour].append(body(image, die.box))
    palette, findings = {}, []
    for colour in COLOURS:
        if colour in found:
            palette[colour] = _middle(np.array(found[colour]))
        elif colour in playing:
            findings.append(
                Finding("missing", Grade.BAD, 0.0, Said("I see no {colour} die: put one there.", colour=Colour(colour)))
            )
    findings += _apart(palette)
    return Learned(palette, {colour: len(labs) for colour, labs in found.items()}, tuple(findings))


def distance(one: Row, other: Row) -> float:
    """How many spreads two bodies' colours are apart."""
    return float(np.linalg.norm((np.array(one) - np.array(other)) / np.array(SPREAD)))


def _middle(labs: Doubles) -> Row:
    """The colour of most of them."""
    middle = np.median(labs, axis=0)
    near = np.linalg.norm((labs - middle) / np.array(SPREAD), axis=1) <= _STRAY
    light, a, b = (np.median(labs[near], axis=0) if near.any() else middle).tolist()
    return light, a, b


def _apart(palette: Mapping[str, Row]) -> list[Finding]:
    findings = []
    names = list(palette)
    for n, one in enumerate(names):
        for other in names[n + 1 :]:
            apart = distance(palette[one], palette[other])
            both = Names((Said("{colour}", colour=Colour(one)), Said("{colour}", colour=Colour(other))))
            if apart < APART[1]:
                said = Said("Under this light I cannot tell {colours} apart: change one for another colour, or the lamp for a "
                            "white one.", colours=both)  # fmt: skip
                findings.append(Finding("apart", Grade.BAD, apart, said))
            elif apart < APART[0]:
                said = Said(
                    "Under this light {colours} look much alike: a whiter or brighter lamp helps.", colours=both
                )
                findings.append(Finding("apart", Grade.USABLE, apart, said))
    return findings
