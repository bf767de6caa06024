"""Draws the contents of pockets and drawers: plugs, key rings, dice of other games, bricks, marbles, sweets."""

from __future__ import annotations

import numpy as np

from vision.training.clutter.sheet import ThingSheet, any_colour, ink, mix, tone, vivid
from vision.training.clutter.symbols import INK_BLACK, METALS, PAPER_WHITE, Rng, glyph, pick, star, wobbly


def _socket_face(sheet: ThingSheet, x: float, y: float, r: float, body: tuple[int, int, int], rng: Rng) -> None:
    """The round recess of a socket with its two holes."""
    sheet.disc(x, y, r, tone(body, 0.72))
    sheet.disc(x, y, r * 0.92, tone(body, 0.9))
    turn = rng.uniform(0, np.pi)
    dx, dy = r * 0.45 * np.cos(turn), r * 0.45 * np.sin(turn)
    for k in (-1, 1):
        sheet.disc(x + k * dx, y + k * dy, r * 0.13, INK_BLACK)
        sheet.box(x - k * dy * 1.9, y + k * dx * 1.9, r * 0.14, r * 0.14, pick(rng, METALS))


def socket(rng: Rng, s: float) -> ThingSheet:
    """A power strip or a single adapter."""
    count = int(rng.choice([1, 1, 3, 4]))
    w = s / count if count > 1 else s
    body = tone(PAPER_WHITE, rng.uniform(0.8, 1)) if rng.uniform() < 0.7 else INK_BLACK
    sheet = ThingSheet(s, w, body)
    sheet.thick, sheet.gloss = w * rng.uniform(0.2, 0.6), rng.uniform(0, 0.3)
    sheet.box(0, 0, s, w, body, w * rng.uniform(0.05, 0.3), True)
    for k in range(count):
        _socket_face(sheet, (k - (count - 1) / 2) * w, 0, w * 0.38, body, rng)
    return sheet


def plug(rng: Rng, s: float) -> ThingSheet:
    """A mains plug on its side: body, two pins, a piece of cable."""
    body = tone(PAPER_WHITE, rng.uniform(0.8, 1)) if rng.uniform() < 0.5 else INK_BLACK
    metal = pick(rng, METALS)
    sheet = ThingSheet(s, s * 0.45, body)
    sheet.thick, sheet.dome, sheet.gloss = s * 0.15, rng.uniform(0.3, 0.8), rng.uniform(0, 0.3)
    for y in (-0.1, 0.1):
        sheet.line([(0.2 * s, y * s), (0.46 * s, y * s)], s * 0.05, metal, True)
    cable = np.stack([np.linspace(-0.5, -0.2, 9) * s, 0.06 * s * np.sin(np.linspace(0, rng.uniform(1, 4), 9))], 1)
    sheet.line(cable, s * 0.06, tone(body, 0.9), True)
    sheet.poly(np.array([(-0.25, -0.06), (-0.1, -0.18), (0.2, -0.2), (0.2, 0.2), (-0.1, 0.18), (-0.25, 0.06)]) * s,
               body, True)  # fmt: skip
    sheet.line([(0.12 * s, -0.17 * s), (0.12 * s, 0.17 * s)], s * 0.02, tone(body, 0.7))
    return sheet


def key_ring(rng: Rng, s: float) -> ThingSheet:
    """Keys on a ring, with a tag."""
    metal = pick(rng, METALS)
    sheet = ThingSheet(s, s, metal)
    sheet.thick, sheet.dome, sheet.gloss = s * 0.02, 0.5, rng.uniform(0, 0.5)
    r = s * 0.11
    turns = rng.uniform(0, 2 * np.pi) + np.cumsum(rng.uniform(0.35, 1.2, int(rng.integers(2, 5))))
    for t in turns:
        d, n = np.array([np.cos(t), np.sin(t)]), np.array([-np.sin(t), np.cos(t)])
        own = pick(rng, METALS)
        bow = vivid(rng) if rng.uniform() < 0.3 else own
        sheet.line(np.array([d * 0.2, d * 0.47]) * s, s * 0.035, own, True)
        for u in np.linspace(0.32, 0.46, int(rng.integers(3, 6))):
            sheet.line(np.array([d * u, d * u + n * rng.uniform(0.015, 0.035)]) * s, s * 0.02, own, True)
        sheet.disc(*(d * 0.17 * s), s * 0.075, bow, True)
        sheet.disc(*(d * 0.12 * s), s * 0.015, tone(bow, 0.3))
    if rng.uniform() < 0.6:
        t = turns[0] - rng.uniform(0.6, 1.4)
        x, y = 0.24 * s * np.cos(t), 0.24 * s * np.sin(t)
        tag = vivid(rng)
        if rng.uniform() < 0.5:
            sheet.disc(x, y, s * 0.09, tag, True)
        else:
            sheet.box(x, y, s * 0.16, s * 0.16, tag, s * 0.03, True)
        glyph(sheet, rng, x, y, s * 0.05, ink(tag, rng))
    sheet.ring(0, 0, r, s * 0.018, tone(metal, 0.9), True)
    return sheet


def polyhedron(rng: Rng, s: float) -> ThingSheet:
    """A die of another game: of 4, 8, 10, 12 or 20 faces, with numbers."""
    body = vivid(rng) if rng.uniform() < 0.8 else any_colour(rng)
    mark = ink(body, rng)
    sheet = ThingSheet(s, s, body)
    sheet.thick, sheet.gloss, sheet.crease = s * rng.uniform(0.3, 0.6), rng.uniform(0, 0.3), True
    kind = int(rng.choice([4, 8, 10, 12, 20]))
    corners = {4: 3, 8: 6, 10: 6, 12: 10, 20: 6}[kind]
    t = np.arange(corners) * 2 * np.pi / corners
    outer = np.stack([np.sin(t), -np.cos(t)], 1) * s / 2
    if kind == 10:
        outer *= np.array([0.8, 1.0])
    top_corners = {4: 0, 8: 3, 10: 4, 12: 5, 20: 3}[kind]
    u = np.arange(max(top_corners, 1)) * 2 * np.pi / max(top_corners, 1)
    top = np.stack([np.sin(u), -np.cos(u)], 1) * s * {8: 0.5, 10: 0.3, 12: 0.31, 20: 0.29}.get(kind, 0.0)
    if kind == 10:  # a kite
        top = np.array([(0, -0.42), (0.2, 0.02), (0, 0.18), (-0.2, 0.02)]) * s
    sheet.poly(outer, tone(body, 0.75), True)
    for k in range(corners):  # each side face has its own light
        side = np.array([outer[k], outer[(k + 1) % corners], top[round(k * len(top) / corners) % len(top)]])
        sheet.poly(side, tone(body, rng.uniform(0.6, 1.0)))
    sheet.poly(top, body)
    for corner in top:
        sheet.line(np.array([corner, outer[int(np.argmin(np.linalg.norm(outer - corner, axis=1)))]]), s * 0.012,
                   tone(body, 1.25))  # fmt: skip
    if kind == 4:
        for k in range(3):
            sheet.line(np.array([(0, 0), outer[k]]), s * 0.02, tone(body, 1.3))
            x, y = (outer[k] + outer[(k + 1) % 3]) * 0.27
            sheet.text(str(rng.integers(1, 5)), x, y, s * 0.13, mark)
    else:
        middle = top.mean(0)
        sheet.text(str(rng.integers(1, kind + 1)), *middle, s * (0.2 if kind < 20 else 0.15), mark, bold=1.3)
        if rng.uniform() < 0.5:
            for k in range(corners):
                x, y = outer[k] * 0.36 + outer[(k + 1) % corners] * 0.36
                sheet.text(str(rng.integers(1, kind + 1)), x, y, s * 0.08, mark)
    return sheet


def studs(rng: Rng, s: float) -> ThingSheet:
    """A short toy brick, of one to six studs."""
    across, down = [(1, 1), (2, 1), (2, 2), (3, 2), (3, 1), (2, 2)][int(rng.integers(0, 6))]
    p, body = s / max(across, down), vivid(rng)
    sheet = ThingSheet(across * p, down * p, body)
    sheet.thick, sheet.crease = p * float(rng.choice([0.4, 1.2])), True
    sheet.box(0, 0, across * p, down * p, body, p * 0.03, True)
    for j in range(down):
        for i in range(across):
            x, y = (i - (across - 1) / 2) * p, (j - (down - 1) / 2) * p
            sheet.disc(x + p * 0.04, y + p * 0.05, p * 0.32, tone(body, 0.7))
            sheet.disc(x, y, p * 0.3, tone(body, 1.06))
            sheet.ring(x, y, p * 0.29, p * 0.02, tone(body, 1.25))
    return sheet


def marble(rng: Rng, s: float) -> ThingSheet:
    """A glass marble with a swirl."""
    glass = mix(any_colour(rng), (225, 235, 232), rng.uniform(0, 0.8))
    sheet = ThingSheet(s, s, glass)
    sheet.thick, sheet.dome, sheet.gloss = s * 0.5, rng.uniform(0.5, 1), rng.uniform(0.4, 1)
    sheet.disc(0, 0, s / 2, glass, True)
    turn = rng.uniform(0, np.pi)
    for _ in range(int(rng.integers(1, 4))):
        u = np.linspace(-0.42, 0.42, 10)
        v = rng.uniform(0.05, 0.2) * np.sin(u * rng.uniform(4, 9) + rng.uniform(0, 6))
        x, y = u * np.cos(turn) - v * np.sin(turn), u * np.sin(turn) + v * np.cos(turn)
        sheet.line(np.stack([x, y], 1) * s, s * rng.uniform(0.04, 0.14), vivid(rng))
    return sheet


def wrapped_sweet(rng: Rng, s: float) -> ThingSheet:
    """A sweet in twisted paper."""
    paper, other = vivid(rng), any_colour(rng)
    sheet = ThingSheet(s, s * 0.55, paper)
    sheet.thick, sheet.dome, sheet.gloss = s * 0.2, rng.uniform(0.4, 1), rng.uniform(0, 0.7)
    for k in (-1, 1):
        fan = [(k * 0.22, 0.0), (k * 0.48, -0.2), (k * 0.42, -0.06), (k * 0.5, 0.05), (k * 0.44, 0.2)]
        sheet.poly(np.array(fan) * s, tone(paper, rng.uniform(0.8, 1.15)), True)
        sheet.line(np.array([(k * 0.22, 0), (k * 0.46, -0.1)]) * s, s * 0.012, tone(paper, 0.7))
        sheet.line(np.array([(k * 0.22, 0), (k * 0.46, 0.12)]) * s, s * 0.012, tone(paper, 0.7))
    body = wobbly(rng, s * 0.25, s * rng.uniform(0.17, 0.25), 0.03)
    sheet.poly(body, paper, True)
    kind = int(rng.integers(0, 3))
    if kind == 0:
        for x in np.linspace(-0.18, 0.18, int(rng.integers(2, 5))):
            sheet.line([(x * s, -0.15 * s), ((x + 0.05) * s, 0.15 * s)], s * 0.03, other)
    elif kind == 1:
        sheet.oval(0, 0, s * 0.14, s * 0.09, 0, other)
        sheet.text("".join(rng.choice(list("FRUITMINTCHOCO"), 3)), 0, 0, s * 0.06, ink(other, rng))
    return sheet


def liquorice(rng: Rng, s: float) -> ThingSheet:
    """A coconut wheel round liquorice, a beaded button, a layered square."""
    candy, black = mix(vivid(rng), PAPER_WHITE, rng.uniform(0, 0.4)), tone(INK_BLACK, rng.uniform(1, 2))
    sheet = ThingSheet(s, s, candy)
    sheet.thick, sheet.grain = s * rng.uniform(0.3, 0.7), rng.uniform(0.02, 0.1)
    kind = int(rng.integers(0, 4))
    if kind == 0:
        sheet.disc(0, 0, s / 2, candy, True)
        sheet.disc(0, 0, s * rng.uniform(0.12, 0.24), black)
    elif kind == 1:
        sheet.disc(0, 0, s / 2, candy, True)
        for _ in range(int(s * 2)):
            t, r = rng.uniform(0, 2 * np.pi), s * 0.47 * np.sqrt(rng.uniform())
            sheet.disc(r * np.cos(t), r * np.sin(t), s * 0.035, tone(candy, rng.uniform(0.7, 1.25)))
    else:
        sheet.crease = True
        sheet.box(0, 0, s, s, candy, s * 0.06, True)
        if kind == 2:  # on its side, showing the layers
            for y in (-0.28, 0.28) if rng.uniform() < 0.5 else (0.0,):
                sheet.box(0, y * s, s, s * rng.uniform(0.16, 0.26), black)
        else:  # a cube of liquorice in a coat of sugar
            sheet.box(0, 0, s * 0.45, s * 0.45, black, s * 0.05)
    return sheet


def pin(rng: Rng, s: float) -> ThingSheet:
    """A drawing pin, a magnet, a game's pawn from above: round within round."""
    body = vivid(rng)
    sheet = ThingSheet(s, s, body)
    sheet.thick, sheet.dome, sheet.gloss = s * rng.uniform(0.2, 0.9), rng.uniform(0.2, 0.9), rng.uniform(0, 0.8)
    sheet.poly(star(s / 2, 1.0, 20), body, True)
    sheet.ring(0, 0, s * 0.42, s * 0.03, tone(body, 0.7))
    sheet.disc(s * 0.02, s * 0.02, s * rng.uniform(0.15, 0.3), tone(body, 0.65))
    sheet.disc(0, 0, s * rng.uniform(0.14, 0.26), tone(body, 1.15))
    return sheet
