"""Converts between pixels and rays of a lens."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.image import Doubles


def rays_of(pixels: Doubles, camera: Doubles, distortion: Doubles) -> Doubles:
    """n x 2: the rays that the lens shows at these pixels."""
    wanted = (pixels - camera[:2, 2]) / np.array([camera[0, 0], camera[1, 1]])
    rays = wanted.copy()
    for _ in range(60):  # not cv2.undistortPoints: OpenCV 4 and 5 take the number of steps in different ways
        rays = np.clip(rays + wanted - distorted(rays, distortion), -20, 20)
    return np.asarray(rays, np.float64)


def distorted(rays: Doubles, distortion: Doubles) -> Doubles:
    """n x 2: the points at which a lens of focal length 1 shows these rays."""
    solid = np.column_stack([rays, np.ones(len(rays))])[:, None]
    points, _ = cv2.projectPoints(solid, np.zeros(3), np.zeros(3), np.eye(3), distortion)
    return np.asarray(points, np.float64).reshape(-1, 2)
