"""Cups, phones and the small things that lie on tables. Each is built about the origin and standing on z = 0."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from calibration.palette import COLOURS
from vision.training.blender.colours import Rng, dull, srgb
from vision.training.blender.meshes import add_mesh, box, lathe, place, slab, tube
from vision.training.blender.printed import card_image, paper_image, screen_image
from vision.training.blender.shader import Shader, add_image, simple
from vision.training.blender.snacks import snacks

Built = tuple[list[Any], float]
"""Objects, and the radius of what they cover, in centimetres."""


def _phone(rng: Rng) -> Built:
    """A phone, face up or down, its screen lit or dark."""
    x, y, z = rng.uniform(6.8, 7.8), rng.uniform(14, 16.3), rng.uniform(0.7, 0.95)
    case = simple(
        "case", srgb(rng.choice([20, 30, 60, 180, 220]) * np.ones(3)) * rng.uniform(0.7, 1.2, 3), rng.uniform(0.2, 0.6)
    )
    thing = slab("phone", x, y, z, 1.1, case)
    rounding = thing.modifiers.new("b", "BEVEL")
    rounding.width = 0.15
    rounding.segments = 3
    parts = [thing]
    if rng.random() < 0.8:
        picture = screen_image(rng) if rng.random() < 0.5 else None
        shader = Shader("screen", Base_Color=(0.006, 0.006, 0.008), Roughness=rng.uniform(0.02, 0.12))
        if picture is not None:
            glow = shader.texture(add_image("ui", picture[::-1] ** 2.2), shader.coordinates("UV"))
            shader.set(shader.principled, {"Emission_Color": glow, "Emission_Strength": 1.0})
        screen = slab("screen", x - 0.35, y - 0.5, 0.02, 0.9, shader.material)
        screen.location.z = z
        parts.append(screen)
        if picture is not None:
            screen["lit"] = 1
    else:
        for j in range(2):
            lens = lathe(
                "lens", [(0, 0.12), (0.45, 0.12), (0.6, 0.1), (0.6, 0)], simple("lens", (0.01, 0.01, 0.015), 0.05), 24
            )
            lens.location = (x / 2 - 1.3, y / 2 - 1.4 - 1.7 * j, z)
            parts.append(lens)
    return parts, 8.4


def _cards(rng: Rng) -> Built:
    uniform = rng.uniform
    cards = []
    for j in range(rng.integers(1, 6)):
        shader = Shader("card", Roughness=0.35)
        shader.set(
            shader.principled,
            {
                "Base_Color": shader.texture(
                    add_image("card", card_image(rng, rng.random() < 0.35)[::-1]), shader.coordinates("UV")
                )
            },
        )
        thing = slab("card", 6.3, 8.8, 0.03, 0.35, shader.material)
        place(thing, (uniform(-2, 2), uniform(-2, 2), 0.032 * j), (0, 0, uniform(-0.8, 0.8)))
        cards.append(thing)
    return cards, 7.0


def _deck(rng: Rng) -> Built:
    uniform = rng.uniform
    shader = Shader("card", Roughness=0.35)
    shader.set(
        shader.principled,
        {"Base_Color": shader.texture(add_image("card", card_image(rng, True)[::-1]), shader.coordinates("UV"))},
    )
    edge = Shader("edge", Base_Color=(0.75, 0.74, 0.7), Roughness=0.7)
    return [slab("deck", 6.3, 8.8, uniform(0.6, 1.8), 0.35, shader.material, sides=edge.material)], 5.6


def _pad(rng: Rng) -> Built:
    uniform = rng.uniform
    shader = Shader("paper", Roughness=0.85, Specular_IOR_Level=0.2)
    shader.set(
        shader.principled,
        {"Base_Color": shader.texture(add_image("paper", paper_image(rng)[::-1]), shader.coordinates("UV"))},
    )
    size = uniform(0.6, 1.3)
    return [slab("pad", 11 * size, 15 * size, uniform(0.02, 0.9), 0.1, shader.material)], 9.3 * size


def _glass(rng: Rng) -> Built:
    """A glass with a drink, perhaps on a coaster, perhaps with ice."""
    uniform = rng.uniform
    mouth, height = uniform(3, 4), uniform(8, 13)
    glass = Shader("glass")
    glass.thin_glass((0.95, 0.97, 0.97))
    bottom = mouth * uniform(0.75, 0.95)
    wall = 0.2
    thing = lathe(
        "glass",
        [
            (0, 0),
            (bottom - 0.2, 0),
            (bottom, 0.2),
            (mouth, height - 0.05),
            (mouth - wall / 2, height),
            (mouth - wall, height - 0.05),
            (bottom - wall, 0.9),
            (bottom - wall - 0.3, 0.7),
            (0, 0.7),
        ],
        glass.material,
    )
    colour = [
        (0.85, 0.5, 0.08),
        (0.4, 0.02, 0.05),
        (0.12, 0.05, 0.02),
        (0.9, 0.8, 0.5),
        (0.9, 0.93, 0.95),
        (0.9, 0.35, 0.05),
    ][rng.integers(6)]
    drink = Shader("drink")
    drink.thin_glass(np.array(colour) ** 0.7, colour, uniform(0.15, 0.95))
    level = height * uniform(0.3, 0.85)
    surface = bottom - wall - 0.02 + (mouth - bottom) * level / height
    things = [
        thing,
        lathe(
            "drink",
            [
                (0, 0.72),
                (bottom - wall - 0.35, 0.72),
                (bottom - wall - 0.02, 0.95),
                (surface, level),
                (surface - 0.25, level - 0.06),
                (0, level - 0.06),
            ],
            drink.material,
        ),
    ]
    if rng.random() < 0.4:
        coaster = simple(
            "coaster", srgb([(150, 110, 70), (40, 40, 44), (160, 30, 30), (220, 215, 200)][rng.integers(4)]), 0.9
        )
        things.append(lathe("coaster", [(0, 0), (mouth + 1.2, 0), (mouth + 1.2, 0.25), (0, 0.25)], coaster))
        for thing in things[:2]:
            thing.location.z = 0.26
    if rng.random() < 0.4:
        ice = Shader("ice")
        ice.thin_glass((0.9, 0.93, 0.95), (0.8, 0.85, 0.88), 0.3)
        for _ in range(rng.integers(1, 4)):
            cube = box("ice", 2.2, 2.2, 2.0, ice.material, 0.3)
            place(
                cube,
                (uniform(-1, 1) * surface * 0.4, uniform(-1, 1) * surface * 0.4, level - 1.2),
                uniform(-0.4, 0.4, 3),
            )
            things.append(cube)
    return things, mouth + 1.3


def _mug(rng: Rng) -> Built:
    uniform = rng.uniform
    colour = dull(rng, rng.choice(COLOURS))
    glazed = simple("mug", colour, 0.15)
    radius, height = uniform(3.8, 4.4), uniform(8.5, 10)
    thing = lathe(
        "mug",
        [
            (0, 0),
            (radius - 0.4, 0),
            (radius, 0.4),
            (radius, height - 0.1),
            (radius - 0.2, height),
            (radius - 0.4, height - 0.1),
            (radius - 0.45, 1),
            (0, 0.8),
        ],
        glazed,
    )
    coffee = lathe(
        "coffee",
        [(radius - 0.42, height * 0.75), (0, height * 0.75)],
        simple("coffee", [(0.03, 0.012, 0.005), (0.25, 0.13, 0.06), (0.2, 0.07, 0.01)][rng.integers(3)], 0.03),
    )
    handle = [
        (radius - 0.2 + 2.4 * math.sin(t), 0, height * 0.5 + 2.7 * math.cos(t)) for t in np.linspace(0, math.pi, 17)
    ]
    return [thing, coffee, tube(handle, 0.55, glazed)], radius + 3


def _pen(rng: Rng) -> Built:
    uniform = rng.uniform
    colour = dull(rng, rng.choice(COLOURS))
    length = uniform(12, 15)
    body = simple("pen", colour, uniform(0.15, 0.5))
    metal = simple("tip", srgb((190, 160, 120)) if rng.random() < 0.5 else (0.5, 0.5, 0.52), 0.4)
    thing = lathe(
        "pen",
        [(0, 0), (0.35, 0.05), (0.4, 0.3), (0.4, length - 2), (0.38, length - 1.8)],
        body,
        6 if rng.random() < 0.4 else 18,
    )
    tip = lathe("tip", [(0.38, length - 1.8), (0.1, length - 0.2), (0, length)], metal, 18)
    for part in (thing, tip):
        place(part, (-length / 2, 0, 0.4), (0, math.pi / 2, 0))
    return [thing, tip], length / 2


def _discs(kind: str, rng: Rng) -> Built:
    uniform = rng.uniform
    things = []
    for j in range(rng.integers(1, 7)):
        if kind == "coins":
            colour = srgb([(190, 160, 90), (180, 110, 70), (190, 190, 190)][rng.integers(3)])
            shader = Shader("coin", Base_Color=colour, Roughness=uniform(0.25, 0.45), Metallic=1.0)
            where = shader.coordinates()
            shader.set(
                shader.principled,
                {
                    "Normal": shader.bump(shader.noise(where, 3.0, 3, 0.6, 1.0), 0.4, 0.04),
                    "Base_Color": shader.ramp(shader.noise(where, 2.0, 3), [(0.3, colour * 0.5), (0.6, colour)]),
                },
            )
            radius, height = uniform(0.9, 1.3), 0.2
            thing = lathe(
                "coin",
                [
                    (0, height - 0.03),
                    (radius - 0.15, height - 0.03),
                    (radius - 0.12, height),
                    (radius - 0.02, height),
                    (radius, height - 0.03),
                    (radius, 0),
                ],
                shader.material,
                40,
            )
        else:
            radius, height = 1.95, 0.33
            thing = lathe(
                "chip",
                [(0, height), (radius - 0.08, height), (radius, height - 0.08), (radius, 0.0)],
                simple("chip", dull(rng, rng.choice(COLOURS)), 0.5),
                40,
            )
            inner = lathe(
                "inner",
                [(0, height + 0.005), (radius * 0.6, height + 0.005)],
                simple("chip2", dull(rng, rng.choice(COLOURS)), 0.5),
                40,
            )
            inner.parent = thing
        place(thing, (rng.normal(0, 1.8), rng.normal(0, 1.8), 0.0 + 0.21 * j if kind == "coins" else 0.34 * j))
        things.append(thing)
        if j:
            x, y = thing.location.x, thing.location.y
            apart = (math.hypot(x - other.location.x, y - other.location.y) > 2 * radius for other in things[:-1])
            if all(apart):
                thing.location.z = 0
    return things, 4.5


def _caps(rng: Rng) -> Built:
    """Bottles' caps."""
    uniform = rng.uniform
    caps = []
    for _ in range(rng.integers(1, 4)):
        shader = Shader("cap", Base_Color=dull(rng, rng.choice(COLOURS)), Roughness=0.3, Metallic=uniform(0, 0.7))
        thing = lathe(
            "cap",
            [(0, 0.62), (1.05, 0.6), (1.25, 0.48), (1.35, 0.3), (1.6, 0.02), (1.55, 0)],
            shader.material,
            84,
            lambda a, z: 1 + 0.035 * np.cos(21 * a) * np.clip(1 - z / 0.45, 0, 1),
        )
        place(thing, (rng.normal(0, 2.4), rng.normal(0, 2.4), 0))
        caps.append(thing)
    return caps, 4.5


def _keys(rng: Rng) -> Built:
    """Keys on a ring."""
    uniform = rng.uniform
    metal = Shader("metal", Base_Color=srgb((150, 146, 135)), Roughness=0.38, Metallic=1.0).material
    keys = []
    for j in range(rng.integers(2, 4)):
        outline = [(0, 1.1), (0.9, 0.9), (1.2, 0), (0.9, -0.9), (0, -1.1), (-0.9, -0.9), (-1.1, 0), (-0.9, 0.9)]
        count = len(outline)
        points = [(x, y, z) for z in (0, 0.2) for x, y in outline]
        thing = add_mesh(
            "key",
            points,
            [list(range(count, 2 * count)), list(range(count - 1, -1, -1))]
            + [[i, (i + 1) % count, count + (i + 1) % count, count + i] for i in range(count)],
            metal,
            smooth=False,
        )
        blade = box("blade", 3.4, 0.75, 0.2, metal, 0.05)
        blade.location = (2.6, 0, 0)
        blade.parent = thing
        for t in range(4):
            tooth = box("tooth", 0.3, 0.3, 0.19, metal, 0.05)
            tooth.location = (1.9 + 0.6 * t, 0.4 + uniform(-0.1, 0.12), 0.005)
            tooth.parent = thing
        place(thing, (0, 0, 0.2 * j), (0, 0, uniform(0, 6.28)))
        thing.location.x, thing.location.y = (
            1.6 * math.cos(thing.rotation_euler.z),
            1.6 * math.sin(thing.rotation_euler.z),
        )
        keys.append(thing)
    angles = np.linspace(0, 6.283, 25)
    keys.append(tube([(1.1 * math.cos(t), 1.1 * math.sin(t), 0.5) for t in angles], 0.09, metal))
    return keys, 6.2


def _napkin(rng: Rng) -> Built:
    shader = Shader(
        "napkin",
        Base_Color=srgb((240, 238, 230))
        if rng.random() < 0.6
        else dull(rng, rng.choice(["red", "yellow", "blue", "green"])),
        Roughness=0.95,
    )
    where = shader.coordinates()
    shader.set(shader.principled, {"Normal": shader.bump(shader.noise(where, 0.5, 3), 0.5, 0.3)})
    return [slab("napkin", 12, 12, 0.12, 0.1, shader.material)], 8.5


def _lighter(rng: Rng) -> Built:
    thing = box("lighter", 2.2, 5.5, 1.0, simple("lighter", dull(rng, rng.choice(COLOURS)), 0.2), 0.35)
    top = box(
        "top", 2.2, 1.6, 0.95, Shader("m", Base_Color=(0.6, 0.6, 0.6), Roughness=0.25, Metallic=1.0).material, 0.25
    )
    top.location.y = 3.5
    return [thing, top], 4.5


_KINDS: Final[dict[str, Callable[[Rng], Built]]] = {
    "phone": _phone,
    "cards": _cards,
    "deck": _deck,
    "pad": _pad,
    "glass": _glass,
    "mug": _mug,
    "peanuts": partial(snacks, "peanuts"),
    "crisps": partial(snacks, "crisps"),
    "sweets": partial(snacks, "sweets"),
    "pen": _pen,
    "coins": partial(_discs, "coins"),
    "chips": partial(_discs, "chips"),
    "caps": _caps,
    "keys": _keys,
    "napkin": _napkin,
    "lighter": _lighter,
}


def make_thing(rng: Rng, kind: str) -> Built:
    """A thing of that kind."""
    return _KINDS[kind](rng)
