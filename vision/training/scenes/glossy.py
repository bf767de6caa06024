"""Draws plain glossy things with a lamp's highlight: sweets, marbles, cubes, as negatives for the classifier.

A small white highlight on a plain body looks like the pip of a one; of all things on tables it was most often taken for
a die. Cut out like dice, `CUTOUT_SIDE` squared.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.data.augmentation import CUTOUT_MARGIN, CUTOUT_SIDE
from vision.training.data.labelled_pictures import Frame

Floats = npt.NDArray[np.float32]
Rng = np.random.Generator


def glossy(ground: Frame, rng: Rng) -> Frame:
    """One thing in the middle of `ground`, often with others of its kind beside it."""
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
    """Draw a thing with its shadow under a lamp from this direction, its highlight sharp or soft (Blinn 1977)."""
    shift = np.array([[1, 0, -lamp[0] * 9], [0, 1, -lamp[1] * 9]], np.float32)
    shadow = cv2.GaussianBlur(cv2.warpAffine(cover, shift, cover.shape[::-1]), (0, 0), 2)
    canvas *= 1 - 0.6 * shadow[..., None]
    half = lamp + np.array((0, 0, 1))
    half /= np.linalg.norm(half)
    mirror = np.clip(normals @ half, 0, 1) ** sharpness
    light = 0.35 + 0.75 * np.clip(normals @ lamp, 0, 1)
    body = hue * light[..., None] + 255 * np.clip(shine * mirror, 0, 1)[..., None]
    canvas += (np.minimum(body, 255) - canvas) * cover[..., None]
