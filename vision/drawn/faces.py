"""The six faces of a die as textures of ink: pips, pacos and other emblems.

u runs right and v down, both from -1 to 1 over the face.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

TEXTURE_SIDE: Final = 128
"""Side of a face texture in pixels."""

_OVERSAMPLING: Final = 4  # for smooth edges

Texture = npt.NDArray[np.float32]
"""`TEXTURE_SIDE` squared; 0 is the bare body, 1 is ink."""

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
"""Drawings of the one. The line art is ours: no edition's own drawing is copied. A doodle is a random drawing from
`FaceStyle.seed`: whatever is no pips is a one.
"""

_C: Final = (-1, 0, 1)
_PIPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """How one maker draws faces, in half face widths."""

    pip_radius: float = 0.19
    spread: float = 0.5
    """Distance of a corner pip from the middle, along each side."""
    one_scale: float = 1.0
    """Size of the single pip of a one, relative to the others."""
    emblem: str = "pip"
    """One of `EMBLEMS`."""
    stroke: float = 0.09
    """Line width of the emblem."""
    emblem_scale: float = 1.0
    flipped: bool = False
    """Twos and threes along the other diagonal: both are sold."""
    seed: int = 0
    """Of the doodle."""


def _pixel(points: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    side = TEXTURE_SIDE * _OVERSAMPLING
    return np.round((points * 0.5 + 0.5) * side * 16).astype(np.int32)  # 4 fractional bits for cv2


def _curve(canvas: npt.NDArray[np.uint8], points: list[tuple[float, float]], width: float, scale: float) -> None:
    """A smooth stroke through the points (Catmull-Rom)."""
    p = np.array([points[0], *points, points[-1]], dtype=np.float64) * scale
    t = np.linspace(0, 1, 12, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(p[:-3], p[1:-2], p[2:-1], p[3:], strict=True):
        pieces.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    line = _pixel(np.vstack([*pieces, p[-1:]]))
    thick = max(1, round(width * 0.5 * TEXTURE_SIDE * _OVERSAMPLING))
    cv2.polylines(canvas, [line.reshape(-1, 1, 2)], False, 255, thick, cv2.LINE_AA, 4)


def _disc(canvas: npt.NDArray[np.uint8], x: float, y: float, r: float, value: int = 255) -> None:
    side = TEXTURE_SIDE * _OVERSAMPLING
    centre = (round((x * 0.5 + 0.5) * side * 16), round((y * 0.5 + 0.5) * side * 16))
    cv2.circle(canvas, centre, round(r * 0.5 * side * 16), value, -1, cv2.LINE_AA, 4)


def _polygon(canvas: npt.NDArray[np.uint8], points: list[tuple[float, float]], scale: float) -> None:
    cv2.fillPoly(canvas, [_pixel(np.array(points, dtype=np.float64) * scale).reshape(-1, 1, 2)], 255, cv2.LINE_AA, 4)


def _ring(x: float, y: float, rx: float, ry: float, start: float = 0, turn: float = 360) -> list[tuple[float, float]]:
    angles = np.deg2rad(np.linspace(start, start + turn, 14))
    return [(x + rx * float(np.cos(a)), y + ry * float(np.sin(a))) for a in angles]


def _walk(rng: np.random.Generator) -> list[tuple[float, float]]:
    """A line that wanders over the face, bending little at each step."""
    at, way = rng.uniform(-0.5, 0.5, 2), rng.uniform(0, 2 * np.pi)
    bend = rng.normal(0, 0.5)
    points = [(float(at[0]), float(at[1]))]
    for _ in range(int(rng.integers(2, 7))):
        way += bend + rng.normal(0, 0.5)
        at = np.clip(at + rng.uniform(0.15, 0.42) * np.array([np.cos(way), np.sin(way)]), -0.66, 0.66)
        points.append((float(at[0]), float(at[1])))
    return points


def _doodle(canvas: npt.NDArray[np.uint8], style: FaceStyle) -> None:
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
            _polygon(canvas, list(outline), s)
        elif kind < 0.7:
            _curve(canvas, _walk(rng), w, s)
        elif kind < 0.85:
            x, y = rng.uniform(-0.35, 0.35, 2).tolist()
            rx, ry = rng.uniform(0.08, 0.3, 2).tolist()
            _curve(canvas, _ring(x, y, rx, ry, rng.uniform(0, 360), rng.uniform(180, 360)), w, s)
        elif kind < 0.93:
            _polygon(canvas, [(x, y) for x, y in rng.uniform(-0.5, 0.5, (3, 2)).tolist()], s)
        else:
            x, y = rng.uniform(-0.3, 0.3, 2).tolist()
            _disc(canvas, x * s, y * s, float(rng.uniform(0.6, 1.2)) * w, int(rng.choice([0, 255])))
    if rng.uniform() < 0.35:
        canvas[:, side // 2 :] = canvas[:, : side // 2][:, ::-1]
    if np.count_nonzero(canvas > 127) < 0.03 * side * side:  # almost empty: add a stamp in the middle
        _polygon(canvas, _ring(0, 0, 0.4, 0.5)[:-1], s)


def _paco(canvas: npt.NDArray[np.uint8], w: float, s: float) -> None:
    """A bird's head in lines: long beak, eye, folded crest."""
    _curve(canvas, [(-0.62, 0.08), (-0.5, -0.3), (-0.1, -0.5), (0.1, -0.46), (0.05, -0.2)], w, s)
    _curve(canvas, [(-0.62, 0.08), (-0.35, -0.02), (0.0, -0.08), (0.3, -0.2)], w, s)
    _curve(canvas, _ring(-0.2, -0.24, 0.14, 0.1), w, s)
    _curve(
        canvas,
        [(0.22, -0.5), (0.45, -0.55), (0.62, -0.3), (0.62, 0.2), (0.45, 0.5), (0.1, 0.52)],
        w,
        s,
    )
    _curve(canvas, [(0.1, 0.52), (-0.15, 0.48), (-0.1, 0.22), (0.2, 0.14), (0.4, 0.0)], w, s)
    _curve(canvas, [(-0.3, 0.12), (0.1, 0.06), (0.35, -0.12)], w, s)
    _curve(canvas, _ring(0.32, -0.36, 0.1, 0.1, 40, 300), w, s)


def _bird(canvas: npt.NDArray[np.uint8], w: float, s: float) -> None:
    _curve(canvas, [(-0.6, -0.1), (-0.3, -0.4), (0.1, -0.3), (0.3, 0.0), (0.6, 0.1)], w, s)
    _curve(
        canvas,
        [(-0.6, -0.1), (-0.35, 0.05), (-0.25, 0.35), (0.05, 0.5), (0.4, 0.35), (0.6, 0.1)],
        w,
        s,
    )
    _curve(canvas, [(-0.1, 0.1), (0.1, 0.28), (0.35, 0.2)], w, s)
    _disc(canvas, -0.3 * s, -0.15 * s, w)
    _curve(canvas, [(0.0, 0.5), (0.0, 0.66)], w, s)


def _emblem(canvas: npt.NDArray[np.uint8], style: FaceStyle) -> None:
    w, s = style.stroke, style.emblem_scale
    match style.emblem:
        case "paco":
            _paco(canvas, w, s)
        case "bird":
            _bird(canvas, w, s)
        case "skull":
            _disc(canvas, 0, -0.15 * s, 0.45 * s)
            _polygon(canvas, [(-0.25, 0.1), (0.25, 0.1), (0.22, 0.5), (-0.22, 0.5)], s)
            for x in (-0.18, 0.18):
                _disc(canvas, x * s, -0.12 * s, 0.12 * s, 0)
        case "star":
            angles = np.deg2rad(np.arange(10) * 36 - 90)
            radii = np.where(np.arange(10) % 2 == 0, 0.6, 0.26)
            _polygon(
                canvas,
                list(zip((radii * np.cos(angles)).tolist(), (radii * np.sin(angles)).tolist(), strict=True)),
                s,
            )
        case "sun":
            _curve(canvas, _ring(0, 0, 0.3, 0.3), w, s)
            for a in np.deg2rad(np.arange(0, 360, 45)):
                x, y = float(np.cos(a)), float(np.sin(a))
                _curve(canvas, [(0.42 * x, 0.42 * y), (0.64 * x, 0.64 * y)], w, s)
        case "crown":
            _polygon(
                canvas,
                [(-0.5, 0.4), (-0.6, -0.4), (-0.25, 0.0), (0, -0.5), (0.25, 0.0), (0.6, -0.4), (0.5, 0.4)],
                s,
            )
        case "spiral":
            a = np.linspace(0, 5 * np.pi, 40)
            r = 0.05 + 0.036 * a
            _curve(canvas, list(zip((r * np.cos(a)).tolist(), (r * np.sin(a)).tolist(), strict=True)), w, s)
        case "flower":
            for a in np.deg2rad(np.arange(0, 360, 60)):
                x, y = float(np.cos(a)), float(np.sin(a))
                _curve(canvas, _ring(0.33 * x, 0.33 * y, 0.18, 0.18), w, s)
        case "heart":
            _disc(canvas, -0.22 * s, -0.15 * s, 0.27 * s)
            _disc(canvas, 0.22 * s, -0.15 * s, 0.27 * s)
            _polygon(canvas, [(-0.47, -0.05), (0.47, -0.05), (0.0, 0.55)], s)
        case "wedge":
            _polygon(canvas, [(-0.55, -0.35), (0.55, -0.35), (0.0, 0.6)], s)
        case "doodle":
            _doodle(canvas, style)
        case _:
            _disc(canvas, 0, 0, style.pip_radius * style.one_scale)


def face_textures(style: FaceStyle) -> tuple[Texture, ...]:
    """The six faces, the one first."""
    textures: list[Texture] = []
    for face in range(1, 7):
        canvas = np.zeros((TEXTURE_SIDE * _OVERSAMPLING, TEXTURE_SIDE * _OVERSAMPLING), np.uint8)
        if face == 1:
            _emblem(canvas, style)
        else:
            for x, y in _PIPS[face]:
                sx = -x if style.flipped and face in (2, 3) else x
                _disc(canvas, sx * style.spread, y * style.spread, style.pip_radius)
        small = cv2.resize(canvas, (TEXTURE_SIDE, TEXTURE_SIDE), interpolation=cv2.INTER_AREA)
        textures.append(np.asarray(small, dtype=np.float32) / np.float32(255))
    return tuple(textures)
