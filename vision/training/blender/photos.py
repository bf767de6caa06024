"""A handful of mixed dice, near, loose or in a tray, as one photographs them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from calibration.palette import COLOURS
from vision.training.blender.colours import Floats, Rng
from vision.training.blender.dice import make_dice
from vision.training.blender.drawings import FILLED, LINEART
from vision.training.blender.faces import draw_shape, draw_style
from vision.training.blender.layout import Die, Maker, group
from vision.training.blender.light import set_lights
from vision.training.blender.meshes import lathe, move, place, remove, update
from vision.training.blender.render import set_camera
from vision.training.blender.surround import add_crumbs, add_table, plane
from vision.training.blender.things import make_thing
from vision.training.blender.tops import table_material
from vision.training.blender.view import View

_SIZES = ((1536, 1152), (1440, 1080), (1536, 864), (1080, 1440), (1216, 1216), (1792, 1008))
_LIGHTS = {
    "hard side": 0.2,
    "window": 0.22,
    "ceiling": 0.14,
    "mixed": 0.08,
    "overcast": 0.08,
    "several": 0.08,
    "sun": 0.07,
    "dim": 0.05,
    "glare": 0.04,
    "pendant": 0.04,
}
_TABLES = {
    "wood": 0.26,
    "felt": 0.22,
    "carpet": 0.1,
    "white laminate": 0.16,
    "plain cloth": 0.1,
    "dark stone": 0.06,
    "cardboard": 0.05,
    "patterned cloth": 0.05,
}


def _makers(rng: Rng, count: int) -> list[Maker]:
    uniform = rng.uniform
    emblems = rng.random() < 0.35
    makers = []
    for _ in range(count):
        ace = "pip"
        if emblems and rng.random() < 0.6:
            ace = str(rng.choice([*FILLED, *LINEART]))
        kind = str(
            rng.choice(["solid", "marbled", "translucent", "pearl", "speckled"], p=[0.4, 0.18, 0.17, 0.17, 0.08])
        )
        colour = str(rng.choice(COLOURS))
        if kind == "translucent" and colour == "black":
            kind = "solid"
        size = uniform(1.2, 1.9) if rng.random() < 0.6 else 1.6
        style = draw_style(rng, ace)
        makers.append(make_dice(rng, colour, kind, ace, size, draw_shape(rng), style, cuts=72))
    return makers


def _lay(
    rng: Rng, makers: list[Maker], total: int, centre: Floats, near: float, allowed: Callable[[Floats], bool]
) -> list[Die]:
    """Dice about the picture's middle: one heap, or several groups."""
    uniform = rng.uniform
    dice: list[Die] = []

    def pick() -> Maker:
        return makers[rng.integers(len(makers))]

    if rng.random() < 0.5:
        spread = min(max(math.sqrt(total) * uniform(1.5, 4), 4), near * 0.6)
        while len(dice) < total:
            before = len(dice)
            middle = centre + rng.normal(0, 1, 2)
            group(rng, dice, pick, middle, min(total - before, 12), "heap", spread * 0.9, allowed)
            if len(dice) == before:
                break
            spread *= 1.05
        return dice
    for _ in range(60):
        if len(dice) >= total:
            break
        a, r = uniform(0, 6.28), near * 0.45 * math.sqrt(uniform(0, 1))
        middle = centre + r * np.array([math.cos(a), math.sin(a)])
        count = int(min(total - len(dice), rng.integers(1, 9)))
        mode = str(rng.choice(["heap", "chain", "row", "loose"]))
        group(rng, dice, pick, middle, count, mode, uniform(1.5, 4), allowed)
    return dice


def _add_tray(rng: Rng, kind: str, shape: str, centre: Floats, radius: float) -> str:
    """A tray with walls, on a table whose kind is said."""
    below = str(rng.choice(["wood", "dark stone", "white laminate", "cardboard"]))
    bed = table_material(rng, kind)
    wall = table_material(rng, str(rng.choice(["wood", "felt", "cardboard"])))
    sides = {"round": 96, "square": 4, "hex": 6}[shape]
    height = rng.uniform(1.5, 4)
    r = radius / math.cos(math.pi / sides)
    yaw = rng.uniform(0, 6.28)
    profile = [
        (r, -0.6),
        (r, height - 0.1),
        (r + 0.1, height),
        (r + 0.9, height),
        (r + 1, height - 0.1),
        (r + 1, -0.6),
    ]
    for thing in (lathe("traybed", [(0, 0), (r, 0)], bed, sides), lathe("wall", profile, wall, sides)):
        place(thing, (*centre, 0), (0, 0, yaw))
        polygons = thing.data.polygons
        polygons.foreach_set("use_smooth", np.full(len(polygons), sides > 10))
        thing.data.update()
    plane("table", 90, -0.6, table_material(rng, below))
    return below


def _add_things(
    rng: Rng, view: View, dice: list[Die], centre: Floats, tray: float | None, clutter: dict[str, int]
) -> None:
    """A thing or two, beside the dice and outside the tray (its radius)."""
    uniform = rng.uniform
    kinds = ["pen", "pad", "coins", "cards", "keys", "glass", "deck", "phone", "mug", "chips"]
    for kind in rng.choice(kinds, int(rng.choice([0, 0, 1, 1, 2])), replace=False):
        things, radius = make_thing(rng, str(kind))
        for _ in range(30):
            where = view.ground(view.width * uniform(-0.05, 1.05), view.height * uniform(-0.05, 1.05))
            in_tray = tray is not None and np.hypot(*(where - centre)) < tray * 1.45 + 1 + radius
            if not in_tray and all(np.hypot(*(die.place - where)) >= radius + die.size for die in dice):
                move(things, where, uniform(0, 6.28), 0.0 if tray is None else -0.6)
                clutter[str(kind)] = 1
                break
        else:
            remove(things)


def make_photo(rng: Rng) -> tuple[View, list[Die], dict[str, Any]]:
    """Who looks, the dice to be laid, and the picture's conditions; all else is put up."""
    uniform = rng.uniform
    width, height = _SIZES[rng.choice(6, p=[0.35, 0.2, 0.15, 0.12, 0.08, 0.1])]
    field = 66.0 if width >= height else 52.0
    distance = uniform(25, 60)
    tilt = 40 * uniform(0, 1) ** 1.3
    azimuth = uniform(0, 6.283)
    view = View(width, height, field, distance, max(tilt, 0.3), azimuth, rng.normal(0, 0.08))
    set_camera(view)
    light = str(rng.choice(list(_LIGHTS), p=list(_LIGHTS.values())))
    table = str(rng.choice(list(_TABLES), p=list(_TABLES.values())))
    tray = rng.random() < 0.35
    if tray and rng.random() < 0.6:
        table = "felt"
    clutter: dict[str, int] = {}
    conditions = {
        "table": table,
        "light": light,
        "tilt": round(tilt, 1),
        "hfov": field,
        "distance": round(distance, 1),
        "tray": bool(tray),
        "size": [width, height],
        "clutter": clutter,
    }
    count = int(rng.integers(2, 13))
    total = round(math.exp(uniform(math.log(5), math.log(48.9))))
    makers = _makers(rng, count)
    centre = view.ground(width / 2, height / 2)
    seen = cv2.convexHull(view.footprint(0.88).astype(np.float32))
    near = math.sqrt(abs(cv2.contourArea(seen)))
    radius, shape = None, ""
    if tray:
        radius = min(near * uniform(0.42, 0.62), 24)
        shape = str(rng.choice(["round", "square", "hex"]))

    def allowed(where: Floats) -> bool:
        if radius is not None and np.hypot(*(where - centre)) >= radius * 0.9 - 1.2:
            return False
        return bool(cv2.pointPolygonTest(seen, (float(where[0]), float(where[1])), True) > -0.5)

    dice = _lay(rng, makers, total, centre, near, allowed)
    if radius is not None:
        conditions["surround"] = _add_tray(rng, table, shape, centre, radius)
    else:
        yaw = uniform(0, 6.28)
        turn = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
        corners = view.footprint() @ turn.T
        add_table(rng, table, None, corners.min(0) - 30, corners.max(0) + 30, yaw)
    _add_things(rng, view, dice, centre, radius, clutter)
    update()
    add_crumbs(rng, view)
    set_lights(rng, light, view)
    return view, dice, conditions
