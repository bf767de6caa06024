"""Colours, outlines and symbols shared by the things on a table; none of them a pip."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from vision.training.clutter.sheet import Colour, ThingSheet, clipped, letter, tone

Rng = np.random.Generator
PAPER_WHITE: Final = (240, 238, 230)
INK_BLACK: Final = (22, 22, 24)
METALS: Final = ((185, 185, 188), (200, 165, 80), (170, 110, 70), (120, 120, 125), (215, 190, 120))
WOODS: Final = ((205, 165, 110), (150, 100, 60), (225, 200, 150), (110, 70, 45))


def pick(rng: Rng, colours: tuple[Colour, ...]) -> Colour:
    return tone(colours[int(rng.integers(len(colours)))], rng.uniform(0.75, 1.1))


def wobbly(rng: Rng, a: float, b: float, rough: float, count: int = 24) -> npt.NDArray[np.float64]:
    """A closed, uneven outline about an ellipse of half axes a, b (pixels)."""
    t = np.linspace(0, 2 * np.pi, count, endpoint=False)
    r = 1 + sum(rough / k * np.cos(k * t + rng.uniform(0, 2 * np.pi)) for k in range(2, 6))
    return np.stack([a * r * np.cos(t), b * r * np.sin(t)], 1)


def star(r: float, inner: float, points: int, x: float = 0, y: float = 0) -> npt.NDArray[np.float64]:
    t = np.arange(2 * points) * np.pi / points
    radii = np.where(np.arange(2 * points) % 2 == 0, r, r * inner)
    return np.stack([x + radii * np.sin(t), y - radii * np.cos(t)], 1)


def suit(sheet: ThingSheet, kind: int, x: float, y: float, r: float, colour: Colour, up: float = 1) -> None:
    """A heart, diamond, spade or club of half height r."""
    if kind == 1:
        sheet.poly([(x, y - r), (x + 0.75 * r, y), (x, y + r), (x - 0.75 * r, y)], colour)
        return
    v = up if kind == 0 else -up
    if kind == 3:
        for dx, dy in ((-0.5, 0.15), (0.5, 0.15), (0, -0.5)):
            sheet.disc(x + dx * r, y + up * dy * r, 0.45 * r, colour)
    else:
        for dx in (-0.45, 0.45):
            sheet.disc(x + dx * r, y - 0.3 * v * r, 0.5 * r, colour)
        sheet.poly([(x - 0.9 * r, y - 0.1 * v * r), (x + 0.9 * r, y - 0.1 * v * r), (x, y + v * r)], colour)
    if kind != 0:
        sheet.poly([(x, y), (x + 0.35 * r, y + up * r), (x - 0.35 * r, y + up * r)], colour)


def glyph(sheet: ThingSheet, rng: Rng, x: float, y: float, r: float, colour: Colour, suits: bool = True) -> None:
    """A symbol that is not a pip: a letter, a triangle, a cross, bars, a heart, a star."""
    kind = int(rng.integers(0, 7))
    if kind == 0:
        sheet.poly([(x - 0.5 * r, y - 0.6 * r), (x + 0.7 * r, y), (x - 0.5 * r, y + 0.6 * r)], colour)
    elif kind == 1:
        sheet.line([(x - 0.6 * r, y - 0.6 * r), (x + 0.6 * r, y + 0.6 * r)], 0.3 * r, colour)
        sheet.line([(x - 0.6 * r, y + 0.6 * r), (x + 0.6 * r, y - 0.6 * r)], 0.3 * r, colour)
    elif kind == 2:
        for dy in (-0.5, 0, 0.5):
            sheet.line([(x - 0.6 * r, y + dy * r), (x + 0.6 * r, y + dy * r)], 0.2 * r, colour)
    elif kind == 3 and suits:
        suit(sheet, int(rng.integers(0, 3)), x, y, 0.6 * r, colour)
    elif kind in (3, 4):
        sheet.poly(star(0.8 * r, 0.45, 5, x, y), colour)
    elif kind == 5:
        sheet.box(x, y + 0.1 * r, 1.2 * r, 0.8 * r, colour, 0.1 * r)
        sheet.line([(x - 0.6 * r, y - 0.5 * r), (x + 0.6 * r, y - 0.5 * r)], 0.2 * r, colour)
    else:
        sheet.text(letter(rng), x, y, 1.0 * r, colour, bold=1.3)


def emoji(sheet: ThingSheet, rng: Rng, x: float, y: float, r: float) -> None:
    sheet.disc(x, y, r, clipped((rng.uniform(235, 250), rng.uniform(180, 225), rng.uniform(30, 80))))
    dark = (70, 40, 20)
    for dx in (-0.35, 0.35):
        sheet.oval(x + dx * r, y - 0.25 * r, 0.1 * r, 0.18 * r, 0, dark)
    t = np.linspace(0.15 * np.pi, 0.85 * np.pi, 8)
    flip = 1 if rng.uniform() < 0.7 else -0.6
    mouth = np.stack([x + 0.6 * r * np.cos(t), y + flip * 0.55 * r * np.sin(t) + (0.55 * r if flip < 0 else 0)], 1)
    (sheet.line if rng.uniform() < 0.5 else lambda p, _, c: sheet.poly(p, c))(mouth, 0.14 * r, dark)
