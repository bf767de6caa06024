"""The field of view of a camera at a height, the pixels of a die in it, and the chart of both.

The cameras' figures are from the Raspberry Pi documentation (raspberrypi.com/documentation, "Camera"): "Hardware
specifications" for pixels and the horizontal field of view of Camera Module 2, 3 and 3 Wide, "Recommended Lenses" for
the HQ camera with the 6 mm lens. Sensor size and focal length there give the same angles to within 3 degrees; the rest
is distortion.

A camera that looks straight down from `height` sees 2 * height * tan(angle / 2) of the table. Distortion, which
calibrating measures, changes that towards the border.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from docs.drawings.svg import BLUE, FAINT, GREEN, INK, ORANGE, SOFT, VIOLET, Drawing
from hardware.camera.sensors import STILLS

DIE_EDGE: Final = 16.0
"""Millimetres: the common die of a Perudo set."""
READABLE_WIDTHS: Final = (20.0, 120.0)
"""Die widths in pixels that the reader finds."""
WELL_READ_WIDTH: Final = 30.0
"""Die width in pixels that is read well: vision/models/README.md counts smaller dice among the known failures."""
CAMERA_HEIGHTS: Final = tuple(range(50, 111, 10))
"""Centimetres above the table."""


@dataclass(frozen=True, slots=True)
class CameraLens:
    """A camera with its lens."""

    name: str
    angle: float
    """Horizontal angle of view in degrees."""
    sensor: str
    """A key of `hardware.camera.sensors.STILLS`."""
    whole: int
    """Width of the whole sensor in pixels."""

    @property
    def still(self) -> tuple[int, int]:
        """Default width and height of the frame that is judged."""
        return STILLS[self.sensor]

    def sees(self, height: float) -> tuple[float, float]:
        """Width and depth of the table seen from `height`, in the same unit."""
        wide = 2 * height * math.tan(math.radians(self.angle / 2))
        return wide, wide * self.still[1] / self.still[0]

    def die(self, height: float, pixels: int | None = None) -> float:
        """Width of a die in pixels, in the middle of a frame of width `pixels`, from `height` cm."""
        return DIE_EDGE / 10 / self.sees(height)[0] * (self.still[0] if pixels is None else pixels)


LENSES: Final = (
    CameraLens("Camera Module 2", 62.2, "imx219", 3280),
    CameraLens("Camera Module 3", 66.0, "imx708", 4608),
    CameraLens("Camera Module 3 Wide", 102.0, "imx708", 4608),
    CameraLens("HQ Camera, 6 mm lens", 55.0, "imx477", 4056),
)
MODULE_3: Final = LENSES[1]
LENS_COLOURS: Final = (GREEN, BLUE, ORANGE, VIOLET)

_LEFT, _RIGHT = 90.0, 640.0
_TOP, _BOTTOM = 120.0, 470.0
_MOST = 80.0
"""Pixels at the top of the chart."""


def _x(height: float) -> float:
    return _LEFT + (height - CAMERA_HEIGHTS[0]) / (CAMERA_HEIGHTS[-1] - CAMERA_HEIGHTS[0]) * (_RIGHT - _LEFT)


def _y(pixels: float) -> float:
    return _BOTTOM - pixels / _MOST * (_BOTTOM - _TOP)


def draw() -> Drawing:
    """Curves for the frames the program asks for, and a table with the field of view and the whole sensor."""
    sheet = Drawing(
        1000,
        920,
        "Which camera from which height",
        "Pixels across a 16 mm die against the camera's height, for four cameras; below it what each sees.",
    )
    sheet.text(30, 68, "Pixels across a 16 mm die, in the frame that the program asks each camera for", fill=SOFT)
    _curves(sheet)
    _table(sheet)
    return sheet


def _curves(sheet: Drawing) -> None:
    sheet.area(_corners(READABLE_WIDTHS[0], WELL_READ_WIDTH), ORANGE, 0.12)
    sheet.area(_corners(WELL_READ_WIDTH, _MOST), GREEN, 0.12)
    for pixels in range(0, int(_MOST) + 1, 10):
        sheet.line([(_LEFT, _y(pixels)), (_RIGHT, _y(pixels))], FAINT, 1)
        sheet.text(_LEFT - 10, _y(pixels) + 5, str(pixels), anchor="end")
    for height in CAMERA_HEIGHTS:
        sheet.line([(_x(height), _BOTTOM), (_x(height), _BOTTOM + 6)], INK, 1)
        sheet.text(_x(height), _BOTTOM + 24, str(height), anchor="middle")
    sheet.text(
        (_LEFT + _RIGHT) / 2, _BOTTOM + 48, "height of the camera over the table, cm", anchor="middle", fill=SOFT
    )
    sheet.text(36, (_TOP + _BOTTOM) / 2, "pixels", anchor="middle", fill=SOFT, turn=-90)
    bands = (
        (GREEN, 0.12, f"{WELL_READ_WIDTH:.0f} to {READABLE_WIDTHS[1]:.0f}: read well"),
        (ORANGE, 0.12, f"{READABLE_WIDTHS[0]:.0f} to {WELL_READ_WIDTH:.0f}: with more questions"),
        (FAINT, 0, f"under {READABLE_WIDTHS[0]:.0f}: too small"),
    )
    for n, (colour, opacity, said) in enumerate(bands):
        y = _TOP + 6 + n * 30
        x = _RIGHT + 32
        sheet.area([(x, y), (x + 26, y), (x + 26, y + 18), (x, y + 18)], colour, opacity, FAINT)
        sheet.text(x + 36, y + 14, said, fill=SOFT if colour is FAINT else colour)
    for lens, colour in zip(LENSES, LENS_COLOURS, strict=True):
        steps = [CAMERA_HEIGHTS[0] + n for n in range(CAMERA_HEIGHTS[-1] - CAMERA_HEIGHTS[0] + 1)]
        sheet.line([(_x(h), _y(lens.die(h))) for h in steps], colour, 3)
    # Names at the ends of the curves, in order and spaced to be readable.
    y = -math.inf
    for lens, colour in sorted(
        zip(LENSES, LENS_COLOURS, strict=True), key=lambda each: -each[0].die(CAMERA_HEIGHTS[-1])
    ):
        end = _y(lens.die(CAMERA_HEIGHTS[-1]))
        y = max(end, y + 26)
        sheet.line([(_RIGHT + 4, end), (_RIGHT + 26, y)], colour, 1.5)
        sheet.text(_RIGHT + 32, y + 5, f"{lens.name} ({number_of(lens.angle)}°)", fill=colour, weight="bold")


def _corners(low: float, high: float) -> list[tuple[float, float]]:
    return [(_LEFT, _y(low)), (_RIGHT, _y(low)), (_RIGHT, _y(high)), (_LEFT, _y(high))]


def number_of(value: float) -> str:
    """A number without a needless ".0"."""
    return f"{value:g}"


def _table(sheet: Drawing) -> None:
    top, step = 566.0, 44.0
    columns = [330.0 + n * 92 for n in range(len(CAMERA_HEIGHTS))]
    sheet.text(30, top, "From a height of", weight="bold")
    for height, x in zip(CAMERA_HEIGHTS, columns, strict=True):
        sheet.text(x, top, f"{height} cm", anchor="middle", weight="bold")
    y = top
    for lens, colour in zip(LENSES, LENS_COLOURS, strict=True):
        y += step + 20
        sheet.line([(30, y - 42), (970, y - 42)], FAINT, 1)
        sheet.text(30, y - 18, lens.name, fill=colour, weight="bold")
        sheet.text(30, y + 4, f"{lens.still[0]} x {lens.still[1]}", size=13, fill=SOFT)
        for height, x in zip(CAMERA_HEIGHTS, columns, strict=True):
            wide, deep = lens.sees(height)
            frame, whole = lens.die(height), lens.die(height, lens.whole)
            sheet.text(x, y - 18, f"{wide:.0f} x {deep:.0f}", anchor="middle", size=14)
            sheet.text(x, y + 4, f"{frame:.0f} px ({whole:.0f})", anchor="middle", size=14, fill=_shade(frame))
    sheet.texts(
        30,
        y + 46,
        [
            "Above: what it sees of the table, cm. Below: pixels a die; "
            "in brackets those of the whole sensor (still in [camera]).",
            f"The reader finds dice of {READABLE_WIDTHS[0]:.0f} to {READABLE_WIDTHS[1]:.0f} pixels. "
            "A wide lens bends straight lines: calibrate it before you trust its border.",
        ],
        size=14,
        fill=SOFT,
    )


def _shade(pixels: float) -> str:
    return GREEN if WELL_READ_WIDTH <= round(pixels) <= READABLE_WIDTHS[1] else ORANGE
