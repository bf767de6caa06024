"""Whether dice are large enough in a picture, and it is sharp, light enough, in colour, free of glare, evenly lit."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final

import cv2
import numpy as np

from calibration.grade import Finding, Grade
from calibration.image import Box, Grey, Image, grey_of, shrunk
from calibration.sharpness import edge_width
from calibration.sheet.sighting import Sighting
from companion.messages.message import Message

JUDGED_WIDTH: Final = 1280
"""The width in pixels at which a picture is judged whose dice are not known: a die in it is 21 pixels wide."""
IS_BLURRED: Final = Message("It is blurred: focus on the table, wipe the lens, and let nothing shake.")

_DIE_WIDTH: Final = 1 / 60
"""The width of a die as a share of the picture's, when its size is unknown (38 pixels at 2304)."""
_SHARP: Final = (0.04, 0.06)
"""Blur beyond that of the pixels themselves, in parts of a die's width, up to which a picture is good, and usable.
Out of focus by a disc of a tenth of a die's width, 0.04 is measured, and every other table has a die in doubt; by two
tenths 0.06, and every table has."""
_DIE_PX: Final = (20.0, 16.0)
"""The width of a die in pixels from which it is read well, and read at all."""
_LIGHT: Final = (70.0, 40.0)
"""Mean grey level from which a table is light enough, and usable. Below, the sensor's noise hides a dark die's pips."""
_TOO_BRIGHT: Final = (190.0, 225.0)
"""Mean grey level above which a table is too bright to be good, and to be usable."""
_GLARE: Final = (0.002, 0.05)
"""The burnt-out share of the picture up to which it is good, and usable."""
_EVEN: Final = (0.3, 0.12)
"""The dark side's light over the bright side's, from which it is good, and usable."""

_GREYS: Final = frozenset({"black", "white"})
"""The colours of dice that shades of grey can show."""
_COLOURLESS: Final = 16
"""Levels between a pixel's channels, as coding leaves in a grey picture; a die, a hand or wood has 50 and more."""
_BARE: Final = 20.0
"""Levels between the darkest and the brightest place of a picture that shows nothing."""
_BURNT_LEVEL: Final = 250
_PIXEL_BLUR: Final = 0.5
"""The blur of the pixels themselves: a preview is not blurred for being small."""


def picture_findings(image: Image, sheet: Sighting | None = None, dice: Sequence[Box] = ()) -> tuple[Finding, ...]:
    """Judge one picture; `sheet` and `dice` are where they lie in it, if known.

    The findings come in the order in which to put them right: without light nobody can focus.
    """
    grey = grey_of(image)
    return light(grey), glare(image), even(grey), sharp(grey, sheet, dice)


def sharp(grey: Grey, sheet: Sighting | None = None, dice: Sequence[Box] = ()) -> Finding:
    """Whether pips can be told apart, by the edges of the sheet, else of the dice, else of everything."""
    die = float(np.median([max(w, h) for _, _, w, h in dice])) if dice else _DIE_WIDTH * grey.shape[1]
    blur = sheet.blur if sheet is not None else math.nan
    if not math.isfinite(blur) and dice:
        blur = edge_width(_around(grey, dice), 0.2)
    if not math.isfinite(blur):
        blur = edge_width(grey, 0.2)
    if not math.isfinite(blur):
        text = Message("I cannot tell whether it is sharp: put the sheet or a few dice under the camera.")
        return Finding("sharp", Grade.USABLE, text)
    part = math.sqrt(max(0.0, blur**2 - _PIXEL_BLUR**2)) / die
    if part <= _SHARP[0]:
        return Finding("sharp", Grade.GOOD, Message("It is sharp."))
    if part <= _SHARP[1]:
        return Finding("sharp", Grade.USABLE, Message("It is a little blurred: focus on the table, or wipe the lens."))
    return Finding("sharp", Grade.BAD, IS_BLURRED)


def size(width: int, dice: Sequence[Box] = ()) -> Finding | None:
    """What is wrong if dice in a picture of this width in pixels are too small to tell their pips."""
    die = float(np.median([max(w, h) for _, _, w, h in dice])) if dice else _DIE_WIDTH * width
    if die >= _DIE_PX[0]:
        return None
    if die >= _DIE_PX[1]:
        text = Message("The dice are small in the picture: bring the camera nearer, or take larger pictures.")
        return Finding("size", Grade.USABLE, text)
    text = Message("The dice are too small in the picture: bring the camera nearer, or take larger pictures.")
    return Finding("size", Grade.BAD, text)


def faults(image: Image, dice: Sequence[Box] = ()) -> tuple[Message, ...]:
    """Why dice cannot be read in such pictures, and what to do about it, most important first; empty if they can."""
    grey = grey_of(image)
    if not dice:
        grey = shrunk(grey, JUDGED_WIDTH)
    found = size(image.shape[1], dice), light(grey), sharp(grey, None, dice)
    return tuple(each.sentence for each in found if each is not None and each.grade is Grade.BAD)


def is_dark(grey: Grey) -> bool:
    """Whether there is too little light to use the picture."""
    return _level(grey) < _LIGHT[1]


def lacks_colour(image: Image, dice: Collection[str]) -> bool:
    """True for a picture in shades of grey, as a camera's night vision gives, of dice of these colours."""
    part = image[::4, ::4]
    spread = part.max(axis=-1) - part.min(axis=-1)
    darkest, brightest = np.quantile(part, (0.001, 0.999))
    shows = brightest - darkest > _BARE
    return not _GREYS.issuperset(dice) and bool(shows and np.quantile(spread, 0.999) < _COLOURLESS)


def _level(grey: Grey) -> float:
    return float(np.mean(shrunk(grey, 320)))


def light(grey: Grey) -> Finding:
    """Whether there is enough light."""
    level = _level(grey)
    if level > _TOO_BRIGHT[1]:
        return Finding("light", Grade.BAD, Message("It is far too bright: turn the lamp away, or dim it."))
    if is_dark(grey):
        return Finding("light", Grade.BAD, Message("It is too dark: bring a lamp nearer."))
    if level > _TOO_BRIGHT[0]:
        return Finding("light", Grade.USABLE, Message("It is very bright: a lamp further away would be better."))
    if level < _LIGHT[0]:
        return Finding("light", Grade.USABLE, Message("It is rather dark: more light would be better."))
    return Finding("light", Grade.GOOD, Message("It is light enough."))


def glare(image: Image) -> Finding:
    """Whether a lamp is reflected in the table, or everything is too bright."""
    burnt = shrunk(image, 640).max(axis=2) >= _BURNT_LEVEL
    spots = cv2.morphologyEx(burnt.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    part = float(spots.mean())
    if part <= _GLARE[0]:
        return Finding("glare", Grade.GOOD, Message("Nothing is overexposed."))
    if part <= _GLARE[1]:
        return Finding("glare", Grade.USABLE, Message("One spot is overexposed: move the lamp a little to the side."))
    return Finding(
        "glare", Grade.BAD, Message("Much of the picture is overexposed: move the lamp to the side, or dim it.")
    )


def even(grey: Grey) -> Finding:
    """Whether one side of the picture is darker than the other.

    A plane is laid through the logarithm of the light: a table that has dark and bright parts tips it little, a lamp
    that stands at one side tips it much.
    """
    cells = np.asarray(cv2.resize(shrunk(grey, 320), (12, 8), interpolation=cv2.INTER_AREA), np.float64)
    lit = 2.2 * np.log((cells + 3) / 255)  # grey levels are light to the power of 1/2.2, about
    down, across = np.mgrid[-0.5:0.5:8j, -0.5:0.5:12j]
    plane = np.column_stack([across.ravel(), down.ravel(), np.ones(cells.size)])
    (right, below, _), *_ = np.linalg.lstsq(plane, lit.ravel(), rcond=None)
    part = math.exp(-math.hypot(right, below))
    if part >= _EVEN[0]:
        return Finding("even", Grade.GOOD, Message("The light is even."))
    if part >= _EVEN[1]:
        return Finding("even", Grade.USABLE, Message("One side is darker: move the lamp towards it."))
    return Finding("even", Grade.BAD, Message("One side lies in the dark: move the lamp over the middle of the table."))


def _around(grey: Grey, dice: Sequence[Box]) -> Grey:
    """The part of the picture that the dice lie in."""
    height, width = grey.shape
    size = max(max(w, h) for _, _, w, h in dice)
    left = max(0, int(min(x for x, *_ in dice) - size / 2))
    top = max(0, int(min(y for _, y, *_ in dice) - size / 2))
    right = min(width, int(max(x + w for x, _, w, _ in dice) + size / 2) + 1)
    bottom = min(height, int(max(y + h for _, y, _, h in dice) + size / 2) + 1)
    return grey[top:bottom, left:right]
