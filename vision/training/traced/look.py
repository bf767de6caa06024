"""From light to a picture as a camera would give it: exposure, vignette, blur, noise, tone and JPEG."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.traced.mesh import Floats
from vision.training.traced.scene import Look

Frame = npt.NDArray[np.uint8]
"""height x width x 3, BGR."""


def develop(light: Floats, look: Look, full: float = 1.0) -> Frame:
    """height x width x 3 linear light, red first, as a BGR frame. The same look gives the same noise.

    full: what to multiply light by so that a white sheet on the table gives 1 / pi; scenes are lit for 1.
    """
    rng = np.random.default_rng(look.seed)
    luma = light @ np.array([0.21, 0.72, 0.07], np.float32)
    grey = float(np.exp(np.log(np.clip(luma, 1e-4, None)).mean()))
    top = float(np.quantile(luma, 0.985))
    # a dark table is not exposed until the dice on it burn out, nor a white one as grey; mirror images of lamps may
    stops = look.key / 0.19
    exposure = min(look.key / max(grey, 1e-5), 1.1 * stops / max(top, 1e-5), 1.5 * np.pi * stops * full)
    raw = light * np.float32(exposure) * np.array(look.gains, np.float32)
    h, w = luma.shape
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
    away = ((xs - w / 2) ** 2 + (ys - h / 2) ** 2) / (w**2 + h**2) * 4
    raw *= (1 - look.vignette * away)[..., None]
    raw = cv2.GaussianBlur(raw, (0, 0), look.blur)
    grain = rng.standard_normal(raw.shape).astype(np.float32)
    grain = 0.75 * grain + 0.5 * cv2.GaussianBlur(grain, (0, 0), 0.7)  # demosaicing spreads a sensor's noise
    raw = raw + grain * np.sqrt(np.maximum(raw, 0) + 0.01) * look.noise
    tone = np.clip(raw, 0, 1) ** (1 / 2.2)
    tone = tone + look.contrast * (tone * tone * (3 - 2 * tone) - tone)
    frame = np.round(np.clip(tone, 0, 1) * 255).astype(np.uint8)
    return np.ascontiguousarray(frame[..., ::-1])


def encode(frame: Frame, look: Look) -> bytes:
    """A frame as the bytes of a JPEG file."""
    _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, look.quality])
    return data.tobytes()
