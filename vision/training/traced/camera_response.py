"""From light to a camera's picture: exposure, vignette, blur, noise, tone curve and JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.traced.objects.clutter import Rng
from vision.training.traced.objects.mesh import Floats
from vision.training.traced.objects.surfaces import Rgb

Frame = npt.NDArray[np.uint8]
"""height x width x 3, BGR."""


@dataclass(frozen=True, slots=True)
class CameraResponse:
    """How the camera turns light into a picture."""

    key: float
    """Brightness of middle grey in the picture."""
    gains: Rgb
    noise: float
    blur: float
    vignette: float
    contrast: float
    quality: int
    seed: int


def random_response(dim: bool, rng: Rng) -> CameraResponse:
    balance = rng.normal(0, 0.06)
    return CameraResponse(
        key=float(rng.uniform(0.06, 0.11) if dim else np.exp(rng.normal(np.log(0.19), 0.25))),
        gains=(float(1 + balance), 1.0, float(1 - balance)),
        noise=float(rng.uniform(0.02, 0.045) if dim else rng.uniform(0.003, 0.018)),
        blur=float(rng.uniform(0.25, 1.0)),
        vignette=float(rng.uniform(0, 0.35)),
        contrast=float(rng.uniform(0, 0.6)),
        quality=int(rng.integers(72, 96)),
        seed=int(rng.integers(2**31)),
    )


def develop(light: Floats, response: CameraResponse) -> Frame:
    """Linear light, height x width x 3, red first, as a BGR frame; deterministic for a response.

    Under the scene's light a white sheet on the table has a radiance of 1 / pi.
    """
    rng = np.random.default_rng(response.seed)
    luma = light @ np.array([0.21, 0.72, 0.07], np.float32)
    grey = float(np.exp(np.log(np.clip(luma, 1e-4, None)).mean()))
    top = float(np.quantile(luma, 0.985))
    # a dark table is not exposed until the dice on it burn out, nor a white one as grey; mirror images of lamps may
    stops = response.key / 0.19
    exposure = min(response.key / max(grey, 1e-5), 1.1 * stops / max(top, 1e-5), 1.5 * np.pi * stops)
    raw = light * np.float32(exposure) * np.array(response.gains, np.float32)
    h, w = luma.shape
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
    away = ((xs - w / 2) ** 2 + (ys - h / 2) ** 2) / (w**2 + h**2) * 4
    raw *= (1 - response.vignette * away)[..., None]
    raw = cv2.GaussianBlur(raw, (0, 0), response.blur)
    grain = rng.standard_normal(raw.shape).astype(np.float32)
    grain = 0.75 * grain + 0.5 * cv2.GaussianBlur(grain, (0, 0), 0.7)  # demosaicing spreads a sensor's noise
    raw = raw + grain * np.sqrt(np.maximum(raw, 0) + 0.01) * response.noise
    tone = np.clip(raw, 0, 1) ** (1 / 2.2)
    tone = tone + response.contrast * (tone * tone * (3 - 2 * tone) - tone)
    frame = np.round(np.clip(tone, 0, 1) * 255).astype(np.uint8)
    return np.ascontiguousarray(frame[..., ::-1])


def encode(frame: Frame, response: CameraResponse) -> bytes:
    """A frame as JPEG."""
    _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, response.quality])
    return data.tobytes()
