"""Hands and arms: what reaches into a picture and hides dice. Centimetres; the wrist is near the origin, fingers
along y.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from calibration.palette import COLOURS
from vision.training.blender.colours import Floats, Rng, dull, srgb
from vision.training.blender.meshes import add_mesh, tube
from vision.training.blender.palms import Capsule, hand_shape
from vision.training.blender.shader import Shader, simple

_SKIN: Final = [
    (236, 196, 172),
    (224, 178, 148),
    (208, 156, 124),
    (178, 122, 88),
    (134, 86, 58),
    (92, 58, 40),
    (240, 206, 190),
]


_LENGTH: Final = 75
"""How far an arm reaches back."""


def skin_material(rng: Rng) -> tuple[Any, Any]:
    """The materials of skin and of nails."""
    tone = srgb(np.array(_SKIN[rng.integers(len(_SKIN))]) * rng.uniform(0.92, 1.04))
    shader = Shader(
        "skin",
        Roughness=0.48,
        Subsurface_Weight=0.12,
        Subsurface_Radius=(0.4, 0.15, 0.08),
        Subsurface_Scale=0.6,
        Specular_IOR_Level=0.4,
    )
    where = shader.coordinates()
    clouds = shader.noise(where, 0.45, 4, 0.6)
    pores = shader.node("ShaderNodeTexVoronoi", {"Vector": where, "Scale": 11.0}).outputs[0]
    spots = shader.noise(where, 2.2, 3, 0.6)
    colour = shader.ramp(
        clouds, [(0.3, tone * [0.91, 0.73, 0.67]), (0.55, tone), (0.75, np.clip(tone * [1.06, 1.03, 1.0], 0, 0.9))]
    )
    colour = shader.mix(shader.ramp(spots, [(0.62, 0.0), (0.72, 0.25)]), colour, tone * [0.75, 0.52, 0.45])
    folds = shader.node("ShaderNodeNewGeometry").outputs["Pointiness"]
    colour = shader.mix(shader.ramp(folds, [(0.40, 0.55), (0.49, 0.0)]), colour, tone * [0.62, 0.38, 0.32])
    shader.set(
        shader.principled,
        {
            "Base_Color": colour,
            "Normal": shader.bump(shader.math("ADD", shader.math("MULTIPLY", pores, 0.8), spots), 0.4, 0.07),
        },
    )
    nail = simple("nail", np.clip(tone * [1.08, 0.95, 0.92] + 0.04, 0, 0.9), 0.25)
    return shader.material, nail


def _forearm(rng: Rng, wrist: Floats) -> tuple[list[Capsule], Floats]:
    """Capsules from the wrist on, and where the elbow is."""
    elbow = wrist + np.array([rng.uniform(-3, 3), -24.0, rng.uniform(1, 4)])
    parts: list[Capsule] = []
    for side in (-1, 1):
        middle = wrist + (elbow - wrist) * 0.35 + np.array([side * 0.7, 0, 0.2])
        parts.append((wrist + np.array([side * 0.8, 0, 0]), middle, 1.75, 2.35))
        parts.append((middle, elbow + np.array([side * 0.9, 0, 0.5]), 2.35, 3.6))
    return [*parts, (wrist + np.array([0, 0, 0.1]), elbow, 1.75, 3.8)], elbow


def _add_skin(capsules: list[Capsule], material: Any) -> Any:
    """One smooth skin over all capsules."""
    points, faces, base = [], [], 0
    for p, q, start, end in capsules:
        of_one, corners = _capsule(p, q, start, end)
        points.append(of_one)
        faces.append(corners + base)
        base += len(of_one)
    thing = add_mesh("hand", np.concatenate(points), np.concatenate(faces), material)
    remesh = thing.modifiers.new("r", "REMESH")
    remesh.mode = "VOXEL"
    remesh.voxel_size = 0.17
    remesh.use_smooth_shade = True
    smooth = thing.modifiers.new("s", "SMOOTH")
    smooth.factor = 0.5
    smooth.iterations = 9
    return thing


def _add_nail(place: Floats, along: Floats, up: Floats, radius: float, material: Any) -> Any:
    """A flat ball on the end of a finger of that radius."""
    across = np.cross(along, up)
    across /= np.linalg.norm(across)
    up = np.cross(across, along)
    east, north = np.meshgrid(np.linspace(0, 2 * np.pi, 17)[:-1], np.linspace(-np.pi / 2, np.pi / 2, 9))
    points = (
        place
        + up * radius * 0.78
        + 0.62
        * radius
        * np.cos(north)[..., None]
        * (np.cos(east)[..., None] * across + 1.25 * np.sin(east)[..., None] * along)
        + 0.2 * np.sin(north)[..., None] * up * radius
    )
    i, k = np.meshgrid(np.arange(8), np.arange(16), indexing="ij")
    after = (k + 1) % 16
    faces = np.stack([i * 16 + k, i * 16 + after, (i + 1) * 16 + after, (i + 1) * 16 + k], -1).reshape(-1, 4)
    return add_mesh("nail", points.reshape(-1, 3), faces, material)


def _sleeve_material(rng: Rng) -> Any:
    cloth = dull(rng, rng.choice(COLOURS)) if rng.random() < 0.5 else srgb(rng.uniform(30, 190, 3))
    cloth = np.clip(cloth, 0.01, 0.75)
    shader = Shader("sleeve", Roughness=0.95, Sheen_Weight=0.2)
    where = shader.coordinates()
    threads = shader.node("ShaderNodeTexWave", {"Vector": where, "Scale": 6.0, "Distortion": 0.5}).outputs[1]
    wool = shader.ramp(shader.noise(where, 12.0, 2), [(0.2, 0.2), (0.8, 0.8)])
    colour = shader.mix(0.3, cloth, wool, "SOFT_LIGHT")
    creases = shader.noise(where, 0.22, 4, 0.55, 1.5)
    relief = shader.bump(creases, 0.9, 1.2, shader.bump(threads, 0.25, 0.05))
    shader.set(shader.principled, {"Base_Color": colour, "Normal": relief})
    return shader.material


def _add_sleeve(rng: Rng, wrist: Floats, elbow: Floats, flip: Floats, up: Floats) -> tuple[Any, list[Capsule]]:
    """A sleeve from somewhere on the forearm to beyond the picture, and the room it takes up."""
    material = _sleeve_material(rng)
    start = rng.uniform(0.1, 0.75)
    along = elbow - wrist
    way = [wrist + along * t for t in np.linspace(start, 1, 14)]
    while -way[-1][1] < _LENGTH:
        way.append(way[-1] + np.array([0, -2.5, 0.6]))
    points = np.array(way) * flip + up
    count = len(points)
    phase = rng.uniform(0, 6.28, 6)

    def folds(share: float, angle: Floats) -> Floats:
        return np.asarray(
            0.045 * np.sin(9 * share * count / 6 + 2 * angle + phase[0])
            + 0.05 * np.sin(5 * share * count / 6 - 3 * angle + phase[1])
            + 0.03 * np.sin(16 * share * count / 6 + angle + phase[2])
        )

    radii = np.interp(np.arange(count), [0, 13, count], [3.1 + start * 1.6, 5.0, 6.2])
    radii[0] *= 0.97
    thing = tube(points, radii, material, 40, "sleeve", folds, flat=1.1)
    rounding = thing.modifiers.new("sub", "SUBSURF")
    rounding.levels = rounding.render_levels = 1
    thickness = thing.modifiers.new("sol", "SOLIDIFY")
    thickness.thickness = 0.25
    ends = [(i, min(i + 3, count - 1)) for i in range(0, count - 1, 3)]
    return thing, [(points[i], points[j], radii[i], radii[j]) for i, j in ends]


def make_arm(
    rng: Rng, pose: str, skin: tuple[Any, Any], reach: float, mirror: bool, lift: float = 0.0
) -> tuple[list[Any], list[Capsule]]:
    """A hand, a forearm and a sleeve, and the room they take up.

    reach: the radius of the cup it grabs; lift: above the table.
    """
    hand, nails, wrist = hand_shape(rng, pose, reach)
    forearm, elbow = _forearm(rng, wrist)
    flip = np.array([-1, 1, 1]) if mirror else np.ones(3)
    up = np.array([0, 0, lift])
    capsules = [(p * flip + up, q * flip + up, start, end) for p, q, start, end in hand + forearm]
    things = [_add_skin(capsules, skin[0])]
    for place, along, above, radius in nails:
        things.append(_add_nail(place * flip + up, along * flip, above * flip, radius, skin[1]))
    sleeve, room = _add_sleeve(rng, wrist, elbow, flip, up)
    return [*things, sleeve], capsules + room


def _capsule(p: Floats, q: Floats, start: float, end: float) -> tuple[Floats, Any]:
    """Points and faces of a body between two balls."""
    d = q - p
    length = np.linalg.norm(d)
    d = d / length if length > 1e-6 else np.array([0, 0, 1.0])
    x = np.cross(d, [0, 0, 1.0]) if abs(d[2]) < 0.9 else np.cross(d, [1.0, 0, 0])
    x /= np.linalg.norm(x)
    y = np.cross(d, x)
    around, along = 14, 6
    angles = np.linspace(-np.pi / 2, 0, along)
    profile = [(start * np.cos(i), p + d * start * np.sin(i)) for i in angles] + [
        (end * np.cos(i), q + d * end * np.sin(i)) for i in -angles[::-1]
    ]
    turn = np.linspace(0, 2 * np.pi, around, endpoint=False)[:, None]
    points = np.concatenate([c + max(r, 1e-3) * (np.cos(turn) * x + np.sin(turn) * y) for r, c in profile])
    i, k = np.meshgrid(np.arange(2 * along - 1), np.arange(around), indexing="ij")
    kk = (k + 1) % around
    faces = np.stack([i * around + k, i * around + kk, (i + 1) * around + kk, (i + 1) * around + k], -1).reshape(-1, 4)
    return points, faces
