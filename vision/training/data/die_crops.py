"""Training crops for the classifier: single dice, and places without one."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from vision.models.networks import CROP_MARGIN, CROP_SIDE, WIDE_CROP
from vision.training.data.augmentation import (
    CUTOUT_MARGIN,
    CUTOUT_SIDE,
    add_shade_and_glare,
    camera_artefacts,
    cut_out,
    hide_part,
    jitter_light,
)
from vision.training.data.labelled_pictures import Picture


def crop_side_of(*, second: bool) -> int:
    """Side in pixels of the crops that a classifier takes."""
    return WIDE_CROP if second else CROP_SIDE


def die_cutouts(pictures: Iterable[Picture]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Every readable die as a cut-out of `CUTOUT_SIDE`, and n x 3: face, colour, die width / `CUTOUT_SIDE`."""
    cuts, rows = [], []
    for picture in pictures:
        frame = picture.frame
        for cx, cy, w, h, face, colour, ignore in picture.dice:
            if ignore:
                continue
            cuts.append(cut_out(frame, cx, cy, max(w, h)))
            rows.append((face - 1, colour, 1 / CUTOUT_MARGIN))
    return np.stack(cuts), np.array(rows, np.float32)


def sample_die(
    cuts: npt.NDArray[np.uint8],
    rows: npt.NDArray[np.float32],
    real: bool,
    rng: np.random.Generator,
    side: int = CROP_SIDE,
    hidden: float = 0.0,
) -> tuple[npt.NDArray[np.uint8], tuple[int, int, int]]:
    """One crop like those of the detector's boxes or, one time in eight, badly aimed and labelled "no die".

    side: of the crop; the die has the same size in a wider one. hidden: the share of dice a part of which is hidden.
    """
    i = int(rng.integers(len(cuts)))
    face, colour, width = int(rows[i, 0]), int(rows[i, 1]), rows[i, 2] * CUTOUT_SIDE
    aimed = rng.uniform() > 0.12
    off = rng.normal(0, 0.045, 2) if aimed else rng.choice([-1, 1], 2) * rng.uniform(0.0, 0.6, 2)
    if not aimed and np.abs(off).max() < 0.33:
        off[int(rng.integers(2))] = rng.choice([-1, 1]) * rng.uniform(0.33, 0.6)
    view_side = width * CROP_MARGIN * np.exp(rng.normal(0, 0.07))
    if not aimed and rng.uniform() < 0.4:  # a pip and its surroundings, which look like a die from too near
        view_side, off = width * CROP_MARGIN * rng.uniform(0.2, 0.5), rng.uniform(-0.4, 0.4, 2)
    scale = CROP_SIDE / view_side
    turn = cv2.getRotationMatrix2D((CUTOUT_SIDE / 2, CUTOUT_SIDE / 2), float(rng.uniform(0, 360)), scale)
    turn[:, 2] += side / 2 - CUTOUT_SIDE / 2 - off * width * scale
    if rng.uniform() < 0.5:
        turn[0] = -turn[0]
        turn[0, 2] += side - 1
    picture = cuts[i]
    if rng.uniform() < 0.35:  # as seen from further away
        n = round(float(rng.uniform(15, 41)) * CUTOUT_MARGIN)
        small = cv2.resize(picture, (n, n), interpolation=cv2.INTER_AREA)
        picture = cv2.resize(small, (CUTOUT_SIDE, CUTOUT_SIDE), interpolation=cv2.INTER_LINEAR)
    crop = cv2.warpAffine(picture, turn, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    if aimed and rng.uniform() < hidden:
        x, y = turn @ (CUTOUT_SIDE / 2, CUTOUT_SIDE / 2, 1.0)
        crop = hide_part(crop, x, y, width * scale, rng)
    if not real and rng.uniform() < 0.15:  # any hue, so that the colour has no name
        real, colour = True, -1
    return camera_artefacts(jitter_light(add_shade_and_glare(crop, rng), rng, strong=real), rng), (
        face,
        colour,
        int(aimed),
    )


def sample_empty(
    place: npt.NDArray[np.uint8], rng: np.random.Generator, side: int = CROP_SIDE
) -> tuple[npt.NDArray[np.uint8], tuple[int, int, int]]:
    """A crop of a place without a die, turned and slightly scaled."""
    scale = CROP_SIDE / (CUTOUT_SIDE * CROP_MARGIN / CUTOUT_MARGIN) * float(np.exp(rng.normal(0, 0.15)))
    turn = cv2.getRotationMatrix2D((CUTOUT_SIDE / 2, CUTOUT_SIDE / 2), float(rng.uniform(0, 360)), scale)
    turn[:, 2] += side / 2 - CUTOUT_SIDE / 2
    crop = cv2.warpAffine(place, turn, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return camera_artefacts(jitter_light(crop, rng, strong=bool(rng.uniform() < 0.5)), rng), (0, -1, 0)
