"""One frame before the two networks: looked at whole or in part at any scale, and die by die, each die once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.cut import cut
from vision.networks import Floats, Image, Look, Networks, Spot

Part = tuple[int, int, int, int]
"""x, y, width, height in pixels of the frame."""

_PLAIN: Final = 0.97
"""A look whose likeliest face and whose "one whole die" are both surer than this needs no second one."""
_HOPELESS: Final = 0.02
"""Nor does one that is so surely no die."""


class Sight:
    """A frame (BGR) and what has been seen in it so far."""

    def __init__(self, image: Image, networks: Networks) -> None:
        self.image = image
        self._networks = networks
        self._looks: dict[tuple[float, float, float, float], Look] = {}

    def spots(self, scale: float, threshold: float, part: Part | None = None) -> list[Spot]:
        """What the detector sees in the frame, or a part of it, at this scale; in pixels of the frame, surest first."""
        left, top, width, height = part or (0, 0, self.image.shape[1], self.image.shape[0])
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
        keys = [(s.x, s.y, s.w, s.h) for s in spots]
        new = {key: spot for key, spot in zip(keys, spots, strict=True) if key not in self._looks}
        crops = [cut(self.image, spot) for spot in new.values()]
        self._looks.update(zip(new, self._networks.looks(crops), strict=True))
        return [self._looks[key] for key in keys]

    def careful_looks(self, spots: Sequence[Spot]) -> list[Look]:
        """The same; what is not plain at the first look is turned to its other three sides and looked at again."""
        looks = self.looks(spots)
        doubtful = [k for k, look in enumerate(looks) if _doubtful(look)]
        crops = [cut(self.image, spots[k]) for k in doubtful]
        turned = [np.ascontiguousarray(np.rot90(crop, turn)) for crop in crops for turn in (1, 2, 3)]
        others = self._networks.looks(turned)
        for n, k in enumerate(doubtful):
            looks[k] = _mean([looks[k], *others[3 * n : 3 * n + 3]])
        return looks


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
