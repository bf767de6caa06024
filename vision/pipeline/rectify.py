"""A frame as a camera straight above the table would have taken it, and the way back to the frame as it is.

The lens's distortion is taken out, and the table's plane is turned to face the viewer. What stands above the plane
keeps its perspective: the top of a die, 16 mm up, comes out a little further from the camera than the die stands.

Everything of the table that the frame shows is in the picture, and a die in the middle of the frame keeps its size.
Where the picture would have more than `LARGEST` times the frame's pixels all of it is smaller; but first what is
seen nearly from the side, where no top face can be read, is left out.

StraightenError (ValueError)    these frames and this profile do not go together, or are not allowed to; both were read
"""

from __future__ import annotations

from typing import Final, NamedTuple, Self

import cv2
import numpy as np
import numpy.typing as npt

from calibration.profile import Lens, Profile
from vision.reading import Box

Image = npt.NDArray[np.uint8]
Doubles = npt.NDArray[np.float64]

LARGEST: Final = 2.0
"""A straightened picture has at most this many times the frame's pixels."""
STEEPEST: Final = 75.0
"""Degrees from straight down at which the middle of the frame may look; beyond, no top face can be read."""

_NO_CAMERA: Final = "This profile fits no camera: calibrate the camera and the table again."
_ASPECT: Final = 0.01
"""The part by which a frame's shape may differ from that of the lens's pictures."""
_FLATTEST: Final = (85.0, 80.0, 75.0, 70.0)
"""Degrees from straight down at which the picture of the table ends; the horizon is at 90.

It ends at the first of them with which dice keep `_PLAIN` of their size, else at the last.
"""
_PLAIN: Final = 0.98
_GRID: Final = (65, 49)
"""Points across and down the frame at which it is measured. Odd, so that the middles of its sides are among them."""
_ROUNDS: Final = 60
"""Of the search for a pixel's ray; a wide lens wants some 30 in its corners."""
_CLOSE: Final = 0.1
"""Pixels by which a ray that was found may miss its pixel."""
_BEYOND: Final = 1.03
"""Rays this many times further out than any pixel's are not in the frame, although a polynomial may fold back there."""
_STRIP: Final = 256
"""Rows of the maps made at a time: all at once they would take four times their memory."""
_OUTSIDE: Final = -16.0
"""A place, in pixels, that is not in the frame, whichever neighbours are mixed in."""
_HALF: Final = 0.5
"""From where OpenCV has the origin, the middle of the first pixel, to where boxes have it, that pixel's corner."""


class StraightenError(ValueError):
    """These frames cannot be straightened with this profile. The message says what to do about it."""


class Straightener:
    """Straightens frames of one size. Making one takes as long as some ten frames: keep it.

    Dice in the middle of the frame come out as large as they are there, or up to a tenth smaller, where a tilted or
    wide view of the table would not fit in `LARGEST` otherwise.
    """

    def __init__(self, profile: Profile, width: int, height: int) -> None:
        """For frames of `width` x `height` pixels that show as much as the pictures the lens was measured with.

        Raises `StraightenError` when the profile has no lens, when its lens took pictures of another shape, or when
        the middle of the frame does not look down on the table.
        """
        if profile.lens is None:
            raise StraightenError("This profile knows nothing of the lens: calibrate the camera first.")
        self.width = width
        """Of the frames, in pixels."""
        self.height = height
        self._eye = _Eye(profile.lens, width, height)
        plane = self._eye.camera
        if profile.table is not None:
            plane = np.array(profile.table.homography) @ np.array(profile.lens.matrix)
        canvas = _canvas(self._eye, plane)
        self.size = (canvas.width, canvas.height)
        """Width and height of the straightened pictures, in pixels."""
        self._reach = canvas.reach
        self._to_ray = np.linalg.inv(canvas.from_ray)
        self._maps = self._lookup(canvas.from_ray)

    @classmethod
    def of(cls, profile: Profile, width: int, height: int) -> Self | None:
        """The same, or None when the profile knows nothing to straighten by. Raises `StraightenError`."""
        return None if profile.lens is None else cls(profile, width, height)

    def frame(self, image: Image) -> Image:
        """The straightened picture, of `size`; black where the frame shows nothing of the table.

        Raises `StraightenError` for a frame of another size.
        """
        height, width = image.shape[:2]
        if (width, height) != (self.width, self.height):
            raise StraightenError(
                f"A frame of {width} x {height} pixels came, and this is made for {self.width} x {self.height}."
            )
        return np.asarray(cv2.remap(image, *self._maps, cv2.INTER_LINEAR), dtype=np.uint8)

    def box_back(self, box: Box) -> Box:
        """The upright box in the frame round what a box in the straightened picture holds."""
        x, y, width, height = box
        steps = np.linspace(0, 1, 9)
        zero = np.zeros_like(steps)
        across = np.concatenate([steps, steps, zero, zero + 1])
        down = np.concatenate([zero, zero + 1, steps, steps])
        outline = self._back(np.column_stack([x + across * width, y + down * height]))
        (left, top), (right, bottom) = outline.min(axis=0).tolist(), outline.max(axis=0).tolist()
        return left, top, right - left, bottom - top

    def _back(self, points: Doubles) -> Doubles:
        """n x 2 to n x 2. What the frame cannot show comes back as the nearest that it could."""
        rays = _with_one(points - _HALF) @ self._to_ray.T
        flat = rays[:, :2] / np.maximum(rays[:, 2:], 1e-9)
        away = np.linalg.norm(flat, axis=1, keepdims=True)
        flat *= np.minimum(1.0, self._reach / np.maximum(away, 1e-9))
        return self._eye.pixels(flat) + _HALF

    def _lookup(self, from_ray: Doubles) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
        """For `cv2.remap`: where in the frame each pixel of the straightened picture lies."""
        width, height = self.size
        places, parts = np.empty((height, width, 2), np.int16), np.empty((height, width), np.uint16)
        for top in range(0, height, _STRIP):
            rows = min(_STRIP, height - top)
            # OpenCV inverts "camera matrix times rotation", and any way from rays to pixels may stand in their place.
            map_x, map_y = cv2.initUndistortRectifyMap(
                self._eye.camera,
                self._eye.distortion,
                _moved(0, -top) @ from_ray,
                np.eye(3),
                (width, rows),
                cv2.CV_32FC1,
            )
            unseen = ~self._seen(width, top, rows)
            for values, most in ((map_x, self.width), (map_y, self.height)):
                values[unseen] = _OUTSIDE
                np.clip(values, _OUTSIDE, most - _OUTSIDE, out=values)
            places[top : top + rows], parts[top : top + rows] = cv2.convertMaps(map_x, map_y, cv2.CV_16SC2)
        return places, parts

    def _seen(self, width: int, top: int, rows: int) -> npt.NDArray[np.bool_]:
        """rows x width: whether a pixel of the straightened picture is in front of the camera, and in its view."""
        x = np.arange(width, dtype=np.float32)
        y = np.arange(top, top + rows, dtype=np.float32)[:, None]
        a, b, c = (np.float32(p) * x + np.float32(q) * y + np.float32(r) for p, q, r in self._to_ray)
        return np.asarray((c > 0) & (a * a + b * b <= (self._reach * c) ** 2))


class _Eye:
    """The lens at a frame's size. Rays are n x 2: where a line of sight is at a distance of 1 before the lens."""

    def __init__(self, lens: Lens, width: int, height: int) -> None:
        if width < 1 or height < 1:
            raise StraightenError(f"There are no frames of {width} x {height} pixels.")
        if abs(width * lens.height / (height * lens.width) - 1) > _ASPECT:
            raise StraightenError(
                f"Frames of {width} x {height} pixels have another shape than the pictures the lens was measured with, "
                f"{lens.width} x {lens.height}: take frames of that shape, or calibrate the camera again."
            )
        self.width, self.height = width, height
        across, down = width / lens.width, height / lens.height
        scaled = np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1]])
        self.camera: Doubles = scaled @ np.array(lens.matrix)
        self.distortion: Doubles = np.array(lens.distortion)

    def pixels(self, rays: Doubles) -> Doubles:
        """Where in the frame rays end, n x 2."""
        ahead, still = _with_one(rays)[:, None], np.zeros(3)
        found, _ = cv2.projectPoints(ahead, still, still, self.camera, self.distortion)
        return np.asarray(found, np.float64).reshape(-1, 2)

    def rays(self, pixels: Doubles) -> Doubles:
        """The rays that end at these pixels, n x 2; NaN where the lens's description has none.

        Not `cv2.undistortPoints`: how long it searches, and how one asks it to, differs between OpenCV 4 and 5.
        """
        focal, centre = np.diag(self.camera)[:2], self.camera[:2, 2]
        wanted = (pixels - centre) / focal
        rays = wanted.copy()
        for _ in range(_ROUNDS):
            rays += wanted - (self.pixels(rays) - centre) / focal
            rays[~(np.abs(rays).max(axis=1) < 1e3)] = np.nan
        missed = np.linalg.norm(self.pixels(rays) - pixels, axis=1)
        rays[~(missed < _CLOSE)] = np.nan
        return rays


class _Canvas(NamedTuple):
    """Where the straightened picture lies."""

    from_ray: Doubles
    """3 x 3, from rays to its pixels, positive in front of the camera."""
    width: int
    height: int
    reach: float
    """The furthest out a ray of the frame goes."""


def _canvas(eye: _Eye, plane: Doubles) -> _Canvas:
    """The straightened picture of a plane that `plane`, 3 x 3, maps rays to, in whatever unit and orientation."""
    plane = _as_in_the_middle(eye, plane)
    across = np.linspace(-_HALF, eye.width - _HALF, _GRID[0])
    down = np.linspace(-_HALF, eye.height - _HALF, _GRID[1])
    grid = eye.rays(np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2))
    steep = _downward(plane, grid)
    for flattest in _FLATTEST:
        rays = grid[steep > np.cos(np.radians(flattest))]
        if not len(rays):
            raise StraightenError(_NO_CAMERA)
        places = _flat(_with_one(rays) @ plane.T)
        low = places.min(axis=0)
        scale = _scale(places.max(axis=0) - low, LARGEST * eye.width * eye.height)
        if scale >= _PLAIN:
            break
    width, height = _whole(scale * (places.max(axis=0) - low)).astype(int).tolist()
    return _Canvas(
        from_ray=_moved(*(-scale * low - _HALF)) @ np.diag([scale, scale, 1.0]) @ plane,
        width=width,
        height=height,
        reach=_BEYOND * float(np.linalg.norm(rays, axis=1).max()),
    )


def _scale(extent: Doubles, most: float) -> float:
    """The part of its size, 1 or less, at which a picture of `extent`, width and height, has at most `most` pixels."""
    whole = _whole(extent)
    if not whole.all():
        raise StraightenError(_NO_CAMERA)
    if whole.prod() <= most:
        return 1.0
    # Rounding up adds less than a pixel to each side: (scale w + 1) (scale h + 1) = most.
    half, area = float(extent.sum()) / 2, float(extent.prod())
    return float((np.sqrt(half**2 + area * (most - 1)) - half) / area)


def _whole(extent: Doubles) -> Doubles:
    """Whole pixels that hold so many; what is over by no more than a rounding error asks for no other."""
    return np.asarray(np.ceil(extent - 0.01))


def _as_in_the_middle(eye: _Eye, plane: Doubles) -> Doubles:
    """The plane in pixels, turned, sized and if need be mirrored so that the middle of the frame stays as it is.

    A circle there becomes, with a tilted camera, an ellipse of the same area, and is not turned.
    """
    middle = np.array([(eye.width - 1) / 2, (eye.height - 1) / 2])
    around = middle + np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)])
    rays = eye.rays(around)
    if not np.isfinite(rays).all():
        raise StraightenError("This profile's lens sees nothing in its middle: calibrate the camera again.")
    plane = plane * np.sign(plane[2] @ (*rays[0], 1.0))
    if not _downward(plane, rays[:1])[0] > np.cos(np.radians(STEEPEST)):
        raise StraightenError(
            "The middle of the frame looks along the table, not down on it: turn the camera, then calibrate again."
        )
    at, right, left, below, above = _flat(_with_one(rays) @ plane.T)
    slopes = np.column_stack([(right - left) / 2, (below - above) / 2])
    area = abs(float(np.linalg.det(slopes)))
    if not area > 0:
        raise StraightenError("This profile's table has no size: calibrate the table again.")
    one, _, other = np.linalg.svd(slopes)
    turn = np.eye(3)
    turn[:2, :2] = (one @ other).T / np.sqrt(area)
    return np.asarray(_moved(*middle) @ turn @ _moved(*-at) @ plane)


def _downward(plane: Doubles, rays: Doubles) -> Doubles:
    """n: the cosine between each ray and straight down. What a plane's map divides by is its normal."""
    ahead = _with_one(rays)
    return np.asarray(ahead @ plane[2] / (np.linalg.norm(ahead, axis=1) * np.linalg.norm(plane[2])))


def _with_one(points: Doubles) -> Doubles:
    """n x 2 to n x 3."""
    return np.column_stack([points, np.ones(len(points))])


def _flat(points: Doubles) -> Doubles:
    """n x 3 to n x 2."""
    return np.asarray(points[:, :2] / points[:, 2:])


def _moved(x: float, y: float) -> Doubles:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)
