"""Crowded tables to train on: many dice of many makers, colours and sizes, among other objects.

Rendering is slow, so a picture holds as many dice as fit; `game_table` makes game-like tables, for measuring. The
emblems of `pacos`, biscuits and phone icons are left out here, so that they stay unseen for measuring.
"""

from __future__ import annotations

import colorsys
from dataclasses import replace

import cv2
import numpy as np

from calibration.palette import COLOURS, SRGB
from vision.training.emblems import EMBLEMS, EmblemStyle, emblem_faces
from vision.training.things import lay_things
from vision.training.traced import game_table, layout
from vision.training.traced.camera import View, random_response
from vision.training.traced.objects import clutter
from vision.training.traced.objects.clutter import Part, Rng, Thing
from vision.training.traced.objects.die_mesh import DieBody, atlas, die_mesh, marbling, upright
from vision.training.traced.objects.mesh import Floats, Mesh, ellipsoid, lathe, rounded_box, turn_z
from vision.training.traced.objects.surfaces import TABLE_SURFACES, Rgb, Surface, as_rgb, linear

CROWD_SIZE = (1152, 864)
_MOST = 64
"""The most dice in one picture."""
_STEEPEST = 40.0
"""Steepest view, in degrees off the vertical."""
_BODIES = np.array([0.22 if name == "white" else 0.78 / (len(COLOURS) - 1) for name in COLOURS])
"""Frequency of each colour: most dice in the world are white."""


def _body(name: str, rng: Rng) -> Rgb:
    if name not in ("black", "white"):
        return game_table.random_body_colour(name, rng)
    h, s, v = colorsys.rgb_to_hsv(*(c / 255 for c in SRGB[name]))
    s, v = float(np.clip(s + rng.uniform(0, 0.06), 0, 1)), float(np.clip(v + rng.uniform(-0.06, 0.06), 0.03, 0.97))
    return as_rgb(linear(np.array(colorsys.hsv_to_rgb(rng.uniform() if name == "black" else h, s, v)) * 255))


def _ink(body: Rgb, rng: Rng) -> Floats:
    """Cream or black, sometimes a colour, that is visible on this body."""
    luma = float(np.dot(body, (0.21, 0.72, 0.07)))
    if rng.uniform() < 0.12:
        ink = linear(rng.uniform(0, 255, 3))
        if abs(np.log((float(ink @ (0.21, 0.72, 0.07)) + 0.02) / (luma + 0.02))) > 1.1:
            return ink
    if luma > 0.3 or (luma > 0.12 and rng.uniform() < 0.45):
        return linear(np.full(3, rng.uniform(6, 48)))
    return linear(rng.uniform((218, 208, 172), (255, 250, 240)))


def _style(rng: Rng, cut: float) -> EmblemStyle:
    reach = min(1.0, float(np.sqrt(max(cut**2 - 1, 0.1))) + 0.12)
    draw = rng.uniform()
    emblem = "pip" if draw < 0.3 else "doodle" if draw < 0.68 else "paco" if draw < 0.84 else str(rng.choice(EMBLEMS))
    return EmblemStyle(
        pip_radius=float(rng.uniform(0.12, 0.22)),
        spread=float(rng.uniform(0.4, 0.52)),
        one_scale=float(rng.uniform(0.95, 1.9)),
        emblem=emblem,
        stroke=float(rng.uniform(0.065, 0.13)),
        emblem_scale=float(rng.uniform(0.75, 1.08) * reach),
        flipped=bool(rng.uniform() < 0.5),
        seed=int(rng.integers(2**31)),
    )


def _stuff(colour: str, cover: Floats, rng: Rng) -> tuple[Surface, str]:
    """The surface of a die of this colour, inked where `cover` says, and the name of its make."""
    body = np.array(_body(colour, rng), np.float32)
    ink = _ink(as_rgb(body), rng)
    make = str(rng.choice(["solid", "marbled", "clear"], p=[0.66, 0.18, 0.16]))
    rough = float(rng.uniform(0.05, 0.4))
    if make == "clear" and colour not in ("black", "white"):
        return game_table.clear_surface(body, ink, cover, rough, float(rng.uniform(0.12, 0.6))), make
    solid = np.broadcast_to(body, (*cover.shape, 3))
    if make == "marbled":
        veins = marbling(cover.shape[1] // 3, rng)[..., None]
        draw = rng.uniform()
        if draw < 0.3:  # of two colours, the more frequent one names it
            other = np.array(_body(str(rng.choice(COLOURS)), rng)) * 0.7 + body * 0.3
            veins = veins**2.5
        else:
            other = body * rng.uniform(0.3, 0.8) if draw < 0.65 else body * 0.8 + rng.uniform(0.03, 0.15)
        solid = body * (1 - veins) + other.astype(np.float32) * veins
    picture = np.clip(solid * (1 - cover[..., None]) + ink * cover[..., None], 0.003, 0.93).astype(np.float32)
    return Surface("plastic" if rng.uniform() < 0.5 else "satin", picture=picture, rough=rough), make


def _group(
    number: int, edge: float, table_layout: layout.TableLayout, view: View, rng: Rng
) -> list[game_table.TracedDie]:
    """Dice of one maker and colour that lie together."""
    colour = str(rng.choice(COLOURS, p=_BODIES))
    cut = float(rng.uniform(1.25, 1.42) if rng.uniform() < 0.5 else rng.uniform(1.42, 1.8))
    style = _style(rng, cut)
    faces = emblem_faces(style)
    printed = rng.uniform() < 0.3
    body = DieBody(
        float(rng.uniform(0.08, 0.38)), cut, 0.0 if printed else float(rng.uniform(0.2, 0.8)), style.pip_radius
    )
    surface, make = _stuff(colour, atlas(faces), rng)
    cells = int(np.clip(edge / view.field * view.width * 0.7, 22, 64))
    mesh = die_mesh(body, faces, cells)
    half = np.float32(edge / 2)
    bare = Mesh(mesh.points * half, mesh.normals, mesh.uv, mesh.triangles)
    low, high = table_layout.corners.min(0), table_layout.corners.max(0)
    x, y = (float(v) for v in rng.uniform(low + 0.04 * (high - low), high - 0.04 * (high - low)))
    dice = []
    for spot in layout.throw_dice(int(rng.integers(1, 9)), (x, y), edge, table_layout, rng):
        face = int(rng.integers(1, 7)) if rng.uniform() < 0.85 else 1  # ones have so many designs
        laid = bare.moved(upright(face, spot.yaw), (spot.x, spot.y, float(half)))
        dice.append(game_table.TracedDie(face, colour, number, make, style.emblem, laid, surface))
    return dice


def _print(rng: Rng) -> Floats:
    """A letter, a word, rings or stripes, for the top of a tile, a cap or a block."""
    back, front = (np.array(clutter.random_colour(rng), np.float32) for _ in range(2))
    mask = np.zeros((96, 96), np.uint8)
    kind = int(rng.integers(0, 4))
    if kind == 0:
        text = "".join(rng.choice(list("ABDEFGHKLMNRSTWXZ2457"), int(rng.integers(1, 4))))
        cv2.putText(mask, text, (int(rng.integers(6, 24)), 66), int(rng.integers(0, 5)), rng.uniform(0.9, 1.9), 255,
                    int(rng.integers(2, 7)), cv2.LINE_AA)  # fmt: skip
    elif kind == 1:
        for r in range(int(rng.integers(8, 20)), 60, int(rng.integers(12, 26))):
            cv2.circle(mask, (48, 48), r, 255, int(rng.integers(2, 7)), cv2.LINE_AA)
    elif kind == 2:
        for k in range(0, 96, int(rng.integers(10, 34))):
            cv2.line(mask, (k, 0), (k, 95), 255, int(rng.integers(3, 9)), cv2.LINE_AA)
    share = mask[..., None].astype(np.float32) / 255
    return np.clip(back * (1 - share) + front * share, 0.004, 0.9).astype(np.float32)


def _small(edge: float, rng: Rng) -> Thing:
    """Several small objects the size of a die: blocks, tiles, caps, sweets, nuts, none with pips."""
    kind = int(rng.integers(0, 5))
    parts: list[Part] = []
    colour = _body(str(rng.choice(COLOURS)), rng) if rng.uniform() < 0.5 else clutter.random_colour(rng)
    picture = _print(rng) if rng.uniform() < 0.6 else None
    rough = float(rng.uniform(0.08, 0.5))
    surface = Surface(str(rng.choice(["matt", "satin", "plastic"])), colour, picture, rough)  # type: ignore[arg-type]
    size = edge * rng.uniform(0.6, 1.5)
    flat = rng.uniform(0.12, 1.0)
    for k in range(int(rng.integers(1, 7))):
        if kind in (0, 1):
            mesh = rounded_box((size, size * (1.0 if kind else rng.uniform(0.6, 2)), size * flat), size * flat * 0.2)
        elif kind == 2:
            r, tall = size / 2, size * flat * 0.6
            mesh = lathe([(0, 0), (r * 0.98, 0), (r, tall * 0.1), (r, tall * 0.9), (r * 0.94, tall), (0, tall)], 40)
            mesh = Mesh(mesh.points, mesh.normals, mesh.points[:, :2] / (2 * r) + 0.5, mesh.triangles)
        else:
            radii = (size / 2, size / 2 * rng.uniform(0.6, 1), size / 2 * rng.uniform(0.4, 1))
            mesh = ellipsoid(radii, 16).moved(np.eye(3), (0, 0, radii[2]))
        at = (float(k % 3) * size * rng.uniform(1.05, 1.5), float(k // 3) * size * rng.uniform(1.05, 1.5), 0.0)
        parts.append(Part(mesh.moved(turn_z(rng.uniform(0, 6.3)), at), surface))
    return Thing("small things", tuple(parts), size * 2.2)


def _printed(edge: float, rng: Rng) -> Thing:
    """A magazine, a box or a tablet with prints that are not dice."""
    side = 320
    canvas = np.broadcast_to(np.array(clutter.random_colour(rng), np.float32), (side, side, 3)).copy()
    size = edge * rng.uniform(3, 9)
    for _ in range(int(rng.integers(2, 9))):
        lay_things(canvas, rng, side * edge / size * rng.uniform(0.6, 1.2), (0.0, 0.0))
    kind = "plastic" if rng.uniform() < 0.3 else "satin"
    surface = Surface(kind, picture=np.clip(canvas, 0.003, 0.93).astype(np.float32), rough=float(rng.uniform(0.1, 0.5)))
    thick = float(rng.choice([0.8, 8.0, 30.0]))
    return Thing("print", (Part(rounded_box((size, size * rng.uniform(0.5, 1), thick), 0.3, 3), surface),), size * 0.6)


def _hand(at: Floats, rng: Rng) -> Thing:
    """A hand reaching in to `at`, sometimes with painted nails."""
    hand = clutter.hand(rng)
    if rng.uniform() < 0.4:
        skin, nails, cuff = hand.parts
        paint = Surface("plastic", _body(str(rng.choice(COLOURS)), rng))
        hand = replace(hand, parts=(skin, Part(nails.mesh, paint), cuff))
    return hand.moved(rng.uniform(0, 2 * np.pi), float(at[0]), float(at[1]), rng.uniform(6, 42))


def _things(table_layout: layout.TableLayout, edge: float, rng: Rng, more: int) -> list[Thing]:
    things = []
    size = float(np.min(np.ptp(table_layout.corners, axis=0)))

    def snack() -> Thing:
        while (thing := clutter.snack(rng)).name == "biscuit":
            pass
        return thing

    makers = (
        lambda: clutter.cup(_body(str(rng.choice(COLOURS)), rng), rng, lying=bool(rng.uniform() < 0.4)),
        lambda: clutter.cup(clutter.random_colour(rng), rng, lying=bool(rng.uniform() < 0.4)),
        lambda: clutter.cards(rng),
        lambda: clutter.glass(rng),
        snack,
        lambda: _small(edge, rng),
        lambda: _small(edge, rng),
        lambda: _small(edge, rng),
        lambda: _printed(edge, rng),
        lambda: _printed(edge, rng),
    )
    for _ in range(int(rng.integers(1, 3 + min(6.0, size / 90))) + more):
        things += game_table.stood(makers[int(rng.integers(len(makers)))](), table_layout, rng)
    return things


def _hands(table_layout: layout.TableLayout, edge: float, rng: Rng) -> list[Thing]:
    """Up to three hands, half of them partly over dice."""
    low, high = table_layout.corners.min(0), table_layout.corners.max(0)
    hands = []
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.45, 0.25, 0.2, 0.1]))):
        at = rng.uniform(low, high)
        if table_layout.dice and rng.uniform() < 0.6:
            die = table_layout.dice[int(rng.integers(len(table_layout.dice)))]
            at = np.array([die.x, die.y]) + rng.normal(0, edge, 2)
        hands.append(_hand(at, rng))
    return hands


def _top(view: View, rng: Rng) -> tuple[Part, str]:
    if rng.uniform() < 0.4:
        return game_table.printed_top(view, rng, sharp=True), "printed"
    kind = str(rng.choice([k for k in TABLE_SURFACES if k != "patterned"]))
    base = _body(str(rng.choice(COLOURS)), rng) if rng.uniform() < 0.35 else clutter.random_colour(rng)
    return game_table.made_top(view, kind, as_rgb(np.array(base) * rng.uniform(0.5, 1.1)), rng), kind


def make_crowd(seed: int, index: int) -> game_table.TracedScene:
    """Crowded table number `index` of this seed."""
    rng = np.random.default_rng([seed, index, 0xC20D])
    edge = 16.0
    tilt = float(np.deg2rad(rng.uniform(0, 8) if rng.uniform() < 0.4 else rng.uniform(0, _STEEPEST)))
    pixels = float(np.exp(rng.uniform(np.log(19), np.log(66))))
    width, height = CROWD_SIZE
    field = edge * width / pixels
    above = max(float(rng.uniform(500, 1100)), 0.7 * field)
    view = View(width, height, above, tilt, float(rng.uniform(-np.pi, np.pi)), field)
    table_layout = layout.TableLayout(view.corners().astype(np.float64))
    most = min(_MOST, int(0.3 * width * height / pixels**2))
    sparse = rng.uniform() < 0.35
    if sparse:  # a game-like table, with more objects that are not dice
        most = int(rng.integers(2, 24))
    things = _things(table_layout, edge, rng, int(rng.integers(3, 8)) if sparse else 0)
    dice: list[game_table.TracedDie] = []
    for number in range(40):
        dice += _group(number, edge, table_layout, view, rng)
        if len(dice) >= most:
            break
    things += _hands(table_layout, edge, rng)
    top, kind = _top(view, rng)
    light, lamps, sky = game_table.random_light(view, rng)
    response = random_response(bool(rng.uniform() < 0.25), rng)
    parts = (top, *game_table.parts_of(things))
    conditions = {"light": light, "table": kind, "tilt": round(float(np.rad2deg(tilt)), 1)}
    return game_table.TracedScene(
        view, tuple(dice), parts, tuple(lamps), sky, replace(response, quality=95), conditions
    )
