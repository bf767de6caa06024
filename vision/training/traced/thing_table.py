"""A table with other objects and no dice: the reader must not be sure of any; deterministic for a seed."""

from __future__ import annotations

import numpy as np

from vision.training.traced import game_table, layout
from vision.training.traced.objects import clutter
from vision.training.traced.objects.clutter import Rng, Thing
from vision.training.traced.objects.oddments import ODDMENTS
from vision.training.traced.objects.surfaces import TABLE_SURFACES

_DIE_EDGE = 15.5
"""In millimetres; the size in pixels of such a die sets the scale."""


def _things(table_layout: layout.TableLayout, rng: Rng) -> list[Thing]:
    large = (clutter.phone, clutter.cards, clutter.glass, clutter.snack)
    things = []
    for k in range(int(rng.integers(5, 13))):
        makers = large if k < 2 and rng.uniform() < 0.5 else ODDMENTS
        things += game_table.stood(makers[int(rng.integers(len(makers)))](rng), table_layout, rng)
    low, high = table_layout.corners.min(0), table_layout.corners.max(0)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.55, 0.3, 0.15]))):
        tip = rng.uniform(0.85 * low, 0.85 * high)
        inward = float(np.arctan2(-tip[1], -tip[0]) + rng.normal(0, 0.5))
        things.append(clutter.hand(rng).moved(inward, float(tip[0]), float(tip[1]), rng.uniform(0, 25)))
    return things


def make_thing_table(seed: int, index: int) -> game_table.TracedScene:
    """Table number `index` of this seed."""
    rng = np.random.default_rng([seed, index, 0x7B1])
    view = game_table.random_view(rng, _DIE_EDGE)
    things = _things(layout.TableLayout(view.corners().astype(np.float64)), rng)
    kind = str(rng.choice(list(TABLE_SURFACES), p=[share for _, share in TABLE_SURFACES.values()]))
    if kind == "patterned" and rng.uniform() < 0.6:
        top, same = game_table.printed_top(view, rng, sharp=False), False
    else:
        top, same = game_table.table_top(view, kind, ["red", "blue", "green", "yellow"], rng)
    return game_table.lit_scene(
        view, _DIE_EDGE, [], (top, *game_table.parts_of(things)), kind, rng, players=0, same=same
    )
