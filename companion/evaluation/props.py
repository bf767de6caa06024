"""The objects on a drawn table: dice of one maker, cloths, cups, hands and others."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.image import Floats, Image
from calibration.palette import SRGB
from companion.evaluation.stage import HEADROOM, Cutout, Lamp, Placed, encoded
from vision.drawn.compose import Linear, cloud, to_linear
from vision.drawn.die import DieModel, Light, Rgb, Shape, render_die
from vision.drawn.faces import Texture
from vision.reading import Box
from vision.training.bank import MakersMaterial
from vision.training.cloths import CLOTHS, patterned_cloth
from vision.training.clutter import goods, papers, rounds
from vision.training.clutter.sheet import TableCanvas, ThingSheet, mix, tone
from vision.training.emblems import EMBLEMS, EmblemStyle, emblem_faces

MATERIALS: Final = ("plain", "plain", "plain", "marbled", "clear")
"""Materials of dice; plain ones are three times as frequent as each other kind."""
_SMALL: Final = 20.0
"""Half an edge, in pixels, below which a die is drawn larger and shrunk."""

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class DieLook:
    """A drawn die."""

    cutout: Cutout
    box: Box
    """The visible die: x, y from the cutout's centre, width and height in pixels."""


@dataclass(frozen=True, slots=True)
class DiceSet:
    """One maker's dice."""

    faces: tuple[Texture, ...]
    emblem: str
    """What is on the one; `pip` for an ordinary pip."""
    material: str
    """One of `MATERIALS`."""
    shape: Shape
    gloss: float
    depth: float
    gold: bool
    """Dark dice have golden pips."""
    bodies: dict[str, Rgb]
    """Colour -> linear light, red first."""

    @classmethod
    def random(cls, colours: Sequence[str], rng: Rng) -> DiceSet:
        """Dice as a maker might sell them."""
        cut = float(rng.uniform(1.28, 1.6))
        reach = min(1.0, float(np.sqrt(cut**2 - 1)) + 0.1)
        emblem = str(rng.choice(EMBLEMS[1:])) if rng.uniform() < 0.6 else "pip"
        style = EmblemStyle(
            pip_radius=float(rng.uniform(0.15, 0.2)),
            spread=float(min(rng.uniform(0.42, 0.52), 0.72 * reach)),
            one_scale=float(rng.uniform(1.0, 1.6)),
            emblem=emblem,
            stroke=float(rng.uniform(0.08, 0.12)),
            emblem_scale=float(rng.uniform(0.85, 1.05) * reach),
            flipped=bool(rng.uniform() < 0.5),
            seed=int(rng.integers(2**31)),
        )
        return cls(
            faces=emblem_faces(style),
            emblem=emblem,
            material=str(rng.choice(MATERIALS)),
            shape=Shape(radius=float(rng.uniform(0.15, 0.35)), cut=cut),
            gloss=float(rng.uniform(0.1, 1.0)),
            gold=bool(rng.uniform() < 0.15),
            depth=float(rng.uniform(0.2, 0.8)) if rng.uniform() < 0.7 else 0.0,
            bodies={colour: _body(colour, rng) for colour in colours},
        )

    def draw(
        self, colour: str, face: int, yaw: float, away: tuple[float, float], edge: float, lamp: Lamp, seed: int
    ) -> DieLook:
        """A die with `face` on top, rotated by `yaw` radians.

        away: the die's distance from the middle of the picture, right and down, per camera height; edge: in pixels;
        seed: of its marbling.
        """
        half = edge / 2
        up = float(np.sqrt(1 + lamp.sun[0] ** 2 + lamp.sun[1] ** 2))
        sprite = render_die(
            DieModel(self._material(colour, seed), self.shape, self.faces),
            face,
            half_edge=half,
            yaw=yaw,
            tilt=float(np.arctan(np.hypot(*away))),
            azimuth=float(np.arctan2(away[1], -away[0])),  # y points down in the picture and up in the world
            light=Light(direction=(-lamp.sun[0] / up, lamp.sun[1] / up, 1 / up), ambient=1 - 0.6 * lamp.shade),
            oversample=2 if half < _SMALL else 1,
        )
        ys, xs = np.nonzero(sprite.alpha > 0.5)
        side = sprite.alpha.shape[0] / 2
        box = (float(xs.min()) - side, float(ys.min()) - side, float(np.ptp(xs)) + 1, float(np.ptp(ys)) + 1)
        rgb, alpha = sprite.rgb, sprite.alpha
        if half >= _SMALL:  # drawn without oversampling, so its outline has steps
            alpha = np.asarray(cv2.GaussianBlur(alpha, (0, 0), 0.6), np.float32)
            rgb = np.asarray(cv2.GaussianBlur(rgb * sprite.alpha[..., None], (0, 0), 0.6), np.float32)
            rgb = np.asarray(rgb / np.maximum(alpha, np.float32(0.02))[..., None], np.float32)
        return DieLook(Cutout.of(encoded(rgb), alpha, lamp, 0.8 * edge), box)

    def _material(self, colour: str, seed: int) -> MakersMaterial:
        rng = np.random.default_rng(seed)
        body = self.bodies[colour]
        r, g, b = body
        return MakersMaterial(
            rng=rng,
            body=body,
            ink=_ink(colour, gold=self.gold),
            gloss=self.gloss,
            depth=self.depth,
            second=(0.7 * r + 0.06, 0.7 * g + 0.06, 0.7 * b + 0.06) if self.material == "marbled" else None,
            clear=0.4 if self.material == "clear" and colour not in ("black", "white") else 0.0,
        )


def _ink(colour: str, *, gold: bool) -> Rgb:
    if gold and colour not in ("yellow", "orange", "white"):
        return to_linear((226, 188, 92))
    return to_linear((26, 25, 28) if colour in ("yellow", "orange", "white") else (240, 234, 212))


def _body(colour: str, rng: Rng) -> Rgb:
    """The colour as this maker mixes it, still distinct from the others."""
    r, g, b = (level / 255 for level in SRGB[colour])
    hue, saturation, value = colorsys.rgb_to_hsv(r, g, b)
    if colour not in ("black", "white"):
        hue = (hue + rng.uniform(-0.01, 0.01)) % 1
        saturation = min(1.0, saturation * rng.uniform(0.85, 1.05))
        value = min(1.0, value * rng.uniform(0.8, 1.15))
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return to_linear((round(red * 255), round(green * 255), round(blue * 255)))


CLOTH_KINDS: Final = ("felt", "felt", "wood", "wood", "checks", "flowers", "other pattern")
"""Kinds of surfaces, repeated by their frequency."""
_CHECKS: Final = ("gingham", "tartan", "chessboard", "houndstooth")
_FLOWERS: Final = ("rosettes", "motifs")
_FELTS: Final = ((30, 84, 58), (24, 46, 82), (104, 26, 34), (70, 70, 74), (26, 26, 28), (168, 146, 112),
                 (222, 218, 206), (48, 96, 116), (92, 60, 40))  # fmt: skip
_WOODS: Final = ((150, 104, 62), (96, 60, 36), (196, 156, 108), (62, 40, 28), (178, 128, 84))
_SLEEVES: Final = ((44, 52, 74), (150, 36, 40), (210, 206, 196), (30, 30, 32), (60, 92, 70), (120, 104, 140))
_LEATHERS: Final = ((92, 56, 34), (40, 28, 24), (120, 36, 34), (30, 30, 32))

THINGS: Final = {
    "phone": (goods.phone, 8.0, 9.5),
    "glass": (rounds.glass, 4.0, 5.2),
    "mug": (rounds.cup, 4.5, 5.5),
    "card": (papers.card, 4.5, 5.5),
    "note": (papers.note, 5.0, 8.0),
    "pen": (goods.pen, 7.5, 9.0),
    "key": (goods.key, 3.0, 4.5),
    "coin": (rounds.coin, 1.1, 1.6),
    "bottle cap": (rounds.cap, 1.7, 2.0),
    "biscuit": (rounds.biscuit, 2.5, 4.0),
    "chip": (rounds.chip, 2.2, 2.6),
    "sweet": (rounds.sweet, 0.7, 1.2),
    "nut": (rounds.nut, 0.9, 1.6),
    "cube": (goods.cube, 0.9, 1.2),
}
"""Name -> how it is drawn, and its least and greatest length in die edges."""
CARRIED: Final = ("phone", "glass", "mug")
"""Objects that people put down and push while they play."""

_LEVELS: Final = 14
"""Rings that make up a cup's drawn wall."""
_HAND: Final = 6.2
"""Length of a hand in die edges."""
_COARSE: Final = 2
"""Hands are drawn smaller by this factor, and enlarged."""


def cloth(kind: str, size: tuple[int, int], colours: Sequence[str], rng: Rng) -> Image:
    """The bare table, BGR, of `size` = (width, height) pixels. `kind` is one of `CLOTH_KINDS`.

    colours: the dice's; one felt in five has one of them.
    """
    width, height = size
    if kind == "felt":
        hues = [SRGB[colour] for colour in colours] if rng.uniform() < 0.2 else _FELTS
        light = _felt(width, height, hues, rng)
    elif kind == "wood":
        light = _wood(width, height, rng)
    else:
        names = [make.__name__ for make in CLOTHS]
        wanted = {"checks": _CHECKS, "flowers": _FLOWERS}.get(kind)
        if wanted is None:
            wanted = tuple(name for name in names if name not in (*_CHECKS, *_FLOWERS))
        light = patterned_cloth(width, rng, names.index(str(rng.choice(wanted))))[:height]
    return encoded(light).astype(np.uint8)


def _felt(width: int, height: int, hues: Sequence[tuple[int, int, int]], rng: Rng) -> Linear:
    base = np.array(to_linear(hues[int(rng.integers(len(hues)))]), np.float32) * rng.uniform(0.7, 1.3)
    weave = 1 + rng.uniform(0.03, 0.12) * cloud(height, width, 1.6, rng) + 0.05 * cloud(height, width, 90, rng)
    return np.asarray(base * weave[..., None], np.float32)


def _wood(width: int, height: int, rng: Rng) -> Linear:
    base = np.array(to_linear(_WOODS[int(rng.integers(len(_WOODS)))]), np.float32) * rng.uniform(0.7, 1.3)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = rng.uniform(0, np.pi)
    across = xs * np.float32(np.cos(angle)) + ys * np.float32(np.sin(angle))
    along = ys * np.float32(np.cos(angle)) - xs * np.float32(np.sin(angle))
    bent = across + 12 * np.sin(along / rng.uniform(150, 500)) + rng.uniform(2, 20) * cloud(height, width, 300, rng)
    grain = np.sin(bent / rng.uniform(2, 9)) + np.sin(bent / rng.uniform(9, 25))
    if rng.uniform() < 0.4:  # planks
        wide = rng.uniform(90, 260)
        grain = grain - 5 * (across % wide < 2.5)
    fibre = cloud(height, width, 2, rng)
    return np.asarray(base * (1 + rng.uniform(0.03, 0.12) * grain + 0.05 * fibre)[..., None], np.float32)


@dataclass(frozen=True, slots=True)
class View:
    """The camera over the table. Lengths are pixels of the table."""

    middle: tuple[float, float]
    """The point below the camera."""
    height: float
    """Height of the camera above the table."""

    def away(self, x: float, y: float) -> tuple[float, float]:
        """Distance of a point from the middle, per camera height."""
        return (x - self.middle[0]) / self.height, (y - self.middle[1]) / self.height

    def seen(self, x: float, y: float, z: float) -> tuple[float, float, float]:
        """Where a point `z` above the table appears, and the magnification there."""
        nearer = self.height / (self.height - z)
        dx, dy = x - self.middle[0], y - self.middle[1]
        return self.middle[0] + dx * nearer, self.middle[1] + dy * nearer, nearer


@dataclass(frozen=True, slots=True)
class CupLook:
    """A player's cup. Lengths are pixels."""

    radius: float
    """Radius of its mouth."""
    foot: float
    """Radius of its foot, as a share of the mouth's."""
    tall: float
    colour: tuple[int, int, int]
    """8-bit sRGB, red first."""
    rings: tuple[float, ...]
    """Radii of the rings on its foot, as shares."""
    grain: Floats

    @classmethod
    def random(cls, edge: float, colour: str, rng: Rng, *, leather: bool) -> CupLook:
        """A cup for dice with this edge, of leather or of plastic in the player's colour."""
        body = _LEATHERS[int(rng.integers(len(_LEATHERS)))] if leather else mix(SRGB[colour], (60, 60, 60), 0.15)
        return cls(
            radius=edge * 2.4,
            foot=float(rng.uniform(0.68, 0.9)),
            tall=edge * float(rng.uniform(4.6, 5.6)),
            colour=tone((body[0], body[1], body[2]), float(rng.uniform(0.8, 1.2))),
            rings=tuple(float(r) for r in rng.uniform(0.4, 0.95, int(rng.integers(0, 3)))),
            grain=np.asarray(1 + (0.05 if leather else 0.01) * cloud(256, 256, 3, rng), np.float32),
        )

    def top(self, lift: float) -> float:
        """Height of its upper end above the table."""
        return lift + self.tall


def draw_cup(
    look: CupLook, view: View, lamp: Lamp, x: float, y: float, lift: float = 0.0, *, up: bool = False
) -> Placed:
    """A cup centred over x, y, `lift` pixels above the table; `up`: with its mouth upwards."""
    rings = []
    for k in range(_LEVELS + 1):
        share = k / _LEVELS
        cx, cy, nearer = view.seen(x, y, lift + share * look.tall)
        wide = look.foot + (1 - look.foot) * (share if up else 1 - share)
        rings.append((cx, cy, look.radius * wide * nearer))
    left = int(min(cx - r for cx, _, r in rings)) - 2
    top = int(min(cy - r for _, cy, r in rings)) - 2
    right = int(max(cx + r for cx, _, r in rings)) + 3
    bottom = int(max(cy + r for _, cy, r in rings)) + 3
    rgb = np.zeros((bottom - top, right - left, 3), np.uint8)
    mask = np.zeros(rgb.shape[:2], np.uint8)

    def disc(cx: float, cy: float, r: float, colour: tuple[int, int, int], width: int = -1) -> None:
        at = round((cx - left) * 16), round((cy - top) * 16)
        cv2.circle(rgb, at, round(r * 16), colour, width, cv2.LINE_AA, 4)

    for k, (cx, cy, r) in enumerate(rings):
        cv2.circle(mask, (round((cx - left) * 16), round((cy - top) * 16)), round(r * 16), 255, -1, cv2.LINE_AA, 4)
        disc(cx, cy, r, tone(look.colour, 0.5 + 0.28 * k / _LEVELS))
    cx, cy, r = rings[-1]
    if up:
        disc(cx, cy, r, tone(look.colour, 1.1))
        disc(cx, cy, 0.93 * r, tone(look.colour, 0.35))
        fx, fy, fr = rings[0]
        disc(fx, fy, min(0.85 * fr, 0.8 * r), tone(look.colour, 0.22))
    else:
        disc(cx, cy, r, tone(look.colour, 1.12))
        disc(cx, cy, 0.94 * r, look.colour)
        for ring in look.rings:
            disc(cx, cy, ring * r, tone(look.colour, 0.8), 1)
    x_slope = (np.arange(rgb.shape[1], dtype=np.float32) - np.float32(cx - left)) * np.float32(lamp.sun[0] / r)
    y_slope = (np.arange(rgb.shape[0], dtype=np.float32) - np.float32(cy - top)) * np.float32(lamp.sun[1] / r)
    light = 1 - np.float32(0.15) * np.clip(x_slope[None] + y_slope[:, None], -1.2, 1.2)
    rows, columns = (np.arange(n) % look.grain.shape[0] for n in rgb.shape[:2])
    light = light * look.grain[rows][:, columns]
    bgr = np.asarray(rgb[..., ::-1] * (light / np.float32(HEADROOM))[..., None], np.float32)
    cutout = Cutout.of(bgr, np.asarray(mask / np.float32(255), np.float32), lamp, look.tall * 0.6, lift=lift)
    return Placed.at(cutout, left + rgb.shape[1] / 2, top + rgb.shape[0] / 2, exact=False)


def draw_thing(
    name: str, edge: float, angle: float, away: tuple[float, float], lamp: Lamp, rng: Rng
) -> tuple[Cutout, float]:
    """One of `THINGS`, rotated by `angle` radians, and its length in pixels. `away`: see `View.away`."""
    make, low, high = THINGS[name]
    long = edge * float(rng.uniform(low, high))
    return _cut(((make(rng, long), 0.0, 0.0),), angle, away, lamp, rng), long


@dataclass(frozen=True, slots=True)
class HandLook:
    """A person's hand and sleeve."""

    seed: int
    sleeve: tuple[int, int, int]

    @classmethod
    def random(cls, rng: Rng) -> HandLook:
        sleeve = _SLEEVES[int(rng.integers(len(_SLEEVES)))]
        return cls(int(rng.integers(2**31)), sleeve)


def draw_hand(look: HandLook, edge: float, angle: float, arm: float, lamp: Lamp) -> Cutout:
    """A hand whose fingers point along `angle` (radians, clockwise from the right), centred where the fingers begin.

    arm: least length of the arm in pixels.
    """
    return _draw_small_hand(look, edge / _COARSE, angle, arm / _COARSE, lamp).enlarged(_COARSE)


def _draw_small_hand(look: HandLook, edge: float, angle: float, arm: float, lamp: Lamp) -> Cutout:
    rng = np.random.default_rng(look.seed)
    long = _HAND * edge
    hand = goods.hand(rng, long)
    wide = 4.2 * edge
    sleeve = ThingSheet(arm, wide, look.sleeve)
    sleeve.thick, sleeve.dome, sleeve.grain = 0.0, 0.8, 0.05
    sleeve.box(0, 0, arm, wide, look.sleeve, 0.4 * edge, True)
    for fold in rng.uniform(-0.5, 0.5, 5):
        sleeve.line([(fold * arm, -wide / 2), (fold * arm + edge, wide / 2)], 0.15 * edge, tone(look.sleeve, 0.8))
    palm = ThingSheet(0.55 * long, 3.4 * edge, hand.base)
    palm.dome = 0.9
    palm.box(0, 0, 0.55 * long, 3.4 * edge, tone(hand.base, 1.1), 1.2 * edge, True)
    hand.thick = palm.thick = 0.0
    parts = ((sleeve, -0.42 * long - arm / 2, 0.0), (palm, -0.42 * long, 0.0), (hand, 0.1 * long, 0.0))
    return _cut(parts, angle, (0.0, 0.0), lamp, rng, tall=2.5 * edge)


def _cut(
    parts: tuple[tuple[ThingSheet, float, float], ...],
    angle: float,
    away: tuple[float, float],
    lamp: Lamp,
    rng: Rng,
    tall: float | None = None,
) -> Cutout:
    """Combine sheets, each at its place along and across `angle`, into one cutout centred at 0, 0."""
    c, s = float(np.cos(angle)), float(np.sin(angle))
    corners = []
    for sheet, along, across in parts:
        half_x, half_y = sheet.wide / sheet.fine / 2 + 2, sheet.high / sheet.fine / 2 + 2
        for u in (along - half_x, along + half_x):
            for v in (across - half_y, across + half_y):
                corners.append((u * c - v * s, u * s + v * c))
    lean = np.array(away)
    pad = 3 + float(np.abs(lean).max()) * max(sheet.thick for sheet, _, _ in parts)
    (left, top), (right, bottom) = np.min(corners, axis=0) - pad, np.max(corners, axis=0) + pad
    canvas = np.zeros((int(bottom - top) + 1, int(right - left) + 1, 3), np.float32)
    table = TableCanvas(canvas, rng, lamp.sun)
    table.lean, table.squash = lean, 1.0
    for sheet, along, across in parts:
        table.put(sheet, along * c - across * s - left, along * s + across * c - top, angle)
    height = tall if tall is not None else max(sheet.thick for sheet, _, _ in parts)
    light = canvas / np.maximum(table.mask, 0.02)[..., None]  # the ground was black
    cut = Cutout.of(
        encoded(np.asarray(light, np.float32)), table.mask, lamp, height, lift=0.0 if tall is None else 0.5 * tall
    )
    margin = cut.middle[0] - canvas.shape[1] / 2
    return Cutout(cut.keep, cut.add, (margin - float(left), margin - float(top)))
