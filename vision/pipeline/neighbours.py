"""The surroundings of each candidate: dice lie together, and have one size and few colours.

A sweet among the dice is a little too small, a print on a box lies apart, and the pattern of a cloth repeats. None of
these alone shows that something is not a die; together with the networks' output they do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from vision.log_odds import log_odds, probability
from vision.models.networks import Classification, Detection
from vision.pipeline.detect import CONFIDENT_SCORE, centre_distances, die_widths, typical_width
from vision.pipeline.die_colour import colour_distances
from vision.reading import Lab

_LIKELY_DIE: Final = 0.9
"""Candidates above this probability of being a die are what the others are compared with."""
_FAINT_RANGE: Final = (0.02, 0.5)
"""Candidates with a probability in this range are mostly not dice."""
_MAX_COLOUR_DISTANCE: Final = 6.0
"""Upper bound of colour distances."""
_WITHOUT_NEIGHBOURS: Final = (2.0, 1.5)
"""Colour distance and log distance assumed for a die without another likely die."""


class Neighbours(NamedTuple):
    """The surroundings of one detection. Gaps are in mean widths of the two, infinite if there is no other."""

    typical_width: float
    """Width of the dice of this frame in pixels."""
    gap: float
    """To the nearest confident detection."""
    surer_gap: float
    """To the nearest detection with a higher score."""
    colour_distance: float
    """To the most similar body of another die; dice of one colour are about 1 apart."""
    log_distance: float
    """Logarithm of the distance to the nearest die, in die widths."""
    log_faint: float
    """Logarithm of one plus the number of faint candidates in the frame."""


def neighbours_of(
    detections: Sequence[Detection], classifications: Sequence[Classification], bodies: Sequence[Lab]
) -> list[Neighbours]:
    """The neighbours of each detection, surest first; there is at least one. `bodies` are the body colours."""
    chances = np.array(
        [
            probability(log_odds(detection.score) + log_odds(classification.whole))
            for detection, classification in zip(detections, classifications, strict=True)
        ]
    )
    log_faint = math.log1p(int(((chances > _FAINT_RANGE[0]) & (chances < _FAINT_RANGE[1])).sum()))
    width, widths = typical_width(detections), die_widths(detections)
    distances = centre_distances(detections, detections)
    gaps = distances * 2 / (widths[:, None] + widths)
    others = ~np.eye(len(detections), dtype=bool)
    confident = others & np.array([detection.score > CONFIDENT_SCORE for detection in detections])
    likely = others & (chances > _LIKELY_DIE)
    rows = zip(
        _least(gaps, confident),
        _least(gaps, np.tri(len(detections), k=-1, dtype=bool)),
        _least(colour_distances(bodies, bodies), likely),
        _least(distances, likely),
        strict=True,
    )
    neighbours = []
    for gap, surer_gap, colour, distance in rows:
        colour_distance, log_distance = _WITHOUT_NEIGHBOURS
        if math.isfinite(distance):
            colour_distance, log_distance = min(colour, _MAX_COLOUR_DISTANCE), math.log(max(distance / width, 1.0))
        neighbours.append(Neighbours(width, gap, surer_gap, colour_distance, log_distance, log_faint))
    return neighbours


def _least(distances: npt.NDArray[np.floating], among: npt.NDArray[np.bool_]) -> list[float]:
    """The least value of each row among those that `among` selects; infinite if it selects none."""
    least: list[float] = np.where(among, distances, np.inf).min(axis=1).tolist()
    return least
