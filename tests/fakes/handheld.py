"""Drawn tables, and pictures of them as phones take them."""

from __future__ import annotations

import random
from functools import lru_cache
from math import cos, sin

import cv2
import numpy as np

from calibration.image import Image
from vision.drawn.table_scene import SceneDie, TableScene, render_table

SIZE = (2304, 1728)
LARGE = (2880, 2160)
"""Of a picture for `seen_from`."""
FACES = {"red": (4, 4, 1, 2, 3), "blue": (6, 6, 5, 4, 1)}


def dice(shown: dict[str, tuple[int, ...]] = FACES, *, spread: float = 45.0) -> list[SceneDie]:
    """A row of dice for each colour, in the middle of the table."""
    turn = random.Random(1)
    return [
        SceneDie(spread * (place - 2), spread * 1.2 * (row - 0.5), turn.uniform(0, 3), face, colour)
        for row, (colour, faces) in enumerate(shown.items())
        for place, face in enumerate(faces)
    ]


def drawn(shown: list[SceneDie], size: tuple[int, int] = SIZE) -> Image:
    """A picture of these dice, not to be changed: it is drawn once."""
    return _drawn(tuple(shown), size)


@lru_cache(maxsize=8)
def _drawn(shown: tuple[SceneDie, ...], size: tuple[int, int]) -> Image:
    image = render_table(TableScene(shown), size)
    image.flags.writeable = False
    return image


def long_table() -> tuple[list[SceneDie], list[Image]]:
    """Fifteen dice, and two pictures of them from either end, tilted and turned, which share the middle."""
    turn = random.Random(2)
    faces = {**FACES, "green": (3, 2, 6, 1, 5)}
    shown = [
        SceneDie(
            110 * (n - 2) + turn.uniform(-12, 12),
            110 * (row - 1) + turn.uniform(-12, 12),
            turn.uniform(0, 3),
            face,
            name,
        )
        for row, (name, row_faces) in enumerate(faces.items())
        for n, face in enumerate(row_faces)
    ]
    whole = drawn(shown, LARGE)
    return shown, [seen_from(whole, 1250, 0.05, 0.05), seen_from(whole, 2350, -0.12, -0.06)]


def seen_from(table: Image, x: float, angle: float, tilt: float) -> Image:
    """A part of the table round `x`, of 3600 across, turned and tilted."""
    corners = []
    scale = table.shape[1] / 3600
    for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        right, down = u * 1150 * (1 + tilt * v), v * 862
        corners.append((x + cos(angle) * right - sin(angle) * down, 1350 + sin(angle) * right + cos(angle) * down))
    upright = [(0, 0), (1800, 0), (1800, 1350), (0, 1350)]
    move = cv2.getPerspectiveTransform(np.array(corners, np.float32) * np.float32(scale), np.array(upright, np.float32))
    return np.asarray(cv2.warpPerspective(table, move, (1800, 1350), borderMode=cv2.BORDER_REFLECT), np.uint8)
