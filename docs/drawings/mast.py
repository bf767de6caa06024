"""The mast from the side: heights, the arm, what the camera sees, and where the lamp hangs.

Lengths are centimetres. The camera looks straight down, so that all dice have one size in the picture and none hides
another. vision/models/README.md says how far off the vertical dice are still read.
"""

from __future__ import annotations

from typing import Final

from docs.drawings.glare import CAMERA_HEIGHT, LAMP_HEIGHT, halves, safe_from
from docs.drawings.svg import BLUE, FAINT, INK, ORANGE, SOFT, Drawing, FromTheSide

TABLE_DEPTH: Final = 90.0
ARM_LENGTH: Final = 50.0
"""From the mast to the lens: half the table, and the clamp."""
MAST_HEIGHT: Final = CAMERA_HEIGHT + 8
"""Above the table's top; the camera hangs a little under the arm."""
MAST_BELOW_TABLE: Final = 10.0
"""In the clamp."""

_at = FromTheSide(middle=470.0, table=540.0, scale=4.3)


def draw() -> Drawing:
    half_wide, half = halves(CAMERA_HEIGHT)
    lamp = safe_from(LAMP_HEIGHT, half, CAMERA_HEIGHT)
    sheet = Drawing(
        1000,
        780,
        "The mast, from the side",
        f"A mast clamped to the table's long side, an arm of {ARM_LENGTH:.0f} cm, the camera {CAMERA_HEIGHT:.0f} cm "
        f"over its middle, looking straight down, and a lamp {LAMP_HEIGHT:.0f} cm over the table, "
        f"{lamp:.0f} cm from the middle.",
    )
    sheet.text(
        30,
        68,
        f"Camera Module 3; it sees {2 * half_wide:.0f} cm along the table and {2 * half:.0f} cm across it",
        fill=SOFT,
    )
    sheet.area([_at(0, CAMERA_HEIGHT), _at(-half, 0), _at(half, 0)], BLUE, 0.14)
    _table(sheet)
    _frame(sheet)
    _lamps(sheet, lamp)
    _dimensions(sheet, half, lamp)
    sheet.texts(
        30,
        726,
        [
            "The mast stands outside what the camera sees, and so do the lamps' mirror images (see glare.svg).",
            "What wobbles when a cup is slammed down is too thin: brace the arm, or clamp the mast twice.",
        ],
        fill=INK,
    )
    return sheet


def _table(sheet: Drawing) -> None:
    left, top = _at(-TABLE_DEPTH / 2, 0)
    sheet.box(left, top, TABLE_DEPTH * _at.scale, 14, "#cdb38b", INK, 2)
    for x in (-TABLE_DEPTH / 2 + 6, TABLE_DEPTH / 2 - 9):
        sheet.box(left + (x + TABLE_DEPTH / 2) * _at.scale, top + 14, 3 * _at.scale, 70, "#cdb38b", INK, 0)
    for x, size in ((-18, 1.6), (-14, 1.6), (4, 1.6), (16, 1.6), (19, 1.6)):
        at, up = _at(x, size)
        sheet.box(at, up, size * _at.scale, size * _at.scale, "#ffffff", INK, 1)
    cup, up = _at(-8, 8)
    sheet.area([(cup, up), (cup + 26, up), (cup + 32, _at.table), (cup - 6, _at.table)], "#7a5230", 1, INK)


def _frame(sheet: Drawing) -> None:
    x = -ARM_LENGTH
    mast = _at(x, MAST_HEIGHT)[0]
    sheet.box(
        mast - 6, _at(0, MAST_HEIGHT + 2)[1], 12, (MAST_HEIGHT + 2 + MAST_BELOW_TABLE) * _at.scale, "#8b939c", INK, 3
    )
    arm = _at(0, MAST_HEIGHT)[1]
    sheet.box(mast - 6, arm - 6, ARM_LENGTH * _at.scale + 18, 12, "#8b939c", INK, 3)
    sheet.line([_at(x, MAST_HEIGHT - 16), _at(x + 16, MAST_HEIGHT)], "#6b727a", 5)
    # The clamp reaches from the mast round the table's edge.
    left = _at(-TABLE_DEPTH / 2, 0)[0]
    sheet.box(mast - 10, _at.table - 10, left - mast + 34, 10, INK, INK, 2)
    sheet.box(mast - 10, _at.table + 14, left - mast + 34, 10, INK, INK, 2)
    sheet.text(mast - 18, _at.table + 18, "clamp", anchor="end", weight="bold")
    cx, cy = _at(0, CAMERA_HEIGHT)
    sheet.box(cx - 3, arm + 6, 6, cy - arm - 18, "#8b939c", INK, 0)
    sheet.box(cx - 16, cy - 14, 32, 14, INK)
    sheet.text(cx + 26, cy - 1, "camera, straight down", weight="bold")
    # The Pi's box sits on top of the mast, so that it does not swing; a ribbon cable reaches the camera.
    sheet.box(mast - 6, arm - 32, 44, 26, "#dfe7df", INK)
    sheet.line([(mast + 38, arm - 12), (cx - 8, arm - 12), (cx - 8, cy - 14)], "#c7a24a", 3)
    sheet.text(mast - 18, arm - 22, "Raspberry Pi", anchor="end", weight="bold")
    sheet.text(mast - 18, arm - 2, "50 cm of ribbon cable", anchor="end", fill=SOFT, size=14)


def _lamps(sheet: Drawing, lamp: float) -> None:
    x, y = _at(lamp, LAMP_HEIGHT)
    sheet.area([(x, y), (x + 52, y - 44), (x + 60, y - 34), (x + 8, y + 10)], ORANGE, 0.9)
    sheet.text(x + 66, y - 52, "lamp and diffuser", anchor="middle", weight="bold", fill=ORANGE)
    sheet.line([(x + 58, y - 36), (x + 90, y - 36), (x + 90, _at(0, -14)[1])], "#8b939c", 4)
    sheet.text(x + 98, _at(0, 20)[1], "its own stand", fill=SOFT, size=14)


def _dimensions(sheet: Drawing, half: float, lamp: float) -> None:
    axis = _at(0, 0)[0]
    sheet.line([(axis, _at(0, CAMERA_HEIGHT)[1] + 4), (axis, _at(0, -32)[1])], FAINT, 1.2, "8 4 2 4")
    sheet.measure((axis + 10, _at.table - 2), (axis + 10, _at(0, CAMERA_HEIGHT)[1] + 6), f"{CAMERA_HEIGHT:.0f} cm")
    up = _at(0, MAST_HEIGHT + 13)[1]
    sheet.measure((_at(-ARM_LENGTH, 0)[0], up), (axis, up), f"arm {ARM_LENGTH:.0f} cm")
    right = _at(lamp, 0)[0]
    sheet.measure((right, _at.table - 2), (right, _at(0, LAMP_HEIGHT)[1] + 12), f"{LAMP_HEIGHT:.0f} cm", aside=-66)
    row = _at(0, -14)[1]
    sheet.measure((_at(-half, 0)[0], row), (_at(half, 0)[0], row), f"seen {2 * half:.0f} cm", aside=-52)
    row = _at(0, -28)[1]
    sheet.measure((axis, row), (right, row), f"{lamp:.0f} cm or more")
    sheet.line([(right, _at.table + 6), (right, row - 6)], FAINT, 1.2)
    mast = _at(-ARM_LENGTH, 0)[0]
    sheet.measure((mast + 22, _at.table - 12), (mast + 22, _at(0, MAST_HEIGHT + 2)[1]), "")
    sheet.text(mast + 30, _at(0, 44)[1], f"mast {MAST_HEIGHT + 2:.0f} cm", fill=SOFT)
    sheet.text(mast + 30, _at(0, 44)[1] + 20, f"and {MAST_BELOW_TABLE:.0f} in the clamp", fill=SOFT, size=14)
