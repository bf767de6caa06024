"""Finds the sheet in a picture: its corners, and how sharp it is."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Doubles, Grey, Image, grey_of
from calibration.sharpness import edge_width
from calibration.sheet.board import corners, pattern

FEWEST_CORNERS: Final = 6
"""With fewer corners the sheet is not found: four define its plane, and one may be wrong."""

_FEWEST_IN_BOTH: Final = 4
"""The least number of corners that two sightings must share to be compared."""
_SMALL_WIDTH: Final = 1000
"""In pixels; a narrower picture (a preview) is enlarged first, to read distant markers."""
_STRAY: Final = 0.25
"""The most, in squares, that a corner may be off the plane of the others; lens distortion moves it by less."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """The sheet in one picture."""

    ids: npt.NDArray[np.int64]
    """n: ids of the inner corners that were found."""
    points: Doubles
    """n x 2: their positions in pixels; the centre of the upper left pixel is 0, 0."""
    width: int
    """Width of the picture in pixels."""
    height: int
    blur: float
    """Standard deviation of the blur of the sheet's edges in pixels, in the worst direction. At least 0.3, the least
    that can be measured; NaN if there are too few edges."""

    @property
    def hull(self) -> Doubles:
        """n x 2: the convex hull of the corners."""
        return np.asarray(cv2.convexHull(self.points.astype(np.float32)), np.float64).reshape(-1, 2)

    def shift(self, other: Sighting) -> float:
        """Mean movement of the corners, as a share of the picture's width; infinite if both share too few."""
        _, ours, theirs = np.intersect1d(self.ids, other.ids, return_indices=True)
        if len(ours) < _FEWEST_IN_BOTH:
            return math.inf
        return float(np.linalg.norm(self.points[ours] - other.points[theirs], axis=1).mean()) / self.width

    def at_size(self, width: int, height: int) -> Sighting:
        """The same sighting in the picture scaled to another size; `blur` is not scaled."""
        points = (self.points + 0.5) * np.array([width / self.width, height / self.height]) - 0.5
        return replace(self, points=points, width=width, height=height)


@cache
def _detector() -> cv2.aruco.CharucoDetector:
    marking = cv2.aruco.DetectorParameters()
    marking.adaptiveThreshWinSizeMax = 53  # near sheets have markers of a hundred pixels
    marking.adaptiveThreshWinSizeStep = 10
    marking.minMarkerPerimeterRate = 0.015
    return cv2.aruco.CharucoDetector(pattern(), cv2.aruco.CharucoParameters(), marking)


def find_sheet(image: Image | Grey) -> Sighting | None:
    """Find the sheet in a picture; None if fewer than `FEWEST_CORNERS` of its corners are found."""
    grey = grey_of(image)
    height, width = grey.shape
    scale = 2 if width < _SMALL_WIDTH else 1
    large = np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)) if scale > 1 else grey
    places, ids, _, _ = _detector().detectBoard(large)
    if ids is None or len(ids) < FEWEST_CORNERS:
        return None
    points = (np.asarray(places, np.float64).reshape(-1, 2) + 0.5) / scale - 0.5
    numbers = np.asarray(ids, np.int64).ravel()
    fits = _of_one_plane(numbers, points)
    numbers, points = numbers[fits], points[fits]
    if len(numbers) < FEWEST_CORNERS or _in_a_line(numbers):
        return None
    return Sighting(numbers, points, width, height, _blur(grey, points))


def _of_one_plane(ids: npt.NDArray[np.int64], points: Doubles) -> npt.NDArray[np.bool_]:
    """Which corners lie in one plane, allowing for lens distortion."""
    plane, _ = cv2.findHomography(points, corners(1.0)[ids, :2], cv2.RANSAC, _STRAY)
    if plane is None:
        return np.zeros(len(ids), np.bool_)
    off = cv2.perspectiveTransform(points[None], plane)[0] - corners(1.0)[ids, :2]
    return np.asarray(np.linalg.norm(off, axis=1) < _STRAY)


def _in_a_line(ids: npt.NDArray[np.int64]) -> bool:
    spread = np.linalg.svd(corners(1.0)[ids, :2] - corners(1.0)[ids, :2].mean(axis=0), compute_uv=False)
    return bool(spread[1] < 0.5)


def _blur(grey: Grey, points: Doubles) -> float:
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    region = grey[max(0, int(top)) : int(bottom) + 2, max(0, int(left)) : int(right) + 2]
    return edge_width(region)
