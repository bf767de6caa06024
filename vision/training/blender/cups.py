"""Dice cups. Each is built about the origin, its mouth up, standing on z = 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from calibration.palette import COLOURS
from vision.training.blender.colours import Rng, dull, srgb
from vision.training.blender.meshes import lathe
from vision.training.blender.shader import Shader


@dataclass(frozen=True, slots=True)
class Cup:
    """A dice cup. Centimetres."""

    thing: Any
    mouth: float
    """Radius, as is the next."""
    bottom: float
    height: float


def cup_material(rng: Rng) -> tuple[Any, str]:
    """A material, and whether it is `leather` or `plastic`."""
    if rng.random() < 0.5:
        colour = srgb([(74, 44, 26), (28, 24, 22), (120, 74, 40), (60, 20, 20), (96, 60, 34)][rng.integers(5)])
        shader = Shader("leather", Roughness=rng.uniform(0.35, 0.7))
        where = shader.coordinates()
        grain = shader.node(
            "ShaderNodeTexVoronoi", {"Vector": where, "Scale": rng.uniform(3, 7)}, feature="SMOOTH_F1"
        ).outputs[0]
        clouds = shader.noise(where, 0.5, 4, 0.6)
        shader.set(
            shader.principled,
            {
                "Base_Color": shader.ramp(clouds, [(0.3, colour * 0.6), (0.7, colour * 1.3)]),
                "Normal": shader.bump(grain, 0.4, 0.05),
            },
        )
        return shader.material, "leather"
    colour = dull(rng, rng.choice(COLOURS))
    shader = Shader("plastic", Base_Color=colour, Roughness=rng.uniform(0.2, 0.5))
    where = shader.coordinates()
    shader.set(
        shader.principled,
        {
            "Roughness": shader.math(
                "ADD", shader.math("MULTIPLY", shader.noise(where, 0.8, 4), 0.2), rng.uniform(0.12, 0.4)
            ),
            "Normal": shader.bump(shader.noise(where, 8.0, 2), 0.04, 0.02),
        },
    )
    return shader.material, "plastic"


def make_cup(rng: Rng, material: Any, kind: str) -> Cup:
    """A cup of that material."""
    mouth, height = rng.uniform(3.7, 4.6), rng.uniform(7.5, 10)
    bottom = mouth * rng.uniform(0.78, 0.96)
    wall = 0.35 if kind == "leather" else 0.2
    edge = 0.3
    profile = [(0, 0), (bottom - edge, 0), (bottom - 0.08, 0.08), (bottom, edge)]
    if rng.random() < 0.4 and kind == "plastic":
        profile += [
            (bottom + (mouth - bottom) * 0.1, height * 0.1),
            (bottom + (mouth - bottom) * 0.1 + 0.12, height * 0.12),
            (bottom + (mouth - bottom) * 0.12 + 0.12, height * 0.2),
            (bottom + (mouth - bottom) * 0.2, height * 0.21),
        ]
    profile += [(mouth, height - edge)]
    if kind == "leather" or rng.random() < 0.5:
        profile += [(mouth + 0.18, height - edge), (mouth + 0.22, height - 0.1)]
    profile += [
        (mouth, height),
        (mouth - wall * 0.5, height + 0.05),
        (mouth - wall, height - 0.05),
        (bottom - wall, 0.5),
        (bottom - wall - 0.4, 0.35),
        (0, 0.35),
    ]
    return Cup(lathe("cup", profile, material), mouth, bottom, height)
