"""A profile: the lens of one device, where its table lies, and the colours of its dice.

    ProfileError (ValueError)          a profile is refused; the message says why
    ├── UnreadableProfileError         it cannot be read: missing, not JSON, or malformed
    │   └── NewerProfileError          a newer program made it
    └── NotAllowedProfileError         a value is impossible for a lens, table or die

A profile made in Python is checked like one read from a file (`calibration.profile_file`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from datetime import datetime
from difflib import get_close_matches
from numbers import Real
from types import MappingProxyType
from typing import Final

import numpy as np

from calibration.palette import COLOURS

Row = tuple[float, float, float]
Matrix = tuple[Row, Row, Row]
"""3 x 3, row by row."""

DISTORTIONS: Final = (5, 8, 12, 14)
"""The lengths a distortion may have: OpenCV's k1, k2, p1, p2, k3, then three more k, four s, two tau."""

_LARGEST_SIDE: Final = 32767
"""In pixels, the most that `cv2.remap` takes."""
_LONGEST_TEXT: Final = 100
_FOCAL: Final = (0.05, 50.0)
"""Focal lengths as multiples of the picture's longer side: an angle of view of 168 degrees, and of one."""
_DIE_MM: Final = (5.0, 60.0)
_MOST_LOCKS: Final = 32
_LARGEST_MEASUREMENT: Final = 1e6
"""In any unit."""
_LEAST_DETERMINANT: Final = 1e-9
"""Determinant of a homography whose rows and columns are scaled to the same size; real ones exceed 0.001."""


class ProfileError(ValueError):
    """The profile is refused. Nothing has changed."""


class UnreadableProfileError(ProfileError):
    """The input cannot be read as a profile."""


class NewerProfileError(UnreadableProfileError):
    """A newer program made it."""


class NotAllowedProfileError(ProfileError):
    """The form is right, but a value is not allowed."""


@dataclass(frozen=True, slots=True)
class Lens:
    """The camera and its lens as OpenCV describes them. Raises `ProfileError`."""

    width: int
    """Width, in pixels, of the pictures it was measured with."""
    height: int
    matrix: Matrix
    """((fx, 0, cx), (0, fy, cy), (0, 0, 1)) in pixels; the centre of the upper left pixel is 0, 0."""
    distortion: tuple[float, ...]
    """5, 8, 12 or 14 numbers in OpenCV's order; a lens without distortion has five zeros."""

    def __post_init__(self) -> None:
        for side in ("width", "height"):
            _set(self, side, _side(getattr(self, side), f"the {side} of the lens's pictures"))
        _set(self, "matrix", _matrix(self.matrix, "the matrix of the lens"))
        _set(self, "distortion", _distortion(self.distortion))
        (fx, skew, cx), (zero, fy, cy), last = self.matrix
        if (skew, zero, *last) != (0, 0, 0, 0, 1):
            raise NotAllowedProfileError("the matrix of the lens is [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] and no other")
        least, most = (times * max(self.width, self.height) for times in _FOCAL)
        for focal in (fx, fy):
            if not least <= focal <= most:
                raise NotAllowedProfileError(
                    f"the focal length of the lens is in pixels, for this picture from {least:g} to {most:g}, "
                    f"not {focal:g}"
                )
        if not (0 <= cx <= self.width and 0 <= cy <= self.height):
            raise NotAllowedProfileError(
                f"the lens's axis meets the picture at {cx:g}, {cy:g}, outside its {self.width} x {self.height} pixels"
            )


@dataclass(frozen=True, slots=True)
class TablePlane:
    """The plane that dice lie on. Raises `ProfileError`."""

    homography: Matrix
    """From pixels of the undistorted picture, which has the lens's own matrix and size, to millimetres on the table."""

    def __post_init__(self) -> None:
        _set(self, "homography", _matrix(self.homography, "the homography of the table"))
        if _is_singular(self.homography):
            raise NotAllowedProfileError(
                "the homography of the table is singular: it sees the table as a line, not as a plane"
            )

    def mm_per_px(self, lens: Lens) -> float:
        """Millimetres on the table per pixel in the middle of the lens's pictures."""
        (_, _, cx), (_, _, cy), _ = lens.matrix
        at, right, below = (
            point[:2] / point[2]
            for point in (np.array(self.homography) @ (x, y, 1.0) for x, y in ((cx, cy), (cx + 1, cy), (cx, cy + 1)))
        )
        return math.sqrt(abs(float(np.linalg.det(np.column_stack([right - at, below - at])))))


@dataclass(frozen=True, slots=True)
class Measurements:
    """How well the lens and the table are known, only shown to people; 0 means not measured. Raises `ProfileError`."""

    error_px: float = 0.0
    """Root mean square reprojection error of the lens in pixels; 0 for an assumed lens."""
    views: int = 0
    """The number of pictures of the sheet that the lens was fitted to; 0 for an assumed lens."""
    square_mm: float = 0.0
    """The measured side of the sheet's squares in millimetres."""
    scale_error: float = 0.0
    """Relative error of lengths on the table."""
    height_mm: float = 0.0
    """Height of the camera above the table in millimetres."""
    tilt: float = 0.0
    """Angle between the camera's axis and straight down in degrees."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = _number(getattr(self, each.name), f"the {each.name} of what was measured")
            if value < 0 or value > _LARGEST_MEASUREMENT:
                raise NotAllowedProfileError(f"the {each.name} of what was measured is from 0 on, not {value:g}")
            if each.name == "views" and value != int(value):
                raise NotAllowedProfileError(f"the views of what was measured are a whole number, not {value:g}")
            _set(self, each.name, int(value) if each.name == "views" else value)


@dataclass(frozen=True, slots=True)
class Profile:
    """The calibration of one camera over one table. Raises `ProfileError`."""

    name: str
    """Shown to people: which camera, over which table."""
    made: str
    """When the profile was made, in ISO 8601."""
    lens: Lens | None = None
    table: TablePlane | None = None
    """Its homography is in pixels of the lens, so a profile without a lens has no table."""
    palette: Mapping[str, Row] = field(default_factory=dict, hash=False)
    """Colour, one of `calibration.palette.COLOURS`, to CIE Lab (L 0 to 100, a, b) of those dice under the table's own
    light. Colours that were not learned are missing."""
    camera: str = ""
    """The camera's name; empty if unknown."""
    lock: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Exposure, gain and white balance as the camera's `lock()` returned them."""
    die_mm: float | None = None
    """Side of a die in millimetres."""
    measured: Measurements | None = None
    reference: str = ""
    """The checksum of the profile's picture of the table (`calibration.profiles`); empty without one."""

    def __post_init__(self) -> None:
        _check_line(self.name, "the name of a profile", shortest=1)
        _check_made(self.made)
        for name in ("camera", "reference"):
            _check_line(getattr(self, name), f"the {name} of a profile")
        _set(self, "lock", MappingProxyType(_lock(self.lock)))
        _set(self, "die_mm", _die(self.die_mm))
        if self.table is not None and self.lens is None:
            raise NotAllowedProfileError("the table needs a lens: its homography is in lens pixels")
        _set(self, "palette", MappingProxyType(_palette(self.palette)))

    def die_px(self, width: int) -> float | None:
        """Side of a die in the middle of frames `width` pixels wide; None unless lens, table and dice are known."""
        if self.lens is None or self.table is None or self.die_mm is None:
            return None
        return self.die_mm / self.table.mm_per_px(self.lens) * width / self.lens.width


def _set(target: object, name: str, value: object) -> None:
    """Replace a field of a frozen object with its checked form."""
    object.__setattr__(target, name, value)


def _check_line(text: object, what: str, shortest: int = 0) -> None:
    if not isinstance(text, str):
        raise UnreadableProfileError(f"{what} is a text, not {shown(text)}")
    if len(text.strip()) < shortest or not text.isprintable() or len(text) > _LONGEST_TEXT:
        least = f"{shortest} to" if shortest else "at most"
        raise NotAllowedProfileError(f"{what} is one line of {least} {_LONGEST_TEXT} characters, not {shown(text)}")


def _lock(value: object) -> dict[str, float]:
    if not isinstance(value, Mapping):
        raise UnreadableProfileError(f"the lock is an object with a number for each key, not {shown(value)}")
    if len(value) > _MOST_LOCKS:
        raise NotAllowedProfileError(f"no camera has more than {_MOST_LOCKS} values to lock")
    for name in value:
        _check_line(name, "the name of a value in the lock")
    return {str(name): _number(number, "the lock") for name, number in value.items()}


def _die(value: object) -> float | None:
    if value is None:
        return None
    side = _number(value, "the side of a die")
    least, most = _DIE_MM
    if not least <= side <= most:
        raise NotAllowedProfileError(f"the side of a die is {least:g} to {most:g} mm, not {side:g}")
    return side


def _check_made(made: object) -> None:
    # fromisoformat accepts any character between date and time
    if isinstance(made, str) and made.isascii() and made.isprintable():
        with suppress(ValueError):
            datetime.fromisoformat(made)
            return
    raise UnreadableProfileError(
        f"when a profile was made is a date and time in ISO 8601, as 2026-05-01T18:30:00+02:00, not {shown(made)}"
    )


def _side(value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise UnreadableProfileError(f"{what} is a whole number of pixels, not {shown(value)}")
    if not 1 <= value <= _LARGEST_SIDE:
        raise NotAllowedProfileError(f"{what} is 1 to {_LARGEST_SIDE} pixels, not {shown(value)}")
    return value


def _number(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise UnreadableProfileError(f"{what} holds numbers, not {shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise NotAllowedProfileError(f"{what} holds finite numbers, not {shown(value)}")
    return number


def _check_list(value: object, what: str) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        raise UnreadableProfileError(f"{what} is a list of numbers, not {shown(value)}")
    return value


def _matrix(value: object, what: str) -> Matrix:
    rows = value if isinstance(value, list | tuple) else ()
    if len(rows) != 3 or any(not isinstance(row, list | tuple) or len(row) != 3 for row in rows):
        raise UnreadableProfileError(f"{what} is three rows of three numbers, not {shown(value)}")
    one, two, three = (_row(row, what) for row in rows)
    return one, two, three


def _row(value: object, what: str) -> Row:
    numbers = _check_list(value, what)
    if len(numbers) != 3:
        raise UnreadableProfileError(f"{what} is three numbers, not {shown(value)}")
    x, y, z = (_number(number, what) for number in numbers)
    return x, y, z


def _distortion(value: object) -> tuple[float, ...]:
    what = "the distortion of the lens"
    numbers = _check_list(value, what)
    if len(numbers) not in DISTORTIONS:
        raise UnreadableProfileError(f"{what} is 5, 8, 12 or 14 numbers in OpenCV's order, not {len(numbers)}")
    return tuple(_number(number, what) for number in numbers)


def _palette(value: object) -> dict[str, Row]:
    if not isinstance(value, Mapping):
        raise UnreadableProfileError(f"the palette is an object with a colour for each key, not {shown(value)}")
    palette = {}
    for colour, lab in value.items():
        if colour not in COLOURS:
            near = get_close_matches(str(colour), COLOURS, n=1)
            hint = f"is {near[0]} meant?" if near else f"the colours are {', '.join(COLOURS)}"
            raise NotAllowedProfileError(f"dice have no colour {shown(colour)}; {hint}")
        lightness, a, b = _row(lab, f"the {colour} of the palette")
        if not (0 <= lightness <= 100 and max(abs(a), abs(b)) <= 128):
            raise NotAllowedProfileError(
                f"the {colour} of the palette is CIE Lab, L from 0 to 100, a and b from -128 to 128, "
                f"not {lightness:g}, {a:g}, {b:g}"
            )
        palette[str(colour)] = (lightness, a, b)
    return palette


def _is_singular(matrix: Matrix) -> bool:
    """True if the matrix is singular whatever its units: pixels and millimetres mix magnitudes in one matrix."""
    even = np.array(matrix)
    for axis in (1, 0):
        largest = np.abs(even).max(axis=axis, keepdims=True)
        if not largest.all():
            return True
        even = even / largest
    return bool(abs(np.linalg.det(even)) < _LEAST_DETERMINANT)


def shown(value: object) -> str:
    """The value as the file would show it, shortened."""
    try:
        shown = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        shown = type(value).__name__ if isinstance(value, int) else repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return shown.encode(errors="backslashreplace").decode()  # half a surrogate pair cannot be printed
