"""How sure a reading is, learned from how often readings like it were right.

Each network says how sure it is, but networks are surer than they have a right to be (Guo et al. 2017, "On calibration
of modern neural networks"). Two logistic regressions over what they say, fitted on pictures none of them learned
from, turn that into shares: how likely there is a die at all, not seen already, and how likely its face is right if
so. Letters and patterns are left out by the first; both together, stretched so that 0.5 is where the players are
asked, are the confidence. What speaks for a reading can only raise it: a die whose face is in doubt is never sure
for being plainly a die.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import Final, Self

import numpy as np

from vision.models.networks import Floats, Look, ModelError, Spot
from vision.odds import log_odds, probability
from vision.pipeline.neighbours import Company

NAMES: Final = (
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

_BEST: Final = NAMES.index("best")

_ODD: Final = 0.1
"""Nine in ten dice of one table differ in size by less than this, as a logarithm."""
_ODDER: Final = 0.25
"""And nearly all by less than this: what is odder is a sweet, a fingertip or a pattern."""

_PLAIN: Final = 36.0
"""Dice this many pixels wide show all there is to read; of smaller ones less and less is left."""


_TOUCHING: Final = 1.0
"""Dice whose middles are nearer than this, in die widths, touch: they are seen less surely than they deserve."""

_ONE: Final = 0.6
"""No two dice's middles are nearer than this: one of them is the other seen twice, or its side."""


def features(spot: Spot, look: Look, faces: Floats, beside: Company) -> Floats:
    """What the regressions look at, in the order of `NAMES`.

    faces: the mixed opinion, six probabilities; what is no die is mostly read as an ace, the more the less sure the
    detectors are of it. beside: what lies round the spot.
    """
    best = int(np.argmax(faces))
    off = abs(float(np.log(max(spot.w, spot.h) / beside.usual)))
    return np.array(
        [
            1.0,
            log_odds(spot.score),
            log_odds(look.whole),
            log_odds(float(look.faces[best])),
            log_odds(float(faces[best])),
            log_odds(float(spot.faces[best])),
            float(int(np.argmax(spot.faces)) == int(np.argmax(look.faces))),
            max(0.0, off - _ODD),
            max(0.0, off - _ODDER),
            max(0.0, float(np.log(_PLAIN / max(spot.w, spot.h, 1.0)))),
            _TOUCHING - min(max(beside.gaps.likely, _ONE), _TOUCHING),
            max(0.0, _ONE - beside.gaps.surer),
            float(best == 0),
            log_odds(spot.score) * float(best == 0),
            beside.strange,
            beside.away,
            beside.faint,
        ],
        dtype=np.float32,
    )


def _logistic(weights: tuple[float, ...], row: Floats) -> float:
    return float(probability(float(np.dot(np.asarray(weights, np.float32), row))))


@dataclass(frozen=True, slots=True)
class Confidence:
    """The fitted regressions."""

    there: tuple[float, ...]
    """Weights in the order of `NAMES`: whether it is a die, and no other spot is the same one."""
    face: tuple[float, ...]
    """Weights in the order of `NAMES`: whether the face is right of what is a die."""
    ask_below: float
    """The share of right readings under which players are asked."""
    report_above: float
    """What is less likely than this to be a die is left out of the reading."""

    @classmethod
    def load(cls) -> Self:
        """What came with the program. Raises `ModelError` when it is missing or damaged."""
        path = resources.files("vision") / "models" / "confidence.json"
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
            there, face = (tuple(float(raw[kind][name]) for name in NAMES) for kind in ("there", "face"))
            return cls(there, face, float(raw["ask_below"]), float(raw["report_above"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(
                f"vision/models/confidence.json is damaged: install the program again. ({error!r})"
            ) from error

    def is_die(self, row: Floats) -> bool:
        """Whether what has these features belongs in the reading."""
        return _logistic(self.there, row) >= self.report_above

    def share(self, row: Floats) -> float:
        """The share of readings with these features that are right, 0 to 1.

        Where readings like it are rarely wrong, the fit knows little of doubtful ones: no face is surer than if two
        who know nothing of each other had each said it with the chance that all opinions together give it.
        """
        twice = probability(2 * float(row[_BEST]))
        return _logistic(self.there, row) * min(_logistic(self.face, row), twice)

    def of(self, row: Floats) -> float:
        """Confidence: 0 to 0.5 where players are asked, 0.5 to 1 where they are not."""
        p, ask = self.share(row), self.ask_below
        return 0.5 * p / ask if p < ask else 0.5 + 0.5 * (p - ask) / (1 - ask)
