"""Patterned surfaces to lay dice on: cloths, tiles, weaves, prints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.drawn.compose import cloud
from vision.training.clutter.sheet import LINEAR, Canvas, Colour, ThingSheet, any_colour, letter, mix, tone
from vision.training.clutter.symbols import star, suit, wobbly

Rng = np.random.Generator
Print = npt.NDArray[np.uint8]
"""height x width x 3, 8-bit sRGB, red first: one repeat of a pattern."""
Index = npt.NDArray[np.int64]


def _grid(h: int, w: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """x and y of each pixel, -1..1 across the repeat."""
    ys, xs = np.mgrid[0:h, 0:w]
    return (2 * xs + 1) / w - 1, (2 * ys + 1) / h - 1


def _dyed(index: npt.NDArray[np.generic], dyes: list[Colour]) -> Print:
    return np.asarray(np.array(dyes, np.uint8)[index.astype(np.int64) % len(dyes)], np.uint8)


def _sheet(w: float, h: float, ground: Colour) -> ThingSheet:
    sheet = ThingSheet(w, h, ground)
    sheet.fine, sheet.wide, sheet.high = 1, int(w), int(h)
    sheet.rgb = np.full((int(h), int(w), 3), ground, np.uint8)
    sheet.alpha = np.zeros((int(h), int(w)), np.uint8)
    return sheet


def gingham(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    band = (np.arange(n) < n * rng.uniform(0.3, 0.6)) * 0.5
    share = (band[:, None] + band[None])[..., None]
    return np.asarray(np.array(dyes[0]) * (1 - share) + np.array(dyes[1]) * share, np.uint8)


def tartan(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    sett = np.zeros((n, 3))
    sett[:] = dyes[0]
    for _ in range(int(rng.integers(2, 7))):
        at, wide = rng.uniform(0, 1) * n, max(1.0, float(rng.choice([0.04, 0.1, 0.25])) * n)
        sett[int(at) : int(at + wide)] = dyes[int(rng.integers(1, len(dyes)))]
    twill = (np.add.outer(np.arange(n), np.arange(n)) // 2 % 2 == 0)[..., None] * rng.uniform(0, 1) * 0.5 + 0.25
    return np.asarray(sett[:, None] * twill + sett[None] * (1 - twill), np.uint8)


def chessboard(_: Rng, n: int, dyes: list[Colour]) -> Print:
    xs, ys = _grid(n, n)
    return _dyed((xs > 0) ^ (ys > 0), dyes[:2])


def stripes(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    at = np.sort(rng.integers(0, n, int(rng.integers(1, 7))))
    return _dyed(np.broadcast_to(np.searchsorted(at, np.arange(n)), (8, n)), dyes)


def polka(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    """Round or square spots, in rows or staggered."""
    sheet = _sheet(n, n, dyes[0])
    r, square = n * rng.uniform(0.08, 0.3), rng.uniform() < 0.3
    turn = rng.choice([1.0, 0.0])
    spots = [(0.0, 0.0)] + [(u * n / 2, v * n / 2) for u in (-1, 1) for v in (-1, 1)] * (rng.uniform() < 0.6)
    for k, (x, y) in enumerate(spots):
        dye = dyes[min(k, 1) % (len(dyes) - 1) + 1]
        if not square:
            sheet.disc(x, y, r, dye)
        elif turn:
            sheet.poly([(x - r, y), (x, y - r), (x + r, y), (x, y + r)], dye)
        else:
            sheet.box(x, y, 1.6 * r, 1.6 * r, dye)
    return sheet.rgb


def lozenges(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    xs, ys = _grid(int(n * rng.uniform(1, 2)), n)
    return _dyed(np.floor((np.abs(xs) + np.abs(ys)) * rng.integers(1, 5) + 0.001), dyes)


def terraces(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    """Stepped diamonds and crosses, as on Andean cloth."""
    xs, ys = _grid(n, n)
    steps = int(rng.integers(2, 6))
    level = np.floor(np.abs(xs) * steps) + np.floor(np.abs(ys) * steps)
    return _dyed(level // int(rng.integers(1, 3)), dyes)


def nested_squares(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    xs, ys = _grid(n, n)
    return _dyed(np.floor(np.maximum(np.abs(xs), np.abs(ys)) * rng.integers(3, 6)), dyes)


def quilt(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    """Circles in squares, too wide to be pips."""
    xs, ys = _grid(n, n)
    r = np.hypot(xs, ys)
    index = (r < rng.uniform(0.75, 0.98)).astype(int) + (r < rng.uniform(0.62, 0.72)) * int(rng.integers(0, 2))
    return _dyed(np.where(np.maximum(np.abs(xs), np.abs(ys)) > 0.96, len(dyes) - 1, index), dyes)


def scales(_: Rng, n: int, dyes: list[Colour]) -> Print:
    xs, ys = _grid(n, n)
    index = np.zeros((n, n))
    for x, y in ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1), (0, 2)):
        r = np.hypot(xs - x, ys - y + 1)
        index = np.where(r < 1, np.floor(r * 3), index)
    return _dyed(index, dyes)


def _petals(xs: npt.NDArray[np.float64], ys: npt.NDArray[np.float64], rng: Rng) -> Index:
    """0 outside a flower or rosette, else the number of its ring."""
    r, t = np.hypot(xs, ys), np.arctan2(ys, xs)
    count, deep, phase = int(rng.integers(4, 13)), rng.uniform(0.1, 0.5), rng.uniform(0, 6)
    reach = rng.uniform(0.7, 0.95) * (1 - deep * (0.5 + 0.5 * np.cos(count * t + phase)))
    return np.asarray(np.where(r < reach, 1 + np.floor(r / reach * int(rng.integers(1, 4))), 0), np.int64)


def rosettes(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    """One flower per repeat, a smaller one in the corners."""
    xs, ys = _grid(n, n)
    index = _petals(xs, ys, rng)
    if rng.uniform() < 0.6:
        grow = rng.uniform(1.3, 3)
        other = _petals((np.abs(xs) - 1) * grow, (np.abs(ys) - 1) * grow, rng)
        index = np.where(other > 0, other, index)
    return _dyed(index, dyes)


def motifs(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    """Scattered leaves, stars, hearts, crosses or flowers, several per repeat."""
    across = int(rng.integers(2, 5))
    sheet = _sheet(n * across, n * across, dyes[0])
    kind, r, loose = int(rng.integers(0, 5)), n * rng.uniform(0.2, 0.4), rng.uniform(0, 0.12)
    for j in range(across):
        for i in range(across):
            x, y = (np.array([i, j]) - (across - 1) / 2 + rng.normal(0, loose, 2)) * n
            dye = dyes[int(rng.integers(1, len(dyes)))]
            turn = rng.uniform(0, 2 * np.pi)
            if kind == 0:
                for k in range(int(rng.integers(1, 4))):
                    a = turn + 0.9 * k
                    sheet.oval(x + r * 0.4 * np.cos(a), y + r * 0.4 * np.sin(a), r * 0.7, r * 0.25, a, dye)
            elif kind == 1:
                sheet.poly(star(r, rng.uniform(0.3, 0.6), 5 + i % 3, x, y), dye)
            elif kind == 2:
                suit(sheet, (i + j) % 4, x, y, r, dye)
            elif kind == 3:
                c, s = r * np.cos(turn), r * np.sin(turn)
                sheet.line([(x - c, y - s), (x + c, y + s)], r * 0.4, dye)
                sheet.line([(x - s, y + c), (x + s, y - c)], r * 0.4, dye)
            else:
                for a in turn + np.arange(5) * 1.2566:
                    sheet.oval(x + r * 0.55 * np.cos(a), y + r * 0.55 * np.sin(a), r * 0.45, r * 0.3, a, dye)
                sheet.disc(x, y, r * 0.25, dyes[-1])
    return sheet.rgb


def tiles(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    """Squares with a motif each: arcs, diagonals, flowers, crossings; a joint between."""
    across = int(rng.integers(2, 4))
    xs, ys = _grid(n, n)
    squares = []
    for _ in range(across * across):
        kind = int(rng.integers(0, 4))
        if kind == 0:
            d = np.minimum(np.hypot(xs - 1, ys - 1), np.hypot(xs + 1, ys + 1))
            index = np.asarray(np.abs(d - 1) < rng.uniform(0.15, 0.5), np.int64)
        elif kind == 1:
            index = np.asarray(xs + ys > 0, np.int64) * int(rng.integers(1, 3))
        elif kind == 2:
            index = _petals(xs, ys, rng)
        else:
            index = np.asarray(np.abs(np.abs(xs) - np.abs(ys)) < 0.2, np.int64)
        index = np.rot90(index, int(rng.integers(0, 4))).copy()
        index[:1], index[:, :1] = len(dyes) - 1, len(dyes) - 1
        squares.append(index)
    return _dyed(np.vstack([np.hstack(squares[k * across : (k + 1) * across]) for k in range(across)]), dyes)


def zigzag(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    h = max(6, int(n * rng.uniform(0.4, 1)))
    ys, xs = np.mgrid[0:h, 0:n]
    return _dyed(np.floor((ys + np.abs(xs - n / 2) * 2 * h / n * int(rng.integers(1, 3))) % h / h * len(dyes)), dyes)


def herringbone(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    half, steps = max(6, n // 2), int(rng.integers(2, 6))
    step = max(3, half // steps)
    ys, xs = np.mgrid[0 : step * len(dyes) * 2, 0 : 2 * half]
    slant = np.where(xs < half, ys + xs, ys + 2 * half - xs)
    index = slant // step % len(dyes)
    cloth = _dyed(index, dyes)
    cloth[slant % step == 0] = tone(dyes[0], 0.6)
    cloth[xs % half == 0] = tone(dyes[0], 0.6)
    period = step * len(dyes)
    return cloth[: period * 2]


def basket(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    xs, ys = _grid(n, n)
    count = int(rng.integers(2, 6))
    warp = (xs > 0) ^ (ys > 0)
    u = np.where(warp, xs, ys) * count % 1
    cloth = _dyed(warp, dyes[:2]).astype(np.float32)
    return (cloth * (0.55 + 0.45 * np.sin(np.pi * u))[..., None]).astype(np.uint8)


def mesh(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    """Strips over and under, with holes between."""
    xs, ys = _grid(n, n)
    u, v = np.abs((xs * 2 + 1) % 2 - 1), np.abs((ys * 2 + 1) % 2 - 1)
    wide = rng.uniform(0.5, 0.95)
    over = (xs > 0) ^ (ys > 0)
    across, along = u < wide, v < wide
    index = np.where(across & (over | ~along), 1, np.where(along, 2, 0))
    shade = np.where(index == 1, 1 - 0.5 * u**2 - 0.25 * v * over, np.where(index == 2, 1 - 0.5 * v**2 - 0.25 * u, 0.6))
    return np.asarray(_dyed(index, dyes) * shade[..., None].clip(0.2, 1), np.uint8)


def houndstooth(_: Rng, n: int, dyes: list[Colour]) -> Print:
    ys, xs = np.mgrid[0:8, 0:8]
    index = np.where((xs + ys) % 4 < 2, xs % 8 < 4, ys % 8 < 4)
    return np.asarray(_dyed(index, dyes[:2]).repeat(max(1, n // 8), 0).repeat(max(1, n // 8), 1), np.uint8)


def wall(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    """Bricks or planks in varying tones."""
    w, h, joint = n * 2, max(8, n // int(rng.integers(1, 4))), max(1, n // 20)
    cloth = np.full((4 * h, 2 * w, 3), dyes[1], np.uint8)
    for j in range(4):
        row = np.zeros((h, 2 * w, 3), np.uint8)
        row[:] = dyes[1]
        for i in range(2):
            row[joint:, i * w + joint : (i + 1) * w] = tone(dyes[0], rng.uniform(0.75, 1.2))
        cloth[j * h : (j + 1) * h] = np.roll(row, (j % 2) * w // 2, 1)
    return cloth


def hexagons(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    r = n / np.sqrt(3)
    sheet = _sheet(n, round(3 * r), dyes[0])
    shrink = rng.uniform(0.7, 0.97)
    for k, (x, y) in enumerate(((0.0, 0.0), (-0.5, -1.5), (0.5, -1.5), (-0.5, 1.5), (0.5, 1.5))):
        sheet.poly(star(r * shrink, 0.866, 6, x * n, y * r)[::2], dyes[1 + min(k, 1) % (len(dyes) - 1)])
        if shrink < 0.85:
            sheet.poly(star(r * shrink * 0.6, 0.866, 6, x * n, y * r)[::2], dyes[0])
    return sheet.rgb


def ruled(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    """A grid of lines, whole or dotted, some of them thick."""
    cloth = np.full((n * 3, n * 3, 3), dyes[0], np.uint8)
    line = np.zeros(n * 3, bool)
    wide = int(rng.integers(1, max(2, n // 8) + 1))
    for k in range(3):
        line[k * n : k * n + wide * (2 if k == 0 and rng.uniform() < 0.4 else 1)] = True
    dash = np.arange(n * 3) % max(2, 2 * wide) < max(1, wide) if rng.uniform() < 0.5 else np.ones(n * 3, bool)
    cloth[np.outer(line, dash) | np.outer(dash, line)] = dyes[1]
    return cloth


def text(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    """Lines of print."""
    side = 320
    sheet = _sheet(side, side, dyes[0])
    high = max(5.0, n * 0.35)
    font = int(rng.choice([0, 1, 2, 3, 4]))
    for k, y in enumerate(np.arange(-side / 2, side / 2, high * rng.uniform(1.5, 2.4))):
        words = "".join(letter(rng) if rng.uniform() < 0.83 else " " for _ in range(int(side / high * 1.8)))
        sheet.text(words.lower() if k % 3 else words, 0, y, high, dyes[1 + k % (len(dyes) - 1)], font)
    return sheet.rgb


def blots(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    """Land and sea as on a map, with a coast and roads."""
    side = 512
    field = cloud(side, side, n * 1.2, rng) + 0.4 * cloud(side, side, max(6, n / 3), rng)
    index = np.digitize(field, np.sort(rng.normal(0, 0.8, len(dyes) - 1)))
    cloth = _dyed(index, dyes)
    if rng.uniform() < 0.6:
        coast = cv2.morphologyEx(index.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)) > 0
        cloth[coast] = tone(dyes[0], 0.4)
    for _ in range(int(rng.integers(0, 4))):
        road = np.round(wobbly(rng, side * 0.35, side * 0.3, 0.2) + rng.uniform(0, side, 2)).astype(np.int32)
        cv2.polylines(cloth, [road], False, dyes[-1], int(rng.integers(1, 4)), cv2.LINE_AA)
    return cloth


def carpet(rng: Rng, n: int, dyes: list[Colour]) -> Print:
    """Tufts of several yarns, in rows or at random."""
    tuft = int(rng.integers(2, max(3, n // 12) + 1))
    count = 240 // tuft
    index = rng.integers(0, len(dyes), (count, count))
    if rng.uniform() < 0.5:
        index = np.where(rng.uniform(size=(count, count)) < 0.8, np.arange(count)[:, None] // 2, index)
    tufts = (_dyed(index, dyes) * rng.uniform(0.75, 1, (count, count, 1))).astype(np.uint8)
    return np.asarray(cv2.resize(tufts, None, fx=tuft, fy=tuft, interpolation=cv2.INTER_LINEAR), np.uint8)


CLOTHS: Final[tuple[Callable[[Rng, int, list[Colour]], Print], ...]] = (
    gingham, tartan, chessboard, stripes, polka, lozenges, terraces, nested_squares, quilt, scales, rosettes, motifs,
    tiles, zigzag, herringbone, basket, mesh, houndstooth, wall, hexagons, ruled, text, blots, carpet,
)  # fmt: skip


def _dyes(rng: Rng) -> list[Colour]:
    """Two to four colours, near each other or far."""
    first = any_colour(rng)
    contrast = rng.uniform(0.12, 1) ** 0.7
    rest = [mix(first, any_colour(rng), contrast) for _ in range(int(rng.integers(1, 4)))]
    return [first, *rest] if len(rest) > 1 or rng.uniform() < 0.5 else [*rest, first]


def patterned_cloth(side: int, rng: Rng, kind: int | None = None) -> Canvas:
    """A patterned surface, side x side x 3, linear light; `kind` is an index of `CLOTHS`, random by default."""
    make = CLOTHS[int(rng.integers(len(CLOTHS))) if kind is None else kind]
    repeat = make(rng, int(np.exp(rng.uniform(np.log(8), np.log(90)))), _dyes(rng))
    # large enough for the corners of the turned picture, and its bends
    scale = float(rng.uniform(0.85, 1.2))
    need = int(side * 1.5 / scale) + 24
    h, w = repeat.shape[:2]
    cloth = np.tile(repeat, (need // h + 1, need // w + 1, 1))[:need, :need]
    angle = rng.uniform(0, 2 * np.pi) if rng.uniform() < 0.8 else rng.normal(0, 0.05)
    c, s = np.float32(np.cos(angle) / scale), np.float32(np.sin(angle) / scale)
    ends = np.arange(side, dtype=np.float32) - np.float32(side / 2)
    middle = (need / 2 + rng.uniform(-6, 6, 2)).astype(np.float32)
    u = (c * ends + middle[0])[None] - (s * ends)[:, None]
    v = (s * ends + middle[1])[None] + (c * ends)[:, None]
    if rng.uniform() < 0.6:
        bend = (rng.normal(0, 1, (6, 6, 2)) * side * rng.uniform(0, 0.009)).astype(np.float32)
        bent = np.asarray(cv2.resize(bend, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)
        u, v = u + bent[..., 0], v + bent[..., 1]
    print_ = cv2.remap(cloth, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    if rng.uniform() < 0.6:
        print_ = cv2.GaussianBlur(print_, (0, 0), float(rng.uniform(0.4, 1.1)))
    half = side // 2 + 1
    rough, fibre = (np.float32(w) for w in rng.uniform(0, 0.12, 2))
    threads = rng.standard_normal((half, max(2, side // 48)), dtype=np.float32)
    noise = rough * rng.standard_normal((half, half), dtype=np.float32) + fibre * cv2.resize(threads, (half, half))
    texture = np.asarray(cv2.copyMakeBorder(noise, 0, side - half, 0, side - half, cv2.BORDER_REFLECT_101), np.float32)
    texture += np.float32(rng.uniform(0, 0.1)) * cloud(side, side, rng.uniform(40, 150), rng)
    texture += np.float32(1)
    canvas = np.empty((side, side, 3), np.float32)
    for top in range(0, side, 64):  # in strips that stay in the processor's cache: twice as fast
        rows = slice(top, top + 64)
        strip = np.maximum(texture[rows], 0)
        part = cv2.multiply(cv2.LUT(print_[rows], LINEAR), cv2.merge([strip, strip, strip]))
        np.minimum(part, 1, out=canvas[rows])
    return canvas
