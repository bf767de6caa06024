"""Hard negatives for the classifier: what the detector takes for dice, with plain background.

python -m vision.training.data.hard_negatives --scenes DIR --photos DIR --work DIR

With --second, the second detector's mistakes. Tables with things and no dice (--things) are seen by both, as the
reader sees them.
"""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.models.networks import Detection, Networks
from vision.pipeline.crop import crop_die
from vision.pipeline.detect import detect_dice
from vision.pipeline.tiles import FrameInference
from vision.training.data.augmentation import CUTOUT_MARGIN, CUTOUT_SIDE, add_shade_and_glare, cut_out
from vision.training.data.die_crops import crop_side_of
from vision.training.data.labelled_pictures import Picture, read_photographs, read_scenes, read_traced
from vision.training.scenes.glossy import glossy

GLOSSY_SHARE = 0.25
"""Share of the negatives that are repeated with a plain glossy thing drawn over them."""
DIE_LIKENESS = 0.02
"""Negatives that the current classifier finds more like a die than this are shown more often."""
CUTOUT_DETECTION = Detection(
    CUTOUT_SIDE / 2,
    CUTOUT_SIDE / 2,
    CUTOUT_SIDE / CUTOUT_MARGIN,
    CUTOUT_SIDE / CUTOUT_MARGIN,
    1.0,
    np.zeros(6, np.float32),
    np.zeros(8, np.float32),
)
"""The die's place in its cut-out."""
RANDOM_PLACES = 7
"""Random places taken from each picture besides the mistakes."""
MOST_THINGS = 30
"""Places taken from a picture without dice, the surest; more are a pattern."""


def places_without_die(
    picture: Picture, networks: Networks, rng: np.random.Generator, *, second: bool = False
) -> list[npt.NDArray[np.uint8]]:
    """Cut-outs of this picture without a die in their middle."""
    frame = picture.frame
    height, width = frame.shape[:2]
    places = [(s.x, s.y, max(s.w, s.h)) for s in networks.detect(frame, 0.05, second=second)]
    usual = float(np.median(picture.dice[:, 2:4].max(1))) if len(picture.dice) else 40.0
    for _ in range(RANDOM_PLACES):
        places.append((rng.uniform(0, width), rng.uniform(0, height), usual * np.exp(rng.normal(0, 0.4))))
    crops = []
    for x, y, size in places:
        away = np.hypot(picture.dice[:, 0] - x, picture.dice[:, 1] - y) / np.maximum(picture.dice[:, 2:4].max(1), size)
        if not len(away) or away.min() > 0.55:
            crops.append(cut_out(frame, x, y, size))
    return crops


def things_like_dice(picture: Picture, networks: Networks) -> list[npt.NDArray[np.uint8]]:
    """Cut-outs of what is taken for a die in a picture without dice."""
    detections = detect_dice(FrameInference(picture.frame, networks))
    return [cut_out(picture.frame, s.x, s.y, s.size) for s in detections[:MOST_THINGS]]


def die_likeness(
    crops: list[npt.NDArray[np.uint8]], networks: Networks, *, second: bool = False
) -> npt.NDArray[np.float32]:
    """The classifier's probability of a whole die in each."""
    side = crop_side_of(second=second)
    classifications = networks.classify([crop_die(crop, CUTOUT_DETECTION.box, side) for crop in crops], second=second)
    return np.array([classification.whole for classification in classifications], np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--traced", type=Path, nargs="*", default=[])
    parser.add_argument("--things", type=Path, nargs="*", default=[], help="folders of tables without dice")
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--second", action="store_true", help="the second detector's mistakes")
    parser.add_argument("--limit", type=int, default=250, help="scenes a seed to look at; a thousand would fill 10 GB")
    args = parser.parse_args()
    rng = np.random.default_rng(3)
    networks = Networks()
    learn, _ = read_photographs(args.photos)
    lit = chain.from_iterable(read_traced(folder) for folder in args.traced)
    pictures = chain(learn, read_scenes(args.scenes, args.limit), lit)
    crops = [crop for picture in pictures for crop in places_without_die(picture, networks, rng, second=args.second)]
    laid = rng.choice(len(crops), round(len(crops) * GLOSSY_SHARE), replace=False)
    crops += [add_shade_and_glare(glossy(crops[k], rng), rng) for k in laid]
    tables = chain.from_iterable(read_traced(folder) for folder in args.things)
    crops += [crop for picture in tables for crop in things_like_dice(picture, networks)]
    like = die_likeness(crops, networks, second=args.second)
    print(f"{len(crops)} places without a die, {int((like > DIE_LIKENESS).sum())} of them like one")
    np.savez(args.work / "empties.npz", crops=np.stack(crops), like=like > DIE_LIKENESS)


if __name__ == "__main__":
    main()
