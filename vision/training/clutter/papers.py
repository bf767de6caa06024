"""Draws printed and flat things: cards, codes, puzzles, game boards, logos, and spots of light, shade or ink."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.clutter.sheet import Colour, ThingSheet, any_colour, clipped, ink, letter, mix, tone, vivid
from vision.training.clutter.symbols import INK_BLACK, PAPER_WHITE, Rng, suit


def _paper(rng: Rng) -> Colour:
    return clipped(rng.uniform(200, 248) + rng.normal(0, 6, 3)) if rng.uniform() < 0.75 else any_colour(rng)


def card(rng: Rng, s: float) -> ThingSheet:
    """A playing card: suits for pips, long, with its value in the corners."""
    w = s * 0.69
    paper = tone(PAPER_WHITE, rng.uniform(0.85, 1.04))
    sheet = ThingSheet(w, s, paper)
    sheet.box(0, 0, w, s, paper, w * 0.07, True)
    kind = int(rng.integers(0, 4))
    colour = (185, 25, 30) if kind < 2 else INK_BLACK
    if rng.uniform() < 0.15:
        back = vivid(rng)
        sheet.box(0, 0, w * 0.9, s * 0.93, back, w * 0.03)
        for k in np.arange(-1, 1, 0.12):
            sheet.line(
                [(-w * 0.45, s * 0.46 * k), (w * 0.45, s * 0.46 * (k + 0.12))], w * 0.02, mix(back, PAPER_WHITE, 0.6)
            )
        return sheet
    value = int(rng.integers(1, 14))
    layouts = {1: [(0.0, 0.0)], 2: [(0.0, -0.7), (0.0, 0.7)], 3: [(0.0, -0.7), (0.0, 0.0), (0.0, 0.7)]}
    rows = np.linspace(-0.7, 0.7, max(2, value // 2)).tolist()
    spots = layouts.get(value, [(u, v) for u in (-0.5, 0.5) for v in rows])
    if value > 10:
        sheet.box(0, 0, w * 0.62, s * 0.76, mix(vivid(rng), PAPER_WHITE, 0.3))
        sheet.poly([(-w * 0.3, -s * 0.37), (w * 0.3, -s * 0.1), (w * 0.3, s * 0.37), (-w * 0.3, s * 0.1)], vivid(rng))
        spots = [(-0.4, -0.6), (0.4, 0.6)]
    elif value > 3 and value % 2:
        spots = [*spots, (0, 0.35 if value == 7 else 0)]
    for u, v in spots:
        suit(sheet, kind, u * w * 0.5, v * s * 0.48, w * (0.2 if value == 1 else 0.1), colour, -1 if v > 0.05 else 1)
    name = "A23456789XJQK"[value - 1]
    for k in (-1, 1):
        sheet.text(name, k * w * 0.41, k * s * 0.42, w * 0.1, colour)
        suit(sheet, kind, k * w * 0.41, k * s * 0.34, w * 0.05, colour, -k)
    return sheet


def code(rng: Rng, s: float) -> ThingSheet:
    """A QR code or a bar code on a label."""
    paper, dark = _paper(rng), tone(vivid(rng), 0.3)
    if rng.uniform() < 0.25:
        sheet = ThingSheet(s, s * 0.6, paper)
        sheet.box(0, 0, s, s * 0.6, paper, 0, True)
        x = -0.42 * s
        while x < 0.42 * s:
            w = s * rng.uniform(0.008, 0.03)
            sheet.box(x, -s * 0.04, w, s * 0.4, dark)
            x += w + s * rng.uniform(0.012, 0.03)
        return sheet
    n = int(rng.choice([21, 25, 29]))
    p = s * rng.uniform(0.8, 0.95) / n
    sheet = ThingSheet(s, s, paper)
    sheet.box(0, 0, s, s, paper, 0, True)
    cells = np.where(rng.uniform(size=(n, n, 1)) < 0.48, np.array(dark), np.array(paper)).astype(np.uint8)
    m = round(n * p * sheet.fine)
    x0, y0 = (sheet.wide - m) // 2, (sheet.high - m) // 2
    sheet.rgb[y0 : y0 + m, x0 : x0 + m] = cv2.resize(cells, (m, m), interpolation=cv2.INTER_NEAREST)
    for u, v in ((-1, -1), (1, -1), (-1, 1)):
        x, y = u * (n - 7) / 2 * p, v * (n - 7) / 2 * p
        for k, colour in ((8, paper), (7, dark), (5, paper), (3, dark)):
            sheet.box(x, y, k * p, k * p, colour)
    return sheet


def puzzle(rng: Rng, s: float) -> ThingSheet:
    """A crossword, a sudoku, a calendar."""
    cols, rows = [(9, 9), (11, 11), (7, 6), (13, 9)][int(rng.integers(0, 4))]
    p = s / (max(cols, rows) + 1)
    paper = _paper(rng)
    print_ = ink(paper, rng)
    w, h = (cols + 0.8) * p, (rows + 0.8) * p
    sheet = ThingSheet(w, h, paper)
    sheet.box(0, 0, w, h, paper, 0, True)
    black, full = (rng.uniform(0.1, 0.35), rng.uniform(0, 0.8)) if cols > 7 else (0.0, 0.95)
    day = 9
    for j in range(rows):
        for i in range(cols):
            x, y = (i - (cols - 1) / 2) * p, (j - (rows - 1) / 2) * p
            if rng.uniform() < black:
                sheet.box(x, y, p, p, print_)
            elif rng.uniform() < full:
                day = day + 1 if day < 31 else 11
                sheet.text(str(day) if cols == 7 else letter(rng), x, y, p * (0.35 if cols == 7 else 0.5), print_)
    for k in range(cols + 1):
        x = (k - cols / 2) * p
        sheet.line([(x, -rows / 2 * p), (x, rows / 2 * p)], p * 0.05, print_)
    for k in range(rows + 1):
        y = (k - rows / 2) * p
        sheet.line([(-cols / 2 * p, y), (cols / 2 * p, y)], p * 0.05, print_)
    return sheet


def board(rng: Rng, s: float) -> ThingSheet:
    """The rim of a game board: squares with a coloured head and a word, or plain alternating ones."""
    n, rows = int(rng.integers(4, 9)), int(rng.choice([1, 1, 2, 4]))
    p = s / n
    field = mix(any_colour(rng), (220, 230, 210), 0.4)
    sheet = ThingSheet(s, p * rows, field)
    sheet.box(0, 0, s, p * rows, field, 0, True)
    bare, other = rng.uniform() < 0.4, any_colour(rng)
    edge = ink(field, rng)
    for j in range(rows):
        for i in range(n):
            x, y = (i - (n - 1) / 2) * p, (j - (rows - 1) / 2) * p
            sheet.box(x, y, p, p, edge)
            sheet.box(x, y, p * 0.94, p * 0.94, other if bare and (i + j) % 2 else field)
            if not bare:
                sheet.box(x, y - p * 0.34, p * 0.94, p * 0.24, vivid(rng))
                sheet.text("".join(letter(rng) for _ in range(4)), x, y + p * 0.1, p * 0.16, edge)
    return sheet


def logo(rng: Rng, s: float) -> ThingSheet:
    """A printed mark: a word in an oval, a swoosh, rings, a shield."""
    body, other = vivid(rng), any_colour(rng)
    sheet = ThingSheet(s, s, body)
    kind = int(rng.integers(0, 4))
    if kind == 0:
        sheet.oval(0, 0, s / 2, s * 0.28, 0, body, True)
        sheet.text("".join(letter(rng) for _ in range(4)), 0, 0, s * 0.2, ink(body, rng), 2, 1.6)
    elif kind == 1:
        t = np.linspace(0.2, 2.9, 12)
        arc = np.stack([s * 0.45 * np.cos(t), s * 0.3 * np.sin(t)], 1)
        sheet.poly(np.concatenate([arc, arc[::-1] * (0.95, 0.55)]), body, True)
    elif kind == 2:
        for k in range(int(rng.integers(2, 6))):
            sheet.ring((k - 1.8) * s * 0.17, (k % 2) * s * 0.12, s * 0.11, s * 0.03, vivid(rng), True)
    else:
        shield = [(-0.4, -0.45), (0.4, -0.45), (0.4, 0.05), (0, 0.48), (-0.4, 0.05)]
        sheet.poly(np.array(shield) * s, body, True)
        sheet.poly(np.array([(-0.4, -0.2), (0.4, 0.05), (0.4, -0.12), (-0.4, -0.38)]) * s, other)
        sheet.text(letter(rng), 0, 0, s * 0.3, ink(body, rng), bold=1.5)
    return sheet


def note(rng: Rng, s: float) -> ThingSheet:
    """A written or printed slip."""
    w, paper = s * rng.uniform(0.4, 0.9), _paper(rng)
    print_ = ink(paper, rng)
    sheet = ThingSheet(w, s, paper)
    sheet.box(0, 0, w, s, paper, 0, True)
    high = s * rng.uniform(0.025, 0.06)
    for y in np.arange(-s * 0.45, s * 0.45, high * 2.2):
        if rng.uniform() < 0.85:
            text = "".join(letter(rng) if rng.uniform() < 0.8 else " " for _ in range(int(rng.integers(4, 14))))
            sheet.text(text, rng.uniform(-0.1, 0.1) * w, y, high, print_, int(rng.choice([0, 2, 6, 7])))
    return sheet


def leaf(rng: Rng, s: float) -> ThingSheet:
    """A mint or bay leaf, or a petal."""
    green = tone((60, 115, 45), rng.uniform(0.6, 1.5)) if rng.uniform() < 0.7 else vivid(rng)
    sheet = ThingSheet(s, s * 0.7, green)
    sheet.thick, sheet.dome = s * 0.05, rng.uniform(0, 0.5)
    t = np.linspace(0, np.pi, 12)
    b = s * rng.uniform(0.15, 0.32)
    upper = np.stack([-np.cos(t) * s * 0.48, -(np.sin(t) ** 1.3) * b], 1)
    sheet.poly(np.concatenate([upper, upper[::-1] * (1, -1)]), green, True)
    sheet.line([(-s * 0.48, 0), (s * 0.48, 0)], s * 0.02, tone(green, 1.3))
    for u in np.linspace(-0.3, 0.3, 5):
        for v in (-1, 1):
            sheet.line([(u * s, 0), ((u + 0.12) * s, v * b * 0.7)], s * 0.01, tone(green, 1.25))
    return sheet


def loose_dots(rng: Rng, s: float) -> ThingSheet:
    """Pips without a die: on the table itself, or many on a strip."""
    ink_ = any_colour(rng)
    sheet = ThingSheet(s, s, ink_)
    cols, rows = int(rng.integers(1, 6)), int(rng.integers(1, 6))
    p = s / (max(cols, rows) + 0.5)
    r, even = p * rng.uniform(0.15, 0.42), rng.uniform() < 0.5
    if max(cols, rows) > 4 and min(cols, rows) < 3 and rng.uniform() < 0.5:
        back = any_colour(rng)
        sheet.base = back
        sheet.rgb[:] = back
        sheet.box(0, 0, cols * p * 1.02, rows * p * 1.02, back, p * 0.2, True)
        ink_ = ink(back, rng)
    for j in range(rows):
        for i in range(cols):
            x, y = (i - (cols - 1) / 2) * p, (j - (rows - 1) / 2) * p
            dx, dy = (0.0, 0.0) if even else (rng.normal(0, 0.15) * p, rng.normal(0, 0.15) * p)
            sheet.disc(x + dx, y + dy, r, ink_, True)
    return sheet


def round_shadow(rng: Rng, s: float) -> ThingSheet:
    """The shadow of something round outside the picture, or the ring of a wet glass."""
    sheet = ThingSheet(s * 1.3, s * 1.3, (5, 5, 8), rng.uniform(0.25, 0.75))
    if rng.uniform() < 0.25:
        sheet.ring(0, 0, s / 2, s * rng.uniform(0.03, 0.08), (30, 18, 10), True)
    else:
        sheet.oval(0, 0, s / 2, s / 2 * rng.uniform(0.5, 1), 0, (5, 5, 8), True)
    sheet.soft, sheet.hides = s * rng.uniform(0.015, 0.09) + 0.4, False
    return sheet


def glare(rng: Rng, s: float) -> ThingSheet:
    """A lamp mirrored in the table."""
    shine = clipped((250, rng.uniform(225, 250), rng.uniform(190, 250)))
    sheet = ThingSheet(s * 1.4, s * 1.4, shine, rng.uniform(0.4, 1))
    for k in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(-0.4, 0.4, 2) * s * (k > 0)
        r = s * rng.uniform(0.05, 0.2)
        sheet.oval(x, y, r, r * rng.uniform(0.3, 1), rng.uniform(0, np.pi), shine, True)
    sheet.soft, sheet.hides = s * rng.uniform(0.01, 0.06) + 0.4, False
    return sheet
