"""Dice of other games as meshes: 4, 8, 10, 12 and 20 flat faces with numbers."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import cv2
import numpy as np

from vision.training.traced.objects.mesh import Floats, Mesh
from vision.training.traced.objects.surfaces import fractal

_CELL: Final = 128
"""Texels of a face's square in the atlas."""
_GOLDEN: Final = (1 + 5**0.5) / 2


def _corners(faces: int) -> Floats:
    """The corners of a solid about the origin, n x 3."""
    signs = [(a, b) for a in (-1, 1) for b in (-1, 1)]
    match faces:
        case 4:
            points = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
        case 8:
            points = [tuple(s * e for e in axis) for axis in np.eye(3) for s in (-1, 1)]
        case 10:  # a trapezohedron: two tips, and a belt of ten corners that zigzags so that the kites are flat
            t = np.arange(10) * np.pi / 5
            lift = np.where(np.arange(10) % 2, 1, -1) * 0.1056
            points = [*np.stack([np.cos(t), np.sin(t), lift], 1), (0, 0, 1), (0, 0, -1)]
        case 12:
            near = [(0, a / _GOLDEN, b * _GOLDEN) for a, b in signs]
            points = [(a, b, c) for a, b in signs for c in (-1, 1)]
            points += [np.roll(p, k) for p in near for k in range(3)]
        case 20:
            points = [np.roll((0, a, b * _GOLDEN), k) for a, b in signs for k in range(3)]
        case _:
            raise ValueError(f"no solid here has {faces} faces")
    return np.array(points, np.float64)


def _faces(points: Floats) -> list[tuple[Floats, list[int]]]:
    """Each face of a convex solid: its outward normal, and its corners anticlockwise from outside."""
    found: list[tuple[Floats, list[int]]] = []
    for a, b, c in combinations(range(len(points)), 3):
        normal = np.cross(points[b] - points[a], points[c] - points[a])
        if np.linalg.norm(normal) < 1e-6:
            continue
        normal /= np.linalg.norm(normal)
        normal *= np.sign(normal @ points[a]) or 1.0
        height = points @ normal
        if height.max() > height[a] + 1e-3 or any(float(normal @ other) > 0.999 for other, _ in found):
            continue
        ring = np.flatnonzero(height > height[a] - 2e-3)
        middle = points[ring].mean(0)
        right = points[ring[0]] - middle
        up = np.cross(normal, right)
        turn = np.arctan2((points[ring] - middle) @ up, (points[ring] - middle) @ right)
        found.append((normal, ring[np.argsort(turn)].tolist()))
    return found


def polyhedron_mesh(faces: int, across: float) -> Mesh:
    """A solid of so many faces, `across` wide, that lies on one of them; uv: see `number_atlas`."""
    points = _corners(faces)
    solid = _faces(points)
    down = solid[0][0]
    axis = np.cross(down, (0, 0, -1))
    c = float(-down[2])
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn = np.eye(3) + k + k @ k / (1 + c) if c > -0.999 else np.diag([1.0, -1.0, -1.0])
    columns = int(np.ceil(np.sqrt(len(solid))))
    all_points, normals, uv, triangles = [], [], [], []
    for number, (normal, ring) in enumerate(solid):
        corners = points[ring]
        middle = corners.mean(0)
        right = (corners[0] + corners[1]) / 2 - middle
        right /= np.linalg.norm(right)
        up = np.cross(normal, right)
        flat = np.stack([(corners - middle) @ right, (corners - middle) @ up], 1)
        cell = np.array([number % columns, number // columns])
        start = len(np.concatenate(all_points)) if all_points else 0
        all_points.append(np.concatenate([middle[None], corners]))
        normals.append(np.tile(normal, (len(ring) + 1, 1)))
        reach = np.abs(flat).max() * 1.05
        spots = np.concatenate([np.zeros((1, 2)), flat]) / reach * (0.5, -0.5) + 0.5
        uv.append((cell + spots) / columns)
        triangles += [(start, start + 1 + k, start + 1 + (k + 1) % len(ring)) for k in range(len(ring))]
    laid = np.concatenate(all_points) @ turn.T
    laid *= across / float(np.ptp(laid[:, :2], axis=0).mean())
    laid[:, 2] -= laid[:, 2].min()
    return Mesh(
        laid.astype(np.float32),
        (np.concatenate(normals) @ turn.T).astype(np.float32),
        np.concatenate(uv).astype(np.float32),
        np.array(triangles, np.uint32),
    )


def number_atlas(faces: int, body: Floats, ink: Floats, rng: np.random.Generator) -> Floats:
    """The texture: a number in each face's square, in linear light; sometimes marbled."""
    columns = int(np.ceil(np.sqrt(faces)))
    side = columns * _CELL
    cover = np.zeros((side, side), np.uint8)
    high = {4: 0.3, 8: 0.4, 10: 0.42, 12: 0.62, 20: 0.36}[faces] * rng.uniform(0.8, 1.1)
    font, bold = int(rng.choice([0, 2, 3, 4])), int(rng.integers(5, 10))
    for k, number in enumerate(rng.permutation(faces) + 1):
        cell = np.zeros((_CELL, _CELL), np.uint8)
        text = f"{number}" + ("." if number in (6, 9) else "")
        (w, h), _ = cv2.getTextSize(text, font, 1, bold)
        scale = high * _CELL / 21 * (0.8 if len(text) > 1 else 1.0) / 2
        (w, h), _ = cv2.getTextSize(text, font, scale, bold)
        cv2.putText(cell, text, ((_CELL - w) // 2, (_CELL + h) // 2), font, scale, 255, bold, cv2.LINE_AA)
        x, y = k % columns * _CELL, k // columns * _CELL
        cover[y : y + _CELL, x : x + _CELL] = np.rot90(cell, -1)
    share = cover[..., None].astype(np.float32) / 255
    solid = np.broadcast_to(np.asarray(body, np.float32), (side, side, 3))
    if rng.uniform() < 0.35:
        veins = np.clip(fractal((side, side), 90, rng)[..., None], 0, 1)
        solid = solid * (1 - veins) + np.asarray(rng.uniform(0.02, 0.6, 3), np.float32) * veins
    return np.asarray(np.clip(solid * (1 - share) + np.asarray(ink, np.float32) * share, 0.003, 0.93), np.float32)
