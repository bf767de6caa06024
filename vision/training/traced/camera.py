"""The camera over a traced table: its pose, and how it renders the light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.traced.objects.clutter import Rng
from vision.training.traced.objects.mesh import Floats
from vision.training.traced.objects.surfaces import Rgb

Box = tuple[float, float, float, float]
Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class View:
    """A camera without distortion that looks at the origin."""

    width: int
    """Width of the picture in pixels."""
    height: int
    above: float
    """Millimetres above the table."""
    tilt: float
    """Radians off the vertical."""
    azimuth: float
    """The side it looks from, radians anticlockwise from x."""
    field: float
    """Millimetres of table across the middle of the picture."""

    @property
    def eye(self) -> Floats:
        flat = self.above * np.tan(self.tilt)
        return np.array([flat * np.cos(self.azimuth), flat * np.sin(self.azimuth), self.above], np.float32)

    @property
    def fov(self) -> float:
        """Horizontal angle of view in degrees."""
        away = self.above / np.cos(self.tilt)
        return float(np.rad2deg(2 * np.arctan(self.field / 2 / away)))

    def axes(self) -> Floats:
        """Rows: right, down and forward in the table's axes."""
        forward = -self.eye / np.linalg.norm(self.eye)
        right = np.cross(forward, np.array([0, 1, 0], np.float32))
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(forward, right), forward]).astype(np.float32)

    def project(self, points: npt.ArrayLike) -> Floats:
        """n x 3 on the table to n x 2 pixels; 0, 0 is the upper left corner of the picture."""
        visible_part = (np.asarray(points, np.float32) - self.eye) @ self.axes().T
        focal = self.width / 2 / np.tan(np.deg2rad(self.fov) / 2)
        flat = visible_part[:, :2] / visible_part[:, 2:] * focal
        return np.asarray(flat + np.array([self.width / 2, self.height / 2]), np.float32)

    def on_table(self, pixels: npt.ArrayLike, z: float = 0.0) -> Floats:
        """n x 2 pixels to points x, y of the plane at this height."""
        focal = self.width / 2 / np.tan(np.deg2rad(self.fov) / 2)
        p = (np.asarray(pixels, np.float32) - np.array([self.width / 2, self.height / 2])) / focal
        ways = np.concatenate([p, np.ones((len(p), 1), np.float32)], 1) @ self.axes()
        eye = self.eye
        return np.asarray(eye[:2] + ways[:, :2] * ((z - eye[2]) / ways[:, 2:]), np.float32)

    def corners(self) -> Floats:
        """The picture's corners on the table, 4 x 2."""
        w, h = self.width, self.height
        return self.on_table([[0, 0], [w, 0], [w, h], [0, h]])


@dataclass(frozen=True, slots=True)
class VisiblePart:
    """The part of a die that the picture shows."""

    box: Box
    """Around the visible part, in pixels."""
    hidden: float
    """0 to 1: the share of its outline that is covered or cut off by the frame."""


def visible_part(points: Floats, mine: npt.NDArray[np.bool_], view: View) -> VisiblePart | None:
    """The visible part of a convex body, or None.

    points: the body's, n x 3; mine: height x width, the pixels that show it.
    """
    outline = cv2.convexHull(view.project(points))
    area = float(cv2.contourArea(outline))
    x, y, w, h = cv2.boundingRect(outline)
    x0, y0 = max(0, x - 1), max(0, y - 1)
    part = mine[y0 : max(y0, y + h + 1), x0 : max(x0, x + w + 1)]
    ys, xs = np.nonzero(part)
    if not len(ys):
        return None
    box = (float(x0 + xs.min()), float(y0 + ys.min()), float(np.ptp(xs) + 1), float(np.ptp(ys) + 1))
    return VisiblePart(box, float(np.clip(1 - len(ys) / area, 0, 1)))


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
    """Convert linear light, height x width x 3, red first, to a BGR frame; deterministic for a response.

    Under the scene's light, a white sheet on the table has a radiance of 1 / pi.
    """
    rng = np.random.default_rng(response.seed)
    luma = light @ np.array([0.21, 0.72, 0.07], np.float32)
    grey = float(np.exp(np.log(np.clip(luma, 1e-4, None)).mean()))
    top = float(np.quantile(luma, 0.985))
    # Neither is a dark table exposed until its dice burn out, nor a white one as grey; mirror images of lamps may burn
    # out.
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
