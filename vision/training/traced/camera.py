"""The pose of the camera, and its projection."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.traced.objects.mesh import Floats

Box = tuple[float, float, float, float]
Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class View:
    """A camera without distortion that looks at the origin."""

    width: int
    """Of the picture, in pixels."""
    height: int
    above: float
    """Millimetres above the table."""
    tilt: float
    """Radians off the vertical."""
    azimuth: float
    """The side it looks from, radians anticlockwise from x."""
    field: float
    """Millimetres of table across the middle of the picture."""

    @property
    def eye(self) -> Floats:
        flat = self.above * np.tan(self.tilt)
        return np.array([flat * np.cos(self.azimuth), flat * np.sin(self.azimuth), self.above], np.float32)

    @property
    def fov(self) -> float:
        """Horizontal angle of view in degrees."""
        away = self.above / np.cos(self.tilt)
        return float(np.rad2deg(2 * np.arctan(self.field / 2 / away)))

    def axes(self) -> Floats:
        """Rows: right, down and forward in the table's axes."""
        forward = -self.eye / np.linalg.norm(self.eye)
        right = np.cross(forward, np.array([0, 1, 0], np.float32))
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(forward, right), forward]).astype(np.float32)

    def project(self, points: npt.ArrayLike) -> Floats:
        """n x 3 on the table to n x 2 pixels; 0, 0 is the upper left corner of the picture."""
        visible_part = (np.asarray(points, np.float32) - self.eye) @ self.axes().T
        focal = self.width / 2 / np.tan(np.deg2rad(self.fov) / 2)
        flat = visible_part[:, :2] / visible_part[:, 2:] * focal
        return np.asarray(flat + np.array([self.width / 2, self.height / 2]), np.float32)

    def on_table(self, pixels: npt.ArrayLike, z: float = 0.0) -> Floats:
        """n x 2 pixels to points x, y of the plane at this height."""
        focal = self.width / 2 / np.tan(np.deg2rad(self.fov) / 2)
        p = (np.asarray(pixels, np.float32) - np.array([self.width / 2, self.height / 2])) / focal
        ways = np.concatenate([p, np.ones((len(p), 1), np.float32)], 1) @ self.axes()
        eye = self.eye
        return np.asarray(eye[:2] + ways[:, :2] * ((z - eye[2]) / ways[:, 2:]), np.float32)

    def corners(self) -> Floats:
        """Where the picture's corners lie on the table, 4 x 2."""
        w, h = self.width, self.height
        return self.on_table([[0, 0], [w, 0], [w, h], [0, h]])


@dataclass(frozen=True, slots=True)
class VisiblePart:
    """What the picture shows of a die."""

    box: Box
    """Round the visible part, in pixels."""
    hidden: float
    """0 to 1: the share of its outline that is covered or cut off by the frame."""


def visible_part(points: Floats, mine: npt.NDArray[np.bool_], view: View) -> VisiblePart | None:
    """The visible part of a convex body, or None.

    points: the body's, n x 3; mine: height x width, the pixels that show it.
    """
    outline = cv2.convexHull(view.project(points))
    area = float(cv2.contourArea(outline))
    x, y, w, h = cv2.boundingRect(outline)
    x0, y0 = max(0, x - 1), max(0, y - 1)
    part = mine[y0 : max(y0, y + h + 1), x0 : max(x0, x + w + 1)]
    ys, xs = np.nonzero(part)
    if not len(ys):
        return None
    box = (float(x0 + xs.min()), float(y0 + ys.min()), float(np.ptp(xs) + 1), float(np.ptp(ys) + 1))
    return VisiblePart(box, float(np.clip(1 - len(ys) / area, 0, 1)))
