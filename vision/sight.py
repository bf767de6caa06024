"""One frame before the two networks: looked at whole or in part at any scale, and die by die, each die once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.cut import cut
from vision.networks import Floats, Image, Look, Networks, Spot

Part = tuple[int, int, int, int]
"""x, y, width, height in pixels of the frame."""

Key = tuple[float, float, float, float]
"""A spot's place and size, which tell it from every other of the frame."""

_MOST: Final = 800_000
"""Pixels that the detector is given at once; more are cut into bands, or a small box would run out of memory."""
_OVERLAP: Final = 160
"""Pixels, as the detector sees them, that neighbouring bands share: each die is whole in one of them."""
_BATCH: Final = 64
"""Crops that the classifier is given at once."""
_CAREFUL: Final = 24
"""Doubtful dice that are looked at again; where there are more, the table is full of something else."""
_PLAIN: Final = 0.97
"""A look whose likeliest face and whose "one whole die" are both surer than this needs no second one."""
_HOPELESS: Final = 0.02
"""Nor does one that is so surely no die."""


class Sight:
    """A frame (BGR) and what has been seen in it so far."""

    def __init__(self, image: Image, networks: Networks) -> None:
        self.image = image
        self._networks = networks
        self._looks: dict[Key, tuple[Image, Look]] = {}
        """The crop and what the classifier made of it."""

    def spots(self, scale: float, threshold: float, part: Part | None = None) -> list[Spot]:
        """What the detector sees in the frame, or a part of it, at this scale; in pixels of the frame, surest first.

        Where the picture was seen in bands, a die may be among them twice.
        """
        left, top, width, height = part or (0, 0, self.image.shape[1], self.image.shape[0])
        tall = max(_OVERLAP * 2, round(_MOST / max(16.0, width * scale)))  # of a band, as the detector sees it
        if height * scale <= tall:
            return self._band(scale, threshold, (left, top, width, height))
        step, reach = (tall - _OVERLAP) / scale, tall / scale
        spots = []
        for k in range(math.ceil((height * scale - _OVERLAP) / (tall - _OVERLAP))):
            start, end = round(k * step), min(height, round(k * step + reach))
            # a die near a band's end is cut off there, and whole in the next one
            low = 0.0 if k == 0 else start + _OVERLAP / 4 / scale
            high = height if end == height else end - _OVERLAP / 4 / scale
            band = self._band(scale, threshold, (left, top + start, width, end - start))
            spots += [s for s in band if low <= s.y - top <= high]
        return sorted(spots, key=lambda s: -s.score)

    def _band(self, scale: float, threshold: float, part: Part) -> list[Spot]:
        left, top, width, height = part
        seen = self.image[top : top + height, left : left + width]
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        size = (max(16, round(width * scale)), max(16, round(height * scale)))
        small = np.asarray(cv2.resize(seen, size, interpolation=how), dtype=np.uint8)
        fx, fy = width / size[0], height / size[1]
        return [
            replace(s, x=left + s.x * fx, y=top + s.y * fy, w=s.w * fx, h=s.h * fy)
            for s in self._networks.spots(small, threshold)
        ]

    def looks(self, spots: Sequence[Spot]) -> list[Look]:
        """What the classifier makes of each spot, from the full frame."""
        new = {_key(spot): cut(self.image, spot) for spot in spots if _key(spot) not in self._looks}
        seen = zip(new.values(), self._classify(list(new.values())), strict=True)
        self._looks.update(zip(new, seen, strict=True))
        return [self._looks[_key(spot)][1] for spot in spots]

    def careful_looks(self, spots: Sequence[Spot]) -> list[Look]:
        """The same; what is not plain at the first look is turned to its other three sides and looked at again."""
        looks = self.looks(spots)
        doubtful = [k for k, look in enumerate(looks) if _doubtful(look)][:_CAREFUL]
        crops = [self._looks[_key(spots[k])][0] for k in doubtful]
        turned = [np.ascontiguousarray(np.rot90(crop, turn)) for crop in crops for turn in (1, 2, 3)]
        others = self._classify(turned)
        for n, k in enumerate(doubtful):
            looks[k] = _mean([looks[k], *others[3 * n : 3 * n + 3]])
        return looks

    def _classify(self, crops: list[Image]) -> list[Look]:
        return [look for k in range(0, len(crops), _BATCH) for look in self._networks.looks(crops[k : k + _BATCH])]


def _key(spot: Spot) -> Key:
    return spot.x, spot.y, spot.w, spot.h


def _doubtful(look: Look) -> bool:
    return look.whole > _HOPELESS and min(look.whole, float(look.faces.max())) < _PLAIN


def _mean(looks: list[Look]) -> Look:
    def average(rows: list[Floats]) -> Floats:
        return np.asarray(np.mean(rows, axis=0), dtype=np.float32)

    return Look(
        average([look.faces for look in looks]),
        average([look.colours for look in looks]),
        float(np.mean([look.whole for look in looks])),
    )
