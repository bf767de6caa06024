"""Decides whether dice need another exposure: darker where a reflection hides pips, brighter where they are too
dark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from calibration.image import Image
from vision.patch import patch
from vision.reading import Die

_BURNT_OUT: Final = 250
"""Grey level from which a pixel is saturated."""
_MOST_GLARE: Final = 0.04
"""The share of a die that may be saturated: half a pip."""
_WHITE: Final = 240
"""Level of the darkest channel from which a coloured die shows a reflection, or light paint."""
_HIDES_PIPS: Final = 0.14
"""Radius, in die widths, from which a white spot is no pip: a pip has 0.1 at most, and three in a row are no wider."""
_PALE: Final = 225
"""Level from which a face may be washed out, although remains of its pips leave holes in the glare."""
_WASHES_OUT: Final = 0.18
"""Radius of a disc, in die widths, that fits into a washed-out face but not into a painted ace.

None of 1,525 photographed dice has so large a disc; five of 522 rendered dice do, and nobody could read their faces.
"""
_ON_DIE: Final = 0.4
"""Pixels nearer to the centre than this, in die widths, are on the die, however it is turned."""
_TOO_DARK: Final = 60
"""A die is too dark if nine tenths of it are below this grey level."""
_DARKER: Final = 0.25
_BRIGHTER: Final = 4.0
"""Exposure factor for dice that are too dark: two stops."""


def exposure_wanted(image: Image, dice: Sequence[Die]) -> float:
    """Return the factor to change the exposure by: below 1 if a die glares, else above 1 if one is too dark."""
    places = (image[patch(image, die.box)] for die in dice)
    levels = [place.max(axis=-1) for place in places if place.size]
    if any((each >= _BURNT_OUT).mean() > _MOST_GLARE for each in levels):
        return _DARKER
    return _BRIGHTER if any(np.quantile(each, 0.9) < _TOO_DARK for each in levels) else 1.0


def glares(image: Image, die: Die) -> bool:
    """True if a white spot larger than a pip, or a washed-out face, may hide pips; unknown for a white die."""
    if die.colour == "white":
        return False
    rows, columns = patch(image, die.box)
    (x, y), reach = die.centre, _ON_DIE * die.width
    down, across = np.ogrid[rows, columns]
    on_die = (across - x) ** 2 + (down - y) ** 2 < reach**2
    darkest = image[rows, columns].min(axis=-1)
    edged = np.pad((darkest >= _WHITE) & on_die, 1).astype(np.uint8)  # a spot ends where the picture is cut off
    if cv2.distanceTransform(edged, cv2.DIST_L2, cv2.DIST_MASK_5).max() > _HIDES_PIPS * die.width:
        return True
    pale = ((darkest >= _PALE) & on_die).astype(np.uint8)
    _, _, places, _ = cv2.connectedComponentsWithStats(pale, connectivity=4)
    largest = places[1:, cv2.CC_STAT_AREA].max(initial=0)
    return bool(largest > np.pi * (_WASHES_OUT * die.width) ** 2)
