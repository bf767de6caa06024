"""One frame before the networks: looked at whole or in part at any scale, and die by die, each die once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.models.networks import WIDE, Image, Look, Networks, Spot
from vision.pipeline.crop import cut
from vision.pipeline.packing import shelve

Part = tuple[int, int, int, int]
"""x, y, width, height in pixels of the frame."""

Key = tuple[float, float, float, float]
"""A spot's place and size, which tell it from every other of the frame."""

_MOST: Final = 800_000
"""Pixels that the detector is given at once; more are cut into bands, or a small box would run out of memory."""
_OVERLAP: Final = 160
"""Pixels, as the detector sees them, that neighbouring bands share: each die is whole in one of them."""
_WASTE: Final = 2.0
"""A sheet has at most so many times the pixels of what lies on it."""
_WITHIN: Final = 0.4
"""A die whose middle lies nearer to the edge of its part than this, in die widths, is cut off by it."""
_TURNS: Final = (1, 2, 3)
"""Quarter turns that the second classifier sees a die at: the first has seen it at none."""


@dataclass(frozen=True, slots=True)
class _Tile:
    """A part of the frame, as the detector is to see it."""

    image: Image
    part: Part

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, as the detector sees it."""
        return self.image.shape[1], self.image.shape[0]

    def back(self, spot: Spot) -> Spot:
        """From the tile's pixels to the frame's."""
        left, top, width, height = self.part
        fx, fy = width / self.image.shape[1], height / self.image.shape[0]
        return replace(spot, x=left + spot.x * fx, y=top + spot.y * fy, w=spot.w * fx, h=spot.h * fy)


def _resized(image: Image, size: tuple[int, int]) -> Image:
    """The picture at another size, width and height.

    Where it becomes much smaller, and it divides, it does so by a whole number first: as sharp, in a sixth of the time.
    """
    height, width = image.shape[:2]
    whole = min(width // size[0], height // size[1])
    if whole > 1 and width % whole == height % whole == 0:
        image = np.asarray(cv2.resize(image, (width // whole, height // whole), interpolation=cv2.INTER_AREA), np.uint8)
        how = cv2.INTER_LINEAR
    else:
        how = cv2.INTER_AREA if size[0] < width else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)


def holds(part: Part, spot: Spot, width: int, height: int) -> bool:
    """Whether the spot lies well within the part, or at that edge of the frame (width x height) where the part ends."""
    left, top, w, h = part
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
        self._crops: dict[Key, Image] = {}
        self._looks: dict[Key, Look] = {}
        """What the classifier made of each spot."""

    def spots(self, scale: float, threshold: float) -> list[Spot]:
        """What the detector sees in the frame at this scale; in pixels of the frame, surest first.

        Where the picture was seen in bands, a die may be among them twice.
        """
        height, width = self.image.shape[:2]
        return self.spots_in([(0, 0, width, height)], scale, threshold)

    def spots_in(self, parts: Sequence[Part], scale: float, threshold: float, *, second: bool = False) -> list[Spot]:
        """What a detector sees in these parts of the frame, laid side by side: one look for all, surest first.

        What lies across the edge of a part, where that is not the frame's edge too, is not among them. second: by the
        second detector.
        """
        tiles = [self._tile(scale, band) for part in parts for band in _bands(part, scale)]
        spots = (spot for sheet in _sheets(tiles) for spot in self._sheet(sheet, threshold, second))
        return sorted(spots, key=lambda s: -s.score)

    def _sheet(self, tiles: Sequence[_Tile], threshold: float, second: bool) -> list[Spot]:
        (wide, tall), places = shelve([tile.size for tile in tiles])
        sheet = np.full((tall, wide, 3), 127, np.uint8)
        owner = np.full((tall, wide), -1, np.int32)
        for k, (tile, (x, y)) in enumerate(zip(tiles, places, strict=True)):
            h, w = tile.image.shape[:2]
            sheet[y : y + h, x : x + w] = tile.image
            owner[y : y + h, x : x + w] = k
        height, width = self.image.shape[:2]
        spots = []
        for seen in self._networks.spots(sheet, threshold, second=second):
            k = int(owner[min(tall - 1, max(0, int(seen.y))), min(wide - 1, max(0, int(seen.x)))])
            if k < 0:
                continue
            spot = tiles[k].back(replace(seen, x=seen.x - places[k][0], y=seen.y - places[k][1]))
            if holds(tiles[k].part, spot, width, height):
                spots.append(spot)
        return spots

    def _tile(self, scale: float, part: Part) -> _Tile:
        left, top, width, height = part
        seen = self.image[top : top + height, left : left + width]
        return _Tile(_resized(seen, (max(16, round(width * scale)), max(16, round(height * scale)))), part)

    def crop(self, spot: Spot) -> Image:
        """The spot as the first classifier sees it, from the full frame."""
        key = _key(spot)
        if key not in self._crops:
            self._crops[key] = cut(self.image, spot)
        return self._crops[key]

    def looks(self, spots: Sequence[Spot]) -> list[Look]:
        """What the classifier makes of each spot."""
        new = {_key(spot): self.crop(spot) for spot in spots if _key(spot) not in self._looks}
        self._looks.update(zip(new, self._networks.looks(list(new.values())), strict=True))
        return [self._looks[_key(spot)] for spot in spots]

    def second_looks(self, spots: Sequence[Spot]) -> list[list[Look]]:
        """What the second classifier makes of each spot, with each of its other sides up."""
        crops = [cut(self.image, spot, WIDE) for spot in spots]
        turned = [np.ascontiguousarray(np.rot90(crop, turn)) for crop in crops for turn in _TURNS]
        looks = self._networks.looks(turned, second=True)
        return [looks[k : k + len(_TURNS)] for k in range(0, len(looks), len(_TURNS))]


def _bands(part: Part, scale: float) -> list[Part]:
    """The part, or where that is too much for the detector at this scale, bands of it that share `_OVERLAP`."""
    left, top, width, height = part
    tall = max(_OVERLAP * 2, int(_MOST / max(16.0, width * scale))) / scale
    step = tall - _OVERLAP / scale
    starts = [top + k * step for k in range(max(1, math.ceil((height - _OVERLAP / scale) / step)))]
    return [(left, round(y), width, min(top + height, round(y + tall)) - round(y)) for y in starts]


def _sheets(tiles: Sequence[_Tile]) -> list[list[_Tile]]:
    """The tiles that go on a sheet together: not too many, and not a long one with a tall one, with nothing between."""
    if not tiles or _fits(tiles):
        return [list(tiles)] if tiles else []
    sheets: list[list[_Tile]] = [[]]
    for tile in sorted(tiles, key=lambda tile: -tile.size[1]):
        if sheets[-1] and not _fits([*sheets[-1], tile]):
            sheets.append([])
        sheets[-1].append(tile)
    return sheets


def _fits(tiles: Sequence[_Tile]) -> bool:
    (wide, tall), _ = shelve([tile.size for tile in tiles])
    return wide * tall <= min(_MOST, _WASTE * sum(w * h for w, h in (tile.size for tile in tiles)))


def _key(spot: Spot) -> Key:
    return spot.x, spot.y, spot.w, spot.h
