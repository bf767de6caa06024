"""A virtual lens: flat pictures in space, as a camera with this lens would see them.

Unlike a real camera's, its parameters are known exactly, so the result of a calibration can be compared with them.

Lengths are in millimetres. The camera looks along z; x runs to the picture's right and y down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.protocol import Image

Doubles = npt.NDArray[np.float64]

_DARK: Final = (40, 52, 46)
"""The background, in blue, green and red."""
_COARSE: Final = 8
"""Pixels between two computed rays; those between are interpolated."""
_ROUNDS: Final = 30
"""Iterations of the search for a pixel's ray."""


@dataclass(frozen=True, slots=True)
class FlatPicture:
    """A flat picture somewhere in front of the camera."""

    image: Image
    mm: float
    """The size of one of its pixels."""
    corner: tuple[float, float, float]
    """Where its upper left corner is."""
    across: tuple[float, float, float]
    """The direction of its rows, of length 1."""
    down: tuple[float, float, float]
    """The direction of its columns, of length 1."""


def flat_picture(image: Image, mm: float, middle: Sequence[float], turn: Sequence[float]) -> FlatPicture:
    """A picture with its middle at a point, turned in its plane by the last of `turn`, then tipped about x and y.

    `mm` is the size of a pixel, `turn` is in degrees.
    """
    about_x, about_y, about_z = (math.radians(each) for each in turn)
    rotation = _about(1, about_y) @ _about(0, about_x) @ _about(2, about_z)
    across, down = rotation[:, 0], rotation[:, 1]
    height, width = image.shape[:2]
    corner = np.asarray(middle, np.float64) - across * (width * mm / 2) - down * (height * mm / 2)
    return FlatPicture(image, mm, _three(corner), _three(across), _three(down))


class VirtualLens:
    """A lens in front of a sensor of `size` (width, height) pixels."""

    def __init__(self, size: tuple[int, int], matrix: Doubles, distortion: Doubles) -> None:
        """`matrix` and `distortion` are as in OpenCV, in pixels."""
        self.size = size
        self.matrix = matrix
        self.distortion = distortion
        self._rays = self._of_pixels()

    @classmethod
    def usual(cls, size: tuple[int, int] = (1280, 960)) -> VirtualLens:
        """A lens like a Pi camera's: 66 degrees wide, a little off centre, with a few pixels of barrel distortion."""
        width, height = size
        focal = 0.77 * width
        matrix = np.array(
            [[focal, 0, 0.506 * width - 0.5], [0, focal * 1.002, 0.492 * height - 0.5], [0, 0, 1]], np.float64
        )
        return cls(size, matrix, np.array([-0.085, 0.06, 0.0006, -0.0004, -0.012]))

    def see(self, pictures: Sequence[FlatPicture], behind: Image | None = None) -> Image:
        """What the camera sees of `pictures`, the nearest last, in front of `behind`."""
        width, height = self.size
        picture = np.empty((height, width, 3), np.uint8)
        picture[:] = _DARK if behind is None else behind
        for flat in pictures:
            self._lay(picture, flat)
        return picture

    def place(self, point: Sequence[float]) -> tuple[float, float]:
        """Where a point is seen, in pixels; the centre of the upper left pixel is 0, 0."""
        found, _ = cv2.projectPoints(
            np.asarray(point, np.float64).reshape(1, 1, 3), np.zeros(3), np.zeros(3), self.matrix, self.distortion
        )
        x, y = np.asarray(found).reshape(2).tolist()
        return x, y

    def _lay(self, picture: Image, sheet: FlatPicture) -> None:
        to_ray = np.column_stack([sheet.across, sheet.down, sheet.corner])
        from_ray = np.diag([1 / sheet.mm, 1 / sheet.mm, 1.0]) @ np.linalg.inv(to_ray)
        flat = self._rays @ from_ray.T.astype(np.float32)
        ahead = flat[..., 2] > 0
        away = np.where(ahead, flat[..., 2], 1)
        x, y = flat[..., 0] / away - 0.5, flat[..., 1] / away - 0.5
        high, wide = sheet.image.shape[:2]
        inside = ahead & (x > -0.5) & (y > -0.5) & (x < wide - 0.5) & (y < high - 0.5)
        rows, columns = np.flatnonzero(inside.any(1)), np.flatnonzero(inside.any(0))
        if not len(rows):
            return
        part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        seen = cv2.remap(
            sheet.image,
            np.clip(x[part], -9, wide + 9).astype(np.float32),
            np.clip(y[part], -9, high + 9).astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        picture[part][inside[part]] = seen[inside[part]]

    def _of_pixels(self) -> npt.NDArray[np.float32]:
        """height x width x 3: the ray of every pixel."""
        width, height = self.size
        across, down = np.arange(0, width + _COARSE, _COARSE), np.arange(0, height + _COARSE, _COARSE)
        pixels = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2).astype(np.float64)
        focal, centre = np.diag(self.matrix)[:2], self.matrix[:2, 2]
        wanted = (pixels - centre) / focal
        rays = wanted.copy()
        for _ in range(_ROUNDS):
            ahead = np.column_stack([rays, np.ones(len(rays))])[:, None]
            found, _ = cv2.projectPoints(ahead, np.zeros(3), np.zeros(3), self.matrix, self.distortion)
            rays += wanted - (np.asarray(found, np.float64).reshape(-1, 2) - centre) / focal
        coarse = rays.reshape(len(down), len(across), 2).astype(np.float32)
        x, y = (axis.astype(np.float32) / _COARSE for axis in np.meshgrid(np.arange(width), np.arange(height)))
        fine = cv2.remap(coarse, x, y, cv2.INTER_LINEAR)
        return np.dstack([fine, np.ones((height, width), np.float32)])


def _about(axis: int, angle: float) -> Doubles:
    vector = np.zeros(3)
    vector[axis] = angle
    rotation, _ = cv2.Rodrigues(vector)
    return np.asarray(rotation, np.float64)


def _three(vector: Doubles) -> tuple[float, float, float]:
    x, y, z = vector.tolist()
    return x, y, z
