"""Fit the confidence on pictures neither network learned from: held-out scenes, traced tables, watched photographs.

python -m vision.training.fit_confidence --scenes HELD --photos PHOTOS --out vision/models
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from itertools import chain, pairwise
from pathlib import Path

import numpy as np

from vision.confidence import NAMES
from vision.measure import belongs
from vision.odds import probability
from vision.reader import Reader
from vision.training.data import Picture, photographs, rendered, traced


def rows_of(reader: Reader, pictures: Iterable[Picture]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features of everything the reader takes for a die, whether it is one, and whether its face is right too."""
    rows, there, right = [], [], []
    for picture in pictures:
        labels = [(row, (row[0] - row[2] / 2, row[1] - row[3] / 2, row[2], row[3])) for row in picture.dice]
        for die, row in reader.opinions(picture.frame):
            near = [label for label, box in labels if belongs(die.box, box)]
            if any(label[6] for label in near):
                continue
            rows.append(row)
            there.append(bool(near))
            right.append(any(int(label[4]) == die.face for label in near))
    return np.array(rows, np.float64), np.array(there, np.float64), np.array(right, np.float64)


SCENES_COUNT: float = 0.25
"""A die of a composed scene, as against one of a traced table or a photograph: scenes are harder than any table."""


def fit(x: np.ndarray, y: np.ndarray, weight: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """Logistic regression by Newton's method; `weight` is how much each row counts."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--traced", type=Path, nargs="*", default=[], help="folders by vision.training.traced")
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--ask-below", type=float, default=0.85)
    parser.add_argument("--report-above", type=float, default=0.3)
    args = parser.parse_args()
    reader = Reader.load()
    _, watch = photographs(args.photos)
    lit = chain.from_iterable(traced(folder) for folder in args.traced)
    composed, tables = rows_of(reader, rendered(args.scenes)), rows_of(reader, chain(watch, lit))
    x, there, right = (np.concatenate(pair) for pair in zip(composed, tables, strict=True))
    counts = np.repeat((SCENES_COUNT, 1.0), (len(composed[0]), len(tables[0])))
    weights = {"right": fit(x, right, counts), "there": fit(x, there, counts)}
    for kind, truth in (("right", right), ("there", there)):
        share = probability(x @ weights[kind])
        for low, high in pairwise((0, 0.05, 0.2, 0.5, 0.8, 0.9, 0.95, 0.99, 1.01)):
            here = (share >= low) & (share < high)
            if here.any():
                print(f"{kind}: said {low:.2f}-{high:.2f}: {int(here.sum())}, were {truth[here].mean():.3f}")
    record = {
        kind: {name: round(float(v), 5) for name, v in zip(NAMES, w, strict=True)} for kind, w in weights.items()
    } | {"ask_below": args.ask_below, "report_above": args.report_above, "fitted_on": len(right)}
    (args.out / "confidence.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
