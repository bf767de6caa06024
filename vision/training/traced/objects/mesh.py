"""Triangle meshes: lathed shapes, rounded boxes, capsules, grids, and dice of other games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Mesh:
    """points, normals: n x 3; uv: n x 2 (v downwards); triangles: m x 3, anticlockwise from outside."""

    points: Floats
    normals: Floats
    uv: Floats
    triangles: Ints

    def moved(self, turn: npt.ArrayLike, shift: npt.ArrayLike = (0, 0, 0)) -> Mesh:
        """Rotated by a 3 x 3 matrix, then shifted."""
        r = np.asarray(turn, np.float32)
        points = self.points @ r.T + np.asarray(shift, np.float32)
        return Mesh(points.astype(np.float32), (self.normals @ r.T).astype(np.float32), self.uv, self.triangles)


def join(meshes: Sequence[Mesh]) -> Mesh:
    starts = np.cumsum([0, *(len(m.points) for m in meshes[:-1])])
    return Mesh(
        np.concatenate([m.points for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.uv for m in meshes]),
        np.concatenate([m.triangles + np.uint32(s) for m, s in zip(meshes, starts, strict=True)]),
    )


def turn_z(angle: float) -> Floats:
    """The rotation by `angle` radians about z, anticlockwise from above."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float32)


def turn_x(angle: float) -> Floats:
    """The rotation by `angle` radians about x."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]], np.float32)


def grid_triangles(rows: int, columns: int) -> Ints:
    """Triangles of a grid of points in row order; anticlockwise where columns run right and rows run up."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    a = (i * columns + j).ravel()
    b, c, d = a + 1, a + columns, a + columns + 1
    return np.concatenate([np.stack([a, b, d], 1), np.stack([a, d, c], 1)]).astype(np.uint32)


def _unit(v: Floats) -> Floats:
    return np.asarray(v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-9), np.float32)


def lathe(profile: Sequence[tuple[float, float]], steps: int = 64) -> Mesh:
    """Turn a profile of (radius, height) about z. Outside is to the right of the profile going up (down the inner
    wall).
    """
    line = np.array(profile, np.float32)
    slope = np.gradient(line, axis=0)
    angles = np.linspace(0, 2 * np.pi, steps + 1).astype(np.float32)
    c, s = np.cos(angles), np.sin(angles)
    r, z = line[:, :1], np.broadcast_to(line[:, 1:], (len(line), steps + 1))
    points = np.stack([r * c, r * s, z], -1)
    out = slope[:, 1:2]
    normals = np.stack([out * c, out * s, np.broadcast_to(-slope[:, :1], z.shape)], -1)
    u = np.broadcast_to(angles / (2 * np.pi), z.shape)
    way = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    v = np.broadcast_to(1 - (way / way[-1])[:, None], z.shape)
    return Mesh(
        points.reshape(-1, 3).astype(np.float32),
        _unit(normals.reshape(-1, 3)),
        np.stack([u, v], -1).reshape(-1, 2).astype(np.float32),
        grid_triangles(len(line), steps + 1),
    )


def rounded_box(size: tuple[float, float, float], radius: float, steps: int = 5) -> Mesh:
    """A box with rounded edges on z = 0, uv projected from above."""
    half = np.array(size, np.float32) / 2
    radius = min(radius, float(half.min()) * 0.999)
    angles = np.linspace(0, np.pi / 2, steps)
    bend = np.concatenate([-np.cos(angles), np.cos(angles[::-1])])  # along one axis: arc, straight, arc
    g, h = np.meshgrid(bend, bend, indexing="xy")
    direction = np.stack([g, h, np.ones_like(g)], -1)
    parts = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            d = np.roll(direction, axis + 1, -1)  # the third one goes to `axis`, a cyclic and so right-handed swap
            n = _unit(np.asarray(d, np.float32))
            core = np.sign(d) * (half - radius)
            core = np.where(np.abs(d) < 1e-9, 0, core)
            p = core + n * radius
            triangles = grid_triangles(2 * steps, 2 * steps)
            if sign < 0:
                p, n = -p, -n
                triangles = triangles[:, ::-1]
            parts.append(Mesh(p.reshape(-1, 3), n.reshape(-1, 3), np.zeros((p.size // 3, 2), np.float32), triangles))
    box = join(parts)
    uv = np.stack([box.points[:, 0] / size[0] + 0.5, 0.5 - box.points[:, 1] / size[1]], 1)
    points = box.points + np.array([0, 0, half[2]], np.float32)
    return Mesh(points.astype(np.float32), box.normals, uv.astype(np.float32), np.ascontiguousarray(box.triangles))


def capsule(a: Sequence[float], b: Sequence[float], ra: float, rb: float, steps: int = 20) -> Mesh:
    """A round-ended limb from a to b, of radius ra at a and rb at b."""
    start, end = np.array(a, np.float32), np.array(b, np.float32)
    length = float(np.linalg.norm(end - start)) + 1e-6
    arc = np.linspace(0, np.pi / 2, 7)
    profile = [(ra * float(np.sin(t)), -ra * float(np.cos(t))) for t in arc]
    profile += [(rb * float(np.cos(t)), length + rb * float(np.sin(t))) for t in arc]
    z = _unit((end - start)[None])[0]
    side = np.array([1, 0, 0], np.float32) if abs(z[0]) < 0.8 else np.array([0, 1, 0], np.float32)
    x = _unit(np.cross(side, z)[None])[0]
    return lathe(profile, steps).moved(np.stack([x, np.cross(z, x), z], 1), start)


def ellipsoid(radii: tuple[float, float, float], steps: int = 20) -> Mesh:
    ball = lathe([(float(np.sin(t)), -float(np.cos(t))) for t in np.linspace(0, np.pi, steps // 2 + 1)], steps)
    r = np.array(radii, np.float32)
    return Mesh(ball.points * r, _unit(ball.points / r), ball.uv, ball.triangles)


def ground(width: float, height: float, z: float = 0.0) -> Mesh:
    """A flat rectangle about the origin, facing up; uv as a picture lies on it."""
    x, y = width / 2, height / 2
    points = np.array([[-x, -y, z], [x, -y, z], [-x, y, z], [x, y, z]], np.float32)
    normals = np.tile(np.array([0, 0, 1], np.float32), (4, 1))
    uv = np.array([[0, 1], [1, 1], [0, 0], [1, 0]], np.float32)
    return Mesh(points, normals, uv, grid_triangles(2, 2))


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
    """A solid with this many faces, `across` wide, lying on one of them; uv: see `number_atlas`."""
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
