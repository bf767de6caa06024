"""Draws things with corners or limbs: phones, keyboards, hands, dominoes, cubes, tiles, keys, pens, toy bricks."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.training.clutter.sheet import ThingSheet, any_colour, clipped, ink, letter, mix, tone, vivid
from vision.training.clutter.symbols import INK_BLACK, METALS, PAPER_WHITE, WOODS, Rng, emoji, glyph, pick


def phone(rng: Rng, s: float) -> ThingSheet:
    """Icons, emoji or messages on a lit screen."""
    w = s * rng.uniform(0.45, 0.75)
    case = any_colour(rng) if rng.uniform() < 0.3 else INK_BLACK
    sheet = ThingSheet(w, s, case)
    sheet.thick, sheet.gloss = s * 0.05, rng.uniform(0, 0.3)
    sheet.box(0, 0, w, s, case, w * rng.uniform(0.03, 0.15), True)
    back = mix(any_colour(rng), INK_BLACK, rng.uniform(0, 0.9))
    rim = rng.uniform(0.02, 0.08) * w
    sheet.box(0, 0, w - 2 * rim, s - 2 * rim * rng.uniform(1, 3), back, w * 0.05)
    style, across = rng.uniform(), int(rng.integers(3, 7))
    pitch = (w - 2.5 * rim) / across
    rows = int((s - 5 * rim) / pitch)
    mono = rng.uniform() < 0.25
    flat = any_colour(rng)
    for j in range(rows):
        y = (j - (rows - 1) / 2) * pitch
        if style > 0.8:
            wide = rng.uniform(0.3, 0.7) * w
            x = (w / 2 - rim - wide / 2) * 0.85 * (1 if rng.uniform() < 0.5 else -1)
            sheet.box(x, y, wide, pitch * 0.75, any_colour(rng) if j % 3 else flat, pitch * 0.2)
            sheet.line([(x - wide * 0.4, y), (x + wide * 0.3, y)], pitch * 0.1, back)
            continue
        for i in range(across):
            x = (i - (across - 1) / 2) * pitch
            if rng.uniform() < 0.12:
                continue
            if style > 0.6:
                emoji(sheet, rng, x, y, pitch * 0.4)
                continue
            tile = flat if mono else any_colour(rng)
            sheet.box(x, y, pitch * 0.72, pitch * 0.72, tile, pitch * (0.36 if style < 0.1 else 0.16))
            if rng.uniform() < 0.85:
                glyph(sheet, rng, x, y, pitch * 0.26, ink(tile, rng))
    return sheet


def keys_grid(rng: Rng, s: float) -> ThingSheet:
    """A keyboard, a calculator, a remote."""
    cols, rows = [(12, 5), (5, 6), (3, 9), (4, 5)][int(rng.integers(0, 4))]
    pitch = s / (max(cols, rows) + 1)
    head = pitch * (1.5 if cols < 6 else 0)
    w, h = (cols + 0.4) * pitch, (rows + 0.4) * pitch + head
    case = mix(any_colour(rng), INK_BLACK, 0.5) if rng.uniform() < 0.7 else PAPER_WHITE
    sheet = ThingSheet(w, h, case)
    sheet.thick = pitch * 0.5
    sheet.box(0, 0, w, h, case, pitch * 0.3, True)
    if head:
        sheet.box(0, -h / 2 + head * 0.55, w * 0.85, head * 0.6, (120, 140, 115), pitch * 0.1)
    key = mix(case, any_colour(rng), rng.uniform(0.2, 1))
    round_keys, gap = rng.uniform() < 0.2, rng.uniform(0.72, 0.93)
    mark = ink(key, rng)
    for j in range(rows):
        for i in range(cols):
            x, y = (i - (cols - 1) / 2) * pitch, (j - (rows - 1) / 2) * pitch + head / 2
            one = vivid(rng) if rng.uniform() < 0.06 else key
            if round_keys:
                sheet.disc(x, y, pitch * gap / 2, one)
            else:
                sheet.box(x, y, pitch * gap, pitch * gap, tone(one, 0.6), pitch * 0.12)
                sheet.box(x, y - pitch * 0.04, pitch * gap * 0.86, pitch * gap * 0.84, one, pitch * 0.12)
            sheet.text(letter(rng), x, y, pitch * 0.32, mark)
    return sheet


def hand(rng: Rng, s: float) -> ThingSheet:
    """Fingertips with nails, reaching in."""
    skin = mix((235, 185, 160), (75, 45, 32), rng.uniform())
    sheet = ThingSheet(s, s * 0.8, tone(skin, 0.8))
    nail = vivid(rng) if rng.uniform() < 0.25 else mix(skin, (250, 205, 195), rng.uniform(0.3, 0.8))
    count, w = int(rng.integers(1, 5)), s * rng.uniform(0.13, 0.18)
    sheet.thick, sheet.dome, sheet.grain = w * 0.8, rng.uniform(0.6, 1), 0.02
    for k in range(count):
        y = (k - (count - 1) / 2) * w * rng.uniform(1.02, 1.15)
        tip = s * (0.42 - 0.1 * abs(k - (count - 1) / 2) * rng.uniform(0.3, 1))
        for wide, gain in ((1.0, 0.78), (0.8, 0.92), (0.5, 1.0)):
            sheet.line([(-s / 2, y * 0.8), (tip - w / 2, y)], w * wide, tone(skin, gain), wide == 1)
        for fold in (0.45, 0.5, 1.0):
            x = tip - w * 0.5 - s * 0.35 * fold
            sheet.line([(x, y - w * 0.25), (x - w * 0.04, y), (x, y + w * 0.25)], w * 0.05, tone(skin, 0.75))
        sheet.oval(tip - w * 0.3, y, w * 0.34, w * 0.27, 0, tone(skin, 0.82))
        sheet.oval(tip - w * 0.29, y, w * 0.3, w * 0.23, 0, nail)
        sheet.oval(tip - w * 0.08, y, w * 0.07, w * 0.18, 0, mix(nail, PAPER_WHITE, 0.5))
    if rng.uniform() < 0.5:
        sheet.box(-s * 0.42, 0, s * 0.2, count * w * 1.1, skin, 0, True)
    return sheet


_HALF: Final = {
    0: [], 1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)], 5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, -1), (0, 1)],
}  # fmt: skip


def domino(rng: Rng, s: float) -> ThingSheet:
    body = [INK_BLACK, PAPER_WHITE, pick(rng, WOODS)][int(rng.integers(0, 3))]
    dot = ink(body, rng) if rng.uniform() < 0.8 else vivid(rng)
    sheet = ThingSheet(s / 2, s, body)
    sheet.thick, sheet.gloss, sheet.crease = s * 0.15, rng.uniform(0, 0.3), True
    sheet.box(0, 0, s / 2, s, body, s * 0.03, True)
    sheet.line([(-s * 0.22, 0), (s * 0.22, 0)], max(1, s * 0.025), dot)
    for v in (-1, 1):
        for px, py in _HALF[int(rng.integers(0, 7))]:
            sheet.disc(px * s * 0.13, v * s * 0.25 + py * s * 0.13, s * 0.042, dot)
    return sheet


def cube(rng: Rng, s: float) -> ThingSheet:
    """Sugar, sweets, wood, chocolate: nothing on top."""
    kind = int(rng.integers(0, 4))
    body = [tone(PAPER_WHITE, 1.03), pick(rng, WOODS), vivid(rng), vivid(rng)][kind]
    long = s * (rng.uniform(1.3, 2) if rng.uniform() < 0.3 else 1)
    sheet = ThingSheet(long, s, body)
    sheet.thick, sheet.crease = s * rng.uniform(0.4, 1), True
    sheet.grain = 0.08 if kind < 2 else 0.0  # and no gloss: a bright spot on top could be read as a pip
    sheet.dome = rng.uniform(0, 0.7)
    sheet.box(0, 0, long, s, body, s * rng.uniform(0.02, 0.28), True)
    if kind == 1:
        for v in rng.uniform(-0.5, 0.5, 5):
            sheet.line([(-long / 2, v * s), (long / 2, v * s + rng.uniform(-2, 2))], s * 0.03, tone(body, 0.88))
    return sheet


def tile(rng: Rng, s: float) -> ThingSheet:
    """A lettered game tile, sometimes with a picture."""
    body = pick(rng, WOODS) if rng.uniform() < 0.45 else vivid(rng)
    sheet = ThingSheet(s, s, body)
    sheet.thick, sheet.crease = s * rng.uniform(0.1, 0.8), True
    sheet.gloss, sheet.dome = rng.uniform(0, 0.3), rng.uniform(0, 0.4)
    sheet.box(0, 0, s, s, body, s * rng.uniform(0.03, 0.2), True)
    mark = ink(body, rng)
    if rng.uniform() < 0.7:
        sheet.text(
            letter(rng), 0, 0, s * rng.uniform(0.4, 0.65), mark, int(rng.choice([0, 2, 3])), rng.uniform(0.8, 1.8)
        )
        if rng.uniform() < 0.4:
            sheet.text(str(rng.integers(2, 10)), s * 0.33, s * 0.33, s * 0.17, mark)
    else:
        glyph(sheet, rng, 0, 0, s * rng.uniform(0.42, 0.55), mark, suits=False)
    return sheet


def brick(rng: Rng, s: float) -> ThingSheet:
    """A toy brick of two by four studs."""
    p, body = s / 4, vivid(rng)
    sheet = ThingSheet(s, p * 2, body)
    sheet.thick, sheet.crease = p * 1.1, True
    sheet.box(0, 0, s, p * 2, body, p * 0.03, True)
    for j in range(2):
        for i in range(4):
            x, y = (i - 1.5) * p, (j - 0.5) * p
            sheet.disc(x + p * 0.05, y + p * 0.05, p * 0.31, tone(body, 0.65))
            sheet.disc(x, y, p * 0.29, tone(body, 1.1))
    return sheet


def rubber(rng: Rng, s: float) -> ThingSheet:
    """An eraser, a lighter, a battery: a block in two or three colours."""
    h = s * rng.uniform(0.3, 0.6)
    a, b = any_colour(rng), any_colour(rng)
    sheet = ThingSheet(s, h, a)
    sheet.thick, sheet.crease, sheet.dome = h * rng.uniform(0.3, 0.8), True, rng.uniform(0, 0.5)
    sheet.box(0, 0, s, h, a, h * rng.uniform(0.05, 0.3), True)
    cut = rng.uniform(-0.2, 0.3) * s
    sheet.box((cut - s / 2) / 2, 0, cut + s / 2, h, b)
    if rng.uniform() < 0.6:
        sheet.box(cut, 0, s * 0.08, h, any_colour(rng))
    sheet.text("".join(letter(rng) for _ in range(5)), (cut - s / 2) / 2, 0, h * 0.25, ink(b, rng))
    return sheet


def blister(rng: Rng, s: float) -> ThingSheet:
    """A pill pack: too long for a die, with too many pits."""
    cols, rows = int(rng.integers(4, 7)), 2
    p, foil, pill = s / cols, clipped(rng.uniform(150, 215, 3).mean() + np.zeros(3)), any_colour(rng)
    sheet = ThingSheet(s, p * rows, foil)
    sheet.thick, sheet.grain, sheet.gloss = p * 0.15, 0.06, rng.uniform(0, 0.6)
    sheet.box(0, 0, s, p * rows, foil, p * 0.15, True)
    long = rng.uniform(0.6, 1)
    for j in range(rows):
        for i in range(cols):
            x, y = (i - (cols - 1) / 2) * p, (j - 0.5) * p
            sheet.oval(x, y, p * 0.38, p * 0.38 * long, 0, tone(foil, 0.8))
            if rng.uniform() < 0.75:
                sheet.oval(x, y, p * 0.3, p * 0.3 * long, 0, pill)
                sheet.oval(x - p * 0.1, y - p * 0.1, p * 0.08, p * 0.06, 0.7, (248, 248, 248))
    return sheet


def key(rng: Rng, s: float) -> ThingSheet:
    metal = pick(rng, METALS)
    sheet = ThingSheet(s, s * 0.4, metal)
    sheet.thick, sheet.dome, sheet.gloss = s * 0.03, 0.4, rng.uniform(0, 0.6)
    r = s * rng.uniform(0.14, 0.19)
    x = -s / 2 + r
    sheet.line([(x + r, 0), (s * 0.47, 0)], s * 0.07, metal, True)
    for u in np.linspace(0.1, 0.44, int(rng.integers(3, 7))):
        sheet.line([(u * s, 0), (u * s, s * rng.uniform(0.03, 0.09))], s * 0.04, metal, True)
    if rng.uniform() < 0.5:
        sheet.ring(x, 0, r * 0.8, r * 0.45, metal, True)
    else:
        bow = vivid(rng) if rng.uniform() < 0.5 else metal
        sheet.oval(x, 0, r, r * 1.1, 0, bow, True)
        sheet.oval(x - r * 0.5, 0, r * 0.2, r * 0.5, 0, tone(bow, 0.3))
    sheet.line([(x + r, -s * 0.01), (s * 0.44, -s * 0.01)], s * 0.012, tone(metal, 0.6))
    return sheet


def pen(rng: Rng, s: float) -> ThingSheet:
    """A pen or a pencil."""
    w, body = s * rng.uniform(0.05, 0.09), vivid(rng) if rng.uniform() < 0.7 else any_colour(rng)
    sheet = ThingSheet(s, w * 1.3, body)
    sheet.thick, sheet.gloss = w * 0.7, 0
    sheet.box(-s * 0.06, 0, s * 0.86, w, body, w * 0.1, True)
    for v, gain in ((-0.25, 1.25), (0.3, 0.7)):
        sheet.line([(-s * 0.48, v * w), (s * 0.36, v * w)], w * 0.22, tone(body, gain))
    wood, lead = ((225, 190, 140), body) if rng.uniform() < 0.5 else (tone(body, 0.8), INK_BLACK)
    sheet.poly([(s * 0.36, -w / 2), (s * 0.36, w / 2), (s * 0.49, 0)], wood, True)
    sheet.poly([(s * 0.45, -w * 0.15), (s * 0.45, w * 0.15), (s * 0.49, 0)], lead, True)
    end = [(215, 130, 130), INK_BLACK, (190, 190, 192)][int(rng.integers(0, 3))]
    sheet.box(-s * 0.46, 0, s * 0.07, w, end, w * 0.2, True)
    sheet.box(-s * 0.4, 0, s * 0.05, w * 1.04, (185, 185, 185), 0, True)
    if rng.uniform() < 0.5:
        sheet.text("".join(letter(rng) for _ in range(7)), 0, 0, w * 0.4, ink(body, rng))
    return sheet


def watch(rng: Rng, s: float) -> ThingSheet:
    strap, face = any_colour(rng), any_colour(rng)
    r = s * 0.2
    sheet = ThingSheet(s, r * 2.2, strap)
    sheet.thick, sheet.gloss = r * 0.3, rng.uniform(0, 0.5)
    sheet.box(0, 0, s, r * rng.uniform(0.9, 1.3), strap, r * 0.3, True)
    sheet.disc(0, 0, r, tone((180, 180, 184), rng.uniform(0.4, 1.1)), True)
    sheet.disc(0, 0, r * 0.84, face)
    mark = ink(face, rng)
    for t in np.arange(12) * np.pi / 6:
        d = np.array([np.cos(t), np.sin(t)])
        sheet.line(np.array([d * r * 0.68, d * r * 0.8]), r * 0.06, mark)
    for long in (0.45, 0.68):
        t = rng.uniform(0, 2 * np.pi)
        sheet.line([(0, 0), (long * r * np.cos(t), long * r * np.sin(t))], r * 0.08, mark)
    return sheet
