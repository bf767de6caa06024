"""Draws round things: coins, caps, chips, buttons, sweets, nuts, glasses, cups, screws."""

from __future__ import annotations

import numpy as np

from vision.training.clutter.sheet import ThingSheet, any_colour, ink, letter, mix, tone, vivid
from vision.training.clutter.symbols import METALS, PAPER_WHITE, Rng, emoji, glyph, pick, star, wobbly


def biscuit(rng: Rng, s: float) -> ThingSheet:
    dough = tone((205, 155, 95), rng.uniform(0.6, 1.1))
    sheet = ThingSheet(s * 1.1, s * 1.1, dough)
    sheet.thick, sheet.dome, sheet.grain = s * 0.12, rng.uniform(0.3, 0.8), rng.uniform(0.03, 0.12)
    sheet.poly(wobbly(rng, s / 2, s / 2 * rng.uniform(0.88, 1), 0.04), dough, True)
    for _ in range(int(rng.integers(5, 22))):
        t, r = rng.uniform(0, 2 * np.pi), s * 0.44 * np.sqrt(rng.uniform())
        chip = wobbly(rng, s * rng.uniform(0.03, 0.08), s * rng.uniform(0.03, 0.07), 0.15, 10)
        sheet.poly(np.add(chip, (r * np.cos(t), r * np.sin(t))), tone((75, 42, 25), rng.uniform(0.5, 1.3)))
    return sheet


def nut(rng: Rng, s: float) -> ThingSheet:
    skin = tone(
        [(150, 85, 45), (205, 160, 105), (225, 195, 150), (110, 60, 35)][int(rng.integers(0, 4))], rng.uniform(0.7, 1.1)
    )
    b = s / 2 * rng.uniform(0.5, 0.95)
    sheet = ThingSheet(s * 1.15, s * 1.15, skin)
    sheet.thick, sheet.dome, sheet.gloss = s * 0.35, rng.uniform(0.6, 1), rng.uniform(0, 0.35)
    sheet.grain = rng.uniform(0, 0.08)
    sheet.poly(wobbly(rng, s / 2, b, rng.uniform(0.02, 0.1)), skin, True)
    for _ in range(int(rng.integers(0, 5))):
        v = rng.uniform(-0.7, 0.7) * b
        sheet.line([(-s * 0.35, v * 0.5), (0, v), (s * 0.35, v * 0.5)], s * 0.025, tone(skin, rng.uniform(0.6, 0.85)))
    if rng.uniform() < 0.2:
        sheet.oval(s * 0.3, 0, s * 0.1, b * 0.45, 0, tone(skin, 1.4))
    return sheet


def cap(rng: Rng, s: float) -> ThingSheet:
    """A crown cap or a screw cap."""
    body = vivid(rng) if rng.uniform() < 0.6 else pick(rng, METALS)
    sheet = ThingSheet(s, s, tone(body, 0.8))
    sheet.thick, sheet.gloss = s * 0.2, rng.uniform(0, 0.6)
    teeth = int(rng.integers(18, 30))
    sheet.poly(star(s / 2, rng.uniform(0.86, 0.95), teeth), tone(body, 0.75), True)
    sheet.disc(0, 0, s * 0.41, body)
    sheet.ring(0, 0, s * 0.4, s * 0.02, tone(body, 1.3))
    if rng.uniform() < 0.3:  # upside down
        sheet.disc(0, 0, s * 0.38, tone(PAPER_WHITE, rng.uniform(0.7, 1)))
        sheet.ring(0, 0, s * 0.3, s * 0.03, (150, 150, 150))
    elif rng.uniform() < 0.8:
        glyph(sheet, rng, 0, 0, s * 0.24, ink(body, rng))
    return sheet


def chip(rng: Rng, s: float) -> ThingSheet:
    body, bars = vivid(rng), vivid(rng) if rng.uniform() < 0.3 else PAPER_WHITE
    sheet = ThingSheet(s, s, body)
    sheet.thick = s * rng.choice([0.09, 0.09, 0.3])
    sheet.disc(0, 0, s / 2, body, True)
    count = int(rng.integers(4, 9))
    for t in np.arange(count) * 2 * np.pi / count:
        d, n = np.array([np.cos(t), np.sin(t)]), np.array([-np.sin(t), np.cos(t)]) * s * 0.07
        sheet.poly(np.array([d * s * 0.49 + n, d * s * 0.49 - n, d * s * 0.38 - n, d * s * 0.38 + n]), bars)
    sheet.disc(0, 0, s * 0.33, mix(body, bars, float(rng.choice([0.0, 0.3, 1.0]))))
    sheet.ring(0, 0, s * 0.33, s * 0.02, bars)
    sheet.text(str(rng.choice(["5", "25", "100", "$", "50"])), 0, 0, s * 0.18, ink(body, rng))
    return sheet


def coin(rng: Rng, s: float) -> ThingSheet:
    metal, inner = pick(rng, METALS), pick(rng, METALS)
    sheet = ThingSheet(s, s, metal)
    sheet.thick, sheet.gloss, sheet.dome = s * 0.07, rng.uniform(0, 0.5), rng.uniform(0, 0.4)
    sheet.disc(0, 0, s / 2, metal, True)
    sheet.ring(0, 0, s * 0.46, s * 0.03, tone(metal, float(rng.choice([0.65, 1.3]))))
    if rng.uniform() < 0.4:
        sheet.disc(0, 0, s * 0.34, inner)
    relief = tone(metal, rng.uniform(0.6, 0.85))
    if rng.uniform() < 0.5:
        sheet.text(str(rng.choice(["1", "2", "5", "20", "50"])), 0, 0, s * 0.36, relief, int(rng.integers(0, 4)))
    else:
        sheet.poly(wobbly(rng, s * 0.2, s * 0.26, 0.12), relief)
        sheet.poly(np.add(wobbly(rng, s * 0.1, s * 0.12, 0.15), (s * 0.05, -s * 0.05)), tone(metal, 1.05))
    return sheet


def button(rng: Rng, s: float) -> ThingSheet:
    body = vivid(rng) if rng.uniform() < 0.7 else any_colour(rng)
    sheet = ThingSheet(s, s, body)
    sheet.thick, sheet.gloss = s * 0.12, rng.uniform(0, 0.5)
    sheet.disc(0, 0, s / 2, body, True)
    sheet.ring(0, 0, s * rng.uniform(0.34, 0.42), s * 0.05, tone(body, float(rng.choice([0.7, 1.25]))))
    hole = tone(body, 0.25)
    off = s * rng.uniform(0.09, 0.14)
    for u, v in ((-1, -1), (1, 1), (-1, 1), (1, -1))[: int(rng.choice([2, 4]))]:
        sheet.disc(u * off, v * off, s * rng.uniform(0.045, 0.06), hole)
    if rng.uniform() < 0.3:
        sheet.line([(-off, -off), (off, off)], s * 0.05, any_colour(rng))
    return sheet


def sweet(rng: Rng, s: float) -> ThingSheet:
    """A coated lentil, a jelly, a marble."""
    body = vivid(rng)
    b = s / 2 * rng.uniform(0.65, 1)
    sheet = ThingSheet(s, s, body)
    sheet.thick, sheet.dome, sheet.gloss = s * 0.35, rng.uniform(0.5, 1), rng.uniform(0.2, 1)
    sheet.oval(0, 0, s / 2, b, 0, body, True)
    kind = rng.uniform()
    if kind < 0.3:
        sheet.text("m", 0, 0, s * 0.3, PAPER_WHITE)
    elif kind < 0.5:
        sheet.line(
            np.stack([np.linspace(-0.4, 0.4, 8) * s, 0.2 * b * np.sin(np.linspace(0, 5, 8))], 1),
            s * 0.12,
            any_colour(rng),
        )
    return sheet


def glass(rng: Rng, s: float) -> ThingSheet:
    """A glass from above: its rims and its drink."""
    drink = mix(
        [(230, 170, 40), (110, 20, 30), (70, 35, 15), (220, 225, 225)][int(rng.integers(0, 4))], PAPER_WHITE, 0.1
    )
    sheet = ThingSheet(s, s, drink, rng.uniform(0.35, 0.95))
    sheet.thick = s * rng.uniform(0.1, 0.5)
    sheet.disc(0, 0, s / 2, mix(drink, PAPER_WHITE, 0.25), True)
    sheet.disc(rng.normal(0, 0.02) * s, rng.normal(0, 0.02) * s, s * rng.uniform(0.3, 0.43), drink)
    for r in rng.uniform(0.2, 0.48, int(rng.integers(1, 4))):
        sheet.ring(
            rng.normal(0, 0.02) * s,
            rng.normal(0, 0.02) * s,
            r * s,
            s * 0.015,
            mix(drink, PAPER_WHITE, rng.uniform(0.2, 0.9)),
        )
    for _ in range(int(rng.integers(1, 5))):
        t, r = rng.uniform(0, 2 * np.pi) + np.linspace(0, rng.uniform(0.1, 0.7), 6), s * rng.uniform(0.25, 0.47)
        sheet.line(np.stack([r * np.cos(t), r * np.sin(t)], 1), s * rng.uniform(0.01, 0.04), (250, 250, 250))
    return sheet


def cup(rng: Rng, s: float) -> ThingSheet:
    """A dice cup or a mug, foot up or mouth up."""
    body = any_colour(rng) if rng.uniform() < 0.6 else tone((95, 60, 38), rng.uniform(0.4, 1.4))
    sheet = ThingSheet(s, s, body)
    sheet.thick, sheet.dome, sheet.grain = s * rng.uniform(0.1, 0.6), rng.uniform(0, 0.5), rng.uniform(0, 0.06)
    sheet.disc(0, 0, s / 2, body, True)
    sheet.ring(0, 0, s * 0.47, s * 0.03, tone(body, rng.uniform(0.7, 1.4)))
    r = rng.uniform(0.3, 0.44)
    if rng.uniform() < 0.5:
        sheet.disc(0, 0, r * s, tone(body, rng.uniform(0.15, 0.8)))
        sheet.disc(s * 0.03, s * 0.03, r * s * 0.85, tone(body, rng.uniform(0.1, 0.7)))
    else:
        for k in range(int(rng.integers(1, 4))):
            sheet.ring(
                0, 0, r * s * (1 - 0.25 * k), s * rng.uniform(0.008, 0.03), tone(body, float(rng.choice([0.6, 1.4])))
            )
        if rng.uniform() < 0.5:
            glyph(sheet, rng, 0, 0, s * 0.12, ink(body, rng))
    if rng.uniform() < 0.3:  # stitches around
        for t in np.arange(0, 2 * np.pi, 0.2):
            sheet.disc(0.43 * s * np.cos(t), 0.43 * s * np.sin(t), s * 0.01, mix(body, PAPER_WHITE, 0.6))
    return sheet


def screw(rng: Rng, s: float) -> ThingSheet:
    metal = pick(rng, METALS)
    sheet = ThingSheet(s, s, metal)
    sheet.thick, sheet.dome, sheet.gloss = s * 0.2, rng.uniform(0.2, 0.8), rng.uniform(0.1, 0.7)
    kind = int(rng.integers(0, 4))
    if kind == 3:  # a nut: a hexagon with a hole
        sheet.poly(star(s / 2, 0.866, 6)[::2], metal, True)
        sheet.disc(0, 0, s * 0.24, tone(metal, 0.25))
        sheet.ring(0, 0, s * 0.27, s * 0.04, tone(metal, 1.25))
        return sheet
    sheet.disc(0, 0, s / 2, metal, True)
    dark = tone(metal, 0.3)
    if kind == 2:
        sheet.poly(star(s * 0.22, 0.866, 6)[::2], dark)
    else:
        sheet.line([(-s * 0.3, 0), (s * 0.3, 0)], s * 0.12, dark)
        if kind:
            sheet.line([(0, -s * 0.3), (0, s * 0.3)], s * 0.12, dark)
    return sheet


def sticker(rng: Rng, s: float) -> ThingSheet:
    body, rim = vivid(rng), any_colour(rng) if rng.uniform() < 0.3 else PAPER_WHITE
    sheet = ThingSheet(s * 1.1, s * 1.1, rim)
    kind = int(rng.integers(0, 4))
    if kind == 0:
        n, inner = int(rng.integers(5, 9)), rng.uniform(0.45, 0.7)
        sheet.poly(star(s / 2, inner, n), rim, True)
        sheet.poly(star(s * 0.43, inner, n), body)
    elif kind == 1:
        sheet.disc(0, 0, s / 2, rim, True)
        emoji(sheet, rng, 0, 0, s * 0.45)
    elif kind == 2:
        sheet.disc(0, 0, s / 2, rim, True)
        sheet.disc(0, 0, s * 0.44, body)
        glyph(sheet, rng, 0, 0, s * 0.32, ink(body, rng))
    else:
        sheet.oval(0, 0, s / 2, s * 0.3, 0, body, True)
        sheet.oval(0, 0, s * 0.46, s * 0.26, 0, rim)
        sheet.text("".join(letter(rng) for _ in range(3)), 0, 0, s * 0.22, body, bold=1.5)
    return sheet


def ring_or_beads(rng: Rng, s: float) -> ThingSheet:
    """A finger ring with its stone, or a string of beads."""
    if rng.uniform() < 0.5:
        metal, gem = pick(rng, METALS), vivid(rng)
        sheet = ThingSheet(s, s * 1.2, metal)
        sheet.thick, sheet.dome, sheet.gloss = s * 0.1, 0.6, 0.5
        sheet.ring(0, s * 0.1, s * 0.4, s * 0.1, metal, True)
        sheet.poly(star(s * 0.2, 0.92, 4, 0, -s * 0.38), gem, True)
        sheet.poly(star(s * 0.1, 0.9, 4, -s * 0.02, -s * 0.4), mix(gem, PAPER_WHITE, 0.5))
        return sheet
    a, b = vivid(rng), vivid(rng)
    count, rough = int(rng.integers(14, 30)), wobbly(rng, s * 0.42, s * rng.uniform(0.2, 0.42), 0.06, 60)
    sheet = ThingSheet(s * 1.2, s * 1.2, a)
    sheet.thick, sheet.dome = s * 0.05, 0.7
    sheet.line(np.concatenate([rough, rough[:1]]), max(1, s * 0.01), (90, 80, 70), True)
    r = s * rng.uniform(0.03, 0.055)
    for k, (x, y) in enumerate(rough[np.linspace(0, 59, count).astype(int)].tolist()):
        one = a if k % 3 else b
        sheet.disc(x, y, r, one, True)
        sheet.disc(x - r * 0.3, y - r * 0.3, r * 0.3, mix(one, PAPER_WHITE, 0.8))
    return sheet
