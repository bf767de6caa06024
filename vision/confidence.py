"""How sure a reading is, learned from how often readings like it were right.

Each network says how sure it is, but networks are surer than they have a right to be (Guo et al. 2017, "On calibration
of modern neural networks"). A logistic regression over what both say, fitted on pictures neither learned from,
turns that into a share of right readings. That share is then stretched so that 0.5 is where the players are asked. A
second regression says how likely there is a die at all: letters and patterns are left out, an unreadable die is not.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import Final, Self

import numpy as np

from vision.networks import Floats, Look, ModelError, Spot
from vision.odds import log_odds, probability

NAMES: Final = ("bias", "spot", "whole", "face", "margin", "other", "agree", "odd", "small", "close")

_ALIKE: Final = float(np.log(1.5))
"""Dice on one table differ in size by less than this, as a logarithm: what is odder is a fingertip or a pattern."""

_PLAIN: Final = 36.0
"""Dice this many pixels wide show all there is to read; of smaller ones less and less is left."""


def features(spot: Spot, look: Look, faces: Floats, usual: float, gap: float) -> Floats:
    """What the regression looks at, in the order of `NAMES`.

    faces: the mixed opinion, six probabilities. usual: the width of the dice in this frame, in its pixels. gap: from
    this spot to the nearest other likely one, in die widths: dice that touch are seen less surely than they deserve.
    """
    order = np.argsort(-faces)
    best, second = int(order[0]), int(order[1])
    return np.array(
        [
            1.0,
            log_odds(spot.score),
            log_odds(look.whole),
            log_odds(float(look.faces[best])),
            np.log((faces[best] + 1e-6) / (faces[second] + 1e-6)),
            log_odds(float(spot.faces[best])),
            float(int(np.argmax(spot.faces)) == int(np.argmax(look.faces))),
            max(0.0, abs(float(np.log(max(spot.w, spot.h) / usual))) - _ALIKE),
            max(0.0, float(np.log(_PLAIN / max(spot.w, spot.h, 1.0)))),
            max(0.0, 1.0 - gap),
        ],
        dtype=np.float32,
    )


def _logistic(weights: tuple[float, ...], row: Floats) -> float:
    return probability(float(np.dot(np.asarray(weights, np.float32), row)))


@dataclass(frozen=True, slots=True)
class Confidence:
    """The fitted regressions."""

    right: tuple[float, ...]
    """Weights in the order of `NAMES`: whether it is a die and its face is right."""
    there: tuple[float, ...]
    """Weights in the order of `NAMES`: whether it is a die."""
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
            right, there = (tuple(float(raw[kind][name]) for name in NAMES) for kind in ("right", "there"))
            return cls(right, there, float(raw["ask_below"]), float(raw["report_above"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(
                f"vision/models/confidence.json is damaged: install the program again. ({error!r})"
            ) from error

    def is_die(self, row: Floats) -> bool:
        """Whether what has these features belongs in the reading."""
        return _logistic(self.there, row) >= self.report_above

    def share(self, row: Floats) -> float:
        """The share of readings with these features that are right, 0 to 1."""
        return _logistic(self.right, row)

    def of(self, row: Floats) -> float:
        """Confidence: 0 to 0.5 where players are asked, 0.5 to 1 where they are not."""
        p, ask = self.share(row), self.ask_below
        return 0.5 * p / ask if p < ask else 0.5 + 0.5 * (p - ask) / (1 - ask)
