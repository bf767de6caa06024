"""What lies under and round the dice: table, floor, crumbs."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from vision.training.blender.colours import Floats, Rng, srgb
from vision.training.blender.meshes import add_mesh, add_object, lathe, place, slab
from vision.training.blender.shader import simple
from vision.training.blender.tops import table_material
from vision.training.blender.view import View

FLOOR: Final = -74.0


def plane(name: str, half: float, height: float, material: Any) -> None:
    """A square about the origin."""
    corners = [(-half, -half, height), (half, -half, height), (half, half, height), (-half, half, height)]
    add_mesh(name, corners, [[0, 1, 2, 3]], material)


def add_table(rng: Rng, kind: str, hue: Floats | None, low: Floats, high: Floats, yaw: float) -> None:
    """The table's top, from `low` to `high` in its own axes, and the floor."""
    material = table_material(rng, kind, hue)
    is_round = rng.random() < 0.15
    width, depth = high - low
    if is_round:
        r = np.hypot(width, depth) / 2 * 0.9
        thing = lathe("table", [(0, 0), (r - 0.3, 0), (r, -0.3), (r, -2.5), (0, -2.5)], material, 128)
        for polygon in thing.data.polygons:
            polygon.use_smooth = False
    else:
        thing = slab("table", width, depth, 2.5, rng.choice([0.5, 1, 6]), material, bottom=-2.5)
    turn = np.array([[math.cos(yaw), -math.sin(yaw)], [math.sin(yaw), math.cos(yaw)]])
    x, y = turn @ ((high + low) / 2)
    place(thing, (x, y, 0), (0, 0, yaw))
    below = str(rng.choice(["wood", "carpet", "white laminate", "dark stone"]))
    plane("floor", 600, FLOOR, table_material(rng, below))


def _lump(angle: Floats, z: Floats) -> Floats:
    return np.asarray(1 + 0.3 * np.cos(3 * angle + z))


def add_crumbs(rng: Rng, view: View) -> None:
    """Specks, crumbs and lint, as every real table has them."""
    count = int(rng.choice([0, 0, 12, 40, 120], p=[0.3, 0.1, 0.3, 0.2, 0.1]))
    if not count:
        return
    tones = ((196, 160, 104), (230, 225, 215), (40, 36, 34), (150, 60, 40))
    materials = [simple("crumb", srgb(tone), 0.8) for tone in tones]
    angles = np.linspace(-np.pi / 2, np.pi / 2, 5)
    kinds = []
    for material in materials:
        thing = lathe("crumb", np.c_[np.cos(angles), np.sin(angles)], material, 7, _lump)
        thing.hide_render = True
        kinds.append(thing)
    two = rng.integers(4, size=2)
    for _ in range(count):
        x, y = view.ground(view.width * rng.uniform(0, 1), view.height * rng.uniform(0, 1))
        r = math.exp(rng.normal(math.log(0.03), 0.45))
        thing = add_object("crumb", kinds[two[rng.integers(2)]].data)
        lint = rng.random() < 0.25
        turn = (0, 0, rng.uniform(0, 6.28))
        long = r * (6 if lint else rng.uniform(0.7, 1.6))
        thin = r * (0.4 if lint else 1)
        high = r * (0.4 if lint else 0.7)
        place(thing, (x, y, r * 0.5), turn, (long, thin, high))
