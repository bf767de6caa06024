"""Rectifies frames, as if the camera hung straight above the table, and maps boxes back to the frame.

The lens's distortion is removed and the plane of the table is turned to face the viewer by its homography. Things above
the plane keep their perspective: the top of a die, 16 mm up, appears a little farther from the camera than its foot.

The rectified picture shows all of the table that the frame shows; dice in the middle keep their size. If that takes
more than `MAX_ENLARGEMENT` times the frame's pixels, the parts seen nearly from the side, where no top can be read, are
cut off first, and then the whole picture is shrunk.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Doubles, Image
from calibration.profile import Lens, Profile
from vision.patch import Move
from vision.reading import Box

MAX_ENLARGEMENT: Final = 2.0
"""The most pixels of the rectified picture, as a multiple of the frame's pixels."""
STEEPEST_VIEW: Final = 75.0
"""The largest angle of the middle of the frame, in degrees from straight down; beyond it no top can be read."""

_NO_CAMERA: Final = "This profile fits no camera: calibrate the camera and the table again."
_ASPECT: Final = 0.01
"""The largest relative difference between the aspect ratios of the frame and of the lens's pictures."""
_VIEW_LIMITS: Final = (85.0, 80.0, 75.0, 70.0)
"""Degrees from straight down at which the picture of the table may end; the horizon is at 90.

The first one is taken at which the picture's scale is at least `_FULL_SIZE`, else the last.
"""
_FULL_SIZE: Final = 0.98
_GRID_SIZE: Final = (65, 49)
"""Sample points across and down the frame; odd, so that the middles of its sides are among them."""
_RAY_ITERATIONS: Final = 60
"""Iterations to find a pixel's ray; a wide lens needs some 30 in its corners."""
_RAY_TOLERANCE: Final = 0.1
"""The most that a ray may miss its pixel by, in pixels."""
_REACH_MARGIN: Final = 1.03
"""Rays this many times longer than the longest of any pixel are outside the frame, although the distortion polynomial
may fold back into it.
"""
_STRIP_ROWS: Final = 256
"""Rows of the maps that are computed at a time; all at once would take four times their memory."""
_OUTSIDE_FRAME: Final = -16.0
"""A coordinate outside the frame, for the interpolation of its neighbours too."""
_PIXEL_CENTRE: Final = 0.5
"""OpenCV's origin is the centre of the first pixel; the origin of boxes is its corner."""


class RectifyError(ValueError):
    """The profile cannot rectify these frames. The message says what to do about it."""


class Rectifier:
    """Rectifies frames of one size. Creating one takes as long as about ten frames."""

    def __init__(self, profile: Profile, width: int, height: int) -> None:
        """Frames are `width` x `height` pixels and have the field of view of the lens's pictures.

        Raises `RectifyError` if the profile has no lens, if its pictures had another shape, or if the middle of the
        frame does not look down on the table.
        """
        if profile.lens is None:
            raise RectifyError("This profile knows nothing of the lens: calibrate the camera first.")
        self._lens = _LensModel(profile.lens, width, height)
        plane = self._lens.camera
        if profile.table is not None:
            plane = np.array(profile.table.homography) @ np.array(profile.lens.matrix)
        canvas = _canvas(self._lens, plane)
        self.size = canvas.size
        """Width and height of the rectified pictures, in pixels."""
        self.below, self.height = _below(canvas.from_ray)
        """The point below the camera and the camera's height above it, in pixels of the rectified pictures."""
        self._reach = canvas.reach
        self._to_ray = np.linalg.inv(canvas.from_ray)
        self._maps = self._lookup(canvas.from_ray)

    def frame(self, image: Image) -> Image:
        """Return the rectified picture, black outside the frame. Raises `RectifyError` for a frame of another size."""
        height, width = image.shape[:2]
        made_for = self._lens.width, self._lens.height
        if (width, height) != made_for:
            raise RectifyError(
                f"A frame of {width} x {height} pixels came, and this is made for {made_for[0]} x {made_for[1]}."
            )
        return np.asarray(cv2.remap(image, *self._maps, cv2.INTER_LINEAR), dtype=np.uint8)

    def box_in_frame(self, box: Box) -> Box:
        """The upright bounding box, in the frame, of a box in the rectified picture."""
        x, y, width, height = box
        steps = np.linspace(0, 1, 9)
        zero = np.zeros_like(steps)
        across = np.concatenate([steps, steps, zero, zero + 1])
        down = np.concatenate([zero, zero + 1, steps, steps])
        outline = self._back(np.column_stack([x + across * width, y + down * height]))
        (left, top), (right, bottom) = outline.min(axis=0).tolist(), outline.max(axis=0).tolist()
        return left, top, right - left, bottom - top

    def near(self, box: Box) -> Move:
        """The affine map, near a box, from the rectified picture to the frame."""
        x, y, width, height = box
        middle = np.array([x + width / 2, y + height / 2])
        half = np.diag([width / 2, height / 2])
        right, below, left, above = self._back(np.concatenate([middle + half, middle - half]))
        turn = np.column_stack([(right - left) / width, (below - above) / height])
        return np.column_stack([turn, self._back(middle[None])[0] - turn @ middle])

    def _back(self, points: Doubles) -> Doubles:
        """Map points of the rectified picture (n x 2) to the frame, clamped to the field of view."""
        rays = _homogeneous(points - _PIXEL_CENTRE) @ self._to_ray.T
        flat = rays[:, :2] / np.maximum(rays[:, 2:], 1e-9)
        away = np.linalg.norm(flat, axis=1, keepdims=True)
        flat *= np.minimum(1.0, self._reach / np.maximum(away, 1e-9))
        return self._lens.pixels(flat) + _PIXEL_CENTRE

    def _lookup(self, from_ray: Doubles) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
        """The maps for `cv2.remap`."""
        width, height = self.size
        places, parts = np.empty((height, width, 2), np.int16), np.empty((height, width), np.uint16)
        for top in range(0, height, _STRIP_ROWS):
            rows = min(_STRIP_ROWS, height - top)
            # OpenCV inverts "camera matrix times rotation"; any map from rays to pixels works as well.
            map_x, map_y = cv2.initUndistortRectifyMap(
                self._lens.camera,
                self._lens.distortion,
                _translation(0, -top) @ from_ray,
                np.eye(3),
                (width, rows),
                cv2.CV_32FC1,
            )
            hidden = ~self._in_view(width, top, rows)
            for values, most in ((map_x, self._lens.width), (map_y, self._lens.height)):
                values[hidden] = _OUTSIDE_FRAME
                np.clip(values, _OUTSIDE_FRAME, most - _OUTSIDE_FRAME, out=values)
            places[top : top + rows], parts[top : top + rows] = cv2.convertMaps(map_x, map_y, cv2.CV_16SC2)
        return places, parts

    def _in_view(self, width: int, top: int, rows: int) -> npt.NDArray[np.bool_]:
        """rows x width: which pixels of the rectified picture the camera sees."""
        x = np.arange(width, dtype=np.float32)
        y = np.arange(top, top + rows, dtype=np.float32)[:, None]
        a, b, c = (np.float32(p) * x + np.float32(q) * y + np.float32(r) for p, q, r in self._to_ray)
        return np.asarray((c > 0) & (a * a + b * b <= (self._reach * c) ** 2))


class _LensModel:
    """The lens at the frame's size. Rays are n x 2: points at a distance of 1 in front of the lens."""

    def __init__(self, lens: Lens, width: int, height: int) -> None:
        if abs(width * lens.height / (height * lens.width) - 1) > _ASPECT:
            raise RectifyError(
                f"Frames of {width} x {height} pixels have another shape than the pictures the lens was measured with, "
                f"{lens.width} x {lens.height}: take frames of that shape, or calibrate the camera again."
            )
        self.width, self.height = width, height
        across, down = width / lens.width, height / lens.height
        scaled = np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1]])
        self.camera: Doubles = scaled @ np.array(lens.matrix)
        self.distortion: Doubles = np.array(lens.distortion)

    def pixels(self, rays: Doubles) -> Doubles:
        """The pixels, n x 2, where rays meet the frame."""
        ahead, still = _homogeneous(rays)[:, None], np.zeros(3)
        points, _ = cv2.projectPoints(ahead, still, still, self.camera, self.distortion)
        return np.asarray(points, np.float64).reshape(-1, 2)

    def rays(self, pixels: Doubles) -> Doubles:
        """The rays of pixels, n x 2; NaN where the lens model has none.

        `cv2.undistortPoints` is not used because its iterations, and how to set them, differ between OpenCV 4 and 5.
        """
        focal, centre = np.diag(self.camera)[:2], self.camera[:2, 2]
        wanted = (pixels - centre) / focal
        rays = wanted.copy()
        for _ in range(_RAY_ITERATIONS):
            rays += wanted - (self.pixels(rays) - centre) / focal
            rays[~(np.abs(rays).max(axis=1) < 1e3)] = np.nan
        missed = np.linalg.norm(self.pixels(rays) - pixels, axis=1)
        rays[~(missed < _RAY_TOLERANCE)] = np.nan
        return rays


class _Canvas(NamedTuple):
    """The extent of the rectified picture."""

    from_ray: Doubles
    """3 x 3, from rays to pixels; the third coordinate is positive in front of the camera."""
    size: tuple[int, int]
    """Width and height in pixels."""
    reach: float
    """Length of the longest ray of the frame."""


def _canvas(lens: _LensModel, plane: Doubles) -> _Canvas:
    """The extent of the rectified picture; `plane`, 3 x 3, maps rays to the table in any unit and orientation."""
    plane = _in_pixels(lens, plane)
    across = np.linspace(-_PIXEL_CENTRE, lens.width - _PIXEL_CENTRE, _GRID_SIZE[0])
    down = np.linspace(-_PIXEL_CENTRE, lens.height - _PIXEL_CENTRE, _GRID_SIZE[1])
    grid = lens.rays(np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2))
    steep = _downward(plane, grid)
    for flattest in _VIEW_LIMITS:
        rays = grid[steep > np.cos(np.radians(flattest))]
        if not len(rays):
            raise RectifyError(_NO_CAMERA)
        places = _from_homogeneous(_homogeneous(rays) @ plane.T)
        low = places.min(axis=0)
        extent = places.max(axis=0) - low
        scale = _scale(extent, MAX_ENLARGEMENT * lens.width * lens.height)
        if scale >= _FULL_SIZE:
            break
    width, height = _whole_pixels(scale * extent).astype(int).tolist()
    return _Canvas(
        from_ray=_translation(*(-scale * low - _PIXEL_CENTRE)) @ np.diag([scale, scale, 1.0]) @ plane,
        size=(width, height),
        reach=_REACH_MARGIN * float(np.linalg.norm(rays, axis=1).max()),
    )


def _below(from_ray: Doubles) -> tuple[tuple[float, float], float]:
    """The point straight below the camera, and its distance from where rays at 45 degrees end."""
    down = from_ray[2] / np.linalg.norm(from_ray[2])
    aside = np.linalg.svd(down[None])[2][1:]
    below, *ends = _from_homogeneous(np.stack([down, *(down + aside), *(down - aside)]) @ from_ray.T)
    return (float(below[0]), float(below[1])), float(np.linalg.norm(np.array(ends) - below, axis=1).mean())


def _scale(extent: Doubles, most: float) -> float:
    """The scale, 1 or less, at which a picture of `extent` (width, height) has at most `most` pixels."""
    whole = _whole_pixels(extent)
    if not whole.all():
        raise RectifyError(_NO_CAMERA)
    if whole.prod() <= most:
        return 1.0
    # Rounding up adds less than a pixel to each side: (scale w + 1) (scale h + 1) = most.
    half, area = float(extent.sum()) / 2, float(extent.prod())
    return float((np.sqrt(half**2 + area * (most - 1)) - half) / area)


def _whole_pixels(extent: Doubles) -> Doubles:
    """Rounded up to whole pixels, except for a rounding error."""
    return np.asarray(np.ceil(extent - 0.01))


def _in_pixels(lens: _LensModel, plane: Doubles) -> Doubles:
    """Scale, rotate and mirror the plane to pixels, so that the middle of the frame stays unchanged.

    With a tilted camera a circle there becomes an unrotated ellipse of the same area.
    """
    middle = np.array([(lens.width - 1) / 2, (lens.height - 1) / 2])
    around = middle + np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)])
    rays = lens.rays(around)
    if not np.isfinite(rays).all():
        raise RectifyError("This profile's lens sees nothing in its middle: calibrate the camera again.")
    plane = plane * np.sign(plane[2] @ (*rays[0], 1.0))
    if not _downward(plane, rays[:1])[0] > np.cos(np.radians(STEEPEST_VIEW)):
        raise RectifyError(
            "The middle of the frame looks along the table, not down on it: turn the camera, then calibrate again."
        )
    at, right, left, below, above = _from_homogeneous(_homogeneous(rays) @ plane.T)
    slopes = np.column_stack([(right - left) / 2, (below - above) / 2])
    area = abs(float(np.linalg.det(slopes)))
    if not area > 0:
        raise RectifyError("This profile's table has no size: calibrate the table again.")
    one, _, other = np.linalg.svd(slopes)
    turn = np.eye(3)
    turn[:2, :2] = (one @ other).T / np.sqrt(area)
    return np.asarray(_translation(*middle) @ turn @ _translation(*-at) @ plane)


def _downward(plane: Doubles, rays: Doubles) -> Doubles:
    """The cosine between each ray and straight down: the last row of the plane's map is its normal."""
    ahead = _homogeneous(rays)
    return np.asarray(ahead @ plane[2] / (np.linalg.norm(ahead, axis=1) * np.linalg.norm(plane[2])))


def _homogeneous(points: Doubles) -> Doubles:
    return np.column_stack([points, np.ones(len(points))])


def _from_homogeneous(points: Doubles) -> Doubles:
    return np.asarray(points[:, :2] / points[:, 2:])


def _translation(x: float, y: float) -> Doubles:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)
