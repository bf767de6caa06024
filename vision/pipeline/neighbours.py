"""The surroundings of each candidate: dice lie together, and have one size and few colours.

A sweet among the dice is a little too small, a print on a box lies apart, and what a cloth shows in one place it shows
in many. No one of these decides that something is not a die; with the networks' output they add up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.log_odds import log_odds, probability
from vision.models.networks import Classification, Detection
from vision.pipeline.detect import NeighbourGaps, centre_distances, neighbour_gaps, typical_width
from vision.pipeline.die_colour import Lab, colour_distances

_LIKELY_DIE: Final = 0.9
"""Candidates likelier than this to be a die are what the others are compared with."""
_FAINT_RANGE: Final = (0.02, 0.5)
"""Candidates with such a probability are mostly none."""
_MAX_COLOUR_DISTANCE: Final = 6.0
"""Larger colour distances are clipped to this."""
_WITHOUT_NEIGHBOURS: Final = (2.0, 1.5)
"""Neutral colour distance and log distance of a die with no other likely die."""


class Neighbours(NamedTuple):
    """The surroundings of one detection."""

    typical_width: float
    """Width of the dice of this frame in pixels."""
    gaps: NeighbourGaps
    colour_distance: float
    """To the most similar body of another die; dice of one colour are about 1 apart."""
    log_distance: float
    """Logarithm of the distance to the next die, in die widths."""
    log_faint: float
    """Logarithm of one plus the number of faint candidates in the frame."""


def neighbours_of(
    detections: Sequence[Detection], classifications: Sequence[Classification], bodies: Sequence[Lab]
) -> list[Neighbours]:
    """The neighbours of each detection, surest first; `bodies` are the body colours."""
    likely = np.array(
        [
            probability(log_odds(detection.score) + log_odds(classification.whole))
            for detection, classification in zip(detections, classifications, strict=True)
        ]
    )
    width = typical_width(detections)
    log_faint = math.log1p(int(((likely > _FAINT_RANGE[0]) & (likely < _FAINT_RANGE[1])).sum()))
    other = (likely > _LIKELY_DIE) & ~np.eye(len(detections), dtype=bool)
    nearest_colour = np.where(other, colour_distances(bodies, bodies), np.inf).min(axis=1, initial=np.inf)
    nearest_die = np.where(other, centre_distances(detections, detections), np.inf).min(axis=1, initial=np.inf)
    neighbours = []
    for k, gap in enumerate(neighbour_gaps(detections)):
        colour_distance, log_distance = _WITHOUT_NEIGHBOURS
        if other[k].any():
            colour_distance = min(float(nearest_colour[k]), _MAX_COLOUR_DISTANCE)
            log_distance = math.log(max(float(nearest_die[k]) / width, 1.0))
        neighbours.append(Neighbours(width, gap, colour_distance, log_distance, log_faint))
    return neighbours
