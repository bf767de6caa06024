"""Train the networks again, from this repository and the training photographs alone.

python -m vision.training --photos PHOTOS --work DIR --minutes 160

Renders banks of dice, cuts real ones out of photographs, composes scenes, traces crowded tables, trains both networks,
exports them to vision/models and fits the confidence. A step whose result is already in DIR is skipped, so an
interrupted run resumes. Seeds are fixed, but training is limited by time, so two machines give similar networks, not
equal ones. With --further training continues from the weights in vision/models.

--second, with another DIR, makes the second pair: it continues from the weights in vision/models and writes to
vision/models/second.

The verifier is trained last, on what all of these take for dice.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from vision.models import integrity

CROWDED_TABLES = 120
HELD_OUT_TABLES = {4: 15, 31: 100, 32: 60}
"""Seed of the tables as in a game that the confidence is fitted on, with an eighth of `CROWDED_TABLES` crowded ones."""
DRAWN_THINGS, TRACED_THINGS = {511: 1200, 521: 300}, {502: 90, 503: 50}
"""Seed of the tables with things and no dice: to train on, and held out for the confidence."""

VERIFIER_SHARE = 0.4
"""Minutes of the verifier's training for each of the other two's."""


def run_step(name: str, *arguments: object) -> None:
    command = [sys.executable, "-m", f"vision.training.{name}", *map(str, arguments)]
    print("+", *command[1:], flush=True)
    subprocess.run(command, check=True)


def make_pictures(args: argparse.Namespace) -> None:
    """Render the banks, scenes and tables that are missing in `args.work`."""
    scenes, held_out = args.work / "scenes", args.work / "held"
    for seed, count, folder in ((1, 6000, args.work), (2, 5000, args.work), (99, 900, held_out)):
        if not (folder / f"sprites-{seed}.npz").exists():
            run_step("scenes.sprites", "--out", folder, "--count", round(count * args.share), "--seed", seed)
    real = args.work / "sprites-real.npz"
    if not real.exists():
        run_step("scenes.real_sprites", "--photos", args.photos, "--out", args.work)
    for seed, count, bank, with_real in ((1, 2000, 1, False), (2, 2000, 1, False), (3, 2500, 1, True),
                                         (4, 2500, 1, True), (5, 2500, 2, True)):  # fmt: skip
        if len(list(scenes.glob(f"{seed}-*.jpg"))) < round(count * args.share):
            run_step("scenes.scene", "--bank", args.work / f"sprites-{bank}.npz", "--out", scenes, "--seed", seed,
                 "--count", round(count * args.share), *(("--real", real) if with_real else ()))  # fmt: skip
    held_scenes = round(300 * args.share)
    if len(list((held_out / "scenes").glob("99-*.jpg"))) < held_scenes:
        run_step("scenes.scene", "--bank", held_out / "sprites-99.npz", "--out", held_out / "scenes", "--seed", 99,
                 "--side", 640, "--count", held_scenes)  # fmt: skip
    crowd = args.work / "crowd"
    for seed, count, folder in ((2, CROWDED_TABLES, crowd), (3, CROWDED_TABLES // 8, held_out / "crowd")):
        run_step(
            "traced", "--crowd", "--paths", 8, "--out", folder, "--seed", seed, "--count", round(count * args.share)
        )
    for seed, count in HELD_OUT_TABLES.items():
        run_step(
            "traced", "--paths", 8, "--out", held_out / "tables", "--seed", seed, "--count", round(count * args.share)
        )
    for command, counts in (("scenes.thing_scene", DRAWN_THINGS), ("traced", TRACED_THINGS)):
        for (seed, count), folder in zip(counts.items(), (args.work, held_out), strict=True):
            out = folder / f"{command.partition('.')[0]}_things"
            if command == "traced" or not (out / "labels.json").exists():
                kind = ("--things", "--paths", 8) if command == "traced" else ()
                run_step(command, *kind, "--out", out, "--seed", seed, "--count", round(count * args.share))


def things(folder: Path) -> tuple[str | Path, ...]:
    """The option that names the tables without dice in this folder."""
    return "--things", folder / "scenes_things", folder / "traced_things"


def train(args: argparse.Namespace) -> None:
    """Train, export and fit on the pictures in `args.work`."""
    scenes, held_out, crowd = args.work / "scenes", args.work / "held", args.work / "crowd"
    models = Path(__file__).resolve().parent.parent / "models"
    out_folder = models / "second" if args.second else models
    second = ("--second",) if args.second else ()
    further = args.further or args.second
    start = args.work / "start"
    if further and not (start / "classifier.pt").exists():
        run_step("trainers.checkpoint", "--models", models, "--photos", args.photos, "--work", start)
    common = ("--scenes", scenes, "--traced", crowd, "--photos", args.photos, "--work", args.work)
    for name, share in (("detector", 0.6), ("classifier", 0.4)):
        if name == "classifier" and not (args.work / "empties.npz").exists():
            run_step("networks.onnx_export", "--work", args.work, "--out", out_folder, "--only", "detector")
            run_step("data.hard_negatives", *common, *things(args.work), *second)
        if not (args.work / f"{name}.done").exists():
            before = ("--start", start / f"{name}.pt", "--rate", 1.2e-3) if further else ()
            wide = second if name == "classifier" else ()
            run_step(
                f"trainers.{name}",
                *common,
                "--threads",
                args.threads,
                "--minutes",
                args.minutes * share,
                *before,
                *wide,
            )
    run_step("networks.onnx_export", "--work", args.work, "--out", out_folder, *second)
    run_step("confidence_fit", "--scenes", held_out / "scenes", "--traced", held_out / "crowd", held_out / "tables",
         *things(held_out), "--photos", args.photos, "--out", models)  # fmt: skip
    if not (args.work / "verifier.done").exists():
        run_step("trainers.verifier", *common, *things(args.work), "--threads", args.threads,
                 "--minutes", args.minutes * VERIFIER_SHARE)  # fmt: skip
    run_step("networks.onnx_export", "--work", args.work, "--out", models, "--only", "verifier")
    integrity.record_hashes(models)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True, help="the folder that holds mixed_d6/train.json")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--share", type=float, default=1.0, help="of the dice and scenes that are usually made")
    parser.add_argument("--further", action="store_true", help="go on from the weights in vision/models")
    parser.add_argument("--second", action="store_true", help="make the second pair from the first")
    parser.add_argument("--minutes", type=float, default=160, help="of training in all")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    make_pictures(args)
    train(args)


if __name__ == "__main__":
    main()
