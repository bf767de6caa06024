"""Whether dice would be read better in a darker or a brighter picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from calibration.image import Image
from vision.patch import patch
from vision.reading import Die

_BURNT_OUT: Final = 250
"""The level from which nothing is seen any more."""
_MOST_GLARE: Final = 0.04
"""The share of a die that may be burnt out: half a pip."""
_TOO_DARK: Final = 60
"""Dice of which nine tenths are darker than this level are too dark."""
_DARKER: Final = 0.25
_BRIGHTER: Final = 2.5
"""How many times as much to expose for such dice."""


def exposure_wanted(image: Image, dice: Sequence[Die]) -> float:
    """How many times as much to expose for these dice of the picture: less if one glares, else more if one is dark."""
    places = (image[patch(image, die.box)] for die in dice)
    levels = [place.max(axis=-1) for place in places if place.size]
    if any((each >= _BURNT_OUT).mean() > _MOST_GLARE for each in levels):
        return _DARKER
    return _BRIGHTER if any(np.quantile(each, 0.9) < _TOO_DARK for each in levels) else 1.0
