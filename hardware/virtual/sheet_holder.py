"""Holds a virtual calibration sheet where the calibration asks for it, in the demo and in tests."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.sheet.board import ROWS, SQUARE_MM, picture
from calibration.sheet.view_guide import CELLS, Wish
from hardware.camera.protocol import Image
from hardware.virtual.virtual_lens import FlatPicture, VirtualLens, flat_picture

_SQUARE: Final = 60
"""Pixels per square in the sheet's picture."""
_LYING: Final = 90.0
"""In degrees: the sheet's long side runs across the picture."""
_FILLS: Final = 0.53
"""The share of the picture's width that the board fills when held near."""
_TIP: Final = 32.0
"""Tilt of the sheet in degrees when it is tipped."""
_AT: Final = (0.27, 0.5, 0.73)
"""The position of the sheet's middle for each third of the picture, as a share of its size."""


class SheetHolder:
    """Holds the sheet under a lens."""

    def __init__(self, lens: VirtualLens, table_mm: float) -> None:
        """`table_mm` is the distance from the lens, which looks straight down, to the table."""
        self._lens = lens
        self._table = table_mm
        # Under a lamp, paper and ink are neither quite white nor quite black.
        grey = 28 + picture(_SQUARE) * (200 / 255)
        self._sheet: Image = np.asarray(cv2.cvtColor(grey.astype(np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)
        self._mm = SQUARE_MM / _SQUARE

    def holding(self, wish: Wish, n: int = 0) -> FlatPicture:
        """The sheet held as `wish` says, a little differently for each `n`."""
        width, _ = self._lens.size
        focal = float(self._lens.matrix[0, 0])
        away = min(focal * ROWS * SQUARE_MM / (_FILLS * width), 0.94 * self._table)
        x = y = 0.5
        turn = [0.0, 0.0, _LYING + 3.0 * (n % 3 - 1)]
        if wish in CELLS:
            x, y = _AT[CELLS.index(wish) % 3], _AT[CELLS.index(wish) // 3]
            turn[0], turn[1] = 4.0 * (n % 2), -3.0 * (n % 3)
        elif wish is Wish.TIP_SIDEWAYS:
            turn[1] = _TIP
        elif wish is Wish.TIP_LENGTHWAYS:
            turn[0] = _TIP
        else:
            turn[0], turn[1] = 15.0 * (n % 3 - 1), -12.0 * (n % 2)
        if wish not in CELLS:
            x, y, away = 0.5 + 0.02 * (n % 3), 0.5, min(1.1 * away, 0.8 * self._table)
        return flat_picture(self._sheet, self._mm, self._point(x, y, away), turn)

    def lying(self) -> FlatPicture:
        """The sheet lying on the table, nearly in the middle."""
        return flat_picture(self._sheet, self._mm, self._point(0.49, 0.51, self._table), (0.0, 0.0, _LYING + 4.0))

    def _point(self, x: float, y: float, away: float) -> tuple[float, float, float]:
        width, height = self._lens.size
        (fx, _, cx), (_, fy, cy), _ = self._lens.matrix.tolist()
        return (x * width - cx) / fx * away, (y * height - cy) / fy * away, away
