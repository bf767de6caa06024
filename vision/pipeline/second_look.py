"""What is made of each spot in the end: its face from above its top, and where that is not plain, another word.

The first classifier looks at each die twice where it leans: at the whole of it, and at its top. Of what is not plain
then, the second classifier is asked, with more round it and its other sides up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.models.networks import Floats, Look, Spot
from vision.pipeline.tiles import Sight
from vision.pipeline.tilt import lean_of

_AGAIN: Final = 8
"""Of the dice that lean, so many are looked at from above: the least sure ones."""
_CAREFUL: Final = 24
"""Doubtful dice that are looked at again; where there are more, the table is full of something else."""
_PLAIN: Final = 0.97
"""A look whose likeliest face and whose "one whole die" are both surer than this needs no second one."""
_HOPELESS: Final = 0.02
"""Nor does one that is so surely no die."""


def careful_looks(sight: Sight, spots: Sequence[Spot]) -> list[Look]:
    """What all classifiers make of each spot."""
    looks = sight.looks(spots)
    lean = lean_of(sight, spots, looks)
    tops = {k: lean.top(spots[k]) for k, look in enumerate(looks) if look.whole > _HOPELESS}
    leaning = [k for k in tops if tops[k] is not spots[k]]
    again = sorted(leaning, key=lambda k: float(looks[k].faces.max()))[:_AGAIN]
    for k, top in zip(again, sight.looks([tops[k] for k in again]), strict=True):
        looks[k] = replace(looks[k], faces=top.faces)
    doubtful = [k for k, look in enumerate(looks) if _doubtful(look)][:_CAREFUL]
    for k, others in zip(doubtful, sight.second_looks([tops[k] for k in doubtful]), strict=True):
        looks[k] = _mean([looks[k], *others])
    return looks


def _doubtful(look: Look) -> bool:
    return look.whole > _HOPELESS and min(look.whole, float(look.faces.max())) < _PLAIN


def _mean(looks: list[Look]) -> Look:
    def average(rows: list[Floats]) -> Floats:
        return np.asarray(np.mean(rows, axis=0), dtype=np.float32)

    return Look(
        average([look.faces for look in looks]),
        average([look.colours for look in looks]),
        float(np.mean([look.whole for look in looks])),
    )
