"""Computes the box of a whole die from the corners of its top face, for tables rendered elsewhere.

Such a label has `quad`, the corners of the top face in pixels at its height; its table has `mm_per_px` in the middle of
the picture, and `meta` with `tilt_deg`, `camera_cm` (to the middle of the table), `die_mm` and `barrel_k`. The camera
is tilted about the picture's horizontal axis, with the point below it under the middle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
"""n x 2, in pixels."""

_ROUNDNESS: Final = 1.38
"""Radius of the sphere that rounds the corners, in half edges."""
_LEVELS: Final = (0.85, 0.0, -0.85)
"""Heights of the outlines that make up the body, in half edges from its middle."""
_ANGLES: Final = np.linspace(0, 2 * np.pi, 32, endpoint=False)


def body_box(die: Mapping[str, Any], table: Mapping[str, Any]) -> tuple[float, float, float, float]:
    """x, y, width, height of the whole die in pixels; `table` is its picture's entry in the labels."""
    corners = np.float32([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    to_picture = cv2.getPerspectiveTransform(corners, _undistorted(np.array(die["quad"], float), table).astype("f4"))
    half = table["meta"]["die_mm"] / 2
    outlines = []
    for level in _LEVELS:
        square = 1 / np.maximum(np.abs(np.cos(_ANGLES)), np.abs(np.sin(_ANGLES)))
        reach = np.minimum(square, np.sqrt(_ROUNDNESS**2 - level**2))
        outline = np.stack([np.cos(_ANGLES) * reach, np.sin(_ANGLES) * reach], -1)
        on_top = cv2.perspectiveTransform(outline[None].astype(np.float32), to_picture)[0].astype(float)
        outlines.append(_lowered(on_top, (1 - level) * half, table))
    points = _distorted(np.concatenate(outlines), table)
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return left, top, right - left, bottom - top


def _lowered(points: Points, by: float, table: Mapping[str, Any]) -> Points:
    """Where the camera sees points `by` millimetres below these points of the tops' plane."""
    meta = table["meta"]
    away = meta["camera_cm"] * 10.0
    tilt = np.radians(meta["tilt_deg"])
    focal = away / table["mm_per_px"]
    down = np.array([0.0, np.sin(tilt), np.cos(tilt)])  # right, down, forward
    rays = np.column_stack([points / focal, np.ones(len(points))])
    tops = rays * ((away * np.cos(tilt) - meta["die_mm"]) / (rays @ down))[:, None] + down * by
    return np.asarray(tops[:, :2] / tops[:, 2:] * focal)


def _undistorted(points: Points, table: Mapping[str, Any]) -> Points:
    """Offsets from the middle of the picture, without the lens's distortion."""
    middle, reach = _middle(table)
    away = points - middle
    return np.asarray(away * (1 + table["meta"]["barrel_k"] * (away**2).sum(-1, keepdims=True) / reach**2))


def _distorted(points: Points, table: Mapping[str, Any]) -> Points:
    middle, reach = _middle(table)
    wanted = np.linalg.norm(points, axis=-1, keepdims=True) / reach
    k, seen = table["meta"]["barrel_k"], wanted.copy()
    for _ in range(20):  # Newton's method
        seen -= (seen * (1 + k * seen**2) - wanted) / (1 + 3 * k * seen**2)
    return np.asarray(middle + points * np.divide(seen, wanted, out=np.ones_like(seen), where=wanted > 0))


def _middle(table: Mapping[str, Any]) -> tuple[Points, float]:
    """The middle of the picture, and its distance from a corner."""
    middle = np.array([table["width"], table["height"]]) / 2
    return middle, float(np.linalg.norm(middle))
