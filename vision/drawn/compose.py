"""Composes pictures of tables from surfaces, shadows and sprites, in linear light 0 to 1, red first."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Image

Linear = npt.NDArray[np.float32]
"""height x width x 3, linear light, red first."""
Mask = npt.NDArray[np.float32]
"""height x width, 0..1."""


def to_linear(rgb: tuple[int, int, int]) -> tuple[float, float, float]:
    """8-bit sRGB to linear light, by the power 2.2."""
    r, g, b = ((c / 255) ** 2.2 for c in rgb)
    return r, g, b


def to_image(canvas: Linear) -> Image:
    """Linear light to an 8-bit BGR frame."""
    encoded = np.power(np.clip(canvas[..., ::-1], 0, 1), 1 / 2.2) * 255
    return np.ascontiguousarray(np.round(encoded).astype(np.uint8))


def cloud(height: int, width: int, grain: float, rng: np.random.Generator) -> Mask:
    """Smooth random field of mean 0 and standard deviation about 1; `grain` is its feature size in pixels."""
    h, w = max(2, int(height / grain) + 2), max(2, int(width / grain) + 2)
    field = rng.normal(0, 1, (h, w)).astype(np.float32)
    return np.asarray(cv2.resize(field, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def window(canvas: npt.NDArray[np.generic], x: int, y: int, w: int, h: int) -> tuple[slice, slice, slice, slice]:
    """Where a w x h patch at x, y overlaps the canvas: canvas rows, columns, patch rows, columns."""
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(canvas.shape[1], x + w), min(canvas.shape[0], y + h)
    x1, y1 = max(x0, x1), max(y0, y1)
    return slice(y0, y1), slice(x0, x1), slice(y0 - y, y1 - y), slice(x0 - x, x1 - x)


def paste(canvas: Linear, rgb: Linear, alpha: Mask, x: int, y: int) -> None:
    """Blend a patch over the canvas in place, its upper left corner at x, y."""
    rows, cols, prow, pcol = window(canvas, x, y, alpha.shape[1], alpha.shape[0])
    a = alpha[prow, pcol, None]
    canvas[rows, cols] = canvas[rows, cols] * (1 - a) + rgb[prow, pcol] * a


def darken(canvas: Linear, shade: Mask, x: int, y: int, strength: float) -> None:
    """Darken the canvas in place where `shade` is."""
    rows, cols, prow, pcol = window(canvas, x, y, shade.shape[1], shade.shape[0])
    canvas[rows, cols] *= 1 - strength * shade[prow, pcol, None]


def cast_shadow(alpha: Mask, reach: tuple[float, float], softness: float) -> tuple[Mask, int]:
    """The shadow of an outline, and its margin in pixels; the top casts it `reach` pixels right and down."""
    margin = int(max(abs(reach[0]), abs(reach[1])) + 3 * softness + 2)
    base = cv2.copyMakeBorder(alpha, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=0)
    total = np.zeros_like(base)
    steps = 6
    for step in range(1, steps + 1):
        share = step / steps
        move = np.array([[1, 0, reach[0] * share], [0, 1, reach[1] * share]], dtype=np.float32)
        moved = cv2.warpAffine(base, move, (base.shape[1], base.shape[0]))
        total = np.maximum(total, cv2.GaussianBlur(moved, (0, 0), 0.4 + softness * share) * (1 - 0.35 * share))
    return total.astype(np.float32), margin
