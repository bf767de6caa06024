"""Render labelled pictures of dice by Blender, one after the other; goes on where it was interrupted.

    python -m vision.training.blender --set tables --seed 1 --count 20 --out DIR

A second opinion about the reader: another renderer, other drawings on the dice, other hands, cups and lamps than those
the networks learned from. It is for measuring only, never for training or fitting: once anything is chosen by it, it
says nothing any more. `tables` are Perudo tables from above, `photos` handfuls of mixed dice, nearer.

labels.json in DIR is what `perudo evaluate` reads. A picture takes about a minute of two cores. The same set, seed and
number give the same scene. Blender's module wants numpy < 2, so it is in no extra of the project: `pip install
bpy==5.0.1` into an environment of its own, with opencv-python-headless (4: 5 writes on no picture of floats), and the
project's folder on PYTHONPATH.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path


def _write(path: Path, text: str) -> None:
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=("tables", "photos"), required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0, help="number of the first picture")
    parser.add_argument("--samples", type=int, help="paths a pixel; without it 5 to 10, fewer in larger pictures")
    args = parser.parse_args()
    try:
        from vision.training.blender.picture import make_picture  # noqa: PLC0415  (--help must not wait for Blender)
    except ImportError as error:
        sys.exit(
            f"Blender could not be loaded ({error}). `pip install bpy==5.0.1` into an environment of its own, with "
            "opencv-python-headless (4), and put the project's folder on PYTHONPATH: bpy wants numpy < 2."
        )
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / "labels.json"
    labels = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for index in range(args.first, args.first + args.count):
        name = f"{args.set}_{args.seed}_{index:03d}.jpg"
        if name in labels and (args.out / name).exists():
            continue
        begin = time.perf_counter()
        labels[name] = make_picture(args.set, args.seed, index, args.out / name, args.samples)
        _write(path, json.dumps(labels, indent=1))
        print(f"{name}: {len(labels[name]['dice'])} dice, {time.perf_counter() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main()
