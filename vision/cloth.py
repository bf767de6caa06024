"""What of a picture is the cloth: what lay there before, and is no die, and whatever looks like much of that.

The pattern of a cloth may have more flowers than the table has dice. None of them is worth a look of the classifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import dist
from statistics import median
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Floats, Image
from vision.patch import Move, back, likeness, moved, patch, scaled
from vision.reading import Box

Ignore = Callable[[Sequence[Box]], Sequence[bool]]
"""Tells which of these boxes, in pixels of the frame, are not to be looked at any further."""

UNCHANGED: Final = 0.75
"""Correlation from which two patches show the same thing. On rendered pairs, unchanged things have 0.95 and more, a new
die 0.55 at most."""
SWAY: Final = 3
"""Pixels by which one place may still be shifted after the pictures are registered, as the mast sways."""
_CROWD: Final = 45
"""With no more places than half again a table's dice nothing is gained by knowing which of them are the cloth."""
FEWEST_PRINTS: Final = 6
"""What looks like so many others is a print: there are five dice of a colour."""
_MOST_PRINTS: Final = 120
"""So many of them are enough to compare with."""
_WIDTH: Final = 18
"""Places are shrunk to about this width in pixels before anything is compared."""
_SAME_COLOUR: Final = np.array([30.0, 12.0, 12.0])
"""The most that two prints differ in colour, in CIE Lab; in lightness by any shadow."""
_SIDE: Final = 12
"""Side in pixels of the look of a print."""
_RIM: Final = 0.12
"""The part of a place's width that is not compared on each side: what lies round a print and a die is the cloth."""
_LEFT: Final = np.tile(np.arange(_SIDE) < _SIDE // 2, (_SIDE, 1))
_PARTS: Final = (
    (np.ones((_SIDE, _SIDE), bool), 0.8),
    *((half, 0.9) for half in (_LEFT, ~_LEFT, _LEFT.T, ~_LEFT.T)),
)
"""What shows a print: all of it, or half if a die lies on the rest; and the correlation from which it is the same."""
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
        self._prints = np.zeros((0, _SIDE, _SIDE, 3), np.float32)

    @property
    def is_printed(self) -> bool:
        """Whether so much looked like dice before the cups went up that the cloth has a pattern."""
        return len(self._prints) >= FEWEST_PRINTS

    def unchanged(self, boxes: Sequence[Box]) -> list[bool]:
        """Which boxes show what lay there before, and is none of the lost dice; none unless they are a crowd."""
        if not self._times and len(boxes) > _CROWD:
            self._times = max(1, int(median(box[2] for box in boxes) / _WIDTH))
            self._image, self._before = (_shrunk(each, self._times) for each in (self._image, self._before))
        if not self._times:
            return [False] * len(boxes)
        same = [self._is_unchanged(box) for box in boxes]
        if len(self._prints) < _MOST_PRINTS:
            looks = self._looks([box for box, is_same in zip(boxes, same, strict=True) if is_same])
            self._prints = np.concatenate([self._prints, looks])[:_MOST_PRINTS]
        return same

    def shown(self, boxes: Sequence[Box]) -> list[bool]:
        """Which boxes show the cloth: they are unchanged, or look like many that are."""
        same = self.unchanged(boxes)
        new = [box for box, is_same in zip(boxes, same, strict=True) if not is_same]
        if not new or not self.is_printed:
            return same
        prints = iter((_alike(self._looks(new), self._prints).sum(axis=1) >= FEWEST_PRINTS).tolist())
        return [is_same or next(prints) for is_same in same]

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


def are_prints(boxes: Sequence[Box], image: Image) -> list[bool]:
    """Which places look like so many of the others that they are prints of the cloth."""
    if len(boxes) <= FEWEST_PRINTS:
        return [False] * len(boxes)
    looks = _looks(image, boxes)
    return [bool(number > FEWEST_PRINTS) for number in _alike(looks, looks).sum(axis=1)]


def _middle(box: Box) -> tuple[float, float]:
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def _shrunk(image: Image, times: int) -> Image:
    size = image.shape[1] // times, image.shape[0] // times
    whole = image[: size[1] * times, : size[0] * times]
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def _looks(image: Image, boxes: Sequence[Box]) -> Floats:
    """The middle of each place, `_SIDE` squared pixels in three colours."""
    looks = np.zeros((len(boxes), _SIDE, _SIDE, 3), np.float32)
    for look, (x, y, w, h) in zip(looks, boxes, strict=True):
        part = image[patch(image, (x + _RIM * w, y + _RIM * h, (1 - 2 * _RIM) * w, (1 - 2 * _RIM) * h))]
        if part.size:
            look[:] = cv2.resize(part, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    return looks


def _alike(ones: Floats, others: Floats) -> npt.NDArray[np.bool_]:
    """Which looks show the same print, whole or half of it, a row for each of `ones`."""
    ways = np.stack([np.rot90(way, turn, axes=(1, 2)) for way in (ones, ones[:, ::-1]) for turn in range(4)])
    alike = np.zeros((len(ones), len(others)), bool)
    for part, least in _PARTS:
        (pattern, colour), (other_pattern, other_colour) = _look(ways[:, :, part]), _look(others[:, part])
        apart = np.abs(colour[:, :, None] - other_colour)
        alike |= ((pattern @ other_pattern.T >= least) & (apart <= _SAME_COLOUR).all(axis=-1)).any(axis=0)
    return alike


def _look(pixels: Floats) -> tuple[Floats, Floats]:
    """Pixels without their mean colour, as vectors of length 1, or of 0 if they are plain; and that colour, in Lab."""
    means = pixels.mean(axis=-2, keepdims=True)
    rows = (pixels - means).reshape(*pixels.shape[:-2], -1)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    rows = np.where(lengths > _PLAIN * rows.shape[-1] ** 0.5, rows / np.maximum(lengths, 1), 0)
    lab = cv2.cvtColor(means.reshape(-1, 1, 3) / 255, cv2.COLOR_BGR2LAB)
    return np.asarray(rows, np.float32), np.asarray(lab.reshape(*pixels.shape[:-2], 3), np.float32)
