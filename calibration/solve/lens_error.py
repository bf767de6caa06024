"""Estimates how well a lens is known at the edge of the picture, by the jackknife (Tukey 1958).

The lens is fitted again without each view. Views that are too similar, or all in the middle of the picture, do not
determine the edge. The reprojection error does not show that, and neither do OpenCV's standard deviations, which take
the model for granted. `tests.calibration.solve.test_lens_error` simulates it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from calibration.image import Doubles
from calibration.sheet.sighting import Sighting
from calibration.solve.rays import rays_of


def edge_error(
    views: Sequence[Sighting], size: tuple[int, int], fit: Callable[[Sequence[Sighting]], tuple[Doubles, Doubles]]
) -> float:
    """The relative error (one standard deviation) of lengths at the picture's edge, if they are right in the middle.

    `fit` returns the camera matrix and the distortion for some of the views; it may raise `ValueError`.
    """
    across, down = np.meshgrid(np.linspace(0, size[0] - 1, 9), np.linspace(0, size[1] - 1, 7))
    pixels = np.column_stack([across.ravel(), down.ravel()])
    lengths = []
    for left_out in range(len(views)):
        others = [view for n, view in enumerate(views) if n != left_out]
        try:
            lengths.append(_lengths(*fit(others), pixels, size))
        except ValueError:
            return math.inf  # they do not even determine a lens
    spread = np.sqrt((len(views) - 1) * np.var(lengths, axis=0)) / np.mean(lengths, axis=0)
    return float(np.max(spread))


def _lengths(camera: Doubles, distortion: Doubles, pixels: Doubles, size: tuple[int, int]) -> Doubles:
    """Distances of the rays of these pixels from the middle one, relative to those of pixels near the middle."""
    middle = (np.array(size) - 1) / 2
    ring = middle + 0.15 * size[0] * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
    rays = rays_of(np.vstack([middle, ring, pixels]), camera, distortion)
    far = np.linalg.norm(rays[1:] - rays[0], axis=1)
    return np.asarray(far[4:][np.linalg.norm(pixels - middle, axis=1) > 0.2 * size[0]] / far[:4].mean(), np.float64)
