"""Learns the players' colours under the table's own light: from one die a player, or from the opening roll.

A body is measured as `vision.pipeline.die_colour` measures it when reading: the median of CIE Lab in the middle of the
die, less than half of which is pips.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from calibration.grade import Finding, Grade
from calibration.image import Box, Doubles, Floats, Image
from calibration.palette import COLOURS
from calibration.profile import Row
from companion.messages.message import ADie, Colour, Message, Names

SPREAD: Final = (20.0, 5.0, 5.0)
"""Spread in L, a and b of dice of one colour on one table, as `vision.pipeline.die_colour` weighs them."""
_APART: Final = (3.5, 1.8)
"""The number of spreads between two colours that are told apart well, and usably: at 3, a die one spread off is still
four times as likely to have its own colour as the other."""
_DARK_LIGHTNESS: Final = 6.0
"""L below which the colour of a body is lost in the dark; a black die in good light has 10 or more."""
_BURNT_LIGHTNESS: Final = 98.0
"""L above which a body is overexposed."""
_BODY_REACH: Final = 0.36
"""Half the side of the measured part of a die, in die widths."""
_CLOTH_REACH: Final = (0.75, 1.0)
"""Half the inner and the outer side of the ring of table measured round a die, in die widths."""
_STRAY: Final = 3.0
"""Spreads beyond which a die is left out of its colour."""


@dataclass(frozen=True, slots=True)
class ColourSample:
    """A die in the picture."""

    box: Box
    colour: str
    """One of `calibration.palette.COLOURS`, according to the user or the reader."""


@dataclass(frozen=True, slots=True)
class TablePalette:
    palette: Mapping[str, Row]
    """Colour -> CIE Lab."""
    counts: Mapping[str, int]
    """Colour -> the number of dice it was learned from."""
    findings: tuple[Finding, ...]
    """What could be better; empty if all is well. `what` is "missing", "dark", "bright", "even", "apart" or "cloth"."""


def body_colour(image: Image, box: Box) -> Row:
    """The CIE Lab (L 0 to 100) of the middle of a die. Raises `ValueError` for a box outside the picture."""
    x, y, width, height = box
    reach = _BODY_REACH * max(width, height)
    left, top = max(0, round(x + width / 2 - reach)), max(0, round(y + height / 2 - reach))
    patch = image[top : max(top + 1, round(y + height / 2 + reach)), left : max(left + 1, round(x + width / 2 + reach))]
    if not patch.size:
        raise ValueError(f"the die at {box} lies outside the picture")
    return _median(_lab(patch).reshape(-1, 3))


def learn_palette(image: Image, dice: Sequence[ColourSample], playing: Sequence[str] = ()) -> TablePalette:
    """Learn the palette from these dice: one die of each player, or a whole opening roll. Strays are left out.

    `playing` are the colours that should be there. Raises `ValueError` for a box outside the picture or an unknown
    colour.
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
            findings += _colour_faults(colour, palette[colour], np.array(found[colour]))
        elif colour in playing:
            text = Message("I do not see {die}: put one there.", die=ADie(colour))
            findings.append(Finding("missing", Grade.BAD, text))
    findings += _likeness_faults(palette)
    findings += _cloth_faults(palette, image, dice)
    return TablePalette(palette, {colour: len(labs) for colour, labs in found.items()}, tuple(findings))


def colour_distance(one: Row, other: Row) -> float:
    """The distance between two bodies' colours, in spreads."""
    return float(np.linalg.norm((np.array(one) - np.array(other)) / np.array(SPREAD)))


def _middle(labs: Doubles) -> Row:
    """The colour of most of these dice."""
    middle = np.median(labs, axis=0)
    near = np.linalg.norm((labs - middle) / np.array(SPREAD), axis=1) <= _STRAY
    return _median(labs[near]) if near.any() else _median(labs)


def _colour_faults(colour: str, middle: Row, labs: Doubles) -> list[Finding]:
    """What is wrong with one colour alone."""
    named = Colour(colour)
    if middle[0] < _DARK_LIGHTNESS:
        text = Message("The {colour} dice are too dark to tell their colour: bring a lamp nearer.", colour=named)
        return [Finding("dark", Grade.BAD, text)]
    if middle[0] > _BURNT_LIGHTNESS:
        text = Message("The {colour} dice are overexposed: dim the lamp, or move it away.", colour=named)
        return [Finding("bright", Grade.USABLE, text)]
    if any(colour_distance(tuple(lab), middle) > _STRAY for lab in labs.tolist()):
        text = Message(
            "The {colour} dice do not look alike: one is in shadow or glare, see-through, or another player's.",
            colour=named,
        )
        return [Finding("even", Grade.USABLE, text)]
    return []


def _likeness_faults(palette: Mapping[str, Row]) -> list[Finding]:
    """Colours that are easily confused."""
    good, usable = _APART
    findings = []
    for one, other in combinations(palette, 2):
        apart = colour_distance(palette[one], palette[other])
        both = Names((Message("{colour}", colour=Colour(one)), Message("{colour}", colour=Colour(other))))
        if apart < usable:
            text = Message(
                "Under this light I cannot tell {colours} apart: take a whiter lamp, or play other dice than one of "
                "the two.",
                colours=both,
            )
            findings.append(Finding("apart", Grade.BAD, text))
        elif apart < good:
            text = Message("Under this light {colours} look much alike: a whiter lamp helps.", colours=both)
            findings.append(Finding("apart", Grade.USABLE, text))
    return findings


def _cloth_faults(palette: Mapping[str, Row], image: Image, dice: Sequence[ColourSample]) -> list[Finding]:
    """Dice that hardly stand out from the cloth."""
    findings = []
    for colour, lab in palette.items():
        apart = float(np.median([colour_distance(lab, _cloth(image, die.box)) for die in dice if die.colour == colour]))
        if apart < _APART[1] / 2:
            text = Message(
                "The {colour} dice hardly stand out from the table: a cloth of another colour helps.",
                colour=Colour(colour),
            )
            findings.append(Finding("cloth", Grade.USABLE, text))
    return findings


def _cloth(image: Image, box: Box) -> Row:
    """The CIE Lab of the table round a die."""
    x, y, width, height = box
    size = max(width, height)
    least, most = (round(each * size) for each in _CLOTH_REACH)
    middle_x, middle_y = round(x + width / 2), round(y + height / 2)
    top, left = max(0, middle_y - most), max(0, middle_x - most)
    patch = image[top : middle_y + most, left : middle_x + most]
    outside = np.ones(patch.shape[:2], np.bool_)
    inner_top, inner_left = max(0, middle_y - least - top), max(0, middle_x - least - left)
    outside[inner_top : middle_y + least - top, inner_left : middle_x + least - left] = False
    return _median(_lab(patch)[outside])


def _lab(image: Image) -> Floats:
    """The picture in CIE Lab (L 0 to 100)."""
    return np.asarray(cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)


def _median(labs: Doubles | Floats) -> Row:
    light, a, b = np.median(labs, axis=0).tolist()
    return light, a, b
