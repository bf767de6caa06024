"""Where the camera stands and what it sees. Centimetres; the table is z = 0, z is up. numpy alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vision.training.blender.colours import Floats


class View:
    """A pinhole that looks at the origin."""

    def __init__(
        self, width: int, height: int, field: float, distance: float, tilt: float, azimuth: float, roll: float
    ) -> None:
        """Pixels; the field across in degrees; centimetres; tilt in degrees from straight down; the rest radians."""
        self.width, self.height, self.field, self.azimuth = width, height, field, azimuth
        self.focal = width / 2 / math.tan(math.radians(field) / 2)
        t = math.radians(tilt)
        self.place = np.array(
            [
                distance * math.sin(t) * math.cos(azimuth),
                distance * math.sin(t) * math.sin(azimuth),
                distance * math.cos(t),
            ]
        )
        back = self.place / np.linalg.norm(self.place)
        far = np.array([-math.cos(azimuth), -math.sin(azimuth), 0.0])
        up = far - back * (far @ back)
        up /= np.linalg.norm(up)
        right = np.cross(up, back)
        c, s = math.cos(roll), math.sin(roll)
        self.axes = np.stack([c * right + s * up, -s * right + c * up, back])
        """Right, up and back."""

    def project(self, points: Any) -> Floats:
        """Pixels, x and y, of points."""
        seen = (np.asarray(points, float) - self.place) @ self.axes.T
        return np.stack(
            [
                self.width / 2 + self.focal * seen[..., 0] / -seen[..., 2],
                self.height / 2 - self.focal * seen[..., 1] / -seen[..., 2],
            ],
            -1,
        )

    def ground(self, x: float, y: float) -> Floats:
        """The table's point behind a pixel."""
        ray = np.array([(x - self.width / 2) / self.focal, -(y - self.height / 2) / self.focal, -1.0]) @ self.axes
        return np.asarray((self.place + ray * -self.place[2] / ray[2])[:2])

    def footprint(self, grow: float = 1.0) -> Floats:
        """What of the table is seen: 4 x 2, in order round it."""
        corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return np.array(
            [self.ground(self.width * (0.5 + 0.5 * grow * x), self.height * (0.5 + 0.5 * grow * y)) for x, y in corners]
        )
