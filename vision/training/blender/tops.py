"""What tables are covered with."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from vision.training.blender.colours import Floats, Rng, srgb
from vision.training.blender.printed import cloth_pattern
from vision.training.blender.shader import Shader, add_image

Turn = tuple[float, float, float]
"""Radians about x, y, z."""


def _wood(rng: Rng, turn: Turn, offset: Turn, _hue: Floats | None) -> Shader:
    """Planks, with rings and fibres."""
    uniform = rng.uniform
    tone = np.array(
        [
            (160, 110, 66),
            (120, 76, 42),
            (196, 152, 100),
            (84, 50, 30),
            (206, 176, 132),
            (140, 84, 50),
            (60, 40, 30),
        ][rng.integers(7)]
    )
    shader = Shader("wood", Roughness=uniform(0.25, 0.6))
    where = shader.coordinates(scale=1, turn=turn, shift=offset)
    plank = uniform(8, 16)
    planks = shader.node(
        "ShaderNodeTexBrick",
        {
            "Vector": where,
            "Color1": (0, 0, 0),
            "Color2": (1, 1, 1),
            "Mortar": (0.5, 0.5, 0.5),
            "Scale": 1.0,
            "Mortar Size": uniform(0.02, 0.09),
            "Mortar Smooth": 0.3,
            "Bias": 0.0,
            "Brick Width": uniform(60, 140),
            "Row Height": plank if rng.random() < 0.7 else 500.0,
        },
    )
    shift = shader.node(
        "ShaderNodeVectorMath", {0: planks.outputs[0], 1: (37.0, 91.0, 13.0)}, operation="MULTIPLY"
    ).outputs[0]
    shifted = shader.node("ShaderNodeVectorMath", {0: where, 1: shift}, operation="ADD").outputs[0]
    stretched = shader.node(
        "ShaderNodeMapping", {"Vector": shifted, "Scale": (uniform(0.012, 0.03), uniform(0.25, 0.5), 0.3)}
    ).outputs[0]
    warp = shader.noise(stretched, 1.0, 3, 0.55, uniform(0.3, 1.2))
    rings = shader.math("FRACT", shader.math("MULTIPLY", warp, uniform(6, 13)))
    tri = shader.math("ABSOLUTE", shader.math("SUBTRACT", rings, 0.5))
    fine = shader.noise(
        shader.node("ShaderNodeMapping", {"Vector": shifted, "Scale": (0.35, 9.0, 1.0)}).outputs[0], 1.0, 3, 0.65
    )
    grain = shader.math(
        "ADD", shader.math("MULTIPLY", tri, uniform(0.5, 1.1)), shader.math("MULTIPLY", fine, uniform(0.5, 0.9))
    )
    colour = shader.ramp(
        grain, [(0.15, srgb(tone * 0.62)), (0.55, srgb(tone)), (0.95, srgb(np.clip(tone * 1.18, 0, 255)))]
    )
    colour = shader.mix(uniform(0.1, 0.35), colour, planks.outputs[0], "OVERLAY")
    colour = shader.mix(planks.outputs[1], colour, srgb(tone * 0.25))
    shader.set(
        shader.principled,
        {
            "Base_Color": colour,
            "Coat_Weight": uniform(0, 0.5) * (rng.random() < 0.5),
            "Coat_Roughness": uniform(0.08, 0.35),
        },
    )
    height = shader.math("SUBTRACT", fine, shader.math("MULTIPLY", planks.outputs[1], 3.0))
    shader.set(shader.principled, {"Normal": shader.bump(height, uniform(0.05, 0.3), 0.02)})
    return shader


def _felt(kind: str, rng: Rng, _turn: Turn, offset: Turn, hue: Floats | None) -> Shader:
    """Felt, or a carpet's coarser wool."""
    uniform = rng.uniform
    base = (
        np.array(hue)
        if hue is not None
        else srgb(
            [
                (24, 92, 58),
                (20, 50, 110),
                (110, 20, 32),
                (46, 46, 50),
                (90, 60, 120),
                (120, 116, 110),
                (14, 70, 80),
                (180, 170, 150),
            ][rng.integers(8)]
        )
    )
    base = np.clip(base * uniform(0.5, 1.1), 0.005, 0.7)
    shader = Shader(kind, Roughness=1.0, Sheen_Weight=uniform(0.1, 0.5), Sheen_Roughness=0.5, Specular_IOR_Level=0.1)
    where = shader.coordinates(shift=offset)
    size = uniform(9, 16) if kind == "felt" else uniform(2.5, 5)
    wool = shader.noise(where, size, 4, 0.75, 0.8)
    clouds = shader.noise(where, 0.09, 3, 0.6)
    colour = shader.ramp(wool, [(0.3, base * (0.72 if kind == "felt" else 0.35)), (0.7, np.clip(base * 1.25, 0, 0.8))])
    if kind == "carpet" and rng.random() < 0.5:
        colour = shader.mix(
            shader.ramp(shader.noise(where, uniform(0.15, 2.5), 2), [(0.45, 0.0), (0.6, uniform(0.3, 0.8))]),
            colour,
            np.clip(base * uniform(0.6, 1.5, 3), 0.01, 0.8),
        )
    colour = shader.mix(0.5, colour, shader.ramp(clouds, [(0.3, 0.3), (0.7, 0.7)]), "SOFT_LIGHT")
    shader.set(
        shader.principled,
        {
            "Base_Color": colour,
            "Normal": shader.bump(wool, 0.5 if kind == "felt" else 1.0, 0.04 if kind == "felt" else 0.3),
        },
    )
    return shader


def _cloth(kind: str, rng: Rng, turn: Turn, offset: Turn, hue: Floats | None) -> Shader:
    """Woven, and not quite flat."""
    uniform = rng.uniform
    if hue is None:
        hue = srgb(
            [
                (226, 222, 210),
                (150, 30, 40),
                (60, 80, 120),
                (200, 190, 160),
                (90, 110, 90),
                (30, 32, 40),
                (190, 150, 60),
                (120, 80, 110),
            ][rng.integers(8)]
        )
    base = np.clip(np.array(hue), 0.01, 0.8)
    shader = Shader("cloth", Roughness=0.9, Sheen_Weight=uniform(0, 0.3), Specular_IOR_Level=0.2)
    where = shader.coordinates(scale=1, turn=turn, shift=offset)
    if kind == "plain cloth":
        colour = shader.mix(
            0.35, base, shader.ramp(shader.noise(where, 14.0, 2), [(0.2, 0.2), (0.8, 0.8)]), "SOFT_LIGHT"
        )
    else:
        picture, period = cloth_pattern(rng, base)
        colour = shader.texture(
            add_image("cloth", picture),
            shader.node("ShaderNodeMapping", {"Vector": where, "Scale": (1 / period,) * 3}).outputs[0],
        )
    threads = uniform(9, 16)
    warp = shader.node(
        "ShaderNodeTexWave",
        {"Vector": where, "Scale": threads, "Distortion": 0.6, "Detail": 1.0},
        wave_type="BANDS",
        bands_direction="X",
    ).outputs[1]
    weft = shader.node(
        "ShaderNodeTexWave",
        {"Vector": where, "Scale": threads, "Distortion": 0.6, "Detail": 1.0},
        wave_type="BANDS",
        bands_direction="Y",
    ).outputs[1]
    weave = shader.bump(shader.math("ADD", warp, weft), 0.3, 0.02)
    shader.set(
        shader.principled,
        {
            "Base_Color": shader.mix(
                0.25, colour, shader.math("MULTIPLY", shader.math("ADD", warp, weft), 0.5), "MULTIPLY"
            ),
            "Normal": shader.bump(
                shader.noise(where, uniform(0.03, 0.10), 2.5, 0.5, uniform(0, 0.4)),
                uniform(0.3, 0.9),
                uniform(2, 5),
                weave,
            ),
        },
    )
    return shader


def _laminate(rng: Rng, _turn: Turn, offset: Turn, _hue: Floats | None) -> Shader:
    """White, speckled and smeared."""
    uniform = rng.uniform
    tone = uniform(0.55, 0.8) * uniform(0.95, 1.03, 3)
    shader = Shader("laminate", Roughness=uniform(0.12, 0.45))
    where = shader.coordinates(shift=offset)
    specks = shader.ramp(shader.noise(where, uniform(4, 30), 2), [(0.35, tone * uniform(0.8, 0.97)), (0.5, tone)])
    smears = shader.ramp(shader.noise(where, 0.12, 4, 0.6, 0.5), [(0.45, 0.0), (0.75, 1.0)])
    shader.set(
        shader.principled,
        {
            "Base_Color": shader.mix(shader.math("MULTIPLY", smears, 0.12), specks, tone * [0.75, 0.7, 0.62]),
            "Roughness": shader.math("ADD", shader.math("MULTIPLY", smears, 0.15), uniform(0.12, 0.4)),
            "Normal": shader.bump(shader.noise(where, 6.0, 2), 0.03, 0.02),
        },
    )
    return shader


def _stone(rng: Rng, _turn: Turn, offset: Turn, _hue: Floats | None) -> Shader:
    uniform = rng.uniform
    tone = srgb([(40, 42, 46), (64, 60, 58), (30, 34, 32), (88, 88, 92), (52, 38, 34)][rng.integers(5)])
    shader = Shader("stone", Roughness=uniform(0.08, 0.4))
    where = shader.coordinates(scale=1, shift=offset)
    clouds = shader.noise(where, uniform(0.5, 3), 6, 0.7, uniform(0, 2))
    grains = shader.node("ShaderNodeTexVoronoi", {"Vector": where, "Scale": uniform(2, 8)}).outputs[1]
    colour = shader.ramp(clouds, [(0.3, tone * 0.4), (0.55, tone), (0.72, np.clip(tone * 3 + 0.04, 0, 0.7))])
    shader.set(shader.principled, {"Base_Color": shader.mix(uniform(0.05, 0.4), colour, grains, "OVERLAY")})
    return shader


def _cardboard(rng: Rng, turn: Turn, offset: Turn, _hue: Floats | None) -> Shader:
    """Cardboard, also brown paper."""
    uniform = rng.uniform
    tone = srgb([(176, 138, 96), (150, 112, 74), (196, 160, 118)][rng.integers(3)])
    shader = Shader("cardboard", Roughness=0.9, Specular_IOR_Level=0.25)
    where = shader.coordinates(scale=1, turn=turn, shift=offset)
    fibres = shader.noise(
        shader.node("ShaderNodeMapping", {"Vector": where, "Scale": (1.0, 6.0, 1.0)}).outputs[0], 4.0, 4, 0.7
    )
    ribs = shader.node(
        "ShaderNodeTexWave", {"Vector": where, "Scale": uniform(0.35, 0.6), "Distortion": 0.3}, wave_type="BANDS"
    ).outputs[1]
    colour = shader.ramp(fibres, [(0.25, tone * 0.8), (0.75, tone * 1.12)])
    colour = shader.mix(0.12, colour, ribs, "MULTIPLY")
    shader.set(
        shader.principled,
        {
            "Base_Color": shader.mix(
                0.5, colour, shader.ramp(shader.noise(where, 0.1, 3), [(0.3, 0.35), (0.7, 0.65)]), "SOFT_LIGHT"
            ),
            "Normal": shader.bump(ribs, 0.15, 0.05),
        },
    )
    return shader


_KINDS: Final[dict[str, Callable[[Rng, Turn, Turn, Floats | None], Shader]]] = {
    "wood": _wood,
    "felt": partial(_felt, "felt"),
    "carpet": partial(_felt, "carpet"),
    "plain cloth": partial(_cloth, "plain cloth"),
    "patterned cloth": partial(_cloth, "patterned cloth"),
    "white laminate": _laminate,
    "dark stone": _stone,
    "cardboard": _cardboard,
}


def table_material(rng: Rng, kind: str, hue: Floats | None = None) -> Any:
    """The material of a table; `hue` colours felt, carpet and cloth."""
    turn = (0.0, 0.0, rng.uniform(0, 6.28))
    x, y, z = rng.uniform(-200, 200, 3)
    return _KINDS[kind](rng, turn, (x, y, z), hue).material
