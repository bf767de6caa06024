"""Classifies the detected dice, the doubtful ones a second time.

The first classifier sees each die, and then the top of a die seen at an angle, also where the top must be if the
detector found a side. Dice still in doubt go to the second classifier, which sees more of the surroundings, in all four
rotations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.models.networks import Classification, Detection
from vision.pipeline.frame_inference import FrameInference
from vision.pipeline.tilt import Tilt, estimate_tilt

_MAX_TOP_LOOKS: Final = 8
"""At most this many dice, the least sure, are classified again by their tops."""
_MAX_SECOND_LOOKS: Final = 24
"""At most this many doubtful dice go to the second classifier; more are a pattern."""
_PLAIN_SHARE: Final = 0.97
"""A die is in doubt if its likeliest face or "one whole die" is less likely than this."""
_COULD_BE: Final = 0.5
"""A die's top may be at a place where a die and its face are both likelier than this."""
_NO_DIE: Final = 0.02
"""Candidates less likely than this to be a whole die are not classified again."""


def classify_dice(
    frame: FrameInference, detections: Sequence[Detection], tilt: Tilt | None = None
) -> list[Classification]:
    """The combined output of all classifiers for each detection. tilt: of the dice's tops, if known."""
    classifications = frame.classify(detections)
    tilt = tilt or estimate_tilt(frame, detections, classifications)
    tops = {
        k: tilt.top(detections[k]) for k, classification in enumerate(classifications) if classification.whole > _NO_DIE
    }
    leaning = [k for k in tops if tops[k] is not detections[k]]
    again = sorted(leaning, key=lambda k: classifications[k].face_chance)[:_MAX_TOP_LOOKS]
    for k, top in zip(again, frame.classify([tops[k] for k in again]), strict=True):
        classifications[k] = replace(classifications[k], faces=top.faces)
    doubtful = [k for k in tops if min(classifications[k].whole, classifications[k].face_chance) < _PLAIN_SHARE]
    doubtful = doubtful[:_MAX_SECOND_LOOKS]
    for k, others in zip(doubtful, frame.classify_turned([tops[k] for k in doubtful]), strict=True):
        classifications[k] = _mean([classifications[k], *others])
    beyond = {k: place for k in tops if (place := tilt.beyond(detections[k])) is not None}
    for k, far in zip(beyond, frame.classify([*beyond.values()]), strict=True):
        if _contradicts(far, classifications[k]):
            classifications[k] = _mean([classifications[k], far])
    return classifications


def _contradicts(top: Classification, read: Classification) -> bool:
    """True if what may be the top probably is one, and shows another face than was read."""
    other_face = int(np.argmax(top.faces)) != int(np.argmax(read.faces))
    return other_face and top.whole * top.face_chance > _COULD_BE


def _mean(classifications: list[Classification]) -> Classification:
    return Classification(
        np.asarray(np.mean([each.faces for each in classifications], axis=0), np.float32),
        np.asarray(np.mean([each.colours for each in classifications], axis=0), np.float32),
        float(np.mean([each.whole for each in classifications])),
    )
