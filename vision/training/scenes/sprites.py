"""Render a bank of widely randomised dice, reused for every training picture.

python -m vision.training.scenes.sprites --out DIR --count 6000 --seed 1
"""

from __future__ import annotations

import argparse
import colorsys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from calibration.palette import COLOURS, SRGB
from vision.drawn.compose import to_linear
from vision.drawn.die import DieModel, Light, Shape, Sprite, render_die
from vision.training.scenes.emblems import EMBLEMS, EmblemStyle, emblem_faces
from vision.training.scenes.material import MakersMaterial

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
    """An ink that shows on this body: mostly cream or black, sometimes a colour."""
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
    """A die as some maker might sell it."""
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


# the paco of a bird's head, nine other emblems, and doodles, for editions not seen here
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
        face = (i % 8) % 6 + 1 if i % 8 < 6 else 1  # ones have so many designs that they come three times as often
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    make_bank(args.count, args.seed).save(args.out / f"sprites-{args.seed}.npz")


if __name__ == "__main__":
    main()
