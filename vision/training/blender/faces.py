"""The faces of a die and its body. Half the die's side is 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.blender.colours import Floats, Rng
from vision.training.blender.drawings import RESOLUTION, SUPERSAMPLING, draw_ace

AXES: Final = [
    (np.array(n), np.array(u), np.array(v))
    for n, u, v in [
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
        ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
        ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
        ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
        ((0, 0, -1), (-1, 0, 0), (0, 1, 0)),
    ]
]
"""Of each face: outwards, to the right on it, up on it."""


@dataclass(frozen=True, slots=True)
class Style:
    """How one maker draws faces. Lengths in half sides."""

    ace: str
    """`pip`, or an emblem's name."""
    radius: float
    spread: float
    """How far from the middle the outer pips lie."""
    hollow: str
    """A pip's form: `sphere`, `cone` or `flat`."""
    depth: float
    """Of a pip's radius."""
    mirrored: bool
    """Whether two and three run along the other diagonal."""
    tall: float
    """How the six is stretched."""
    six_turned: bool
    one: float
    """How much larger the one is."""
    jitter: float
    ragged: float
    line: float
    """Width of an emblem's line, in sides."""
    handed: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """How one maker cuts bodies. Lengths in half sides."""

    kind: str
    edge: float
    """Radius of the edges."""
    ball: float | None = None
    """Radius of the sphere that cuts the corners off."""
    soft: float = 0.0
    """How softly it does."""


@dataclass(frozen=True, slots=True)
class DieBody:
    """A die's surface, and what is drawn on it."""

    points: Floats
    quads: npt.NDArray[np.int64]
    places: Floats
    """Where in the drawing each corner of each quadrilateral lies."""
    values: tuple[int, ...]
    """Of the faces, in the order of `AXES`."""
    ink: Floats
    dirt: Floats


def draw_style(rng: Rng, ace: str) -> Style:
    """How one maker draws."""
    hollow = str(rng.choice(["sphere", "cone", "flat"], p=[0.5, 0.3, 0.2]))
    radius = rng.uniform(0.18, 0.235)
    return Style(
        ace=ace,
        radius=radius,
        spread=min(rng.uniform(0.44, 0.56), 0.98 - radius - 0.12),
        hollow=hollow,
        depth={"sphere": rng.uniform(0.25, 0.6), "cone": rng.uniform(0.3, 0.6), "flat": rng.uniform(0.08, 0.25)}[
            hollow
        ],
        mirrored=bool(rng.integers(2)),
        tall=rng.uniform(0.92, 1.08),
        six_turned=bool(rng.integers(2)),
        one=float(rng.choice([1, 1, 1, 1.25, 1.5])),
        jitter=rng.uniform(0.002, 0.012),
        ragged=float(rng.choice([0.0, 0.015, 0.03])),
        line=rng.uniform(0.04, 0.05),
        handed=bool(rng.integers(2)),
    )


def draw_shape(rng: Rng) -> Shape:
    """How one maker cuts."""
    kind = str(rng.choice(["sharp", "mid", "round", "ball"], p=[0.15, 0.35, 0.25, 0.25]))
    if kind == "ball":
        return Shape(kind, rng.uniform(0.08, 0.2), ball=rng.uniform(1.28, 1.42), soft=rng.uniform(0.03, 0.09))
    edges = {"sharp": rng.uniform(0.08, 0.13), "mid": rng.uniform(0.12, 0.24), "round": rng.uniform(0.26, 0.42)}
    return Shape(kind, edges[kind])


def face_maps(rng: Rng, value: int, style: Style) -> tuple[Floats, Floats]:
    """A face's ink (0..1) and how deep it is cut, in half sides; row 0 at the top."""
    side = RESOLUTION * SUPERSAMPLING
    if value == 1 and style.ace != "pip":
        ink = draw_ace(rng, style.ace, style.line).astype(np.float32) / 255
        ink = cv2.resize(ink, (RESOLUTION, RESOLUTION), interpolation=cv2.INTER_AREA)
        deep = cv2.GaussianBlur(ink, (0, 0), RESOLUTION * 0.008) * style.depth * 0.35 * style.radius
        return ink, deep
    radius, spread = style.radius, style.spread
    pattern = {
        1: [(0, 0)],
        2: [(-1, 1), (1, -1)],
        3: [(-1, 1), (0, 0), (1, -1)],
        4: [(-1, 1), (1, 1), (-1, -1), (1, -1)],
        5: [(-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)],
        6: [(-1, 1), (-1, 0), (-1, -1), (1, 1), (1, 0), (1, -1)],
    }[value]
    pips = np.array(pattern, float) * spread
    if value in (2, 3) and style.mirrored:
        pips = pips * [-1, 1]
    if value == 6:
        pips = pips * [1, style.tall]
        if style.six_turned:
            pips = pips[:, ::-1]
    if value == 1:
        radius = radius * style.one
    pips = pips + rng.normal(0, style.jitter, pips.shape)
    grid = (np.arange(side) + 0.5) / side * 2 - 1
    X, Y = np.meshgrid(grid, -grid)
    rough = cv2.GaussianBlur(rng.normal(0, 1, (side // 4, side // 4)).astype(np.float32), (0, 0), 2.2)
    rough = cv2.resize(rough / rough.std(), (side, side)) * style.ragged * radius
    ink = np.zeros((side, side), np.float32)
    deep = np.zeros((side, side), np.float32)
    px = 2.0 / side
    for cx, cy in pips:
        d = np.hypot(X - cx, Y - cy) + rough
        ink = np.maximum(ink, np.clip((radius - d) / px + 0.5, 0, 1))
        q = np.clip(d / (radius * 1.06), 0, 1)
        hollow = {
            "sphere": np.sqrt(np.clip(1 - q * q, 0, 1)) * 0.5 + 0.5 * (1 - q * q),
            "cone": 1 - q,
            "flat": np.clip((1 - q) * 5, 0, 1),
        }[style.hollow]
        deep = np.maximum(deep, (hollow * style.depth * radius).astype(np.float32))
    ink = cv2.resize(ink, (RESOLUTION, RESOLUTION), interpolation=cv2.INTER_AREA)
    deep = cv2.resize(deep, (RESOLUTION, RESOLUTION), interpolation=cv2.INTER_AREA)
    return ink, deep


def die_body(rng: Rng, style: Style, shape: Shape, cuts: int = 64) -> DieBody:
    """A die of one maker; each face is cut into `cuts` x `cuts` quadrilaterals."""
    values = [0] * 6
    pairs = [(2, 5), (3, 4)] if style.handed else [(3, 4), (2, 5)]
    values[4], values[5] = 1, 6
    values[0], values[1] = pairs[0]
    values[2], values[3] = pairs[1]
    inks = np.zeros((2 * RESOLUTION, 3 * RESOLUTION), np.float32)
    dirt = np.zeros_like(inks)
    grid = np.linspace(-1, 1, cuts + 1)
    U, V = np.meshgrid(grid, grid)
    points, spots, quads = [], [], []
    i = np.arange(cuts * (cuts + 1)).reshape(cuts, cuts + 1)[:, :-1].ravel()
    quad = np.stack([i, i + 1, i + cuts + 2, i + cuts + 1], 1)
    for f, (out, right, up) in enumerate(AXES):
        ink, deep = face_maps(rng, values[f], style)
        turn = rng.integers(4)
        ink, deep = np.rot90(ink, turn).copy(), np.rot90(deep, turn).copy()
        col, row = f % 3, f // 3
        y0 = (1 - row) * RESOLUTION
        inks[y0 : y0 + RESOLUTION, col * RESOLUTION : (col + 1) * RESOLUTION] = ink
        blur = cv2.GaussianBlur(ink, (0, 0), RESOLUTION * 0.02)
        dirt[y0 : y0 + RESOLUTION, col * RESOLUTION : (col + 1) * RESOLUTION] = np.clip(blur * 2, 0, 1) * np.clip(
            1 - np.abs(2 * ink - 1) + 0.3 * (1 - ink), 0, 1
        )
        p = out + U[..., None] * right + V[..., None] * up
        inner = np.clip(p, -(1 - shape.edge), 1 - shape.edge)
        d = p - inner
        q = inner + shape.edge * d / np.linalg.norm(d, axis=-1, keepdims=True)
        if shape.ball is not None:
            length = np.linalg.norm(q, axis=-1, keepdims=True)
            e = np.clip(0.5 + 0.5 * (shape.ball - length) / shape.soft, 0, 1)
            t = length * e + shape.ball * (1 - e) - shape.soft * e * (1 - e)
            t = np.minimum(t, length)
            q = q * t / length
        uu, vv = q @ right, q @ up
        hh = cv2.remap(
            deep,
            ((uu + 1) / 2 * RESOLUTION - 0.5).astype(np.float32),
            ((1 - vv) / 2 * RESOLUTION - 0.5).astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        q = q - out * hh[..., None]
        points.append(q.reshape(-1, 3))
        across = (col + 0.002 + 0.996 * (uu + 1) / 2) / 3
        upwards = (row + 0.002 + 0.996 * (vv + 1) / 2) / 2
        spots.append(np.stack([across, upwards], -1).reshape(-1, 2))
        quads.append(quad + f * (cuts + 1) ** 2)
    points, spots, quads = np.concatenate(points), np.concatenate(spots), np.concatenate(quads)
    places = spots[quads.ravel()]
    key = np.round(points * 2e4).astype(np.int64)
    _, first, inv = np.unique(key, axis=0, return_index=True, return_inverse=True)
    points = points[first]
    quads = inv.reshape(-1)[quads]
    return DieBody(points, quads, places, tuple(values), inks, dirt)
