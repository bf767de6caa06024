"""Decides which dice in a frame are in play: those that the cups uncovered.

The camera hangs still over one table, so a picture taken while the cups were down shows what else lies there. What was
uncovered in it and has not changed is out of play: lost dice, flowers of a cloth, sweets. A lost die may have been
pushed a little since; then the same face in the same colour lies near its old place. Boxes that are plainly cloth
(`vision.cloth`) are not even read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist, log
from statistics import median
from typing import Final, Protocol

import cv2
import numpy as np

from calibration.image import Image
from vision.cloth import FEWEST_PRINTS, SWAY, UNCHANGED, Cloth, Ignore, are_prints
from vision.log_odds import log_odds, probability
from vision.patch import Move, back, halves, likeness, moved, patch, registration
from vision.pipeline.detect import KNOWN_SIZE, SAME_SIZE
from vision.pipeline.expected_dice import lacks, questions, reconcile, share_in_play
from vision.quiet_table import QuietTable
from vision.reading import Die, Reading

_HALF_ALIKE: Final = 0.9
"""The same for half a face, which shows less."""
_RIM: Final = 0.15
"""Width, in die widths, of the rim that is not compared: a cup has edges too, but no pips."""
_PUSH: Final = 3.4
"""The farthest, in die widths, that a lost die is pushed: 5 cm."""
_LIKE_COLOUR: Final = 0.05
"""The least probability that two dice have the same colour."""
_LAID_STILL: Final = 0.25
"""The most, in die widths, between two sightings of an untouched die."""
_SAME_PLACE: Final = 0.5
"""The most, in die widths, between two readings of one die."""

_PLAYED: Final = 0.02
"""Something that looks like a print is one if its probability of a played colour is below this."""
_PRINT: Final = 0.2
"""On a cloth with many prints the odds that a doubtful object is a die are multiplied by this."""

_CELLS: Final = (32, 24)
"""Cells of the picture, across and down, whose colours are compared."""
_SAME_COLOUR: Final = 12.0
"""Two cells have the same colour up to this distance in CIE Lab."""
_DRIFT: Final = 4.0
"""The most that the white balance shifts all colours, in CIE Lab; the exposure may change the lightness freely."""
_LEAST_SHARED: Final = 0.12

_SAME_LEVEL: Final = 14.0
"""The most that the bare table differs between two pictures, in grey levels."""
_LEAST_RING: Final = 0.3
"""The share of the ring round a die's place that must be in the picture to tell whether the place is bare."""


class OtherTableError(ValueError):
    """The earlier picture is not of this table, or has another size. The message says which."""


@dataclass(frozen=True, slots=True)
class InPlay:
    """A reading without the dice that are out of play, and those dice."""

    reading: Reading
    """The dice in play."""
    out_of_play: tuple[Die, ...]


def dice_in_play(
    image: Image,
    reading: Reading,
    quiet: Sequence[QuietTable],
    expected: Mapping[str, int] | None = None,
    moves: Sequence[Move] | None = None,
) -> InPlay:
    """Remove from `reading`, the reading of `image`, the dice that lay there before.

    quiet: earlier pictures of the quiet table, oldest first, of the same size; if empty, the reading is unchanged.
    expected: how many dice of each colour are in play. It decides about a die that lay there earlier but may have been
    under a cup since, and about a die that may be a pushed lost die; if it cannot decide, the die is uncertain.
    moves: from each quiet table's picture to the image, if known.
    """
    if not quiet:
        return InPlay(reading, ())
    dice = (*reading.dice, *reading.faint)
    moves = _moves(image, quiet) if moves is None else moves
    *others, last = (_Comparison.of(image, dice, *each) for each in zip(quiet, moves, strict=True))
    earlier = last.earlier.union(*(each.there | each.earlier for each in others)) - last.there
    pushed_earlier = last.pushed_earlier.union(*(each.pushed for each in others)) - last.there - earlier - last.pushed
    out, doubtful = set(last.there), set[int]()
    sure = range(len(reading.dice))
    for colour in {die.colour for die in reading.dice}:
        same = {n for n in sure if dice[n].colour == colour} - out
        perhaps = [same & each for each in (pushed_earlier, earlier, last.pushed)]
        lacking = 0 if expected is None else expected.get(colour, 0) - len(same.difference(*perhaps))
        # The dice least likely to be lost fill the number in play first; a pushed lost die is the last choice.
        for group in perhaps:
            if lacking <= 0:
                out |= group
            elif group is perhaps[-1] or lacking < len(group):
                doubtful |= group
            lacking -= len(group)

    def in_play(some: Iterable[int]) -> tuple[Die, ...]:
        return tuple(
            dice[n].as_uncertain() if n in doubtful or dice[n].colour in last.taken else dice[n]
            for n in some
            if n not in out
        )

    faint = in_play(range(len(sure), len(dice)))
    return InPlay(replace(reading, dice=in_play(sure), faint=faint), tuple(dice[n] for n in sorted(out) if n in sure))


class Read(Protocol):
    """`vision.reader.Reader.read` or `read_cautiously`."""

    def __call__(
        self, image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
    ) -> Reading: ...


def read_in_play(
    read: Read,
    image: Image,
    quiet: Sequence[QuietTable],
    expected: Mapping[str, int] | None = None,
    die_width: float | None = None,
    *,
    closely: bool = True,
) -> InPlay:
    """Read an image and keep the dice in play.

    die_width: the width of the dice in pixels, if known. Without it, or if few dice have it because the camera was
    moved, dice of any width and of the lost dice's width are tried too, and the reading with the fewest questions is
    kept. closely: look closely if a die is still missing.
    """
    moves = _moves(image, quiet)
    cloth = _cloth(image, quiet[-1], moves[-1]) if quiet else None
    if expected is None:
        seen = read(image, die_width, ignore=cloth.unchanged if cloth else None)
        return dice_in_play(image, _without_prints(seen, image, None, cloth), quiet, moves=moves)
    ignore = cloth.shown if cloth else None
    lost = [die.width for table in quiet for die in table.dice if not die.uncertain]
    best: tuple[int, float | None, InPlay, Reading] | None = None
    reading: Reading | None = None
    for width in dict.fromkeys([die_width, None, *([median(lost)] if lost else [])]):
        again = _of_width(reading, width) if reading and width else None
        reading = again or _without_prints(read(image, width, ignore=ignore), image, expected, cloth)
        play = dice_in_play(image, reading, quiet, expected, moves)
        judged = reconcile(play.reading, expected)
        left = questions(judged, expected)
        if best is None or left < best[0]:
            best = left, width, play, judged
        if not left or (width is not None and 2 * len(judged.dice) >= sum(expected.values())):
            break
    assert best is not None
    left, width, play, judged = best
    if closely and lacks(judged, expected):
        close = _without_prints(read(image, width, closely=True, ignore=ignore), image, expected, cloth)
        closer = dice_in_play(image, close, quiet, expected, moves)
        if questions(reconcile(closer.reading, expected), expected) <= left:
            return closer
    return play


def _without_prints(reading: Reading, image: Image, expected: Mapping[str, int] | None, cloth: Cloth | None) -> Reading:
    """The reading without the prints of the cloth; without `expected` they are kept, but uncertain.

    Dice with the face and colour of a print are uncertain too: they may be prints in a shadow or partly hidden. If
    nobody plays that colour, they are prints. If `FEWEST_PRINTS` or more dice of a colour are in play, none is a print,
    because its dice may well look alike. On a printed cloth doubtful dice become less likely: half a print beside a die
    looks like the missing die.
    """
    places = (*reading.dice, *reading.faint)
    prints = {
        die.box
        for die, is_print in zip(places, are_prints([die.box for die in places], image), strict=True)
        if is_print and (expected is None or expected.get(die.colour, 0) < FEWEST_PRINTS)
    }
    printed = {(die.face, die.colour) for die in reading.dice if die.box in prints}
    like = [die for die in reading.dice if (die.face, die.colour) in printed]
    if expected is not None:
        prints |= {die.box for die in like if die.colour not in expected and share_in_play(die, {*expected}) < _PLAYED}
    dice = tuple(die.as_uncertain() if die in like else die for die in reading.dice)
    if expected is None:
        return replace(reading, dice=dice)
    dice, faint = (tuple(die for die in some if die.box not in prints) for some in (dice, reading.faint))
    if cloth is not None and cloth.is_printed:
        dice, faint = (tuple(_perhaps_print(die) if die.uncertain else die for die in some) for some in (dice, faint))
    return replace(reading, dice=dice, faint=faint)


def _perhaps_print(die: Die) -> Die:
    """A doubtful die on a printed cloth."""
    return replace(die, there=probability(log_odds(die.there) + log(_PRINT)))


def _of_width(reading: Reading, width: float) -> Reading | None:
    """The dice of about this width in pixels if most dice have it, which saves another read; else None."""
    usual = median(die.width for die in reading.dice) if reading.dice else 0.0
    if not width / SAME_SIZE < usual < width * SAME_SIZE:
        return None
    dice, faint = (
        tuple(die for die in some if width / KNOWN_SIZE < die.width < width * KNOWN_SIZE)
        for some in (reading.dice, reading.faint)
    )
    return replace(reading, dice=dice, faint=faint)


def _moves(image: Image, quiet: Iterable[QuietTable]) -> list[Move]:
    return [registration(table.image, image) for table in quiet]


def _cloth(image: Image, table: QuietTable, move: Move) -> Cloth:
    return Cloth(image, table.image, move, [die.box for die in table.dice], table.changed)


def check_same_table(before: Image, after: Image, name: str) -> None:
    """Raise `OtherTableError` if the earlier picture, called `name`, cannot be of the later picture's table."""
    if before.shape != after.shape:
        one, other = (f"{image.shape[1]} x {image.shape[0]}" for image in (after, before))
        raise OtherTableError(f"it is {one} pixels and {name} is {other}: both must come from one camera")
    if _shared(before, after) < _LEAST_SHARED:
        raise OtherTableError(f"{name} shows another table, or the camera was moved since")


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A reading compared with one earlier picture."""

    there: set[int]
    """Indices of the dice that lay there before, and of other things taken for dice."""
    earlier: set[int]
    """Indices of the dice that lay there earlier, where something has changed since."""
    pushed: set[int]
    """Indices of the dice that may be lost dice pushed from a place nearby."""
    pushed_earlier: set[int]
    """The same, from a place where something has changed since."""
    taken: set[str]
    """Colours of the lost dice that were taken away."""

    @classmethod
    def of(cls, image: Image, dice: Sequence[Die], table: QuietTable, move: Move) -> _Comparison:
        lost_dice = [die for die in table.dice if not die.uncertain]
        lying = [_moved(die, move) for die in lost_dice]
        to_before = back(move)
        before = [_moved(die, to_before) for die in dice]
        looks = [_is_unchanged(image, table.image, *each) for each in zip(dice, before, strict=True)]
        same = {n for n, die in enumerate(dice) if looks[n] or (looks[n] is not None and _is_one_of(lying, die))}
        earlier = {n for n in same if _is_in(table.changed, before[n])}
        pushed, pushed_earlier = set[int](), set[int]()
        taken = set[str]()
        for lost, there in zip(lost_dice, lying, strict=True):
            if (
                any(_widths_apart(dice[n], there) < _SAME_PLACE for n in same)
                or _is_unchanged(table.image, image, lost, there) is not False
            ):
                continue
            near = [
                (_widths_apart(die, there), n)
                for n, die in enumerate(dice)
                if n not in same | pushed | pushed_earlier and _may_be(lost, die)
            ]
            stale = _is_in(table.changed, lost)
            if near and min(near)[0] < _PUSH:
                (pushed_earlier if stale else pushed).add(min(near)[1])
            elif not stale and _bare(table.image, image, lost, there):
                taken.add(lost.colour)
        return cls(same - earlier, earlier, pushed, pushed_earlier, taken)


def _is_in(mask: Image | None, die: Die) -> bool:
    """True if any part of the die is in the mask."""
    return mask is not None and bool(mask[patch(mask, die.box)].any())


def _shared(before: Image, after: Image) -> float:
    """The share of the picture's cells that have the same colour in both, whatever the exposure."""
    one, other = (
        cv2.cvtColor(
            cv2.resize(image, _CELLS, interpolation=cv2.INTER_AREA).astype(np.float32) / 255, cv2.COLOR_BGR2LAB
        )
        for image in (before, after)
    )
    apart = one - other
    usual = np.median(apart, axis=(0, 1))
    drift = usual.clip([-np.inf, -_DRIFT, -_DRIFT], [np.inf, _DRIFT, _DRIFT])
    return float((np.abs(apart - drift).max(axis=-1) < _SAME_COLOUR).mean())


def _widths_apart(one: Die, other: Die) -> float:
    return dist(one.centre, other.centre) / other.width


def _moved(die: Die, move: Move) -> Die:
    return replace(die, box=moved(die.box, move))


def _may_be(lost: Die, die: Die) -> bool:
    """True if the two may be one die, perhaps in different light."""
    colours = dict(lost.colours or ((lost.colour, 1.0),))
    return die.face == lost.face and colours.get(die.colour, 0.0) >= _LIKE_COLOUR


def _is_one_of(lost_dice: Iterable[Die], die: Die) -> bool:
    """True if a lost die with the same face lay exactly here; a shadow may have hidden its colour."""
    return any(die.face == lost.face and _widths_apart(die, lost) < _LAID_STILL for lost in lost_dice)


def _is_unchanged(image: Image, other: Image, die: Die, there: Die) -> bool | None:
    """Compare the die's place in two pictures; half of it is enough if the rest was covered.

    `there` is the die in the other picture. None if there is too little detail.
    """
    offset = there.box[0] - die.box[0], there.box[1] - die.box[1]
    alike = likeness(image, other, die.box, SWAY, offset)
    if alike is None or alike > UNCHANGED:
        return None if alike is None else True
    x, y, w, h = die.box
    face = (x + _RIM * w, y + _RIM * h, (1 - 2 * _RIM) * w, (1 - 2 * _RIM) * h)
    return any((likeness(image, other, half, SWAY, offset) or 0.0) > _HALF_ALIKE for half in halves(face))


def _bare(before: Image, image: Image, lost: Die, there: Die) -> bool:
    """True if the table is bare where a die lay: its surroundings are unchanged and nothing covers its place.

    `there` is the lost die as it would appear in the later picture.
    """
    rim = round(lost.width / 2)
    then, now = (
        picture[patch(picture, die.box, rim)].astype(np.float32) for picture, die in ((before, lost), (image, there))
    )
    ring = np.ones(then.shape[:2], bool)
    ring[rim - 2 : 2 - rim, rim - 2 : 2 - rim] = False
    if now.shape != then.shape or ring.mean() < _LEAST_RING:
        return False
    gain = np.median(image[::8, ::8], axis=(0, 1)) / np.maximum(np.median(before[::8, ::8], axis=(0, 1)), 1.0)
    same = np.abs(then * gain - now).max(axis=-1) < _SAME_LEVEL
    filled = np.abs(now - np.median(now[ring], axis=0)).max(axis=-1) < 2 * _SAME_LEVEL
    return bool(same[ring].mean() > 0.7 and filled[~ring].mean() > 0.5)
