"""How hands are held: their bones, as capsules. numpy alone. Centimetres; fingers along y, the palm down."""

from __future__ import annotations

import math

import numpy as np

from vision.training.blender.colours import Floats, Rng

Capsule = tuple[Floats, Floats, float, float]
"""From a ball to a ball, and their radii."""
Nail = tuple[Floats, Floats, Floats, float]
"""Where it lies, where it points, what is up there, the finger's radius."""


def _grab(rng: Rng, reach: float) -> tuple[list[Capsule], list[Nail], Floats]:
    """A hand about a cup of that radius, which stands at the origin."""
    capsules: list[Capsule] = []
    nails: list[Nail] = []

    def polar(angle: float, radius: float, z: float) -> Floats:
        return np.array([radius * math.sin(angle), -radius * math.cos(angle), z])

    wrist = polar(-0.05, reach + 5.5, 4.8)
    for i in range(4):
        z = 6.9 - 1.75 * i
        k = 0.85 if i < 3 else 0.72
        a0 = rng.uniform(0.75, 0.85)
        a1 = a0 + (1.65, 1.75, 1.65, 1.35)[i] * rng.uniform(0.93, 1.05) * 4.2 / reach
        angles = np.linspace(a0, a1, 4)
        radii = [reach + 1.0, reach + 0.95, reach + 0.85, reach + 0.72]
        p = [polar(a, r, max(z - 0.1 * n, k)) for n, (a, r) in enumerate(zip(angles, radii, strict=True))]
        for n in range(3):
            capsules.append((p[n], p[n + 1], k * (1 - 0.08 * n), k * (0.92 - 0.08 * n)))
        capsules.append((wrist + np.array([0.3 * i - 0.4, 0, 0.8 - 0.6 * i]), p[0], 1.5, 1.0))
        capsules.append((polar(0.35, reach + 2.3, 5.5 - 1.0 * i), p[0], 1.3, 0.95))
    p = [
        polar(-0.15, reach + 2.8, 6.2),
        polar(-0.55, reach + 1.5, 6.8),
        polar(-0.95, reach + 0.95, 7.0),
        polar(-1.35, reach + 0.75, 6.9),
    ]
    for n, r in enumerate((1.45, 1.05, 0.92)):
        capsules.append((p[n], p[n + 1], r, (1.05, 0.92, 0.7)[n]))
    capsules.append((wrist, p[0], 1.9, 1.5))
    capsules.append((wrist, p[1], 1.6, 1.0))
    d = p[3] - p[2]
    d /= np.linalg.norm(d)
    o = p[3] * [1, 1, 0]
    o /= np.linalg.norm(o)
    nails.append((p[3] - d * 0.2, d, 0.7 * o + [0, 0, 0.6], 0.68))
    return capsules, nails, wrist


def _open(rng: Rng, pose: str) -> tuple[list[Capsule], list[Nail], Floats]:
    """A hand over the table."""
    capsules: list[Capsule] = []
    nails: list[Nail] = []
    knuckles = np.array([(-3.0, 9.3, 3.0), (-1.0, 9.9, 3.3), (1.0, 9.5, 3.1), (2.8, 8.7, 2.6)])
    lengths = np.array([7.2, 8.0, 7.4, 5.8]) * rng.uniform(0.93, 1.04)
    thick = np.array([0.88, 0.9, 0.86, 0.74])
    curl = {
        "flat": [(14, 12, 8)] * 4,
        "relaxed": [(18 + 4 * i, 34, 22) for i in range(4)],
        "point": [(12, 10, 6)] + [(62, 88, 55)] * 3,
        "fist": [(72, 95, 60)] * 4,
        "claw": [(10, 50, 30)] * 4,
    }[pose]
    spread = rng.uniform(0.5, 1.4)
    for i in range(4):
        p = knuckles[i] + rng.normal(0, 0.08, 3)
        yaw = (-0.10, -0.02, 0.05, 0.15)[i] * spread * (1 if pose in ("flat", "relaxed", "claw") else 0.4)
        pitch = 0.0
        r = thick[i]
        for n, f in enumerate((0.46, 0.30, 0.24)):
            pitch += math.radians(curl[i][n] * rng.uniform(0.85, 1.15))
            d = np.array([math.sin(yaw) * math.cos(pitch), math.cos(yaw) * math.cos(pitch), -math.sin(pitch)])
            q = p + d * lengths[i] * f
            r2 = r * 0.9
            q[2] = max(q[2], r2 + 0.02)
            capsules.append((p, q, r, r2))
            capsules.append((q, q, r2 * 1.03, r2 * 1.03))
            if n == 2 and pitch < 1.5:
                dd = q - p
                dd /= np.linalg.norm(dd)
                up = np.array([0, 0, 1.0]) - dd * dd[2]
                nails.append((q - dd * 0.15, dd, up / np.linalg.norm(up), r2))
            p, r = q, r2
        root = np.array([(-1.6, 1, 2.5), (-0.6, 0.6, 2.8), (0.5, 0.6, 2.7), (1.5, 1, 2.2)][i])
        capsules.append((root, knuckles[i], 1.45, 1.05))
        capsules.append((root - [0, 0, 0.5], knuckles[i] - [0, 0.6, 0.9], 1.4, 0.95))
        if i:
            capsules.append((knuckles[i - 1] - [0, 0.3, 0.3], knuckles[i] - [0, 0.3, 0.3], 0.95, 0.95))
            capsules.append((knuckles[i - 1] - [0, 4, 0.4], knuckles[i] - [0, 4, 0.4], 1.2, 1.2))
    capsules.append((np.array([2.6, 2.5, 1.7]), np.array([3.0, 6.5, 1.6]), 1.5, 1.2))
    if pose in ("fist", "point"):
        thumb = [(-1.9, 2.2, 2.0), (-3.9, 5.2, 1.7), (-3.4, 8.2, 1.4), (-1.8, 9.8, 1.2)]
    else:
        thumb = [(-1.9, 2.2, 2.0), (-4.3, 5.2, 1.6), (-5.6, 7.8, 1.3), (-6.2, 9.9, 0.9)]
    thumb = np.array(thumb) + rng.normal(0, 0.12, (4, 3))
    thumb[:, 2] = np.maximum(thumb[:, 2], [1.7, 1.1, 0.95, 0.75])
    for n, (a, b) in enumerate(((1.75, 1.2), (1.1, 0.98), (0.95, 0.7))):
        capsules.append((thumb[n], thumb[n + 1], a, b))
    d = thumb[3] - thumb[2]
    d /= np.linalg.norm(d)
    nails.append((thumb[3] - d * 0.2, d, np.array([-0.35, 0, 0.93]), 0.72))
    return capsules, nails, np.array([0, -0.2, 2.5])


def hand_shape(rng: Rng, pose: str, reach: float) -> tuple[list[Capsule], list[Nail], Floats]:
    """Fingers, palm and nails, and where the wrist is. `grab` holds a cup of radius `reach` at the origin."""
    return _grab(rng, reach) if pose == "grab" else _open(rng, pose)
