"""Render tables with labels; resumes where it was interrupted.

python -m vision.training.traced --out DIR --count 80 --seed 1

With --crowd the tables are fuller and more varied, for training. With --pairs each is rendered twice, before and after
the cups went up, and its entry in labels.json names the earlier picture (`before`) and the dice in play (`expect`).
With --things there are other objects instead of dice. A picture takes some ten seconds on two cores; `perudo evaluate`
reads labels.json in DIR. Needs Mitsuba 3 (extra `train`) and Debian's libllvm; if it is not found, set
DRJIT_LIBLLVM_PATH. The same seed gives the same scenes and labels.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from vision.training.traced.camera import develop, encode
from vision.training.traced.crowd import make_crowd
from vision.training.traced.game_table import make_table
from vision.training.traced.labels import label_entry, pair_entry
from vision.training.traced.pair import make_pair, swayed
from vision.training.traced.thing_table import make_thing_table


def _write(path: Path, data: bytes) -> None:
    part = path.with_suffix(".part")
    part.write_bytes(data)
    part.replace(path)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first scene")
    parser.add_argument(
        "--paths", type=float, default=14, help="paths a pixel, at 1280 x 960; fewer in larger pictures"
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--crowd", action="store_true", help="crowded tables, to learn from")
    kind.add_argument("--pairs", action="store_true", help="tables before and after the cups went up")
    kind.add_argument("--things", action="store_true", help="tables with other things and no dice")
    args = parser.parse_args(arguments)
    make = make_crowd if args.crowd else make_thing_table if args.things else make_table
    try:
        from vision.training.traced.render import render  # noqa: PLC0415  (--help must not wait for Mitsuba)
    except ImportError as error:
        sys.exit(f"Mitsuba 3 could not be loaded ({error}). Install the extra `train`, and Debian's libllvm.")
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / "labels.json"
    labels = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for index in range(args.first, args.first + args.count):
        name = f"{args.seed}-{index:05d}.jpg"
        if name in labels:
            continue
        begin = time.perf_counter()
        pair = make_pair(args.seed, index) if args.pairs else None
        scene = pair.after if pair else make(args.seed, index)
        drawn_at = time.perf_counter()
        pixels = scene.view.width * scene.view.height
        samples = max(4, round(args.paths * 1280 * 960 / pixels))
        traced = render(scene, samples, scene.response.seed % 2**31)
        frame = develop(traced.light, scene.response)
        _write(args.out / name, encode(frame, scene.response))
        entry = label_entry(scene, traced.die, frame, traced.stuff)
        if pair:
            before = render(pair.before, samples, pair.before.response.seed % 2**31)
            earlier = f"{args.seed}-{index:05d}-before.jpg"
            earlier_frame = develop(swayed(before.light, pair.sway), pair.before.response)
            _write(args.out / earlier, encode(earlier_frame, pair.before.response))
            seen = label_entry(pair.before, before.die, earlier_frame, before.stuff)
            entry = pair_entry(entry, seen, earlier, pair.expected)
        labels[name] = entry
        _write(path, json.dumps(labels, indent=1, sort_keys=True).encode())
        now = time.perf_counter()
        what = f"{len(scene.dice)} dice, {scene.view.width} x {scene.view.height}, {samples} paths"
        print(f"{name}: {what}, {now - begin:.1f} s of which {drawn_at - begin:.1f} s to draw it", flush=True)


if __name__ == "__main__":
    main()
