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
from vision.networks import Floats, Image, Spot

Lab = tuple[float, float, float]
"""CIE Lab, L 0 to 100."""

_REACH: Final = 0.36
"""Half the side of what is looked at, in die widths: the body and its pips, no edge."""
_SIDE: Final = 16
_NEAR: Final = (20.0, 5.0, 5.0)
"""How far, in L, a and b, dice of one colour lie apart on one table: shading and gloss change L most."""
_STRANGE: Final = 5.0
"""A body this many times as far off from all of the palette is of no colour in it."""
_SHARE: Final = 0.85
"""Of the palette in the opinion; the networks have the rest."""


def body_colour(image: Image, spot: Spot) -> Lab:
    """The body's colour in the middle of a die; its pips, less than half of what is seen there, do not count."""
    reach = _REACH * max(spot.w, spot.h, 4.0)
    scale = _SIDE / (2 * reach)
    move = np.array([[scale, 0, _SIDE / 2 - spot.x * scale], [0, scale, _SIDE / 2 - spot.y * scale]], np.float64)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    patch = cv2.warpAffine(image, move, (_SIDE, _SIDE), flags=how, borderMode=cv2.BORDER_REPLICATE)
    lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    light, a, b = np.median(lab, axis=0).tolist()
    return light, a, b


def weigh_palette(named: Floats, body: Lab, palette: Mapping[str, Lab]) -> Floats:
    """What the networks named (eight probabilities, `COLOURS`' order) in the light of the table's palette.

    With fewer than two colours in the palette, or a body that is far from all of them, the networks' word stands.
    """
    apart = np.full(len(COLOURS), np.inf, np.float32)
    for name, lab in palette.items():
        apart[COLOURS.index(name)] = np.sqrt((((np.array(body) - np.array(lab)) / np.array(_NEAR)) ** 2).sum())
    if len(palette) < 2 or apart.min() > _STRANGE:
        return named
    near = np.exp(-0.5 * (apart**2 - apart.min() ** 2)).astype(np.float32)
    product = np.power(near / near.sum() + 1e-3, _SHARE) * np.power(named + 1e-3, 1 - _SHARE)
    return np.asarray(product / product.sum(), dtype=np.float32)
