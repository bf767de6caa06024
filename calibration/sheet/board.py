"""The calibration sheet: a ChArUco board of 5 x 7 squares, for paper and for a tablet's screen.

One board serves A4 and Letter, so that a picture can show either. It has 24 inner corners and 17 markers of
OpenCV's 4 x 4 dictionary: few large cells can be read from far away. At 110 cm the wide Camera Module 3
(2.75 mm, pixels of 1.4 um binned by two: f = 982 pixels at 2304 x 1296) sees a marker of 25 mm 22 pixels wide, 3.7
pixels a cell; the standard one (4.74 mm, f = 1693) 38 pixels. A 640-pixel preview of the standard one sees 24 pixels
at 50 cm. The white round a marker is 4 mm, nearly a cell, and OpenCV asks for 70 % of one (opencv/opencv #24117).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final

import cv2
import numpy as np

from calibration.image import Doubles, Grey

COLUMNS: Final = 5
ROWS: Final = 7
SQUARE_MM: Final = 33.0
"""Side of a square, printed without scaling."""
MARKER_MM: Final = 25.0
RULER_MM: Final = 100.0
"""Length of the printed ruler, without scaling."""
CORNERS: Final = (COLUMNS - 1) * (ROWS - 1)
"""Inner corners, where four squares meet."""

_MARKER: Final = MARKER_MM / SQUARE_MM
"""Side of a marker, in squares."""
_CELLS: Final = 6
"""Cells across a marker: four of its pattern, two of its border."""
_RULER_RANGE: Final = (80.0, 120.0)
"""Plausible millimetres for the printed ruler."""
_SQUARE_RANGE: Final = (5.0, 100.0)
"""Plausible millimetres for the side of a square."""

Rectangle = tuple[float, float, float, float]
"""x, y, width, height in squares, from the board's upper left corner."""


class BoardError(ValueError):
    """There is no such sheet, or a length measured on it is implausible."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper size, upright."""

    name: str
    """For people."""
    width: float
    """Millimetres, as the height."""
    height: float


PAPERS: Final = {"a4": Paper("A4", 210.0, 297.0), "letter": Paper("Letter", 215.9, 279.4)}


@cache
def pattern() -> cv2.aruco.CharucoBoard:
    """The board as OpenCV defines it, with squares of side 1."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), 1.0, _MARKER, dictionary)


def corners(square_mm: float = SQUARE_MM) -> Doubles:
    """`CORNERS` x 3: the inner corners on the sheet in millimetres; the row is the id."""
    return np.asarray(pattern().getChessboardCorners(), np.float64).reshape(-1, 3) * square_mm


def square_from_ruler(measured_mm: float) -> float:
    """The side of a square in millimetres on a sheet whose ruler measures `measured_mm`. Raises `BoardError`."""
    least, most = _RULER_RANGE
    if not least <= measured_mm <= most:
        raise BoardError(f"the printed ruler is {least:g} to {most:g} mm long, not {measured_mm:g}: measure it again")
    return SQUARE_MM * measured_mm / RULER_MM


def check_square(square_mm: float) -> float:
    """Return `square_mm` if it is plausible. Raises `BoardError`."""
    least, most = _SQUARE_RANGE
    if not least <= square_mm <= most:
        raise BoardError(f"a square of the sheet is {least:g} to {most:g} mm wide, not {square_mm:g}")
    return float(square_mm)


@cache
def rectangles() -> tuple[Rectangle, ...]:
    """The black parts: the squares, and the black cells of the markers."""
    black: list[Rectangle] = []
    dictionary = pattern().getDictionary()
    cell, inset, marker = _MARKER / _CELLS, (1 - _MARKER) / 2, 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            if (row + column) % 2 == 0:
                black.append((column, row, 1.0, 1.0))
                continue
            dark = np.asarray(dictionary.generateImageMarker(marker, _CELLS)) == 0
            marker += 1
            for y, line in enumerate(dark):
                x = 0
                for is_dark, cells in groupby(line):
                    length = len(list(cells))
                    if is_dark:
                        black.append((column + inset + x * cell, row + inset + y * cell, length * cell, cell))
                    x += length
    return tuple(black)


def svg(square_px: float) -> str:
    """The board for a screen, with squares of `square_px` CSS pixels and a white border one square wide."""
    across, down = (COLUMNS + 2) * square_px, (ROWS + 2) * square_px
    path = "".join(
        f"M{_short((x + 1) * square_px)} {_short((y + 1) * square_px)}"
        f"h{_short(w * square_px)}v{_short(h * square_px)}h-{_short(w * square_px)}z"
        for x, y, w, h in rectangles()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_short(across)}" height="{_short(down)}" '
        f'viewBox="0 0 {_short(across)} {_short(down)}">'
        f'<path fill="#fff" d="M0 0h{_short(across)}v{_short(down)}H0z"/>'
        f'<path d="{path}"/></svg>\n'
    )


def picture(square_px: int) -> Grey:
    """The board as a picture, with squares of `square_px` pixels."""
    width, height = (COLUMNS + 2) * square_px, (ROWS + 2) * square_px
    fine = 4  # drawn larger, so that edges between two pixels come out grey
    image = np.full((height * fine, width * fine), 255, np.uint8)
    for x, y, w, h in rectangles():
        left, top = round((x + 1) * square_px * fine), round((y + 1) * square_px * fine)
        right, bottom = round((x + w + 1) * square_px * fine), round((y + h + 1) * square_px * fine)
        image[top:bottom, left:right] = 0
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _short(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")
