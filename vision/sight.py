"""One frame before the networks: looked at whole or in part at any scale, and die by die, each die once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.cut import cut
from vision.networks import Floats, Image, Look, Networks, Spot
from vision.shelves import shelve

Part = tuple[int, int, int, int]
"""x, y, width, height in pixels of the frame."""

Key = tuple[float, float, float, float]
"""A spot's place and size, which tell it from every other of the frame."""

_MOST: Final = 800_000
"""Pixels that the detector is given at once; more are cut into bands, or a small box would run out of memory."""
_OVERLAP: Final = 160
"""Pixels, as the detector sees them, that neighbouring bands share: each die is whole in one of them."""
_WITHIN: Final = 0.4
"""A die whose middle lies nearer to the edge of its part than this, in die widths, is cut off by it."""
_BATCH: Final = 64
"""Crops that the classifier is given at once."""
_CAREFUL: Final = 24
"""Doubtful dice that are looked at again; where there are more, the table is full of something else."""
_PLAIN: Final = 0.97
"""A look whose likeliest face and whose "one whole die" are both surer than this needs no second one."""
_HOPELESS: Final = 0.02
"""Nor does one that is so surely no die."""


@dataclass(frozen=True, slots=True)
class _Tile:
    """A part of the frame, as the detector is to see it."""

    image: Image
    part: Part

    def back(self, spot: Spot) -> Spot:
        """From the tile's pixels to the frame's."""
        left, top, width, height = self.part
        fx, fy = width / self.image.shape[1], height / self.image.shape[0]
        return replace(spot, x=left + spot.x * fx, y=top + spot.y * fy, w=spot.w * fx, h=spot.h * fy)

    def holds(self, spot: Spot, width: int, height: int) -> bool:
        """Whether it lies well within the part, or at that edge of the frame (width x height) where the part ends."""
        left, top, w, h = self.part
        reach = _WITHIN * max(spot.w, spot.h)
        return (
            (left == 0 or spot.x - left >= reach)
            and (top == 0 or spot.y - top >= reach)
            and (left + w >= width or left + w - spot.x >= reach)
            and (top + h >= height or top + h - spot.y >= reach)
        )


class Sight:
    """A frame (BGR) and what has been seen in it so far."""

    def __init__(self, image: Image, networks: Networks) -> None:
        self.image = image
        self._networks = networks
        self._looks: dict[Key, tuple[Image, Look]] = {}
        """The crop and what the classifier made of it."""

    def spots(self, scale: float, threshold: float) -> list[Spot]:
        """What the detector sees in the frame at this scale; in pixels of the frame, surest first.

        Where the picture was seen in bands, a die may be among them twice.
        """
        height, width = self.image.shape[:2]
        tall = max(_OVERLAP * 2, round(_MOST / max(16.0, width * scale)))  # of a band, as the detector sees it
        if height * scale <= tall:
            return self._band(scale, threshold, 0, height)
        step, reach = (tall - _OVERLAP) / scale, tall / scale
        spots = []
        for k in range(math.ceil((height * scale - _OVERLAP) / (tall - _OVERLAP))):
            start, end = round(k * step), min(height, round(k * step + reach))
            # a die near a band's end is cut off there, and whole in the next one
            low = 0.0 if k == 0 else start + _OVERLAP / 4 / scale
            high = height if end == height else end - _OVERLAP / 4 / scale
            spots += [s for s in self._band(scale, threshold, start, end) if low <= s.y <= high]
        return sorted(spots, key=lambda s: -s.score)

    def _band(self, scale: float, threshold: float, top: int, bottom: int) -> list[Spot]:
        tile = self._tile(scale, (0, top, self.image.shape[1], bottom - top))
        return [tile.back(spot) for spot in self._networks.spots(tile.image, threshold)]

    def spots_in(self, parts: Sequence[Part], scale: float, threshold: float, *, second: bool = False) -> list[Spot]:
        """What a detector sees in these parts of the frame, laid side by side: one look for all, surest first.

        What lies across the edge of a part, where that is not the frame's edge too, is not among them. second: by the
        second detector.
        """
        tiles = [self._tile(scale, part) for part in parts]
        spots: list[Spot] = []
        while tiles:
            room = np.cumsum([tile.image.shape[0] * tile.image.shape[1] for tile in tiles])
            count = max(1, int(np.searchsorted(room, _MOST, side="right")))
            spots += self._sheet(tiles[:count], threshold, second)
            tiles = tiles[count:]
        return sorted(spots, key=lambda s: -s.score)

    def _sheet(self, tiles: Sequence[_Tile], threshold: float, second: bool) -> list[Spot]:
        (wide, tall), places = shelve([(tile.image.shape[1], tile.image.shape[0]) for tile in tiles])
        sheet = np.full((tall, wide, 3), 127, np.uint8)
        owner = np.full((tall, wide), -1, np.int32)
        for k, (tile, (x, y)) in enumerate(zip(tiles, places, strict=True)):
            h, w = tile.image.shape[:2]
            sheet[y : y + h, x : x + w] = tile.image
            owner[y : y + h, x : x + w] = k
        height, width = self.image.shape[:2]
        spots = []
        for seen in self._networks.spots(sheet, threshold, second=second):
            k = int(owner[min(tall - 1, int(seen.y)), min(wide - 1, int(seen.x))])
            if k < 0:
                continue
            spot = tiles[k].back(replace(seen, x=seen.x - places[k][0], y=seen.y - places[k][1]))
            if tiles[k].holds(spot, width, height):
                spots.append(spot)
        return spots

    def _tile(self, scale: float, part: Part) -> _Tile:
        left, top, width, height = part
        seen = self.image[top : top + height, left : left + width]
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        size = (max(16, round(width * scale)), max(16, round(height * scale)))
        return _Tile(np.asarray(cv2.resize(seen, size, interpolation=how), dtype=np.uint8), part)

    def looks(self, spots: Sequence[Spot]) -> list[Look]:
        """What the classifier makes of each spot, from the full frame."""
        new = {_key(spot): cut(self.image, spot) for spot in spots if _key(spot) not in self._looks}
        seen = zip(new.values(), self._classify(list(new.values())), strict=True)
        self._looks.update(zip(new, seen, strict=True))
        return [self._looks[_key(spot)][1] for spot in spots]

    def careful_looks(self, spots: Sequence[Spot]) -> list[Look]:
        """The same; what is not plain is turned to its other three sides, and the second classifier is asked."""
        looks = self.looks(spots)
        doubtful = [k for k, look in enumerate(looks) if _doubtful(look)][:_CAREFUL]
        crops = [self._looks[_key(spots[k])][0] for k in doubtful]
        turned = [np.ascontiguousarray(np.rot90(crop, turn)) for crop in crops for turn in (1, 2, 3)]
        others = self._classify(turned, second=True)
        for n, k in enumerate(doubtful):
            looks[k] = _mean([looks[k], *others[3 * n : 3 * n + 3]])
        return looks

    def _classify(self, crops: list[Image], *, second: bool = False) -> list[Look]:
        batches = (crops[k : k + _BATCH] for k in range(0, len(crops), _BATCH))
        return [look for batch in batches for look in self._networks.looks(batch, second=second)]


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
