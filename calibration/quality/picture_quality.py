"""Judges a picture: size of the dice, sharpness, brightness, colour, glare and even light."""

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
"""Width, in pixels, to which a picture with unknown dice is scaled: a die is then 21 pixels wide."""
IS_BLURRED: Final = Message("It is blurred: focus on the table, wipe the lens, and keep it steady.")

_DIE_WIDTH: Final = 1 / 60
"""Width of a die of unknown size as a share of the picture's width (38 pixels at 2304)."""
_SHARP: Final = (0.04, 0.06)
"""The most blur, in die widths and beyond that of the pixels themselves, of a good and of a usable picture. A lens out
of focus by a tenth of a die's width measures 0.04, and every other table has a die in doubt; by two tenths it measures
0.06, and every table has one."""
_DIE_PX: Final = (20.0, 16.0)
"""Width of a die, in pixels, from which it is read well, and from which it is read at all."""
_LIGHT: Final = (70.0, 40.0)
"""Mean grey level from which a table is light enough, and usable; below, noise hides the pips of a dark die."""
_TOO_BRIGHT: Final = (190.0, 225.0)
"""Mean grey level above which a table is no longer good, and no longer usable."""
_GLARE: Final = (0.002, 0.05)
"""The most of a good and of a usable picture that may be overexposed, as a share."""
_EVEN: Final = (0.3, 0.12)
"""Least ratio of the dark side's light to the bright side's in a good and in a usable picture."""

_GREYS: Final = frozenset({"black", "white"})
"""Colours of dice that shades of grey can show."""
_COLOURLESS: Final = 16
"""Levels between a pixel's channels up to which coding may leave them in a grey picture; a die or a hand has 50."""
_BARE: Final = 20.0
"""Levels between the darkest and the brightest part of a picture that shows nothing."""
_BURNT_LEVEL: Final = 250
_PIXEL_BLUR: Final = 0.5
"""The blur of the pixels themselves, which does not make a small preview blurred."""


def picture_findings(image: Image, sheet: Sighting | None = None, dice: Sequence[Box] = ()) -> tuple[Finding, ...]:
    """Judge one picture; `sheet` and `dice` are where they lie in it, if known.

    The findings are in the order in which to correct them: without light nobody can focus.
    """
    grey = grey_of(image)
    return light(grey), glare(image), even(grey), sharp(grey, sheet, dice)


def sharp(grey: Grey, sheet: Sighting | None = None, dice: Sequence[Box] = ()) -> Finding:
    """Judge the sharpness by the edges of the sheet, else of the dice, else of everything."""
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
    """What to do if the dice in a picture `width` pixels wide are too small to tell their pips; None if they are
    not."""
    die = float(np.median([max(w, h) for _, _, w, h in dice])) if dice else _DIE_WIDTH * width
    if die >= _DIE_PX[0]:
        return None
    if die >= _DIE_PX[1]:
        text = Message("The dice are small in the picture: bring the camera nearer, or take larger pictures.")
        return Finding("size", Grade.USABLE, text)
    text = Message("The dice are too small in the picture: bring the camera nearer, or take larger pictures.")
    return Finding("size", Grade.BAD, text)


def faults(image: Image, dice: Sequence[Box] = ()) -> tuple[Message, ...]:
    """Why dice cannot be read in such pictures, with advice, most important first; empty if they can."""
    grey = grey_of(image)
    if not dice:
        grey = shrunk(grey, JUDGED_WIDTH)
    found = size(image.shape[1], dice), light(grey), sharp(grey, None, dice)
    return tuple(each.sentence for each in found if each is not None and each.grade is Grade.BAD)


def is_dark(grey: Grey) -> bool:
    """True if there is too little light to use the picture."""
    return _level(grey) < _LIGHT[1]


def lacks_colour(image: Image, dice: Collection[str]) -> bool:
    """True for a grey picture, such as a camera's night vision gives, of dice with these colours."""
    part = image[::4, ::4]
    spread = part.max(axis=-1) - part.min(axis=-1)
    darkest, brightest = np.quantile(part, (0.001, 0.999))
    shows = brightest - darkest > _BARE
    return not _GREYS.issuperset(dice) and bool(shows and np.quantile(spread, 0.999) < _COLOURLESS)


def _level(grey: Grey) -> float:
    return float(np.mean(shrunk(grey, 320)))


def light(grey: Grey) -> Finding:
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
    """Check for a lamp reflected in the table, and for overexposure."""
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
    """Check for one side of the picture being darker than the other.

    A plane is fitted to the logarithm of the light: dark and bright parts of a table tilt it little, a lamp at one side
    tilts it much.
    """
    cells = np.asarray(cv2.resize(shrunk(grey, 320), (12, 8), interpolation=cv2.INTER_AREA), np.float64)
    lit = 2.2 * np.log((cells + 3) / 255)  # grey levels are roughly light to the power of 1/2.2
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
    """The part of the picture with the dice in it."""
    height, width = grey.shape
    size = max(max(w, h) for _, _, w, h in dice)
    left = max(0, int(min(x for x, *_ in dice) - size / 2))
    top = max(0, int(min(y for _, y, *_ in dice) - size / 2))
    right = min(width, int(max(x + w for x, _, w, _ in dice) + size / 2) + 1)
    bottom = min(height, int(max(y + h for _, y, _, h in dice) + size / 2) + 1)
    return grey[top:bottom, left:right]
