"""Bodies: their points and faces, and where they stand. Centimetres; the table is z = 0, z is up."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from vision.training.blender.colours import Floats

warnings.filterwarnings("ignore", category=DeprecationWarning)

Place = Sequence[float]


def scene() -> Any:
    """What is being put together."""
    return bpy.context.scene


def reset() -> None:
    """Begin with an empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)


def add_mesh(name: str, points: Any, faces: Any, material: Any = None, places: Any = None, smooth: bool = True) -> Any:
    """An object of points and faces: an array of faces with equally many corners, or a list. places: uv."""
    data = bpy.data.meshes.new(name)
    points = np.asarray(points, np.float32)
    data.vertices.add(len(points))
    data.vertices.foreach_set("co", points.ravel())
    if isinstance(faces, np.ndarray):
        flat = faces.ravel()
        start = np.arange(len(faces)) * faces.shape[1]
    else:
        flat = np.concatenate([np.asarray(f) for f in faces])
        start = np.cumsum([0] + [len(f) for f in faces[:-1]])
    data.loops.add(len(flat))
    data.loops.foreach_set("vertex_index", flat.astype(np.int32))
    data.polygons.add(len(start))
    data.polygons.foreach_set("loop_start", np.asarray(start, np.int32))
    if places is not None:
        layer = data.uv_layers.new(name="UVMap")
        layer.data.foreach_set("uv", np.asarray(places, np.float32).ravel())
    data.update(calc_edges=True)
    data.polygons.foreach_set("use_smooth", np.full(len(data.polygons), smooth))
    if material:
        data.materials.append(material)
    return add_object(name, data)


def add_object(name: str, data: Any, index: int = 0) -> Any:
    """An object of what is there already; `index` is what tells its pixels."""
    thing = bpy.data.objects.new(name, data)
    thing.pass_index = index
    scene().collection.objects.link(thing)
    return thing


def place(thing: Any, where: Place = (0, 0, 0), turn: Place = (0, 0, 0), scale: float | Place | None = None) -> None:
    """Put it there, turned by these angles (radians) about x, y, z."""
    thing.location = where
    thing.rotation_euler = turn
    if scale is not None:
        thing.scale = (scale,) * 3 if np.isscalar(scale) else scale


def move(things: Sequence[Any], where: Any, yaw: float, height: float = 0.0) -> None:
    """Turn what was built about the origin, and carry it there."""
    matrix = Matrix.Translation((where[0], where[1], height)) @ Matrix.Rotation(yaw, 4, "Z")
    for thing in things:
        if thing.parent is None:
            thing.matrix_world = matrix @ thing.matrix_basis


def remove(things: Sequence[Any]) -> None:
    """Away with what found no place."""
    for thing in things:
        bpy.data.objects.remove(thing)


def update() -> None:
    """Let Blender work out where everything is."""
    bpy.context.view_layer.update()


def lathe(
    name: str,
    profile: Any,
    material: Any,
    around: int = 56,
    wobble: Callable[[Floats, Floats], Floats] | None = None,
    crease: float = 38.0,
) -> Any:
    """Turn a profile [(radius, z), ...] about z; wobble(angle, z) multiplies the radius. Turns by more than `crease`
    degrees stay sharp; long straight stretches are cut up, else shading breaks on them.
    """
    profile = np.asarray(profile, float)
    strips: list[list[Floats]] = []
    for i in range(len(profile) - 1):
        p, q = profile[i], profile[i + 1]
        pieces = max(1, int(np.ceil(np.hypot(*(q - p)) / 1.2)))
        new = [p + (q - p) * t for t in np.linspace(0, 1, pieces + 1)]
        if i:
            before, after = profile[i] - profile[i - 1], q - p
            bend = np.degrees(
                np.arccos(np.clip(before @ after / (np.hypot(*before) * np.hypot(*after) + 1e-12), -1, 1))
            )
        if i == 0 or bend > crease:
            strips.append(new)
        else:
            strips[-1] += new[1:]
    angles = np.linspace(0, 2 * np.pi, around, endpoint=False)
    points, faces, base = [], [], 0
    for stretch in strips:
        strip = np.array(stretch)
        radii = strip[:, 0][:, None] * np.ones(around)
        if wobble is not None:
            radii = radii * wobble(angles[None], strip[:, 1][:, None])
        points.append(
            np.stack(
                [radii * np.cos(angles), radii * np.sin(angles), strip[:, 1][:, None] * np.ones(around)], -1
            ).reshape(-1, 3)
        )
        i, j = np.meshgrid(np.arange(len(strip) - 1), np.arange(around), indexing="ij")
        k = (j + 1) % around
        faces.append(
            np.stack([i * around + j, i * around + k, (i + 1) * around + k, (i + 1) * around + j], -1).reshape(-1, 4)
            + base
        )
        base += len(strip) * around
    return add_mesh(name, np.concatenate(points), np.concatenate(faces), material)


def box(name: str, x: float, y: float, z: float, material: Any, bevel: float = 0.1) -> Any:
    """A box that stands on z = 0, its edges rounded."""
    points = np.array([(i, j, k) for i in (-x / 2, x / 2) for j in (-y / 2, y / 2) for k in (0, z)])
    faces = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    thing = add_mesh(name, points, faces, material)
    rounding = thing.modifiers.new("b", "BEVEL")
    rounding.width = min(bevel, z * 0.49)
    rounding.segments = 3
    return thing


def slab(
    name: str, x: float, y: float, z: float, radius: float, material: Any, bottom: float = 0.0, sides: Any = None
) -> Any:
    """A flat plate with round corners; uv over its outline. sides: the material of all but its top."""
    outline = []
    for sx, sy, a0 in ((1, 1, 0), (-1, 1, 1), (-1, -1, 2), (1, -1, 3)):
        for t in np.linspace(0, np.pi / 2, 8):
            angle = a0 * np.pi / 2 + t
            outline.append(
                (sx * (x / 2 - radius) + radius * np.cos(angle), sy * (y / 2 - radius) + radius * np.sin(angle))
            )
    outline = np.array(outline)
    count = len(outline)
    points = np.concatenate([np.c_[outline, np.full(count, bottom)], np.c_[outline, np.full(count, bottom + z)]])
    faces = [list(range(count, 2 * count)), list(range(count - 1, -1, -1))] + [
        [i, (i + 1) % count, count + (i + 1) % count, count + i] for i in range(count)
    ]
    flat = np.concatenate([np.asarray(f) for f in faces])
    places = points[flat][:, :2] / [x, y] + 0.5
    thing = add_mesh(name, points, faces, material, places=places, smooth=False)
    if sides:
        thing.data.materials.append(sides)
        which = np.ones(len(faces), np.int32)
        which[0] = 0
        thing.data.polygons.foreach_set("material_index", which)
    return thing


def tube(
    points: Any,
    radius: Any,
    material: Any,
    around: int = 16,
    name: str = "tube",
    wrinkle: Callable[[float, Floats], Floats] | None = None,
    flat: float = 1.0,
) -> Any:
    """A tube along points, of one radius or one for each; wrinkle(share of the way, angle) adds to it."""
    points = np.asarray(points, float)
    radius = np.broadcast_to(np.asarray(radius, float), len(points))
    along = np.gradient(points, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    rings = []
    a = np.cross(along[0], [0, 0, 1.0] if abs(along[0][2]) < 0.9 else [0, 1.0, 0])
    for p, t, q in zip(points, along, radius, strict=True):
        a = a - t * (a @ t)
        a /= np.linalg.norm(a)
        b = np.cross(a, t)
        th = np.linspace(0, 2 * np.pi, around, endpoint=False)[:, None]
        k = 1.0 if wrinkle is None else 1 + wrinkle(len(rings) / len(points), th)
        rings.append(p + q * k * (a * np.cos(th) * flat + b * np.sin(th)))
    rings = np.concatenate(rings)
    i, j = np.meshgrid(np.arange(len(points) - 1), np.arange(around), indexing="ij")
    k = (j + 1) % around
    faces = np.stack([i * around + j, i * around + k, (i + 1) * around + k, (i + 1) * around + j], -1).reshape(-1, 4)
    return add_mesh(name, rings, faces, material)
