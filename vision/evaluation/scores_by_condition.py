"""The scores broken down by condition.

Conditions are what a labels file says about a photo or a die, and two derived ones: the number of dice in the photo,
and the width of a die.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from vision.evaluation.scores import Conditions, Match, PhotoResult, Score
from vision.reading import Box

NOT_LABELLED: Final = "not said"
_FEW_NUMBERS: Final = 8
"""More different numbers are grouped into four ranges of about equal size."""
_MAX_GROUPS: Final = 20
"""If there are more different words, the rarest are grouped."""

_PER_PHOTO: Final = ((0, "none"), (1, "1-5"), (6, "6-15"), (16, "16 or more"))
_WIDTH: Final = ((0, "under 30 px"), (30, "30-60 px"), (60, "60-120 px"), (120, "120 px or more"))

Value = str | float | bool


@dataclass(frozen=True, slots=True)
class ConditionTable:
    """One condition. Tables of dice count no false dice, which have no condition."""

    name: str
    of: str
    """`photos` or `dice`."""
    rows: Mapping[str, Score]
    """Group -> its score, in the order they are shown."""


def condition_tables(photos: Sequence[PhotoResult]) -> tuple[ConditionTable, ...]:
    """A table for each condition of any photo or die."""
    by_place = [match for photo in photos for match in photo.matches if match.label]
    result = [_derived("dice in the photo", _PER_PHOTO, [(p.score.dice, p.score) for p in photos], "photos")]
    if by_place:
        widths = [(width(m.label.box), _of_die(m)) for m in by_place if m.label]
        result.append(_derived("width of the die", _WIDTH, widths, "dice"))
    result += _labelled([(photo.truth.conditions, photo.score) for photo in photos], "photos")
    result += _labelled([(_die_conditions(match), _of_die(match)) for match in by_place], "dice")
    return tuple(result)


def width(box: Box) -> float:
    """Width of a die in pixels: the mean of its box's sides."""
    return (box[2] + box[3]) / 2


def _of_die(match: Match) -> Score:
    kind = match.kind
    return Score(
        dice=1,
        right=int(kind == "right"),
        wrong=int(kind == "wrong"),
        missed=int(kind == "missed"),
        coloured=int(match.die is not None and match.label is not None and match.label.colour is not None),
        colour_right=int(match.die is not None and match.label is not None and match.label.colour == match.die.colour),
        confusion=Counter({(match.face, match.die.face if match.die else 0): 1}),
    )


def _die_conditions(match: Match) -> Conditions:
    assert match.label is not None
    colour: Conditions = {"colour": match.label.colour} if match.label.colour else {}
    return {**colour, **match.label.conditions}


def _derived(
    name: str, steps: Sequence[tuple[float, str]], scores: Iterable[tuple[float, Score]], of: str
) -> ConditionTable:
    starts = [start for start, _ in steps]
    sums: dict[str, Score] = {}
    for value, score in scores:
        group = steps[bisect_right(starts, value) - 1][1]
        sums[group] = sums.get(group, Score()) + score
    return ConditionTable(name, of, {group: sums[group] for _, group in steps if group in sums})


def _labelled(scores: Sequence[tuple[Conditions, Score]], of: str) -> list[ConditionTable]:
    result = []
    for name in sorted({name for conditions, _ in scores for name in conditions}):
        group, order = grouping([c[name] for c, _ in scores if name in c])
        sums: dict[str, Score] = defaultdict(Score)
        for conditions, score in scores:
            sums[group(conditions[name]) if name in conditions else NOT_LABELLED] += score
        result.append(ConditionTable(name, of, {g: sums[g] for g in (*order, NOT_LABELLED) if g in sums}))
    return result


def grouping(values: Sequence[Value]) -> tuple[Callable[[Value], str], list[str]]:
    """The group of a value, and all groups in the order they are shown."""
    if any(isinstance(value, str) for value in values):
        often = [word for word, _ in Counter(map(_word, values)).most_common(_MAX_GROUPS)]
        if len(often) < len(set(map(_word, values))):
            return (lambda value: _word(value) if _word(value) in often else "other"), [*sorted(often), "other"]
        return _word, sorted(often)
    different = sorted(set(values))
    if len(different) <= _FEW_NUMBERS:
        return _word, list(dict.fromkeys(map(_word, different)))
    ordered = sorted(float(value) for value in values)
    starts = sorted({ordered[len(ordered) * k // 4] for k in range(4)})
    ranges: list[list[float]] = [[] for _ in starts]
    for number in ordered:
        ranges[bisect_right(starts, number) - 1].append(number)
    names = [f"{each[0]:g} to {each[-1]:g}" for each in ranges]
    return (lambda value: names[bisect_right(starts, float(value)) - 1]), names


def _word(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else f"{value:g}"
