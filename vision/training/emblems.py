"""Emblems for the one, besides the paco of `vision.drawn.faces`, such as unknown editions may have.

The line art is our own: no edition's drawing is copied. `PACOS` are on no die used for training, so that they can
measure what was learned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.drawn.faces import (
    Canvas,
    FaceStyle,
    Line,
    Texture,
    blank_canvas,
    draw_curve,
    draw_disc,
    draw_line,
    draw_polygon,
    face_textures,
    ring,
    texture_of,
)

EMBLEMS: Final = (
    "pip", "paco", "bird", "skull", "star", "sun", "crown", "spiral", "flower", "heart", "wedge", "doodle",
)  # fmt: skip
"""A doodle is a random drawing from `EmblemStyle.seed`, because any face without pips is a one."""


@dataclass(frozen=True, slots=True)
class EmblemStyle(FaceStyle):
    """A style whose `emblem` is one of `EMBLEMS` or `PACOS`."""

    seed: int = 0
    """Seed of the doodle."""


def emblem_faces(style: EmblemStyle) -> tuple[Texture, ...]:
    """The six faces, the one first."""
    faces = face_textures(style)
    if style.emblem in ("pip", "paco"):
        return faces
    canvas = blank_canvas()
    for line in _DRAWINGS.get(style.emblem, ()):
        draw_line(canvas, np.array(line) * style.emblem_scale, style.stroke)
    _emblem(canvas, style)
    return (texture_of(canvas), *faces[1:])


def _polar(radii: npt.NDArray[np.float64], angles: npt.NDArray[np.float64]) -> Line:
    return list(zip((radii * np.cos(angles)).tolist(), (radii * np.sin(angles)).tolist(), strict=True))


def _walk(rng: np.random.Generator) -> Line:
    """A line that wanders over the face, bending little at each step."""
    at, way = rng.uniform(-0.5, 0.5, 2), rng.uniform(0, 2 * np.pi)
    bend = rng.normal(0, 0.5)
    points = [(float(at[0]), float(at[1]))]
    for _ in range(int(rng.integers(2, 7))):
        way += bend + rng.normal(0, 0.5)
        at = np.clip(at + rng.uniform(0.15, 0.42) * np.array([np.cos(way), np.sin(way)]), -0.66, 0.66)
        points.append((float(at[0]), float(at[1])))
    return points


def _doodle(canvas: Canvas, style: EmblemStyle) -> None:
    """Random lines, rings, dots and filled shapes; a third of them mirrored."""
    rng = np.random.default_rng(style.seed)
    w, s = style.stroke, style.emblem_scale
    side = canvas.shape[0]
    filled = rng.uniform() < 0.25
    for _ in range(int(rng.integers(1, 4) if filled else rng.integers(3, 9))):
        kind = rng.uniform()
        if filled and kind < 0.7:
            angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 9))))
            radii = rng.uniform(0.2, 0.62, len(angles))
            draw_polygon(canvas, _polar(radii, angles), s)
        elif kind < 0.7:
            draw_curve(canvas, _walk(rng), w, s)
        elif kind < 0.85:
            x, y = rng.uniform(-0.35, 0.35, 2).tolist()
            rx, ry = rng.uniform(0.08, 0.3, 2).tolist()
            draw_curve(canvas, ring(x, y, rx, ry, rng.uniform(0, 360), rng.uniform(180, 360)), w, s)
        elif kind < 0.93:
            draw_polygon(canvas, [(x, y) for x, y in rng.uniform(-0.5, 0.5, (3, 2)).tolist()], s)
        else:
            x, y = rng.uniform(-0.3, 0.3, 2).tolist()
            draw_disc(canvas, x * s, y * s, float(rng.uniform(0.6, 1.2)) * w, int(rng.choice([0, 255])))
    if rng.uniform() < 0.35:
        canvas[:, side // 2 :] = canvas[:, : side // 2][:, ::-1]
    if np.count_nonzero(canvas > 127) < 0.03 * side * side:  # almost empty: add a stamp in the middle
        draw_polygon(canvas, ring(0, 0, 0.4, 0.5)[:-1], s)


def _bird(canvas: Canvas, w: float, s: float) -> None:
    draw_curve(canvas, [(-0.6, -0.1), (-0.3, -0.4), (0.1, -0.3), (0.3, 0.0), (0.6, 0.1)], w, s)
    draw_curve(
        canvas,
        [(-0.6, -0.1), (-0.35, 0.05), (-0.25, 0.35), (0.05, 0.5), (0.4, 0.35), (0.6, 0.1)],
        w,
        s,
    )
    draw_curve(canvas, [(-0.1, 0.1), (0.1, 0.28), (0.35, 0.2)], w, s)
    draw_disc(canvas, -0.3 * s, -0.15 * s, w)
    draw_curve(canvas, [(0.0, 0.5), (0.0, 0.66)], w, s)


def _emblem(canvas: Canvas, style: EmblemStyle) -> None:
    w, s = style.stroke, style.emblem_scale
    match style.emblem:
        case "bird":
            _bird(canvas, w, s)
        case "skull":
            draw_disc(canvas, 0, -0.15 * s, 0.45 * s)
            draw_polygon(canvas, [(-0.25, 0.1), (0.25, 0.1), (0.22, 0.5), (-0.22, 0.5)], s)
            for x in (-0.18, 0.18):
                draw_disc(canvas, x * s, -0.12 * s, 0.12 * s, 0)
        case "star":
            draw_polygon(
                canvas, _polar(np.where(np.arange(10) % 2 == 0, 0.6, 0.26), np.deg2rad(np.arange(10) * 36 - 90)), s
            )
        case "sun":
            draw_curve(canvas, ring(0, 0, 0.3, 0.3), w, s)
            for a in np.deg2rad(np.arange(0, 360, 45)):
                x, y = float(np.cos(a)), float(np.sin(a))
                draw_curve(canvas, [(0.42 * x, 0.42 * y), (0.64 * x, 0.64 * y)], w, s)
        case "crown":
            draw_polygon(
                canvas,
                [(-0.5, 0.4), (-0.6, -0.4), (-0.25, 0.0), (0, -0.5), (0.25, 0.0), (0.6, -0.4), (0.5, 0.4)],
                s,
            )
        case "spiral":
            turns = np.linspace(0, 5 * np.pi, 40)
            draw_curve(canvas, _polar(0.05 + 0.036 * turns, turns), w, s)
        case "flower":
            for a in np.deg2rad(np.arange(0, 360, 60)):
                x, y = float(np.cos(a)), float(np.sin(a))
                draw_curve(canvas, ring(0.33 * x, 0.33 * y, 0.18, 0.18), w, s)
        case "heart":
            draw_disc(canvas, -0.22 * s, -0.15 * s, 0.27 * s)
            draw_disc(canvas, 0.22 * s, -0.15 * s, 0.27 * s)
            draw_polygon(canvas, [(-0.47, -0.05), (0.47, -0.05), (0.0, 0.55)], s)
        case "wedge":
            draw_polygon(canvas, [(-0.55, -0.35), (0.55, -0.35), (0.0, 0.6)], s)
        case "doodle":
            _doodle(canvas, style)


def _arc(x: float, y: float, rx: float, ry: float, start: float = 0, end: float = 360) -> Line:
    a = np.deg2rad(np.linspace(start, end, 24))
    return list(zip((x + rx * np.cos(a)).tolist(), (y + ry * np.sin(a)).tolist(), strict=True))


def _bezier(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]) -> Line:
    t = np.linspace(0, 1, 20)[:, None]
    p = (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d
    return [(float(x), float(y)) for x, y in p]


_DRAWINGS: Final[dict[str, list[Line]]] = {
    "warrior": [  # a man's profile under a feathered headdress
        _bezier((-0.18, -0.2), (-0.3, -0.05), (-0.42, 0.1), (-0.34, 0.16)),
        [(-0.34, 0.16), (-0.24, 0.18), (-0.28, 0.26), (-0.2, 0.3), (-0.26, 0.38)],
        _bezier((-0.26, 0.38), (-0.2, 0.52), (-0.02, 0.5), (0.06, 0.42)),
        _bezier((0.06, 0.42), (0.12, 0.5), (0.16, 0.58), (0.3, 0.6)),
        _arc(-0.12, 0.04, 0.06, 0.03),
        _bezier((-0.3, -0.22), (0.0, -0.28), (0.22, -0.14), (0.3, 0.1)),
        [(-0.26, -0.26), (-0.4, -0.56), (-0.18, -0.33)],
        [(-0.1, -0.34), (-0.12, -0.66), (0.05, -0.32)],
        [(0.1, -0.3), (0.24, -0.62), (0.24, -0.22)],
        [(0.28, -0.18), (0.55, -0.42), (0.38, -0.02)],
        [(0.34, 0.04), (0.64, -0.06), (0.38, 0.2)],
        _arc(0.14, 0.14, 0.07, 0.09, -60, 240),
    ],
    "condor": [  # wings spread, seen from the front, wings in steps
        [(-0.08, -0.1), (-0.3, -0.38), (-0.3, -0.26), (-0.5, -0.38), (-0.48, -0.2), (-0.66, -0.22), (-0.5, 0.06)],
        [(-0.5, 0.06), (-0.3, 0.1), (-0.12, 0.16)],
        [(0.08, -0.1), (0.3, -0.38), (0.3, -0.26), (0.5, -0.38), (0.48, -0.2), (0.66, -0.22), (0.5, 0.06)],
        [(0.5, 0.06), (0.3, 0.1), (0.12, 0.16)],
        _arc(0, -0.3, 0.12, 0.13, 110, 430),
        [(0.0, -0.3), (0.14, -0.22), (0.02, -0.2)],
        _bezier((-0.1, 0.16), (-0.14, 0.36), (-0.2, 0.5), (-0.24, 0.56)),
        _bezier((0.1, 0.16), (0.14, 0.36), (0.2, 0.5), (0.24, 0.56)),
        [(-0.24, 0.56), (-0.08, 0.48), (0.0, 0.6), (0.08, 0.48), (0.24, 0.56)],
        [(0.0, 0.02), (0.0, 0.34)],
    ],
    "serpent": [  # a coiled feathered snake, broken where a stamp would break
        _bezier((-0.5, -0.2), (-0.52, -0.56), (-0.05, -0.6), (-0.02, -0.3)),
        _bezier((-0.02, -0.3), (0.0, -0.02), (-0.56, 0.0), (-0.52, 0.3)),
        _bezier((-0.52, 0.3), (-0.46, 0.66), (0.1, 0.58), (0.16, 0.28)),
        _bezier((0.18, 0.18), (0.2, -0.1), (0.34, -0.3), (0.54, -0.22)),
        _bezier((0.54, -0.22), (0.66, -0.1), (0.5, 0.06), (0.42, -0.04)),
        [(-0.5, -0.2), (-0.64, -0.1), (-0.4, -0.1), (-0.36, -0.24)],
        _arc(-0.34, -0.36, 0.05, 0.05),
        [(0.06, -0.44), (0.16, -0.56), (0.16, -0.36)],
        [(0.08, 0.02), (-0.06, 0.12), (0.06, 0.18)],
        [(-0.28, 0.36), (-0.18, 0.28), (-0.1, 0.38)],
        [(0.34, 0.2), (0.5, 0.3), (0.36, 0.36)],
    ],
    "mask": [  # a square face of terraces with ringed eyes and teeth
        [(-0.5, -0.42), (-0.28, -0.42), (-0.28, -0.56), (0.28, -0.56), (0.28, -0.42), (0.5, -0.42), (0.5, 0.3)],
        [(0.5, 0.36), (0.3, 0.56), (-0.3, 0.56), (-0.5, 0.36), (-0.5, -0.36)],
        _arc(-0.23, -0.16, 0.13, 0.13),
        _arc(0.23, -0.16, 0.13, 0.13),
        [(0.0, -0.14), (-0.08, 0.1), (0.08, 0.1)],
        [(-0.28, 0.24), (0.28, 0.24), (0.28, 0.4), (-0.28, 0.4), (-0.28, 0.24)],
        [(-0.1, 0.24), (-0.1, 0.4)],
        [(0.1, 0.24), (0.1, 0.4)],
    ],
}

PACOS: Final = tuple(_DRAWINGS)
