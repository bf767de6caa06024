"""Several readings of the same dice make one, surer than each: what they disagree on becomes uncertain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from vision.reading import UNCERTAIN_BELOW, Die, Reading


def _near(a: Die, b: Die) -> bool:
    """Whether two boxes show the same die: their centres lie less than half a die apart."""
    ax, ay, bx, by = a.box[0] + a.box[2] / 2, a.box[1] + a.box[3] / 2, b.box[0] + b.box[2] / 2, b.box[1] + b.box[3] / 2
    reach = 0.25 * (max(a.box[2:]) + max(b.box[2:]))
    return (ax - bx) ** 2 + (ay - by) ** 2 < reach**2


def _one(group: list[Die], frames: int) -> Die:
    """One die from what each frame made of it."""
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
    agreeing = [die for die in group if die.face == face and die.colour == colour]
    confidence = sum(die.confidence for die in agreeing) / frames  # a frame that missed or misread it counts as 0
    if len(agreeing) < frames:
        confidence = min(confidence, UNCERTAIN_BELOW - 0.01)
    surest = max(agreeing or group, key=lambda die: die.confidence)
    likeliest = tuple(sorted(faces.items(), key=lambda item: -item[1]))
    likely_colours = tuple(sorted(colours.items(), key=lambda item: -item[1]))
    return replace(surest, face=face, colour=colour, confidence=confidence, likeliest=likeliest, colours=likely_colours)


def fuse(readings: Sequence[Reading]) -> Reading:
    """Fuse readings of one still table.

    A die that some frame missed or read otherwise stays, uncertain. Raises `ValueError` without any reading or when
    the frames were of different sizes.
    """
    if not readings:
        raise ValueError("nothing to fuse: no reading was given")
    if len({(r.width, r.height) for r in readings}) > 1:
        raise ValueError("readings of frames of different sizes cannot be fused")
    groups: list[list[Die]] = []
    for reading in readings:
        taken: set[int] = set()
        for die in sorted(reading.dice, key=lambda d: -d.confidence):
            match = next((k for k, g in enumerate(groups) if k not in taken and _near(g[0], die)), None)
            if match is None:
                groups.append([die])
                taken.add(len(groups) - 1)
            else:
                groups[match].append(die)
                taken.add(match)
    dice = tuple(_one(group, len(readings)) for group in groups)
    return Reading(dice, readings[0].width, readings[0].height, sum(r.ms for r in readings))
