"""Recognises the cloth: boxes that look as they did before the cups went up, and prints of its pattern.

A patterned cloth may have more flowers than the table has dice. Classifying them would waste time.
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
from vision.patch import Move, back, likeness, middle, moved, patch, scaled
from vision.pattern import PLAIN, SAME_COLOUR, Pattern
from vision.reading import Box

Ignore = Callable[[Sequence[Box]], Sequence[bool]]
"""Marks the boxes, in pixels of the frame, that need no further look."""

UNCHANGED: Final = 0.75
"""The least correlation of two patches that show the same thing. On rendered pairs, unchanged things have at least
0.95, and a new die at most 0.55."""
SWAY: Final = 3
"""Pixels by which a place may still be shifted after registration, because the mast sways."""
_CROWD: Final = 45
"""If there are more candidates than this, one and a half times a table's dice, the cloth may have a pattern."""
_MOST_NEW: Final = 60
"""At most this many new candidates, the surest, are compared with the pattern."""
FEWEST_PRINTS: Final = 6
"""An object with this many look-alikes is a print: there are only five dice of a colour."""
_WIDTH: Final = 12
"""Boxes are shrunk to about this width in pixels before they are compared."""
_BESIDE: Final = (0.5, 1.4)
"""Distance, in widths, of two things that lie side by side or overlap."""
_SIDE: Final = 12
"""Side in pixels of the patches that are compared to find prints."""
_RIM: Final = 0.12
"""The share of a box's width that is cropped on each side: the cloth round a print or a die."""
_LEFT: Final = np.tile(np.arange(_SIDE) < _SIDE // 2, (_SIDE, 1))
_PARTS: Final = (
    (np.ones((_SIDE, _SIDE), bool), 0.8),
    *((half, 0.9) for half in (_LEFT, ~_LEFT, _LEFT.T, ~_LEFT.T)),
)
"""Which part of a print is compared, the whole or a half (a die may cover the rest), with its least correlation."""


class Cloth:
    """Recognises the cloth by comparing a picture with an earlier one of the quiet table."""

    def __init__(
        self, image: Image, before: Image, move: Move, lost: Sequence[Box], changed: Image | None = None
    ) -> None:
        """move: from `before` to `image`. lost: the dice that lay there. changed: as in `QuietTable`."""
        self._image, self._before, self._changed = image, before, changed
        self._move, self._back = move, back(move)
        self._lost = [moved(box, move) for box in lost]
        self._times = 0
        """The factor by which the compared pictures are shrunk; 0 until the first box is known."""
        self._pattern: Pattern | None = None
        self.is_printed = False
        """True once there were so many candidates, many of them unchanged, that the cloth must have a pattern."""

    def unchanged(self, boxes: Sequence[Box]) -> list[bool]:
        """For each box, whether it looks as it did before and holds none of the lost dice."""
        if boxes and not self._times:
            self._times = max(1, round(median(box[2] for box in boxes) / _WIDTH))
            self._image, before = (_shrunk(each, self._times) for each in (self._image, self._before))
            size, how = before.shape[1::-1], cv2.BORDER_REPLICATE
            # Aligned to a fraction of a pixel.
            moved_before = cv2.warpAffine(before, self._move / (1, 1, self._times), size, borderMode=how)
            self._before = np.asarray(moved_before, np.uint8)
        same = [not self._is_lost(box) and self._is_unchanged(box) for box in boxes]
        self.is_printed |= len(boxes) > _CROWD and sum(same) >= FEWEST_PRINTS
        return same

    def shown(self, boxes: Sequence[Box]) -> list[bool]:
        """For each box, whether it shows the cloth: it is unchanged, or it repeats another part of the cloth."""
        same = self.unchanged(boxes)
        new = [n for n, is_same in enumerate(same) if not is_same and not self._is_lost(boxes[n])][:_MOST_NEW]
        beside = [boxes[n] for n in new]
        repeated = {n for n in new if self._is_repeated(boxes[n], beside)}
        return [is_same or n in repeated for n, is_same in enumerate(same)]

    def _is_lost(self, box: Box) -> bool:
        return any(_apart(box, lost) < max(box[2], lost[2]) for lost in self._lost)

    def _is_repeated(self, box: Box, beside: Sequence[Box]) -> bool:
        if self._pattern is None:
            self._pattern = Pattern(self._before, [scaled(lost, 1 / self._times) for lost in self._lost])
        partly = any(_BESIDE[0] < _apart(box, other) / max(box[2], other[2]) < _BESIDE[1] for other in beside)
        return self._pattern.repeats(self._image, scaled(box, 1 / self._times), halves=partly)

    def _is_unchanged(self, box: Box) -> bool:
        if self._changed is not None and self._changed[patch(self._changed, moved(box, self._back))].any():
            return False
        sway = max(1, round(SWAY / self._times))
        alike = likeness(self._image, self._before, scaled(box, 1 / self._times), sway)
        return alike is not None and alike > UNCHANGED


def are_prints(boxes: Sequence[Box], image: Image) -> list[bool]:
    """For each box, whether it has so many look-alikes that it is a print of the cloth."""
    if len(boxes) <= FEWEST_PRINTS:
        return [False] * len(boxes)
    looks = _looks(image, boxes)
    return [bool(number > FEWEST_PRINTS) for number in _alike(looks, looks).sum(axis=1)]


def _apart(box: Box, other: Box) -> float:
    """Pixels between the centres of two boxes."""
    return dist(middle(box), middle(other))


def _shrunk(image: Image, times: int) -> Image:
    size = image.shape[1] // times, image.shape[0] // times
    whole = image[: size[1] * times, : size[0] * times]
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def _looks(image: Image, boxes: Sequence[Box]) -> Floats:
    """The middle of each box, n x `_SIDE` x `_SIDE` x 3."""
    looks = np.zeros((len(boxes), _SIDE, _SIDE, 3), np.float32)
    for look, (x, y, w, h) in zip(looks, boxes, strict=True):
        part = image[patch(image, (x + _RIM * w, y + _RIM * h, (1 - 2 * _RIM) * w, (1 - 2 * _RIM) * h))]
        if part.size:
            look[:] = cv2.resize(part, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    return looks


def _alike(ones: Floats, others: Floats) -> npt.NDArray[np.bool_]:
    """Which patches show the same print, whole or half of it: a row for each of `ones`."""
    ways = np.stack([np.rot90(way, turn, axes=(1, 2)) for way in (ones, ones[:, ::-1]) for turn in range(4)])
    alike = np.zeros((len(ones), len(others)), bool)
    for part, least in _PARTS:
        (pattern, colour), (other_pattern, other_colour) = _look(ways[:, :, part]), _look(others[:, part])
        apart = np.abs(colour[:, :, None] - other_colour)
        alike |= ((pattern @ other_pattern.T >= least) & (apart <= SAME_COLOUR).all(axis=-1)).any(axis=0)
    return alike


def _look(pixels: Floats) -> tuple[Floats, Floats]:
    """Pixels without their mean colour, as unit vectors (zero vectors if plain), and the mean colour in CIE Lab."""
    means = pixels.mean(axis=-2, keepdims=True)
    rows = (pixels - means).reshape(*pixels.shape[:-2], -1)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    rows = np.where(lengths > PLAIN * rows.shape[-1] ** 0.5, rows / np.maximum(lengths, 1), 0)
    lab = cv2.cvtColor(means.reshape(-1, 1, 3) / 255, cv2.COLOR_BGR2LAB)
    return np.asarray(rows, np.float32), np.asarray(lab.reshape(*pixels.shape[:-2], 3), np.float32)
