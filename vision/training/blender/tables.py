"""A Perudo table from above: players with their dice, cups, hands and things."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from mathutils import Matrix

from calibration.palette import COLOURS
from vision.training.blender.colours import Floats, Rng, body_colour, dull
from vision.training.blender.cups import Cup, cup_material, make_cup
from vision.training.blender.dice import make_dice
from vision.training.blender.drawings import FILLED, LINEART
from vision.training.blender.faces import draw_shape, draw_style
from vision.training.blender.hands import make_arm, skin_material
from vision.training.blender.layout import Die, Maker, Taken, carried, group
from vision.training.blender.light import set_lights
from vision.training.blender.meshes import box, lathe, move, place, remove, update
from vision.training.blender.render import set_camera
from vision.training.blender.shader import simple
from vision.training.blender.surround import add_crumbs, add_table
from vision.training.blender.things import make_thing
from vision.training.blender.tops import table_material
from vision.training.blender.view import View

_LIGHTS = {
    "ceiling": 0.17,
    "pendant": 0.1,
    "window": 0.14,
    "hard side": 0.08,
    "several": 0.14,
    "mixed": 0.12,
    "dim": 0.1,
    "glare": 0.07,
    "overcast": 0.06,
    "sun": 0.02,
}
_TABLES = {
    "wood": 0.28,
    "felt": 0.13,
    "plain cloth": 0.12,
    "patterned cloth": 0.13,
    "white laminate": 0.12,
    "dark stone": 0.08,
    "carpet": 0.07,
    "cardboard": 0.07,
}
_THINGS = ("phone", "phone", "cards", "deck", "pad", "glass", "glass", "mug", "peanuts", "crisps", "sweets", "pen")
_THINGS += ("coins", "chips", "caps", "keys", "napkin", "lighter")


@dataclass(frozen=True, slots=True)
class _Seat:
    """Where a player's dice lie, and which way is out of the picture."""

    place: Floats
    out: Floats


@dataclass(frozen=True, slots=True)
class _Grip:
    """A cup upside down, which a hand may hold."""

    place: Floats
    radius: float
    seat: _Seat


def _view(rng: Rng) -> tuple[View, float, float, bool]:
    """Who looks; the tilt in degrees; the dice's size; whether the lens is a wide one."""
    uniform = rng.uniform
    wide = rng.random() < 0.22
    field = 102.0 if wide else 66.0
    for _ in range(50):
        if wide:
            width = int(rng.choice([1920, 2048, 2304], p=[0.4, 0.3, 0.3]))
        else:
            width = int(rng.choice([1536, 1664, 1792, 1920, 2304], p=[0.42, 0.2, 0.18, 0.15, 0.05]))
        distance = uniform(50, 62) if wide else uniform(50, 110)
        size = uniform(1.4, 1.75)
        pixels = size * width / 2 / math.tan(math.radians(field / 2)) / distance
        if pixels > (22 if wide else 27):
            break
    tilt = uniform(0, 15) if wide else uniform(0, 25)
    azimuth = uniform(0, 6.283)
    if tilt < 3:
        tilt = 0.3
    slant = distance / math.cos(math.radians(tilt))
    if slant * math.cos(math.radians(tilt)) >= 110:
        slant = distance
    view = View(width, width * 9 // 16, field, slant, tilt, azimuth, rng.normal(0, 0.06))
    return view, tilt, size, wide


def _makers(rng: Rng, colours: list[str], ace: str, size: float) -> list[Maker]:
    """Dice of one edition, whose colours differ; or each player's own."""
    shape, style = draw_shape(rng), draw_style(rng, ace)
    own = rng.random() < 0.2
    makers = []
    for colour in colours:
        drawn = draw_style(rng, ace) if own else replace(style, mirrored=bool(rng.integers(2)))
        kind = str(rng.choice(["solid", "marbled", "pearl", "translucent"], p=[0.86, 0.05, 0.05, 0.04]))
        edge = size * (rng.uniform(0.9, 1.12) if own else 1)
        makers.append(make_dice(rng, colour, kind, ace, edge, draw_shape(rng) if own else shape, drawn))
    return makers


def _seat_players(
    rng: Rng, view: View, counts: list[int], makers: list[Maker], reach: float, dice: list[Die]
) -> list[_Seat]:
    """Lay each player's dice; `reach` is how far from the middle, in shares of the way to the edge."""
    uniform = rng.uniform
    seats: list[_Seat] = []
    players = len(counts)
    begin = uniform(0, 6.283)
    for i, maker in enumerate(makers):
        for _ in range(40):
            a = begin + 2 * math.pi * (i + uniform(-0.2, 0.2)) / players
            r = uniform(0.45, 1) * reach
            spot = view.ground(view.width * (0.5 + 0.5 * r * math.cos(a)), view.height * (0.5 + 0.5 * r * math.sin(a)))
            if all(np.hypot(*(spot - seat.place)) > 9 for seat in seats):
                break
        out = spot - view.ground(view.width / 2, view.height / 2)
        seats.append(_Seat(spot, out / (np.hypot(*out) + 1e-6)))
        mode = str(rng.choice(["heap", "chain", "row", "loose"], p=[0.4, 0.2, 0.12, 0.28]))
        group(rng, dice, lambda maker=maker: maker, spot, counts[i], mode, uniform(2.0, 4.5))
    return seats


def _lay_cup(rng: Rng, cup: Cup, mode: str, seat: _Seat, taken: Taken) -> _Grip | None:
    """Find a place for a cup near its player and put it there; what can be held is told of.

    Raises `LookupError` where there is none.
    """
    uniform = rng.uniform
    way, yaw = np.zeros(2), 0.0
    for t in range(60):
        a = uniform(0, 6.283)
        far = uniform(cup.mouth + 1.5, cup.mouth + 5 + t * 0.25)
        where = seat.place + np.array([math.cos(a), math.sin(a)]) * far
        if mode == "lying":
            yaw = uniform(0, 6.283)
            way = np.array([math.cos(yaw), math.sin(yaw)])
            if not any(taken.hit(where + way * cup.height * s, cup.mouth * 0.95) for s in (0.15, 0.5, 0.8)):
                break
        elif not taken.hit(where, cup.mouth + 0.3):
            break
    else:
        raise LookupError
    if mode == "lying":
        lean = math.atan2(cup.mouth - cup.bottom, cup.height)
        cup.thing.matrix_world = (
            Matrix.Translation((*where, 0))
            @ Matrix.Rotation(yaw, 4, "Z")
            @ Matrix.Translation((0, 0, cup.bottom / math.cos(lean) + 0.1))
            @ Matrix.Rotation(math.pi / 2 - lean, 4, "Y")
        )
        for s in (0.15, 0.5, 0.85):
            taken.discs.append((where + way * cup.height * s, cup.mouth, 2 * cup.mouth))
        return None
    turn = uniform(0, 6.28)
    taken.discs.append((where, cup.mouth + 0.3, cup.height))
    if mode == "up":
        place(cup.thing, (*where, 0), (0, 0, turn))
        return None
    place(cup.thing, (*where, cup.height + 0.05), (math.pi, 0, turn))
    return _Grip(where, cup.mouth, seat)


def _add_cups(rng: Rng, seats: list[_Seat], taken: Taken, clutter: Counter[str]) -> list[_Grip]:
    material, kind = cup_material(rng)
    grips = []
    for seat in seats:
        if rng.random() > 0.8:
            continue
        if rng.random() < 0.3:
            material, kind = cup_material(rng)
        cup = make_cup(rng, material, kind)
        mode = str(rng.choice(["down", "up", "lying"], p=[0.45, 0.3, 0.25]))
        try:
            grip = _lay_cup(rng, cup, mode, seat, taken)
        except LookupError:
            remove([cup.thing])
            continue
        clutter["cup " + mode] += 1
        if grip:
            grips.append(grip)
    return grips


def _add_hand(rng: Rng, seat: _Seat, grips: list[_Grip], taken: Taken, clutter: Counter[str]) -> None:
    """A player's hand, holding the cup or over the table, where it goes through nothing."""
    uniform = rng.uniform
    skin = skin_material(rng)
    inwards = math.atan2(-seat.out[1], -seat.out[0]) - math.pi / 2
    near = [grip for grip in grips if grip.seat is seat and np.hypot(*(grip.place - seat.place)) < 16]
    mirror = bool(rng.integers(2))
    if near and rng.random() < 0.55:
        pose, where = "grab", near[0].place
        for _ in range(8):
            yaw = inwards + uniform(-0.6, 0.6)
            parts, room = make_arm(rng, pose, skin, near[0].radius, mirror)
            if not taken.reached(carried(room, where, yaw), but=where):
                break
            remove(parts)
        else:
            return
    else:
        pose = str(rng.choice(["flat", "relaxed", "point", "fist", "claw"], p=[0.15, 0.35, 0.22, 0.1, 0.18]))
        hovers = rng.random() < 0.45
        lift = uniform(2.0, 5.0) if hovers else 0.0
        parts, room = make_arm(rng, pose, skin, 4, mirror, lift)
        for t in range(50):
            yaw = inwards + uniform(-0.7, 0.7) * (1 + t / 40)
            tip = seat.place + rng.normal(0, 2.0 + t * 0.12, 2)
            tip = tip + seat.out * (uniform(-1, 5) if hovers else uniform(2, 9) + t * 0.15)
            where = tip - np.array([-math.sin(yaw), math.cos(yaw)]) * 16.5
            if not taken.reached(carried(room, where, yaw)):
                break
        else:
            remove(parts)
            return
    move(parts, where, yaw)
    clutter["hand " + pose] += 1
    for p, q, start, end in carried(room, where, yaw):
        for s in (0, 0.5, 1):
            taken.discs.append(((p + (q - p) * s)[:2], max(start, end), 6.0))


def _add_things(rng: Rng, view: View, taken: Taken, clutter: Counter[str]) -> None:
    uniform = rng.uniform
    for kind in rng.choice(_THINGS, int(rng.integers(1, 8)), replace=False):
        things, radius = make_thing(rng, str(kind))
        if any("lit" in thing for thing in things):
            clutter["lit screen"] += 1
        for _ in range(40):
            where = view.ground(view.width * uniform(0.0, 1), view.height * uniform(0.0, 1))
            if not taken.hit(where, radius):
                move(things, where, uniform(0, 6.283))
                taken.discs.append((where, radius, 5.0))
                clutter[str(kind)] += 1
                break
        else:
            remove(things)


def _extent(rng: Rng, view: View, yaw: float, taken: Taken, wide: bool) -> tuple[Floats, Floats, bool]:
    """How far the table reaches in its own axes, and whether its edge may be seen."""
    turn = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
    near = [spot for spot, _, _ in taken.discs if np.hypot(*spot) < 60]
    stuff = np.concatenate([[die.place for die in taken.dice], near or [[0, 0]]]) @ turn.T
    corners = view.footprint() @ turn.T
    low, high = corners.min(0) - 15, corners.max(0) + 15
    if not (rng.random() < 0.4 or wide):
        return low, high, False
    margin = rng.uniform(5, 22, 4)
    low = np.maximum(low, stuff.min(0) - margin[:2])
    return low, np.minimum(high, stuff.max(0) + margin[2:]), True


def _add_bodies(rng: Rng, view: View, seats: list[_Seat]) -> None:
    """Players beyond the edge of the picture: they shade, and are mirrored."""
    uniform = rng.uniform
    for seat in seats:
        if rng.random() >= 0.75:
            continue
        far = 0
        while far < 140:
            x, y = view.project(np.array([*(seat.place + seat.out * far), 6.0]))
            if not (-0.04 * view.width < x < 1.04 * view.width and -0.04 * view.height < y < 1.04 * view.height):
                break
            far += 2
        where = seat.place + seat.out * (far + uniform(15, 24))
        angles = np.linspace(-np.pi / 2, np.pi / 2, 14)
        cloth = table_material(rng, "plain cloth", dull(rng, rng.choice(COLOURS)) * 0.6 + 0.02)
        body = lathe("body", np.c_[np.cos(angles) ** 0.7, np.sin(angles)], cloth, 32)
        turn = (0, 0, math.atan2(seat.out[1], seat.out[0]))
        place(body, (*where, uniform(0, 10)), turn, (13, 21, uniform(28, 40)))


def make_table(rng: Rng) -> tuple[View, list[Die], dict[str, Any]]:
    """Who looks, the dice to be laid, and the picture's conditions; all else is put up."""
    view, tilt, size, wide = _view(rng)
    set_camera(view)
    light = str(rng.choice(list(_LIGHTS), p=list(_LIGHTS.values())))
    table = str(rng.choice(list(_TABLES), p=list(_TABLES.values())))
    players = int(rng.integers(2, 7))
    colours = [str(colour) for colour in rng.choice(COLOURS, players, replace=False)]
    total = int(np.clip(round(rng.uniform(4, 30)), players, players * 5))
    counts = [1] * players
    while sum(counts) < total:
        i = rng.integers(players)
        if counts[i] < 5:
            counts[i] += 1
    clutter: Counter[str] = Counter()
    conditions: dict[str, Any] = {}
    hue = None
    if rng.random() < 0.22:
        table = str(rng.choice(["felt", "plain cloth", "carpet"]))
        hue = body_colour(rng, colours[0])
        conditions["table_like"] = colours[0]
    chances = [0.70 / 7] * 7 + [0.12] + [0.06] * 3
    ace = str(rng.choice([*LINEART, "pip", *FILLED[:3]], p=chances))
    conditions |= {
        "table": table,
        "light": light,
        "tilt": round(tilt, 1),
        "hfov": view.field,
        "height": round(float(view.place[2]), 1),
        "players": players,
        "ace": ace,
        "size": [view.width, view.height],
        "clutter": clutter,
    }
    taken = Taken()
    makers = _makers(rng, colours, ace, size)
    seats = _seat_players(rng, view, counts, makers, 0.66 if wide else 0.78, taken.dice)
    grips = _add_cups(rng, seats, taken, clutter)
    for seat in [seat for seat in seats if rng.random() < 0.38]:
        _add_hand(rng, seat, grips, taken, clutter)
    _add_things(rng, view, taken, clutter)
    update()
    yaw = view.azimuth + math.pi / 2 + rng.normal(0, 0.1)
    low, high, edge = _extent(rng, view, yaw, taken, wide)
    if edge:
        conditions["edge"] = True
    add_table(rng, table, hue, low, high, yaw)
    add_crumbs(rng, view)
    set_lights(rng, light, view)
    _add_bodies(rng, view, seats)
    if light in ("ceiling", "several", "overcast") and rng.random() < 0.5:
        phone = box("phone", 8, 15, 1, simple("k", (0.02, 0.02, 0.02)), 0.3)
        phone.location = (view.place[0], view.place[1], view.place[2] + 2)
    return view, taken.dice, conditions
