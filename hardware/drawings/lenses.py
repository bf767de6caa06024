"""How wide a table a camera sees from a height, and how many pixels that leaves a die: the sums, and the chart of them.

The cameras' figures are those of the Raspberry Pi documentation (raspberrypi.com/documentation, "Camera"):
"Hardware specifications" for pixels and the horizontal field of view of Camera Module 2, 3 and 3 Wide, "Recommended
Lenses" for that of the HQ camera with the 6 mm lens. Sensor size and focal length there give the same angles to within
3 degrees; the lenses' own distortion is the difference.

A camera that looks straight down from `height` sees 2 * height * tan(angle / 2) of the table. Towards the border a lens
that bends lines shows more or less than that: calibrating measures it, these sums do not know it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from hardware.drawings.svg import BLUE, FAINT, GREEN, INK, ORANGE, SOFT, VIOLET, Sheet

DIE: Final = 16.0
"""Millimetres: the common die of a Perudo set."""
READ: Final = (20.0, 120.0)
"""Pixels a die may measure for the reader to find it."""
WELL: Final = 30.0
"""Pixels from which on it is read well: vision/models/README.md counts smaller dice among the known failures."""
STILL: Final = 2304
"""Pixels: the width of the frame that is judged."""
ASPECT: Final = 9 / 16
"""Height of that frame to its width."""
HEIGHTS: Final = tuple(range(50, 111, 10))
"""Centimetres over the table."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera with its lens."""

    name: str
    angle: float
    """Degrees, from the left border of its picture to the right one."""
    pixels: int
    """Across the whole sensor."""

    def sees(self, height: float) -> float:
        """How wide a table it sees from `height`, in the same unit."""
        return 2 * height * math.tan(math.radians(self.angle / 2))

    def die(self, height: float, pixels: int = STILL) -> float:
        """Pixels across a die, in the middle of a frame `pixels` wide, from `height` centimetres."""
        return DIE / 10 / self.sees(height) * pixels


LENSES: Final = (
    Lens("Camera Module 2", 62.2, 3280),
    Lens("Camera Module 3", 66.0, 4608),
    Lens("Camera Module 3 Wide", 102.0, 4608),
    Lens("HQ Camera, 6 mm lens", 55.0, 4056),
)
MODULE_3: Final = LENSES[1]
COLOURS: Final = (GREEN, BLUE, ORANGE, VIOLET)

_LEFT, _RIGHT = 90.0, 640.0
_TOP, _BOTTOM = 120.0, 470.0
_MOST = 80.0
"""Pixels at the top of the chart."""


def _x(height: float) -> float:
    return _LEFT + (height - HEIGHTS[0]) / (HEIGHTS[-1] - HEIGHTS[0]) * (_RIGHT - _LEFT)


def _y(pixels: float) -> float:
    return _BOTTOM - pixels / _MOST * (_BOTTOM - _TOP)


def draw() -> Sheet:
    """Lines for a frame of 2304 pixels, and a table with the width of the table and the whole sensor's pixels."""
    sheet = Sheet(
        1000,
        920,
        "Which camera from which height",
        "Pixels across a 16 mm die against the camera's height, for four cameras; below it what each sees.",
    )
    sheet.text(30, 68, "Pixels across a 16 mm die, in the frame that is judged (2304 x 1296)", fill=SOFT)
    _curves(sheet)
    _table(sheet)
    return sheet


def _curves(sheet: Sheet) -> None:
    sheet.area(_corners(READ[0], WELL), ORANGE, 0.12)
    sheet.area(_corners(WELL, _MOST), GREEN, 0.12)
    for pixels in range(0, int(_MOST) + 1, 10):
        sheet.line([(_LEFT, _y(pixels)), (_RIGHT, _y(pixels))], FAINT, 1)
        sheet.text(_LEFT - 10, _y(pixels) + 5, str(pixels), anchor="end")
    for height in HEIGHTS:
        sheet.line([(_x(height), _BOTTOM), (_x(height), _BOTTOM + 6)], INK, 1)
        sheet.text(_x(height), _BOTTOM + 24, str(height), anchor="middle")
    sheet.text(
        (_LEFT + _RIGHT) / 2, _BOTTOM + 48, "height of the camera over the table, cm", anchor="middle", fill=SOFT
    )
    sheet.text(36, (_TOP + _BOTTOM) / 2, "pixels", anchor="middle", fill=SOFT, turn=-90)
    sheet.text(_RIGHT - 10, _y(_MOST) + 22, "read well", anchor="end", fill=GREEN, weight="bold")
    sheet.text(_x(72), _y(READ[0]) - 12, "found, but with more questions", fill=ORANGE, weight="bold")
    sheet.text(_LEFT + 10, _y(READ[0]) + 22, "too small", fill=SOFT, weight="bold")
    for lens, colour in zip(LENSES, COLOURS, strict=True):
        steps = [HEIGHTS[0] + n for n in range(HEIGHTS[-1] - HEIGHTS[0] + 1)]
        sheet.line([(_x(h), _y(lens.die(h))) for h in steps], colour, 3)
    # Names at the ends of the lines, in their order, and far enough from one another to be read.
    y = -math.inf
    for lens, colour in sorted(zip(LENSES, COLOURS, strict=True), key=lambda each: -each[0].die(HEIGHTS[-1])):
        end = _y(lens.die(HEIGHTS[-1]))
        y = max(end, y + 26)
        sheet.line([(_RIGHT + 4, end), (_RIGHT + 26, y)], colour, 1.5)
        sheet.text(_RIGHT + 32, y + 5, f"{lens.name} ({number_of(lens.angle)}°)", fill=colour, weight="bold")


def _corners(low: float, high: float) -> list[tuple[float, float]]:
    return [(_LEFT, _y(low)), (_RIGHT, _y(low)), (_RIGHT, _y(high)), (_LEFT, _y(high))]


def number_of(value: float) -> str:
    """A number without a needless ".0"."""
    return f"{value:g}"


def _table(sheet: Sheet) -> None:
    top, step = 566.0, 44.0
    columns = [330.0 + n * 92 for n in range(len(HEIGHTS))]
    sheet.text(30, top, "From a height of", weight="bold")
    for height, x in zip(HEIGHTS, columns, strict=True):
        sheet.text(x, top, f"{height} cm", anchor="middle", weight="bold")
    y = top
    for lens, colour in zip(LENSES, COLOURS, strict=True):
        y += step + 20
        sheet.line([(30, y - 42), (970, y - 42)], FAINT, 1)
        sheet.text(30, y - 18, lens.name, fill=colour, weight="bold")
        sheet.text(30, y + 4, "table seen, cm; px a die", size=13, fill=SOFT)
        for height, x in zip(HEIGHTS, columns, strict=True):
            wide = lens.sees(height)
            frame, whole = lens.die(height), lens.die(height, lens.pixels)
            sheet.text(x, y - 18, f"{wide:.0f} x {wide * ASPECT:.0f}", anchor="middle", size=14)
            sheet.text(x, y + 4, f"{frame:.0f} px ({whole:.0f})", anchor="middle", size=14, fill=_shade(frame))
    sheet.texts(
        30,
        y + 46,
        [
            "In brackets: pixels when the whole sensor is read out (3280, 4608 and 4056 pixels across).",
            f"The reader finds dice of {READ[0]:.0f} to {READ[1]:.0f} pixels. "
            "A wide lens bends straight lines: calibrate it before you trust its border.",
        ],
        size=14,
        fill=SOFT,
    )


def _shade(pixels: float) -> str:
    return GREEN if WELL <= pixels <= READ[1] else ORANGE
