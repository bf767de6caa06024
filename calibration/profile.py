"""A profile: the lens of one device, where its table lies, and the colours of its dice.

A value that no lens, table or die has raises `ProfileError`, also in Python; types are checked when a file is read
(`calibration.profile_file`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final

import numpy as np
from msgspec import Meta

from calibration.palette import COLOURS
from companion.messages.sentence import Value

Row = tuple[float, float, float]
Matrix = tuple[Row, Row, Row]
"""3 x 3, row by row."""

DISTORTIONS: Final = (5, 8, 12, 14)
"""The lengths a distortion may have: OpenCV's k1, k2, p1, p2, k3, then three more k, four s, two tau."""

_FOCAL: Final = (0.05, 50.0)
"""Focal lengths as multiples of the picture's longer side: an angle of view of 168 degrees, and of one."""
_LEAST_DETERMINANT: Final = 1e-9
"""Determinant of a homography whose rows and columns are scaled to the same size; real ones exceed 0.001."""

_Side = Annotated[int, Meta(ge=1, le=32767)]
"""In pixels, as many as `cv2.remap` takes."""
_Text = Annotated[str, Meta(max_length=100)]
_AB = Annotated[float, Meta(ge=-128, le=128)]
_Lab = tuple[Annotated[float, Meta(ge=0, le=100)], _AB, _AB]
_Measured = Annotated[float, Meta(ge=0)]


class ProfileError(ValueError):
    """The profile cannot be read, or a value in it is not allowed; the message says which. Nothing has changed."""


class NewerProfileError(ProfileError):
    """A newer program made it."""


class Lens(Value, frozen=True):
    """The camera and its lens as OpenCV describes them. Raises `ProfileError`."""

    width: _Side
    """Width, in pixels, of the pictures it was measured with."""
    height: _Side
    matrix: Matrix
    """((fx, 0, cx), (0, fy, cy), (0, 0, 1)) in pixels; the centre of the upper left pixel is 0, 0."""
    distortion: tuple[float, ...]
    """5, 8, 12 or 14 numbers in OpenCV's order; a lens without distortion has five zeros."""

    def __post_init__(self) -> None:
        if len(self.distortion) not in DISTORTIONS or not all(map(math.isfinite, self.distortion)):
            raise ProfileError(
                f"the distortion of the lens is 5, 8, 12 or 14 numbers in OpenCV's order, not {len(self.distortion)}"
            )
        (fx, skew, cx), (zero, fy, cy), last = self.matrix
        if (skew, zero, *last) != (0, 0, 0, 0, 1):
            raise ProfileError("the matrix of the lens is [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] and no other")
        least, most = (times * max(self.width, self.height) for times in _FOCAL)
        for focal in (fx, fy):
            if not least <= focal <= most:
                raise ProfileError(
                    f"the focal length of the lens is in pixels, for this picture from {least:g} to {most:g}, "
                    f"not {focal:g}"
                )
        if not (0 <= cx <= self.width and 0 <= cy <= self.height):
            raise ProfileError(
                f"the lens's axis meets the picture at {cx:g}, {cy:g}, outside its {self.width} x {self.height} pixels"
            )


class TablePlane(Value, frozen=True):
    """The plane that dice lie on. Raises `ProfileError`."""

    homography: Matrix
    """From pixels of the undistorted picture, which has the lens's own matrix and size, to millimetres on the table."""

    def __post_init__(self) -> None:
        if _is_singular(self.homography):
            raise ProfileError("the homography of the table is singular: it sees the table as a line, not as a plane")

    def mm_per_px(self, lens: Lens) -> float:
        """Millimetres on the table per pixel in the middle of the lens's pictures."""
        (_, _, cx), (_, _, cy), _ = lens.matrix
        at, right, below = (
            point[:2] / point[2]
            for point in (np.array(self.homography) @ (x, y, 1.0) for x, y in ((cx, cy), (cx + 1, cy), (cx, cy + 1)))
        )
        return math.sqrt(abs(float(np.linalg.det(np.column_stack([right - at, below - at])))))


class Measurements(Value, frozen=True):
    """How well the lens and the table are known, only shown to people; 0 means not measured."""

    error_px: _Measured = 0.0
    """Root mean square reprojection error of the lens in pixels; 0 for an assumed lens."""
    views: Annotated[int, Meta(ge=0)] = 0
    """The number of pictures of the sheet that the lens was fitted to; 0 for an assumed lens."""
    square_mm: _Measured = 0.0
    """The measured side of the sheet's squares in millimetres."""
    scale_error: _Measured = 0.0
    """Relative error of lengths on the table."""
    height_mm: _Measured = 0.0
    """Height of the camera above the table in millimetres."""
    tilt: _Measured = 0.0
    """Angle between the camera's axis and straight down in degrees."""


class Profile(Value, frozen=True):
    """The calibration of one camera over one table. Raises `ProfileError`."""

    name: Annotated[_Text, Meta(pattern=r"\S")]
    """Shown to people: which camera, over which table."""
    made: str
    """When the profile was made, in ISO 8601."""
    lens: Lens | None = None
    table: TablePlane | None = None
    """Its homography is in pixels of the lens, so a profile without a lens has no table."""
    palette: Mapping[str, _Lab] = {}
    """Colour, one of `calibration.palette.COLOURS`, to CIE Lab (L 0 to 100, a, b) of those dice under the table's own
    light. Colours that were not learned are missing."""
    camera: _Text = ""
    """The camera's name; empty if unknown."""
    lock: Annotated[Mapping[_Text, float], Meta(max_length=32)] = {}
    """Exposure, gain and white balance as the camera's `lock()` returned them."""
    die_mm: Annotated[float, Meta(ge=5, le=60)] | None = None
    """Side of a die in millimetres."""
    measured: Measurements | None = None
    reference: _Text = ""
    """The checksum of the profile's picture of the table (`calibration.profiles`); empty without one."""

    def __post_init__(self) -> None:
        for text in (self.name, self.made, self.camera, self.reference, *self.lock):
            if not text.isprintable():
                raise ProfileError(f"the texts of a profile are one line each, not {text!r}")
        try:
            datetime.fromisoformat(self.made)
        except ValueError as error:
            raise ProfileError(
                "when a profile was made is a date and time in ISO 8601, as 2026-05-01T18:30:00+02:00, "
                f"not {self.made!r}"
            ) from error
        if self.table is not None and self.lens is None:
            raise ProfileError("the table needs a lens: its homography is in lens pixels")
        if unknown := sorted(self.palette.keys() - set(COLOURS)):
            raise ProfileError(f"dice have no colour {unknown[0]!r}; the colours are {', '.join(COLOURS)}")

    def die_px(self, width: int) -> float | None:
        """Side of a die in the middle of frames `width` pixels wide; None unless lens, table and dice are known."""
        if self.lens is None or self.table is None or self.die_mm is None:
            return None
        return self.die_mm / self.table.mm_per_px(self.lens) * width / self.lens.width


def _is_singular(matrix: Matrix) -> bool:
    """True if the matrix is singular whatever its units: pixels and millimetres mix magnitudes in one matrix."""
    even = np.array(matrix)
    for axis in (1, 0):
        largest = np.abs(even).max(axis=axis, keepdims=True)
        if not (largest > 0).all():
            return True
        even = even / largest
    return bool(abs(np.linalg.det(even)) < _LEAST_DETERMINANT)
