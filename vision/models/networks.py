"""The networks: frames in, plain numbers out.

There are a detector and a classifier, and a second pair trained separately, because two networks seldom make the same
mistake. The second classifier sees more of the surroundings. The verifier sees more still: half a domino or a letter
tile looks like a die only from near. The weights ship in `vision/models`; the model card beside them and
`vision/training` say how they were made.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.image import Floats, Image
from calibration.palette import COLOURS
from vision.log_odds import probability
from vision.models.integrity import MODELS_FOLDER
from vision.models.network import Network
from vision.reading import Box

CROP_SIDE: Final = 64
"""Side of the classifier's crops in pixels."""
WIDE_CROP: Final = 96
"""Side of the second classifier's crops in pixels: the die has the same scale, with more surroundings."""
CROP_MARGIN: Final = 1.3
"""Side of a crop of `CROP_SIDE`, as a multiple of the die's longer side."""
VERIFIER_CROP: Final = 72
"""Side of the verifier's crops in pixels."""
VERIFIER_DIE: Final = 28.0
"""Width of the die in the verifier's crops in pixels."""
DETECTOR_STRIDE: Final = 4
DETECTOR_MULTIPLE: Final = 16
"""The detector takes frames whose sides are multiples of this."""


@dataclass(frozen=True, slots=True)
class Detection:
    """A die that the detector found, in pixels of its input."""

    x: float
    """The centre."""
    y: float
    w: float
    h: float
    score: float
    """The detector's score, 0 to 1."""
    faces: Floats
    """Six probabilities, for faces 1 to 6."""
    colours: Floats
    """Eight probabilities, in the order of `COLOURS`."""

    @property
    def box(self) -> Box:
        """x, y, width, height from the upper left corner."""
        return self.x - self.w / 2, self.y - self.h / 2, self.w, self.h

    @property
    def size(self) -> float:
        """The longer side: the width of the die."""
        return max(self.w, self.h)


@dataclass(frozen=True, slots=True)
class Classification:
    """The classifier's output for one crop."""

    faces: Floats
    colours: Floats
    whole: float
    """Probability that the crop shows one whole die in its middle."""

    @property
    def face_chance(self) -> float:
        """Probability of the likeliest face."""
        return float(self.faces.max())


def _softmax(logits: Floats) -> Floats:
    spread = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(spread / spread.sum(axis=-1, keepdims=True), dtype=np.float32)


class Networks:
    """All networks, loaded. Not thread-safe."""

    def __init__(self, models: Path = MODELS_FOLDER) -> None:
        """Load the weights from a folder, by default the shipped ones. Raises `vision.models.network.ModelError`."""
        folders = (models, models / "second")
        self._detectors = tuple(Network(folder / "detector") for folder in folders)
        self._classifiers = tuple(Network(folder / "classifier") for folder in folders)
        self._verifier = Network(models / "verifier")

    def detect(self, frame: Image, threshold: float, *, second: bool = False) -> list[Detection]:
        """Every peak of the heat map above `threshold`, highest first. `frame` is BGR, of any size."""
        h, w = frame.shape[:2]
        padded = cv2.copyMakeBorder(frame, 0, -h % DETECTOR_MULTIPLE, 0, -w % DETECTOR_MULTIPLE, cv2.BORDER_REFLECT)
        out = self._detectors[second].run(np.asarray(padded, np.uint8))
        heat = probability(out[0])
        peaks = (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > threshold)
        ys, xs = np.nonzero(peaks)
        at = out[:, ys, xs]
        places = np.stack([(xs + at[1] + 0.5) * DETECTOR_STRIDE, (ys + at[2] + 0.5) * DETECTOR_STRIDE])
        sizes = np.exp(np.clip(at[3:5], -3, 3)) * 32
        faces, colours = _softmax(at[5:11].T), _softmax(at[11 : 11 + len(COLOURS)].T)
        rows = zip(*places.tolist(), *sizes.tolist(), heat[ys, xs].tolist(), faces, colours, strict=True)
        return sorted((s for s in (Detection(*row) for row in rows) if s.x < w and s.y < h), key=lambda s: -s.score)

    def classify(self, crops: list[Image], *, second: bool = False) -> list[Classification]:
        """One classification per crop; crops are BGR, `CROP_SIDE` squared, or `WIDE_CROP` for the second classifier."""
        n = 6 + len(COLOURS)
        rows = (self._classifiers[second].run(crop) for crop in crops)
        return [Classification(_softmax(row[:6]), _softmax(row[6:n]), probability(float(row[n]))) for row in rows]

    def verify(self, crops: list[Image]) -> list[float]:
        """Log odds that each crop shows a whole die in its middle; crops are BGR, `VERIFIER_CROP` squared."""
        return [float(self._verifier.run(crop)[0]) for crop in crops]
