"""Materials, and textures of wood, felt, cloth and print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.traced.objects.mesh import Floats

Rgb = tuple[float, float, float]
_CELL: Final = 128
"""Texels of a face's square in the atlas of a die of another game."""
SurfaceKind = Literal["matt", "plastic", "satin", "metal", "shell", "clear"]


@dataclass(frozen=True, slots=True)
class Surface:
    """matt; plastic (glossy); satin (rough plastic); metal; shell (thin glass); clear (tinted, inked)."""

    kind: SurfaceKind
    colour: Rgb = (0.5, 0.5, 0.5)
    picture: Floats | None = None
    """height x width x 3, instead of the colour."""
    rough: float = 0.2
    ink: Floats | None = None
    """For a clear die: height x width, where it is painted."""
    cloudy: float = 0.3
    """For a clear die: 0 like glass to 1 opaque."""


def linear(rgb: npt.ArrayLike) -> Floats:
    """Convert 8-bit sRGB to linear light by the power 2.2."""
    return np.asarray((np.clip(np.asarray(rgb, np.float32), 0, 255) / 255) ** 2.2, np.float32)


def as_rgb(v: npt.ArrayLike) -> Rgb:
    """A colour, clipped to between 0.004 and 0.95."""
    r, g, b = np.clip(np.asarray(v, np.float64), 0.004, 0.95).tolist()
    return r, g, b


def muted(rng: np.random.Generator) -> Floats:
    """An 8-bit sRGB colour, seldom a bright one."""
    colour = rng.uniform(10, 245, 3)
    grey = colour.mean()
    return np.asarray(grey + (colour - grey) * rng.choice([0.35, 0.6, 1.0], p=[0.4, 0.4, 0.2]), np.float32)


def field(shape: tuple[int, int], grain: tuple[float, float], rng: np.random.Generator) -> Floats:
    """Smooth noise, about normal; `grain`: feature length in texels, down and across."""
    h, w = (max(3, int(n / max(g, 1)) + 3) for n, g in zip(shape, grain, strict=True))
    raw = rng.standard_normal((h, w)).astype(np.float32)
    return np.asarray(cv2.resize(raw, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def fractal(shape: tuple[int, int], grain: float, rng: np.random.Generator, octaves: int = 4) -> Floats:
    """Noise of several octaves, the largest `grain` texels long."""
    total = np.zeros(shape, np.float32)
    for k in range(octaves):
        total += field(shape, (grain / 2**k, grain / 2**k), rng) * np.float32(0.6**k)
    return total


def _grid(shape: tuple[int, int], scale: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Millimetres along two randomly turned axes."""
    ys, xs = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) * scale
    a = rng.uniform(0, 2 * np.pi)
    c, s = np.float32(np.cos(a)), np.float32(np.sin(a))
    return xs * c + ys * s + 1000, ys * c - xs * s + 1000


def _mix(a: Floats, b: Floats, m: Floats) -> Floats:
    return np.asarray(a + (b - a) * np.clip(m, 0, 1)[..., None], np.float32)


def wood(shape: tuple[int, int], scale: float, base: Floats, rng: np.random.Generator) -> Floats:
    """Planks with rings, fibres and seams."""
    u, v = _grid(shape, scale, rng)
    plank = rng.uniform(60, 220)
    number = np.floor(v / plank).astype(np.int64)
    shade = rng.normal(0, 0.12, number.max() + 2).astype(np.float32)[number]
    offset = rng.uniform(0, 400, number.max() + 2).astype(np.float32)[number]
    warp = fractal(shape, 300 / scale, rng, 2)
    bent = 5 * warp + 9 * np.sin((u + offset) / 230) + 4 * np.sin((u + 3 * offset) / 90)
    rings = np.sin((v + bent) * (2 * np.pi / rng.uniform(5, 24)) + 2.5 * np.sin((v + bent) / 21) + offset)
    lines = rng.standard_normal((512, 24)).astype(np.float32)  # fibres run along the plank
    along, across = (u + offset) / 40, (v + bent) / rng.uniform(0.6, 1.4)
    fibre = cv2.remap(lines, np.mod(along, 24), np.mod(across, 512), cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    seam = ((v % plank) < rng.choice([0.0, 1.2])).astype(np.float32)
    light = np.exp(shade + rng.uniform(0.03, 0.16) * rings + 0.09 * fibre + 0.05 * warp)
    return np.asarray(base * light[..., None] * (1 - 0.75 * seam[..., None]), np.float32)


def felt(shape: tuple[int, int], scale: float, base: Floats, rng: np.random.Generator) -> Floats:
    """Short fibres in all directions, worn in places."""
    hair = rng.standard_normal(shape).astype(np.float32)
    fuzz = cv2.GaussianBlur(hair, (0, 0), 0.8) * 1.4 + field(shape, (3, 3), rng) * 0.4
    worn = fractal(shape, 220 / scale, rng, 3)
    return np.asarray(base * np.exp(rng.uniform(0.03, 0.13) * fuzz + 0.07 * worn)[..., None], np.float32)


def weave(shape: tuple[int, int], scale: float, base: Floats, rng: np.random.Generator) -> Floats:
    """Plain woven cloth with creases."""
    u, v = _grid(shape, scale, rng)
    pitch = rng.uniform(2.2, 5) * max(1.0, scale)
    thread = np.sin(u * 2 * np.pi / pitch) * np.sin(v * 2 * np.pi / pitch)
    crease = np.exp(-((np.abs(((u + 6 * fractal(shape, 200 / scale, rng, 2)) % 310) - 155) / 4) ** 2))
    rough = field(shape, (2, 2), rng)
    light = 1 + 0.10 * thread + 0.05 * rough + rng.uniform(-0.2, 0.15) * crease
    return np.asarray(base * np.clip(light, 0.2, 2)[..., None], np.float32)


def plain(shape: tuple[int, int], scale: float, base: Floats, rng: np.random.Generator) -> Floats:
    """Lacquer, paper, plastic: almost no texture."""
    light = 1 + rng.uniform(0, 0.04) * fractal(shape, 150 / scale, rng, 3)
    return np.asarray(base * light[..., None], np.float32)


def stone(shape: tuple[int, int], scale: float, base: Floats, rng: np.random.Generator) -> Floats:
    """Granite's grains or marble's veins."""
    if rng.uniform() < 0.5:
        grain = fractal(shape, 8 / scale, rng, 3)
        other = as_rgb(base * rng.uniform(0.15, 2.5))
        return _mix(base, np.array(other, np.float32), (grain - rng.uniform(-0.3, 1.1)) * 3)
    vein = 1 - np.abs(fractal(shape, 240 / scale, rng, 5))
    return _mix(base, np.asarray(base * 0.35, np.float32), np.clip(vein, 0, 1) ** 7)


def patterned(shape: tuple[int, int], scale: float, base: Floats, rng: np.random.Generator) -> Floats:
    """Printed or woven patterns, some with spots the size of a pip."""
    u, v = _grid(shape, scale, rng)
    other = linear(muted(rng)) if rng.uniform() < 0.6 else linear(np.full(3, rng.choice([25, 240])))
    period = float(np.exp(rng.uniform(np.log(9), np.log(90))))
    x, y = (u % period) / period - 0.5, (v % period) / period - 0.5
    odd = (np.floor(u / period) + np.floor(v / period)) % 2
    edge = scale / period * 1.2 + 1e-3

    def below(value: Floats, limit: float) -> Floats:
        return np.asarray(np.clip((limit - value) / edge + 0.5, 0, 1), np.float32)

    match int(rng.integers(0, 8)):
        case 0:  # gingham
            m = 0.5 * below(np.abs(x), 0.25) + 0.5 * below(np.abs(y), 0.25)
        case 1:  # polka dots
            m = below(np.hypot(x, y), rng.uniform(0.1, 0.36))
        case 2:  # stripes, some thin
            m = np.maximum(below(np.abs(x), 0.2), below(np.abs(np.abs(x) - 0.33), 0.03))
        case 3:  # rosettes
            a, r = np.arctan2(y, x), np.hypot(x, y)
            m = below(r, 1.0) * below(np.abs(r - 0.26 - 0.1 * np.cos(6 * a)), 0.05) + below(r, 0.07)
        case 4:  # zigzag
            m = below(np.abs(((v + np.abs(x) * period) % period) / period - 0.5), 0.22)
        case 5:  # terraces and lozenges of the Andes
            d = np.abs(np.round(x * 8) / 8) + np.abs(np.round(y * 8) / 8)
            m = below(np.abs(d - 0.38), 0.07) + below(d, 0.14)
        case 6:  # chessboard
            m = odd.astype(np.float32)
        case _:  # leaves
            m = below(np.abs(np.hypot(x - 0.22, y) - 0.4) + np.abs(np.hypot(x + 0.22, y) - 0.4), 0.24) * odd
    print_ = _mix(base, other, np.asarray(m * rng.uniform(0.35, 1), np.float32))
    fuzz = 1 + 0.06 * field(shape, (1.5, 1.5), rng)
    return np.asarray(print_ * fuzz[..., None], np.float32)


TABLE_SURFACES: Final[dict[str, tuple[Callable[..., Floats], float]]] = {
    "wood": (wood, 0.26),
    "felt": (felt, 0.22),
    "cloth": (weave, 0.13),
    "patterned": (patterned, 0.2),
    "plain": (plain, 0.12),
    "stone": (stone, 0.07),
}
"""Kind of table: its texture, and how often it comes."""


def table(kind: str, base: Rgb, shape: tuple[int, int], scale: float, rng: np.random.Generator) -> Surface:
    """A table's top. shape: rows, columns of its texture; scale: millimetres per texel; base: its colour."""
    texture = TABLE_SURFACES[kind][0](shape, scale, np.array(base, np.float32), rng)
    picture = np.clip(texture, 0.003, 0.92).astype(np.float32)
    if kind in {"felt", "cloth", "patterned"}:
        return Surface("matt", picture=picture)
    gloss = rng.uniform()
    if gloss < 0.25:
        return Surface("matt", picture=picture)
    return Surface("plastic" if gloss > 0.88 else "satin", picture=picture, rough=float(rng.uniform(0.08, 0.4)))


def leather(base: Rgb, rng: np.random.Generator) -> Floats:
    """A cup's wall: grained, stitched or ringed."""
    shape = (128, 256)
    picture = np.array(base, np.float32) * np.exp(0.16 * fractal(shape, 12, rng))[..., None]
    for row in rng.integers(6, 122, int(rng.integers(0, 4))):
        picture[row : row + 3] *= rng.uniform(0.4, 1.8)
    picture[:18] = picture[:18].mean((0, 1))  # the end, where the wall's texture would converge in the middle
    return np.asarray(np.clip(picture, 0.003, 0.9), np.float32)


def screen(lit: bool, rng: np.random.Generator) -> Floats:
    """A phone from above: dark glass, icons, or lines of a chat."""
    picture = np.full((300, 144, 3), 6, np.uint8)
    if lit:
        back = tuple(int(v) for v in rng.integers(10, 255, 3))
        cv2.rectangle(picture, (6, 6), (137, 293), back, -1)
        if rng.uniform() < 0.5:
            for y in range(30, 270, 34):
                for x in range(16, 120, 31):
                    colour = tuple(int(v) for v in rng.integers(20, 255, 3))
                    cv2.rectangle(picture, (x, y), (x + 20, y + 20), colour, -1)
                    cv2.circle(picture, (x + 10, y + 10), 5, (240, 240, 240), -1, cv2.LINE_AA)
        else:
            for y in range(24, 280, 26):
                left, long = int(rng.integers(12, 50)), int(rng.integers(30, 80))
                colour = tuple(int(v) for v in rng.integers(120, 255, 3))
                cv2.rectangle(picture, (left, y), (left + long, y + 17), colour, -1)
    return linear(picture)


def card(rng: np.random.Generator) -> Floats:
    """A playing card: its back, or the spots of a number card."""
    picture = np.full((176, 126, 3), int(rng.integers(225, 255)), np.uint8)
    hue = tuple(int(v) for v in ((200, 20, 30) if rng.uniform() < 0.5 else (20, 20, 24)))
    if rng.uniform() < 0.4:
        hue = tuple(int(v) for v in rng.integers(20, 200, 3))
        cv2.rectangle(picture, (8, 8), (117, 167), hue, -1)
        for k in range(-160, 130, 12):
            cv2.line(picture, (8 + k, 8), (8 + k + 160, 168), (235, 235, 235), 1, cv2.LINE_AA)
            cv2.line(picture, (118 - k, 8), (118 - k - 160, 168), (235, 235, 235), 1, cv2.LINE_AA)
    else:
        for row in range(int(rng.integers(1, 5))):
            for column in range(int(rng.integers(1, 3))):
                cv2.circle(picture, (42 + column * 42, 32 + row * 38), 10, hue, -1, cv2.LINE_AA)
        cv2.putText(picture, str(rng.integers(2, 10)), (6, 22), 0, 0.6, hue, 2, cv2.LINE_AA)
    return linear(picture)


def sheet(rng: np.random.Generator) -> Floats:
    """A score pad, a newspaper, a printed box."""
    picture = np.full((280, 200, 3), int(rng.integers(200, 255)), np.uint8)
    picture[:] = np.clip(picture * rng.uniform(0.6, 1, 3), 0, 255).astype(np.uint8)
    for y in range(16, 272, int(rng.integers(12, 24))):
        text = "".join(rng.choice(list("abcdeghilmnoprstu 0123456789.:"), int(rng.integers(5, 26))))
        cv2.putText(picture, text, (10, y), int(rng.integers(0, 5)), 0.4, (40, 40, 50), 1, cv2.LINE_AA)
    return linear(picture)


def number_atlas(faces: int, body: Floats, ink: Floats, rng: np.random.Generator) -> Floats:
    """The texture: a number in each face's square, in linear light; sometimes marbled."""
    columns = int(np.ceil(np.sqrt(faces)))
    side = columns * _CELL
    cover = np.zeros((side, side), np.uint8)
    high = {4: 0.3, 8: 0.4, 10: 0.42, 12: 0.62, 20: 0.36}[faces] * rng.uniform(0.8, 1.1)
    font, bold = int(rng.choice([0, 2, 3, 4])), int(rng.integers(5, 10))
    for k, number in enumerate(rng.permutation(faces) + 1):
        cell = np.zeros((_CELL, _CELL), np.uint8)
        text = f"{number}" + ("." if number in (6, 9) else "")
        (w, h), _ = cv2.getTextSize(text, font, 1, bold)
        scale = high * _CELL / 21 * (0.8 if len(text) > 1 else 1.0) / 2
        (w, h), _ = cv2.getTextSize(text, font, scale, bold)
        cv2.putText(cell, text, ((_CELL - w) // 2, (_CELL + h) // 2), font, scale, 255, bold, cv2.LINE_AA)
        x, y = k % columns * _CELL, k // columns * _CELL
        cover[y : y + _CELL, x : x + _CELL] = np.rot90(cell, -1)
    share = cover[..., None].astype(np.float32) / 255
    solid = np.broadcast_to(np.asarray(body, np.float32), (side, side, 3))
    if rng.uniform() < 0.35:
        veins = np.clip(fractal((side, side), 90, rng)[..., None], 0, 1)
        solid = solid * (1 - veins) + np.asarray(rng.uniform(0.02, 0.6, 3), np.float32) * veins
    return np.asarray(np.clip(solid * (1 - share) + np.asarray(ink, np.float32) * share, 0.003, 0.93), np.float32)
