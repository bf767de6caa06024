"""Measures how far the sheet was from flat when its pictures were taken.

A bowed or curled sheet has the same shape in all pictures, unlike an error of the lens, so both are fitted together,
the shape as a quadratic surface (Strobl and Hirzinger 2011, "More accurate pinhole camera calibration with imperfect
planar target"). One Gauss-Newton step from the lens of a flat sheet is enough to tell.
`tests.calibration.solve.test_sheet_shape` simulates it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.image import Doubles
from calibration.sheet.board import COLUMNS, ROWS, SQUARE_MM, corners
from calibration.sheet.sighting import Sighting

_LEAST_BOW_MM: Final = 1.0
"""A bow of 1 mm bends the lens by some 0.2 % at the picture's edge."""
_SURE: Final = 5.0
"""Standard deviations."""
_LIFT: Final = 0.01
"""The height, in squares, by which corners are lifted to see how they move."""


@dataclass(frozen=True, slots=True)
class Bow:
    """The height of a sheet's highest point above its lowest, without its tilt."""

    mm: float
    """For a sheet printed without scaling."""
    error_mm: float
    """One standard deviation."""

    @property
    def certain(self) -> bool:
        """True if the sheet was certainly bowed, and enough to affect lengths on the table."""
        return self.mm >= _LEAST_BOW_MM and self.mm >= _SURE * self.error_mm


FLAT: Final = Bow(0.0, 0.0)


def sheet_bow(views: Sequence[Sighting], camera: Doubles, distortion: Doubles) -> Bow:
    """The bow of the sheet in these views; `camera` (3 x 3) and `distortion` were fitted assuming a flat sheet."""
    rows, off = [], []
    for view in views:
        effects, view_off = _effects(view, camera, distortion)
        pose, shared = effects[:, :6], effects[:, 6:]
        rest = np.eye(len(pose)) - pose @ np.linalg.pinv(pose)  # removes what another pose of this view could explain
        rows.append(rest @ shared)
        off.append(rest @ view_off)
    matrix, wanted = np.vstack(rows), np.concatenate(off)
    fitted = np.linalg.lstsq(matrix, wanted, rcond=None)[0]
    spare = max(1, len(wanted) - 6 * len(views) - len(fitted))
    variance = float(((wanted - matrix @ fitted) ** 2).sum()) / spare
    spread = variance * np.linalg.pinv(matrix.T @ matrix)[-3:, -3:]
    across, down = np.meshgrid(np.linspace(0, COLUMNS, 11), np.linspace(0, ROWS, 15))
    heights = _shape(np.column_stack([across.ravel(), down.ravel()]))
    heights -= heights.mean(axis=0)
    height = heights @ fitted[-3:]
    between = heights[int(height.argmax())] - heights[int(height.argmin())]
    return Bow(SQUARE_MM * float(between @ fitted[-3:]), SQUARE_MM * math.sqrt(float(between @ spread @ between)))


def sheet_pose(
    view: Sighting, camera: Doubles, distortion: Doubles, square: float = 1.0
) -> tuple[Doubles, Doubles] | None:
    """The sheet's rotation (3, a rotation vector) and position (3), in units of `square`, the side of one of its
    squares; None if its corners do not determine them.
    """
    solid = corners(square)[view.ids]
    done, turn, move = cv2.solvePnP(solid, view.points, camera, distortion, flags=cv2.SOLVEPNP_ITERATIVE)
    return (np.asarray(turn, np.float64).ravel(), np.asarray(move, np.float64).ravel()) if done else None


def _shape(places: Doubles) -> Doubles:
    """n x 3: the quadratic terms at these places (n x 2, in squares)."""
    x, y = (places - np.array([COLUMNS, ROWS]) / 2).T
    return np.column_stack([x * x, x * y, y * y])


def _effects(view: Sighting, camera: Doubles, distortion: Doubles) -> tuple[Doubles, Doubles]:
    """The derivatives of a view's corners (2 n) by pose (6), focal length, principal point (2), distortion and shape
    (3); and their errors (2 n).
    """
    solid = corners(1.0)[view.ids]
    pose = sheet_pose(view, camera, distortion)
    assert pose is not None  # the lens was fitted to these views
    turn, move = pose
    seen, slopes = cv2.projectPoints(solid, turn, move, camera, distortion)
    lifted, _ = cv2.projectPoints(solid + np.array([0, 0, _LIFT]), turn, move, camera, distortion)
    rise = (np.asarray(lifted) - np.asarray(seen)).reshape(-1, 2) / _LIFT
    shape = (rise[:, :, None] * _shape(solid[:, :2])[:, None]).reshape(-1, 3)
    bent = [10 + int(n) for n in np.flatnonzero(distortion)]
    focal = slopes[:, 6:7] + slopes[:, 7:8]  # the pixels are square
    effects = np.hstack([slopes[:, :6], focal, slopes[:, 8:10], slopes[:, bent], shape])
    return np.asarray(effects, np.float64), (view.points - np.asarray(seen, np.float64).reshape(-1, 2)).ravel()
