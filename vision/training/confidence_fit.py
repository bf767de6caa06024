"""Fits the confidence on pictures that no network was trained on: held-out scenes, traced tables, validation
photographs, and tables with other objects but no dice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.evaluation.scores import box_matches
from vision.log_odds import probability
from vision.models.networks import Networks
from vision.pipeline.confidence import FEATURE_NAMES, Confidence
from vision.reader import Reader
from vision.training.pictures import Picture, Worlds, read_photographs, read_pictures, read_worlds

DICE_A_KIND: Final = 1500.0
"""Total weight of all dice from one kind of pictures."""
THING_WEIGHT: Final = 0.25
"""Weight of a candidate in a picture without dice; such tables have more objects than real ones."""
WEIGHT_SIGNS: Final = dict.fromkeys(("spot", "whole", "face", "best", "other", "agree", "ace_spot"), 1) | dict.fromkeys(
    ("odd", "odder", "small", "twice", "strange", "away", "faint"), -1
)
"""Sign of each feature's weight; a fitted weight of the other sign is chance, and is set to 0."""
THRESHOLDS: Final = {"ask_below": 0.8, "ask_face_below": 0.84, "report_above": 0.4}
"""Thresholds of `Confidence`; chosen, not fitted."""
NEIGHBOUR_FEATURES: Final = frozenset({"odder", "strange", "away", "faint"})
"""Features that tell if there is a die, but nothing about its face."""


class Rows(NamedTuple):
    """The reader's candidates in some pictures, a row each."""

    features: np.ndarray
    there: np.ndarray
    """1 for the most confident candidate of a die, else 0."""
    right: np.ndarray
    """1 where its face is right."""


def candidate_rows(reader: Reader, pictures: Iterable[Picture]) -> Rows:
    """The reader's candidates and their labels; each die counts once, for its most confident candidate."""
    rows, there, right = [], [], []
    for picture in pictures:
        labels = [(row, (row[0] - row[2] / 2, row[1] - row[3] / 2, row[2], row[3])) for row in picture.dice]
        taken: set[int] = set()
        for die, row in reader.candidates(picture.frame):
            near = [k for k, (_, box) in enumerate(labels) if box_matches(die.box, box)]
            if any(labels[k][0][6] for k in near):
                continue
            free = [k for k in near if k not in taken]
            x, y, w, h = die.box
            away = np.hypot(picture.dice[:, 0] - x - w / 2, picture.dice[:, 1] - y - h / 2)
            mine = min(free, key=lambda k: away[k], default=None)
            rows.append(row)
            there.append(mine is not None)
            right.append(mine is not None and int(labels[mine][0][4]) == die.face)
            if mine is not None:
                taken.add(mine)
    return Rows(np.array(rows, np.float64), np.array(there, np.float64), np.array(right, np.float64))


def degraded(pictures: Iterable[Picture], rng: np.random.Generator) -> Iterator[Picture]:
    """The same pictures, but smaller, out of focus and dark, because few faces are misread in good ones."""
    for picture in pictures:
        scale = float(rng.uniform(0.45, 0.9))
        frame = cv2.resize(picture.frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        frame = cv2.GaussianBlur(frame, (0, 0), float(rng.uniform(0.3, 1.8)))
        noisy = frame * rng.uniform(0.4, 1.0) + rng.normal(0, rng.uniform(1, 12), frame.shape)
        rows = picture.dice.copy()
        rows[:, :4] *= scale
        yield Picture(np.clip(noisy, 0, 255).astype(np.uint8), rows, picture.real)


def fit(
    x: np.ndarray, y: np.ndarray, weight: np.ndarray, ridge: float = 1.0, without: frozenset[str] = frozenset()
) -> np.ndarray:
    """Logistic regression with the signs of `WEIGHT_SIGNS`; `weight` is one per row."""
    in_use = np.array([name not in without for name in FEATURE_NAMES])
    signs = np.array([WEIGHT_SIGNS.get(name, 0) for name in FEATURE_NAMES])
    while True:
        w = np.zeros(x.shape[1])
        w[in_use] = _newton(x[:, in_use], y, weight, ridge)
        wrong = w * signs < 0
        if not wrong.any():
            return w
        in_use &= ~wrong


def _newton(x: np.ndarray, y: np.ndarray, weight: np.ndarray, ridge: float) -> np.ndarray:
    """Logistic regression by Newton's method; the first column, the bias, is not regularised."""
    w = np.zeros(x.shape[1])
    penalty = ridge * np.eye(x.shape[1])
    penalty[0, 0] = 0
    for _ in range(50):
        p = probability(x @ w)
        gradient = x.T @ (weight * (p - y)) + penalty @ w
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + penalty + 1e-6 * np.eye(len(w))
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if np.abs(step).max() < 1e-8:
            break
    return w


def concatenated(parts: Iterable[tuple[Rows, float]]) -> tuple[Rows, np.ndarray]:
    """Rows of several kinds of pictures, with the weight of each row."""
    rows, counts = zip(*parts, strict=True)
    weight = np.repeat(counts, [len(part.there) for part in rows])
    return Rows(*(np.concatenate(columns) for columns in zip(*rows, strict=True))), weight


def fit_confidence(worlds: Worlds, things: Sequence[Path], photos: Path, out: Path) -> None:
    """Write confidence.json to the folder `out`. All kinds of renderers have the same weight.

    things: folders of tables without dice.
    """
    untaught = Confidence((0.0,) * len(FEATURE_NAMES), (0.0,) * len(FEATURE_NAMES), *THRESHOLDS.values())
    reader = Reader(Networks(), untaught)
    _, watch = read_photographs(photos)

    def rows(rng: np.random.Generator | None = None) -> list[tuple[Rows, float]]:
        """The candidates of each kind of pictures with their weight; with `rng`, from degraded pictures."""
        kinds: Iterable[Iterable[Picture]] = [watch, *read_worlds(worlds).values()]
        parts = [candidate_rows(reader, pictures if rng is None else degraded(pictures, rng)) for pictures in kinds]
        return [(part, DICE_A_KIND / max(part.there.sum(), 1)) for part in parts]

    taken = rows()
    bare = candidate_rows(reader, chain.from_iterable(map(read_pictures, things)))
    all_there, counts = concatenated([*taken, (bare, THING_WEIGHT)])
    all_faces, faces_count = concatenated([*taken, *rows(np.random.default_rng(6))])
    dice = all_faces.there > 0
    weights = {
        "there": fit(all_there.features, all_there.there, counts),
        "face": fit(all_faces.features[dice], all_faces.right[dice], faces_count[dice], without=NEIGHBOUR_FEATURES),
    }
    fitted = Confidence(tuple(weights["there"]), tuple(weights["face"]), *THRESHOLDS.values())
    for kind, (part, _) in zip(("photographs", *worlds), taken, strict=True):
        share = np.array([fitted.share(row) for row in part.features])
        for low, high in pairwise((0, 0.05, 0.2, 0.5, 0.8, 0.9, 0.95, 0.99, 1.01)):
            here = (share >= low) & (share < high)
            if here.any():
                print(f"{kind}: said {low:.2f}-{high:.2f}: {int(here.sum())}, were {part.right[here].mean():.3f}")
    record = {
        kind: {name: round(float(v), 5) for name, v in zip(FEATURE_NAMES, w, strict=True)}
        for kind, w in weights.items()
    }
    record |= THRESHOLDS | {"fitted_on": len(all_faces.there)}
    (out / "confidence.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
