"""How well was it read? Readings against labels, as a table that can be believed.

A detection belongs to a label when its box's centre lies in the label's box or the two overlap with an intersection
over union of at least 0.4; one to one, the surest detection choosing first. A label with `ignore` is neither right nor
wrong, nor is what lands on it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from vision.reading import Box, Die

MIN_IOU: Final = 0.4


class LabelsError(ValueError):
    """A labels file that could not be read."""


@dataclass(frozen=True, slots=True)
class Label:
    """The truth about one die."""

    face: int
    box: Box
    ignore: bool = False


@dataclass(frozen=True, slots=True)
class Truth:
    """What is known of one photo: where each die lies, or only how many show each face."""

    labels: tuple[Label, ...] | None
    counts: Mapping[int, int]


def load_labels(path: Path) -> dict[str, Truth]:
    """Read `{"photo.jpg": [{"value", "box", "ignore"?}]}` or `{"photo.jpg": {"counts": {"3": 2}}}`.

    Raises `LabelsError` with a sentence when the file is missing or not of that form.
    """
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise LabelsError(f"{path}: {error}") from error
    if not isinstance(raw, dict):
        raise LabelsError(f"{path}: a labels file is an object with a photo's name for each key")
    truths = {}
    for name, entry in raw.items():
        try:
            truths[name] = _truth(entry)
        except (KeyError, TypeError, ValueError) as error:
            raise LabelsError(f"{path}: the labels of {name} could not be read: {error!r}") from error
    return truths


def _truth(entry: object) -> Truth:
    if isinstance(entry, dict):
        return Truth(None, {int(face): int(n) for face, n in entry["counts"].items()})
    if not isinstance(entry, list):
        raise TypeError("neither a list of dice nor counts")
    labels = []
    for die in entry:
        x, y, w, h = (float(v) for v in die["box"])
        labels.append(Label(int(die["value"]), (x, y, w, h), bool(die.get("ignore"))))
    return Truth(tuple(labels), Counter(label.face for label in labels if not label.ignore))


def iou(a: Box, b: Box) -> float:
    """Intersection over union of two boxes."""
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    shared = max(0.0, w) * max(0.0, h)
    return shared / (a[2] * a[3] + b[2] * b[3] - shared) if shared else 0.0


def belongs(die: Box, label: Box) -> bool:
    """Whether a detection's box may take a label's."""
    x, y = die[0] + die[2] / 2, die[1] + die[3] / 2
    inside = label[0] <= x <= label[0] + label[2] and label[1] <= y <= label[1] + label[3]
    return inside or iou(die, label) >= MIN_IOU


@dataclass(slots=True)
class Score:
    """One photo's result, or the sum of many."""

    photos: int = 0
    dice: int = 0
    right: int = 0
    wrong: int = 0
    missed: int = 0
    false: int = 0
    exact: int = 0
    """Photos with every die right and none missed or false."""
    silent: int = 0
    """Photos whose tally for some bid is wrong while no die was flagged uncertain."""
    flagged: int = 0
    """Photos exactly right in which a die was flagged all the same."""
    confusion: Counter[tuple[int, int]] = field(default_factory=Counter)
    """(true face, face read): how often; a missed die is read as 0, a false one has the true face 0."""

    def __add__(self, other: Score) -> Score:
        names = ("photos", "dice", "right", "wrong", "missed", "false", "exact", "silent", "flagged")
        total = Score(confusion=self.confusion + other.confusion)
        for name in names:
            setattr(total, name, getattr(self, name) + getattr(other, name))
        return total


def tally(faces: Iterable[int]) -> tuple[int, ...]:
    """The six numbers bids are judged by: pacos alone, then each other face with the pacos."""
    n = Counter(faces)
    return (n[1], *(n[face] + n[1] for face in range(2, 7)))


def score_photo(truth: Truth, dice: Sequence[Die]) -> Score:
    """Compare one photo's dice with the truth."""
    if truth.labels is None:
        pairs, missed, false, seen = _by_counts(truth, dice)
    else:
        pairs, missed, false, seen = _by_place(truth.labels, dice)
    score = Score(photos=1, dice=sum(truth.counts.values()), missed=len(missed), false=len(false))
    for face, read in pairs:
        score.right += face == read
        score.wrong += face != read
        score.confusion[face, read] += 1
    for face in missed:
        score.confusion[face, 0] += 1
    for die in false:
        score.confusion[0, die.face] += 1
    exact = not (score.wrong or missed or false)
    unsure = any(die.uncertain for die in seen)
    true_faces = [face for face, n in truth.counts.items() for _ in range(n)]
    score.exact = int(exact)
    score.silent = int(tally(true_faces) != tally(die.face for die in seen) and not unsure)
    score.flagged = int(exact and unsure)
    return score


_Split = tuple[list[tuple[int, int]], list[int], list[Die], list[Die]]


def _by_place(labels: Sequence[Label], dice: Sequence[Die]) -> _Split:
    candidates = []
    for d, die in enumerate(dice):
        for k, label in enumerate(labels):
            if belongs(die.box, label.box):
                dx = die.box[0] + die.box[2] / 2 - label.box[0] - label.box[2] / 2
                dy = die.box[1] + die.box[3] / 2 - label.box[1] - label.box[3] / 2
                candidates.append((-die.confidence, -iou(die.box, label.box), abs(dx) + abs(dy), d, k))
    owner: dict[int, int] = {}
    used: set[int] = set()
    for *_, d, k in sorted(candidates):
        if d not in owner and k not in used:
            owner[d] = k
            used.add(k)
    pairs, false, seen = [], [], []
    for d, die in enumerate(dice):
        if d in owner:
            label = labels[owner[d]]
            if not label.ignore:
                pairs.append((label.face, die.face))
                seen.append(die)
        elif not any(label.ignore and belongs(die.box, label.box) for label in labels):
            false.append(die)
            seen.append(die)
    missed = [label.face for k, label in enumerate(labels) if k not in used and not label.ignore]
    return pairs, missed, false, seen


def _by_counts(truth: Truth, dice: Sequence[Die]) -> _Split:
    """Without places, equal faces pair up; what is left pairs up as wrong."""
    want = Counter(truth.counts)
    pairs, left = [], []
    for die in dice:
        if want[die.face] > 0:
            want[die.face] -= 1
            pairs.append((die.face, die.face))
        else:
            left.append(die)
    unread = [face for face, n in want.items() for _ in range(n)]
    both = min(len(unread), len(left))
    pairs += [(face, die.face) for face, die in zip(unread[:both], left[:both], strict=True)]
    return pairs, unread[both:], left[both:], list(dice)
