"""Whose die is it? The body's colour as the frame shows it, held against the palette this table was calibrated with.

The networks name a colour from how dice of that colour usually look; under a red lamp two players' dice may look
nearly alike to them. A palette (`calibration.profile.Profile.palette`) was measured under the lamp itself, so where
there is one it has the larger say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np

from calibration.palette import COLOURS
from vision.cut import cut
from vision.networks import CROP, CROP_MARGIN, Floats, Image, Spot

Lab = tuple[float, float, float]
"""CIE Lab, L 0 to 100."""

_REACH: Final = 0.36
"""Half the side of what is looked at, in die widths: the body and its pips, no edge."""
_NEAR: Final = (20.0, 5.0, 5.0)
"""How far, in L, a and b, dice of one colour lie apart on one table: shading and gloss change L most."""
_ALIKE: Final = 1.5
"""A body this many times as far off is of that colour, whatever the networks name it."""
_STRANGE: Final = 3.5
"""A body this many times as far off from all of the palette is of no colour in it; between, both have a say."""
_FLOOR: Final = 1e-3


def body_colour(image: Image, spot: Spot) -> Lab:
    """The body's colour in the middle of a die; its pips, less than half of what is seen there, do not count."""
    reach = round(_REACH * CROP / CROP_MARGIN)
    middle = slice(CROP // 2 - reach, CROP // 2 + reach)
    patch = cut(image, spot)[middle, middle]
    lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    light, a, b = np.median(lab, axis=0).tolist()
    return light, a, b


def weigh_palette(named: Floats, body: Lab, palette: Mapping[str, Lab]) -> Floats:
    """What the networks named (eight probabilities, `COLOURS`' order) in the light of the table's palette.

    The palette says which of its own colours it is; whether it is one of them at all, both say. With fewer than two
    colours in the palette the networks' word stands.
    """
    if len(palette) < 2:
        return named
    learned = [COLOURS.index(name) for name in palette]
    off = np.array([(np.array(body) - np.array(lab)) / np.array(_NEAR) for lab in palette.values()], np.float32)
    apart = np.sqrt((off**2).sum(1))
    trust = float(np.clip((_STRANGE - apart.min()) / (_STRANGE - _ALIKE), 0, 1))
    near = np.exp(-0.5 * (apart**2 - apart.min() ** 2)) * np.sqrt(named[learned] + _FLOOR)
    share = trust + (1 - trust) * float(named[learned].sum())
    out = np.asarray(named * (1 - trust), np.float32)
    out[learned] = near / near.sum() * share
    return np.asarray(out / out.sum(), np.float32)
