"""What dice and things are coloured: linear light, red first."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Rng = np.random.Generator
Floats = npt.NDArray[np.floating]

BODY: Final = {
    "red": [(176, 22, 30), (200, 35, 40), (150, 14, 24), (212, 44, 36)],
    "orange": [(232, 110, 24), (240, 126, 30), (222, 98, 20)],
    "yellow": [(240, 204, 40), (232, 190, 20), (246, 216, 70), (228, 196, 60)],
    "green": [(20, 104, 52), (30, 130, 60), (12, 84, 44), (44, 146, 70), (90, 170, 60)],
    "blue": [(24, 60, 150), (20, 80, 180), (16, 40, 110), (40, 110, 200), (60, 140, 210)],
    "purple": [(90, 34, 120), (110, 46, 146), (74, 26, 96), (130, 60, 150)],
    "black": [(22, 22, 24), (30, 29, 30), (16, 17, 20), (40, 38, 38)],
    "white": [(224, 222, 214), (230, 230, 230), (224, 214, 190), (216, 216, 220)],
}
"""Of 255, as a screen shows them: what makers call by each name."""


def srgb(colour: object) -> Floats:
    """Linear light of a screen's colour, of 255."""
    share = np.asarray(colour, float) / 255.0
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def body_colour(rng: Rng, colour: str) -> Floats:
    """A die's own colour: one that people call by this name."""
    screen = np.array(BODY[colour][rng.integers(len(BODY[colour]))], float)
    return np.clip(srgb(screen) * rng.uniform(0.85, 1.15) * rng.uniform(0.94, 1.06, 3), 0.004, 0.78)


def dull(rng: Rng, colour: str) -> Floats:
    """Of a thing that is no die: duller, lest it be taken for one."""
    bright = body_colour(rng, colour)
    grey = rng.uniform(0, 0.55)
    return np.clip((bright * (1 - grey) + bright.mean() * grey) * rng.uniform(0.5, 1.0), 0.004, 0.75)
