"""Labelled training pictures: rendered scenes from disk, and the photographs of `mixed_d6/train.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.palette import COLOURS

Frame = npt.NDArray[np.uint8]
Rows = npt.NDArray[np.float32]
"""n x 7: centre x, centre y, width, height, face 1-6, colour index or -1, ignore 0 or 1."""

PHOTO_SCALE = 0.65
"""Photographs are kept at this scale: their dice are then 40 to 110 px wide."""


@dataclass(frozen=True)
class Picture:
    """A frame and its dice."""

    data: Frame | bytes
    """The frame, or its encoded file where there are thousands."""
    dice: Rows
    real: bool

    @property
    def frame(self) -> Frame:
        if isinstance(self.data, bytes):
            return cv2.imdecode(np.frombuffer(self.data, np.uint8), cv2.IMREAD_COLOR)
        return self.data


def read_traced(folder: Path) -> Iterator[Picture]:
    """Every picture of a folder written by `vision.training.traced`, or by `perudo export --labels`."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    for name, label_entry in sorted(labels.items()):
        rows = [
            [x + w / 2, y + h / 2, w, h, d["value"], COLOURS.index(d["colour"]), d.get("ignore", False)]
            for d in (label_entry["dice"] if isinstance(label_entry, dict) else label_entry)
            for x, y, w, h in [d["box"]]
        ]
        yield Picture(cv2.imread(str(folder / name)), np.array(rows, np.float32).reshape(-1, 7), real=False)


def read_scenes(folder: Path, limit: int | None = None) -> Iterator[Picture]:
    """Every scene of a folder written by `vision.training.scenes.scene`, at most `limit` per seed."""
    for lines in sorted(folder.glob("labels-*.jsonl")):
        for line in lines.read_text(encoding="utf-8").splitlines()[:limit]:
            record = json.loads(line)
            rows = [
                [d["box"][0] + d["box"][2] / 2, d["box"][1] + d["box"][3] / 2, *d["box"][2:], d["face"], d["colour"],
                 d["ignore"]]
                for d in record["dice"]
            ]  # fmt: skip
            data = (folder / record["file"]).read_bytes()
            yield Picture(data, np.array(rows, np.float32).reshape(-1, 7), real=False)


def read_photographs(folder: Path) -> tuple[list[Picture], list[Picture]]:
    """The photographs of `mixed_d6/train.json`, split by session: to train on, and to validate on.

    The validation sessions are those of the last day's second half.
    """
    labels = json.loads((folder / "mixed_d6" / "train.json").read_text(encoding="utf-8"))
    names = sorted(labels)
    learn, watch = [], []
    for k, name in enumerate(names):
        frame = cv2.imread(str(folder / "mixed_d6" / name))
        frame = cv2.resize(frame, None, fx=PHOTO_SCALE, fy=PHOTO_SCALE, interpolation=cv2.INTER_AREA)
        rows = [
            [(x + w / 2) * PHOTO_SCALE, (y + h / 2) * PHOTO_SCALE, w * PHOTO_SCALE, h * PHOTO_SCALE, d["value"], -1, 0]
            for d in labels[name]
            for x, y, w, h in [d["box"]]
        ]
        picture = Picture(frame, np.array(rows, np.float32).reshape(-1, 7), real=True)
        (watch if k >= len(names) - 30 else learn).append(picture)
    return learn, watch
