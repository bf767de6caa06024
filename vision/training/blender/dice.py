"""Dice as Blender sees them: what they are made of, and where they lie."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from calibration.palette import COLOURS
from vision.training.blender.colours import Floats, Rng, body_colour, srgb
from vision.training.blender.faces import Shape, Style, die_body
from vision.training.blender.layout import Die, Maker
from vision.training.blender.meshes import add_mesh, add_object
from vision.training.blender.shader import Shader, add_image

_DARK = ((6, 6, 8), (20, 20, 24), (40, 30, 26))
_LIGHT = ((240, 238, 228), (226, 208, 170), (250, 250, 250), (216, 200, 150))


def make_dice(
    rng: Rng, colour: str, kind: str, ace: str, size: float, shape: Shape, style: Style, cuts: int = 64
) -> Maker:
    """A kind of dice, ready to be laid."""
    maker = Maker(colour, kind, ace, size, shape, die_body(rng, style, shape, cuts))
    body = maker.body
    thing = add_mesh("die", body.points * size / 2, body.quads, _material(rng, maker), places=body.places)
    maker.data = thing.data
    bpy.data.objects.remove(thing)
    return maker


def stand(die: Die, number: int) -> None:
    """Lay a die; its pixels will bear that number."""
    add_object("die", die.maker.data, number).matrix_world = Matrix(die.matrix().tolist())


def _ink_tone(rng: Rng, colour: str, kind: str) -> Floats:
    """A colour that stands out from the body's."""
    uniform = rng.uniform
    if colour in ("orange", "yellow", "white"):
        tone = srgb(_DARK[rng.integers(3)]) + 0.004
        if kind != "solid" and rng.random() < 0.15:
            tone = body_colour(rng, rng.choice(["red", "blue"]))
    else:
        tone = srgb(_LIGHT[rng.integers(4)]) * uniform(0.75, 0.95)
        if colour in ("green", "black", "blue", "purple") and rng.random() < 0.12:
            tone = srgb((212, 170, 70))
        if colour in ("green", "blue", "red") and rng.random() < 0.12:
            tone = srgb((10, 10, 12))
    return tone


def _material(rng: Rng, maker: Maker) -> Any:
    uniform = rng.uniform
    colour, kind = maker.colour, maker.kind
    body_tone = body_colour(rng, colour)
    ink_tone = _ink_tone(rng, colour, kind)
    light_pips = bool(ink_tone.mean() > body_tone.mean())
    shader = Shader("die_" + colour)
    drawn = shader.texture(
        add_image("mask", np.stack([maker.body.ink, maker.body.dirt, maker.body.ink], -1)[::-1]),
        shader.coordinates("UV"),
        "Linear",
        "EXTEND",
    )
    parts = shader.node("ShaderNodeSeparateColor", {0: drawn})
    ink, dirt = parts.outputs[0], parts.outputs[1]
    own = shader.node("ShaderNodeObjectInfo").outputs["Random"]
    shift = shader.node("ShaderNodeVectorMath", {0: (113.0, 57.0, 91.0), 3: own}, operation="SCALE").outputs[0]
    where = shader.node("ShaderNodeVectorMath", {0: shader.coordinates(), 1: shift}, operation="ADD").outputs[0]
    rough = uniform(0.12, 0.5)
    stuff = shader.mix(0.2, body_tone, shader.ramp(shader.noise(where, 1.5, 3), [(0.2, 0.2), (0.8, 0.8)]), "SOFT_LIGHT")
    extra = {}
    if kind in ("marbled", "pearl"):
        if kind == "marbled":
            other = rng.choice([x for x in COLOURS if x != colour])
            second = body_colour(rng, other)
            if (second.mean() > 0.45) == (ink_tone.mean() > 0.45):
                second = (
                    np.clip(body_tone * uniform(0.2, 0.45), 0, 0.8)
                    if light_pips
                    else np.clip(body_tone * 1.3 + 0.05, 0, 0.8)
                )
            edge = uniform(0.02, 0.15)
            share = uniform(0.54, 0.62)
            stuff = shader.mix(
                shader.ramp(
                    shader.noise(where, uniform(0.7, 1.6), uniform(2, 5), 0.55, uniform(0.5, 2.5)),
                    [(share - edge, 0.0), (share + edge, 1.0)],
                ),
                body_tone,
                second,
            )
        else:
            share = shader.noise(where, uniform(0.8, 1.6), 3, 0.55, uniform(1, 3.5))
            stuff = shader.ramp(
                share,
                [
                    (0.3, body_tone * uniform(0.35, 0.7)),
                    (0.5, body_tone),
                    (0.68, np.clip(body_tone * uniform(1.3, 2.2) + 0.08, 0, 0.9)),
                ],
            )
            extra = {"Metallic": uniform(0.1, 0.45), "Coat_Weight": uniform(0.3, 1.0), "Coat_Roughness": 0.08}
            rough = uniform(0.2, 0.4)
    elif kind == "speckled":
        other = np.clip(body_tone * uniform(0.1, 3, 3), 0.01, 0.8)
        stuff = shader.mix(
            shader.ramp(shader.noise(where, uniform(5, 11), 2), [(0.6, 0.0), (0.64, 1.0)]), body_tone, other
        )
    elif kind == "translucent":
        tint = np.clip(body_tone, 0.012, 0.95) ** 0.75
        stuff = tint
        rough = uniform(0.03, 0.2)
        extra = {
            "Transmission_Weight": shader.math("SUBTRACT", uniform(0.78, 0.97), shader.math("MULTIPLY", ink, 0.95)),
            "IOR": uniform(1.42, 1.55),
        }
    wear = shader.ramp(shader.noise(where, 3.0, 4, 0.7), [(0.55, 0.0), (0.75, 1.0)])
    soiled = shader.mix(shader.math("MULTIPLY", dirt, uniform(0, 0.35)), stuff, body_tone * 0.25)
    inked = shader.mix(shader.math("MULTIPLY", wear, uniform(0, 0.35)), ink_tone, ink_tone * 0.55 + body_tone * 0.2)
    shader.set(
        shader.principled,
        {
            "Base_Color": shader.mix(ink, soiled, inked),
            **extra,
            "Roughness": shader.math(
                "ADD",
                shader.math(
                    "ADD", shader.math("MULTIPLY", ink, 0.3), shader.math("MULTIPLY", wear, uniform(0.03, 0.15))
                ),
                rough,
            ),
        },
    )
    if kind == "solid":
        shader.set(
            shader.principled,
            {
                "Coat_Weight": uniform(0, 0.6) * (rng.random() < 0.4),
                "Coat_Roughness": 0.12,
                "Specular_IOR_Level": uniform(0.35, 0.6),
            },
        )
    shader.set(shader.principled, {"Normal": shader.bump(shader.noise(where, 5.0, 3, 0.6), uniform(0.005, 0.05), 0.05)})
    shader.node("ShaderNodeOutputAOV", {1: ink}, aov_name="pip")
    if kind == "translucent":
        shader.clear_shadow(np.clip(tint, 0, 1) * 0.65)
    return shader.material
