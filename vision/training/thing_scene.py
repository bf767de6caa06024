"""Composes tables with other objects in their real sizes and no dice; the reader must not be sure of any.

python -m vision.training.thing_scene --out DIR --count 60 --seed 1
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.cloths import patterned_cloth
from vision.training.scene import camera_look, random_surface
from vision.training.things import THING_KINDS, lay_things

Rng = np.random.Generator


WIDTH, HEIGHT = 1280, 960
_DIE_EDGE: Final = 15.5
"""In millimetres; the size in pixels of a die with this edge sets the scale."""
_EDGE_PIXELS: Final = (20.0, 90.0)


def make_thing_scene(seed: int, index: int) -> tuple[npt.NDArray[np.uint8], tuple[str, ...]]:
    """Frame number `index` of this seed, height x width x 3, BGR, and the kinds of objects in it."""
    rng = np.random.default_rng([seed, index, 0x7B1])
    edge = float(np.exp(rng.uniform(*np.log(_EDGE_PIXELS))))
    canvas = patterned_cloth(WIDTH, rng) if rng.uniform() < 0.25 else random_surface(WIDTH, rng)
    around, flat = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.9)
    sun = (float(np.cos(around) * flat), float(np.sin(around) * flat))
    kinds = [str(kind) for kind in rng.choice(list(THING_KINDS), int(rng.integers(4, 13)))]
    for kind in sorted(kinds, key=lambda kind: -THING_KINDS[kind].millimetres[1]):  # the small ones on top
        length = float(np.exp(rng.uniform(*np.log(THING_KINDS[kind].millimetres)))) / _DIE_EDGE
        lay_things(canvas, rng, edge, sun, kind, length)
    margin = (WIDTH - HEIGHT) // 2
    return np.ascontiguousarray(camera_look(canvas, rng)[margin : WIDTH - margin]), tuple(kinds)


def write_thing_scenes(out: Path, count: int, seed: int) -> None:
    """Write `count` scenes as files, with labels saying that there is no die."""
    out.mkdir(parents=True, exist_ok=True)
    names = [f"{seed}-{index:05d}.jpg" for index in range(count)]
    for index, name in enumerate(names):
        cv2.imwrite(str(out / name), make_thing_scene(seed, index)[0], [cv2.IMWRITE_JPEG_QUALITY, 96])
    labels = {name: {"dice": []} for name in names}
    (out / "labels.json").write_text(json.dumps(labels, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    write_thing_scenes(args.out, args.count, args.seed)


if __name__ == "__main__":
    main()
