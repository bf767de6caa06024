"""Trains the verifier, which tells whole dice from objects that look like one only from near.

It learns from the reader's dice in pictures as large as at the table, so train the other networks first. Expensive
mistakes are shown most, and the reader's sure dice more often than its doubtful ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional as F

from vision.evaluation.scores import box_matches
from vision.models.networks import VERIFIER_CROP, VERIFIER_DIE
from vision.pipeline.crop import crop_die
from vision.reader import Reader
from vision.reading import Die
from vision.training.learner import Learner
from vision.training.networks import Verifier
from vision.training.pictures import (
    Course,
    Frame,
    Picture,
    add_shade_and_glare,
    camera_artefacts,
    jitter_light,
    read_photographs,
    read_pictures,
    read_worlds,
)

BATCH: Final = 128
SCENES_PER_SEED: Final = 400
"""Scenes per seed in which dice are read; the reader takes half a second for each."""
PLACE_SIDE: Final = 128
"""Side in pixels of a place, large enough to be rotated."""
PLACE_DIE: Final = 33.7
"""Width of the die in it in pixels."""
RANDOM_PLACES: Final = 14
"""Places without a die taken from each photograph; otherwise only drawn objects would count as no die."""
HARDEST: Final = 3.0
"""A place is shown in proportion to its last loss, at most this."""
EASIEST: Final = 0.15
"""Added to the loss, so that no place is forgotten."""

LEAST_DIE: Final = 0.02
"""Probability of a die from which the reader takes an object for one."""


class Place(NamedTuple):
    """A place that the reader takes for a die."""

    frame: Frame
    """`PLACE_SIDE` squared pixels around it."""
    weight: float
    """0 to 1: how often it is shown, compared with others of the same loss."""


def place(frame: Frame, x: float, y: float, size: float, weight: float = 1.0) -> Place:
    """The place around a die with this centre and width in pixels."""
    return Place(crop_die(frame, (x - size / 2, y - size / 2, size, size), PLACE_SIDE, PLACE_DIE), weight)


def places_of(pictures: Iterable[Picture], reader: Reader, rng: np.random.Generator) -> tuple[list[Place], list[Place]]:
    """The places that the reader takes for dice: real dice, then others; parts of dice and hidden dice are left out."""
    dice, things = [], []
    for picture in pictures:
        frame = picture.frame
        found = [die for die, _ in reader.candidates(frame) if die.there >= LEAST_DIE]
        for die in found:
            near = [row for row in picture.dice if box_matches(die.box, _box(row))]
            if not near and _clear(picture, *die.centre, die.width):
                things.append(place(frame, *die.centre, die.width, _weight(die)))
            elif len(near) == 1 and not near[0][6]:
                dice.append(place(frame, *die.centre, die.width))
        usual = float(np.median(picture.dice[:, 2:4].max(1))) if len(picture.dice) else 60.0
        for _ in range(RANDOM_PLACES if picture.real else 0):
            (x, y), size = rng.uniform(0, frame.shape[1::-1]), usual * float(np.exp(rng.normal(0, 0.35)))
            if _clear(picture, x, y, size):
                things.append(place(frame, x, y, size))
    return dice, things


def _weight(thing: Die) -> float:
    if not thing.uncertain:
        return 1.0
    return 0.6 if thing.there > 0.4 else 0.25 if thing.there > 0.1 else 0.08


def _box(row: npt.NDArray[np.float32]) -> tuple[float, float, float, float]:
    x, y, w, h = (float(v) for v in row[:4])
    return x - w / 2, y - h / 2, w, h


def _clear(picture: Picture, x: float, y: float, size: float) -> bool:
    """True if no die lies within half a width."""
    widths = np.maximum(picture.dice[:, 2:4].max(1, initial=0), size)
    return bool((np.hypot(picture.dice[:, 0] - x, picture.dice[:, 1] - y) > 0.55 * widths).all())


def sample(shown: Frame, real: bool, rng: np.random.Generator) -> Frame:
    """A crop as the verifier sees it, rotated, moved and lit differently."""
    if rng.uniform() < 0.35:  # as if seen from farther away
        side = round(float(rng.uniform(14, 34)) * PLACE_SIDE / PLACE_DIE)
        small = cv2.resize(shown, (side, side), interpolation=cv2.INTER_AREA)
        shown = np.asarray(cv2.resize(small, (PLACE_SIDE, PLACE_SIDE)), np.uint8)
    middle = (PLACE_SIDE - 1) / 2
    scale = VERIFIER_DIE / PLACE_DIE * float(np.exp(rng.normal(0, 0.06)))
    turn = cv2.getRotationMatrix2D((middle, middle), float(rng.uniform(0, 360)), scale)
    turn[:, 2] += (VERIFIER_CROP - 1) / 2 - middle - rng.normal(0, 0.035, 2) * VERIFIER_DIE
    if rng.uniform() < 0.5:
        turn[0] = -turn[0]
        turn[0, 2] += VERIFIER_CROP - 1
    warped = cv2.warpAffine(shown, turn, (VERIFIER_CROP, VERIFIER_CROP), borderMode=cv2.BORDER_REFLECT)
    crop = jitter_light(np.asarray(warped, np.uint8), rng, strong=rng.uniform() < (0.5 if real else 0.3))
    if rng.uniform() < 0.25:  # dim, or overexposed
        crop = np.clip(crop * np.exp(rng.normal(-0.3, 0.6)), 0, 255).astype(np.uint8)
    if rng.uniform() < 0.1:
        crop = np.asarray(cv2.filter2D(crop, -1, _motion(rng)), np.uint8)
    return camera_artefacts(add_shade_and_glare(crop, rng) if rng.uniform() < 0.3 else crop, rng)


def _motion(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """A kernel that blurs by 2 to 5 pixels in one direction."""
    half, angle = int(rng.integers(2, 6)) / 2, rng.uniform(0, np.pi)
    x, y = half * np.cos(angle), half * np.sin(angle)
    kernel = np.zeros((7, 7), np.float32)
    cv2.line(kernel, (round(3 - x), round(3 - y)), (round(3 + x), round(3 + y)), 1.0)
    return kernel / kernel.sum()


class Pool:
    """Places of one kind, drawn by their weight and their last loss."""

    def __init__(self, places: list[Place], *, real: bool) -> None:
        self._places, self._real = places, real
        self._costs = np.full(len(places), HARDEST)

    def __len__(self) -> int:
        return len(self._places)

    def draw(self, rng: np.random.Generator) -> tuple[int, Frame]:
        """The number of a place, and a crop of it."""
        while True:
            k = int(rng.integers(len(self._places)))
            if rng.uniform() * HARDEST < self._costs[k] * self._places[k].weight:
                return k, sample(self._places[k].frame, self._real, rng)

    def learned(self, k: int, loss: float) -> None:
        self._costs[k] = (self._costs[k] + min(HARDEST, EASIEST + 2 * loss)) / 2


def pools_of(
    sources: list[tuple[bool, list[Picture]]], reader: Reader, rng: np.random.Generator
) -> tuple[list[Pool], list[Pool]]:
    """Pools of dice and of other objects, one for each source that has any."""
    found = [(real, places_of(pictures, reader, rng)) for real, pictures in sources]
    dice, things = ([Pool(places[kind], real=real) for real, places in found if len(places[kind])] for kind in (0, 1))
    return dice, things


def train_verifier(course: Course) -> None:
    torch.manual_seed(5)
    rng = np.random.default_rng(5)
    learn, _ = read_photographs(course.photos)
    sources = [
        (True, learn),
        *((False, list(pictures)) for pictures in read_worlds(course.worlds, SCENES_PER_SEED).values()),
        (False, list(chain.from_iterable(map(read_pictures, course.things)))),
    ]
    dice, things = pools_of(sources, Reader.load(), rng)
    print({"dice": [len(pool) for pool in dice], "things": [len(pool) for pool in things]}, flush=True)
    learner, mean = Learner(Verifier(), "verifier", course, decay=2e-3), 0.0
    half = BATCH // 2
    want = torch.tensor([1.0] * half + [0.0] * half)
    while learner.share < 1:
        drawn = [
            (pool := kind[int(rng.integers(len(kind)))], *pool.draw(rng))
            for kind in (dice, things)
            for _ in range(half)
        ]
        x = torch.from_numpy(np.stack([crop for *_, crop in drawn])).permute(0, 3, 1, 2).float().div(255)
        losses = F.binary_cross_entropy_with_logits(learner.forward(x)[:, 0], want, reduction="none")
        for (pool, k, _), loss in zip(drawn, losses.tolist(), strict=True):
            pool.learned(k, loss)
        learner.learn(losses.mean())
        mean = losses.mean().item() if learner.step == 1 else 0.98 * mean + 0.02 * losses.mean().item()
        if learner.step % 200 == 0:
            print(f"step {learner.step} {100 * learner.share:.1f}% {mean:.4f}", flush=True)
            learner.save()
    learner.save(final=True)
