"""Parts to print, in OpenSCAD, and the numbers they share with the drawings. Lengths are millimetres.

Board and holes of the Pi 4 and 5 and of the camera modules are those of Raspberry Pi's mechanical drawings. Each part
is drawn as it lies on the printer's bed, and needs no support.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from docs.drawings.mast import ARM_HEIGHT, BATTEN, BRACKET_WIDTH, CAMERA_HEIGHT, HOLES, LENS_BELOW_BRACKET
from docs.drawings.plan import SEAT_PLACES

FOLDER: Final = Path(__file__).parent
PARTS: Final = ("camera-bracket", "pi-case", "pi-case-lid", "button-box", "button-box-lid")
"""Each NAME.scad."""
NUMBERS: Final[Mapping[str, float | list[float] | list[list[float]]]] = {
    "wall": 2.4,
    # Holes: what a screw passes through, and what it cuts its thread into.
    "m2": 2.4,
    "m25": 2.9,
    "m25_thread": 2.2,
    "m3": 3.4,
    "m3_thread": 2.5,
    "wood_screw": 4.5,
    # The camera's bracket.
    "camera_holes": [10 * each for each in HOLES],
    "bracket_width": 10 * BRACKET_WIDTH,
    "bracket_drop": round(10 * (ARM_HEIGHT - BATTEN / 2 - CAMERA_HEIGHT - LENS_BELOW_BRACKET), 3),
    # The Pi. Its board's corner at the memory card and the USB-C socket is the origin.
    "pi_board": [85, 56],
    "pi_holes": [58, 49],
    "pi_first_hole": [3.5, 3.5],
    "pi_spacer": 25,
    # The buttons, with a lamp beside each, and the seats' lamps.
    "button": 30,
    "button_depth": 50,
    "lamp": 5.2,
    "seats": [[round(x / 5, 3), round(y / 5, 3)] for x, y in SEAT_PLACES],
}
"""What numbers.scad declares."""


def scad() -> str:
    """The text of numbers.scad."""
    lines = [f"{name} = {value};" for name, value in NUMBERS.items()]
    return "\n".join(["// Written by `python -m docs.parts`. Millimetres.", *lines]) + "\n"


def render(name: str, out: Path, *options: str) -> None:
    """Have OpenSCAD write part `name` to `out`, whose ending says what: .stl, .png. Raises `CalledProcessError`."""
    command = ["openscad", "-q", "--hardwarnings", "-o", str(out), *options, str(FOLDER / f"{name}.scad")]
    subprocess.run(command, check=True, capture_output=True, text=True)
