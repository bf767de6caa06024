"""Measures how well reveals are judged from pictures of the table, with or without one from before the cups went up.

python -m vision.evaluation.pairs DIR

`python -m vision.training.traced --out DIR` renders tables; with `--pairs` it renders them before the cups went up,
too. Such an entry in labels.json has `before`, the earlier pictures, and `expect`, the dice in play of each colour,
beside `dice`, some of which are `lost`. With --models, other networks than the shipped ones read.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vision.evaluation.scores import box_matches
from vision.image_file import read_image
from vision.in_play import read_in_play
from vision.models.integrity import MODELS_FOLDER
from vision.pipeline.expected_dice import questions, reconcile
from vision.quiet_table import QuietTable
from vision.reader import Reader
from vision.reading import Box, Reading


@dataclass(frozen=True, slots=True)
class TrueDie:
    """The truth about one die on the table."""

    face: int
    colour: str
    box: Box
    lost: bool


@dataclass(frozen=True, slots=True)
class PairTruth:
    before: tuple[str, ...]
    """The names of the earlier pictures, oldest first."""
    dice: tuple[TrueDie, ...]
    expected: Mapping[str, int]
    """Colour -> the number of dice in play."""
    open: bool
    """A person can judge it by looking."""
    conditions: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class PairScore:
    """The score of one reveal."""

    taps: int
    """The number of dice that players would have to correct: uncertain, surplus or missing."""
    wrong: bool
    """A colour has other faces than on the table. Without a tap that is a silent error."""
    lost_counted: int
    """The number of lost dice that count without a question."""

    @property
    def silent(self) -> bool:
        """True if it is wrong and nobody is asked."""
        return self.wrong and not self.taps


def load_pairs(folder: Path) -> dict[str, PairTruth]:
    """Name of the later picture -> the pair; single pictures without lost dice are included.

    Raises `OSError`, `ValueError` or `KeyError`.
    """
    raw = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    return {
        name: PairTruth(
            _names(entry.get("before", ())),
            tuple(
                TrueDie(die["value"], die["colour"], tuple(die["box"]), bool(die.get("lost"))) for die in entry["dice"]
            ),
            entry.get("expect") or dict(Counter(die["colour"] for die in entry["dice"])),
            entry.get("open", True),
            entry.get("conditions", {}),
        )
        for name, entry in raw.items()
        if "before" in entry or not any(die.get("lost") for die in entry["dice"])
    }


def _names(before: str | Sequence[str]) -> tuple[str, ...]:
    return (before,) if isinstance(before, str) else tuple(before)


def score_pair(truth: PairTruth, reading: Reading) -> PairScore:
    """Score the dice that were taken to be in play."""
    judged = reconcile(reading, truth.expected)
    dice, taps = judged.dice, questions(judged, truth.expected)
    played = Counter((die.colour, die.face) for die in truth.dice if not die.lost)
    lost = [die for die in truth.dice if die.lost]
    counted = [die for die in dice if not die.uncertain and any(box_matches(die.box, each.box) for each in lost)]
    return PairScore(taps, Counter((die.colour, die.face) for die in dice) != played, 0 if taps else len(counted))


def judge_pair(reader: Reader, folder: Path, name: str, truth: PairTruth) -> PairScore:
    """Read the pictures of a pair, and score what is in play."""
    quiet = []
    for each in truth.before:
        earlier = read_image(folder / each)
        quiet.append(QuietTable.of(earlier, reader.read(earlier)))
    image = read_image(folder / name)
    return score_pair(truth, read_in_play(reader.read_cautiously, image, quiet, truth.expected).reading)


def summary(scores: Sequence[PairScore]) -> str:
    """One line of figures."""
    if not scores:
        return "no reveals"
    judged = sum(not score.taps for score in scores)
    few = sum(score.taps <= 2 for score in scores)
    silent = sum(score.silent for score in scores)
    counted = sum(score.lost_counted for score in scores)
    share = 100 * judged / len(scores)
    return (
        f"{len(scores)} reveals: {judged} judged without a question ({share:.1f} %), {few} within two taps, "
        f"{silent} silently wrong, {counted} lost dice counted"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", type=Path, default=MODELS_FOLDER, help="a folder like vision/models")
    args = parser.parse_args()
    pairs = load_pairs(args.folder)
    reader = Reader.load(models=args.models)
    scores = {}
    for name, truth in pairs.items():
        score = scores[name] = judge_pair(reader, args.folder, name, truth)
        if score.taps or score.wrong:
            print(f"{name}: {score.taps} taps" if score.taps else f"{name}: silently wrong", flush=True)
    print(summary(list(scores.values())))
    print("where nothing is in the way:", summary([score for name, score in scores.items() if pairs[name].open]))


if __name__ == "__main__":
    main()
