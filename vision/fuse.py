"""Fuses several readings of the same dice into one. A die is sure only if two readings are sure of it.

A die whose face the readings differ on becomes uncertain. A shaking mast shifts the whole picture between two frames by
more than the width of a small die, so the readings are registered first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import hypot
from statistics import median
from typing import Final

from vision.reading import Die, Reading

_MAX_SHAKE: Final = 0.03
"""The largest shift, as a share of the width: `vision.stillness` lets each of two frames shift by 1 % from a third."""

_MAX_VOTERS: Final = 25
"""The number of dice of each reading, the most confident ones, that vote on the shift."""

_SHIFT_MAJORITY: Final = 2
"""If some dice match without a shift, a shift by more than half a die needs this many more matches: when two frames
miss opposite ends of a row, the row has not moved by one die.
"""

_WITNESSES: Final = 2
"""The number of readings that must be sure of a die."""

Shift = tuple[float, float]
"""Right and down, in pixels."""


def fuse(readings: Sequence[Reading]) -> Reading:
    """Fuse readings of one still table, oldest first. Boxes are in pixels of the last frame.

    A die is kept but uncertain if only one frame is sure of it, or if two frames are sure of different faces. Raises
    `ValueError` without readings or for frames of different sizes.
    """
    if not readings:
        raise ValueError("nothing to fuse: no reading was given")
    if len({(r.width, r.height) for r in readings}) > 1:
        raise ValueError("readings of frames of different sizes cannot be fused")
    groups: list[list[Die]] = []
    reported: set[int] = set()
    for reading in reversed(readings):
        others = [group[0] for group in groups]
        right, down = _shift(reading.dice, others, _MAX_SHAKE * reading.width)
        candidates = (*reading.dice, *reading.faint)
        dice = [replace(die, box=(die.box[0] + right, die.box[1] + down, *die.box[2:])) for die in candidates]
        pairs = _pairs(dice, others)
        for n, die in enumerate(dice):
            if n in pairs:
                groups[pairs[n]].append(die)
            else:
                groups.append([die])
            if n < len(reading.dice):
                reported.add(pairs.get(n, len(groups) - 1))
    fused = [_fuse_die(group, len(readings)) for group in groups]
    seen = tuple(die for n, die in enumerate(fused) if n in reported)
    faint = tuple(die for n, die in enumerate(fused) if n not in reported)
    return Reading(
        seen, readings[0].width, readings[0].height, sum(r.ms for r in readings), unseen=readings[0].unseen, faint=faint
    )


def _fuse_die(group: list[Die], frames: int) -> Die:
    """One die from its readings, the last frame's first."""
    faces: dict[int, float] = defaultdict(float)
    votes: dict[str, float] = defaultdict(float)
    colours: dict[str, float] = defaultdict(float)
    for die in group:
        for face, p in die.likeliest or ((die.face, die.confidence),):
            faces[face] += p / len(group)
        votes[die.colour] += die.confidence
        for name, p in die.colours or ((die.colour, 1.0),):
            colours[name] += p / len(group)
    face = max(faces, key=lambda f: faces[f])
    colour = max(votes, key=lambda c: votes[c])
    agreeing = [die for die in group if die.face == face]
    witnesses = min(_WITNESSES, frames)
    fused = Die(
        face=face,
        colour=colour,
        box=group[0].box,
        confidence=_highest((die.confidence for die in agreeing), witnesses),
        likeliest=tuple(sorted(faces.items(), key=lambda item: -item[1])),
        colours=tuple(sorted(colours.items(), key=lambda item: -item[1])),
        there=_highest((die.there for die in group), witnesses),
        if_there=_highest((die.if_there for die in agreeing), witnesses),
        body=group[0].body,
        flagged=sum(not die.flagged for die in agreeing) < witnesses,
    )
    contradicted = any(not die.uncertain for die in group if die.face != face)
    return fused.as_uncertain() if contradicted else fused


def _highest(values: Iterable[float], number: int) -> float:
    """The `number`-th highest value; 0 if there are fewer."""
    return [*sorted(values, reverse=True), *[0.0] * number][number - 1]


def _shift(dice: Sequence[Die], others: Sequence[Die], most: float) -> Shift:
    """The shift of at most `most` pixels that moves most of `dice` onto one of `others` of the same face and colour.

    The smallest of equally good shifts, as in a row of equal dice.
    """
    alike = [
        (n, m, _centre_offset(die, other), _same_die_distance(die, other))
        for n, die in enumerate(_most_confident(dice))
        for m, other in enumerate(_most_confident(others))
        if (die.face, die.colour) == (other.face, other.colour)
    ]

    def matches(shift: Shift) -> list[tuple[int, int, Shift]]:
        return [(n, m, d) for n, m, d, reach in alike if hypot(d[0] - shift[0], d[1] - shift[1]) < reach]

    def votes(shift: Shift) -> tuple[int, float]:
        matching = matches(shift)
        return min(len({n for n, _, _ in matching}), len({m for _, m, _ in matching})), -hypot(*shift)

    still = (0.0, 0.0)
    best = max([still, *(d for _, _, d, _ in alike if hypot(*d) <= most)], key=votes)
    if 0 < votes(still)[0] > votes(best)[0] - _SHIFT_MAJORITY and not any(d == best for _, _, d in matches(still)):
        best = still
    offsets = [d for _, _, d in matches(best)]
    return (median(x for x, _ in offsets), median(y for _, y in offsets)) if offsets else best


def _most_confident(dice: Sequence[Die]) -> list[Die]:
    return sorted(dice, key=lambda die: -die.confidence)[:_MAX_VOTERS]


def _pairs(dice: Sequence[Die], others: Sequence[Die]) -> dict[int, int]:
    """Pairs of indices into `dice` and `others`, nearest first; each die is in one pair at most."""
    near = sorted(
        (hypot(*_centre_offset(die, other)), n, m)
        for n, die in enumerate(dice)
        for m, other in enumerate(others)
        if hypot(*_centre_offset(die, other)) < _same_die_distance(die, other)
    )
    pairs: dict[int, int] = {}
    for _, n, m in near:
        if n not in pairs and m not in pairs.values():
            pairs[n] = m
    return pairs


def _centre_offset(die: Die, other: Die) -> Shift:
    """The vector from the centre of one box to the centre of the other."""
    (ax, ay), (bx, by) = die.centre, other.centre
    return bx - ax, by - ay


def _same_die_distance(die: Die, other: Die) -> float:
    """Half a die's width in pixels: boxes with nearer centres show the same die."""
    return 0.25 * (die.width + other.width)
