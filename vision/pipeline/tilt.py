"""Estimates how the dice are tilted towards the camera, to classify them by their tops.

A camera that looks at an angle sees a side of each die next to its top, and one die alone does not always show which
face is the top. But all dice stand upright on one table, so their tops are offset from the centres of their boxes in
one direction, or outward from the point below the camera. The classifier, trained on whole dice seen from above,
reveals the offset: aimed beside a die it is less sure, and least sure on the side away from the top. A few clear dice
give the offset for all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.log_odds import log_odds
from vision.models.networks import Classification, Detection
from vision.pipeline.frame_inference import FrameInference

Offset = tuple[float, float]
"""Right and down, in die widths."""
Offsets = npt.NDArray[np.float64]
"""n x 2 unit vectors."""

_PROBED_DICE: Final = 4
"""The number of dice, the clearest ones, that are probed."""
_PROBE_DISTANCE: Final = 0.3
"""Distance of a probe from the die's centre, in die widths."""
_PROBE_DIRECTIONS: Final = np.array([(math.cos(turn), math.sin(turn)) for turn in (0, math.tau / 3, -math.tau / 3)])
"""Three directions, as few as possible; every other die is probed in the opposite directions."""
_CLASSIFIER_BIAS: Final = np.array([1.1, 0.4])
"""The classifier's own bias right and down, in log odds, measured on rendered tables."""
_OFFSET_PER_LOG_ODDS: Final = 0.053
"""Die widths per unit of log odds between the probes, fitted on the same tables."""
_MIN_SCORE: Final = 0.3
_MIN_WHOLE: Final = 0.9
_MIN_FACE: Final = 0.8
"""A clear die exceeds all three: in the detectors' score, "one whole die" and the likeliest face."""
_EDGE_DISTANCE: Final = 0.9
"""The least distance of a clear die from the edge of the frame, in die widths."""
_MIDDLE_WEIGHT: Final = 1.5
"""Weight, in dice, of the prior that dice in the middle of the frame are seen from straight above."""
_OUTWARD_PRIOR: Final = 0.6
"""Outward offset of tops, in die widths, per frame width from the point below the camera, with a usual lens."""
_OUTWARD_WEIGHT: Final = 3.0
"""Weight of that prior in dice."""
_MIN_OFFSET: Final = 0.2
"""A die with a smaller offset, in die widths, is classified as it is."""
_SEEN_SIDE: Final = 0.15
"""Offset, in die widths, from which a side may be taken for the top: some 20 degrees from straight down."""
_BEYOND: Final = 0.4
"""How far outward the top then is from the centre of what was detected, in die widths."""
_MAX_OFFSET: Final = 0.25
"""The classifier is aimed at most this far from a die's centre, in die widths."""


@dataclass(frozen=True, slots=True)
class Tilt:
    """The offset of the tops, for all dice of one frame."""

    middle: tuple[float, float]
    """Middle of the frame, in pixels."""
    width: float
    """Width of the frame, in pixels."""
    at_middle: Offset
    """The offset in the middle of the frame."""
    outward: float
    """Added outward from the middle, per frame width."""

    @classmethod
    def known(cls, below: tuple[float, float], height: float) -> Tilt:
        """The tilt in a picture from straight above, by a camera `height` pixels above the point `below`.

        The foot of a cube appears nearer to that point than its top, by its width per camera height; the centre of its
        visible part is half way between them.
        """
        return cls(below, 1.0, (0.0, 0.0), 0.5 / height)

    def of(self, detection: Detection) -> Offset:
        """The vector from the die's centre to the centre of its top."""
        right, down = (detection.x - self.middle[0]) / self.width, (detection.y - self.middle[1]) / self.width
        return self.at_middle[0] + self.outward * right, self.at_middle[1] + self.outward * down

    def top(self, detection: Detection) -> Detection:
        """The detection, centred on the die's top."""
        right, down = self.of(detection)
        length = math.hypot(right, down)
        if length < _MIN_OFFSET:
            return detection
        return _shifted(detection, right * min(1.0, _MAX_OFFSET / length), down * min(1.0, _MAX_OFFSET / length))

    def beyond(self, detection: Detection) -> Detection | None:
        """The top, if the detection is a side; None where the camera sees hardly any side."""
        right, down = self.of(detection)
        length = math.hypot(right, down)
        return None if length < _SEEN_SIDE else _shifted(detection, *(_BEYOND / length * np.array([right, down])))


def estimate_tilt(
    frame: FrameInference, detections: Sequence[Detection], classifications: Sequence[Classification]
) -> Tilt:
    """Estimate the tilt from the clearest dice; without any, assume a camera that looks straight down."""
    height, width = frame.image.shape[:2]
    plain = [
        (detection, classification)
        for detection, classification in zip(detections, classifications, strict=True)
        if detection.score > _MIN_SCORE
        and classification.whole > _MIN_WHOLE
        and classification.face_chance > _MIN_FACE
        and min(detection.x, detection.y, width - detection.x, height - detection.y) > _EDGE_DISTANCE * detection.size
    ]
    plain = sorted(plain, key=lambda each: -each[0].score * each[1].whole * each[1].face_chance)[:_PROBED_DICE]
    directions = [_PROBE_DIRECTIONS if k % 2 else -_PROBE_DIRECTIONS for k in range(len(plain))]
    aside = [
        _shifted(detection, *way)
        for (detection, _), ways in zip(plain, directions, strict=True)
        for way in (_PROBE_DISTANCE * ways).tolist()
    ]
    beside = iter(frame.classify(aside))  # one batch is faster than several
    offsets = [
        _top_offset(classification, ways, list(islice(beside, len(ways))))
        for (_, classification), ways in zip(plain, directions, strict=True)
    ]
    return fit_tilt([(detection.x, detection.y) for detection, _ in plain], offsets, width, height)


def fit_tilt(places: Sequence[tuple[float, float]], offsets: Sequence[Offset], width: int, height: int) -> Tilt:
    """Fit the tilt of a frame of width x height to the `offsets` of dice at `places`, in pixels.

    Least squares, regularised towards how cameras usually hang (Tikhonov).
    """
    middle = (width / 2, height / 2)
    rows = [
        (math.sqrt(_MIDDLE_WEIGHT), 0.0, 0.0),
        (0.0, math.sqrt(_MIDDLE_WEIGHT), 0.0),
        (0.0, 0.0, math.sqrt(_OUTWARD_WEIGHT)),
    ]
    wanted = [0.0, 0.0, math.sqrt(_OUTWARD_WEIGHT) * _OUTWARD_PRIOR]
    for (x, y), offset in zip(places, offsets, strict=True):
        rows += [(1.0, 0.0, (x - middle[0]) / width), (0.0, 1.0, (y - middle[1]) / width)]
        wanted += offset
    across, along, outward = np.linalg.lstsq(np.array(rows), np.array(wanted), rcond=None)[0].tolist()
    return Tilt(middle, float(width), (across, along), outward)


def _top_offset(classification: Classification, ways: Offsets, beside: Sequence[Classification]) -> Offset:
    """The offset of a die's top, from how sure the probes in these directions are of the die and its face."""
    face = int(np.argmax(classification.faces))
    sure = np.array([log_odds(other.whole) + log_odds(float(other.faces[face])) for other in beside])
    right, down = (_OFFSET_PER_LOG_ODDS * (np.linalg.pinv(ways) @ (sure - sure.mean()) - _CLASSIFIER_BIAS)).tolist()
    return right, down


def _shifted(detection: Detection, right: float, down: float) -> Detection:
    """The detection, moved by this many die widths."""
    return replace(detection, x=detection.x + right * detection.size, y=detection.y + down * detection.size)
