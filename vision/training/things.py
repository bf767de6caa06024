"""Lays objects on a table that look a little like dice: phones, caps, tiles, nuts, hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from vision.training.clutter import goods, icons, oddments, papers, rounds
from vision.training.clutter.sheet import Canvas, TableCanvas, ThingSheet

Rng = np.random.Generator


class ThingKind(NamedTuple):
    """How to draw an object, and its length."""

    make: Callable[[Rng, float], ThingSheet]
    low: float
    """Least length in die edges during training; the greatest comes next."""
    high: float
    millimetres: tuple[float, float]
    """Least and greatest real length."""
    many: bool
    """Several lie together."""


THING_KINDS: Final[dict[str, ThingKind]] = {
    "phone": ThingKind(goods.phone, 2.5, 8, (135, 165), False),
    "keys_grid": ThingKind(goods.keys_grid, 3, 8, (110, 220), False),
    "biscuit": ThingKind(rounds.biscuit, 0.9, 4, (35, 70), True),
    "hand": ThingKind(goods.hand, 3, 8, (85, 115), False),
    "card": ThingKind(papers.card, 2, 5, (60, 90), True),
    "domino": ThingKind(goods.domino, 1.6, 3.2, (36, 56), True),
    "cube": ThingKind(goods.cube, 0.5, 1.6, (12, 25), True),
    "nut": ThingKind(rounds.nut, 0.5, 1.6, (9, 30), True),
    "cap": ThingKind(rounds.cap, 0.7, 1.8, (24, 34), True),
    "chip": ThingKind(rounds.chip, 0.8, 2.5, (32, 42), True),
    "coin": ThingKind(rounds.coin, 0.6, 1.8, (16, 28), True),
    "button": ThingKind(rounds.button, 0.5, 1.6, (9, 26), True),
    "sweet": ThingKind(rounds.sweet, 0.5, 1.4, (9, 22), True),
    "glass": ThingKind(rounds.glass, 2, 6, (55, 85), False),
    "cup": ThingKind(rounds.cup, 2, 6, (65, 95), False),
    "key": ThingKind(goods.key, 2, 5, (45, 70), True),
    "pen": ThingKind(goods.pen, 4, 8, (130, 150), False),
    "rubber": ThingKind(goods.rubber, 1.2, 3.5, (25, 60), True),
    "tile": ThingKind(goods.tile, 0.6, 1.6, (17, 40), True),
    "sticker": ThingKind(rounds.sticker, 0.7, 2.5, (12, 50), True),
    "ring_or_beads": ThingKind(rounds.ring_or_beads, 1, 5, (19, 80), False),
    "screw": ThingKind(rounds.screw, 0.4, 1.2, (6, 18), True),
    "code": ThingKind(papers.code, 0.9, 5, (15, 60), False),
    "puzzle": ThingKind(papers.puzzle, 4, 8, (60, 160), False),
    "board": ThingKind(papers.board, 4, 8, (80, 220), False),
    "logo": ThingKind(papers.logo, 0.8, 4, (15, 80), False),
    "loose_dots": ThingKind(papers.loose_dots, 0.7, 3, (15, 60), False),
    "note": ThingKind(papers.note, 2, 8, (60, 150), False),
    "blister": ThingKind(goods.blister, 2.5, 5, (60, 110), False),
    "brick": ThingKind(goods.brick, 1.6, 4, (31, 32), True),
    "watch": ThingKind(goods.watch, 4, 8, (150, 220), False),
    "leaf": ThingKind(papers.leaf, 0.7, 3, (15, 60), True),
    "round_shadow": ThingKind(papers.round_shadow, 0.6, 3, (20, 90), True),
    "glare": ThingKind(papers.glare, 0.6, 4, (15, 60), False),
    "icon_tile": ThingKind(icons.icon_tile, 0.6, 3, (12, 60), True),
    "icon_print": ThingKind(icons.icon_print, 1, 8, (15, 160), False),
    "socket": ThingKind(oddments.socket, 2, 8, (40, 220), False),
    "plug": ThingKind(oddments.plug, 3, 6, (60, 85), False),
    "key_ring": ThingKind(oddments.key_ring, 4, 8, (80, 130), False),
    "polyhedron": ThingKind(oddments.polyhedron, 0.8, 1.8, (14, 30), True),
    "studs": ThingKind(oddments.studs, 0.5, 2, (8, 24), True),
    "marble": ThingKind(oddments.marble, 0.7, 1.6, (13, 26), True),
    "wrapped_sweet": ThingKind(oddments.wrapped_sweet, 1.5, 4, (30, 60), True),
    "liquorice": ThingKind(oddments.liquorice, 0.7, 1.6, (14, 24), True),
    "pin": ThingKind(oddments.pin, 0.5, 1.5, (9, 30), True),
}


def _together(rng: Rng, pitch: float) -> list[tuple[float, float]]:
    """Offsets in pixels of several things of a kind: in a row, a grid or a heap."""
    kind, gap = rng.uniform(), pitch * rng.uniform(1.02, 1.5)
    if kind < 0.3:
        n, slope = int(rng.integers(2, 7)), rng.uniform(0, np.pi)
        return [((k - n / 2) * gap * np.cos(slope), (k - n / 2) * gap * np.sin(slope)) for k in range(n)]
    if kind < 0.55:
        cols, rows, slope = int(rng.integers(2, 5)), int(rng.integers(2, 4)), rng.uniform(0, np.pi)
        c, s = gap * np.cos(slope), gap * np.sin(slope)
        return [(i * c - j * s, i * s + j * c) for i in range(cols) for j in range(rows)]
    spots: list[tuple[float, float]] = [(0.0, 0.0)]
    for _ in range(int(rng.integers(1, 11))):
        x, y = spots[int(rng.integers(len(spots)))]
        t = rng.uniform(0, 2 * np.pi)
        x, y = x + gap * np.cos(t), y + gap * np.sin(t)
        if all((x - u) ** 2 + (y - v) ** 2 > 0.7 * gap**2 for u, v in spots):
            spots.append((float(x), float(y)))
    return spots


def lay_things(
    canvas: Canvas,
    rng: Rng,
    size: float,
    sun: tuple[float, float],
    kind: str | None = None,
    length: float | None = None,
) -> npt.NDArray[np.float32]:
    """Draw an object, or several of a kind, somewhere on the canvas, in place.

    canvas: side x side x 3, linear light; size: the edge of a die in pixels; sun: the shadow's length per height, x and
    y; kind: one of `THING_KINDS`, random by default; length: of the object in die edges, random by default. Returns the
    covered part, side x side, 0..1; shadows and glare cover nothing.
    """
    name = kind or list(THING_KINDS)[int(rng.integers(len(THING_KINDS)))]
    make, low, high, _, many = THING_KINDS[name]
    side = canvas.shape[0]
    table = TableCanvas(canvas, rng, sun)
    edges = float(np.exp(rng.uniform(np.log(low), np.log(high)))) if length is None else length
    long = min(size * edges, 0.9 * side)
    x, y = (float(v) for v in rng.uniform(0.03, 0.97, 2) * side)
    angle = float(rng.uniform(0, 2 * np.pi))
    spots = _together(rng, long) if many and rng.uniform() < 0.65 and long < 0.3 * side else [(0.0, 0.0)]
    alike, orderly, look = rng.uniform() < 0.4, rng.uniform() < 0.4, int(rng.integers(2**31))
    if name == "domino":  # cut by the edge of the picture, one would look like a face, so the whole row moves
        x, y = (float(np.clip(v, long, side - long)) for v in (x, y))
        spots = [(u, v) for u, v in spots if 0.6 * long < min(x + u, y + v, side - x - u, side - y - v)] or [(0.0, 0.0)]
    for dx, dy in spots:
        own = np.random.default_rng(look) if alike else rng
        table.put(make(own, long), x + dx, y + dy, angle if orderly else float(rng.uniform(0, 2 * np.pi)))
    return table.mask
