"""A random Perudo table: players, dice, objects, light and camera; deterministic for a seed."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.palette import SEAT_COLOURS, SRGB
from vision.training.cloths import patterned_cloth
from vision.training.emblems import PACOS, EmblemStyle, emblem_faces
from vision.training.traced import layout
from vision.training.traced.camera import CameraResponse, View, random_response
from vision.training.traced.objects import clutter, surfaces
from vision.training.traced.objects.clutter import Part, Rng, Thing
from vision.training.traced.objects.die_mesh import DieBody, atlas, die_mesh, marbling, upright
from vision.training.traced.objects.mesh import Floats, Mesh, ground
from vision.training.traced.objects.surfaces import Rgb, Surface, as_rgb, linear

PICTURE_SIZES = ((1280, 960), (1536, 1152), (1640, 1232), (1920, 1080), (2304, 1296))
_OFTEN = (0.38, 0.17, 0.15, 0.18, 0.12)


@dataclass(frozen=True, slots=True)
class TracedDie:
    face: int
    colour: str
    player: int
    make: str
    """`solid`, `marbled` or `clear`."""
    emblem: str
    mesh: Mesh
    surface: Surface
    lost: bool = False
    """It is out of play, in the middle."""


@dataclass(frozen=True, slots=True)
class RoundLamp:
    place: tuple[float, float, float]
    target: tuple[float, float, float]
    radius: float
    radiance: Rgb


@dataclass(frozen=True, slots=True)
class TracedScene:
    """Everything that a renderer needs."""

    view: View
    dice: tuple[TracedDie, ...]
    parts: tuple[Part, ...]
    """Everything except the dice, including the table."""
    lamps: tuple[RoundLamp, ...]
    sky: Floats
    """The room as an environment map of radiance: rows from straight up to straight down, columns round it."""
    response: CameraResponse
    conditions: Mapping[str, str | float]


@dataclass(frozen=True, slots=True)
class _Set:
    """Dice of one maker."""

    body: DieBody
    style: EmblemStyle
    make: str
    kind: str
    rough: float
    cloudy: float


def random_body_colour(name: str, rng: Rng) -> Rgb:
    """A colour that people call by this name."""
    h, s, v = colorsys.rgb_to_hsv(*(c / 255 for c in SRGB[name]))
    spread = {"red": 0.012, "orange": 0.014, "yellow": 0.02, "green": 0.06, "blue": 0.035, "purple": 0.035}[name]
    h = (h + rng.uniform(-spread, spread)) % 1
    s = float(np.clip(s * rng.uniform(0.75, 1.05), 0, 1))
    v = float(np.clip(v * rng.uniform(0.7, 1.25), 0.1, 0.97))
    return as_rgb(linear(np.array(colorsys.hsv_to_rgb(h, s, v)) * 255))


def _maker(rng: Rng) -> _Set:
    printed = rng.uniform() < 0.25
    pip = float(rng.uniform(0.14, 0.21))
    round_face = rng.uniform() < 0.6
    cut = float(rng.uniform(1.28, 1.42) if round_face else rng.uniform(1.42, 1.75))
    draw = rng.uniform()
    if draw < 0.7:
        emblem = str(rng.choice(PACOS))
    else:
        emblem = "paco" if draw < 0.82 else str(rng.choice(["pip", "bird", "skull", "sun"]))
    reach = min(1.0, float(np.sqrt(cut**2 - 1)) + 0.12)
    make = str(rng.choice(["solid", "marbled", "clear"], p=[0.72, 0.14, 0.14]))
    return _Set(
        DieBody(float(rng.uniform(0.14, 0.36)), cut, 0.0 if printed else float(rng.uniform(0.25, 0.7)), pip),
        EmblemStyle(
            pip_radius=pip,
            spread=float(rng.uniform(0.42, 0.5)),
            one_scale=float(rng.uniform(1, 1.7)),
            emblem=emblem,
            stroke=float(rng.uniform(0.075, 0.12)),
            emblem_scale=float(rng.uniform(0.8, 1.05) * reach),
            flipped=bool(rng.uniform() < 0.5),
        ),
        make,
        "plastic" if rng.uniform() < 0.45 else "satin",
        float(rng.uniform(0.06, 0.35)),
        float(rng.uniform(0.15, 0.55)),
    )


def random_view(rng: Rng, edge: float) -> View:
    width, height = PICTURE_SIZES[int(rng.choice(len(PICTURE_SIZES), p=_OFTEN))]
    straight = rng.uniform() < 0.45
    tilt = float(np.deg2rad(rng.uniform(0, 5) if straight else rng.uniform(5, 25)))
    while True:
        pixels = float(np.exp(rng.uniform(np.log(20), np.log(120))))
        view = View(width, height, float(rng.uniform(500, 1100)), tilt, float(rng.uniform(-np.pi, np.pi)),
                    edge * width / pixels)  # fmt: skip
        room = view.field**2 * height / width / edge**2
        if view.fov < 74 and room > 75:
            return view


def clear_surface(body: Floats, ink: Floats, cover: Floats, rough: float, cloudy: float) -> Surface:
    """Tinted transparent plastic with ink where `cover` says."""
    tint = as_rgb(np.clip(body * 1.2 + 0.015, 0, 0.95))
    picture = np.broadcast_to(ink, (*cover.shape, 3)).astype(np.float32)
    return Surface("clear", tint, picture, rough, cover, cloudy)


def _surface(maker: _Set, colour: str, faces: tuple[Floats, ...], rng: Rng) -> Surface:
    body = np.array(random_body_colour(colour, rng), np.float32)
    dark = colour in {"orange", "yellow"}
    ink = linear(np.full(3, rng.uniform(8, 40)) if dark else rng.uniform((232, 222, 190), (255, 250, 235)))
    cover = atlas(faces)
    if maker.make == "clear":
        return clear_surface(body, ink, cover, maker.rough, maker.cloudy)
    solid = np.broadcast_to(body, (*cover.shape, 3))
    if maker.make == "marbled":
        veins = marbling(cover.shape[1] // 3, rng)[..., None]
        # Veins are darker or a little paler, so that the colour stays recognisable.
        pale = body * rng.uniform(0.4, 0.8) if rng.uniform() < 0.5 else body * 0.85 + rng.uniform(0.03, 0.1)
        solid = body * (1 - veins) + pale.astype(np.float32) * veins
    picture = solid * (1 - cover[..., None]) + ink * cover[..., None]
    return Surface(maker.kind, picture=np.clip(picture, 0.003, 0.93).astype(np.float32), rough=maker.rough)


def throw_all(
    view: View, edge: float, table_layout: layout.TableLayout, rng: Rng, lost: int = 0
) -> tuple[list[TracedDie], list[layout.Point], list[str]]:
    """The dice, the players' places and their colours. Up to `lost` missing dice lie in the middle."""
    room = int(view.field**2 * view.height / view.width / edge**2 / 8)
    players = int(rng.integers(2, 7))
    counts = rng.integers(1, 6, players)
    while counts.sum() > room and counts.max() > 1:
        counts[int(rng.choice(np.flatnonzero(counts == counts.max())))] -= 1
    counts[0] += max(0, 4 - int(counts.sum()))
    colours = [str(c) for c in rng.permutation(SEAT_COLOURS)[:players]]
    one_box = rng.uniform() < 0.75
    maker = _maker(rng)
    places = layout.seat_places(players, table_layout, rng)
    cells = int(np.clip(edge / view.field * view.width * 0.7, 22, 64))
    dice = []
    out = rng.permutation(np.repeat(np.arange(players), 5 - counts))[:lost] if lost else np.zeros(0, int)
    for player, (count, colour, seat) in enumerate(zip(counts, colours, places, strict=True)):
        own = maker if one_box else _maker(rng)
        faces = emblem_faces(own.style)
        surface = _surface(own, colour, faces, rng)
        mesh = die_mesh(own.body, faces, cells)
        half = edge / 2
        bare = Mesh(mesh.points * np.float32(half), mesh.normals, mesh.uv, mesh.triangles)
        for spot in layout.throw_dice(int(count), seat, edge, table_layout, rng):
            face = int(rng.integers(1, 7))
            if rng.uniform() < 0.08:
                face = 1  # the one, with its many designs, is the hardest face
            laid = bare.moved(upright(face, spot.yaw), (spot.x, spot.y, half))
            dice.append(TracedDie(face, colour, player, own.make, own.style.emblem, laid, surface))
        middle = table_layout.corners.mean(0)
        for spot in layout.throw_dice(int((out == player).sum()), (middle[0], middle[1]), edge, table_layout, rng):
            face = int(rng.integers(1, 7))
            laid = bare.moved(upright(face, spot.yaw), (spot.x, spot.y, half))
            dice.append(TracedDie(face, colour, player, own.make, own.style.emblem, laid, surface, lost=True))
    return dice, places, colours


def _things(table_layout: layout.TableLayout, places: list[layout.Point], colours: list[str], rng: Rng) -> list[Thing]:
    things = []
    with_cups = rng.uniform() < 0.85
    plain_cups = clutter.random_colour(rng)
    own_colour = rng.uniform() < 0.4
    for seat, colour in zip(places, colours, strict=True):
        if with_cups and rng.uniform() < 0.85:
            shade = random_body_colour(colour, rng) if own_colour else plain_cups
            cup = clutter.cup(shade, rng, lying=bool(rng.uniform() < 0.35))
            things += stood(cup, table_layout, rng, seat, 75)
    makers = (clutter.phone, clutter.cards, clutter.glass, clutter.snack, clutter.snack)
    for _ in range(int(rng.integers(0, 6))):
        things += stood(makers[int(rng.integers(len(makers)))](rng), table_layout, rng)
    if rng.uniform() < 0.3:
        for k in rng.permutation(len(places))[: int(rng.integers(1, 3))]:
            seat = np.array(places[k])
            out = seat / max(float(np.linalg.norm(seat)), 1.0)
            angle = float(np.arctan2(-out[1], -out[0]) + rng.normal(0, 0.3))
            tip = seat + out * rng.uniform(-10, 110) + rng.normal(0, 15, 2)
            things.append(clutter.hand(rng).moved(angle, float(tip[0]), float(tip[1]), rng.uniform(4, 45)))
    return things


def table_top(view: View, kind: str, dice_colours: list[str], rng: Rng) -> tuple[Part, bool]:
    """The table's top, and whether it has the colour of a die."""
    same = rng.uniform() < 0.3
    if same:
        base = np.array(random_body_colour(str(rng.choice(dice_colours)), rng)) * rng.uniform(0.5, 1.1)
    elif kind == "wood":
        base = linear(np.array([[196, 150, 100], [130, 84, 50], [78, 48, 32], [214, 188, 150]][rng.integers(4)]))
        base = base * rng.uniform(0.7, 1.2)
    else:
        base = np.array(clutter.random_colour(rng))
    colour = as_rgb(np.clip(base, 0.006, 0.85))
    return made_top(view, kind, colour, rng), same


def bare_top(view: View) -> tuple[Mesh, Floats]:
    """The part of the table that the picture shows as a rectangle, and its width and height."""
    corners = view.corners()
    low, high = corners.min(0), corners.max(0)
    size, middle = (high - low) * 1.04, (high + low) / 2
    return ground(float(size[0]), float(size[1])).moved(np.eye(3), (*middle, 0)), size


def made_top(view: View, kind: str, colour: Rgb, rng: Rng) -> Part:
    """A table's top; `kind` is one of `TABLE_SURFACES`."""
    flat, size = bare_top(view)
    scale = float(max(size.max() / 2048, view.field / view.width * 0.8))
    shape = (int(np.ceil(size[1] / scale)), int(np.ceil(size[0] / scale)))
    return Part(flat, surfaces.table(kind, colour, shape, scale, rng))


def printed_top(view: View, rng: Rng, *, sharp: bool) -> Part:
    """A table's top of printed or woven cloth: flowers, leaves, spots, checks."""
    flat, size = bare_top(view)
    side = int(min(1400, size.max() / (view.field / view.width)))
    tall, wide = (int(np.ceil(side * float(s) / float(size.max()))) for s in (size[1], size[0]))
    cloth = patterned_cloth(side, rng)[:tall, :wide]
    cloth = np.clip(cloth, 0.003, 0.92) if sharp else cloth
    cloth = cloth * np.exp(0.05 * surfaces.fractal((tall, wide), 200, rng))[..., None]
    cloth = cloth if sharp else cv2.GaussianBlur(cloth, (0, 0), 0.6)
    return Part(flat, Surface("matt", picture=np.clip(cloth, 0.003, 0.92).astype(np.float32)))


def _sky(share: float, warm: Rgb, rng: Rng) -> Floats:
    """A room: ceiling, walls, a window or two. `share`: of the light on the table that it casts."""
    rows, columns = 32, 64
    up = np.cos((np.arange(rows) + 0.5) / rows * np.pi)
    sky = np.full((rows, columns, 3), 0.35, np.float32)
    sky[up > 0.7] = 1.0
    walls = sky[(up <= 0.7) & (up > 0)]
    sky[(up <= 0.7) & (up > 0)] = walls * np.asarray(0.4 + 0.6 * linear(rng.uniform(80, 255, 3)), np.float32)
    sky = sky * np.exp(0.2 * surfaces.fractal((rows, columns), 16, rng))[..., None]
    for _ in range(int(rng.integers(0, 3))):
        row, column = int(rng.integers(6, 13)), int(rng.integers(0, columns))
        wide, tall = int(rng.integers(3, 9)), int(rng.integers(2, 5))
        cold = np.array([0.85, 1.0, 1.2], np.float32)
        for c in range(column, column + wide):
            sky[row - tall // 2 : row + tall, c % columns] = rng.uniform(4, 18) * cold
    sky = cv2.GaussianBlur(sky, (0, 0), 0.8) * np.array(warm, np.float32)
    ring = np.sqrt(1 - up**2) * np.maximum(up, 0) * (np.pi / rows) * (2 * np.pi / columns)
    laid = float((sky.mean(2) * ring[:, None]).sum())
    return np.asarray(sky * (share / max(laid, 1e-6)), np.float32)


def _tint(rng: Rng) -> Rgb:
    """A lamp's colour, from a candle to an overcast sky."""
    warm = float(np.clip(rng.normal(0.08, 0.22), -0.3, 0.55))
    return (1 + warm, 1.0, max(0.25, 1 - 1.15 * warm))


def random_light(view: View, rng: Rng) -> tuple[str, list[RoundLamp], Floats]:
    kind = str(rng.choice(["overhead", "slanting", "low side", "window", "several"], p=[0.28, 0.27, 0.2, 0.1, 0.15]))
    tint = _tint(rng)
    if kind == "window":
        return kind, [], _sky(1.0, tint, rng)
    ambient = float(rng.uniform(0.08, 0.5))
    corners = view.corners()
    wide = float(np.abs(corners).max())
    lamps = []
    number = int(rng.integers(2, 4)) if kind == "several" else 1
    for _ in range(number):
        height = {
            "overhead": rng.uniform(1200, 2000),
            "slanting": rng.uniform(700, 1500),
            "low side": rng.uniform(180, 420),
        }.get(kind, rng.uniform(450, 1600))
        lean = {"overhead": rng.uniform(0, 0.35), "slanting": rng.uniform(0.5, 1.1)}.get(kind, rng.uniform(0.4, 1.5))
        away = height * np.tan(min(lean, 1.2)) if kind != "low side" else rng.uniform(1.4, 2.2) * wide
        if height < view.above * 1.1:
            away = max(away, 1.4 * wide + 250)
        around = rng.uniform(0, 2 * np.pi)
        place = np.array([away * np.cos(around), away * np.sin(around), height])
        radius = float(np.exp(rng.uniform(np.log(25), np.log(260))))
        radius = min(radius, 0.5 * height)
        distance = float(np.linalg.norm(place))
        slant = max(0.2, height / distance)
        power = (1 - ambient) / number * distance**2 / (np.pi * radius**2) / slant
        own = tint if rng.uniform() < 0.6 else _tint(rng)
        radiance = (float(power * own[0]), float(power * own[1]), float(power * own[2]))
        lamps.append(RoundLamp(tuple(place.tolist()), (0.0, 0.0, 0.0), radius, radiance))
    return kind, lamps, _sky(ambient, _tint(rng), rng)


def stood(
    thing: Thing, table_layout: layout.TableLayout, rng: Rng, near: layout.Point | None = None, spread: float = 0
) -> list[Thing]:
    """The object, rotated and set down where there is room, near a point or anywhere; empty if there is none."""
    at = layout.standing_place(thing.reach, near, spread, table_layout, rng)
    return [thing.moved(rng.uniform(0, 2 * np.pi), *at)] if at else []


def parts_of(*groups: Iterable[Thing]) -> tuple[Part, ...]:
    """All the parts of these objects."""
    return tuple(part for things in groups for thing in things for part in thing.parts)


def lit_scene(
    view: View, edge: float, dice: list[TracedDie], parts: tuple[Part, ...], kind: str, rng: Rng, *,
    players: int, same: bool, more: dict[str, str | float] | None = None,
) -> TracedScene:  # fmt: skip
    """A table in random light.

    kind: of its top; same: the top has the colour of a die; more: conditions besides those that every table has.
    """
    light, lamps, sky = random_light(view, rng)
    dim = bool(rng.uniform() < 0.2)
    conditions: dict[str, str | float] = {
        "players": players,
        "light": light,
        "room": "dim" if dim else "bright",
        "table": kind,
        "table of a die's colour": "yes" if same else "no",
        "tilt": round(float(np.rad2deg(view.tilt)), 1),
        "die's edge in pixels": round(edge / view.field * view.width, 1),
    }
    response = random_response(dim, rng)
    return TracedScene(view, tuple(dice), parts, tuple(lamps), sky, response, conditions | (more or {}))


def make_table(seed: int, index: int) -> TracedScene:
    """Scene number `index` of this seed."""
    rng = np.random.default_rng([seed, index, 0x7AB1E])
    edge = float(rng.uniform(14, 17))
    view = random_view(rng, edge)
    table_layout = layout.TableLayout(view.corners().astype(np.float64))
    dice, places, colours = throw_all(view, edge, table_layout, rng)
    things = _things(table_layout, places, colours, rng)
    kind = str(rng.choice(list(surfaces.TABLE_SURFACES), p=np.array([s for _, s in surfaces.TABLE_SURFACES.values()])))
    top, same = table_top(view, kind, colours, rng)
    more: dict[str, str | float] = {
        "hands": sum(thing.name == "hand" for thing in things),
        "cups": sum("cup" in thing.name for thing in things),
    }
    parts = (top, *parts_of(things))
    return lit_scene(view, edge, dice, parts, kind, rng, players=len(places), same=same, more=more)
