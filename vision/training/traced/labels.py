"""The labels of a rendered picture, as `perudo evaluate` reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from vision.training.traced.camera import Frame, Ids, visible_part
from vision.training.traced.game_table import TracedScene
from vision.training.traced.objects.mesh import Floats

TOO_HIDDEN: Final = 1 / 3
"""A die with a larger hidden share, covered or cut off by the frame, is ignored."""
TOO_MUCH_GLARE: Final = 0.1
"""So is a die that has lost more than this, a pip's worth, to glare."""
TOO_DARK: Final = 45
"""So is a die with next to nothing brighter than this, of 255."""
IN_THE_WAY: Final = 0.15
"""Up to this hidden share a person can read a die."""
_SPECK: Final = 12
"""A die with fewer visible pixels has no label."""


def burnt_out(frame: Frame, stuff: Floats) -> npt.NDArray[np.bool_]:
    """Where a highlight has wiped out the surface: white in the picture, although the surface is not."""
    return np.asarray((frame.min(-1) >= 235) & (stuff.min(-1) < 0.4))


Label = dict[str, Any]
"""A picture's entry in labels.json."""


def label_entry(scene: TracedScene, die_map: Ids, frame: Frame, stuff: Floats) -> Label:
    """The picture's dice and conditions.

    die_map: height x width, the die at each pixel, or -1; stuff: the unlit colours, see `render.Render`.
    """
    dice = []
    wiped = burnt_out(frame, stuff)
    for k, die in enumerate(scene.dice):
        mine = die_map == k
        if int(np.count_nonzero(mine)) < _SPECK:
            continue
        what = visible_part(die.mesh.points, mine, scene.view)
        if what is None:
            continue
        glare = round(float(wiped[mine].mean()), 2)
        label: Label = {
            "value": die.face,
            "box": [round(v, 1) for v in what.box],
            "colour": die.colour,
            "make": die.make,
            "hidden": round(what.hidden, 2),
            "glare": glare,
        }
        if die.lost:
            label["lost"] = True
        if die.face == 1:
            label["emblem"] = die.emblem
        dark = float(np.quantile(frame[mine].max(-1), 0.9)) < TOO_DARK
        if what.hidden > TOO_HIDDEN or glare > TOO_MUCH_GLARE or dark:
            label["ignore"] = True
        dice.append(label)
    return {"dice": dice, "conditions": dict(scene.conditions)}


def pair_entry(after: Label, before: Label, name: str, expected: Mapping[str, int]) -> Label:
    """The entry of a pair, made from those of its pictures. `name` is the earlier picture's.

    It is `open` if a person can judge it by looking: no die in play is hidden, and every lost one was visible before.
    """
    seen = [die for die in after["dice"] if not die.get("lost")] + [die for die in before["dice"] if die.get("lost")]
    lost = sum(bool(die.get("lost")) for die in after["dice"])
    whole = sum(die["hidden"] <= IN_THE_WAY and not die.get("ignore") for die in seen)
    return after | {"before": [name], "expect": expected, "open": whole == sum(expected.values()) + lost}
