"""Dice as meshes: a cube's grid projected onto a rounded box cut by a sphere, with drilled pips, ink and marbling.

Opposite faces add up to seven; one, two and three run anticlockwise about their common corner, as on dice sold in
Europe and America.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.traced.objects.mesh import Floats, Mesh, grid_triangles, join, turn_z

# A face in the die's own axes: its direction, and the direction to the right in its drawing.
_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def _minus(v: tuple[float, float, float]) -> tuple[float, float, float]:
    return (-v[0], -v[1], -v[2])


FACE_AXES: Final = {
    1: (_Z, _X),
    2: (_X, _Y),
    3: (_Y, _Z),
    4: (_minus(_Y), _X),
    5: (_minus(_X), _Z),
    6: (_minus(_Z), _Y),
}
"""Face: its normal and the right of its drawing, both in the die's axes."""


@dataclass(frozen=True, slots=True)
class DieBody:
    """The shape of a maker's die, in half edges."""

    radius: float = 0.25
    """Radius of the rounded edges."""
    cut: float = 1.42
    """Radius of the sphere that cuts the corners."""
    depth: float = 0.3
    """Depth of a drilled pip, in radii of the pip; 0 means printed."""
    bore: float = 0.17
    """Radius of a drilled pip."""


def frame_of(face: int) -> Floats:
    """3 x 3, with the columns right, up and outward of `face` in the die's axes."""
    out, right = (np.array(v, np.float32) for v in FACE_AXES[face])
    return np.stack([right, np.cross(out, right), out], 1).astype(np.float32)


def upright(face: int, yaw: float = 0.0) -> Floats:
    """The rotation from the die's axes to the table's with `face` on top, turned by `yaw` radians."""
    return np.asarray(turn_z(yaw) @ frame_of(face).T, np.float32)


def _outside(p: Floats, body: DieBody) -> Floats:
    q = np.abs(p) - (1 - body.radius)
    box = np.linalg.norm(np.maximum(q, 0), axis=-1) + np.minimum(q.max(-1), 0) - body.radius
    return np.asarray(np.maximum(box, np.linalg.norm(p, axis=-1) - body.cut), np.float32)


@lru_cache(maxsize=32)
def _bare(body: DieBody, cells: int) -> tuple[Floats, Floats]:
    """Points and normals of the face along z, (cells + 1) squared x 3."""
    line = np.linspace(-1, 1, cells + 1).astype(np.float32)
    u, v = np.meshgrid(line, line, indexing="xy")
    way = np.stack([u, v, np.ones_like(u)], -1).reshape(-1, 3)
    way /= np.linalg.norm(way, axis=-1, keepdims=True)
    low, high = np.full(len(way), 0.5, np.float32), np.full(len(way), 1.8, np.float32)
    for _ in range(22):  # the shape is star-shaped about its middle: each ray leaves it once
        middle = (low + high) / 2
        inside = _outside(way * middle[:, None], body) < 0
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    points = way * low[:, None]
    step = np.float32(2e-3)
    normals = np.stack(
        [_outside(points + step * e, body) - _outside(points - step * e, body) for e in np.eye(3, dtype=np.float32)], -1
    )
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-9)
    return points.astype(np.float32), normals.astype(np.float32)


def dents(ink: Floats, body: DieBody) -> Floats:
    """Depth of each texel of a face below the body, in half edges: a bowl for a pip, a groove for a line."""
    side = ink.shape[0]
    wall = cv2.distanceTransform((ink > 0.5).astype(np.uint8), cv2.DIST_L2, 5) * (2 / side)
    reach = min(body.bore, float(wall.max()) + 1e-6)
    bowl = np.sqrt(1 - (1 - np.minimum(wall / reach, 1)) ** 2) * reach * body.depth
    return np.asarray(cv2.GaussianBlur(bowl.astype(np.float32), (0, 0), side / 128), np.float32)


def die_mesh(body: DieBody, face_inks: tuple[Floats, ...], cells: int) -> Mesh:
    """A die of half edge 1 about the origin. `face_inks`: six square textures, the one's first. uv: see `atlas`."""
    points, normals = _bare(body, cells)
    parts = []
    for face in range(1, 7):
        ink = face_inks[face - 1]
        side = ink.shape[0]
        p, n = points, normals
        x, y = p[:, 0] * 0.5 + 0.5, 0.5 - p[:, 1] * 0.5
        if body.depth > 0:
            deep = dents(ink, body)
            px, py = (x * side - 0.5)[None], (y * side - 0.5)[None]

            def at(field: npt.NDArray[np.float32], px: Floats = px, py: Floats = py) -> Floats:
                return np.asarray(cv2.remap(field, px, py, cv2.INTER_LINEAR)[0], np.float32)

            gx = cv2.Sobel(deep, cv2.CV_32F, 1, 0) * (side / 16)  # 8 per Sobel, 2 / side half edges a texel
            gy = cv2.Sobel(deep, cv2.CV_32F, 0, 1) * (side / 16)
            tilt = np.stack([at(gx), -at(gy), np.zeros(len(p), np.float32)], 1)
            tilt -= n * (tilt * n).sum(1, keepdims=True)
            p = p - n * at(deep)[:, None]
            n = n + tilt
            n = n / np.linalg.norm(n, axis=1, keepdims=True)
        column, row = (face - 1) % 3, (face - 1) // 3
        uv = np.stack([(column + x) / 3, (row + y) / 2], 1)
        part = Mesh(p.astype(np.float32), n.astype(np.float32), uv.astype(np.float32), _triangles(cells))
        parts.append(part.moved(frame_of(face)))
    return join(parts)


@lru_cache(maxsize=8)
def _triangles(cells: int) -> npt.NDArray[np.uint32]:
    return grid_triangles(cells + 1, cells + 1)


def atlas(face_inks: tuple[Floats, ...]) -> Floats:
    """The six faces in one texture, two rows of three, the one first."""
    return np.concatenate([np.concatenate(face_inks[:3], 1), np.concatenate(face_inks[3:], 1)], 0)


def marbling(side: int, rng: np.random.Generator) -> Floats:
    """Clouds through the body, 0 to 1, on the atlas' texels, continuous across edges."""
    line = ((np.arange(side) + 0.5) / side * 2 - 1).astype(np.float32)
    u, v = np.meshgrid(line, -line, indexing="xy")
    flat = np.stack([u, v, np.ones_like(u)], -1).reshape(-1, 3)
    waves = [(rng.normal(0, 1.1 * 1.8**k, 3).astype(np.float32), float(rng.uniform(0, 6.3))) for k in range(4)]
    parts = []
    for face in range(1, 7):
        p = flat @ frame_of(face).T
        total = np.zeros(len(p), np.float32)
        for k, (wave, phase) in enumerate(waves):
            total += np.sin(p @ wave + phase + 1.4 * total).astype(np.float32) / (1 + 0.7 * k)
        parts.append((1 / (1 + np.exp(-2.2 * total))).reshape(side, side).astype(np.float32))
    return atlas(tuple(parts))
