"""Rectangles laid side by side on one sheet, in rows like books on shelves."""

from __future__ import annotations

import math
from collections.abc import Sequence

Size = tuple[int, int]
Place = tuple[int, int]


def shelve(sizes: Sequence[Size]) -> tuple[Size, list[Place]]:
    """The size (width, height) of a sheet that holds rectangles of these sizes, and where each one's corner lies on it.

    The tallest come first, a shelf is as tall as its first (the first-fit of shelf packing, Coffman et al. 1980), and
    the sheet is about as wide as tall, and no wider than what lies on it.
    """
    if not sizes:
        return (0, 0), []
    wide = max(*(w for w, _ in sizes), math.ceil(math.sqrt(1.15 * sum(w * h for w, h in sizes))))
    places: list[Place] = [(0, 0)] * len(sizes)
    shelves: list[tuple[int, int, int]] = []  # top, height, what of the width is taken
    for k in sorted(range(len(sizes)), key=lambda k: -sizes[k][1]):
        w, h = sizes[k]
        n = next((n for n, (_, _, taken) in enumerate(shelves) if taken + w <= wide), len(shelves))
        if n == len(shelves):
            shelves.append((sum(tall for _, tall, _ in shelves), h, 0))
        top, tall, taken = shelves[n]
        places[k] = (taken, top)
        shelves[n] = (top, tall, taken + w)
    return (max(taken for _, _, taken in shelves), sum(tall for _, tall, _ in shelves)), places
