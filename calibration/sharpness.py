"""Measures the blur of a picture in pixels, independent of its brightness and contrast.

Zhuo and Sim, "Defocus map estimation from a single image" (Pattern Recognition 44, 2011): a step edge blurred by a
Gaussian of s pixels and blurred again by a known s0 loses R = sqrt(s^2 + s0^2) / s of its slope, so
s = s0 / sqrt(R^2 - 1); the height of the step cancels out. Four directions are measured, since a moving sheet is
blurred in only one of them.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from calibration.image import Grey

_SECOND_BLUR: Final = 1.5
"""In pixels."""
_SOBEL_BLUR: Final = 0.75
"""Blur, in pixels, that measuring a slope over 3 x 3 pixels adds."""
_LEAST_BLUR: Final = 0.3
"""In pixels; sharper edges cannot be told apart."""
_EDGE_SLOPE: Final = 30.0
"""Sobel value (eight times grey levels per pixel) from which a slope is an edge rather than noise."""
_FEWEST_EDGES: Final = 60
"""With fewer edge pixels a direction is not measured."""


def edge_width(grey: Grey, share: float = 0.5) -> float:
    """The standard deviation of the blur in pixels, in the worst direction; NaN if there are too few edges.

    `share` is the quantile of the edges' widths that is returned: 0.5 where every edge is sharp, as on a printed sheet,
    0.2 on a table with its soft shadows.
    """
    if min(grey.shape) < 16:
        return math.nan
    once = grey.astype(np.float32)
    again = cv2.GaussianBlur(once, (0, 0), _SECOND_BLUR)
    dx, dy = (cv2.Sobel(once, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
    slope = np.asarray(cv2.magnitude(dx, dy))
    after = np.asarray(cv2.magnitude(cv2.Sobel(again, cv2.CV_32F, 1, 0), cv2.Sobel(again, cv2.CV_32F, 0, 1)))
    ridge = slope >= cv2.dilate(slope, np.ones((3, 3), np.uint8)) * 0.999
    # Every eighth row, because sorting all slopes would take longer than everything else.
    limit = max(_EDGE_SLOPE, 0.25 * float(np.quantile(slope[::8], 0.98)))
    edges = ridge & (slope > limit)
    edges[:3], edges[-3:], edges[:, :3], edges[:, -3:] = False, False, False, False
    ratio = slope[edges] / np.maximum(after[edges], 1e-3)
    width = np.sqrt(np.maximum(_SECOND_BLUR**2 / np.maximum(ratio**2 - 1, 1e-3) - _SOBEL_BLUR**2, _LEAST_BLUR**2))
    way = np.round(np.degrees(np.arctan2(dy[edges], dx[edges])) / 45).astype(int) % 4
    found = [
        float(np.quantile(width[way == n], share)) for n in range(4) if np.count_nonzero(way == n) >= _FEWEST_EDGES
    ]
    return max(found, default=math.nan)
