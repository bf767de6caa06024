"""Scores readings against labels.

A detection matches a label if its box's centre lies in the label's box or their intersection over union is at least
0.4; one to one, the most confident detection first. Labels with `ignore` are not scored, nor are detections that match
them.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

from vision.reading import Box, Die

MIN_IOU: Final = 0.4
LABEL_KEYS: Final = ("value", "box", "ignore", "colour")
"""Other keys of a label are conditions if their values are words or numbers."""

Conditions = Mapping[str, str | float | bool]
"""By name: `{"light_pips": True}`."""


class LabelsError(ValueError):
    """A labels file could not be read."""


@dataclass(frozen=True, slots=True)
class Label:
    """The truth about one die."""

    face: int
    """0 if ignored."""
    box: Box
    ignore: bool = False
    colour: str | None = None
    conditions: Conditions = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth about one photo: where each die lies, or only how many show each face."""

    labels: tuple[Label, ...] | None
    counts: Mapping[int, int]
    conditions: Conditions = field(default_factory=dict)


def load_labels(path: Path) -> dict[str, Truth]:
    """Name of each photo -> its truth.

    An entry is a list of dice, `[{"value", "box", "ignore"?, "colour"?, ...}]`; an object with that list and the
    photo's conditions, `{"dice": [...], "conditions": {"light": "side"}}`; or `{"counts": {"3": 2}}`, with or without
    conditions. Raises `LabelsError` if the file is missing or malformed.
    """
    if path.is_fifo():  # reading it would wait forever for a writer
        raise LabelsError(f"{path} is a pipe, and no file")
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
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise LabelsError(f"{path}: the labels of {name} could not be read: {error!r}") from error
    return truths


def _truth(entry: object) -> Truth:
    conditions: Conditions = {}
    if isinstance(entry, dict):
        raw = entry.get("conditions", {})
        if not isinstance(raw, dict):
            raise TypeError("conditions are an object with a name for each key")
        conditions = _scalars(raw)
        if "dice" not in entry:
            return Truth(None, _counts(entry["counts"]), conditions)
        entry = entry["dice"]
    if not isinstance(entry, list):
        raise TypeError("neither a list of dice nor counts")
    labels = tuple(_label(die) for die in entry)
    return Truth(labels, Counter(label.face for label in labels if not label.ignore), conditions)


def _counts(raw: object) -> dict[int, int]:
    if not isinstance(raw, dict):
        raise TypeError("counts are an object with a face for each key")
    counts = {_face(face): int(n) for face, n in raw.items()}
    if min(counts.values(), default=0) < 0:
        raise ValueError("fewer than no dice")
    return counts


def _label(die: Mapping[str, object]) -> Label:
    x, y, w, h = (float(v) for v in die["box"])  # type: ignore[attr-defined]
    if not all(map(math.isfinite, (x, y, w, h))) or w < 0 or h < 0:
        raise ValueError("a box is four numbers, its width and height not below 0")
    ignore = bool(die.get("ignore"))
    face = 0 if ignore else _face(die["value"])
    colour = die.get("colour")
    conditions = _scalars({key: value for key, value in die.items() if key not in LABEL_KEYS})
    return Label(face, (x, y, w, h), ignore, colour if isinstance(colour, str) else None, conditions)


def _face(raw: object) -> int:
    face = int(raw)  # type: ignore[call-overload]
    if not 1 <= face <= 6:
        raise ValueError(f"a die shows 1 to 6, not {face}")
    return int(face)


def _scalars(raw: Mapping[str, object]) -> Conditions:
    return {key: value for key, value in raw.items() if isinstance(value, str | int | float)}


def iou(a: Box, b: Box) -> float:
    """Intersection over union of two boxes."""
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    shared = max(0.0, w) * max(0.0, h)
    return shared / (a[2] * a[3] + b[2] * b[3] - shared) if shared else 0.0


def box_matches(die: Box, label: Box) -> bool:
    """True if a detection's box matches a label's."""
    x, y = die[0] + die[2] / 2, die[1] + die[3] / 2
    inside = label[0] <= x <= label[0] + label[2] and label[1] <= y <= label[1] + label[3]
    return inside or iou(die, label) >= MIN_IOU


@dataclass(frozen=True, slots=True)
class Match:
    """A true die paired with a detection; one of them may be missing."""

    face: int
    """The true face; 0 for a false die."""
    die: Die | None
    """None for a missed die."""
    label: Label | None = None
    """The die's label, if positions are known."""

    @property
    def kind(self) -> str:
        """`right`, `wrong`, `missed` or `false`."""
        if self.die is None:
            return "missed"
        if not self.face:
            return "false"
        return "right" if self.face == self.die.face else "wrong"

    @property
    def other_colour(self) -> bool:
        """True if the die was found but its colour misread."""
        return bool(self.die and self.label and self.label.colour not in {None, self.die.colour})


@dataclass(slots=True)
class Score:
    """The result of one photo, or the sum of many."""

    photos: int = 0
    dice: int = 0
    right: int = 0
    wrong: int = 0
    missed: int = 0
    false: int = 0
    sure_false: int = 0
    """False dice that nobody would be asked about."""
    exact: int = 0
    """Photos with every die read right, none missed or false."""
    silent: int = 0
    """Photos with a wrong tally for some bid and no die flagged as uncertain."""
    flagged: int = 0
    """Photos read exactly, but with a flagged die."""
    coloured: int = 0
    """Dice found whose true colour is known."""
    colour_right: int = 0
    """Those of them whose colour was read right."""
    confusion: Counter[tuple[int, int]] = field(default_factory=Counter)
    """(true face, face read) -> count; a missed die is read as 0, a false one has the true face 0."""

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(Score)))


@dataclass(frozen=True, slots=True)
class ValueScore:
    """Scores of the dice that show one value."""

    value: int
    dice: int
    right: int
    wrong: int
    missed: int
    false: int
    """False dice read as this value."""


def scores_per_value(score: Score) -> tuple[ValueScore, ...]:
    rows = []
    for value in range(1, 7):
        of = {read: n for (face, read), n in score.confusion.items() if face == value}
        dice, right, missed = sum(of.values()), of.get(value, 0), of.get(0, 0)
        rows.append(ValueScore(value, dice, right, dice - right - missed, missed, score.confusion[0, value]))
    return tuple(rows)


def percent(part: int, whole: int) -> str:
    """A percentage, or a dash if `whole` is 0."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def tallies(faces: Iterable[int]) -> tuple[int, ...]:
    """The six tallies that bids are judged by: pacos alone, then each other face with the pacos."""
    n = Counter(faces)
    return (n[1], *(n[face] + n[1] for face in range(2, 7)))


def match_dice(truth: Truth, dice: Sequence[Die]) -> tuple[Match, ...]:
    """Pair true dice with detections; detections of ignored labels are left out."""
    return _by_counts(truth, dice) if truth.labels is None else _by_place(truth.labels, dice)


def score_matches(truth: Truth, matches: Sequence[Match]) -> Score:
    """The score of one photo."""
    kinds = Counter(match.kind for match in matches)
    score = Score(
        photos=1,
        dice=sum(truth.counts.values()),
        right=kinds["right"],
        wrong=kinds["wrong"],
        missed=kinds["missed"],
        false=kinds["false"],
        sure_false=sum(match.kind == "false" and not (match.die and match.die.uncertain) for match in matches),
        confusion=Counter((match.face, match.die.face if match.die else 0) for match in matches),
    )
    read_dice = [match.die for match in matches if match.die]
    exact = score.right == len(matches)
    unsure = any(die.uncertain for die in read_dice)
    true_faces = [face for face, n in truth.counts.items() for _ in range(n)]
    score.exact = int(exact)
    score.silent = int(tallies(true_faces) != tallies(die.face for die in read_dice) and not unsure)
    score.flagged = int(exact and unsure)
    score.coloured = sum(bool(match.die and match.label and match.label.colour) for match in matches)
    score.colour_right = score.coloured - sum(match.other_colour for match in matches)
    return score


def score_photo(truth: Truth, dice: Sequence[Die]) -> Score:
    """Compare one photo's dice with the truth."""
    return score_matches(truth, match_dice(truth, dice))


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """One photo, its reading, and the comparison with the truth."""

    name: str
    truth: Truth
    dice: tuple[Die, ...]
    matches: tuple[Match, ...]
    score: Score


def evaluate_photo(name: str, truth: Truth, dice: Sequence[Die]) -> PhotoResult:
    """Compare one photo's dice with the truth."""
    matches = match_dice(truth, dice)
    return PhotoResult(name, truth, tuple(dice), matches, score_matches(truth, matches))


def total_score(photos: Iterable[PhotoResult]) -> Score:
    """The sum of many photos."""
    return sum((photo.score for photo in photos), Score())


def _by_place(labels: Sequence[Label], dice: Sequence[Die]) -> tuple[Match, ...]:
    candidates = []
    for d, die in enumerate(dice):
        for k, label in enumerate(labels):
            if box_matches(die.box, label.box):
                dx = die.box[0] + die.box[2] / 2 - label.box[0] - label.box[2] / 2
                dy = die.box[1] + die.box[3] / 2 - label.box[1] - label.box[3] / 2
                candidates.append((-die.confidence, -iou(die.box, label.box), abs(dx) + abs(dy), d, k))
    owner: dict[int, int] = {}
    used: set[int] = set()
    for *_, d, k in sorted(candidates):
        if d not in owner and k not in used:
            owner[d] = k
            used.add(k)
    matches = []
    for d, die in enumerate(dice):
        if d in owner:
            label = labels[owner[d]]
            if not label.ignore:
                matches.append(Match(label.face, die, label))
        elif not any(label.ignore and box_matches(die.box, label.box) for label in labels):
            matches.append(Match(0, die))
    missed = (label for k, label in enumerate(labels) if k not in used and not label.ignore)
    return (*matches, *(Match(label.face, None, label) for label in missed))


def _by_counts(truth: Truth, dice: Sequence[Die]) -> tuple[Match, ...]:
    """Without positions, equal faces pair up; the rest pairs up as wrong."""
    want = Counter(dict(sorted(truth.counts.items())))
    matches, unmatched = [], []
    for die in dice:
        if want[die.face] > 0:
            want[die.face] -= 1
            matches.append(Match(die.face, die))
        else:
            unmatched.append(die)
    unread = [face for face, n in want.items() for _ in range(n)]
    both = min(len(unread), len(unmatched))
    matches += [Match(face, die) for face, die in zip(unread[:both], unmatched[:both], strict=True)]
    matches += [Match(face, None) for face in unread[both:]]
    return (*matches, *(Match(0, die) for die in unmatched[both:]))
