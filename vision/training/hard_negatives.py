"""Collects hard negatives for the classifier: the detector's false dice, plain background, and glossy objects.

A small white highlight on a plain body looks like the pip of a one; sweets, marbles and cubes were most often taken for
dice. They are drawn here and cut out like dice, `CUTOUT_SIDE` squared.
"""

from __future__ import annotations

from itertools import chain

import cv2
import numpy as np
import numpy.typing as npt

from vision.models.networks import Detection, Networks
from vision.pipeline.crop import crop_die
from vision.pipeline.detect import detect_dice
from vision.pipeline.frame_inference import FrameInference
from vision.training.pictures import (
    CUTOUT_MARGIN,
    CUTOUT_SIDE,
    Course,
    Frame,
    Picture,
    add_shade_and_glare,
    crop_side_of,
    cut_out,
    read_photographs,
    read_pictures,
    read_worlds,
    sides,
)

GLOSSY_SHARE = 0.25
"""The share of negatives that are repeated with a plain glossy object drawn over them."""
DIE_LIKENESS = 0.02
"""Negatives with a higher probability of a die by the current classifier are shown more often."""
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
"""Random places taken from each picture in addition to the mistakes."""
SCENES_PER_SEED = 250
"""Scenes per seed that are examined; a thousand would fill 10 GB."""
MOST_THINGS = 30
"""The most places, the surest, from a picture without dice; more are a pattern."""


def places_without_die(
    picture: Picture, networks: Networks, rng: np.random.Generator, *, second: bool = False
) -> list[npt.NDArray[np.uint8]]:
    """Cut-outs of this picture without a die in their middle; the side of a die is not one."""
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
    return [*crops, *(cut_out(frame, *side) for side in sides(picture))]


def things_like_dice(picture: Picture, networks: Networks) -> list[npt.NDArray[np.uint8]]:
    """Cut-outs of false dice in a picture without dice."""
    detections = detect_dice(FrameInference(picture.frame, networks))
    return [cut_out(picture.frame, s.x, s.y, s.size) for s in detections[:MOST_THINGS]]


def die_likeness(
    crops: list[npt.NDArray[np.uint8]], networks: Networks, *, second: bool = False
) -> npt.NDArray[np.float32]:
    """The classifier's probability of a whole die in each crop."""
    side = crop_side_of(second=second)
    classifications = networks.classify([crop_die(crop, CUTOUT_DETECTION.box, side) for crop in crops], second=second)
    return np.array([classification.whole for classification in classifications], np.float32)


def write_negatives(course: Course, *, second: bool = False) -> None:
    """Write empties.npz for the classifier. second: with the second detector's mistakes.

    Both detectors see tables with objects and no dice, as the reader does.
    """
    rng = np.random.default_rng(3)
    networks = Networks()
    learn, _ = read_photographs(course.photos)
    pictures = chain(learn, *read_worlds(course.worlds, SCENES_PER_SEED).values())
    crops = [crop for picture in pictures for crop in places_without_die(picture, networks, rng, second=second)]
    laid = rng.choice(len(crops), round(len(crops) * GLOSSY_SHARE), replace=False)
    crops += [add_shade_and_glare(glossy(crops[k], rng), rng) for k in laid]
    tables = chain.from_iterable(map(read_pictures, course.things))
    crops += [crop for picture in tables for crop in things_like_dice(picture, networks)]
    like = die_likeness(crops, networks, second=second)
    print(f"{len(crops)} places without a die, {int((like > DIE_LIKENESS).sum())} of them like one")
    np.savez(course.work / "empties.npz", crops=np.stack(crops), like=like > DIE_LIKENESS)


Floats = npt.NDArray[np.float32]
Rng = np.random.Generator


def glossy(ground: Frame, rng: Rng) -> Frame:
    """An object in the middle of `ground`, often with others of its kind beside it."""
    canvas = ground.astype(np.float32) * rng.uniform(0.4, 1.1)
    size = CUTOUT_SIDE / CUTOUT_MARGIN * rng.uniform(0.75, 1.05)
    draw = _cube if rng.uniform() < 0.4 else _ball
    lamp = np.array([*rng.normal(0, 0.45, 2), 1.0], np.float32)
    hues = rng.uniform(15, 235, (3, 3)).astype(np.float32)
    sharpness, shine = float(np.exp(rng.uniform(np.log(15), np.log(400)))), rng.uniform(0.5, 2.0)
    turns = rng.uniform(0, 2 * np.pi, int(rng.integers(0, 4)))
    away = size * rng.uniform(0.95, 1.35)
    for middle in [*np.stack([np.cos(turns), np.sin(turns)], -1) * away, np.zeros(2)]:
        y, x = np.mgrid[0:CUTOUT_SIDE, 0:CUTOUT_SIDE].astype(np.float32) - (CUTOUT_SIDE - 1) / 2
        place = np.stack([x - middle[0], y - middle[1]], -1) * 2 / size
        _lay(canvas, *draw(place, rng), hues[int(rng.integers(3))], lamp / np.linalg.norm(lamp), sharpness, shine)
    return np.clip(canvas, 0, 255).astype(np.uint8)


def _ball(place: Floats, rng: Rng) -> tuple[Floats, Floats]:
    """Coverage, 0 to 1, and normals, height x width x 3, of a ball or a lentil; `place` is in radii from its middle."""
    radius = np.linalg.norm(place, axis=-1)
    flat = rng.uniform(0.5, 1.0)
    up = np.sqrt(np.clip(1 - radius**2, 0.02, 1)) / flat
    normals = np.concatenate([place, up[..., None]], -1)
    return _soft(1 - radius), normals / np.linalg.norm(normals, axis=-1, keepdims=True)


def _cube(place: Floats, rng: Rng) -> tuple[Floats, Floats]:
    """The same for the top of a cube with rounded edges, turned and slightly tilted."""
    angle, lean = rng.uniform(0, np.pi / 2), rng.normal(0, 0.25, 2)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], np.float32)
    inner = rng.uniform(0.3, 0.7)
    out = np.maximum(np.abs(place @ turn) - inner, 0) / (0.82 - inner)  # 0 on the flat, 1 at the edge
    slope = np.sign(place @ turn) * np.minimum(out, 1) ** 2 * 1.6 @ turn.T + place * rng.uniform(0, 0.4) + lean
    normals = np.concatenate([slope, np.ones_like(slope[..., :1])], -1).astype(np.float32)
    cover = _soft((1 - np.linalg.norm(out, axis=-1)) * (0.82 - inner))
    return cover, normals / np.linalg.norm(normals, axis=-1, keepdims=True)


def _soft(inside: Floats) -> Floats:
    """Coverage from the distance inside the edge, in radii."""
    return np.asarray(np.clip(inside / 0.06 + 0.5, 0, 1), np.float32)


def _lay(
    canvas: Floats, cover: Floats, normals: Floats, hue: Floats, lamp: Floats, sharpness: float, shine: float
) -> None:
    """Draw an object with its shadow, lit from `lamp`, with a sharp or soft highlight (Blinn 1977)."""
    shift = np.array([[1, 0, -lamp[0] * 9], [0, 1, -lamp[1] * 9]], np.float32)
    shadow = cv2.GaussianBlur(cv2.warpAffine(cover, shift, cover.shape[::-1]), (0, 0), 2)
    canvas *= 1 - 0.6 * shadow[..., None]
    half = lamp + np.array((0, 0, 1))
    half /= np.linalg.norm(half)
    mirror = np.clip(normals @ half, 0, 1) ** sharpness
    light = 0.35 + 0.75 * np.clip(normals @ lamp, 0, 1)
    body = hue * light[..., None] + 255 * np.clip(shine * mirror, 0, 1)[..., None]
    canvas += (np.minimum(body, 255) - canvas) * cover[..., None]
