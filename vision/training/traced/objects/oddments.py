"""Small objects near the size of a die: dice of other games, keys, plugs, sweets, buttons, bricks, tiles, prints.

Each stands on z = 0 about the origin; lengths are millimetres.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np

from vision.training.clutter import goods, icons, oddments, papers, rounds
from vision.training.clutter.sheet import ThingSheet
from vision.training.traced.objects.clutter import Part, Rng, Thing, random_colour
from vision.training.traced.objects.mesh import (
    Floats,
    Mesh,
    capsule,
    ellipsoid,
    ground,
    join,
    lathe,
    polyhedron_mesh,
    rounded_box,
    turn_z,
)
from vision.training.traced.objects.surfaces import Rgb, Surface, as_rgb, linear, number_atlas

_METALS: Final = ((0.9, 0.75, 0.35), (0.8, 0.8, 0.78), (0.75, 0.42, 0.25), (0.5, 0.5, 0.52))
_FLAT: Final = np.eye(3)


def _loud(rng: Rng) -> Rgb:
    """The colour of a sweet or a toy."""
    colour = rng.uniform(10, 60, 3)
    first, second = rng.permutation(3)[:2]
    colour[first] = rng.uniform(170, 245)
    colour[second] = rng.uniform(10, 235)
    return as_rgb(linear(colour))


def _any(rng: Rng) -> Rgb:
    return _loud(rng) if rng.uniform() < 0.6 else random_colour(rng)


def _plastic(colour: Rgb, rng: Rng) -> Surface:
    kind = rng.uniform()
    if kind < 0.4:
        return Surface("plastic", colour)
    return Surface("satin", colour, rough=float(rng.uniform(0.08, 0.45)))


def _metal(rng: Rng) -> Surface:
    return Surface("metal", _METALS[int(rng.integers(len(_METALS)))], rough=float(rng.uniform(0.08, 0.35)))


def _seen_from_above(mesh: Mesh) -> Mesh:
    """The mesh with a texture projected from above."""
    low, high = mesh.points[:, :2].min(0), mesh.points[:, :2].max(0)
    share = (mesh.points[:, :2] - low) / (high - low)
    uv = np.stack([share[:, 0], 1 - share[:, 1]], 1).astype(np.float32)
    return Mesh(mesh.points, mesh.normals, uv, mesh.triangles)


def _disc(radius: float, tall: float, edge: float = 0.4, steps: int = 44) -> Mesh:
    """A flat cylinder with broken edges."""
    e = min(edge, 0.4 * tall, 0.4 * radius)
    line = [(0.0, 0.0), (radius - e, 0.0), (radius, e), (radius, tall - e), (radius - e, tall), (0.0, tall)]
    return lathe(line, steps)


def _torus(radius: float, wire: float) -> Mesh:
    t = np.linspace(-np.pi / 2, 1.5 * np.pi, 13)
    line = [(radius + wire * float(np.cos(v)), wire + wire * float(np.sin(v))) for v in t]
    return lathe(line, 40)


def _print(sheet: ThingSheet) -> Floats:
    """A drawing as a texture; bare parts have the colour of its body."""
    return np.asarray(np.clip(linear(sheet.rgb[3:-3, 3:-3]), 0.004, 0.9), np.float32)


def _printed_box(sheet: ThingSheet, size: tuple[float, float, float], radius: float, rng: Rng) -> Part:
    kind = "plastic" if rng.uniform() < 0.3 else "satin"
    picture = Surface(kind, picture=_print(sheet), rough=float(rng.uniform(0.1, 0.5)))
    return Part(rounded_box(size, radius, 4), picture)


def _cluster(parts: list[list[Part]], pitch: float, name: str, rng: Rng) -> Thing:
    """Several objects of a kind side by side."""
    spots: list[tuple[float, float]] = [(0.0, 0.0)]
    while len(spots) < len(parts):
        x, y = spots[int(rng.integers(len(spots)))]
        t, away = rng.uniform(0, 2 * np.pi), pitch * rng.uniform(1.05, 1.9)
        x, y = x + away * np.cos(t), y + away * np.sin(t)
        if all(np.hypot(x - u, y - v) > pitch * 1.02 for u, v in spots):
            spots.append((float(x), float(y)))
    laid = []
    for one, (x, y) in zip(parts, spots, strict=True):
        turn = turn_z(rng.uniform(0, 2 * np.pi))
        laid += [Part(part.mesh.moved(turn, (x, y, 0)), part.surface) for part in one]
    reach = max(float(np.hypot(x, y)) for x, y in spots) + 0.6 * pitch
    return Thing(name, tuple(laid), reach)


def _number(rng: Rng, most: int = 5) -> int:
    return int(rng.integers(1, most + 1))


def polyhedra(rng: Rng) -> Thing:
    parts = []
    for _ in range(_number(rng)):
        faces = int(rng.choice([4, 8, 10, 12, 20]))
        body = np.array(_any(rng), np.float32)
        ink = linear(np.full(3, rng.uniform(5, 40) if body.mean() > 0.2 else rng.uniform(215, 250)))
        surface = Surface("plastic" if rng.uniform() < 0.5 else "satin", picture=number_atlas(faces, body, ink, rng),
                          rough=float(rng.uniform(0.06, 0.35)))  # fmt: skip
        parts.append([Part(polyhedron_mesh(faces, rng.uniform(15, 23)), surface)])
    return _cluster(parts, 24, "polyhedra", rng)


def _key_parts(rng: Rng) -> list[Part]:
    long, wide = rng.uniform(42, 62), rng.uniform(9, 12)
    bow = _torus(wide * 0.8, rng.uniform(1.0, 1.4)) if rng.uniform() < 0.4 else _disc(wide, 2.2)
    surface = _metal(rng)
    head = _plastic(_any(rng), rng) if rng.uniform() < 0.35 else surface
    blade = [rounded_box((long * 0.65, 6.5, 2.0), 0.4, 3).moved(_FLAT, (wide + long * 0.3, 0, 0.1))]
    for u in np.linspace(0.25, 0.6, int(rng.integers(3, 6))):
        tooth = rounded_box((2.4, rng.uniform(1, 3), 2.0), 0.3, 3)
        blade.append(tooth.moved(_FLAT, (wide + long * u, 3.6, 0.1)))
    hole = Part(_disc(wide * 0.25, 0.3).moved(_FLAT, (-wide * 0.5, 0, 2.0)), Surface("matt", (0.02, 0.02, 0.02)))
    return [Part(bow, head), Part(join(blade), surface), hole]


def keys(rng: Rng) -> Thing:
    """A key, or a ring of them with a tag."""
    if rng.uniform() < 0.4:
        return _cluster([_key_parts(rng)], 60, "keys", rng)
    radius = rng.uniform(11, 16)
    parts = [Part(_torus(radius, 0.9), _metal(rng))]
    turns = rng.uniform(0, 2 * np.pi) + np.cumsum(rng.uniform(0.5, 1.5, int(rng.integers(2, 4))))
    for k, t in enumerate(turns):
        at = (float((radius + 5) * np.cos(t)), float((radius + 5) * np.sin(t)), 1.0 + 2.0 * k)
        parts += [Part(part.mesh.moved(turn_z(t), at), part.surface) for part in _key_parts(rng)]
    if rng.uniform() < 0.7:
        t = turns[0] - rng.uniform(0.7, 1.5)
        size = rng.uniform(22, 34)
        tag = _printed_box(icons.icon_tile(rng, 120), (size, size, 3), 1.2, rng)
        at = (float((radius + size / 2) * np.cos(t)), float((radius + size / 2) * np.sin(t)), 0.5)
        parts.append(Part(tag.mesh.moved(turn_z(t), at), tag.surface))
    return Thing("keys", tuple(parts), radius + 60)


def plug(rng: Rng) -> Thing:
    """A mains plug, on its side or with its pins up, with some cable."""
    colour = as_rgb(linear(np.full(3, rng.uniform(215, 245) if rng.uniform() < 0.6 else rng.uniform(15, 35))))
    body, metal = _plastic(colour, rng), _metal(rng)
    points = np.cumsum(np.concatenate([[(-14, 0)], rng.normal((-14, 0), (2, 9), (6, 2))]), 0)
    cable = join([capsule((*a, 5), (*b, 5), 3.4, 3.4, 12) for a, b in pairwise(points)])
    if rng.uniform() < 0.5:
        shell = [capsule((-16, 0, 9), (0, 0, 11), 7, 11), capsule((0, 0, 11), (13, 0, 11), 11, 11)]
        pins = join([capsule((20, y, 11), (42, y, 11), 2.2, 2.2, 14) for y in (-9.5, 9.5)])
        return Thing("plug", (Part(join(shell), body), Part(cable, body), Part(pins, metal)), 60)
    pins = join([capsule((0, y, 18), (0, y, 38), 2.2, 2.2, 14) for y in (-9.5, 9.5)])
    return Thing("plug", (Part(_disc(19, 20, 3), body), Part(cable, body), Part(pins, metal)), 60)


def sockets(rng: Rng) -> Thing:
    """A power strip or an adapter."""
    sheet = oddments.socket(rng, 420)
    long = sheet.wide / sheet.high
    width = rng.uniform(42, 56)
    part = _printed_box(sheet, (width * long, width, rng.uniform(20, 42)), 4, rng)
    return Thing("sockets", (part,), width * long / 2 + 10)


def _lentil(rng: Rng, colour: Rgb) -> list[Part]:
    r = rng.uniform(5.5, 9)
    tall = r * rng.uniform(0.4, 0.7)
    return [Part(ellipsoid((r, r, tall), 28).moved(_FLAT, (0, 0, tall)), _plastic(colour, rng))]


def _ball(rng: Rng, colour: Rgb) -> list[Part]:
    r = rng.uniform(7, 11)
    if rng.uniform() < 0.5:
        return [Part(ellipsoid((r, r, r), 32).moved(_FLAT, (0, 0, r)), Surface("plastic", colour))]
    ball = _seen_from_above(ellipsoid((r, r, r), 32)).moved(_FLAT, (0, 0, r))
    return [Part(ball, Surface("plastic", picture=_print(oddments.marble(rng, 200))))]


def _wrapped(rng: Rng, colour: Rgb) -> list[Part]:
    long, r = rng.uniform(10, 15), rng.uniform(7, 10)
    other = _plastic(_any(rng), rng)
    paper = Surface("satin", colour, rough=0.15)
    parts = [Part(ellipsoid((long, r, r * 0.8), 24).moved(_FLAT, (0, 0, r * 0.8)), paper)]
    for side in (-1, 1):
        fan = []
        for turn in rng.uniform(-0.6, 0.6, 5):
            end = (side * (long + 10) * np.cos(turn), (long + 10) * np.sin(turn), r * rng.uniform(0.3, 1.3))
            fan.append(capsule((side * long * 0.85, 0, r * 0.8), end, 0.8, 2.4, 10))
        parts.append(Part(join(fan), paper))
    if rng.uniform() < 0.5:
        band = ellipsoid((long * 0.3, r * 1.02, r * 0.83), 24).moved(_FLAT, (0, 0, r * 0.8))
        parts.append(Part(band, other))
    return parts


def _wheel(rng: Rng, colour: Rgb) -> list[Part]:
    """A round or square piece with another colour in its middle."""
    r, tall = rng.uniform(8, 11), rng.uniform(6, 12)
    dark = Surface("satin", as_rgb(linear(rng.uniform(12, 40, 3))), rough=0.3)
    if rng.uniform() < 0.5:
        return [Part(_disc(r, tall, 1.5), _plastic(colour, rng)),
                Part(_disc(r * rng.uniform(0.25, 0.45), 0.5).moved(_FLAT, (0, 0, tall - 0.2)), dark)]  # fmt: skip
    layers = []
    for k, share in enumerate((0.3, 0.35, 0.3)):
        layer = rounded_box((2 * r, 2 * r * share, tall), 0.8, 3)
        layers.append(Part(layer.moved(_FLAT, (0, (k - 1) * 0.66 * r, 0)), dark if k == 1 else _plastic(colour, rng)))
    return layers


def _jelly(rng: Rng, colour: Rgb) -> list[Part]:
    edge = rng.uniform(11, 19)
    size = (edge, edge * rng.uniform(0.85, 1.3), edge * rng.uniform(0.5, 0.9))
    return [Part(rounded_box(size, edge * rng.uniform(0.1, 0.3)), _plastic(colour, rng))]


def sweets(rng: Rng) -> Thing:
    """Coated lentils, balls and marbles, wrapped ones, liquorice, jellies."""
    make, pitch = [(_lentil, 16), (_ball, 20), (_wrapped, 40), (_wheel, 23), (_jelly, 24)][int(rng.integers(5))]
    hues = [_any(rng) for _ in range(3)]
    return _cluster([make(rng, hues[int(rng.integers(3))]) for _ in range(_number(rng, 8))], pitch, "sweets", rng)


def buttons(rng: Rng) -> Thing:
    """Buttons with two or four holes."""
    parts = []
    for _ in range(_number(rng)):
        r, tall = rng.uniform(6, 13), rng.uniform(2, 4)
        body = _plastic(_any(rng), rng)
        rim = r * rng.uniform(0.7, 0.85)
        line = [(0.0, 0.0), (r, 0.0), (r, tall), (rim + 0.6, tall), (rim, tall * 0.7), (0.0, tall * 0.7)]
        away = r * rng.uniform(0.2, 0.3)
        spots = [(-1, -1), (1, 1), (-1, 1), (1, -1)][: int(rng.choice([2, 4]))]
        holes = [_disc(r * 0.11, 0.2, steps=16).moved(_FLAT, (u * away, v * away, tall * 0.7)) for u, v in spots]
        parts.append([Part(lathe(line, 44), body), Part(join(holes), Surface("matt", (0.015, 0.015, 0.015)))])
    return _cluster(parts, 26, "buttons", rng)


def bottle_caps(rng: Rng) -> Thing:
    """Crown caps with a print, some upside down; screw caps."""
    parts = []
    for _ in range(_number(rng)):
        r = rng.uniform(13, 16)
        sheet = rounds.cap(rng, 160)
        surface = Surface("satin", picture=_print(sheet), rough=float(rng.uniform(0.08, 0.3)))
        turns = [(r * float(np.cos(t)), r * float(np.sin(t))) for t in np.arange(21) * 2 * np.pi / 21]
        rim = join([capsule((x, y, 1), (x * 0.86, y * 0.86, 5), 1.3, 1.0, 8) for x, y in turns])
        top = Part(_seen_from_above(_disc(r * 0.95, 6, 2)), surface)
        parts.append([top, Part(rim, Surface("satin", surface.colour))])
    return _cluster(parts, 33, "bottle caps", rng)


def bricks(rng: Rng) -> Thing:
    """Toy bricks of one to eight studs."""
    parts = []
    for _ in range(_number(rng)):
        across, down = [(1, 1), (2, 1), (2, 2), (3, 2), (4, 2)][int(rng.integers(5))]
        tall = float(rng.choice([3.2, 9.6]))
        studs = [
            _disc(2.4, 1.8, 0.3, 24).moved(_FLAT, ((i - (across - 1) / 2) * 8, (j - (down - 1) / 2) * 8, tall))
            for i in range(across)
            for j in range(down)
        ]
        surface = Surface("plastic", _any(rng))
        parts.append([Part(rounded_box((across * 8 - 0.2, down * 8 - 0.2, tall), 0.25, 3), surface),
                      Part(join(studs), surface)])  # fmt: skip
    return _cluster(parts, 34, "bricks", rng)


def fasteners(rng: Rng) -> Thing:
    """Nuts, washers and screws."""
    parts = []
    for _ in range(_number(rng, 7)):
        surface = _metal(rng)
        r = rng.uniform(4, 11)
        kind = int(rng.integers(3))
        dark = Surface("matt", (0.02, 0.02, 0.02))
        if kind == 0:
            hexagon = lathe([(0, 0), (r, 0), (r, r * 0.8), (0, r * 0.8)], 6)
            bare = Part(hexagon, surface)
            parts.append([bare, Part(_disc(r * 0.5, 0.2).moved(_FLAT, (0, 0, r * 0.8)), dark)])
        elif kind == 1:
            parts.append([Part(_torus(r * 0.75, r * 0.24), surface)])
        else:
            head = lathe([(0, 0), (r, 0), (r, r * 0.3), (r * 0.75, r * 0.65), (0, r * 0.75)], 36)
            slots = [rounded_box((r * 1.2, r * 0.2, 0.6), 0.1, 3).moved(turn_z(a), (0, 0, r * 0.45))
                     for a in ((0.0, np.pi / 2) if rng.uniform() < 0.6 else (0.0,))]  # fmt: skip
            parts.append([Part(head, surface), Part(join([s.moved(_FLAT, (0, 0, r * 0.28)) for s in slots]), dark)])
    return _cluster(parts, 23, "fasteners", rng)


def coins(rng: Rng) -> Thing:
    parts = []
    for _ in range(_number(rng, 7)):
        surface = Surface("metal", picture=_print(rounds.coin(rng, 140)), rough=float(rng.uniform(0.12, 0.35)))
        parts.append([Part(_seen_from_above(_disc(rng.uniform(8, 14), 2)), surface)])
    return _cluster(parts, 29, "coins", rng)


def chips(rng: Rng) -> Thing:
    parts = [
        [Part(_seen_from_above(_disc(19.5, 3.3)), Surface("satin", picture=_print(rounds.chip(rng, 200)), rough=0.3))]
        for _ in range(_number(rng))
    ]
    return _cluster(parts, 41, "chips", rng)


def dominoes(rng: Rng) -> Thing:
    long = rng.uniform(38, 54)
    parts = [
        [_printed_box(goods.domino(rng, 260), (long / 2, long, long * 0.17), long * 0.03, rng)]
        for _ in range(_number(rng))
    ]
    return _cluster(parts, long * 1.05, "dominoes", rng)


def tiles(rng: Rng) -> Thing:
    """Letter tiles, pieces of a memory game, magnets: thinner than a die."""
    size, thick = rng.uniform(16, 40), rng.uniform(1.5, 5)
    make = icons.icon_tile if rng.uniform() < 0.65 else goods.tile
    parts = [[_printed_box(make(rng, 180), (size, size, thick), thick * 0.3, rng)] for _ in range(_number(rng, 8))]
    return _cluster(parts, size * 1.45, "tiles", rng)


def prints(rng: Rng) -> Thing:
    """A label, a box, a manual or a card with something printed on it."""
    makers: tuple[tuple[Callable[[Rng, float], ThingSheet], float, float], ...] = (
        (icons.icon_print, 40, 150), (icons.icon_print, 40, 150), (papers.card, 88, 89), (papers.card, 60, 64),
        (papers.code, 20, 60), (papers.logo, 20, 80), (papers.puzzle, 80, 150), (papers.loose_dots, 20, 70),
        (rounds.sticker, 20, 50), (papers.note, 70, 150), (goods.blister, 80, 105), (goods.keys_grid, 120, 170),
    )  # fmt: skip
    make, low, high = makers[int(rng.integers(len(makers)))]
    sheet, long = make(rng, 420), rng.uniform(low, high)
    scale = long / max(sheet.wide, sheet.high)
    size = (sheet.wide * scale, sheet.high * scale, float(rng.choice([0.4, 0.4, 0.4, 8.0, 25.0])))
    return Thing("print", (_printed_box(sheet, size, 0.15, rng),), float(np.hypot(*size[:2])) / 2 + 2)


def logo_cup(rng: Rng) -> Thing:
    """A cup mouth down with a mark on its foot, or a jar's lid."""
    r, tall = rng.uniform(24, 40), rng.uniform(12, 95)
    body = _plastic(random_colour(rng), rng)
    foot = r * rng.uniform(0.72, 0.98)
    wall = lathe([(0, 0), (r, 0), (r, 1.5), (foot + 1, tall - 1), (foot, tall), (0, tall)], 56)
    sheet = rounds.cap(rng, 200) if rng.uniform() < 0.4 else rounds.sticker(rng, 200)
    mark = _seen_from_above(_disc(foot * rng.uniform(0.35, 0.95), 0.4)).moved(_FLAT, (0, 0, tall - 0.1))
    return Thing("logo", (Part(wall, body), Part(mark, Surface("satin", picture=_print(sheet), rough=0.3))), r + 3)


def flat_print(rng: Rng) -> Thing:
    """Icons or dots printed on the table itself."""
    sheet = icons.icon_print(rng, 400) if rng.uniform() < 0.7 else papers.board(rng, 400)
    long = rng.uniform(50, 200)
    scale = long / max(sheet.wide, sheet.high)
    mat = ground(sheet.wide * scale, sheet.high * scale, 0.15)
    return Thing("mat", (Part(mat, Surface("matt", picture=_print(sheet))),), long * 0.6)


ODDMENTS: Final[tuple[Callable[[Rng], Thing], ...]] = (
    polyhedra,
    keys,
    plug,
    sockets,
    sweets,
    sweets,
    buttons,
    bottle_caps,
    bricks,
    fasteners,
    coins,
    chips,
    dominoes,
    tiles,
    prints,
    prints,
    logo_cup,
    flat_print,
)
