"""Emblems for the one, besides the paco of `vision.drawn.faces`, as editions not seen here may have.

The line art is ours: no edition's own drawing is copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.drawn.faces import (
    Canvas,
    FaceStyle,
    Line,
    Texture,
    blank_canvas,
    draw_curve,
    draw_disc,
    draw_polygon,
    face_textures,
    ring,
    texture_of,
)

EMBLEMS: Final = (
    "pip",
    "paco",
    "bird",
    "skull",
    "star",
    "sun",
    "crown",
    "spiral",
    "flower",
    "heart",
    "wedge",
    "doodle",
)
"""A doodle is a random drawing from `EmblemStyle.seed`, since any face without pips is a one."""


@dataclass(frozen=True, slots=True)
class EmblemStyle(FaceStyle):
    """A style whose `emblem` is one of `EMBLEMS`."""

    seed: int = 0
    """Of the doodle."""


def emblem_faces(style: EmblemStyle) -> tuple[Texture, ...]:
    """The six faces, the one first."""
    faces = face_textures(style)
    if style.emblem in ("pip", "paco"):
        return faces
    canvas = blank_canvas()
    _emblem(canvas, style)
    return (texture_of(canvas), *faces[1:])


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
    """Random lines, rings, dots and filled shapes, one time in three mirrored."""
    rng = np.random.default_rng(style.seed)
    w, s = style.stroke, style.emblem_scale
    side = canvas.shape[0]
    filled = rng.uniform() < 0.25
    for _ in range(int(rng.integers(1, 4) if filled else rng.integers(3, 9))):
        kind = rng.uniform()
        if filled and kind < 0.7:
            angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 9))))
            radii = rng.uniform(0.2, 0.62, len(angles))
            outline = zip((radii * np.cos(angles)).tolist(), (radii * np.sin(angles)).tolist(), strict=True)
            draw_polygon(canvas, list(outline), s)
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
            angles = np.deg2rad(np.arange(10) * 36 - 90)
            radii = np.where(np.arange(10) % 2 == 0, 0.6, 0.26)
            draw_polygon(
                canvas,
                list(zip((radii * np.cos(angles)).tolist(), (radii * np.sin(angles)).tolist(), strict=True)),
                s,
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
            a = np.linspace(0, 5 * np.pi, 40)
            r = 0.05 + 0.036 * a
            draw_curve(canvas, list(zip((r * np.cos(a)).tolist(), (r * np.sin(a)).tolist(), strict=True)), w, s)
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
