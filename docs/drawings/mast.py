"""The mast: its lengths, its parts list, a view from the side, and its head with the camera and the Pi.

Lengths are centimetres. The camera looks straight down, so that all dice have one size in the picture and none hides
another. vision/models/README.md says how far off the vertical dice are still read.

The Pi sits on the arm, between two limits. Its camera cable should be short: The Imaging Source recommends 30 cm for
MIPI CSI-2, and up to 50 cm of a good one ("MIPI CSI-2 Cameras & FPC Cable Length"); Raspberry Pi sells 20, 30 and 50.
Its supply's cable must reach the table: 1.2 m on the 27 W supply of a Pi 5, 1.5 m on that of a Pi 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from docs.drawings.glare import CAMERA_HEIGHT, LAMP_HEIGHT, halves, safe_from
from docs.drawings.svg import BLUE, FAINT, GREEN, INK, ORANGE, PAPER, RED, SOFT, Drawing, FromTheSide, Point
from docs.drawings.wiring import panel_uses
from hardware.panel.wiring import Wiring

TABLE_DEPTH: Final = 90.0
ARM_LENGTH: Final = 50.0
"""From the mast to the lens: half the table, and the clamp."""
ARM_END: Final = 4.0
"""Of the arm beyond the lens."""
ARM_HEIGHT: Final = CAMERA_HEIGHT + 8
"""Of the arm's middle above the table; the camera hangs under it."""
MAST_TOP: Final = ARM_HEIGHT + 2
MAST_BELOW_TABLE: Final = 10.0
"""In the clamp."""
BRACE_REACH: Final = 16.0
"""Along mast and arm."""
BATTEN: Final = 2.0
"""Side of the square batten."""
BATTEN_LENGTH: Final = 100.0
"""As it is sold."""

BOX_LENGTH: Final = 12.0
BOX_AT: Final = -26.0
"""The middle of the Pi's box on the arm, from the lens."""
CABLE_LENGTH: Final = 50.0
"""Of the camera's cable: the longest that Raspberry Pi sells."""
SUPPLY_LENGTH: Final = 120.0
"""Of the cable on a Pi 5's supply."""
HEAD_HEIGHT: Final = 60.0
"""Of the heads of tall people who sit, above the table: 1.35 m above the floor, at a table of 75 cm."""

CABLE: Final[Mapping[str, float]] = {
    "in the box, from the Pi's socket to the slot": 6.0,
    "along the arm, from the box to the lens": -BOX_AT - BOX_LENGTH / 2,
    "down from the arm to the camera": ARM_HEIGHT + BATTEN / 2 - CAMERA_HEIGHT,
    "two bends, and the camera's socket": 4.0,
}
"""The way of the camera's cable."""
SUPPLY: Final[Mapping[str, float]] = {
    "along the arm, from the Pi to the mast": ARM_LENGTH + BOX_AT,
    "down the mast to the table": ARM_HEIGHT,
    "to the socket, which hangs on the clamp": 5.0,
}
"""The way of the supply's cable."""
BATTENS: Final[tuple[Mapping[str, float], ...]] = (
    {"mast": MAST_TOP + MAST_BELOW_TABLE},
    {"arm": ARM_LENGTH + ARM_END, "brace": BRACE_REACH * 2**0.5 + 2 * BATTEN},
)
"""What is cut from each batten."""
PANEL_WIRES: Final = len(panel_uses(Wiring())) + 1
"""From the Pi to the panel: a wire for each part, and ground."""
NETWORK_WIRES: Final = 8
"""In a network cable; two of them lead to the panel, one for the buttons and one for the lamps."""
PANEL_CABLE: Final = ARM_LENGTH + BOX_AT + ARM_HEIGHT + TABLE_DEPTH / 2
"""From the Pi to a panel in the middle of the table's edge."""
PANEL_CABLE_LENGTH: Final = 200.0
"""As it is cut."""

_GREY: Final = "#8b939c"
_at = FromTheSide(middle=480.0, table=560.0, scale=4.2)


def draw() -> Drawing:
    """The mast from the side, with the lamps and two players."""
    half_wide, half = halves(CAMERA_HEIGHT)
    lamp = safe_from(LAMP_HEIGHT, half, CAMERA_HEIGHT)
    sheet = Drawing(
        1000,
        850,
        "The mast, from the side",
        f"A mast clamped to the table's long side, an arm of {ARM_LENGTH:.0f} cm with the Pi on it, the camera "
        f"{CAMERA_HEIGHT:.0f} cm over the table's middle, looking straight down, and lamps {LAMP_HEIGHT:.0f} cm "
        "over the "
        f"table, {lamp:.0f} cm from its middle line, above the players' heads.",
    )
    sheet.text(
        30,
        68,
        f"Camera Module 3; it sees {2 * half_wide:.0f} cm along the table and {2 * half:.0f} cm across it",
        fill=SOFT,
    )
    sheet.area([_at(0, CAMERA_HEIGHT), _at(-half, 0), _at(half, 0)], BLUE, 0.14)
    _table(sheet)
    _players(sheet)
    _frame(sheet)
    _lamps(sheet, lamp)
    _dimensions(sheet, half, lamp)
    wires = sum(CABLE.values())
    sheet.texts(
        30,
        762,
        [
            f"The camera's cable: {wires:.0f} of {CABLE_LENGTH:.0f} cm. The supply's, down the mast to a socket "
            "on the clamp: "
            f"{sum(SUPPLY.values()):.0f} of {SUPPLY_LENGTH:.0f} cm.",
            f"To the panel: {PANEL_WIRES} wires, {PANEL_CABLE:.0f} of {PANEL_CABLE_LENGTH:.0f} cm, down the mast "
            "on its outer side.",
            "The mast stands outside what the camera sees, and so do the lamps' mirror images (glare.svg). From "
            "above: table.svg.",
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
    for x in (-18, -14, 4, 16, 19):
        at, up = _at(x, 1.6)
        sheet.box(at, up, 1.6 * _at.scale, 1.6 * _at.scale, "#ffffff", INK, 1)
    cup, up = _at(-8, 8)
    sheet.area([(cup, up), (cup + 26, up), (cup + 32, _at.table), (cup - 6, _at.table)], "#7a5230", 1, INK)


def _players(sheet: Drawing) -> None:
    for side in (-1, 1):
        x, y = _at(side * 63, HEAD_HEIGHT - 10)
        sheet.circle(x, y, 10 * _at.scale, PAPER, SOFT)
        sheet.text(x, y + 5, "a player", anchor="middle", fill=SOFT, size=14)


def _frame(sheet: Drawing) -> None:
    x = -ARM_LENGTH
    mast, arm = _at(x, ARM_HEIGHT)
    half = BATTEN / 2 * _at.scale
    sheet.box(mast - half, _at(0, MAST_TOP)[1], 2 * half, (MAST_TOP + MAST_BELOW_TABLE) * _at.scale, _GREY, INK, 2)
    sheet.box(mast - half, arm - half, (ARM_LENGTH + ARM_END) * _at.scale + half, 2 * half, _GREY, INK, 2)
    sheet.line([_at(x, ARM_HEIGHT - BRACE_REACH), _at(x + BRACE_REACH, ARM_HEIGHT)], "#6b727a", 5)
    # The clamp reaches from the mast round the table's edge.
    left = _at(-TABLE_DEPTH / 2, 0)[0]
    sheet.box(mast - 10, _at.table - 10, left - mast + 34, 10, INK, INK, 2)
    sheet.box(mast - 10, _at.table + 14, left - mast + 34, 10, INK, INK, 2)
    sheet.text(mast - 18, _at.table + 4, "clamp, socket", anchor="end", weight="bold")
    cx, cy = _at(0, CAMERA_HEIGHT)
    sheet.line([(cx, arm + half), (cx, cy - 14)], _GREY, 6)
    sheet.box(cx - 16, cy - 14, 32, 14, INK)
    sheet.text(cx + 26, cy - 1, "camera, straight down", weight="bold")
    box = _at(BOX_AT, ARM_HEIGHT)[0]
    width = BOX_LENGTH * _at.scale
    sheet.box(box - width / 2, arm - half - 24, width, 24, "#dfe7df", INK)
    sheet.text(box, arm - half - 8, "Pi", anchor="middle", weight="bold", size=14)
    sheet.line([(box + width / 2, arm - half - 3), (cx + 8, arm - half - 3), (cx + 8, cy - 14)], "#c7a24a", 3)
    outside, along = mast - half - 4, arm - half - 3
    sheet.line([(box - width / 2, along), (outside, along), (outside, _at.table - 12)], RED, 2)


def _lamps(sheet: Drawing, lamp: float) -> None:
    for side in (-1, 1):
        x, y = _at(side * lamp, LAMP_HEIGHT)
        sheet.area([(x, y), (x + side * 52, y - 36), (x + side * 60, y - 26), (x + side * 8, y + 10)], ORANGE, 0.9)
        sheet.line([(x + side * 58, y - 30), (x + side * 84, y - 30), (x + side * 84, _at(0, -16)[1])], _GREY, 4)
        sheet.text(x + side * 20, y - 50, "lamp, diffuser", anchor="middle", weight="bold", fill=ORANGE)


def _dimensions(sheet: Drawing, half: float, lamp: float) -> None:
    axis = _at(0, 0)[0]
    sheet.line([(axis, _at(0, CAMERA_HEIGHT)[1] + 4), (axis, _at(0, -34)[1])], FAINT, 1.2, "8 4 2 4")
    sheet.measure((axis + 10, _at.table - 2), (axis + 10, _at(0, CAMERA_HEIGHT)[1] + 6), f"{CAMERA_HEIGHT:.0f} cm")
    up = _at(0, MAST_TOP + 11)[1]
    sheet.measure((_at(-ARM_LENGTH, 0)[0], up), (axis, up), f"arm {ARM_LENGTH:.0f} cm")
    right = _at(lamp, 0)[0]
    sheet.measure((right + 14, _at.table - 2), (right + 14, _at(0, LAMP_HEIGHT)[1] + 12), f"{LAMP_HEIGHT:.0f} cm")
    row = _at(0, -15)[1]
    sheet.measure((_at(-half, 0)[0], row), (_at(half, 0)[0], row), f"seen {2 * half:.0f} cm", aside=-52)
    row = _at(0, -30)[1]
    sheet.measure((axis, row), (right, row), f"{lamp:.0f} cm or more")
    sheet.line([(right, _at.table + 6), (right, row - 6)], FAINT, 1.2)
    mast = _at(-ARM_LENGTH, 0)[0]
    sheet.measure((mast + 26, _at.table - 12), (mast + 26, _at(0, MAST_TOP)[1] + 12), "")
    sheet.text(mast + 34, _at(0, 58)[1], f"mast {MAST_TOP:.0f} cm", fill=SOFT)
    sheet.text(mast + 34, _at(0, 58)[1] + 20, f"and {MAST_BELOW_TABLE:.0f} in the clamp", fill=SOFT, size=14)


# The head

_CM: Final = 20.0
"""Units a centimetre, in the drawing of the head."""
HOLES: Final = (2.1, 1.25)
"""Between the holes of a camera module, across and along the cable: Raspberry Pi's mechanical drawings."""
BRACKET_WIDTH: Final = 3.0
LENS_BELOW_BRACKET: Final = 1.2
"""The lens of Camera Module 3, on spacers of 5 mm."""


def draw_head() -> Drawing:
    """The camera's bracket and the Pi's box on the arm."""
    sheet = Drawing(
        1000,
        640,
        "The head of the mast: bracket and box",
        "The camera on a bent strip of aluminium under the arm, the Pi with its heat sink in a box with slots on "
        "the arm, "
        "and the way of the camera's cable.",
    )
    arm: Point = (40.0, 300.0)
    end = 40 + (ARM_END - BOX_AT + BOX_LENGTH / 2 + 8) * _CM
    lens = end - ARM_END * _CM
    box = lens + BOX_AT * _CM
    sheet.box(arm[0], arm[1], end - arm[0], BATTEN * _CM, _GREY, INK, 2)
    sheet.text(52, arm[1] + 26, "arm", weight="bold", fill=PAPER)
    _box(sheet, box, arm[1])
    _bracket(sheet, lens, arm[1])
    down = arm[1] + (ARM_HEIGHT + BATTEN / 2 - CAMERA_HEIGHT) * _CM
    slot = box + BOX_LENGTH / 2 * _CM
    sheet.line([(slot - 6 * _CM, arm[1] - 34), (slot, arm[1] - 8), (lens + 44, arm[1] - 8), (lens + 52, arm[1] + 4),
                (lens + 52, down - 50), (lens + 14, down - 36)], "#c7a24a", 4)  # fmt: skip
    sheet.text(
        (slot + lens) / 2, arm[1] - 20, f"cable, {CABLE_LENGTH:.0f} cm, taped flat", anchor="middle", fill="#7a5d12"
    )
    sheet.measure((slot, arm[1] + 66), (lens, arm[1] + 66), f"{-BOX_AT - BOX_LENGTH / 2:.0f} cm")
    sheet.texts(
        30,
        538,
        [
            f"The camera's cable takes {sum(CABLE.values()):.0f} of its {CABLE_LENGTH:.0f} cm. Bend it round a "
            "pencil, never sharper; do not fold it.",
            f"Bracket: printed, or a strip of aluminium, {10 * BRACKET_WIDTH:.0f} x 2 mm, 14 cm long, bent twice; the "
            "slot at the arm lets it turn.",
            f"Camera: M2 screws on spacers of nylon, holes {10 * HOLES[0]:.0f} x {10 * HOLES[1]:.1f} mm apart; "
            "metal must not touch its board.",
            "Heat: a Pi 5 takes Raspberry Pi's Active Cooler, a Pi 4 a heat sink on its processor; slots in the "
            "box below and above.",
        ],
        size=14.5,
    )
    return sheet


def _box(sheet: Drawing, middle: float, arm: float) -> None:
    width, height = BOX_LENGTH * _CM, 110.0
    left, top = middle - width / 2, arm - height
    sheet.box(left, top, width, height, "#dfe7df", INK)
    sheet.line([(left + 16, arm - 30), (left + width - 20, arm - 30)], GREEN, 6)
    sheet.text(left + 18, arm - 10, "Pi on spacers", size=13)
    fins = [left + 60 + 9 * n for n in range(8)]
    for x in fins:
        sheet.line([(x, arm - 34), (x, arm - 62)], SOFT, 4)
    sheet.text(left + 140, arm - 48, "heat sink", size=13)
    for n in range(6):
        x = left + 30 + 30 * n
        sheet.line([(x, top), (x + 14, top)], PAPER, 5)
        sheet.line([(x, arm), (x + 14, arm)], PAPER, 5)
    sheet.arrow((middle, top - 10), (middle, top - 52), RED)
    sheet.text(middle + 12, top - 30, "warm air, through slots", fill=RED, size=14)
    sheet.text(left - 10, top + 26, "supply and", anchor="end", size=14)
    sheet.text(left - 10, top + 44, f"{PANEL_WIRES} wires", anchor="end", size=14)
    sheet.line([(left, arm - 12), (40, arm - 12)], RED, 3)
    sheet.line([(left, arm - 22), (40, arm - 22)], BLUE, 3)


def _bracket(sheet: Drawing, lens: float, arm: float) -> None:
    under = arm + BATTEN * _CM
    down = arm + (ARM_HEIGHT + BATTEN / 2 - CAMERA_HEIGHT) * _CM
    low, leg = down - LENS_BELOW_BRACKET * _CM, lens - 44
    sheet.line([(leg - 98, under + 3), (leg, under + 3), (leg, low), (lens + 10, low)], INK, 5)
    for x in (leg - 26, leg - 78):
        sheet.line([(x, under + 10), (x, under - 16)], SOFT, 4)
    sheet.box(lens - 26, down - 18, 52, 6, "#20763f", INK, 1)
    sheet.box(lens - 10, down - 12, 20, 12, INK, INK, 2)
    sheet.area([(lens, down), (lens - 40, down + 40), (lens + 40, down + 40)], BLUE, 0.2)
    sheet.text(leg - 10, down - 6, "camera", anchor="end", weight="bold")
    sheet.text(leg - 10, under + 66, "bracket", anchor="end", weight="bold")
    sheet.measure((lens + 90, arm), (lens + 90, down), f"{ARM_HEIGHT + BATTEN / 2 - CAMERA_HEIGHT:.0f} cm")
