"""A table with other things and no dice: the reader must be sure of none of them; deterministic for a seed."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.cloths import patterned_cloth
from vision.training.traced import layout
from vision.training.traced.camera import View, random_response
from vision.training.traced.game_table import TracedScene, random_light, random_view, table_conditions, table_top
from vision.training.traced.objects import clutter
from vision.training.traced.objects.clutter import Part, Rng, Thing
from vision.training.traced.objects.mesh import ground
from vision.training.traced.objects.oddments import ODDMENTS
from vision.training.traced.objects.surfaces import TABLE_SURFACES, Surface, fractal

_DIE_EDGE = 15.5
"""Millimetres; how large such a die would be in pixels sets the scale."""


def _things(table_layout: layout.TableLayout, rng: Rng) -> list[Thing]:
    large = (clutter.phone, clutter.cards, clutter.glass, clutter.snack)
    things = []
    for k in range(int(rng.integers(5, 13))):
        makers = large if k < 2 and rng.uniform() < 0.5 else ODDMENTS
        thing = makers[int(rng.integers(len(makers)))](rng)
        at = layout.standing_place(thing.reach, None, 0, table_layout, rng)
        if at:
            things.append(thing.moved(rng.uniform(0, 2 * np.pi), *at))
    low, high = table_layout.corners.min(0), table_layout.corners.max(0)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.55, 0.3, 0.15]))):
        tip = rng.uniform(0.85 * low, 0.85 * high)
        inward = float(np.arctan2(-tip[1], -tip[0]) + rng.normal(0, 0.5))
        things.append(clutter.hand(rng).moved(inward, float(tip[0]), float(tip[1]), rng.uniform(0, 25)))
    return things


def _printed_cloth(view: View, rng: Rng) -> Part:
    """Flowers, leaves, spots or checks."""
    corners = view.corners()
    low, high = corners.min(0), corners.max(0)
    size, middle = (high - low) * 1.04, (high + low) / 2
    side = int(min(1400, size.max() / (view.field / view.width)))
    tall, wide = (int(np.ceil(side * float(s) / float(size.max()))) for s in (size[1], size[0]))
    cloth = patterned_cloth(side, rng)[:tall, :wide] * np.exp(0.05 * fractal((tall, wide), 200, rng))[..., None]
    flat = ground(float(size[0]), float(size[1])).moved(np.eye(3), (*middle, 0))
    return Part(flat, Surface("matt", picture=np.clip(cv2.GaussianBlur(cloth, (0, 0), 0.6), 0.003, 0.92)))


def make_thing_table(seed: int, index: int) -> TracedScene:
    """Table number `index` of this seed."""
    rng = np.random.default_rng([seed, index, 0x7B1])
    view = random_view(rng, _DIE_EDGE)
    things = _things(layout.TableLayout(view.corners().astype(np.float64)), rng)
    kind = str(rng.choice(list(TABLE_SURFACES), p=[share for _, share in TABLE_SURFACES.values()]))
    if kind == "patterned" and rng.uniform() < 0.6:
        top, same = _printed_cloth(view, rng), False
    else:
        top, same = table_top(view, kind, ["red", "blue", "green", "yellow"], rng)
    light, lamps, sky = random_light(view, rng)
    dim = bool(rng.uniform() < 0.2)
    conditions = table_conditions(view, _DIE_EDGE, 0, light, kind, dim=dim, same=same)
    parts = (top, *(part for thing in things for part in thing.parts))
    return TracedScene(view, (), parts, tuple(lamps), sky, random_response(dim, rng), conditions)
