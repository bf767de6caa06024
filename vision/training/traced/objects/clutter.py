"""Other objects on a table: cups, phones, cards, glasses, snacks, hands. Each stands on z = 0 about the origin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.training.traced.objects.mesh import Mesh, capsule, ellipsoid, join, lathe, rounded_box, turn_x, turn_z
from vision.training.traced.objects.surfaces import (
    Rgb,
    Surface,
    as_rgb,
    card,
    fractal,
    leather,
    linear,
    muted,
    screen,
    sheet,
)

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Part:
    """A mesh of one material."""

    mesh: Mesh
    surface: Surface


@dataclass(frozen=True, slots=True)
class Thing:
    name: str
    parts: tuple[Part, ...]
    reach: float
    """Radius in millimetres of the room it takes."""

    def moved(self, angle: float, x: float, y: float, z: float = 0.0) -> Thing:
        """Rotated about z by `angle` radians, then shifted."""
        turn = turn_z(angle)
        parts = tuple(Part(p.mesh.moved(turn, (x, y, z)), p.surface) for p in self.parts)
        return Thing(self.name, parts, self.reach)


def random_colour(rng: Rng) -> Rgb:
    if rng.uniform() < 0.45:
        return as_rgb(linear(np.full(3, rng.uniform(15, 245)) + rng.normal(0, 8, 3)))
    return as_rgb(linear(muted(rng)))


def _shiny(colour: Rgb, rng: Rng) -> Surface:
    if rng.uniform() < 0.4:
        return Surface("plastic", colour)
    return Surface("satin", colour, rough=float(rng.uniform(0.1, 0.5)))


def _soft(corners: list[tuple[float, float]], r: float) -> list[tuple[float, float]]:
    """The profile with its corners cut off at `r`, so that normals are not averaged across them."""
    line = [corners[0]]
    for a, b, c in zip(corners[:-2], corners[1:-1], corners[2:], strict=True):
        for other in (a, c):
            d = np.subtract(other, b)
            step = d / np.linalg.norm(d) * min(r, 0.45 * float(np.linalg.norm(d)))
            for share in (1.3, 1.0) if other is a else (1.0, 1.3):
                line.append((float(b[0] + step[0] * share), float(b[1] + step[1] * share)))
    return [*line, corners[-1]]


def cup(colour: Rgb, rng: Rng, *, lying: bool) -> Thing:
    """A dice cup, mouth down or on its side."""
    mouth, end, tall = rng.uniform(36, 46), rng.uniform(29, 37), rng.uniform(68, 100)
    wall = rng.uniform(1.8, 4)
    outside = [(mouth + 1.5, 0.0), (mouth, 4.0), (end, tall), (0.0, tall)]
    inside = [(0.0, tall - wall), (end - wall, tall - wall), (mouth - wall, 0.0)]
    mesh = lathe(_soft([*inside, *outside], 1.6), 72)
    if rng.uniform() < 0.5:
        surface = Surface("satin", picture=leather(colour, rng), rough=float(rng.uniform(0.2, 0.5)))
    else:
        surface = _shiny(colour, rng)
    if not lying:
        return Thing("cup", (Part(mesh, surface),), mouth + 3)
    slope = float(np.arctan2(mouth - end, tall))
    down = mesh.moved(turn_x(np.pi / 2 - slope), (0, tall / 2, 0))
    lifted = down.moved(np.eye(3), (0, 0, -float(down.points[:, 2].min())))
    return Thing("lying cup", (Part(lifted, surface),), max(tall / 2, mouth) + 12)


def phone(rng: Rng) -> Thing:
    """A telephone, its screen up."""
    w, h = rng.uniform(66, 80), rng.uniform(138, 165)
    picture = screen(bool(rng.uniform() < 0.45), rng)
    body = rounded_box((w, h, 8.5), 4.2)
    if rng.uniform() < 0.5:
        return Thing("phone", (Part(body, Surface("plastic", picture=picture)),), h / 2 * 1.1)
    lid = rounded_box((w - 5, h - 5, 1.0), 0.4).moved(np.eye(3), (0, 0, 8.1))
    case = Part(body, Surface("satin", random_colour(rng), rough=0.3))
    return Thing("phone", (case, Part(lid, Surface("plastic", picture=picture))), h / 2 * 1.1)


def cards(rng: Rng) -> Thing:
    """A few cards, or a deck."""
    parts = []
    for k in range(int(rng.integers(1, 5))):
        thick = 0.4 if k or rng.uniform() < 0.7 else 16.0
        one = rounded_box((63, 88, thick), 0.15, 3)
        one = one.moved(turn_z(rng.normal(0, 0.5)), (rng.normal(0, 22), rng.normal(0, 14), k * 0.5))
        parts.append(Part(one, Surface("satin", picture=card(rng), rough=0.25)))
        if thick > 1:
            break
    return Thing("cards", tuple(parts), 75)


def glass(rng: Rng) -> Thing:
    """A tumbler with something in it."""
    r, tall = rng.uniform(28, 40), rng.uniform(70, 130)
    shell = lathe(_soft([(0, 0.5), (r * 0.85, 0.5), (r, tall), (r - 2, tall), (r * 0.85 - 2, 6), (0, 6)], 1.5), 56)
    full = tall * rng.uniform(0.25, 0.8)
    wide = r * (0.85 + 0.15 * full / tall) - 3
    drink = lathe(_soft([(0, 6.5), (r * 0.85 - 3, 6.5), (wide, full), (0, full)], 1.0), 48)
    colour = as_rgb(linear(np.array([[120, 60, 10], [200, 150, 40], [90, 10, 25], [235, 225, 215]][rng.integers(4)])))
    parts = (Part(shell, Surface("shell")), Part(drink, Surface("plastic", colour)))
    return Thing("glass", parts, r + 3)


def _bowl(rng: Rng) -> Thing:
    r = rng.uniform(45, 75)
    bowl = lathe(_soft([(0, 3), (r * 0.5, 4), (r - 4, 38), (r, 38), (r * 0.55, 0), (0.0, 0)][::-1], 1.5), 64)
    nut = as_rgb(linear(rng.uniform((120, 70, 20), (230, 180, 110))))
    nuts = []
    for _ in range(60):
        a, d = rng.uniform(0, 6.3), r * 0.72 * np.sqrt(rng.uniform())
        nuts.append(
            ellipsoid((9, 6, 6), 12).moved(turn_z(rng.uniform(0, 6)), (d * np.cos(a), d * np.sin(a), 14 + d * 0.3))
        )
    parts = (Part(bowl, _shiny(random_colour(rng), rng)), Part(join(nuts), Surface("satin", nut, rough=0.4)))
    return Thing("bowl", parts, r + 2)


def _biscuit(rng: Rng) -> Thing:
    r = rng.uniform(20, 32)
    dough = lathe(_soft([(0, 0), (r, 0), (r, 7), (0, 8)], 3), 40)
    chips = [
        ellipsoid((3, 3, 2), 10).moved(np.eye(3), (d * np.cos(a), d * np.sin(a), 7.6))
        for a, d in zip(rng.uniform(0, 6.3, 8), r * 0.8 * np.sqrt(rng.uniform(0, 1, 8)), strict=True)
    ]
    parts = (
        Part(dough, Surface("matt", as_rgb(linear(rng.uniform((150, 95, 40), (225, 180, 120)))))),
        Part(join(chips), Surface("satin", as_rgb(linear((45, 22, 12))), rough=0.3)),
    )
    return Thing("biscuit", parts, r + 2)


def _coins(rng: Rng) -> Thing:
    parts = []
    for _ in range(int(rng.integers(1, 6))):
        r = rng.uniform(8, 13)
        coin = lathe(_soft([(0, 0), (r, 0), (r, 2), (0.0, 2)], 0.4), 36)
        coin = coin.moved(np.eye(3), (*rng.normal(0, 22, 2), 0))
        tone = ((0.9, 0.75, 0.35), (0.8, 0.8, 0.78), (0.75, 0.42, 0.25))[rng.integers(3)]
        parts.append(Part(coin, Surface("metal", tone, rough=0.25)))
    return Thing("coins", tuple(parts), 50)


def _cubes(rng: Rng, *, sugar: bool) -> Thing:
    edge = rng.uniform(12, 19)
    parts = []
    colour = as_rgb(linear((240, 236, 226))) if sugar else random_colour(rng)
    for k in range(int(rng.integers(1, 4))):
        cube = rounded_box((edge, edge * rng.uniform(0.8, 1.5), edge * rng.uniform(0.5, 0.9)), edge * 0.16)
        cube = cube.moved(turn_z(rng.uniform(0, 6.3)), (k * edge * 2.0, rng.normal(0, 6), 0))
        parts.append(Part(cube, Surface("matt", colour) if sugar else _shiny(colour, rng)))
    return Thing("sweets", tuple(parts), 60)


def _pen(rng: Rng) -> Thing:
    pen = capsule((-68, 0, 4.5), (68, 0, 4.5), 4.4, 3.2)
    cap = capsule((20, 0, 4.8), (64, 0, 4.8), 4.8, 4.8)
    return Thing("pen", (Part(pen, _shiny(random_colour(rng), rng)), Part(cap, _shiny(random_colour(rng), rng))), 74)


def _paper(rng: Rng) -> Thing:
    size = (rng.uniform(70, 150), rng.uniform(90, 210), float(rng.choice([0.6, 6.0, 35.0])))
    pad = rounded_box(size, min(2.0, size[2] / 3), 3)
    return Thing("paper", (Part(pad, Surface("matt", picture=sheet(rng))),), float(np.hypot(*size[:2]) / 2))


def _mug(rng: Rng) -> Thing:
    r = rng.uniform(36, 44)
    line = [(0, 0), (r, 0), (r, 90), (r - 4, 90), (r - 4, 8), (0, 8)]
    mug = lathe(_soft(line, 1.5), 64)
    coffee = lathe(_soft([(0, 60), (r - 4.2, 60), (r - 4.2, 72), (0, 72)], 0.3), 48)
    handle = [capsule((r, 0, 20), (r + 22, 0, 34), 5, 5), capsule((r + 22, 0, 34), (r + 22, 0, 58), 5, 5)]
    handle.append(capsule((r + 22, 0, 58), (r, 0, 72), 5, 5))
    surface = _shiny(random_colour(rng), rng)
    brew = Part(coffee, Surface("plastic", as_rgb(linear((50, 28, 14)))))
    return Thing("mug", (Part(join([mug, *handle]), surface), brew), r + 24)


def snack(rng: Rng) -> Thing:
    """Nuts in a bowl, biscuits with dark spots, coins, sweets, sugar cubes, a pen, a pad, a mug."""
    kind = int(rng.integers(0, 8))
    if kind in (3, 4):
        return _cubes(rng, sugar=kind == 4)
    return {0: _bowl, 1: _biscuit, 2: _coins, 5: _pen, 6: _paper, 7: _mug}[kind](rng)


def hand(rng: Rng) -> Thing:
    """A hand on a forearm that comes along x from the left; its fingertips lie about the origin."""
    tone = np.array([[236, 190, 165], [205, 150, 118], [160, 105, 75], [95, 60, 42]][rng.integers(4)]) + rng.normal(
        0, 8, 3
    )
    size = rng.uniform(0.85, 1.1)
    curl = rng.uniform(0.2, 0.9)
    skin, nails = [], []
    for k in range(4):
        y = (k - 1.5) * 19.5
        long = (62, 76, 80, 66)[k]
        knuckle = np.array([-85 + 4 * abs(k - 1.7), y, 34 + 6 * curl])
        middle = knuckle + np.array([long * 0.55, (k - 1.5) * 3, -6 * curl])
        tip = middle + np.array([long * 0.5 * (1 - 0.5 * curl), (k - 1.5) * 2, -16 * curl])
        wrist = np.array([-165, y * 0.7, 30])
        skin += [
            capsule(wrist, knuckle, 13, 12.5),
            capsule(knuckle, middle, 10.5, 9),
            capsule(middle, tip, 9, 7.5),
        ]
        nails.append(ellipsoid((6, 5, 2.5), 12).moved(np.eye(3), tip + np.array([1, 0, 6.5])))
    side = float(rng.choice([-1, 1]))
    base, bend = np.array([-150, side * 30, 28]), np.array([-105, side * 62, 24])
    skin += [capsule(base, bend, 15, 11), capsule(bend, bend + np.array([42, side * 6, -2]), 10.5, 8)]
    skin.append(capsule((-160, 0, 30), (-430, 0, 42), 29, 40))
    bare = rng.uniform(190, 330)
    cuff = join([capsule((-bare, 0, 34), (-700, 0, 60), 41, 62)])
    grain = fractal((64, 64), 20, rng)[..., None]
    cloth = np.clip(np.array(random_colour(rng), np.float32) * np.exp(0.15 * grain), 0.004, 0.9)
    skin_mesh, nail_mesh = join(skin), join(nails)
    big = np.eye(3) * size
    parts = (
        Part(skin_mesh.moved(big), Surface("satin", as_rgb(linear(tone)), rough=0.45)),
        Part(nail_mesh.moved(big), Surface("satin", as_rgb(linear(tone + np.array([14, 4, 6]))), rough=0.2)),
        Part(cuff.moved(big), Surface("matt", picture=np.asarray(cloth, np.float32))),
    )
    return Thing("hand", parts, 60)
