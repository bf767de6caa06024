"""The networks as cv2.dnn runs them: frames in, plain numbers out.

A detector and a classifier, and a second one of each that learned apart: what one of them takes for a die, or for
another face, the other seldom does. The second classifier sees more of what lies round the die. Shipped in
`vision/models`; how they were made is in `vision/training` and in the model card beside the weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.palette import COLOURS
from vision.odds import probability

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

CROP: Final = 64
"""Side of the classifier's crops in pixels."""
WIDE: Final = 96
"""Side of the second classifier's: it sees the die as large, and what lies round it."""
CROP_MARGIN: Final = 1.3
"""A crop's side as a multiple of the die's longer side, where the side is `CROP`."""
_BATCH: Final = 64
"""Crops that a classifier is given at once; more would only take more memory."""
STRIDE: Final = 4
MULTIPLE: Final = 16
"""The detector wants frames whose sides are multiples of this."""


def crop_side(*, second: bool) -> int:
    """Side of the crops that the one classifier or the other takes, in pixels."""
    return WIDE if second else CROP


class ModelError(RuntimeError):
    """The weights could not be read. The message says what to do about it."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the detector saw a die, in pixels of the frame it was given."""

    x: float
    """Of the centre."""
    y: float
    w: float
    h: float
    score: float
    """0 to 1."""
    faces: Floats
    """Six probabilities, the one first."""
    colours: Floats
    """Eight probabilities, in the order of `COLOURS`."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the classifier makes of one crop."""

    faces: Floats
    colours: Floats
    whole: float
    """0 to 1: that the crop shows one whole die in its middle."""


def _softmax(logits: Floats) -> Floats:
    spread = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(spread / spread.sum(axis=-1, keepdims=True), dtype=np.float32)


def _load(name: str) -> cv2.dnn.Net:
    path = resources.files("vision") / "models" / name
    if not path.is_file():
        raise ModelError(f"{name} is missing from vision/models: install the program again.")
    weights = np.frombuffer(path.read_bytes(), np.uint8)
    try:
        return cv2.dnn.readNetFromONNX(weights)
    except cv2.error as error:
        raise ModelError(f"{name} in vision/models is damaged: install the program again. ({error})") from error


class Networks:
    """All of them, loaded. Not for two threads at once: cv2.dnn keeps state."""

    def __init__(self) -> None:
        self._detectors = (_load("detector.onnx"), _load("second/detector.onnx"))
        self._classifiers = (_load("classifier.onnx"), _load("second/classifier.onnx"))

    def spots(self, frame: Image, threshold: float, *, second: bool = False) -> list[Spot]:
        """Every peak of the heat map above `threshold`, surest first; frame is BGR, any size.

        second: by the second detector.
        """
        detector = self._detectors[second]
        h, w = frame.shape[:2]
        padded = cv2.copyMakeBorder(frame, 0, -h % MULTIPLE, 0, -w % MULTIPLE, cv2.BORDER_REFLECT)
        detector.setInput(cv2.dnn.blobFromImage(padded, 1 / 255))
        out = np.asarray(detector.forward(), dtype=np.float32)[0]
        heat = probability(out[0])
        peaks = (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > threshold)
        ys, xs = np.nonzero(peaks)
        at = out[:, ys, xs]
        places = np.stack([(xs + at[1] + 0.5) * STRIDE, (ys + at[2] + 0.5) * STRIDE])
        sizes = np.exp(np.clip(at[3:5], -3, 3)) * 32
        faces, colours = _softmax(at[5:11].T), _softmax(at[11 : 11 + len(COLOURS)].T)
        rows = zip(*places.tolist(), *sizes.tolist(), heat[ys, xs].tolist(), faces, colours, strict=True)
        return sorted((s for s in (Spot(*row) for row in rows) if s.x < w and s.y < h), key=lambda s: -s.score)

    def looks(self, crops: list[Image], *, second: bool = False) -> list[Look]:
        """One answer a crop; crops are BGR, CROP x CROP. second: by the second classifier, WIDE x WIDE."""
        classifier = self._classifiers[second]
        n = 6 + len(COLOURS)
        looks = []
        for k in range(0, len(crops), _BATCH):
            classifier.setInput(cv2.dnn.blobFromImages(crops[k : k + _BATCH], 1 / 255))
            out = np.asarray(classifier.forward(), dtype=np.float32)
            looks += [Look(_softmax(row[:6]), _softmax(row[6:n]), probability(float(row[n]))) for row in out]
        return looks
