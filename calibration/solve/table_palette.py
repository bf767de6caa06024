"""The players' colours, learned under the table's own light: one die a player, or straight from the opening roll.

Measured as `vision.pipeline.die_colour` measures a body when it reads: the median of CIE Lab in the middle of the die,
of which pips are less than half.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from calibration.grade import Finding, Grade, first, worst
from calibration.image import Doubles, Image
from calibration.palette import COLOURS
from calibration.profile import Row
from companion.messages.message import ADie, Colour, Message, Names

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels."""

SPREAD: Final = (20.0, 5.0, 5.0)
"""How far, in L, a and b, dice of one colour lie apart on one table, as `vision.pipeline.die_colour` weighs them."""
APART: Final = (3.5, 1.8)
"""How many spreads two colours must be apart to be told apart well, and usably: from 3 on, a die that is off by one
spread is still four times as likely the one as the other."""
DARK: Final = 6.0
"""L below which a body's colour is lost in the dark; a black die in good light has 10 or more."""
BRIGHT: Final = 98.0
"""L above which a body is burnt out."""

_REACH: Final = 0.36
"""Half the side of what is looked at, in die widths."""
_ROUND: Final = (0.75, 1.0)
"""Half the side of the frame of table round a die that is looked at, from and to, in die widths."""
_STRAY: Final = 3.0
"""Spreads by which a die may lie off its colour before it is left out."""


@dataclass(frozen=True, slots=True)
class ColourSample:
    """A die in the picture, and whose it is."""

    box: Box
    colour: str
    """One of `calibration.palette.COLOURS`: what the user, or the reader, calls it."""


@dataclass(frozen=True, slots=True)
class TablePalette:
    """What was learned."""

    palette: Mapping[str, Row]
    """By colour: CIE Lab."""
    counts: Mapping[str, int]
    """By colour: from how many dice."""
    findings: tuple[Finding, ...]
    """What could be better; empty when all is well. `what` is "missing", "dark", "bright", "even", "apart" or
    "cloth"."""

    @property
    def grade(self) -> Grade:
        """The worst of the findings; good where there are none."""
        return worst(each.grade for each in self.findings)

    @property
    def sentence(self) -> Message:
        """What to do first, or that all is well."""
        return first(self.findings, Message("The colours are told apart well."))


def body_colour(image: Image, box: Box) -> Row:
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


def learn_palette(image: Image, dice: Sequence[ColourSample], playing: Sequence[str] = ()) -> TablePalette:
    """The palette that these dice show. Of one die a player, or of a whole opening roll: what is off is left out.

    `playing`: the colours that should be there; one without a die is told. Raises `ValueError` for a box outside the
    picture or a colour that dice do not have.
    """
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for die in dice:
        if die.colour not in COLOURS:
            raise ValueError(f"dice have no colour {die.colour!r}")
        found[die.colour].append(body_colour(image, die.box))
    palette: dict[str, Row] = {}
    findings: list[Finding] = []
    for colour in COLOURS:
        if colour in found:
            palette[colour] = _middle(np.array(found[colour]))
            findings += _one(colour, palette[colour], np.array(found[colour]))
        elif colour in playing:
            findings.append(
                Finding("missing", Grade.BAD, 0.0, Message("I do not see {die}: put one there.", die=ADie(colour)))
            )
    findings += _apart(palette)
    findings += _on_cloth(palette, image, dice)
    return TablePalette(palette, {colour: len(labs) for colour, labs in found.items()}, tuple(findings))


def colour_distance(one: Row, other: Row) -> float:
    """How many spreads two bodies' colours are apart."""
    return float(np.linalg.norm((np.array(one) - np.array(other)) / np.array(SPREAD)))


def _middle(labs: Doubles) -> Row:
    """The colour of most of them."""
    middle = np.median(labs, axis=0)
    near = np.linalg.norm((labs - middle) / np.array(SPREAD), axis=1) <= _STRAY
    light, a, b = (np.median(labs[near], axis=0) if near.any() else middle).tolist()
    return light, a, b


def _one(colour: str, middle: Row, labs: Doubles) -> list[Finding]:
    """What can be wrong with one colour alone."""
    named = Colour(colour)
    if middle[0] < DARK:
        said = Message("The {colour} dice are too dark to tell their colour: bring a lamp nearer.", colour=named)
        return [Finding("dark", Grade.BAD, middle[0], said)]
    if middle[0] > BRIGHT:
        said = Message("The {colour} dice are burnt out: dim the lamp, or move it away.", colour=named)
        return [Finding("bright", Grade.USABLE, middle[0], said)]
    off = float(max(colour_distance(tuple(lab), middle) for lab in labs.tolist()))
    if off > _STRAY:
        said = Message(
            "The {colour} dice do not look alike: one lies in a shadow or in a glare, is see-through, or is another's.",
            colour=named,
        )
        return [Finding("even", Grade.USABLE, off, said)]
    return []


def _apart(palette: Mapping[str, Row]) -> list[Finding]:
    findings = []
    for one, other in combinations(palette, 2):
        apart = colour_distance(palette[one], palette[other])
        both = Names((Message("{colour}", colour=Colour(one)), Message("{colour}", colour=Colour(other))))
        if apart < APART[1]:
            said = Message(
                "Under this light I cannot tell {colours} apart: take a whiter lamp, or let one of the two play "
                "another colour.",
                colours=both,
            )
            findings.append(Finding("apart", Grade.BAD, apart, said))
        elif apart < APART[0]:
            said = Message("Under this light {colours} look much alike: a whiter lamp helps.", colours=both)
            findings.append(Finding("apart", Grade.USABLE, apart, said))
    return findings


def _on_cloth(palette: Mapping[str, Row], image: Image, dice: Sequence[ColourSample]) -> list[Finding]:
    """Dice that hardly stand out from what they lie on."""
    findings = []
    for colour, lab in palette.items():
        apart = float(np.median([colour_distance(lab, _cloth(image, die.box)) for die in dice if die.colour == colour]))
        if apart < APART[1] / 2:
            said = Message(
                "The {colour} dice hardly stand out from the table: a cloth of another colour helps.",
                colour=Colour(colour),
            )
            findings.append(Finding("cloth", Grade.USABLE, apart, said))
    return findings


def _cloth(image: Image, box: Box) -> Row:
    """The CIE Lab of the table round a die."""
    x, y, width, height = box
    size = max(width, height)
    least, most = (round(each * size) for each in _ROUND)
    middle_x, middle_y = round(x + width / 2), round(y + height / 2)
    top, left = max(0, middle_y - most), max(0, middle_x - most)
    patch = image[top : middle_y + most, left : middle_x + most]
    outside = np.ones(patch.shape[:2], np.bool_)
    inner_top, inner_left = max(0, middle_y - least - top), max(0, middle_x - least - left)
    outside[inner_top : middle_y + least - top, inner_left : middle_x + least - left] = False
    lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[outside]
    light, a, b = np.median(lab, axis=0).tolist()
    return light, a, b
