"""Where a lamp may stand so that it is not mirrored in the table or in the flat top of a die.

In a level mirror the angle of incidence equals the angle of reflection, so a lamp glares when the camera's mirror
image, as far below the table as the camera is above it, "sees" it through the play area. "Light: Science & Magic"
(Hunter, Biver, Fuqua) calls this the family of angles.

For a camera at `height` above the middle of a play area that reaches `half` from it, a lamp `lamp` above the table is
safe from `half + lamp * tan(a)` on, where tan(a) = half / height. A die tilted by t turns its reflection by 2t, so a =
atan(half / height) + 2t. Tops of dice are 16 mm above the table, which makes camera and lamp a little lower; the worse
of the two counts. Lengths are centimetres.
"""

from __future__ import annotations

import math
from typing import Final

from docs.drawings.lenses import DIE_EDGE, MODULE_3
from docs.drawings.svg import BLUE, FAINT, GREEN, INK, ORANGE, RED, SOFT, Drawing, FromTheSide, Point

CAMERA_HEIGHT: Final = 75.0
"""In the drawings."""
LAMP_HEIGHT: Final = 100.0
"""In the drawings: of the lamp's lower edge above the table, so that it is above the heads of those who sit."""
DIE_TILT: Final = 3.0
"""Degrees a die may lie tilted, on a cloth with a seam: a margin we chose, not a measured one."""


def mirror_at(lamp: Point, height: float) -> float:
    """Where the lamp at (x, height) is mirrored in the table for a camera at `height` above x = 0."""
    x, up = lamp
    return x * height / (height + up)


def safe_from(lamp: float, half: float, height: float, tilt: float = DIE_TILT) -> float:
    """The least distance of a lamp's nearest edge from the axis, `lamp` above the table, for no glare within `half`."""
    return max(_plane(lamp, half, height, tilt), _plane(lamp - DIE_EDGE / 10, half, height - DIE_EDGE / 10, tilt))


def _plane(lamp: float, half: float, height: float, tilt: float) -> float:
    return half + lamp * math.tan(math.atan(half / height) + 2 * math.radians(tilt))


def halves(height: float) -> tuple[float, float]:
    """Half the width and half the depth of the table that Camera Module 3 sees."""
    wide, deep = MODULE_3.sees(height)
    return wide / 2, deep / 2


_at = FromTheSide(middle=430.0, table=560.0, scale=4.0)


def draw() -> Drawing:
    """A side view across the short side of the picture, the forbidden wedge, and figures for other heights."""
    half_wide, half = halves(CAMERA_HEIGHT)
    lamp = safe_from(LAMP_HEIGHT, half, CAMERA_HEIGHT)
    sheet = Drawing(
        1000,
        990,
        "Where the lamp may stand",
        f"A camera {CAMERA_HEIGHT:.0f} cm over the table; "
        f"a lamp {LAMP_HEIGHT:.0f} cm over it must be {lamp:.0f} cm from the middle or more.",
    )
    sheet.text(30, 68, "Seen along the table: the short side of the picture, Camera Module 3", fill=SOFT)
    top = 104.0
    edge = safe_from(top, half, CAMERA_HEIGHT)
    sheet.area([_at(-half, 0), _at(-edge, top), _at(edge, top), _at(half, 0)], RED, 0.1)
    sheet.text(*_at(0, 97), "a lamp in here is mirrored in the play area", anchor="middle", fill=RED, weight="bold")
    for side in (-1, 1):
        sheet.line([_at(side * half, 0), _at(side * edge, top)], RED, 1.5, "7 5")
    sheet.line([_at(-100, 0), _at(100, 0)], INK, 4)
    sheet.text(*_at(-98, -5.5), "table", fill=SOFT)
    _camera_and_view(sheet, half)
    _lamp_and_ray(sheet, lamp, half)
    _numbers(sheet, half, half_wide)
    return sheet


def _camera_and_view(sheet: Drawing, half: float) -> None:
    sheet.area([_at(0, CAMERA_HEIGHT), _at(-half, 0), _at(half, 0)], BLUE, 0.14)
    x, y = _at(0, CAMERA_HEIGHT)
    sheet.box(x - 18, y - 16, 36, 20, INK)
    sheet.text(x + 26, y - 2, "camera", weight="bold")
    sheet.measure(_at(-half, -8), _at(half, -8), "")
    sheet.text(*_at(0, -13), f"what it sees: {2 * half:.0f} cm", anchor="middle", fill=SOFT)
    sheet.measure(_at(-6, 0), _at(-6, CAMERA_HEIGHT - 1), "", stroke=SOFT)
    sheet.text(*_at(-7, 40), f"{CAMERA_HEIGHT:.0f} cm", anchor="end", fill=SOFT)


def _lamp_and_ray(sheet: Drawing, lamp: float, half: float) -> None:
    for side in (-1, 1):
        x, y = _at(side * lamp, LAMP_HEIGHT)
        out = x + side * 56
        sheet.area([(x, y), (out, y - 44), (out + side * 8, y - 34), (x + side * 8, y + 10)], ORANGE, 0.9)
        sheet.area([(x, y), _at(-side * half, 0), _at(side * half, 0)], ORANGE, 0.1)
    x, y = _at(lamp, LAMP_HEIGHT)
    sheet.text(x + 64, y - 56, "lamp, behind a diffuser", anchor="end", weight="bold", fill=ORANGE)
    hit = mirror_at((lamp, LAMP_HEIGHT), CAMERA_HEIGHT)
    sheet.line([_at(lamp, LAMP_HEIGHT), _at(hit, 0), _at(0, CAMERA_HEIGHT)], ORANGE, 2, "3 6")
    sheet.arrow(_at(hit + 4, 7), _at(hit + 0.4, 0.8), ORANGE)
    sheet.text(*_at(hit + 5, 6.5), f"mirrored here, {hit - half:.0f} cm outside", fill=ORANGE)
    right = _at(lamp + 38, 0)[0]
    sheet.measure((right, _at.table - 4), (right, _at(0, LAMP_HEIGHT)[1]), f"{LAMP_HEIGHT:.0f} cm")
    sheet.line([_at(lamp + 2, LAMP_HEIGHT), _at(lamp + 40, LAMP_HEIGHT)], FAINT, 1)
    sheet.line([_at(0, -17), _at(0, -24)], FAINT, 1)
    sheet.line([_at(lamp, -2), _at(lamp, -24)], FAINT, 1)
    sheet.measure(_at(0, -22), _at(lamp, -22), f"{lamp:.0f} cm or more")


def _numbers(sheet: Drawing, half: float, half_wide: float) -> None:
    top = 720.0
    sheet.text(30, top, "Least distance of the lamp's nearest edge from the middle of the picture, cm", weight="bold")
    columns = [380.0, 490.0, 600.0, 710.0]
    lamps = (30.0, 60.0, LAMP_HEIGHT, 130.0)
    sheet.text(30, top + 30, "lamp over the table", fill=SOFT)
    for lamp, x in zip(lamps, columns, strict=True):
        sheet.text(x, top + 30, f"{lamp:.0f} cm", anchor="middle", fill=SOFT)
    rows = [
        ("beyond the long sides (as drawn)", half, GREEN),
        ("beyond the short sides", half_wide, INK),
    ]
    for n, (said, reach, colour) in enumerate(rows):
        y = top + 62 + n * 30
        sheet.line([(30, y - 20), (760, y - 20)], FAINT, 1)
        sheet.text(30, y, said, fill=colour, weight="bold" if n == 0 else "normal")
        for lamp, x in zip(lamps, columns, strict=True):
            sheet.text(x, y, f"{safe_from(lamp, reach, CAMERA_HEIGHT):.0f}", anchor="middle", fill=colour)
    wide, deep = 2 * half_wide, 2 * half
    sheet.texts(
        30,
        top + 140,
        [
            f"Camera Module 3 at {CAMERA_HEIGHT:.0f} cm sees {wide:.0f} x {deep:.0f} cm. "
            f"Counted with dice tilted by up to {DIE_TILT:.0f}°.",
            "The long sides are nearer: two lamps there, one each, stand closer and cast softer, shorter shadows.",
            "A lamp straight above, and a bright window, glare in every glossy die, however they are aimed.",
            "No room beside the table? Aim the lamp at a white ceiling: its image is everywhere, and faint.",
            "A matt cloth mirrors nothing; the glossy tops of the dice still do.",
        ],
        fill=INK,
    )
