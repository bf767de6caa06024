"""Banks of dice to compose scenes from: rendered ones of all makers, and real ones cut out of photographs.

The photographs show dice on white or grey; `vision.training.scene` lays them on felt, wood and cloth, of which there
are no photographs. Their outline is found by GrabCut (Rother et al. 2004).
"""

from __future__ import annotations

import colorsys
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.palette import COLOURS, SRGB
from vision.drawn.compose import to_linear
from vision.drawn.die import DieModel, Light, Material, Rgb, Shape, Sprite, Surface, Vec, ink_at, render_die
from vision.drawn.faces import Texture
from vision.training.emblems import EMBLEMS, EmblemStyle, emblem_faces

_SEE_THROUGH: Final = 0.45
"""The share of the ground that shows through a fully clear die."""
_FLAKES: Final = 14.0
"""Flakes along half an edge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MakersMaterial(Material):
    """A material as a maker might sell it, worn by some years."""

    rng: np.random.Generator = field(compare=False)
    """Draws marbling, wear and flakes."""
    second: Rgb | None = None
    """A second body colour, for marbled dice."""
    clear: float = 0.0
    """0 opaque to 1 clear: how much the far faces and the ground show through."""
    glitter: float = 0.0
    """0 none to 1: flakes in the body that reflect the lamp."""
    wear: float = 0.0

    def surface(self, p: Vec, ray: Vec, ink: Vec, faces: tuple[Texture, ...]) -> Surface:
        """The surface at points of the die; see `Material`."""
        body = np.broadcast_to(np.array(self.body, np.float32), p.shape)
        if self.second is not None:
            mix = _noise(p, self.rng)[:, None]
            body = body * (1 - mix) + np.array(self.second, np.float32) * mix
        if self.clear > 0:  # the far face shows faintly through the body
            far, _ = ink_at(np.clip(p + 1.75 * ray, -1, 1).astype(np.float32), faces)
            lit = 0.7 + 0.6 * self.clear * (1 - np.abs(p).max(-1))[:, None] + 0.3
            body = np.asarray(body * (1 - 0.55 * self.clear * far[:, None]) * lit, dtype=np.float32)
        if self.wear > 0:
            scuff = (_noise(p * 3, self.rng) > 1 - 0.35 * self.wear) & (ink > 0.3)
            ink = np.where(scuff, ink * 0.45, ink)
        sparkle = self.glitter * 1.2 * _flakes(p, self.rng) * (1 - ink) if self.glitter > 0 else 0.0
        return Surface(body, ink, sparkle, _SEE_THROUGH * self.clear)


def _noise(p: Vec, rng: np.random.Generator) -> Vec:
    """Smooth marbling, 0..1, from a few random waves."""
    total = np.zeros(len(p), np.float32)
    for octave in range(4):
        wave = rng.normal(0, 1.4 * 1.7**octave, 3).astype(np.float32)
        total += np.sin(p @ wave + rng.uniform(0, 6.28) + 1.5 * total).astype(np.float32) / (1 + octave)
    return np.asarray(1 / (1 + np.exp(-2.5 * total)), dtype=np.float32)


def _flakes(p: Vec, rng: np.random.Generator) -> Vec:
    """How brightly the flake at each point reflects the lamp; 0 for most."""
    cell = np.floor(p * _FLAKES + 512).astype(np.uint32)
    mixed = cell @ rng.integers(1, 2**31, 3).astype(np.uint32)
    mixed = (mixed ^ (mixed >> np.uint32(15))) * np.uint32(0x2C1B3C6D)
    chance = ((mixed ^ (mixed >> np.uint32(13))) & np.uint32(0xFFFF)).astype(np.float32) / 0xFFFF
    return np.asarray(np.clip((chance - 0.75) * 4, 0, 1) ** 3, dtype=np.float32)


SPRITE_HALF_EDGE = 34.0


@dataclass(frozen=True)
class Bank:
    """rgba: n x side x side x 4 uint8 (linear light to the power 1/2.2); faces, colours: n; boxes: n x 4 in pixels."""

    rgba: npt.NDArray[np.uint8]
    faces: npt.NDArray[np.uint8]
    colours: npt.NDArray[np.uint8]
    boxes: npt.NDArray[np.float32]

    @classmethod
    def load(cls, path: Path) -> Bank:
        with np.load(path) as data:
            return cls(data["rgba"], data["faces"], data["colours"], data["boxes"])

    def save(self, path: Path) -> None:
        np.savez(path, rgba=self.rgba, faces=self.faces, colours=self.colours, boxes=self.boxes)


def _body(colour: str, rng: np.random.Generator) -> tuple[float, float, float]:
    r, g, b = (c / 255 for c in SRGB[colour])
    h, s, v = colorsys.rgb_to_hsv(r, g, b)
    if colour in ("black", "white"):
        s = float(np.clip(s + rng.uniform(0, 0.08), 0, 1))
        v = float(np.clip(v + rng.uniform(-0.08, 0.08), 0.03, 1))
        h = rng.uniform()
    else:
        spread = {"red": 0.018, "orange": 0.018, "yellow": 0.025, "green": 0.07, "blue": 0.05, "purple": 0.04}[colour]
        h = (h + rng.uniform(-spread, spread)) % 1
        s = float(np.clip(s * rng.uniform(0.65, 1.1), 0, 1))
        v = float(np.clip(v * rng.uniform(0.55, 1.3), 0.08, 1))
    red, green, blue = colorsys.hsv_to_rgb(h, s, v)
    return to_linear((round(red * 255), round(green * 255), round(blue * 255)))


def _luma(rgb: tuple[float, float, float]) -> float:
    return 0.21 * rgb[0] + 0.72 * rgb[1] + 0.07 * rgb[2]


def _ink(body: tuple[float, float, float], rng: np.random.Generator) -> tuple[float, float, float]:
    """An ink that is visible on this body: mostly cream or black, sometimes a colour."""
    for _ in range(20):
        kind = rng.uniform()
        if kind < 0.5:
            ink = to_linear((int(rng.integers(215, 256)), int(rng.integers(205, 250)), int(rng.integers(170, 245))))
        elif kind < 0.82:
            k = int(rng.integers(5, 50))
            ink = to_linear((k, k, k))
        else:
            ink = tuple(rng.uniform(0, 1, 3) ** 2)
        apart = abs(np.log(_luma(ink) + 0.02) - np.log(_luma(body) + 0.02))
        if apart > 1.1 or (apart > 0.6 and np.abs(np.array(ink) - np.array(body)).max() > 0.4):
            return ink
    return (0.9, 0.9, 0.85) if _luma(body) < 0.25 else (0.01, 0.01, 0.01)


def random_model(colour: str, rng: np.random.Generator) -> DieModel:
    """A die as a maker might sell it."""
    body = _body(colour, rng)
    marbled = rng.uniform() < 0.25
    second = None
    if marbled:
        other = np.array(_body(str(rng.choice(COLOURS)), rng))
        second = tuple(np.array(body) * 0.6 + other * 0.4)
    round_face = rng.uniform() < 0.5
    cut = rng.uniform(1.25, 1.45) if round_face else rng.uniform(1.45, 1.8)
    reach = np.sqrt(max(cut**2 - 1, 0.1)) if cut < 1.42 else 1.0
    pip = rng.uniform(0.13, 0.25)
    spread = min(rng.uniform(0.4, 0.6), max(0.36, 0.98 * reach * 0.72 - 0.3 * pip))
    emblem = "pip" if rng.uniform() < 0.35 else str(rng.choice(EMBLEMS[1:], p=_EMBLEM_SHARES))
    return DieModel(
        MakersMaterial(
            rng=rng,
            body=body,
            ink=_ink(body, rng),
            second=second,
            gloss=float(rng.uniform(0, 1)),
            clear=float(rng.uniform(0.3, 1)) if rng.uniform() < 0.22 else 0.0,
            glitter=float(rng.uniform(0.2, 1)) if rng.uniform() < 0.12 else 0.0,
            depth=float(rng.choice([0.0, rng.uniform(0.1, 0.9)])),
            wear=float(rng.uniform(0, 1)) if rng.uniform() < 0.15 else 0.0,
        ),
        Shape(radius=float(rng.uniform(0.06, 0.38)), cut=float(cut)),
        emblem_faces(
            EmblemStyle(
                pip_radius=float(pip),
                spread=float(spread),
                one_scale=float(rng.uniform(0.95, 1.9)),
                emblem=emblem,
                stroke=float(rng.uniform(0.06, 0.14)),
                emblem_scale=float(rng.uniform(0.75, 1.15) * min(1.0, reach + 0.15)),
                flipped=bool(rng.uniform() < 0.5),
                seed=int(rng.integers(2**31)),
            )
        ),
    )


# the paco of a bird's head, nine other emblems, and doodles, for unknown editions
_EMBLEM_SHARES = [0.25] + [0.3 / (len(EMBLEMS) - 3)] * (len(EMBLEMS) - 3) + [0.45]


def outline(sprite: Sprite) -> tuple[int, int, int, int]:
    """x, y, w, h of the visible die within its sprite."""
    ys, xs = np.nonzero(sprite.alpha > 0.5)
    return int(xs.min()), int(ys.min()), int(np.ptp(xs)) + 1, int(np.ptp(ys)) + 1


def make_bank(count: int, seed: int) -> Bank:
    """Render `count` dice; deterministic for a seed."""
    rng = np.random.default_rng(seed)
    pictures, faces, colours, boxes = [], [], [], []
    for i in range(count):
        colour = str(rng.choice(COLOURS))
        model = random_model(colour, rng)
        face = (i % 8) % 6 + 1 if i % 8 < 6 else 1  # ones have many designs, so they come three times as often
        tilt = float(np.deg2rad(rng.uniform(0, 12) if rng.uniform() < 0.4 else rng.uniform(0, 42)))
        low = rng.uniform(0.25, 1.0)
        around = rng.uniform(0, 2 * np.pi)
        flat = np.sqrt(1 - low**2)
        warm = rng.uniform(-0.15, 0.15)
        light = Light(
            direction=(float(flat * np.cos(around)), float(flat * np.sin(around)), float(low)),
            colour=(1 + warm, 1.0, 1 - warm),
            ambient=float(rng.uniform(0.2, 0.8)),
            size=float(rng.uniform(0.02, 0.25)),
        )
        sprite = render_die(
            model, face, half_edge=SPRITE_HALF_EDGE, yaw=rng.uniform(0, 2 * np.pi), tilt=tilt,
            azimuth=rng.uniform(0, 2 * np.pi), light=light, oversample=2,
        )  # fmt: skip
        rgb = np.clip(sprite.rgb, 0, 1) ** (1 / 2.2)
        pictures.append((np.dstack([rgb, sprite.alpha]) * 255 + 0.5).astype(np.uint8))
        faces.append(face)
        colours.append(COLOURS.index(colour))
        boxes.append(outline(sprite))
        if i % 500 == 499:
            print(f"{i + 1} dice", flush=True)
    return Bank(
        np.stack(pictures),
        np.array(faces, np.uint8),
        np.array(colours, np.uint8),
        np.array(boxes, np.float32),
    )


SPRITE_SIDE = 132
SPRITE_SPAN = 1.7
"""Side of the cut-out in die widths; all dice of the bank have the same width."""
SPRITE_DIE_WIDTH = SPRITE_SIDE / SPRITE_SPAN


def matte(crop: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32] | None:
    """The die's outline in its cut-out, 0 to 1; None if there is no plausible one."""
    mask = np.full((SPRITE_SIDE, SPRITE_SIDE), cv2.GC_BGD, np.uint8)
    half, centre = SPRITE_DIE_WIDTH / 2, (SPRITE_SIDE // 2, SPRITE_SIDE // 2)
    cv2.circle(mask, centre, int(half * 1.12), cv2.GC_PR_BGD, -1)
    cv2.circle(mask, centre, int(half * 0.95), cv2.GC_PR_FGD, -1)
    cv2.circle(mask, centre, int(half * 0.55), cv2.GC_FGD, -1)
    cv2.grabCut(crop, mask, (0, 0, 0, 0), np.zeros((1, 65)), np.zeros((1, 65)), 3, cv2.GC_INIT_WITH_MASK)
    die = np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    outlines, _ = cv2.findContours(die, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea))
    share = cv2.contourArea(hull) / SPRITE_DIE_WIDTH**2
    solid = cv2.contourArea(max(outlines, key=cv2.contourArea)) / max(cv2.contourArea(hull), 1)
    if not 0.3 < share < 1.05 or solid < 0.88:
        return None
    out = np.zeros((SPRITE_SIDE, SPRITE_SIDE), np.uint8)
    cv2.fillPoly(out, [hull], 255, cv2.LINE_AA)
    soft = cv2.GaussianBlur(cv2.erode(out, np.ones((3, 3), np.uint8)), (0, 0), 0.8)
    return np.asarray(soft, np.float32) / np.float32(255)


def cut_real_dice(photos: Path) -> Bank:
    """The dice of the photographs for training."""
    labels = json.loads((photos / "mixed_d6" / "train.json").read_text(encoding="utf-8"))
    rgba, faces, boxes = [], [], []
    for name in sorted(labels)[:-30]:  # without those for validation
        frame = np.asarray(cv2.imread(str(photos / "mixed_d6" / name)), np.uint8)
        for die in labels[name]:
            x, y, w, h = die["box"]
            scale = SPRITE_DIE_WIDTH / max(w, h)
            move = np.array(
                [[scale, 0, SPRITE_SIDE / 2 - (x + w / 2) * scale], [0, scale, SPRITE_SIDE / 2 - (y + h / 2) * scale]],
                np.float32,
            )
            warped = cv2.warpAffine(frame, move, (SPRITE_SIDE, SPRITE_SIDE), borderMode=cv2.BORDER_REFLECT)
            crop = np.asarray(warped, np.uint8)
            alpha = matte(crop)
            if alpha is None:
                continue
            ys, xs = np.nonzero(alpha > 0.5)
            rgba.append(np.dstack([crop[..., ::-1], (alpha * 255).astype(np.uint8)]))
            faces.append(die["value"])
            boxes.append((xs.min(), ys.min(), np.ptp(xs) + 1, np.ptp(ys) + 1))
    n = sum(len(dice) for dice in labels.values())
    print(f"{len(rgba)} of {n} dice cut out")
    unknown = np.full(len(faces), 255, np.uint8)
    return Bank(np.stack(rgba), np.array(faces, np.uint8), unknown, np.array(boxes, np.float32))
