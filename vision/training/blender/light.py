"""Lamps, windows, the sun and the room round the table. A unit of light gives the table about 1."""

from __future__ import annotations

import math
from typing import Final

import bpy
import numpy as np
from mathutils import Vector

from vision.training.blender.colours import Rng
from vision.training.blender.meshes import add_object, box, scene
from vision.training.blender.shader import simple
from vision.training.blender.view import View

Place = tuple[float, float, float]

TINTS: Final = {
    "warm": (1.0, 0.68, 0.38),
    "soft warm": (1.0, 0.80, 0.58),
    "neutral": (1.0, 0.95, 0.90),
    "cold": (0.80, 0.90, 1.0),
    "blue": (0.62, 0.80, 1.0),
}


def _lamp(
    place: Place, target: Place, size: float, power: float, tint: str, shape: str = "DISK", height: float | None = None
) -> None:
    """A lamp of `size` centimetres across (and, of a window, `height`)."""
    light = bpy.data.lights.new("l", "AREA")
    light.shape = shape
    light.size = size
    if height:
        light.size_y = height
    light.energy = power
    light.color = TINTS[tint]
    thing = add_object("l", light)
    thing.location = place
    thing.rotation_euler = (Vector(place) - Vector(target)).to_track_quat("Z", "Y").to_euler()


def _room(rng: Rng, level: float, tint: str) -> None:
    """The room: bright and dark walls, `level` of light."""
    world = bpy.data.worlds.new("w")
    scene().world = world
    world.use_nodes = True
    tree = world.node_tree
    background = tree.nodes["Background"]
    place = tree.nodes.new("ShaderNodeTexCoord")
    clouds = tree.nodes.new("ShaderNodeTexNoise")
    clouds.inputs["Scale"].default_value = rng.uniform(1, 2.5)
    clouds.inputs["Detail"].default_value = 2
    mapping = tree.nodes.new("ShaderNodeMapping")
    mapping.inputs["Location"].default_value = rng.uniform(-50, 50, 3).tolist()
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    light = np.array(TINTS[tint])
    stops = ramp.color_ramp.elements
    stops[0].position = 0.38
    stops[0].color = [*(light * 0.15 * rng.uniform(0.8, 1.2, 3)), 1]
    stops[1].position = 0.66
    stops[1].color = [*(light * 1.3), 1]
    tree.links.new(place.outputs["Generated"], mapping.inputs[0])
    tree.links.new(mapping.outputs[0], clouds.inputs[0])
    tree.links.new(clouds.outputs[0], ramp.inputs[0])
    tree.links.new(ramp.outputs[0], background.inputs[0])
    background.inputs[1].default_value = level
    world.cycles.sampling_method = "MANUAL"
    world.cycles.sample_map_resolution = 128


def set_lights(rng: Rng, kind: str, view: View) -> None:
    """Light of that kind."""
    uniform = rng.uniform

    def power(level: float, distance: float) -> float:
        """Of a lamp at that distance, for so much light on the table."""
        return level * math.pi * math.pi * distance * distance

    def beside(reach: float) -> tuple[float, float]:
        return uniform(-reach, reach), uniform(-reach, reach)

    def round_about(near: float, far: float, highest: float) -> tuple[Place, float]:
        """A place beside the table, anywhere round it, and how far that is."""
        angle, distance, height = uniform(0, 6.28), uniform(near, far), uniform(50, highest)
        return (distance * math.cos(angle), distance * math.sin(angle), height), math.hypot(distance, height)

    def tint(*names: str) -> str:
        return str(rng.choice(names))

    dim = uniform(0.08, 0.3)
    if kind == "ceiling":
        height = uniform(130, 190)
        x, y = beside(60)
        _lamp(
            (x, y, height), (0, 0, 0), uniform(18, 60), power(1, height), tint("warm", "soft warm", "neutral", "cold")
        )
        _room(rng, dim, "soft warm")
    elif kind == "pendant":
        height = uniform(70, 100)
        angle = uniform(0, 6.28)
        r = uniform(30, 60)
        _lamp(
            (r * math.cos(angle), r * math.sin(angle), max(height, view.place[2] * 0.9)),
            (0, 0, 0),
            uniform(8, 25),
            power(1, math.hypot(height, r)),
            tint("warm", "soft warm"),
        )
        _room(rng, dim * 0.4, "warm")
    elif kind == "window":
        place, away = round_about(120, 220, 120)
        _lamp(
            place,
            (0, 0, 0),
            uniform(80, 140),
            power(2, away),
            tint("cold", "neutral", "blue"),
            "RECTANGLE",
            uniform(90, 150),
        )
        _room(rng, dim, "neutral")
    elif kind == "hard side":
        place, away = round_about(90, 160, 120)
        _lamp(
            place,
            (0, 0, 0),
            uniform(2, 10),
            power(1.6, away),
            tint("soft warm", "neutral", "cold", "warm"),
        )
        _room(rng, dim * uniform(0.5, 1.2), "neutral")
    elif kind == "sun":
        light = bpy.data.lights.new("sun", "SUN")
        light.energy = uniform(2.5, 5)
        light.angle = math.radians(uniform(0.5, 3))
        light.color = TINTS["soft warm"]
        thing = add_object("sun", light)
        thing.rotation_euler = (uniform(0.5, 1.1), 0, uniform(0, 6.28))
        _room(rng, uniform(0.25, 0.5), "blue")
        if rng.random() < 0.6:  # bars of a window cut the sun
            material = simple("bar", (0.2, 0.2, 0.2))
            towards = Vector((0, 0, 1))
            towards.rotate(thing.rotation_euler)
            for across in np.arange(-90, 91, uniform(30, 60)):
                bar = box("bar", uniform(4, 9), 300, 4, material, 0.1)
                bar.location = towards * 170 + Vector((across, 0, 0))
                bar.rotation_euler = (0, 0, uniform(-0.2, 0.2))
    elif kind == "several":
        for _ in range(rng.integers(2, 5)):
            height = uniform(120, 200)
            x, y = beside(120)
            _lamp(
                (x, y, height),
                (0, 0, 0),
                uniform(8, 40),
                power(uniform(0.3, 0.8), math.hypot(height, x, y)),
                tint("warm", "soft warm", "neutral"),
            )
            _room(rng, dim, "soft warm")
    elif kind == "mixed":
        place, away = round_about(120, 200, 110)
        _lamp(
            place,
            (0, 0, 0),
            uniform(80, 130),
            power(uniform(0.7, 1.6), away),
            tint("cold", "blue"),
            "RECTANGLE",
            120,
        )
        height = uniform(120, 180)
        x, y = beside(60)
        _lamp((x, y, height), (0, 0, 0), uniform(15, 40), power(uniform(0.5, 1), height), "warm")
        _room(rng, dim, "neutral")
    elif kind == "dim":
        height = uniform(120, 190)
        x, y = beside(150)
        _lamp(
            (x, y, height), (0, 0, 0), uniform(6, 30), power(0.5, math.hypot(height, x, y)), tint("warm", "soft warm")
        )
        _room(rng, uniform(0.02, 0.08), "warm")
    elif kind == "glare":  # a lamp whose mirror image falls in the picture
        u, v = view.width * uniform(0.25, 0.75), view.height * uniform(0.25, 0.75)
        spot = view.ground(u, v)
        target = np.array([*spot, 0.0])
        way = target - view.place
        way[2] *= -1
        way /= np.linalg.norm(way)
        seen = target + way * uniform(130, 170)
        if np.hypot(*(seen[:2] - view.place[:2])) < 25:
            seen[:2] += [30, 20]
        _lamp(tuple(seen), tuple(target), uniform(12, 40), power(1.1, 150), tint("neutral", "soft warm", "cold"))
        _room(rng, dim, "neutral")
    else:  # overcast: broad and soft
        _lamp((*beside(40), 180), (0, 0, 0), 160, power(1, 180), tint("neutral", "cold"))
        _room(rng, uniform(0.3, 0.7), "neutral")
