"""The colour of a die's body, from the table's calibrated palette or from the other dice of the frame.

The networks name a colour from how such dice usually look; under a red lamp two players' dice may look alike to them.
A palette measured under the lamp itself weighs more: first by calibration (`calibration.profile.Profile.palette`), then
in each reveal that was judged. Without a palette the dice of the frame are compared with each other, because one
player's dice are of one plastic under one lamp.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Final

import cv2
import numpy as np

from calibration.image import Floats, Image
from calibration.palette import COLOURS
from vision.models.networks import CROP_MARGIN, CROP_SIDE
from vision.reading import Die, Lab

_PATCH_RADIUS: Final = 0.36
"""Half the side of the measured patch, in die widths: body and pips, no edge."""
_LAB_SCALE: Final = (20.0, 5.0, 5.0)
"""Spread in L, a and b of one colour's dice on one table; shading and gloss affect L most."""
_SAME_COLOUR: Final = 1.5
"""Up to this distance a die has the palette's colour, whatever the networks say."""
_OTHER_COLOUR: Final = 3.5
"""Beyond this distance from every colour of the palette a die has none of them; in between, both count."""
_MIN_PROBABILITY: Final = 1e-3
"""Lower bound of the networks' probabilities."""
_EVIDENCE_WEIGHT: Final = 1 / 3
"""Weight of the other dice, which are not independent observations."""
_PRIOR_VARIANCE: Final = 4.0
"""Prior variance of a colour's mean, in units of `_LAB_SCALE` squared."""
_MIN_COUNT: Final = 0.05
"""Lower bound of the expected number of dice of a colour."""
_SHARPNESS: Final = 2
"""The power of its probability by which a die counts towards a colour's mean, so that doubtful dice count little."""
_EM_ROUNDS: Final = 4
"""Rounds of expectation-maximisation; more change nothing."""


def body_colour(crop: Image) -> Lab:
    """The median colour in the middle of a crop by `vision.pipeline.crop`; the pips do not affect it."""
    reach = round(_PATCH_RADIUS * CROP_SIDE / CROP_MARGIN)
    middle = slice(CROP_SIDE // 2 - reach, CROP_SIDE // 2 + reach)
    lab = cv2.cvtColor(crop[middle, middle].astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    light, a, b = (float(np.median(channel)) for channel in cv2.split(lab))
    return light, a, b


def colour_distances(ones: Sequence[Lab], others: Sequence[Lab]) -> Floats:
    """Distances between body colours, a row for each of `ones`; two dice of one colour are about 1 apart."""
    one, other = (
        np.array(bodies, np.float32).reshape(-1, 3) / np.array(_LAB_SCALE, np.float32) for bodies in (ones, others)
    )
    return np.asarray(np.sqrt(((one[:, None] - other) ** 2).sum(2)), np.float32)


def palette_of(dice: Iterable[Die]) -> dict[str, Lab]:
    """The palette under this lamp, from dice whose owners are known: the median of each colour's bodies."""
    bodies: dict[str, list[Lab]] = defaultdict(list)
    for die in dice:
        if die.body is not None:
            bodies[die.colour].append(die.body)
    return {
        colour: (median(light for light, _, _ in some), median(a for _, a, _ in some), median(b for _, _, b in some))
        for colour, some in bodies.items()
    }


def apply_palette(named: Floats, body: Lab, palette: Mapping[str, Lab]) -> Floats:
    """Combine the networks' colour probabilities (in the order of `COLOURS`) with the table's palette.

    The palette decides between its own colours; both together decide whether the colour is one of them. A palette of
    fewer than two colours changes nothing.
    """
    if len(palette) < 2:
        return named
    learned = [COLOURS.index(name) for name in palette]
    apart = colour_distances([body], list(palette.values()))[0]
    trust = float(np.clip((_OTHER_COLOUR - apart.min()) / (_OTHER_COLOUR - _SAME_COLOUR), 0, 1))
    near = np.exp(-0.5 * (apart**2 - apart.min() ** 2)) * np.sqrt(named[learned] + _MIN_PROBABILITY)
    share = trust + (1 - trust) * float(named[learned].sum())
    out = np.asarray(named * (1 - trust), np.float32)
    out[learned] = near / near.sum() * share
    return np.asarray(out / out.sum(), np.float32)


def apply_other_dice(named: Floats, bodies: Floats, sure: Floats) -> Floats:
    """Combine the networks' colour probabilities with the bodies of the other dice of the frame.

    named: a row of probabilities per die, in the order of `COLOURS`; bodies: a row of L, a, b per die; sure: the
    probability that each is a die. Expectation-maximisation of a mixture with one normal distribution per colour
    (Dempster et al. 1977), each die left out of the mean it is compared with.
    """
    places = bodies / np.array(_LAB_SCALE, np.float32)
    others = 1 - np.eye(len(named), dtype=np.float32)
    prior = np.log(named + _MIN_PROBABILITY)
    chances = named
    for _ in range(_EM_ROUNDS):
        sharp = chances**_SHARPNESS
        shares = sharp / sharp.sum(1, keepdims=True) * sure[:, None]
        count = np.maximum(others @ shares, _MIN_COUNT)
        middle = np.einsum("ij,jc,jd->icd", others, shares, places) / count[:, :, None]
        spread = 1 + _PRIOR_VARIANCE / count
        off = ((places[:, None] - middle) ** 2).sum(2)
        odds = prior - _EVIDENCE_WEIGHT * (off / spread + 3 * np.log(spread)) / 2
        chances = np.exp(odds - odds.max(1, keepdims=True))
        chances = chances / chances.sum(1, keepdims=True)
    return np.asarray(chances, np.float32)
