"""Emblems of the ace, drawn for this set alone: line drawings and filled shapes. x and y in about -1..1, y up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.blender.colours import Floats, Rng

RESOLUTION: Final = 320
"""Texels along a face."""
SUPERSAMPLING: Final = 3
"""How much finer than that it is drawn."""

Point = tuple[float, float]
Line = tuple[Sequence[Point], bool]
"""Points of a spline, and whether it is closed."""


def spline(points: object, closed: bool = False, steps: int = 14) -> Floats:
    """A smooth curve through the points (Catmull and Rom), `steps` to a stretch."""
    p = np.asarray(points, float)
    count = len(p)

    def at(i: int) -> Floats:
        return p[i % count] if closed else p[min(max(i, 0), count - 1)]

    out = []
    for i in range(count if closed else count - 1):
        a, b, c, d = at(i - 1), at(i), at(i + 1), at(i + 2)
        for t in np.linspace(0, 1, steps, endpoint=False):
            out.append(
                0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)
            )
    out.append(p[0] if closed else p[-1])
    return np.array(out)


def ring(x: float, y: float, radius: float, count: int = 8, upright: float | None = None) -> list[Point]:
    """Points of an ellipse about (x, y); `upright` is its other radius."""
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return [(x + radius * np.cos(t), y + (upright or radius) * np.sin(t)) for t in angles]


def _llama(_rng: Rng) -> list[Line]:
    """A llama from the side."""
    return [
        (
            [
                (-0.95, 0.55),
                (-0.6, 0.5),
                (-0.55, 0.2),
                (-0.5, -0.1),
                (0, -0.05),
                (0.5, -0.02),
                (0.85, -0.15),
                (0.8, -0.5),
                (0.85, -1),
            ],
            False,
        ),
        (
            [
                (-0.95, 0.55),
                (-0.98, 0.75),
                (-0.7, 0.88),
                (-0.42, 0.72),
                (-0.25, 0.35),
                (0.1, 0.3),
                (0.6, 0.32),
                (0.95, 0.2),
                (1, 0),
            ],
            False,
        ),
        ([(-0.62, 0.88), (-0.58, 1.05), (-0.48, 0.82)], False),
        ([(0.5, -0.1), (0.45, -0.5), (0.5, -1)], False),
        ([(-0.45, -0.05), (-0.5, -0.5), (-0.45, -1)], False),
        ([(-0.18, -0.05), (-0.15, -0.5), (-0.2, -1)], False),
    ]


def _paco(_rng: Rng) -> list[Line]:
    """A bird's head with a great beak, and a curled body."""
    return [
        ([(-1, -0.1), (-0.85, 0.35), (-0.45, 0.6), (-0.05, 0.75), (-0.02, 0.4), (0.35, 0.25)], False),
        ([(-1, -0.1), (-0.6, -0.02), (-0.3, 0.2), (0.1, 0.15), (0.45, 0.35)], False),
        (ring(-0.3, 0.4, 0.15, 6, 0.12), True),
        ([(0.2, 0.85), (0.3, 0.4), (0.55, 0.5), (0.45, 0.75), (0.3, 0.7)], False),
        (
            [
                (0.2, 0.85),
                (0.55, 0.95),
                (0.85, 0.6),
                (0.9, 0),
                (0.8, -0.6),
                (0.35, -0.95),
                (-0.2, -0.9),
                (-0.3, -0.55),
                (0, -0.25),
                (0.4, -0.25),
                (0.75, 0),
            ],
            False,
        ),
        ([(-0.55, -0.35), (-0.1, -0.3), (0.4, 0.0), (0.7, 0.35)], False),
    ]


def _sun(rng: Rng) -> list[Line]:
    """A sun with a face."""
    rays = int(rng.integers(7, 11))
    lines = [
        (ring(0, 0, 0.5, 10), True),
        ([(-0.2, 0.12), (-0.1, 0.12)], False),
        ([(0.1, 0.12), (0.2, 0.12)], False),
        ([(-0.2, -0.15), (0, -0.25), (0.2, -0.15)], False),
    ]
    for k in range(rays):
        angle = 2 * np.pi * k / rays
        lines.append(
            ([(np.cos(angle) * 0.68, np.sin(angle) * 0.68), (np.cos(angle) * 1.02, np.sin(angle) * 1.02)], False)
        )
    return lines


def _inca(_rng: Rng) -> list[Line]:
    """A head in profile with a headdress."""
    return [
        (
            [
                (-0.35, 0.35),
                (-0.5, 0.0),
                (-0.72, -0.2),
                (-0.5, -0.3),
                (-0.55, -0.5),
                (-0.45, -0.75),
                (0, -0.8),
                (0.15, -1),
            ],
            False,
        ),
        ([(-0.6, 0.38), (0, 0.45), (0.5, 0.35)], False),
        ([(-0.6, 0.38), (-0.62, 0.58), (0, 0.66), (0.55, 0.55), (0.5, 0.35)], False),
        ([(-0.4, 0.62), (-0.5, 1), (-0.15, 0.68)], False),
        ([(-0.05, 0.68), (0.0, 1.1), (0.2, 0.66)], False),
        ([(0.3, 0.62), (0.55, 0.98), (0.52, 0.55)], False),
        ([(0.45, 0.35), (0.6, -0.2), (0.5, -0.6), (0.7, -1)], False),
        (ring(0.25, -0.2, 0.16, 6), True),
        ([(-0.32, 0.1), (-0.12, 0.12)], False),
    ]


def _condor(_rng: Rng) -> list[Line]:
    """A bird with its wings spread."""
    return [
        ([(-1, 0.5), (-0.6, 0.15), (-0.2, 0.1), (0, 0.3), (0.2, 0.1), (0.6, 0.15), (1, 0.5)], False),
        (
            [
                (-1, 0.5),
                (-0.8, -0.1),
                (-0.45, -0.05),
                (-0.5, -0.4),
                (-0.15, -0.25),
                (-0.25, -0.8),
                (0, -0.55),
                (0.25, -0.8),
                (0.15, -0.25),
                (0.5, -0.4),
                (0.45, -0.05),
                (0.8, -0.1),
                (1, 0.5),
            ],
            False,
        ),
        ([(0, 0.3), (-0.12, 0.55), (0.02, 0.7), (0.2, 0.6), (0.32, 0.62), (0.15, 0.45)], False),
    ]


def _alpaca(_rng: Rng) -> list[Line]:
    """A front face with a fringe."""
    return [
        (ring(0, -0.1, 0.5, 9, 0.72), True),
        ([(-0.5, 0.2), (-0.4, 0.55), (-0.15, 0.45), (0, 0.7), (0.15, 0.45), (0.4, 0.55), (0.5, 0.2)], False),
        ([(-0.4, 0.45), (-0.65, 0.95), (-0.2, 0.62)], False),
        ([(0.4, 0.45), (0.65, 0.95), (0.2, 0.62)], False),
        ([(-0.18, -0.4), (0, -0.5), (0.18, -0.4)], False),
        ([(0, -0.5), (0, -0.62)], False),
        ([(-0.25, 0.08), (-0.15, 0.1)], False),
        ([(0.15, 0.1), (0.25, 0.08)], False),
    ]


def _snake(_rng: Rng) -> list[Line]:
    """A snake."""
    return [
        (
            [
                (-1, -0.7),
                (-0.5, -0.9),
                (-0.1, -0.5),
                (-0.5, -0.1),
                (-0.7, 0.3),
                (-0.2, 0.6),
                (0.2, 0.2),
                (0.5, -0.2),
                (0.85, 0.1),
                (0.7, 0.6),
                (0.35, 0.85),
            ],
            False,
        ),
        ([(-0.8, -0.4), (-0.45, -0.55), (-0.75, 0.0)], False),
        ([(0.35, 0.85), (0.15, 1), (0.1, 0.75), (0.35, 0.85)], False),
        ([(0.1, 0.88), (-0.1, 0.95)], False),
        ([(-0.15, 0.35), (0.1, 0.0)], False),
        ([(0.75, 0.0), (0.6, 0.3)], False),
    ]


LINEART: Final = {
    "llama": _llama,
    "paco": _paco,
    "sun": _sun,
    "inca": _inca,
    "condor": _condor,
    "alpaca": _alpaca,
    "snake": _snake,
}
FILLED: Final = ("skull", "star", "heart", "crown", "spade", "flower")


def draw_ace(rng: Rng, kind: str, width: float) -> npt.NDArray[np.uint8]:
    """A face's ink, 0..255, row 0 at the top; `width` of the line in shares of the face."""
    side = RESOLUTION * SUPERSAMPLING
    ink = np.zeros((side, side), np.uint8)

    def place(p: Floats) -> npt.NDArray[np.int32]:
        return np.round((np.stack([p[:, 0], -p[:, 1]], 1) * 0.5 + 0.5) * side * 16).astype(np.int32)[:, None]

    def fill(outline: object, shade: int = 255) -> None:
        cv2.fillPoly(ink, [place(np.asarray(outline, float))], shade, cv2.LINE_AA, 4)

    ax, ay = rng.uniform(0.58, 0.70), rng.uniform(0.50, 0.60)
    if rng.random() < 0.3:
        ax, ay = ay, ax
    if kind in LINEART:
        flip = rng.choice([-1, 1])
        for points, closed in LINEART[kind](rng):
            p = np.array(points, float) + rng.normal(0, 0.018, (len(points), 2))
            p = spline(p, closed) * [ax * flip, ay]
            cv2.polylines(
                ink, [place(p)], False, 255, max(2, round(width * side * rng.uniform(0.85, 1.15))), cv2.LINE_AA, 4
            )
    else:
        s = rng.uniform(0.5, 0.62)
        if kind == "star":
            k = int(rng.choice([5, 6]))
            a = np.pi / 2 + np.arange(2 * k) * np.pi / k
            r = np.where(np.arange(2 * k) % 2 == 0, s, s * 0.45)
            fill(np.stack([r * np.cos(a), r * np.sin(a)], 1))
        elif kind in ("heart", "spade"):
            f = -1 if kind == "spade" else 1
            t = np.linspace(0, 2 * np.pi, 60)
            p = (
                np.stack(
                    [16 * np.sin(t) ** 3, f * (13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))],
                    1,
                )
                / 17
                * s
            )
            fill(p)
            if f < 0:
                fill(np.array([(-0.25, -1), (0.25, -1), (0, 0)]) * s)
        elif kind == "crown":
            fill(np.array([(-1, -0.7), (1, -0.7), (1, 0.6), (0.5, 0), (0, 0.8), (-0.5, 0), (-1, 0.6)]) * s)
            fill(np.array([(-0.9, -0.45), (0.9, -0.45), (0.9, -0.35), (-0.9, -0.35)]) * s, 0)
        elif kind == "flower":
            for i in range(5):
                a = i * 2 * np.pi / 5
                fill(np.array(ring(0.5 * np.cos(a), 0.5 * np.sin(a), 0.33, 20)) * s)
            fill(np.array(ring(0, 0, 0.2, 16)) * s, 0)
        else:  # skull
            fill(
                spline(
                    [
                        (-0.85, 0.2),
                        (-0.6, 0.85),
                        (0, 1),
                        (0.6, 0.85),
                        (0.85, 0.2),
                        (0.6, -0.2),
                        (0.45, -0.35),
                        (0.42, -0.9),
                        (-0.42, -0.9),
                        (-0.45, -0.35),
                        (-0.6, -0.2),
                    ],
                    True,
                )
                * s
            )
            fill(np.array(ring(-0.36, 0.15, 0.24, 14)) * s, 0)
            fill(np.array(ring(0.36, 0.15, 0.24, 14)) * s, 0)
            fill(np.array([(-0.1, -0.28), (0.1, -0.28), (0, -0.02)]) * s, 0)
            for x in (-0.2, 0, 0.2):
                fill(np.array([(x - 0.03, -0.9), (x + 0.03, -0.9), (x + 0.03, -0.55), (x - 0.03, -0.55)]) * s, 0)
    return ink
