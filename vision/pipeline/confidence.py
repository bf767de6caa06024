"""The confidence of a reading, calibrated on how often such readings were right.

Networks are overconfident (Guo et al. 2017, "On calibration of modern neural networks"). Two logistic regressions over
their outputs, fitted on pictures that no network was trained on, give two probabilities: that there is a die, detected
once; and that its face is right if so. The first rejects letters and patterns. Their product, and the second alone, are
stretched so that 0.5 is where players are asked; the lower of the two is the confidence. A doubtful face never becomes
sure because it is clearly on a die.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

import numpy as np

from calibration.image import Floats
from vision.log_odds import log_odds, probability
from vision.models.integrity import MODELS_FOLDER
from vision.models.network import ModelError
from vision.models.networks import Classification, Detection
from vision.pipeline.neighbours import Neighbours
from vision.reading import UNCERTAIN_BELOW

FEATURE_NAMES: Final = (
    "bias",
    "spot",
    "whole",
    "face",
    "best",
    "other",
    "agree",
    "odd",
    "odder",
    "small",
    "close",
    "twice",
    "ace",
    "ace_spot",
    "strange",
    "away",
    "faint",
)

_FACE, _BEST, _ACE = (FEATURE_NAMES.index(name) for name in ("face", "best", "ace"))
_MOST_SURE: Final = 1.5
"""A face's log odds are at most this many times the combined ones: the fit has seen few wrong faces."""
_ODD_SIZE: Final = 0.1
"""Nine in ten dice of one table differ in log size by less than this."""
_ODDER_SIZE: Final = 0.25
"""Nearly all differ by less than this; sweets, fingertips and patterns differ more."""
_PLAIN_WIDTH: Final = 36.0
"""Die width, in pixels, beyond which more pixels show nothing new."""
_TOUCHING_GAP: Final = 1.0
"""Dice whose centres are nearer than this, in die widths, touch, which lowers their scores."""
_DOUBLE_GAP: Final = 0.6
"""Two dice are never nearer than this; it is one die detected twice, or its side."""


def features(detection: Detection, classification: Classification, faces: Floats, neighbours: Neighbours) -> Floats:
    """The regressions' input, in the order of `FEATURE_NAMES`.

    `faces` are the combined probabilities. Things that are not dice are mostly read as aces, more so at low scores.
    """
    best = int(np.argmax(faces))
    off = abs(float(np.log(detection.size / neighbours.typical_width)))
    return np.array(
        [
            1.0,
            log_odds(detection.score),
            log_odds(classification.whole),
            log_odds(float(classification.faces[best])),
            log_odds(float(faces[best])),
            log_odds(float(detection.faces[best])),
            float(int(np.argmax(detection.faces)) == int(np.argmax(classification.faces))),
            max(0.0, off - _ODD_SIZE),
            max(0.0, off - _ODDER_SIZE),
            max(0.0, float(np.log(_PLAIN_WIDTH / max(detection.size, 1.0)))),
            _TOUCHING_GAP - min(max(neighbours.gap, _DOUBLE_GAP), _TOUCHING_GAP),
            max(0.0, _DOUBLE_GAP - neighbours.surer_gap),
            float(best == 0),
            log_odds(detection.score) * float(best == 0),
            neighbours.colour_distance,
            neighbours.log_distance,
            neighbours.log_faint,
        ],
        dtype=np.float32,
    )


def _logistic(weights: tuple[float, ...], row: Floats) -> float:
    return probability(float(np.dot(np.asarray(weights, np.float32), row)))


def _stretched(p: float, ask: float) -> float:
    """Map a probability to 0 to 1, with `ask`, below which players are asked, at 0.5."""
    return UNCERTAIN_BELOW * p / ask if p < ask else UNCERTAIN_BELOW + (1 - UNCERTAIN_BELOW) * (p - ask) / (1 - ask)


def expected_share(confidence: float, ask_below: float) -> float:
    """The probability of being right at a confidence; less where the face was the doubt."""
    if confidence < UNCERTAIN_BELOW:
        return confidence / UNCERTAIN_BELOW * ask_below
    return ask_below + (confidence - UNCERTAIN_BELOW) / (1 - UNCERTAIN_BELOW) * (1 - ask_below)


@dataclass(frozen=True, slots=True)
class Confidence:
    """The fitted regressions."""

    there_weights: tuple[float, ...]
    """In the order of `FEATURE_NAMES`, for: there is a die, detected once."""
    face_weights: tuple[float, ...]
    """In the order of `FEATURE_NAMES`, for: the face of the die is right."""
    ask_below: float
    """Players are asked about dice whose probability of being right is lower."""
    ask_face_below: float
    """Players are asked about dice whose face has a lower probability, however sure it is that there is a die."""
    report_above: float
    """Candidates less likely than this to be a die are not among a reading's dice."""

    @classmethod
    def load(cls, models: Path = MODELS_FOLDER) -> Self:
        """Load the confidence from a folder, by default the shipped one. Raises `ModelError` if it is missing or
        damaged."""
        try:
            raw = json.loads((models / "confidence.json").read_text(encoding="utf-8"))
            there, face = (tuple(float(raw[kind][name]) for name in FEATURE_NAMES) for kind in ("there", "face"))
            return cls(there, face, *(float(raw[name]) for name in ("ask_below", "ask_face_below", "report_above")))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(
                f"vision/models/confidence.json is damaged: install the program again. ({error!r})"
            ) from error

    def there(self, row: Floats) -> float:
        """The probability that a candidate with these features is a die, detected once."""
        return _logistic(self.there_weights, row)

    def _face(self, row: Floats) -> float:
        """The probability that its face is right if it is a die.

        For an ace, at most the classifiers' probability: anything that hides pips makes aces, and they have looked at
        it from all sides.
        """
        best = float(row[_BEST])
        most = min(best, float(row[_FACE])) if row[_ACE] > 0 else _MOST_SURE * best
        return min(_logistic(self.face_weights, row), probability(most))

    def share(self, row: Floats) -> float:
        """Probability that a reading with these features is right."""
        return self.there(row) * self._face(row)

    def of(self, row: Floats) -> float:
        """The confidence: below 0.5 players are asked."""
        return min(_stretched(self.share(row), self.ask_below), self.if_there(row))

    def if_there(self, row: Floats) -> float:
        """The confidence if the candidate is certainly a die."""
        return _stretched(self._face(row), self.ask_face_below)

    def asking_below(self, share: float) -> Confidence:
        """The same regressions, asking about dice less likely than `share` to be right.

        The limit for faces stays: that something is a die makes no face surer.
        """
        return replace(self, ask_below=share, ask_face_below=max(share, self.ask_face_below))
