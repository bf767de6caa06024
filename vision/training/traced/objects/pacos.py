"""Line-art ones used nowhere else in this repository, so that the networks cannot have learned them.

u runs right and v down, from -1 to 1 over the face, as in `vision.drawn.faces`.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.drawn.faces import TEXTURE_SIDE, Texture, face_textures
from vision.training.scenes.emblems import EmblemStyle, emblem_faces

_OVERSAMPLING: Final = 4
Line = list[tuple[float, float]]


def _arc(x: float, y: float, rx: float, ry: float, start: float = 0, end: float = 360) -> Line:
    a = np.deg2rad(np.linspace(start, end, 24))
    return list(zip((x + rx * np.cos(a)).tolist(), (y + ry * np.sin(a)).tolist(), strict=True))


def _bezier(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]) -> Line:
    t = np.linspace(0, 1, 20)[:, None]
    p = (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d  # type: ignore[operator]
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


def paco(name: str, stroke: float = 0.1, scale: float = 1.0) -> Texture:
    """A drawing as ink on a face. `stroke`: line width in half face widths."""
    size = TEXTURE_SIDE * _OVERSAMPLING
    canvas = np.zeros((size, size), np.uint8)
    for line in _DRAWINGS[name]:
        pixels = np.round((np.array(line) * scale * 0.5 + 0.5) * size * 16).astype(np.int32)
        thick = max(1, round(stroke * 0.5 * size))
        cv2.polylines(canvas, [pixels.reshape(-1, 1, 2)], False, 255, thick, cv2.LINE_AA, 4)
    small: npt.NDArray[np.uint8] = cv2.resize(canvas, (TEXTURE_SIDE, TEXTURE_SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)


def face_inks(style: EmblemStyle) -> tuple[Texture, ...]:
    """The six faces of a die whose emblem is one of `PACOS` or of `EMBLEMS`, the one first."""
    if style.emblem not in _DRAWINGS:
        return emblem_faces(style)
    return (paco(style.emblem, style.stroke, style.emblem_scale), *face_textures(style)[1:])
