"""Make the networks again, from nothing but this repository and the photographs to learn from.

    python -m vision.training --photos PHOTOS --work DIR --minutes 90

Renders a bank of dice, composes scenes, trains both networks and exports them to vision/models. Each step is skipped
where its result lies in DIR already, so an interrupted run goes on where it stopped. Seeds are fixed; times decide how
long the networks learn, so two machines give networks alike, not equal.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path


def step(name: str, *arguments: object) -> None:
    command = [sys.executable, "-m", f"vision.training.{name}", *map(str, arguments)]
    print("+", *command[1:], flush=True)
    subprocess.run(command, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True, help="the folder that holds mixed_d6/train.json")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--dice", type=int, default=6000)
    parser.add_argument("--scenes", type=int, default=4000)
    parser.add_argument("--minutes", type=float, default=90, help="of training in all")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    bank, scenes = args.work / "sprites-1.npz", args.work / "scenes"
    if not bank.exists():
        step("sprites", "--out", args.work, "--count", args.dice, "--seed", 1)
    for seed in (1, 2):
        count = args.scenes // 2
        if len(list(scenes.glob(f"{seed}-*.jpg"))) < count:
            step("scenes", "--bank", bank, "--out", scenes, "--count", count, "--seed", seed)
    common = ("--scenes", scenes, "--photos", args.photos, "--work", args.work, "--threads", args.threads)
    if not (args.work / "detector.done").exists():
        step("train_detector", *common, "--minutes", args.minutes * 0.6)
    models = Path(__file__).resolve().parent.parent / "models"
    if not (args.work / "empties.npz").exists():
        step("export", "--work", args.work, "--out", models, "--only", "detector")
        step("mine", *common[:6])
    if not (args.work / "classifier.done").exists():
        step("train_classifier", *common, "--minutes", args.minutes * 0.4)
    step("export", "--work", args.work, "--out", models)


if __name__ == "__main__":
    main()
