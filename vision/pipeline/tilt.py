"""Which way the dice of a frame lean: a camera that looks aslant sees a side of each die beside its top.

Which of two faces is the top cannot always be told from one die. But all dice of a frame stand upright on one table:
from the middle of each, its top lies the same way, or outward from the one point that the camera hangs above. And the
classifier, which learned from whole dice with their tops up, gives that way away: aimed a little beside a die it is
less sure of it, and least sure of all on the side away from its top. What a few plain dice say together holds for all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.models.networks import Look, Spot
from vision.odds import log_odds
from vision.pipeline.tiles import Sight

Way = tuple[float, float]
"""Right and down, in widths of the die."""
Ways = npt.NDArray[np.float64]
"""Rows of them, one long each."""

_ASKED: Final = 4
"""So many of the plainest dice are looked at for it."""
_ASIDE: Final = 0.3
"""How far beside each of them the classifier is aimed, in die widths."""
_WAYS: Final = np.array([(math.cos(turn), math.sin(turn)) for turn in (0, math.tau / 3, -math.tau / 3)])
"""Which ways beside each of them: all round, as few as there can be; beside every other one, the opposite ways."""
_OWN: Final = np.array([1.2, 0.35])
"""How the classifier leans where no die does, right and down, in log odds: measured on rendered tables."""
_PULL: Final = 0.05
"""Die widths a die leans for each unit of log odds that the looks beside it differ by: fitted there too."""
_SEEN: Final = 0.3
_WHOLE: Final = 0.9
_READ: Final = 0.8
"""A plain die: the detectors, and the classifier of the whole and of its face, are surer of it than this."""
_INSIDE: Final = 0.9
"""And its middle is further than this from the frame's edge, in die widths."""
_STEADY: Final = 1.5
"""That no die leans in the frame's middle counts as much as so many dice that say so."""
_OUTWARD: Final = 0.6
"""Die widths that dice lean outward, a frame's width from what the camera hangs above, through a usual lens."""
_LENS: Final = 3.0
"""How much that counts."""
_LITTLE: Final = 0.2
"""A die that leans less than this, in its widths, is looked at straight."""
_MOST: Final = 0.25
"""Further than this, in die widths, no look is aimed beside a die's middle."""


@dataclass(frozen=True, slots=True)
class Lean:
    """Of all dice of one frame."""

    middle: tuple[float, float]
    """Of the frame, in pixels."""
    width: float
    """Of the frame, in pixels."""
    there: Way
    """How a die leans in the frame's middle: the way from its middle to its top's."""
    outward: float
    """What is added to that away from the middle, for each width of the frame."""

    def of(self, spot: Spot) -> Way:
        """The way from the middle of this die to the middle of its top."""
        right, down = ((at - middle) / self.width for at, middle in zip((spot.x, spot.y), self.middle, strict=True))
        return self.there[0] + self.outward * right, self.there[1] + self.outward * down

    def top(self, spot: Spot) -> Spot:
        """The spot, aimed at the die's top."""
        right, down = self.of(spot)
        length = math.hypot(right, down)
        if length < _LITTLE:
            return spot
        return _aimed(spot, right * min(1.0, _MOST / length), down * min(1.0, _MOST / length))


def lean_of(sight: Sight, spots: Sequence[Spot], looks: Sequence[Look]) -> Lean:
    """What the plainest of these dice say of it; where there are none, they lean as under a camera that looks down."""
    height, width = sight.image.shape[:2]
    plain = [
        (spot, look)
        for spot, look in zip(spots, looks, strict=True)
        if spot.score > _SEEN and look.whole > _WHOLE and look.faces.max() > _READ and _inside(spot, width, height)
    ]
    plain = sorted(plain, key=lambda seen: -seen[0].score * seen[1].whole * float(seen[1].faces.max()))[:_ASKED]
    ways = [_WAYS if k % 2 else -_WAYS for k in range(len(plain))]
    aside = [
        _aimed(spot, *way) for (spot, _), around in zip(plain, ways, strict=True) for way in (_ASIDE * around).tolist()
    ]
    beside = iter(sight.looks(aside))  # all at once, which takes less time
    pulls = [
        _pull(look, around, list(islice(beside, len(around)))) for (_, look), around in zip(plain, ways, strict=True)
    ]
    return fit_lean([(spot.x, spot.y) for spot, _ in plain], pulls, width, height)


def fit_lean(places: Sequence[tuple[float, float]], ways: Sequence[Way], width: int, height: int) -> Lean:
    """Of a frame, width x height, where dice at these places, in pixels, seem to lean these ways.

    Least squares for what they have in common, held back by how cameras mostly hang (Tikhonov).
    """
    middle = (width / 2, height / 2)
    rows = [(math.sqrt(_STEADY), 0.0, 0.0), (0.0, math.sqrt(_STEADY), 0.0), (0.0, 0.0, math.sqrt(_LENS))]
    says = [0.0, 0.0, math.sqrt(_LENS) * _OUTWARD]
    for (x, y), (right, down) in zip(places, ways, strict=True):
        rows += [(1.0, 0.0, (x - middle[0]) / width), (0.0, 1.0, (y - middle[1]) / width)]
        says += [right, down]
    across, along, outward = np.linalg.lstsq(np.array(rows), np.array(says), rcond=None)[0].tolist()
    return Lean(middle, float(width), (across, along), outward)


def _pull(look: Look, ways: Ways, beside: Sequence[Look]) -> Way:
    """Which way a die leans, by how sure looks aimed these ways beside it are of it and of its face."""
    face = int(np.argmax(look.faces))
    sure = np.array([log_odds(other.whole) + log_odds(float(other.faces[face])) for other in beside])
    right, down = (_PULL * (np.linalg.pinv(ways) @ (sure - sure.mean()) - _OWN)).tolist()
    return right, down


def _inside(spot: Spot, width: int, height: int) -> bool:
    return min(spot.x, spot.y, width - spot.x, height - spot.y) > _INSIDE * max(spot.w, spot.h)


def _aimed(spot: Spot, right: float, down: float) -> Spot:
    size = max(spot.w, spot.h)
    return replace(spot, x=spot.x + right * size, y=spot.y + down * size)
