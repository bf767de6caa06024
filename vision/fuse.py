"""Several readings of the same dice make one, no surer of a die than the least sure of them.

What they disagree on becomes uncertain. A mast that shakes moves the whole picture between two frames, by more than a
small die is wide: readings are laid over one another first, as most of their dice say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import hypot
from statistics import median
from typing import Final

from vision.reading import UNCERTAIN_BELOW, Die, Reading

_SHAKE: Final = 0.03
"""Of the width: how far the picture may have moved. `vision.stillness` lets each of two frames stray 1 % from a third.
"""

_VOTERS: Final = 25
"""Dice, the surest of each reading, that say how far the picture moved."""

_CLEARLY: Final = 2
"""Where some dice lie as they did, a move by more than half a die must lay so many more of them: a row of which one
frame missed the one end and the next the other has not moved by a die."""

Shift = tuple[float, float]
"""To the right and down, in pixels."""


def fuse(readings: Sequence[Reading]) -> Reading:
    """Fuse readings of one still table, oldest first. Boxes are those of the last reading's frame.

    A die that some frame missed or read otherwise stays, uncertain. Raises `ValueError` without any reading or when
    the frames were of different sizes.
    """
    if not readings:
        raise ValueError("nothing to fuse: no reading was given")
    if len({(r.width, r.height) for r in readings}) > 1:
        raise ValueError("readings of frames of different sizes cannot be fused")
    groups: list[list[Die]] = []
    for reading in reversed(readings):
        seen = [group[0] for group in groups]
        dice = _moved(reading.dice, _shift(reading.dice, seen, _SHAKE * reading.width))
        pairs = _pairs(dice, seen)
        for n, die in enumerate(dice):
            if n in pairs:
                groups[pairs[n]].append(die)
            else:
                groups.append([die])
    fused = tuple(_one(group, len(readings)) for group in groups)
    return Reading(fused, readings[0].width, readings[0].height, sum(r.ms for r in readings))


def _one(group: list[Die], frames: int) -> Die:
    """One die from what each frame made of it, the last frame's first."""
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
    agreeing = [die.confidence for die in group if die.face == face and die.colour == colour]
    confidence = min(agreeing, default=0.0)
    if len(agreeing) < frames:
        confidence = min(confidence * len(agreeing) / frames, UNCERTAIN_BELOW - 0.01)
    return Die(
        face=face,
        colour=colour,
        box=group[0].box,
        confidence=confidence,
        likeliest=tuple(sorted(faces.items(), key=lambda item: -item[1])),
        colours=tuple(sorted(colours.items(), key=lambda item: -item[1])),
    )


def _shift(dice: Sequence[Die], seen: Sequence[Die], most: float) -> Shift:
    """The move of at most `most` pixels that lays most of `dice` on one of `seen` of their face and colour.

    Where two moves do equally well, as in a row of dice that all show the same, it is the smaller.
    """
    alike = [
        (n, m, _apart(die, other), _reach(die, other))
        for n, die in enumerate(_surest(dice))
        for m, other in enumerate(_surest(seen))
        if (die.face, die.colour) == (other.face, other.colour)
    ]

    def laid(move: Shift) -> list[tuple[int, int, Shift]]:
        return [(n, m, d) for n, m, d, reach in alike if hypot(d[0] - move[0], d[1] - move[1]) < reach]

    def votes(move: Shift) -> tuple[int, float]:
        on = laid(move)
        return min(len({n for n, _, _ in on}), len({m for _, m, _ in on})), -hypot(*move)

    still = (0.0, 0.0)
    best = max([still, *(d for _, _, d, _ in alike if hypot(*d) <= most)], key=votes)
    if 0 < votes(still)[0] > votes(best)[0] - _CLEARLY and not any(d == best for _, _, d in laid(still)):
        best = still
    on = [d for _, _, d in laid(best)]
    return (median(x for x, _ in on), median(y for _, y in on)) if on else best


def _surest(dice: Sequence[Die]) -> list[Die]:
    return sorted(dice, key=lambda die: -die.confidence)[:_VOTERS]


def _moved(dice: Sequence[Die], by: Shift) -> list[Die]:
    return [replace(die, box=(die.box[0] + by[0], die.box[1] + by[1], *die.box[2:])) for die in dice]


def _pairs(dice: Sequence[Die], seen: Sequence[Die]) -> dict[int, int]:
    """Which of `seen` each of `dice` is, by their places: the nearest first, each at most once."""
    near = sorted(
        (hypot(*_apart(die, other)), n, m)
        for n, die in enumerate(dice)
        for m, other in enumerate(seen)
        if hypot(*_apart(die, other)) < _reach(die, other)
    )
    pairs: dict[int, int] = {}
    for _, n, m in near:
        if n not in pairs and m not in pairs.values():
            pairs[n] = m
    return pairs


def _apart(die: Die, other: Die) -> Shift:
    """From the centre of one box to the centre of another."""
    (ax, ay, aw, ah), (bx, by, bw, bh) = die.box, other.box
    return bx + bw / 2 - ax - aw / 2, by + bh / 2 - ay - ah / 2


def _reach(die: Die, other: Die) -> float:
    """Boxes whose centres lie less than this apart, half a die, show the same die."""
    return 0.25 * (max(die.box[2:]) + max(other.box[2:]))
