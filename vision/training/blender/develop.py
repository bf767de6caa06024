"""What a phone's camera makes of the light: lens, exposure, noise, tone. numpy alone."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.blender.colours import Floats, Rng


def _grain(rng: Rng, height: int, width: int, blur: float) -> Floats:
    """Noise of unit strength whose grains are `blur` pixels wide."""
    noise = rng.normal(0, 1, (height, width, 3)).astype(np.float32)
    if blur > 0:
        noise = cv2.GaussianBlur(noise, (0, 0), blur)
        noise /= noise.std()
    return noise


def develop(
    rng: Rng, light: Floats, dim: bool = False, glare: bool = False
) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
    """The picture, red first, and what was done to it. light: height x width x 3, linear, red first."""
    height, width = light.shape[:2]
    facts = {}
    light = np.nan_to_num(np.clip(light, 0, 500)).astype(np.float32)
    # bloom of the lens
    bright = np.clip(light - np.quantile(light, 0.995), 0, np.quantile(light, 0.995) * 6)
    light = light + cv2.GaussianBlur(bright, (0, 0), width / 90) * rng.uniform(0.02, 0.1)
    # white balance: the camera's guess lies between the light's own white and neutral
    luminance = light @ np.array([0.21, 0.72, 0.07], np.float32)
    ok = (luminance > np.quantile(luminance, 0.3)) & (luminance < np.quantile(luminance, 0.98))
    mean = light[ok].mean(0) + 1e-6
    strength = rng.uniform(0.25, 0.6)
    gain = (mean.mean() / mean) ** strength
    gain = np.clip(gain, 0.78, 1.32) * np.exp(rng.normal(0, [0.05, 0.015, 0.05]))
    facts["wb"] = [round(float(x), 2) for x in gain]
    light = light * gain.astype(np.float32)
    # exposure: middle-weighted meter, backed off for highlights
    yy, xx = np.mgrid[0:height, 0:width]
    weight = np.exp(-(((xx / width - 0.5) / 0.4) ** 2 + ((yy / height - 0.5) / 0.4) ** 2))
    key = np.exp((np.log(luminance + 1e-4) * weight).sum() / weight.sum())
    brightest = np.quantile(luminance, 0.97)
    exposure = min(0.19 / key, (1.5 if glare else 0.72) / brightest)
    exposure = max(exposure, 0.05 / key)
    ev = rng.normal(-0.9 if dim else -0.12, 0.28 if not dim else 0.4)
    if glare:
        ev += rng.uniform(0.1, 0.6)
    light = light * (exposure * 2**ev)
    facts["ev"] = round(float(ev), 2)
    # vignetting
    away = ((xx - width / 2) ** 2 + (yy - height / 2) ** 2) / ((width / 2) ** 2 + (height / 2) ** 2)
    vignette = rng.uniform(0.08, 0.4)
    light = light * (1 - vignette * away)[..., None].astype(np.float32)
    # lens blur, a little colour fringe
    blur = abs(rng.normal(0.55, 0.2)) * width / 1700 + (rng.uniform(0.6, 1.4) if rng.random() < 0.12 else 0)
    facts["blur"] = round(float(blur), 2)
    light = cv2.GaussianBlur(light, (0, 0), max(blur, 0.3))
    if rng.random() < 0.12:  # shake
        length = int(rng.integers(3, 7))
        a = rng.uniform(0, np.pi)
        kernel = np.zeros((length, length), np.float32)
        c = (length - 1) / 2
        cv2.line(
            kernel,
            (round(c - c * np.cos(a)), round(c - c * np.sin(a))),
            (round(c + c * np.cos(a)), round(c + c * np.sin(a))),
            1.0,
        )
        light = cv2.filter2D(light, -1, kernel / kernel.sum())
        facts["shake"] = length
    if rng.random() < 0.5:
        z = 1 + rng.uniform(-0.0006, 0.0006)
        for c, zz in ((0, z), (2, 2 - z)):
            M = np.float32([[zz, 0, (1 - zz) * width / 2], [0, zz, (1 - zz) * height / 2]])
            light[..., c] = cv2.warpAffine(
                light[..., c], M, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
    # sensor noise
    iso = np.exp(rng.uniform(np.log(0.5), np.log(2.0))) * (rng.uniform(1.5, 3.5) if dim else 1)
    facts["noise"] = round(float(iso), 2)
    sigma = np.sqrt(np.clip(light, 0, None) * 2.2e-4 * iso + 2.5e-6 * iso**1.6)
    noise = _grain(rng, height, width, rng.uniform(0.35, 0.8))
    noise = 0.75 * noise.mean(2, keepdims=True) * 1.73 + 0.55 * noise
    light = np.clip(light + sigma * noise, 0, None)
    # tone curve with a shoulder
    knee = rng.uniform(0.55, 0.75)
    y = np.where(light < knee, light, knee + (1 - knee) * (1 - np.exp(-(light - knee) / (1 - knee) * 0.9)))
    y = np.where(y <= 0.0031308, 12.92 * y, 1.055 * np.clip(y, 1e-6, None) ** (1 / 2.4) - 0.055)
    contrast = rng.uniform(0, 0.22)
    y = np.clip(y, 0, 1.02)
    y = y + contrast * (y * y * (3 - 2 * y) - y) * 1.0
    grey = y @ np.array([0.3, 0.59, 0.11], np.float32)
    y = grey[..., None] + (y - grey[..., None]) * rng.uniform(0.82, 1.1)
    picture = np.clip(y * 255 + 0.5, 0, 255).astype(np.uint8)
    if iso > 2 and rng.random() < 0.7:  # the phone's own smoothing
        picture = cv2.bilateralFilter(picture, 5, 14 + 4 * iso, 1.6)
    a = rng.uniform(0.15, 0.9)
    b = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.8, 1.4))
    picture = cv2.addWeighted(picture, 1 + a, b, -a, 0)
    return picture, facts
