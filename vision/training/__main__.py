"""Train the networks again, from this repository and the training photographs alone.

python -m vision.training --photos PHOTOS --work DIR --minutes 160

Renders banks of dice, cuts real ones out of photographs, composes scenes, traces crowded tables, trains both networks,
exports them to vision/models and fits the confidence. A step whose result is already in DIR is skipped, so an
interrupted run resumes. Seeds are fixed, but training is limited by time, so two machines give similar networks, not
equal ones. With --further training continues from the weights in vision/models.

Tables rendered elsewhere, with the corners of the dice's tops (`vision.training.quads`), are learned from too where
they lie in DIR/elsewhere, and fitted on in DIR/held/elsewhere. --without leaves one kind of renderer out, to measure
--second, with another DIR, makes the second pair: it continues from the weights in vision/models, or with --further
from its own, and writes to vision/models/second. --hidden continues with the classifier alone, and teaches it partly
hidden faces.


The verifier is trained last, on what all of these take for dice.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from vision.models import integrity
from vision.training.bank import Bank, cut_real_dice, make_bank
from vision.training.checkpoint import restore_checkpoints
from vision.training.classifier import train_classifier
from vision.training.confidence_fit import fit_confidence
from vision.training.detector import train_detector
from vision.training.hard_negatives import write_negatives
from vision.training.networks import export_networks
from vision.training.pictures import WORLDS, Course, Worlds
from vision.training.scene import write_scenes
from vision.training.thing_scene import write_thing_scenes
from vision.training.traced.__main__ import main as trace
from vision.training.verifier import train_verifier

MODELS: Final = Path(__file__).resolve().parent.parent / "models"
CROWDED_TABLES: Final = 120
HELD_OUT_TABLES: Final = {4: 15, 31: 100, 32: 60}
"""Seed of the game tables on which the confidence is fitted; crowded ones are an eighth of `CROWDED_TABLES`."""
DRAWN_THINGS: Final = {511: 1200, 521: 300}
"""Seeds and numbers of the tables with objects but no dice: to train on, and held out for the confidence."""
TRACED_THINGS: Final = {502: 90, 503: 50}
VERIFIER_SHARE: Final = 0.4
"""Minutes of training the verifier per minute for each of the other two."""
FURTHER_RATE: Final = 1.2e-3
"""The learning rate when training continues from earlier weights."""


def make_pictures(work: Path, photos: Path, share: float) -> None:
    """Render the missing banks, scenes and tables in `work`. share: of the usual number."""
    held_out, real = work / "held", work / "sprites-real.npz"
    held_out.mkdir(parents=True, exist_ok=True)
    banks = {1: work / "sprites-1.npz", 2: work / "sprites-2.npz", 99: held_out / "sprites-99.npz"}
    for (seed, path), count in zip(banks.items(), (6000, 5000, 900), strict=True):
        if not path.exists():
            make_bank(round(count * share), seed).save(path)
    if not real.exists():
        cut_real_dice(photos).save(real)
    for seed, count, bank, with_real in ((1, 2000, 1, False), (2, 2000, 1, False), (3, 2500, 1, True),
                                         (4, 2500, 1, True), (5, 2500, 2, True), (99, 300, 99, False)):  # fmt: skip
        out, some = (held_out if bank == 99 else work) / "scenes", round(count * share)
        if not (out / f"labels-{seed}.json").exists():
            drawn_from = [(2.0, Bank.load(banks[bank])), *([(1.0, Bank.load(real))] if with_real else [])]
            write_scenes(drawn_from, out, some, seed, 640 if bank == 99 else 448)

    def traced(out: Path, seed: int, count: int, *kind: str) -> None:
        trace([*kind, "--paths", "8", "--out", f"{out}", "--seed", f"{seed}", "--count", f"{round(count * share)}"])

    traced(work / "crowd", 2, CROWDED_TABLES, "--crowd")
    traced(held_out / "crowd", 3, CROWDED_TABLES // 8, "--crowd")
    for seed, count in HELD_OUT_TABLES.items():
        traced(held_out / "tables", seed, count)
    for folder, drawn, rendered in zip((work, held_out), DRAWN_THINGS.items(), TRACED_THINGS.items(), strict=True):
        if not (folder / "scenes_things" / "labels.json").exists():
            write_thing_scenes(folder / "scenes_things", round(drawn[1] * share), drawn[0])
        traced(folder / "traced_things", *rendered, "--things")


def things(folder: Path) -> tuple[Path, Path]:
    """The folders of tables without dice in this folder."""
    return folder / "scenes_things", folder / "traced_things"


def worlds_in(folder: Path, without: Sequence[str] = ()) -> Worlds:
    """The folders of tables with dice in this folder, without some kinds of renderers."""
    names = {"drawn": ("scenes",), "traced": ("crowd", "tables"), "elsewhere": ("elsewhere",)}
    folders = {world: [folder / name for name in some if (folder / name).is_dir()] for world, some in names.items()}
    return {world: some for world, some in folders.items() if some and world not in without}


def train(args: argparse.Namespace) -> None:
    """Train, export and fit on the pictures in `args.work`."""
    work, held_out = args.work, args.work / "held"
    out, start = MODELS / "second" if args.second else MODELS, work / "start"
    course = Course(work, args.photos, worlds_in(work, args.without), things(work), args.minutes, args.threads)
    goes_on = args.further or args.hidden
    further = goes_on or args.second
    if further and not (start / "classifier.pt").exists():
        restore_checkpoints(out if goes_on else MODELS, args.photos, start, second=goes_on and args.second)

    def part(name: str, share: float) -> Course:
        now = replace(course, minutes=course.minutes * share)
        return replace(now, start=start / f"{name}.pt", rate=FURTHER_RATE) if further else now

    if not args.hidden and not (work / "detector.done").exists():
        train_detector(part("detector", 0.6))
    if not (work / "empties.npz").exists():
        if not args.hidden:
            export_networks(work, out, "detector", second=args.second)
        write_negatives(course, second=args.second)
    if not (work / "classifier.done").exists():
        train_classifier(part("classifier", 1.0 if args.hidden else 0.4), second=args.second, hidden=args.hidden)
    trained = ("classifier",) if args.hidden else ("detector", "classifier")
    export_networks(work, out, *trained, second=args.second)
    fit_confidence(worlds_in(held_out, args.without), things(held_out), args.photos, MODELS)
    if not (work / "verifier.done").exists():
        train_verifier(replace(course, minutes=course.minutes * VERIFIER_SHARE))
    export_networks(work, MODELS, "verifier")
    integrity.record_hashes(MODELS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True, help="the folder that holds mixed_d6/train.json")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--share", type=float, default=1.0, help="of the dice and scenes that are usually made")
    parser.add_argument("--further", action="store_true", help="go on from the weights in vision/models")
    parser.add_argument("--second", action="store_true", help="make the second pair from the first")
    parser.add_argument("--hidden", action="store_true", help="teach the classifier dice that are partly hidden")
    parser.add_argument("--without", action="append", default=[], choices=tuple(WORLDS), help="learn nothing of these")
    parser.add_argument("--minutes", type=float, default=160, help="of training in all")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    make_pictures(args.work, args.photos, args.share)
    train(args)


if __name__ == "__main__":
    main()
