"""A virtual table under a lens that is known exactly, with a user who does what a calibration asks for.

For tests of calibrating: the sheet is held where it is needed, laid down, and dice are thrown, all as pixels.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.palette import SEAT_COLOURS
from calibration.sheet.view_guide import Wish
from hardware.camera.protocol import Image
from hardware.virtual.sheet_holder import SheetHolder
from hardware.virtual.virtual_lens import VirtualLens, flat_picture
from vision.drawn.table_scene import SceneDie, TableScene, render_table

SIZE: Final = (1152, 864)
TABLE_MM: Final = 620.0
"""From the lens to the table."""
WIDTH_MM: Final = 860.0
"""Of the table that is painted."""
PER_PLAYER: Final = 5
MATRIX: Final = np.array(
    [
        [0.77 * SIZE[0], 0, 0.506 * SIZE[0] - 0.5],
        [0, 0.77 * 1.002 * SIZE[0], 0.492 * SIZE[1] - 0.5],
        [0, 0, 1],
    ]
)
"""The matrix of a lens like a Pi camera's: 66 degrees wide, and a little off centre."""
DISTORTION: Final = np.array([-0.085, 0.06, 0.0006, -0.0004, -0.012])
"""A barrel distortion of a few pixels."""
_MARGIN: Final = 48
"""Pixels painted beyond each edge: the distortion brings some of them into the picture."""
_TO_MARGIN: Final = np.array([[0, 0, _MARGIN], [0, 0, _MARGIN], [0, 0, 0]])
_FINE: Final = (1376, 1032)
_LIGHT: Final = 22
"""Grey levels added by the lamp."""


def thrown(count: int = 30, seed: int = 3) -> tuple[SceneDie, ...]:
    """Dice of six colours, spread over the table, none touching another."""
    luck = random.Random(seed)
    return tuple(
        SceneDie(
            x=-190.0 + 54.0 * (n % 8) + luck.uniform(-5, 5),
            y=-110.0 + 70.0 * (n // 8) + luck.uniform(-5, 5),
            angle=luck.uniform(0.0, 6.2),
            face=luck.randint(1, 6),
            colour=SEAT_COLOURS[n % 6],
        )
        for n in range(count)
    )


def _undistorted() -> npt.NDArray[np.float32]:
    """height x width x 2: the position of each pixel without distortion."""
    pixels = np.stack(np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1])), axis=-1).reshape(-1, 1, 2).astype(np.float64)
    ends = cv2.undistortPoints(pixels, MATRIX, DISTORTION, P=MATRIX)
    return np.asarray(ends, np.float32).reshape(SIZE[1], SIZE[0], 2)


@functools.cache
def _table(dice: tuple[SceneDie, ...]) -> Image:
    scene = TableScene(dice, (), (), seed=1)
    return np.asarray(cv2.add(render_table(scene, _FINE), (_LIGHT,) * 3), np.uint8)


class SheetTable:
    """A fake table. `wanted` gives what a calibration asks for; None is a table with dice."""

    def __init__(self, dice: tuple[SceneDie, ...] | None = None) -> None:
        self.lens = VirtualLens(SIZE, MATRIX)
        self._eye = VirtualLens((SIZE[0] + 2 * _MARGIN, SIZE[1] + 2 * _MARGIN), MATRIX + _TO_MARGIN)
        self._ends = _undistorted() + np.float32(_MARGIN)
        self.hand = SheetHolder(self.lens, TABLE_MM)
        self.dice = thrown() if dice is None else dice
        self.wanted: Callable[[], tuple[str, Wish, int] | None] = lambda: None
        self.turned = 0.0
        """Degrees by which the camera has been turned."""
        self._noise = np.random.default_rng(1).integers(-3, 4, (SIZE[1] + 16, SIZE[0] + 16, 3)).astype(np.int16)
        self._luck = random.Random(1)
        self._painted: dict[object, Image] = {}
        for lying in ((), self.dice):
            _table(lying)  # in advance, since a camera that takes seconds for a picture counts as hanging

    def paint(self, _: float) -> Image:
        """The present frame, with noise: no two are the same."""
        wish = self.wanted()
        step = wish[0] if wish else ""
        key = (step, wish[1:] if wish and step == "views" else None, self.turned)
        if key not in self._painted:
            self._painted[key] = self._paint(wish)
        x, y = self._luck.randrange(16), self._luck.randrange(16)
        noise = self._noise[y : y + SIZE[1], x : x + SIZE[0]]
        return np.asarray(cv2.add(self._painted[key], noise, dtype=cv2.CV_8U), np.uint8)

    def _paint(self, wish: tuple[str, Wish, int] | None) -> Image:
        step = wish[0] if wish else ""
        table = _table(() if step in ("views", "flat", "lens") else self.dice)
        sheets = [flat_picture(table, WIDTH_MM / _FINE[0], (0.0, 0.0, TABLE_MM), (0.0, 0.0, self.turned))]
        if wish and step == "views":
            sheets.append(self.hand.holding(wish[1], wish[2]))
        elif step == "flat":
            sheets.append(self.hand.lying())
        sighting = self._eye.see(sheets)
        return np.asarray(cv2.remap(sighting, self._ends[..., 0], self._ends[..., 1], cv2.INTER_CUBIC), np.uint8)
