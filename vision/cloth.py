"""What of a picture is the cloth: what lay there before, and is no die, and whatever looks like much of that.

The pattern of a cloth may have more flowers than the table has dice. None of them is worth a look of the classifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import dist
from statistics import median
from typing import Final

import cv2
import numpy as np

from calibration.image import Floats, Image
from vision.patch import likeness, patch, scaled
from vision.reading import Box, Die, Reading
from vision.registration import Move, back, moved

Ignore = Callable[[Sequence[Box]], Sequence[bool]]
"""Tells which of these boxes, in pixels of the frame, are not to be looked at any further."""

UNCHANGED: Final = 0.75
"""Correlation from which two patches show the same thing. On rendered pairs, unchanged things have 0.95 and more, a new
die 0.55 at most."""
SWAY: Final = 3
"""Pixels by which one place may still be shifted after the pictures are registered, as the mast sways."""
_CROWD: Final = 45
"""With no more places than half again a table's dice nothing is gained by knowing which of them are the cloth."""
_FEWEST_PRINTS: Final = 6
"""So many things that look alike are prints: lost dice hardly ever show so much the same."""
_MOST_PRINTS: Final = 120
"""So many of them are enough to compare with."""
_SAME_PRINT: Final = 0.8
"""Correlation from which two places show the same print, whatever its turn."""
_WIDTH: Final = 18
"""Places are shrunk to about this width in pixels before anything is compared."""
_SIDE: Final = 12
"""Side in pixels of the look of a print."""
_RIM: Final = 0.12
"""The part of a place's width that is not compared on each side: what lies round a print and a die is the cloth."""
_PLAIN: Final = 3.0
"""Standard deviation, in grey levels, of what shows nothing."""


class Cloth:
    """Tells what of a picture is the cloth, by an earlier picture of the quiet table."""

    def __init__(
        self, image: Image, before: Image, move: Move, lost: Sequence[Box], changed: Image | None = None
    ) -> None:
        """move: from `before` to `image`. lost: the dice that lay there. changed: as in `QuietTable`."""
        self._image, self._before, self._changed = image, before, changed
        self._back = back(move)
        self._lost = [moved(box, move) for box in lost]
        self._times = 0
        """How much smaller the pictures are that are compared; 0 while there is no crowd."""
        self._prints = np.zeros((0, _SIDE * _SIDE * 3), np.float32)

    def unchanged(self, boxes: Sequence[Box]) -> list[bool]:
        """Which boxes show what lay there before, and is none of the lost dice; none unless they are a crowd."""
        if not self._times and len(boxes) > _CROWD:
            self._times = max(1, int(median(box[2] for box in boxes) / _WIDTH))
            self._image, self._before = (_shrunk(each, self._times) for each in (self._image, self._before))
        if not self._times:
            return [False] * len(boxes)
        same = [self._is_unchanged(box) for box in boxes]
        if len(self._prints) < _MOST_PRINTS:
            new = self._looks([box for box, is_same in zip(boxes, same, strict=True) if is_same])
            self._prints = np.concatenate([self._prints, new])[:_MOST_PRINTS]
        return same

    def shown(self, boxes: Sequence[Box]) -> list[bool]:
        """Which boxes show the cloth: they are unchanged, or look like many that are."""
        same = self.unchanged(boxes)
        others = iter(self._are_prints([box for box, is_same in zip(boxes, same, strict=True) if not is_same]))
        return [is_same or next(others) for is_same in same]

    def doubted(self, reading: Reading) -> Reading:
        """The reading, its dice that look like the cloth uncertain."""
        prints = self._are_prints([die.box for die in reading.dice])
        dice = (die.as_uncertain() if out else die for die, out in zip(reading.dice, prints, strict=True))
        return replace(reading, dice=tuple(dice))

    def _are_prints(self, boxes: Sequence[Box]) -> list[bool]:
        if len(self._prints) < _FEWEST_PRINTS:
            return [False] * len(boxes)
        return _are_prints(self._looks(boxes), self._prints)

    def _looks(self, boxes: Sequence[Box]) -> Floats:
        return _looks(self._image, [scaled(box, 1 / self._times) for box in boxes])

    def _is_unchanged(self, box: Box) -> bool:
        there = moved(box, self._back)
        if any(dist(_middle(box), _middle(lost)) < max(box[2], lost[2]) for lost in self._lost):
            return False
        if self._changed is not None and self._changed[patch(self._changed, there)].any():
            return False
        small, small_there = scaled(box, 1 / self._times), scaled(there, 1 / self._times)
        offset = small_there[0] - small[0], small_there[1] - small[1]
        alike = likeness(self._image, self._before, small, max(1, round(SWAY / self._times)), offset)
        return alike is not None and alike > UNCHANGED


def without_prints(dice: Sequence[Die], image: Image) -> tuple[Die, ...]:
    """The dice that do not look like many of the others: a cloth whose flowers are read as dice has no such dice."""
    if len(dice) < _FEWEST_PRINTS:
        return tuple(dice)
    seen = _looks(image, [die.box for die in dice])
    return tuple(die for die, is_print in zip(dice, _are_prints(seen, seen), strict=True) if not is_print)


def _middle(box: Box) -> tuple[float, float]:
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def _shrunk(image: Image, times: int) -> Image:
    size = image.shape[1] // times, image.shape[0] // times
    whole = image[: size[1] * times, : size[0] * times]
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def _looks(image: Image, boxes: Sequence[Box]) -> Floats:
    """What each place shows without its mean colour: a row of length 1, or of 0 if it is plain."""
    rows = np.zeros((len(boxes), _SIDE * _SIDE * 3), np.float32)
    for row, (x, y, w, h) in zip(rows, boxes, strict=True):
        part = image[patch(image, (x + _RIM * w, y + _RIM * h, (1 - 2 * _RIM) * w, (1 - 2 * _RIM) * h))]
        if part.size:
            look = cv2.resize(part, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
            row[:] = (look - look.mean(axis=(0, 1))).ravel()
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.where(lengths > _PLAIN * rows.shape[1] ** 0.5, rows / np.maximum(lengths, 1), 0), np.float32)


def _are_prints(seen: Floats, others: Floats) -> list[bool]:
    """Which of the looks `seen` are like so many of `others` that they are prints."""
    square = seen.reshape(len(seen), _SIDE, _SIDE, 3)
    ways = [np.rot90(way, turn, axes=(1, 2)) for way in (square, square[:, ::-1]) for turn in range(4)]
    alike = np.concatenate(ways).reshape(len(ways) * len(seen), others.shape[1]) @ others.T
    best = alike.reshape(len(ways), len(seen), len(others)).max(axis=0)
    return [bool(number >= _FEWEST_PRINTS) for number in (best >= _SAME_PRINT).sum(axis=1)]
