"""Peanuts, crisps and sweets, in a bowl or strewn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from calibration.palette import COLOURS
from vision.training.blender.colours import Rng, dull, srgb
from vision.training.blender.meshes import add_mesh, add_object, lathe, place, remove
from vision.training.blender.shader import Shader, simple


def snacks(kind: str, rng: Rng) -> tuple[list[Any], float]:
    """Objects, and the radius of what they cover."""
    uniform = rng.uniform
    things = []
    bowl = rng.random() < 0.5
    radius = uniform(4.5, 7)
    if bowl:
        height = uniform(3, 5)
        shader = simple("bowl", dull(rng, rng.choice(COLOURS)), uniform(0.1, 0.4))
        things.append(
            lathe(
                "bowl",
                [
                    (0, 0),
                    (radius * 0.5, 0),
                    (radius * 0.55, 0.3),
                    (radius * 0.85, height * 0.5),
                    (radius, height),
                    (radius - 0.15, height + 0.08),
                    (radius - 0.3, height),
                    (radius * 0.8, height * 0.5),
                    (radius * 0.4, 0.6),
                    (0, 0.5),
                ],
                shader,
            )
        )
    count = (
        int(rng.integers(40, 90)) if bowl else int(rng.integers(3, 16)) if kind != "crisps" else int(rng.integers(1, 7))
    )
    spots = []
    bits = []
    for j in range(5):
        if kind == "peanuts":
            shader = Shader("nut", Roughness=0.7)
            where = shader.coordinates()
            shader.set(
                shader.principled,
                {
                    "Base_Color": shader.ramp(
                        shader.noise(where, 2.5, 3), [(0.3, srgb((150, 96, 48))), (0.7, srgb((214, 168, 108)))]
                    ),
                    "Normal": shader.bump(shader.noise(where, 6, 3), 0.5, 0.1),
                },
            )
            thing = lathe(
                "nut",
                [(0.0, 0), (0.32, 0.1), (0.44, 0.4), (0.36, 0.75), (0.42, 1.1), (0.3, 1.45), (0, 1.55)]
                if j < 2
                else [(0, 0), (0.3, 0.1), (0.38, 0.4), (0.3, 0.75), (0, 0.9)],
                shader.material,
                16,
            )
            lift = 0.4
        elif kind == "crisps":
            shader = Shader("crisp", Roughness=0.6)
            where = shader.coordinates()
            shader.set(
                shader.principled,
                {
                    "Base_Color": shader.ramp(
                        shader.noise(where, 1.0, 4, 0.7), [(0.3, srgb((196, 128, 40))), (0.6, srgb((236, 196, 96)))]
                    ),
                    "Normal": shader.bump(shader.noise(where, 3, 3), 0.5, 0.1),
                },
            )
            grid = np.linspace(-1, 1, 15)
            X, Y = np.meshgrid(grid, grid)
            r = np.sqrt(np.maximum(X * X, Y * Y)) / np.maximum(np.hypot(X, Y), 1e-6)
            X, Y = X * r, Y * r
            long, wide = uniform(2, 2.9), uniform(1.5, 2.3)
            Z = uniform(0.2, 0.5) * X * X - uniform(0, 0.35) * Y * Y + 0.1 * np.sin(5 * X + j) * np.cos(4 * Y)
            i = np.arange(225).reshape(15, 15)[:-1, :-1].ravel()
            thing = add_mesh(
                "crisp",
                np.stack([long * X, wide * Y, Z - Z.min() + 0.05], -1).reshape(-1, 3),
                np.stack([i, i + 1, i + 16, i + 15], 1),
                shader.material,
            )
            lift = 0.1
        else:
            colour = dull(rng, rng.choice(["red", "orange", "yellow", "green", "blue", "purple", "white"]))
            angles = np.linspace(-np.pi / 2, np.pi / 2, 10)
            thing = lathe(
                "sweet", np.c_[0.65 * np.cos(angles), 0.32 * np.sin(angles)], simple("sweet", colour, 0.2), 20
            )
            lift = 0.32
        thing.hide_render = True
        bits.append((thing, lift))
    for _ in range(count):
        bit, lift = bits[rng.integers(5)]
        thing = add_object("bit", bit.data)
        things.append(thing)
        if bowl:
            a, r = uniform(0, 6.28), radius * 0.72 * math.sqrt(uniform(0, 1))
            place(
                thing,
                (r * math.cos(a), r * math.sin(a), uniform(1.2, height * 0.8) + 0.25 * (1 - r / radius) * 3),
                uniform(-0.5, 0.5, 3) + np.array([1.57 if kind == "peanuts" else 0, 0, uniform(0, 6)]),
            )
        else:
            apart = {"peanuts": 1.5, "crisps": 4.2, "sweets": 1.35}[kind]
            x, y = 0, 0
            for t in range(60):
                x, y = rng.normal(0, 2.0 + 0.05 * t, 2)
                if math.hypot(x, y) < 5.2 and all(math.hypot(x - u, y - v) > apart for u, v in spots):
                    break
            else:
                things.pop()
                remove([thing])
                continue
            spots.append((x, y))
            place(thing, (x, y, lift), (1.57 if kind == "peanuts" else 0, 0, uniform(0, 6.28)))
    return things, (radius if bowl else 6.5)
