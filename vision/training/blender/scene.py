"""A scene put together in Blender: what is on the table, its light and who looks at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.training.blender.colours import Rng
from vision.training.blender.dice import stand
from vision.training.blender.layout import Die
from vision.training.blender.meshes import reset
from vision.training.blender.photos import make_photo
from vision.training.blender.tables import make_table
from vision.training.blender.view import View


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the renderer does not hold itself."""

    view: View
    dice: list[Die]
    conditions: dict[str, Any]
    rng: Rng
    """What draws the camera's part."""

    @property
    def dim(self) -> bool:
        """Whether there is too little light for the camera."""
        return bool(self.conditions["light"] == "dim")

    @property
    def glare(self) -> bool:
        """Whether a lamp is mirrored in the picture."""
        return bool(self.conditions["light"] == "glare")


def make_scene(kind: str, seed: int, index: int) -> Scene:
    """Put a scene of `tables` or `photos` together; the same numbers give the same one."""
    rng = np.random.default_rng([20, seed, {"tables": 0, "photos": 1}[kind], index])
    reset()
    view, dice, conditions = make_table(rng) if kind == "tables" else make_photo(rng)
    for number, die in enumerate(dice, 1):
        stand(die, number)
    return Scene(view, dice, conditions, rng)
