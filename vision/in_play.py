"""Which of the dice in a frame are in play: those that the cups uncovered.

The camera hangs still over one table, so a picture taken while the cups were down shows what else lies there. Anything
uncovered in it that lies there unchanged is out of play: lost dice, flowers of a cloth, sweets. A lost die may have
been pushed a little since; then the same face in the same colour lies near its place. Where a cup stood, what looks
like many of the things that lay there is the same pattern of the cloth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist, hypot, log2
from statistics import median
from typing import Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Floats, Image, halved
from vision.patch import halves, likeness, patch
from vision.pipeline.crop import crop_die
from vision.pipeline.expected_dice import lacks, questions, reconcile
from vision.quiet_table import QuietTable
from vision.reading import Die, Reading

_ALIKE: Final = 0.75
"""Correlation from which two patches show the same thing. On rendered pairs, unchanged things have 0.95 and more, a new
die 0.55 at most."""
_HALF_ALIKE: Final = 0.9
"""The same for half of a face, which shows less."""
_RIM: Final = 0.15
"""The part of a die's width round its face: a cup has edges too, but no pips."""
_SWAY: Final = 3
"""Pixels by which one place may still be shifted after the pictures are registered, as the mast sways."""
_PUSH: Final = 3.4
"""The most that a lost die is pushed, in die widths: five centimetres."""
_LIKE_COLOUR: Final = 0.05
"""The least probability of a lost die's colour."""
_LAID_STILL: Final = 0.25
"""The most between the centres of a die that nobody has touched, in die widths."""
_SAME_PLACE: Final = 0.5
"""The most between the centres of two readings of one die, in die widths."""

_FEWEST_PRINTS: Final = 6
"""So many things that lay there before and look alike are a pattern of the cloth: lost dice hardly ever show so much
the same.
"""
_SAME_PRINT: Final = 0.8
"""Correlation from which two places show the same print, whatever its turn."""
_PRINT_SIDE: Final = 20
"""Side in pixels of what is compared, the middle of a place: what lies round a print and a die is the cloth."""
_PRINT_PLACE: Final = 26.0
"""Width of the whole place in such pixels."""

_CELLS: Final = (32, 24)
"""Parts of the picture, across and down, whose colours are compared."""
_SAME_COLOUR: Final = 12.0
"""Distance in CIE Lab."""
_DRIFT: Final = 4.0
"""The most that the white balance shifts all colours, in CIE Lab; the exposure may shift the lightness by anything."""
_LEAST_SHARED: Final = 0.12

_REGISTERED_WIDTH: Final = 640
"""The width in pixels of the pictures that are registered, give or take a half."""
_LIGHT_SIDE: Final = 27
"""Structure wider than this many of their pixels is light."""
_TILES: Final = (4, 3)
"""Parts of the picture, across and down, that are registered separately."""
_LEAST_RESPONSE: Final = 0.08
"""Response of the phase correlation below which a part is ignored: it is bare, or hands and cups have moved in it."""
_MOST_SWAY: Final = 12.0
"""The most that a mast sways, in pixels of the registered pictures."""
_FEWEST_TILES: Final = 3
_MOST_ZOOM: Final = 0.005
"""A swaying mast changes the scale by less than this."""

_SAME_LEVEL: Final = 14.0
"""The most that the bare table differs between two pictures, in levels from 0 to 255."""
_LEAST_RING: Final = 0.3
"""The share of the frame round a die's place that must be in the picture to tell whether the place is bare."""

Move = npt.NDArray[np.float64]
"""2 x 3, from a point of the earlier picture to one of the later."""


class OtherTableError(ValueError):
    """The earlier picture is not of this table, or of another size. The message says which."""


@dataclass(frozen=True, slots=True)
class InPlay:
    """A reading, and the dice that are out of play."""

    reading: Reading
    """The dice in play."""
    out_of_play: tuple[Die, ...]


def dice_in_play(
    image: Image, reading: Reading, quiet: Sequence[QuietTable], expected: Mapping[str, int] | None = None
) -> InPlay:
    """The dice of `reading`, the reading of `image`, without those that lay there before.

    quiet: the table before, oldest first, in frames of the same size; without any the reading stays as it is. expected:
    how many dice of each colour are in play. This decides about a die that lay there earlier but perhaps under a cup
    since, and about one that may be a pushed lost die; if it cannot decide, the die is uncertain.
    """
    if not quiet:
        return InPlay(reading, ())
    dice = (*reading.dice, *reading.faint)
    *others, last = (_Comparison.of(image, dice, table) for table in quiet)
    earlier = last.earlier.union(*(each.there | each.earlier for each in others)) - last.there
    pushed_earlier = last.pushed_earlier.union(*(each.pushed for each in others)) - last.there - earlier - last.pushed
    prints = _printed(image, dice, last.there)
    out, doubtful = last.there | (prints if expected else set()), set[int]() if expected else prints
    sure = range(len(reading.dice))
    for colour in {die.colour for die in reading.dice}:
        same = {n for n in sure if dice[n].colour == colour} - out
        perhaps = [same & each for each in (pushed_earlier, earlier, last.pushed)]
        lacking = 0 if expected is None else expected.get(colour, 0) - len(same.difference(*perhaps))
        # The least likely to be lost dice make up the number first. A pushed lost die hardly ever does.
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

    def __call__(self, image: Image, die_width: float | None = None, *, closely: bool = False) -> Reading: ...


def read_in_play(
    read: Read,
    image: Image,
    quiet: Sequence[QuietTable],
    expected: Mapping[str, int] | None = None,
    die_width: float | None = None,
    *,
    closely: bool = True,
) -> InPlay:
    """Read an image, and take the dice in play.

    die_width: the width of the dice in pixels, if it is known. Without it, or if few dice have it since the camera was
    moved, those of any width, and of the lost dice's, are looked for: the reading with the fewest questions counts.
    closely: look closely if a die is missing even so.
    """
    if expected is None:
        return dice_in_play(image, read(image, die_width), quiet)
    lost = [die.width for table in quiet for die in table.dice if not die.uncertain]
    best: tuple[int, float | None, InPlay, Reading] | None = None
    for width in dict.fromkeys([die_width, None, *([median(lost)] if lost else [])]):
        play = dice_in_play(image, read(image, width), quiet, expected)
        judged = reconcile(play.reading, expected)
        left = questions(judged, expected)
        if best is None or left < best[0]:
            best = left, width, play, judged
        if not left or (width is not None and 2 * len(judged.dice) >= sum(expected.values())):
            break
    assert best is not None
    left, width, play, judged = best
    if closely and lacks(judged, expected):
        closer = dice_in_play(image, read(image, width, closely=True), quiet, expected)
        if questions(reconcile(closer.reading, expected), expected) <= left:
            return closer
    return play


def check_same_table(before: Image, after: Image, name: str) -> None:
    """Raise `OtherTableError` unless the earlier picture, called `name`, may be of the same table as the later."""
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
    """Those that lay there earlier, where something has changed since."""
    pushed: set[int]
    """Those that may be lost dice pushed from a place nearby."""
    pushed_earlier: set[int]
    """The same, from a place where something has changed since."""
    taken: set[str]
    """Colours of the lost dice that were taken away."""

    @classmethod
    def of(cls, image: Image, dice: Sequence[Die], table: QuietTable) -> _Comparison:
        move = _registration(table.image, image)
        back = np.asarray(cv2.invertAffineTransform(move), np.float64)
        lost_dice = [die for die in table.dice if not die.uncertain]
        lying = [_moved(die, move) for die in lost_dice]
        before = [_moved(die, back) for die in dice]
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


def _printed(image: Image, dice: Sequence[Die], there: set[int]) -> set[int]:
    """Indices of the dice that look like many of those that lay there before."""
    if len(there) < _FEWEST_PRINTS:
        return set()
    looks = [crop_die(image, die.box, _PRINT_SIDE, _PRINT_PLACE).astype(np.float32) for die in dice]
    before = np.stack([_normalised(looks[n]) for n in sorted(there)])
    uncovered = [n for n in range(len(dice)) if n not in there]
    turned = {n: [np.rot90(each, k) for each in (looks[n], looks[n][::-1]) for k in range(4)] for n in uncovered}
    alike = {n: (before @ np.stack([_normalised(each) for each in turned[n]]).T).max(axis=1) for n in uncovered}
    return {n for n in uncovered if (alike[n] >= _SAME_PRINT).sum() >= _FEWEST_PRINTS}


def _normalised(look: Floats) -> Floats:
    """Its difference from its mean colour, as a vector of length 1, or 0 if it is plain."""
    look = (look - look.mean(axis=(0, 1))).ravel()
    length = float(np.linalg.norm(look))
    return np.asarray(look / length if length > 3 * look.size**0.5 else 0 * look, np.float32)


def _is_in(mask: Image | None, die: Die) -> bool:
    """Whether any of the die lies in the mask."""
    return mask is not None and bool(mask[patch(mask, die.box)].any())


def _shared(before: Image, after: Image) -> float:
    """The share of both pictures that has the same colour, whatever the exposure."""
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
    x, y = move[:, :2] @ die.centre + move[:, 2]
    w, h = die.box[2:]
    return replace(die, box=(float(x) - w / 2, float(y) - h / 2, w, h))


def _may_be(lost: Die, die: Die) -> bool:
    """Whether a lost die may be this one, perhaps in another light."""
    colours = dict(lost.colours or ((lost.colour, 1.0),))
    return die.face == lost.face and colours.get(die.colour, 0.0) >= _LIKE_COLOUR


def _is_one_of(lost_dice: Iterable[Die], die: Die) -> bool:
    """Whether a lost die with the same face lay at exactly this place, perhaps in a shadow that hid its colour."""
    return any(die.face == lost.face and _widths_apart(die, lost) < _LAID_STILL for lost in lost_dice)


def _is_unchanged(image: Image, other: Image, die: Die, there: Die) -> bool | None:
    """Whether the place of the die looks the same in the other picture, or half of it if the rest was covered there.

    `there` is the die in the other picture. None where there is too little detail.
    """
    offset = there.box[0] - die.box[0], there.box[1] - die.box[1]
    alike = likeness(image, other, die.box, _SWAY, offset)
    if alike is None or alike > _ALIKE:
        return None if alike is None else True
    x, y, w, h = die.box
    face = (x + _RIM * w, y + _RIM * h, (1 - 2 * _RIM) * w, (1 - 2 * _RIM) * h)
    return any((likeness(image, other, half, _SWAY, offset) or 0.0) > _HALF_ALIKE for half in halves(face))


def _bare(before: Image, image: Image, lost: Die, there: Die) -> bool:
    """Whether the table is bare where a die lay: its surroundings are unchanged, and nothing covers its place.

    `there` is the lost die as the later picture would show it.
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


def _detail(image: Image, halvings: int) -> Floats:
    """A grey picture, halved so many times, without the light: the logarithm, high-pass filtered."""
    for _ in range(halvings):
        image = halved(image)
    grey = np.log(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32) + 8)
    return np.asarray(grey - cv2.blur(grey, (_LIGHT_SIDE, _LIGHT_SIDE)), np.float32)


def _registration(before: Image, after: Image) -> Move:
    """The move between the two pictures that a swaying mast makes: a shift with a slight turn.

    Each part is registered by phase correlation (Kuglin and Hines 1975); the move is the one most parts share. If too
    few parts can be registered, the picture counts as unmoved.
    """
    halvings = max(0, round(log2(max(after.shape[:2]) / _REGISTERED_WIDTH)))
    scale = 0.5**halvings
    one, other = _detail(before, halvings), _detail(after, halvings)
    size = one.shape[1], one.shape[0]
    wide, tall = size[0] // _TILES[0], size[1] // _TILES[1]
    hann = cv2.createHanningWindow((wide, tall), cv2.CV_32F)
    middles, shifts = [], []
    for row in range(_TILES[1]):
        for column in range(_TILES[0]):
            part = (slice(row * tall, (row + 1) * tall), slice(column * wide, (column + 1) * wide))
            shift, response = cv2.phaseCorrelate(one[part], other[part], hann)
            if response > _LEAST_RESPONSE and hypot(*shift) < _MOST_SWAY:
                middles.append(((column + 0.5) * wide, (row + 0.5) * tall))
                shifts.append(shift)
    still = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    if len(middles) < _FEWEST_TILES:
        return still
    here = np.array(middles) / scale
    move, inliers = cv2.estimateAffinePartial2D(
        here, here + np.array(shifts) / scale, ransacReprojThreshold=0.5 / scale
    )
    if move is None or int(inliers.sum()) < _FEWEST_TILES or abs(hypot(move[0, 0], move[1, 0]) - 1) > _MOST_ZOOM:
        still[:, 2] = np.median(np.array(shifts), axis=0) / scale
        return still
    return np.asarray(move, np.float64)
