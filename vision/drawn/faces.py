"""The six faces of a die as textures of ink.

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

_CANVAS_SIDE: Final = 4 * TEXTURE_SIDE
"""Faces are drawn larger than their textures, to smooth their edges."""
_FRACTION_BITS: Final = 4
"""Fractional bits of the coordinates given to cv2."""

Texture = npt.NDArray[np.float32]
"""`TEXTURE_SIDE` squared: 0 where the body is bare, 1 where there is ink."""
Canvas = npt.NDArray[np.uint8]
"""A face being drawn: `_CANVAS_SIDE` squared, 0 where bare, 255 where there is ink."""
Line = list[tuple[float, float]]

_PIPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
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
    """What is on the one: `paco` or `pip`."""
    stroke: float = 0.09
    """Line width of the emblem."""
    emblem_scale: float = 1.0
    flipped: bool = False
    """Twos and threes run along the other diagonal; both kinds of dice are sold."""


def face_textures(style: FaceStyle) -> tuple[Texture, ...]:
    """The six faces, beginning with the one."""
    return tuple(texture_of(_draw_face(face, style)) for face in range(1, 7))


def _draw_face(face: int, style: FaceStyle) -> Canvas:
    canvas = blank_canvas()
    if face > 1:
        for x, y in _PIPS[face]:
            right = -x if style.flipped and face in (2, 3) else x
            draw_disc(canvas, right * style.spread, y * style.spread, style.pip_radius)
    elif style.emblem == "paco":
        _draw_paco(canvas, style.stroke, style.emblem_scale)
    else:
        draw_disc(canvas, 0, 0, style.pip_radius * style.one_scale)
    return canvas


def _draw_paco(canvas: Canvas, w: float, s: float) -> None:
    """A bird's head in lines: long beak, eye, folded crest."""
    draw_curve(canvas, [(-0.62, 0.08), (-0.5, -0.3), (-0.1, -0.5), (0.1, -0.46), (0.05, -0.2)], w, s)
    draw_curve(canvas, [(-0.62, 0.08), (-0.35, -0.02), (0.0, -0.08), (0.3, -0.2)], w, s)
    draw_curve(canvas, ring(-0.2, -0.24, 0.14, 0.1), w, s)
    draw_curve(
        canvas,
        [(0.22, -0.5), (0.45, -0.55), (0.62, -0.3), (0.62, 0.2), (0.45, 0.5), (0.1, 0.52)],
        w,
        s,
    )
    draw_curve(canvas, [(0.1, 0.52), (-0.15, 0.48), (-0.1, 0.22), (0.2, 0.14), (0.4, 0.0)], w, s)
    draw_curve(canvas, [(-0.3, 0.12), (0.1, 0.06), (0.35, -0.12)], w, s)
    draw_curve(canvas, ring(0.32, -0.36, 0.1, 0.1, 40, 300), w, s)


def blank_canvas() -> Canvas:
    """A face without ink."""
    return np.zeros((_CANVAS_SIDE, _CANVAS_SIDE), np.uint8)


def texture_of(canvas: Canvas) -> Texture:
    """The texture of a drawn face."""
    small = cv2.resize(canvas, (TEXTURE_SIDE, TEXTURE_SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32) / np.float32(255)


def to_pixels(points: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    """Points of a face, n x 2, in pixels of its canvas with `_FRACTION_BITS`."""
    return np.round((points * 0.5 + 0.5) * _CANVAS_SIDE * 2**_FRACTION_BITS).astype(np.int32)


def draw_curve(canvas: Canvas, points: Line, width: float, scale: float) -> None:
    """Draw a smooth stroke through the points (Catmull-Rom)."""
    p = np.array([points[0], *points, points[-1]], dtype=np.float64) * scale
    t = np.linspace(0, 1, 12, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(p[:-3], p[1:-2], p[2:-1], p[3:], strict=True):
        pieces.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    draw_line(canvas, np.vstack([*pieces, p[-1:]]), width)


def draw_line(canvas: Canvas, points: npt.NDArray[np.float64], width: float) -> None:
    """Draw a stroke through the points, n x 2."""
    thick = max(1, round(width * 0.5 * _CANVAS_SIDE))
    cv2.polylines(canvas, [to_pixels(points).reshape(-1, 1, 2)], False, 255, thick, cv2.LINE_AA, _FRACTION_BITS)


def draw_disc(canvas: Canvas, x: float, y: float, radius: float, value: int = 255) -> None:
    """Draw a filled circle; `value` 0 erases."""
    centre = to_pixels(np.array([x, y])).tolist()
    size = round(radius * 0.5 * _CANVAS_SIDE * 2**_FRACTION_BITS)
    cv2.circle(canvas, centre, size, value, -1, cv2.LINE_AA, _FRACTION_BITS)


def draw_polygon(canvas: Canvas, points: Line, scale: float) -> None:
    """Draw a filled shape."""
    outline = to_pixels(np.array(points, dtype=np.float64) * scale).reshape(-1, 1, 2)
    cv2.fillPoly(canvas, [outline], 255, cv2.LINE_AA, _FRACTION_BITS)


def ring(x: float, y: float, rx: float, ry: float, start: float = 0, turn: float = 360) -> Line:
    """Points of an ellipse or of its arc; angles in degrees."""
    angles = np.deg2rad(np.linspace(start, start + turn, 14))
    return [(x + rx * float(np.cos(a)), y + ry * float(np.sin(a))) for a in angles]
