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
"""The share of the dice that may be burnt out: half a pip each."""
_TOO_DARK: Final = 60
"""Dice of which nine tenths are darker than this level are too dark."""
_DARKER: Final = 0.4
_BRIGHTER: Final = 2.5
"""How many times as much to expose for such dice."""


def exposure_wanted(image: Image, dice: Sequence[Die]) -> float:
    """How many times as much to expose for these dice of the picture: less if they glare, more if they are dark."""
    levels = [image[patch(image, die.box)].max(axis=-1).ravel() for die in dice]
    if not sum(map(len, levels)):
        return 1.0
    pixels = np.concatenate(levels)
    if (pixels >= _BURNT_OUT).mean() > _MOST_GLARE:
        return _DARKER
    return _BRIGHTER if np.quantile(pixels, 0.9) < _TOO_DARK else 1.0
