"""Compose tables with other things and no dice, in their real sizes; the reader must be sure of none of them.

python -m vision.training.scenes.thing_scene --out DIR --count 60 --seed 1
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.scenes.cloths import patterned_cloth
from vision.training.scenes.scene import camera_look, random_surface
from vision.training.scenes.things import lay_things

WIDTH, HEIGHT = 1280, 960
_DIE_EDGE: Final = 15.5
"""Millimetres; the pixels of a die of this edge set the scale."""
_EDGE_PIXELS: Final = (20.0, 90.0)
REAL_LENGTHS: Final[dict[str, tuple[float, float]]] = {
    "phone": (135, 165),
    "keys_grid": (110, 220),
    "biscuit": (35, 70),
    "hand": (85, 115),
    "card": (60, 90),
    "domino": (36, 56),
    "cube": (12, 25),
    "nut": (9, 30),
    "cap": (24, 34),
    "chip": (32, 42),
    "coin": (16, 28),
    "button": (9, 26),
    "sweet": (9, 22),
    "glass": (55, 85),
    "cup": (65, 95),
    "key": (45, 70),
    "pen": (130, 150),
    "rubber": (25, 60),
    "tile": (17, 40),
    "sticker": (12, 50),
    "ring_or_beads": (19, 80),
    "screw": (6, 18),
    "code": (15, 60),
    "puzzle": (60, 160),
    "board": (80, 220),
    "logo": (15, 80),
    "loose_dots": (15, 60),
    "note": (60, 150),
    "blister": (60, 110),
    "brick": (31, 32),
    "watch": (150, 220),
    "leaf": (15, 60),
    "round_shadow": (20, 90),
    "glare": (15, 60),
    "icon_tile": (12, 60),
    "icon_print": (15, 160),
    "socket": (40, 220),
    "plug": (60, 85),
    "key_ring": (80, 130),
    "polyhedron": (14, 30),
    "studs": (8, 24),
    "marble": (13, 26),
    "wrapped_sweet": (30, 60),
    "liquorice": (14, 24),
    "pin": (9, 30),
}
"""Kind of thing: its least and greatest length in millimetres."""


def make_thing_scene(seed: int, index: int) -> tuple[npt.NDArray[np.uint8], tuple[str, ...]]:
    """Frame number `index` of this seed, height x width x 3, BGR, and the kinds of things in it."""
    rng = np.random.default_rng([seed, index, 0x7B1])
    edge = float(np.exp(rng.uniform(*np.log(_EDGE_PIXELS))))
    canvas = patterned_cloth(WIDTH, rng) if rng.uniform() < 0.25 else random_surface(WIDTH, rng)
    around, flat = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.9)
    sun = (float(np.cos(around) * flat), float(np.sin(around) * flat))
    kinds = [str(kind) for kind in rng.choice(list(REAL_LENGTHS), int(rng.integers(4, 13)))]
    for kind in sorted(kinds, key=lambda kind: -REAL_LENGTHS[kind][1]):  # the small ones on top
        length = float(np.exp(rng.uniform(*np.log(REAL_LENGTHS[kind])))) / _DIE_EDGE
        lay_things(canvas, rng, edge, sun, kind, length)
    margin = (WIDTH - HEIGHT) // 2
    return np.ascontiguousarray(camera_look(canvas, rng)[margin : WIDTH - margin]), tuple(kinds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    labels = {}
    for index in range(args.count):
        frame, _ = make_thing_scene(args.seed, index)
        name = f"{args.seed}-{index:05d}.jpg"
        cv2.imwrite(str(args.out / name), frame, [cv2.IMWRITE_JPEG_QUALITY, 96])
        labels[name] = {"dice": []}
    (args.out / "labels.json").write_text(json.dumps(labels, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
