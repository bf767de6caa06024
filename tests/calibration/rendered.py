"""A simulated camera that photographs the sheet, or any flat picture, from any place.

There is no photograph of a real sheet in this repository. Unlike real ones, these pictures have no bent paper, and no
lens that is sharper in the middle than in its corners.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.sheet.board import COLUMNS, ROWS, SQUARE_MM, picture

Doubles = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

FINE = 96
"""Pixels a square of the sheet's own picture."""


@dataclass(frozen=True)
class Pose:
    """The middle of the sheet, in millimetres in front of the camera, and its rotation."""

    x: float = 0.0
    y: float = 0.0
    z: float = 500.0
    sideways: float = 0.0
    """Degrees its right edge is turned away."""
    lengthways: float = 0.0
    turn: float = 0.0
    """Degrees in its plane."""

    def matrix(self) -> Doubles:
        """3 x 3: millimetres on the sheet, with the middle at 0, 0, to rays."""
        a, b, c = np.radians([self.lengthways, self.sideways, self.turn])
        rotation = (
            np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
            @ np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
            @ np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
        )
        return np.column_stack([rotation[:, 0], rotation[:, 1], [self.x, self.y, self.z]])


@dataclass(frozen=True)
class Eye:
    """A camera with a known lens."""

    width: int = 2304
    height: int = 1296
    focal: float = 1693.0
    off: tuple[float, float] = (0.0, 0.0)
    """Pixels by which the axis misses the middle."""
    distortion: tuple[float, ...] = (0.03, -0.06, 0.0, 0.0, 0.0)
    blur: float = 0.7
    """Pixels."""
    noise: float = 2.0
    """Grey levels."""
    light: float = 1.0
    slope: float = 0.3
    """The share by which the left edge of the picture is darker than the right."""
    seed: int = 1
    rng: np.random.Generator = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rng", np.random.default_rng(self.seed))

    @property
    def camera(self) -> Doubles:
        x, y = (self.width - 1) / 2 + self.off[0], (self.height - 1) / 2 + self.off[1]
        return np.array([[self.focal, 0, x], [0, self.focal, y], [0, 0, 1]])

    @property
    def _rays(self) -> Doubles:
        """The ray of each pixel: 1 x (height * width) x 2."""
        return _rays(self.width, self.height, self.focal, self.off, self.distortion)

    def _bent(self, rays: Doubles) -> Doubles:
        return _bent(rays, self.distortion)

    def photograph(self, flat: Image, px_per_mm: float, pose: Pose, behind: Image | None = None) -> Image:
        """A photograph of a flat picture with its middle at `pose`, in front of a plain table."""
        to_sheet = np.linalg.inv(pose.matrix())
        mm = cv2.perspectiveTransform(self._rays, to_sheet)[0]
        ahead = (self._rays[0] @ to_sheet[2, :2] + to_sheet[2, 2]) > 0
        height, width = flat.shape[:2]
        places = mm * px_per_mm + np.array([width, height]) / 2 - 0.5
        places[~ahead] = -1e4
        places = np.clip(places, -1e4, 1e4).astype(np.float32).reshape(self.height, self.width, 2)
        scale = self.focal / pose.z / px_per_mm
        soft = flat if scale >= 1 else np.asarray(cv2.GaussianBlur(flat, (0, 0), 0.45 / scale), np.uint8)
        image = cv2.remap(
            soft, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT, dst=self._table(behind)
        )
        return self._exposed(np.asarray(image))

    def sheet(self, pose: Pose, square_mm: float = SQUARE_MM, behind: Image | None = None) -> Image:
        """A photograph of the sheet with its white border."""
        return self.photograph(picture(FINE), FINE / square_mm, pose, behind)

    def _table(self, behind: Image | None) -> Image:
        if behind is not None:
            return np.asarray(cv2.resize(behind, (self.width, self.height)), np.uint8).copy()
        return np.full((self.height, self.width), 110, np.uint8)

    def _exposed(self, light: Image) -> Image:
        image = light.astype(np.float32)
        if self.blur:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), self.blur), np.float32)
        lamp = np.linspace(1 - self.slope, 1, self.width, dtype=np.float32)
        lamp = lamp if image.ndim == 2 else lamp[:, None]
        image = (image * 0.8 + 20) * lamp * self.light
        image += self.rng.normal(0, self.noise, image.shape).astype(np.float32)
        image = np.clip(image, 0, 255).astype(np.uint8)
        return image if image.ndim == 3 else np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)


@lru_cache(maxsize=4)
def _rays(width: int, height: int, focal: float, off: tuple[float, float], distortion: tuple[float, ...]) -> Doubles:
    # Worked out for every fourth pixel, and in between to some thousandths of a pixel.
    pixels = 4.0 * np.stack(np.meshgrid(np.arange(width // 4 + 2), np.arange(height // 4 + 2)), axis=-1)
    distorted = (pixels.reshape(-1, 2) - np.array([(width - 1) / 2, (height - 1) / 2]) - np.array(off)) / focal
    rays = distorted.copy()
    for _ in range(15):
        rays += distorted - _bent(rays, distortion)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32) / 4, np.arange(height, dtype=np.float32) / 4)
    return np.asarray(cv2.remap(rays.reshape(pixels.shape), x, y, cv2.INTER_LINEAR)).reshape(1, -1, 2)


def _bent(rays: Doubles, distortion: tuple[float, ...]) -> Doubles:
    """The image of these rays in a lens of focal length 1."""
    solid = np.column_stack([rays, np.ones(len(rays))])[:, None]
    points, _ = cv2.projectPoints(solid, np.zeros(3), np.zeros(3), np.eye(3), np.array(distortion))
    return np.asarray(points).reshape(-1, 2)


def dance(eye: Eye) -> list[Pose]:
    """Twelve poses of the sheet, as the page asks for them: near, in every part of the picture, some tilted."""
    near = 1.55 * ROWS * SQUARE_MM * eye.focal / eye.height
    across, down = (0.30 * near * side / eye.focal for side in (eye.width, eye.height))
    return [
        Pose(0, 0, near),
        Pose(-across, -down, 1.1 * near, turn=90),
        Pose(across, -down, 1.1 * near, sideways=25, turn=90),
        Pose(across, down, 1.1 * near, turn=85, lengthways=-10),
        Pose(-across, down, 1.1 * near, sideways=-25, turn=95),
        Pose(0, -down, 1.1 * near, lengthways=28, turn=90),
        Pose(0, down, 1.2 * near, lengthways=-28, turn=88),
        Pose(-across, 0, near, sideways=20),
        Pose(across, 0, near, sideways=-30),
        Pose(0, 0, 1.3 * near, sideways=30, lengthways=20, turn=30),
        Pose(-0.5 * across, 0.2 * down, 0.9 * near, lengthways=30, turn=10),
        Pose(0.5 * across, -0.2 * down, 0.9 * near, sideways=-20, turn=-20),
    ]


def size_mm(square_mm: float = SQUARE_MM) -> tuple[float, float]:
    """The size of the board without its border."""
    return COLUMNS * square_mm, ROWS * square_mm


STANDARD = Eye(1152, 648, 846.0, off=(6.0, -4.0))
"""The standard Camera Module 3, its pictures halved twice."""
WIDE = Eye(1152, 648, 491.0, off=(-5.0, 3.0), distortion=(-0.02, -0.01, 0.0004, -0.0003, 0.0), seed=2)
"""The wide one."""
