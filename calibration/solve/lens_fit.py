"""Fits the lens to several views of the sheet, and the table to a view of the sheet lying flat on it.

    SolveError (ValueError)     these views determine no lens, or no table; its `message` says what to do

The lens is OpenCV's model, after Zhang (2000), with as many parameters as the views determine: always the focal length,
the principal point, k1 and k2; from eight views on also two for a decentred lens; from ten views on k3 and, for a wide
lens, three more (the rational model), if they reduce the error by a tenth. With too many parameters a fit is wild where
no view covers the picture; one that folds the picture over is rejected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import cv2
import numpy as np

from calibration.grade import Grade, graded
from calibration.image import Doubles
from calibration.profile import Lens, ProfileError, TablePlane
from calibration.sheet.board import SQUARE_MM, corners
from calibration.sheet.sighting import Sighting
from calibration.sheet.view_guide import FEWEST_VIEWS, guess_camera, guide, tip_degrees
from calibration.solve.lens_error import edge_error
from calibration.solve.rays import distorted, rays_of
from calibration.solve.sheet_shape import FLAT, Bow, sheet_bow, sheet_pose
from companion.messages.message import Message

_LENS_ERROR: Final = (0.6, 1.5)
"""The most reprojection error of a good and of a usable lens, in pixels of a picture 2304 wide."""
SURE: Final = 4.0
"""The number of standard deviations that is stated as the lens's error."""
_EDGE_ERROR: Final = (0.005, 0.03)
"""The most `LensFit.edge_error` of a good and of a usable lens."""
_STEEP_DEGREES: Final = (75.0, 82.0)
"""The largest angle from straight down, at the picture's farthest corner, of a good and of a usable view, in
degrees."""
_ASKEW_VIEWS: Final = 8
"""The number of views from which two parameters for a decentred lens are fitted."""
_RICHER_VIEWS: Final = 10
"""The number of views from which more parameters are tried."""
_WIDE_DEGREES: Final = 80.0
"""Angle of view, in degrees, from which a lens is wide."""
_ERROR_GAIN: Final = 0.9
"""More parameters are kept if they reduce the error below this share."""
_OUTLIER: Final = 2.5
"""A view whose error is more than this many times the median of all views is left out."""
_LEAST_OUTLIER: Final = 0.4
"""In pixels; views with less error are never left out."""
_FOCAL_ERROR: Final = 0.02
"""The largest relative error that the focal length may have."""
_LEAST_TIP: Final = 10.0
"""The least tilt, in degrees, that the sheet must have in one view."""
_RULER_ERROR: Final = 0.005
"""How exactly a person reads a ruler of 100 mm: to half a millimetre."""
_MOST_TILT: Final = 65.0
"""The largest angle from straight down, in degrees, at which a camera may look at a table."""
_ASPECT_ERROR: Final = 0.01
"""The largest relative difference between the shape of a picture and that of the lens's pictures."""

LENS_MODELS: Final = {
    "imx708": (4.74, 1.4e-3, 4608),
    "imx708_wide": (2.75, 1.4e-3, 4608),
    "imx219": (3.04, 1.12e-3, 3280),
    "ov5647": (3.60, 1.4e-3, 2592),
}
"""By the sensor's name in libcamera: focal length and side of a pixel in mm, pixels across (Raspberry Pi's camera
documentation, "Hardware specification"). The sensors' own widths: a mode that crops sees less."""


class SolveError(ValueError):
    """The views determine no lens, or no table."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class LensFit:
    """A lens and how well it fits the views. The maker's lens is fitted to no views."""

    lens: Lens
    error_px: float = 0.0
    """Root mean square reprojection error in pixels, over all corners of the views it was fitted to."""
    views: int = 0
    """The number of views it was fitted to."""
    left_out: Mapping[int, float] = field(default_factory=dict)
    """The views that did not fit the others: number -> error in pixels."""
    focal_error: float = 0.0
    """Relative error of the focal length (one standard deviation)."""
    edge_error: float = 0.0
    """Relative error of lengths at the picture's edge (one standard deviation)."""
    bow: Bow = FLAT
    """The bow of the sheet."""
    wish: Message | None = None
    """The view that is still missing; None if the views show the whole lens."""

    @property
    def degrees(self) -> float:
        """The horizontal angle of view."""
        return 2 * math.degrees(math.atan(self.lens.width / 2 / self.lens.matrix[0][0]))

    @property
    def grade(self) -> Grade:
        """By the error, relative to the pictures' size, and by how well the views determine the lens."""
        known = graded(self.edge_error, _EDGE_ERROR)
        if known is Grade.GOOD and (self.wish is not None or self.bow.certain):
            known = Grade.USABLE
        return max(self._met, known, key=tuple(Grade).index)

    @property
    def _met(self) -> Grade:
        return graded(self.error_px / max(0.25, self.lens.width / 2304), _LENS_ERROR)

    @property
    def sentence(self) -> Message:
        """What was found and, unless it is good, what to do about it."""
        if self.bow.certain:
            return Message(
                "The sheet was bent by about {mm} mm. Stick it on a stiff board and take the pictures again.",
                mm=round(self.bow.mm),
            )
        if self._met is Grade.GOOD is not self.grade:
            wish = self.wish or Message("Tilt the sheet more, and bring it nearer.")
            found = Message(
                "The lens is known to {percent} % at the picture's edge, from {views} pictures.",
                percent=f"{100 * SURE * self.edge_error:.1f}",
                views=self.views,
            )
            return Message.sequence(found, wish)
        return Message(_LENS_SENTENCES[self._met], error=f"{self.error_px:.2f}", views=self.views)


_LENS_SENTENCES: Final = {
    Grade.GOOD: "The lens is known well: the sheet's corners fit to {error} pixels in {views} pictures.",
    Grade.USABLE: "The lens is known: the sheet's corners fit to {error} pixels in {views} pictures. "
    "That will do; a stiffer board would be better.",
    Grade.BAD: "The corners fit to {error} pixels only, in {views} pictures. The sheet was bent or moving: "
    "stick it on a stiff board and take the pictures again.",
}


_NO_LENS: Final = Message("No lens fits these pictures: take new ones.")


@dataclass(frozen=True, slots=True)
class TableFit:
    """Where the table lies, from a sheet lying flat on it."""

    table: TablePlane
    height_mm: float
    """Height of the camera above the table."""
    tilt: float
    """Angle between the camera's axis and straight down, in degrees."""
    scale_error: float
    """Relative error of lengths on the table: from reading the ruler, fitting the corners, and the lens."""
    mm_per_px: float
    """Millimetres on the table per pixel in the middle of the picture."""
    flattest: float
    """Angle from straight down, in degrees, at which the picture's farthest corner sees the table."""

    @property
    def grade(self) -> Grade:
        """By how steeply the camera looks down.

        Beyond some 70 degrees a die shows more of its side than of its top, and the rectified picture leaves out parts
        that would become too large: dice there are not read.
        """
        return graded(self.flattest, _STEEP_DEGREES)

    @property
    def sentence(self) -> Message:
        """What was found and, unless it is good, what to do about it."""
        sentence = Message(
            "The camera is {height} cm above the table, tilted {tilt} degrees from straight down.",
            height=round(self.height_mm / 10),
            tilt=round(self.tilt),
        )
        if self.grade is Grade.GOOD:
            return sentence
        return Message.sequence(sentence, Message("The camera's angle is shallow: tilt it further down."))

    def die_px(self, die_mm: float) -> float:
        """The width in pixels of a die in the middle of the picture."""
        return die_mm / self.mm_per_px


def fit_lens(views: Sequence[Sighting]) -> LensFit:
    """Fit a lens to these views. Raises `SolveError`.

    The size of the sheet does not matter: a lens has no scale.
    """
    size = _size_of(views)
    if len(views) < FEWEST_VIEWS:
        raise SolveError(
            Message(
                "Pictures of the sheet so far: {views}. At least {fewest} are needed.",
                views=len(views),
                fewest=FEWEST_VIEWS,
            )
        )
    if max(map(tip_degrees, views)) < _LEAST_TIP:
        raise SolveError(
            Message("The sheet faced the camera in all pictures: tip it in two of them, each another way.")
        )
    fitted = dict(enumerate(views))
    while True:
        fit = _fit(list(fitted.values()), size)
        limit = max(_LEAST_OUTLIER, _OUTLIER * float(np.median(fit.errors)))
        worst = int(np.argmax(fit.errors))
        if fit.errors[worst] <= limit or len(fitted) <= FEWEST_VIEWS:
            break
        del fitted[list(fitted)[worst]]
    used = list(fitted.values())
    if not fit.focal_error <= _FOCAL_ERROR:
        raise SolveError(Message("The pictures are too much alike: tip the sheet more, and bring it nearer."))
    try:
        lens = Lens(*size, fit.camera.tolist(), tuple(fit.distortion.tolist()))
    except ProfileError as error:  # its axis beside the picture, or a focal length that no lens has
        raise SolveError(_NO_LENS) from error
    return LensFit(
        lens=lens,
        error_px=fit.error,
        views=len(used),
        left_out={n: _error_of(view, lens) for n, view in enumerate(views) if n not in fitted},
        focal_error=fit.focal_error,
        edge_error=edge_error(used, size, _again(fit, size)),
        bow=sheet_bow(used, fit.camera, fit.distortion),
        wish=None if (guidance := guide(views)).enough else guidance.sentence,
    )


def fit_table(flat: Sighting, lens: Lens, square_mm: float = SQUARE_MM, lens_error: float = 0.0) -> TableFit:
    """Compute where the table lies, from a view of the sheet lying flat on it. Raises `SolveError`.

    `square_mm` is the side of a square as printed or shown on the screen; `lens_error` is the lens's share of the
    relative error of lengths. The picture may be smaller or larger than those of the lens, with the same field of view.
    """
    if abs(lens.width / flat.width / (lens.height / flat.height) - 1) > _ASPECT_ERROR:
        raise SolveError(Message("This picture has a different shape from those of the calibration."))
    flat = flat.at_size(lens.width, lens.height)  # the homography is from pixels of the lens's pictures
    pose = _pose(flat, lens, square_mm)
    if pose is None:
        raise SolveError(Message("The sheet is not flat: put it flat on the table."))
    turned, move, error = pose
    tilt = math.degrees(math.acos(min(1.0, abs(float(turned[2, 2])))))
    if tilt > _MOST_TILT:
        raise SolveError(Message("The camera looks along the table, or the sheet stands up: put the sheet flat."))
    to_px = np.array(lens.matrix) @ np.column_stack([turned[:, 0], turned[:, 1], move])
    to_mm = np.linalg.inv(to_px)
    to_mm /= to_mm[2, 2] if abs(to_mm[2, 2]) > 1e-12 else 1.0
    extent = float(np.linalg.norm(flat.points.max(axis=0) - flat.points.min(axis=0)))
    # The tilt is only known from the sheet: at the picture's edge its error grows with the square of the distance.
    further = max(1.0, math.hypot(lens.width, lens.height) / extent)
    pose_error = 2 * error / math.sqrt(len(flat.ids)) / extent * further**2
    table = TablePlane(to_mm.tolist())
    return TableFit(
        table=table,
        height_mm=abs(float((turned.T @ move)[2])),
        tilt=tilt,
        scale_error=math.hypot(_RULER_ERROR, pose_error, lens_error),
        mm_per_px=table.mm_per_px(lens),
        flattest=_flattest(turned[:, 2], lens),
    )


def maker_lens(camera: str, width: int, height: int) -> Lens | None:
    """The lens as its maker specifies it, without distortion, for pictures of the sensor's full width.

    `camera` is a model of `LENS_MODELS`, or a name with one in it, such as "Raspberry Pi camera imx708". None for any
    other camera, and while the size is unknown (0).
    """
    model = max((model for model in LENS_MODELS if model in camera), key=len, default=None)
    if model is None or not width:
        return None
    focal, pixel, across = LENS_MODELS[model]
    px = focal / pixel * width / across
    matrix = ((px, 0.0, (width - 1) / 2), (0.0, px, (height - 1) / 2), (0.0, 0.0, 1.0))
    return Lens(width, height, matrix, (0.0,) * 5)


@dataclass(frozen=True, slots=True)
class _Fit:
    camera: Doubles
    distortion: Doubles
    error: float
    errors: Doubles
    """Of each view."""
    focal_error: float
    flags: int = 0


def _fit(views: Sequence[Sighting], size: tuple[int, int]) -> _Fit:
    flags = cv2.CALIB_FIX_K3 | (0 if len(views) >= _ASKEW_VIEWS else cv2.CALIB_ZERO_TANGENT_DIST)
    plain = _calibrate(views, size, flags)
    if _folds(plain, size):
        plain = _calibrate(views, size, flags | cv2.CALIB_FIX_K2)
        if _folds(plain, size):
            raise SolveError(_NO_LENS)
    degrees = 2 * math.degrees(math.atan(size[0] / 2 / plain.camera[0, 0]))
    best = plain
    richer = [] if len(views) < _RICHER_VIEWS else [0] if degrees < _WIDE_DEGREES else [0, cv2.CALIB_RATIONAL_MODEL]
    for more in richer:
        fit = _calibrate(views, size, more)
        if fit.error < _ERROR_GAIN * best.error and not _folds(fit, size):
            best = replace(fit, focal_error=max(fit.focal_error, plain.focal_error))
    return best


def _again(fit: _Fit, size: tuple[int, int]) -> Callable[[Sequence[Sighting]], tuple[Doubles, Doubles]]:
    """Return a function that fits the same parameters to other views."""

    def fitted(views: Sequence[Sighting]) -> tuple[Doubles, Doubles]:
        other = _calibrate(views, size, fit.flags, fit.camera)
        return other.camera, other.distortion

    return fitted


def _folds(fit: _Fit, size: tuple[int, int]) -> bool:
    """True if this lens shows two places of the table at one pixel: a polynomial can do that, a real lens cannot.

    Checked from the axis to the picture's farthest corner.
    """
    (fx, _, cx), (_, fy, cy), _ = fit.camera
    corner = math.hypot(max(cx, size[0] - cx) / fx, max(cy, size[1] - cy) / fy)
    rays = np.linspace(0, 6 * corner, 1200)
    bent = distorted(np.column_stack([rays, np.zeros_like(rays)]), fit.distortion)[:, 0]
    beyond = np.flatnonzero(bent >= corner)
    return not len(beyond) or bool((np.diff(bent[: beyond[0] + 1]) <= 0).any())


def _calibrate(views: Sequence[Sighting], size: tuple[int, int], flags: int, start: Doubles | None = None) -> _Fit:
    """Fit the parameters that `flags` leave free; `start` is an approximate camera matrix, if known."""
    solid: list[Any] = [corners(1.0)[view.ids].astype(np.float32) for view in views]
    flat: list[Any] = [view.points.astype(np.float32).reshape(-1, 1, 2) for view in views]
    flags |= cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO  # these sensors have square pixels
    try:
        error, camera, distortion, _, _, spread, _, errors = cv2.calibrateCameraExtended(
            solid, flat, size, guess_camera(*size) if start is None else start.copy(), np.zeros(5), flags=flags
        )
    except cv2.error as failed:
        raise SolveError(_NO_LENS) from failed
    if not (math.isfinite(error) and np.isfinite(camera).all() and camera[0, 0] > 0):
        raise SolveError(_NO_LENS)
    return _Fit(
        camera=np.asarray(camera, np.float64),
        distortion=_trimmed(np.asarray(distortion, np.float64).ravel()),
        error=float(error),
        errors=np.asarray(errors, np.float64).ravel(),
        focal_error=float(np.asarray(spread).ravel()[:2].max() / camera[0, 0]),
        flags=flags,
    )


def _trimmed(distortion: Doubles) -> Doubles:
    """The distortion with no more numbers than a profile may have: some versions of OpenCV append zeros."""
    needed = np.flatnonzero(distortion)
    length = 5 if not len(needed) or needed[-1] < 5 else 8 if needed[-1] < 8 else len(distortion)
    return distortion[:length]


def _error_of(view: Sighting, lens: Lens) -> float:
    pose = _pose(view, lens, 1.0)
    return math.inf if pose is None else pose[2]


def _pose(view: Sighting, lens: Lens, square_mm: float) -> tuple[Doubles, Doubles, float] | None:
    """The sheet's rotation (3 x 3), its position (3) and the root mean square reprojection error in pixels."""
    camera, distortion = np.array(lens.matrix), np.array(lens.distortion)
    pose = sheet_pose(view, camera, distortion, square_mm)
    if pose is None:
        return None
    turn, move = pose
    projected, _ = cv2.projectPoints(corners(square_mm)[view.ids], turn, move, camera, distortion)
    off = np.asarray(projected, np.float64).reshape(-1, 2) - view.points
    error = float(np.sqrt((off**2).sum(axis=1).mean()))
    return np.asarray(cv2.Rodrigues(turn)[0], np.float64), move, error


def _flattest(normal: Doubles, lens: Lens) -> float:
    """The angle from straight down, in degrees, of the flattest of the picture's corners."""
    corner = np.array([(0, 0), (lens.width, 0), (0, lens.height), (lens.width, lens.height)], np.float64) - 0.5
    rays = rays_of(corner, np.array(lens.matrix), np.array(lens.distortion))
    ahead = np.column_stack([rays, np.ones(4)])
    cosines = ahead @ (normal * np.sign(normal[2])) / np.linalg.norm(ahead, axis=1)
    return math.degrees(math.acos(max(-1.0, min(1.0, float(cosines.min())))))


def _size_of(views: Sequence[Sighting]) -> tuple[int, int]:
    sizes = {(view.width, view.height) for view in views}
    if not sizes:
        raise SolveError(Message("There is no picture of the sheet yet."))
    if len(sizes) > 1:
        raise SolveError(Message("The pictures have different sizes: take all of them with one setting of one camera."))
    return sizes.pop()
