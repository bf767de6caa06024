"""What lies round each thing that may be a die: dice lie together, are of one size and of few colours.

A sweet among them is a little too small, a print on a box lies apart, and what a cloth shows in one place it shows in
many. None of that says that something is no die; together with what the networks see of it, it does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.models.networks import Look, Spot
from vision.odds import log_odds, probability
from vision.pipeline.colours import Lab, unlike
from vision.pipeline.detect import Gaps, distances, gaps, usual_size

_DIE: Final = 0.9
"""What is likelier than this to be a die is one that others are held against."""
_FAINT: Final = (0.02, 0.5)
"""What is as likely as this to be one is mostly none."""
_STRANGEST: Final = 6.0
"""No body is less like another than this; beyond, it says nothing more."""
_ALONE: Final = (2.0, 1.5)
"""What is said of a die that has no other one beside it: neither like them nor unlike, neither near nor far."""


class Company(NamedTuple):
    """Of one spot."""

    usual: float
    """The width of the dice in this frame, in pixels."""
    gaps: Gaps
    strange: float
    """How unlike its body is to that of any other die; dice of one colour lie about 1 apart."""
    away: float
    """How far away the next die lies: the logarithm of the distance, in die widths."""
    faint: float
    """How much in this frame looks a little like dice: the logarithm of the number of such spots, and one."""


def company(spots: Sequence[Spot], looks: Sequence[Look], bodies: Sequence[Lab]) -> list[Company]:
    """Of each spot; they come surest first, with what the classifiers made of each and its body's colour."""
    likely = np.array(
        [probability(log_odds(spot.score) + log_odds(look.whole)) for spot, look in zip(spots, looks, strict=True)]
    )
    usual = usual_size(spots)
    faint = math.log1p(int(((likely > _FAINT[0]) & (likely < _FAINT[1])).sum()))
    other = (likely > _DIE) & ~np.eye(len(spots), dtype=bool)
    strange = np.where(other, unlike(bodies, bodies), np.inf).min(axis=1, initial=np.inf)
    away = np.where(other, distances(spots, spots), np.inf).min(axis=1, initial=np.inf)
    around = []
    for k, gap in enumerate(gaps(spots)):
        like, far = _ALONE
        if other[k].any():
            like, far = min(float(strange[k]), _STRANGEST), math.log(max(float(away[k]) / usual, 1.0))
        around.append(Company(usual, gap, like, far, faint))
    return around
