"""Draws printed icons on tiles and labels: a print on a square object looks like the one of an unknown edition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from vision.training.clutter.sheet import Colour, ThingSheet, any_colour, ink, letter, mix, vivid
from vision.training.clutter.symbols import PAPER_WHITE, WOODS, Rng, emoji, glyph, pick, star, suit

Icon = Callable[[ThingSheet, Rng, float, Colour, Colour], None]
"""Draws an icon of half height r about the origin, in one colour on another."""


def _plug(sheet: ThingSheet, rng: Rng, r: float, colour: Colour, ground: Colour) -> None:
    for x in (-0.3, 0.3):
        sheet.line([(x * r, -0.9 * r), (x * r, -0.3 * r)], 0.16 * r, colour)
    t = np.linspace(0, np.pi, 12)
    cup = np.stack([0.6 * r * np.cos(t), 0.1 * r + 0.45 * r * np.sin(t)], 1)
    sheet.poly(np.concatenate([[(0.6 * r, -0.3 * r)], cup, [(-0.6 * r, -0.3 * r)]]), colour)
    sheet.line([(0, 0.5 * r), (0, 0.95 * r)], 0.14 * r, colour)
    if rng.uniform() < 0.3:
        sheet.poly([(0.1 * r, -0.25 * r), (-0.2 * r, 0.2 * r), (0.05 * r, 0.15 * r), (-0.1 * r, 0.5 * r),
                    (0.25 * r, 0.0), (0.0, 0.02 * r)], ground)  # fmt: skip


def _socket(sheet: ThingSheet, rng: Rng, r: float, colour: Colour, ground: Colour) -> None:
    if rng.uniform() < 0.6:
        sheet.disc(0, 0, 0.85 * r, colour)
        sheet.disc(0, 0, 0.7 * r, ground)
    if rng.uniform() < 0.6:
        for x in (-0.32, 0.32):
            sheet.disc(x * r, 0, 0.14 * r, colour)
    else:
        for x in (-0.28, 0.28):
            sheet.line([(x * r, -0.35 * r), (x * r, 0.05 * r)], 0.12 * r, colour)
        sheet.disc(0, 0.38 * r, 0.14 * r, colour)


def _key(sheet: ThingSheet, _rng: Rng, r: float, colour: Colour, ground: Colour) -> None:
    sheet.disc(0, -0.5 * r, 0.42 * r, colour)
    sheet.disc(0, -0.5 * r, 0.2 * r, ground)
    sheet.line([(0, -0.1 * r), (0, 0.9 * r)], 0.18 * r, colour)
    for y in (0.5, 0.8):
        sheet.line([(0, y * r), (0.35 * r, y * r)], 0.16 * r, colour)


def _polyhedron(sheet: ThingSheet, rng: Rng, r: float, colour: Colour, ground: Colour) -> None:
    """A d20, as game shops print it."""
    outer = star(0.95 * r, 0.866, 6)[::2]
    inner = star(0.55 * r, 0.5, 3)[::2]
    filled = rng.uniform() < 0.5
    line = ground if filled else colour
    if filled:
        sheet.poly(outer, colour)
    else:
        sheet.line(np.concatenate([outer, outer[:1]]), 0.09 * r, line)
    sheet.line(np.concatenate([inner, inner[:1]]), 0.08 * r, line)
    for k, corner in enumerate(inner):
        for step in (-1, 0, 1):
            sheet.line([tuple(corner), tuple(outer[(2 * k + step) % 6])], 0.06 * r, line)
    sheet.text(str(rng.choice(["20", "12", "7", "17"])), 0, 0.05 * r, 0.3 * r, line)


def _bulb(sheet: ThingSheet, rng: Rng, r: float, colour: Colour, ground: Colour) -> None:
    sheet.disc(0, -0.25 * r, 0.6 * r, colour)
    if rng.uniform() < 0.5:
        sheet.disc(0, -0.25 * r, 0.45 * r, ground)
    sheet.box(0, 0.5 * r, 0.5 * r, 0.4 * r, colour, 0.08 * r)
    sheet.line([(-0.2 * r, 0.85 * r), (0.2 * r, 0.85 * r)], 0.12 * r, colour)


def _power(sheet: ThingSheet, _rng: Rng, r: float, colour: Colour, ground: Colour) -> None:
    sheet.ring(0, 0.05 * r, 0.65 * r, 0.17 * r, colour)
    sheet.line([(0, -0.95 * r), (0, 0.0)], 0.36 * r, ground)
    sheet.line([(0, -0.9 * r), (0, -0.1 * r)], 0.17 * r, colour)


def _flower(sheet: ThingSheet, rng: Rng, r: float, colour: Colour, ground: Colour) -> None:
    count = int(rng.integers(4, 8))
    for t in np.arange(count) * 2 * np.pi / count:
        sheet.oval(0.5 * r * np.cos(t), 0.5 * r * np.sin(t), 0.4 * r, 0.25 * r, t, colour)
    sheet.disc(0, 0, 0.22 * r, ground if rng.uniform() < 0.6 else any_colour(rng))


def _target(sheet: ThingSheet, rng: Rng, r: float, colour: Colour, ground: Colour) -> None:
    for share, one in ((0.9, colour), (0.68, ground), (0.45, colour), (0.2, ground))[: int(rng.integers(2, 5))]:
        sheet.disc(0, 0, share * r, one)


def _cup(sheet: ThingSheet, _rng: Rng, r: float, colour: Colour, _ground: Colour) -> None:
    sheet.ring(0.5 * r, 0.05 * r, 0.3 * r, 0.13 * r, colour)
    sheet.box(-0.1 * r, 0.1 * r, 1.0 * r, 0.9 * r, colour, 0.2 * r)
    for x in (-0.35, 0.0, 0.3):
        sheet.line([(x * r, -0.55 * r), ((x + 0.1) * r, -0.75 * r), (x * r, -0.95 * r)], 0.09 * r, colour)


def _dots(sheet: ThingSheet, rng: Rng, r: float, colour: Colour, _ground: Colour) -> None:
    """Dots, but none of a die's patterns: a row, a ring, a triangle, a dense grid."""
    kind = int(rng.integers(0, 4))
    if kind == 0:
        spots = [(x, 0.0) for x in np.linspace(-0.7, 0.7, int(rng.integers(3, 6)))]
    elif kind == 1:
        turns = np.arange(int(rng.integers(7, 13)))
        spots = [(0.7 * np.cos(t), 0.7 * np.sin(t)) for t in turns * 2 * np.pi / len(turns)]
    elif kind == 2:
        spots = [(0.0, -0.6), (-0.35, 0.0), (0.35, 0.0), (-0.7, 0.6), (0.0, 0.6), (0.7, 0.6)]
    else:
        line = np.linspace(-0.75, 0.75, int(rng.integers(4, 7)))
        spots = [(x, y) for x in line for y in line]
    size = 0.12 if kind == 3 else rng.uniform(0.1, 0.18)
    for x, y in spots:
        sheet.disc(x * r, y * r, size * r, colour)


def _symbol(sheet: ThingSheet, rng: Rng, r: float, colour: Colour, _ground: Colour) -> None:
    kind = int(rng.integers(0, 4))
    if kind == 0:
        suit(sheet, int(rng.integers(0, 4)), 0, 0, 0.85 * r, colour)
    elif kind == 1:
        sheet.text("".join(letter(rng) for _ in range(int(rng.integers(1, 3)))), 0, 0, r, colour, bold=1.4)
    elif kind == 2:
        emoji(sheet, rng, 0, 0, 0.85 * r)
    else:
        glyph(sheet, rng, 0, 0, r, colour)


ICONS: Final[dict[str, Icon]] = {
    "plug": _plug,
    "socket": _socket,
    "key": _key,
    "polyhedron": _polyhedron,
    "bulb": _bulb,
    "power": _power,
    "flower": _flower,
    "target": _target,
    "cup": _cup,
    "dots": _dots,
    "symbol": _symbol,
}


def _back(rng: Rng) -> Colour:
    draw = rng.uniform()
    if draw < 0.4:
        return vivid(rng)
    if draw < 0.75:
        return mix(PAPER_WHITE, any_colour(rng), rng.uniform(0, 0.25))
    return pick(rng, WOODS) if draw < 0.85 else any_colour(rng)


def draw_icon(sheet: ThingSheet, rng: Rng, r: float, ground: Colour, x: float = 0, y: float = 0) -> None:
    """A random icon of half height r (pixels) about x, y, in an ink that shows on `ground`."""
    small = ThingSheet(2.2 * r, 2.2 * r, ground)
    draw = list(ICONS.values())[int(rng.integers(len(ICONS)))]
    draw(small, rng, r, ink(ground, rng), ground)
    sheet.stamp(small, x, y)


def icon_tile(rng: Rng, s: float) -> ThingSheet:
    """A square piece with an icon: of a memory game, a magnet, a wooden block, a keycap."""
    ground = _back(rng)
    sheet = ThingSheet(s, s, ground)
    sheet.thick, sheet.crease = s * rng.uniform(0.03, 0.3), True  # if thicker, it would be a die
    sheet.gloss, sheet.dome = rng.uniform(0, 0.4), rng.uniform(0, 0.4)
    sheet.box(0, 0, s, s, ground, s * rng.uniform(0.03, 0.25), True)
    if rng.uniform() < 0.3:
        rim = s * rng.uniform(0.03, 0.07)
        sheet.box(0, 0, s * 0.9, s * 0.9, ink(ground, rng), s * 0.1)
        sheet.box(0, 0, s * 0.9 - rim, s * 0.9 - rim, ground, s * 0.09)
    draw_icon(sheet, rng, s * rng.uniform(0.25, 0.38), ground)
    return sheet


def icon_print(rng: Rng, s: float) -> ThingSheet:
    """Icons printed on a flat object: a box, a manual, a place mat, framed or bare."""
    columns, rows = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    pitch = s / max(columns, rows)
    ground = _back(rng)
    sheet = ThingSheet(columns * pitch, rows * pitch, ground)
    sheet.thick = s * float(rng.choice([0.0, 0.01, 0.15]))
    sheet.box(0, 0, columns * pitch, rows * pitch, ground, pitch * rng.uniform(0, 0.2), True)
    frame, panel = int(rng.integers(0, 4)), any_colour(rng)
    for j in range(rows):
        for i in range(columns):
            x, y = (i - (columns - 1) / 2) * pitch, (j - (rows - 1) / 2) * pitch
            back = ground
            if frame == 1:
                sheet.disc(x, y, pitch * 0.42, panel)
                back = panel
            elif frame == 2:
                sheet.box(x, y, pitch * 0.84, pitch * 0.84, panel, pitch * 0.12)
                back = panel
            draw_icon(sheet, rng, pitch * rng.uniform(0.2, 0.3), back, x, y)
    return sheet
