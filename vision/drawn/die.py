"""Renders one die as a sprite, by ray marching a rounded, sphere-cut cube.

The shape is the signed distance of a rounded box (Quilez, "distance functions") cut by a sphere, which is how real dice
with round faces are tumbled. It needs only numpy and cv2, so that the virtual table runs on a Pi; the training pictures
use it too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.drawn.faces import TEXTURE_SIDE, FaceStyle, Texture, face_textures

Vec = npt.NDArray[np.float32]

Rgb = tuple[float, float, float]

_SPRITE_REACH: Final = 1.9
"""A sprite spans this many half edges each way, so that a tilted die fits."""
_LONGEST_ROW: Final = 32_767
"""The longest row of a map that `cv2.remap` accepts."""
_SIDES: Final = (2, 5, 3, 4, 1, 6)
"""The faces on the sides +x, -x, +y, -y, +z, -z; opposite ones add up to seven."""
_TO_TOP: Final = {
    1: (0.0, 0.0, 0.0),
    2: (0.0, -np.pi / 2, 0.0),
    3: (np.pi / 2, 0.0, 0.0),
    4: (-np.pi / 2, 0.0, 0.0),
    5: (0.0, np.pi / 2, 0.0),
    6: (np.pi, 0.0, 0.0),
}
"""For each face, the rotation vector (radians) that brings it to the top."""


class Surface(NamedTuple):
    """The surface of a die at n points, before lighting."""

    body: Vec
    """n x 3."""
    ink: Vec
    """n, 0 to 1."""
    sparkle: Vec | float = 0.0
    """n: light added by reflections."""
    see_through: float = 0.0
    """Share of the ground that shows through the bare body."""


@dataclass(frozen=True, slots=True)
class Material:
    """The material of a die. Colours are linear 0..1, red first."""

    body: Rgb = (0.5, 0.02, 0.02)
    ink: Rgb = (0.9, 0.88, 0.8)
    gloss: float = 0.5
    depth: float = 0.5
    """Depth of the drilled pips; 0 means printed."""

    def surface(self, p: Vec, ray: Vec, ink: Vec, faces: tuple[Texture, ...]) -> Surface:  # noqa: ARG002
        """The surface at points (n x 3, in the die's axes) with this much ink, seen along `ray`."""
        return Surface(np.broadcast_to(np.array(self.body, np.float32), p.shape), ink)


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a die. Lengths are in half edges."""

    radius: float = 0.22
    """Radius of the rounded edges."""
    cut: float = 1.5
    """Radius of the sphere that cuts the corners; from 1.73 it cuts nothing."""


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp and the ambient light of the room."""

    direction: Rgb = (0.3, 0.2, 0.93)
    """Unit vector towards the lamp; z is up."""
    colour: Rgb = (1.0, 1.0, 1.0)
    ambient: float = 0.45
    size: float = 0.12
    """Size of the lamp's highlight: large for a window, small for a bulb."""


@dataclass(frozen=True, slots=True)
class DieModel:
    material: Material = field(default_factory=Material)
    shape: Shape = field(default_factory=Shape)
    faces: tuple[Texture, ...] = field(default_factory=lambda: face_textures(FaceStyle()))
    """The six faces, beginning with the one."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A rendered die."""

    rgb: npt.NDArray[np.float32]
    """side x side x 3, linear 0..1, red first, not premultiplied."""
    alpha: npt.NDArray[np.float32]
    """side x side, 0..1."""
    half_edge: float
    """Half the die's edge in pixels; the die is centred in the sprite."""


def _rotation(x: float, y: float, z: float) -> Vec:
    """The matrix that rotates about this vector by its length in radians."""
    return np.asarray(cv2.Rodrigues(np.array([x, y, z], np.float64))[0], dtype=np.float32)


def _view_basis(tilt: float, azimuth: float) -> tuple[Vec, Vec, Vec]:
    """Right, down and forward of a camera `tilt` radians off the vertical, from `azimuth`.

    At tilt 0 these are the world's x, -y and -z.
    """
    x, y, z = _rotation(-np.sin(azimuth) * tilt, np.cos(azimuth) * tilt, 0).T
    return x, -y, -z


def _distance(p: Vec, shape: Shape) -> Vec:
    """Signed distances of points (n x 3) from the surface of the die."""
    q = np.abs(p) - (1 - shape.radius)
    outside = np.sqrt((np.maximum(q, 0) ** 2).sum(-1))
    box = outside + np.minimum(q.max(-1), 0) - shape.radius
    ball = np.sqrt((p**2).sum(-1)) - shape.cut
    return np.asarray(np.maximum(box, ball), dtype=np.float32)


def _normal(p: Vec, shape: Shape) -> Vec:
    """Unit normals of the surface at these points."""
    q = np.abs(p) - (1 - shape.radius)
    outside = np.maximum(q, 0)
    box = np.sqrt((outside**2).sum(-1)) - shape.radius
    length = np.sqrt((p**2).sum(-1))
    n = np.sign(p) * outside
    flat = (q == q.max(-1, keepdims=True)) * np.sign(p)
    n = np.where((outside.sum(-1) > 0)[:, None], n, flat)
    n = n / np.maximum(np.sqrt((n**2).sum(-1, keepdims=True)), 1e-6)
    ball = (length - shape.cut > box)[:, None]
    return np.asarray(np.where(ball, p / np.maximum(length, 1e-6)[:, None], n), dtype=np.float32)


def ink_at(p: Vec, textures: tuple[Texture, ...]) -> tuple[Vec, Vec]:
    """Ink at points of the surface and its gradient, in the die's axes."""
    axis = np.abs(p).argmax(-1)
    side = axis * 2 + (p[np.arange(len(p)), axis] < 0)
    ink = np.zeros(len(p), np.float32)
    slope = np.zeros((len(p), 3), np.float32)
    for s in range(6):
        here = np.flatnonzero(side == s)
        if not here.size:
            continue
        a = s // 2
        ua, va = [(1, 2), (0, 2), (0, 1)][a]
        flip = -1.0 if s % 2 else 1.0
        u, v = p[here, ua] * flip, p[here, va]
        texture = textures[_SIDES[s] - 1]
        x = ((u * 0.5 + 0.5) * TEXTURE_SIDE - 0.5).astype(np.float32)
        y = ((v * 0.5 + 0.5) * TEXTURE_SIDE - 0.5).astype(np.float32)
        ink[here] = _look_up(texture, x, y)
        soft = cv2.GaussianBlur(texture, (0, 0), TEXTURE_SIDE * 0.025)
        gx = _look_up(np.asarray(cv2.Sobel(soft, cv2.CV_32F, 1, 0), np.float32), x, y)
        gy = _look_up(np.asarray(cv2.Sobel(soft, cv2.CV_32F, 0, 1), np.float32), x, y)
        slope[here, ua] = gx * flip
        slope[here, va] = gy
    return ink, slope


def _look_up(texture: Texture, x: Vec, y: Vec) -> Vec:
    """The texture at points in its pixels, 0 outside; row by row, because of `_LONGEST_ROW`."""
    rows = max(1, -(-len(x) // _LONGEST_ROW))
    wide = -(-len(x) // rows)
    across, down = (np.pad(part, (0, rows * wide - len(part))).reshape(rows, wide) for part in (x, y))
    found = cv2.remap(texture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(found, dtype=np.float32).ravel()[: len(x)]


def render_die(
    model: DieModel,
    face: int,
    *,
    half_edge: float,
    yaw: float = 0.0,
    tilt: float = 0.0,
    azimuth: float = 0.0,
    light: Light | None = None,
    oversample: int = 2,
) -> Sprite:
    """Render one die with `face` on top.

    half_edge: half an edge in pixels. yaw, tilt, azimuth: radians; the camera is `tilt` off the vertical, on the side
    `azimuth`.
    """
    light = light or Light()
    side = 2 * int(np.ceil(half_edge * _SPRITE_REACH))
    n = side * oversample
    grid = ((np.arange(n, dtype=np.float32) + 0.5) / oversample - side / 2) / half_edge
    gx, gy = np.meshgrid(grid, grid)
    right, down, forward = _view_basis(tilt, azimuth)
    start = gx.reshape(-1, 1) * right + gy.reshape(-1, 1) * down - 3.0 * forward
    to_die = _rotation(*_TO_TOP[face]).round().T @ _rotation(0, 0, -yaw)  # from the world's to the die's axes
    origin = np.asarray(start @ to_die.T, dtype=np.float32)
    ray = np.asarray(to_die @ forward, dtype=np.float32)
    live = np.flatnonzero((gx.reshape(-1) ** 2 + gy.reshape(-1) ** 2) < 3.1)
    t = np.full(len(origin), 1.0, np.float32)
    near = np.full(len(origin), 9.0, np.float32)
    for _ in range(22):
        d = _distance(origin[live] + t[live, None] * ray, model.shape)
        t[live] += d
        near[live] = np.minimum(near[live], d)
        live = live[(d > 0.002) & (t[live] < 5.5)]
        if not live.size:
            break
    hit = np.flatnonzero((near < 0.02) & (t < 5.5))
    p = origin[hit] + t[hit, None] * ray
    rgb, cover = _shade(p, ray, to_die, model, light)
    picture = np.zeros((n * n, 4), np.float32)
    picture[hit, :3] = rgb * cover[:, None]
    picture[hit, 3] = cover
    full = picture.reshape(n, n, 4)
    small = cv2.resize(full, (side, side), interpolation=cv2.INTER_AREA)
    alpha = small[..., 3]
    colour = small[..., :3] / np.maximum(alpha, 1e-4)[..., None]
    return Sprite(colour.astype(np.float32), alpha.astype(np.float32), half_edge)


def _shade(p: Vec, ray: Vec, to_die: Vec, model: DieModel, light: Light) -> tuple[Vec, Vec]:
    """Linear colours of surface points, and their opacity."""
    m = model.material
    ink, slope = ink_at(p, model.faces)
    normal = _normal(p, model.shape)
    normal = normal + m.depth * 0.9 * slope
    normal /= np.maximum(np.sqrt((normal**2).sum(-1, keepdims=True)), 1e-6)
    body, ink, sparkle, see_through = m.surface(p, ray, ink, model.faces)
    albedo = body * (1 - ink[:, None]) + np.array(m.ink, np.float32) * ink[:, None]
    lamp = to_die @ np.array(light.direction, np.float32)
    up = to_die @ np.array([0, 0, 1], np.float32)
    diffuse = np.maximum(normal @ lamp, 0)
    sky = 0.55 + 0.45 * (normal @ up)
    lit = albedo * (
        (1 - light.ambient) * diffuse[:, None] * np.array(light.colour, np.float32) + light.ambient * sky[:, None]
    )
    mirror = ray - 2 * (normal @ ray)[:, None] * normal
    shine = mirror @ lamp
    spot = 1 / (1 + np.exp(np.clip((1 - light.size - shine) * 60, -30, 30)))
    fresnel = 0.04 + 0.5 * (1 - np.abs(normal @ ray)) ** 4
    glare = m.gloss * (spot * 0.8 * (0.35 + 4 * fresnel) + fresnel * 0.35 * np.maximum(mirror @ up, 0))
    glare = glare * (1 - 0.6 * ink) + sparkle
    colours = np.clip(lit + glare[:, None] * np.array(light.colour, np.float32), 0, 1.5)
    cover = 1 - see_through * (1 - ink) * (1 - np.clip(glare, 0, 1))
    return np.asarray(colours, dtype=np.float32), np.asarray(cover, dtype=np.float32)
