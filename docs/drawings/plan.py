"""The table from above: six seats, what the camera sees, the mast, the panel and the lamps. Lengths are centimetres."""

from __future__ import annotations

from typing import Final

from docs.drawings.glare import CAMERA_HEIGHT, LAMP_HEIGHT, halves, safe_from
from docs.drawings.mast import ARM_LENGTH, BOX_AT, BOX_LENGTH, PANEL_WIRES, TABLE_DEPTH
from docs.drawings.svg import BLUE, FAINT, INK, ORANGE, PAPER, RED, SOFT, Drawing, Point

TABLE_LENGTH: Final = 140.0
SEAT_PLACES: Final[tuple[Point, ...]] = ((-35, 68), (35, 68), (93, 0), (35, -68), (-35, -68), (-93, 0))
"""The middles of the players, from the camera's axis, clockwise as the program counts the seats; y points away."""
PLAYER: Final = 20.0
"""Half the width of a player's shoulders."""
LAMP_WIDTH: Final = 30.0

_SCALE: Final = 4.0
_MIDDLE: Final = (500.0, 440.0)


def lamp_places() -> tuple[Point, Point]:
    """The middles of the two lamps: at opposite corners, where nobody sits, beyond the long sides of the picture."""
    away = safe_from(LAMP_HEIGHT, halves(CAMERA_HEIGHT)[1], CAMERA_HEIGHT) + 5
    return (-78.0, away), (78.0, -away)


def _at(x: float, y: float) -> Point:
    return _MIDDLE[0] + x * _SCALE, _MIDDLE[1] - y * _SCALE


def draw() -> Drawing:
    """The plan."""
    half_wide, half = halves(CAMERA_HEIGHT)
    least = safe_from(LAMP_HEIGHT, half, CAMERA_HEIGHT)
    sheet = Drawing(
        1000,
        960,
        "The table, from above",
        f"A table of {TABLE_LENGTH:.0f} x {TABLE_DEPTH:.0f} cm with six seats. The mast stands between two seats "
        "of a long "
        f"side, the panel before it; two lamps stand at opposite corners, {LAMP_HEIGHT:.0f} cm over the table.",
    )
    sheet.text(
        30,
        68,
        f"Table {TABLE_LENGTH:.0f} x {TABLE_DEPTH:.0f} cm; Camera Module 3, {CAMERA_HEIGHT:.0f} cm over it",
        fill=SOFT,
    )
    left, top = _at(-TABLE_LENGTH / 2, TABLE_DEPTH / 2)
    sheet.box(left, top, TABLE_LENGTH * _SCALE, TABLE_DEPTH * _SCALE, "#e4d3b4", INK)
    left, top = _at(-half_wide, half)
    sheet.area(
        [_at(-half_wide, half), _at(half_wide, half), _at(half_wide, -half), _at(-half_wide, -half)], BLUE, 0.16, BLUE
    )
    sheet.text(left + 10, top + 22, f"what the camera sees: {2 * half_wide:.0f} x {2 * half:.0f} cm", fill=BLUE)
    _seats(sheet)
    _lamps(sheet, least)
    _mast(sheet)
    sheet.texts(
        30,
        880,
        [
            "The mast stands between two players of a long side; the panel lies outside the picture. Seats are "
            "counted clockwise.",
            f"Lamps: at two opposite corners, where nobody sits, lower edge {LAMP_HEIGHT:.0f} cm over the table: "
            "above the heads, so that",
            "no head is in their light; the broken line is the least distance of their nearest edge (glare.svg).",
        ],
    )
    return sheet


def _seats(sheet: Drawing) -> None:
    for number, (x, y) in enumerate(SEAT_PLACES, 1):
        at = _at(x, y)
        sheet.circle(*at, PLAYER * _SCALE * 0.55, "#dfe7df", SOFT)
        sheet.text(at[0], at[1] + 5, f"seat {number}", anchor="middle", weight="bold", size=14)


def _lamps(sheet: Drawing, least: float) -> None:
    for side in (-1, 1):
        sheet.line([_at(-100, side * least), _at(100, side * least)], ORANGE, 1.5, "7 5")
    for x, y in lamp_places():
        corner = _at(x - LAMP_WIDTH / 2, y + 5)
        sheet.box(*corner, LAMP_WIDTH * _SCALE, 10 * _SCALE, "#f0d9a8", ORANGE)
        at = _at(x, y)
        sheet.text(at[0], at[1] + 5, "lamp", anchor="middle", weight="bold", fill=ORANGE)
    x, y = _at(112, 0)
    sheet.measure((x, y), (x, _at(0, least)[1]), "")
    sheet.line([_at(104, 0), _at(116, 0)], FAINT, 1)
    sheet.text(x - 10, _at(0, 50)[1], f"{least:.0f} cm", anchor="end", fill=SOFT)


def _mast(sheet: Drawing) -> None:
    # Over all of them: the arm is above the table.
    mast, lens = _at(0, -ARM_LENGTH), _at(0, 0)
    sheet.box(mast[0] - 5, lens[1] - 16, 10, mast[1] - lens[1] + 20, "#8b939c", INK, 2)
    sheet.box(mast[0] - 12, mast[1] - 12, 24, 24, INK, INK, 2)
    sheet.text(mast[0] + 20, mast[1] + 8, "mast", weight="bold")
    box = _at(0, BOX_AT)
    sheet.box(box[0] - 16, box[1] - BOX_LENGTH / 2 * _SCALE, 32, BOX_LENGTH * _SCALE, "#dfe7df", INK)
    sheet.text(box[0], box[1] + 5, "Pi", anchor="middle", weight="bold")
    sheet.box(lens[0] - 12, lens[1] - 10, 24, 20, INK)
    sheet.text(lens[0] + 20, lens[1] + 5, "camera", weight="bold")
    panel = _at(-32, -32)
    sheet.box(*panel, 22 * _SCALE, 10 * _SCALE, PAPER, INK)
    sheet.text(panel[0] + 44, panel[1] + 25, "panel", anchor="middle", weight="bold")
    sheet.line([(panel[0] + 60, panel[1] + 40), (panel[0] + 60, mast[1]), (mast[0] - 12, mast[1])], RED, 2)
    sheet.text(panel[0] + 52, mast[1] + 6, f"{PANEL_WIRES} wires", anchor="end", fill=RED, size=14)
