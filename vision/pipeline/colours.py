"""Whose die is it? The body's colour as the frame shows it, held against the palette this table was calibrated with.

The networks name a colour from how dice of that colour usually look; under a red lamp two players' dice may look
nearly alike to them. A palette (`calibration.profile.Profile.palette`) was measured under the lamp itself, so where
there is one it has the larger say. Where there is none, the dice of the frame are held against each other: those of
one player were cast from one plastic and lie under one lamp.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from calibration.palette import COLOURS
from vision.models.networks import CROP, CROP_MARGIN, Floats, Image

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
"""No colour is less likely than this by what the networks named."""
_OTHERS: Final = 1 / 3
"""What the other dice say counts this much of what it would if each of their bodies were an opinion of its own."""
_UNKNOWN: Final = 4.0
"""How far a colour's body on one table lies from where few dice show it, squared, as a multiple of `_NEAR`."""
_FEWEST: Final = 0.05
"""A colour that fewer dice than this are of, their chances added up, is on the table as if so many were."""
_SHARP: Final = 2
"""A die counts towards a colour's body by this power of its chance to be of it: the doubtful say little."""
_ROUNDS: Final = 4
"""After so many, what the dice say of each other changes no more."""


def body_colour(crop: Image) -> Lab:
    """The body's colour in the middle of a die cut out by `vision.pipeline.crop`; its pips, the lesser part, do not
    count.
    """
    reach = round(_REACH * CROP / CROP_MARGIN)
    middle = slice(CROP // 2 - reach, CROP // 2 + reach)
    lab = cv2.cvtColor(crop[middle, middle].astype(np.float32) / 255, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    light, a, b = np.median(lab, axis=0).tolist()
    return light, a, b


def unlike(ones: Sequence[Lab], others: Sequence[Lab]) -> Floats:
    """How far the colours of each two bodies lie apart, a row for each of `ones`: 1 for two dice of one colour."""
    one, other = (
        np.array(bodies, np.float32).reshape(-1, 3) / np.array(_NEAR, np.float32) for bodies in (ones, others)
    )
    return np.asarray(np.sqrt(((one[:, None] - other) ** 2).sum(2)), np.float32)


def weigh_palette(named: Floats, body: Lab, palette: Mapping[str, Lab]) -> Floats:
    """What the networks named (eight probabilities, `COLOURS`' order) in the light of the table's palette.

    The palette says which of its own colours it is; whether it is one of them at all, both say. With fewer than two
    colours in the palette the networks' word stands.
    """
    if len(palette) < 2:
        return named
    learned = [COLOURS.index(name) for name in palette]
    apart = unlike([body], list(palette.values()))[0]
    trust = float(np.clip((_STRANGE - apart.min()) / (_STRANGE - _ALIKE), 0, 1))
    near = np.exp(-0.5 * (apart**2 - apart.min() ** 2)) * np.sqrt(named[learned] + _FLOOR)
    share = trust + (1 - trust) * float(named[learned].sum())
    out = np.asarray(named * (1 - trust), np.float32)
    out[learned] = near / near.sum() * share
    return np.asarray(out / out.sum(), np.float32)


def weigh_others(named: Floats, bodies: Floats, sure: Floats) -> Floats:
    """What the networks named of all dice of a frame, in the light of each other's bodies.

    named: a row of eight probabilities each, `COLOURS`' order; bodies: a row of L, a, b each; sure: how sure each is a
    die, 0 to 1. A mixture of one normal distribution a colour, whose middle is what the *other* dice of that colour
    show: so a colour that hardly any other die has is neither near nor far (expectation-maximisation, as Dempster et
    al. 1977, each die left out of what it is held against).
    """
    places = bodies / np.array(_NEAR, np.float32)
    others = 1 - np.eye(len(named), dtype=np.float32)
    prior = np.log(named + _FLOOR)
    chances = named
    for _ in range(_ROUNDS):
        sharp = chances**_SHARP
        shares = sharp / sharp.sum(1, keepdims=True) * sure[:, None]
        count = np.maximum(others @ shares, _FEWEST)
        middle = np.einsum("ij,jc,jd->icd", others, shares, places) / count[:, :, None]
        spread = 1 + _UNKNOWN / count
        off = ((places[:, None] - middle) ** 2).sum(2)
        odds = prior - _OTHERS * (off / spread + 3 * np.log(spread)) / 2
        chances = np.exp(odds - odds.max(1, keepdims=True))
        chances = chances / chances.sum(1, keepdims=True)
    return np.asarray(chances, np.float32)
