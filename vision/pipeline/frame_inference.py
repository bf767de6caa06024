"""Runs the networks on one frame; each die is classified once.

Parts of the frame are resized and packed into one mosaic, so that a detector runs once for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.image import Image
from vision.cloth import Ignore
from vision.models.networks import WIDE_CROP, Classification, Detection, Networks
from vision.pipeline.crop import Whole, crop_die
from vision.reading import Box

Region = tuple[int, int, int, int]
"""x, y, width, height in pixels of the frame."""

Size = tuple[int, int]
"""Width and height."""

_MAX_PIXELS: Final = 800_000
"""The most pixels that the detector gets at once; more are split into bands, or a small box runs out of memory."""
_BAND_OVERLAP: Final = 160
"""Overlap of neighbouring bands in pixels of the detector's input, so that each die is whole in one of them."""
_MAX_WASTE: Final = 2.0
"""The most pixels of a mosaic, as a multiple of its tiles' pixels."""
_EDGE_MARGIN: Final = 0.4
"""A die whose centre is nearer than this to the edge of its region, in die widths, is cut off."""
_QUARTER_TURNS: Final = (0, 1, 2, 3)
"""Quarter turns in which the second classifier sees a die."""
_SECOND_DIE: Final = 45.6
"""Width of the die in the second classifier's crops, in pixels: a little smaller than in the first one's, so that more
of its surroundings, such as a finger, is visible. The two then make different mistakes, and wrong ones among the
doubtful dice look wrong more often.
"""


@dataclass(frozen=True, slots=True)
class _Tile:
    """A region of the frame at the detector's scale."""

    image: Image
    region: Region

    @property
    def size(self) -> Size:
        return self.image.shape[1], self.image.shape[0]

    def in_frame(self, detection: Detection, x: float, y: float) -> Detection:
        """The detection at x, y of the tile, moved to the frame's pixels."""
        left, top, width, height = self.region
        fx, fy = width / self.image.shape[1], height / self.image.shape[0]
        return replace(detection, x=left + x * fx, y=top + y * fy, w=detection.w * fx, h=detection.h * fy)


def _resized(image: Image, size: Size) -> Image:
    """The picture at another size.

    A strong reduction first averages whole blocks of pixels: as sharp, in a sixth of the time.
    """
    height, width = image.shape[:2]
    whole = min(width // size[0], height // size[1])
    if whole > 1 and width % whole == height % whole == 0:
        image = np.asarray(cv2.resize(image, (width // whole, height // whole), interpolation=cv2.INTER_AREA), np.uint8)
        how = cv2.INTER_LINEAR
    else:
        how = cv2.INTER_AREA if size[0] < width else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)


def holds(region: Region, detection: Detection, width: int, height: int) -> bool:
    """True if the detection is well inside the region, or near an edge that is also the frame's (width x height)."""
    left, top, w, h = region
    reach = _EDGE_MARGIN * detection.size
    return (
        (left == 0 or detection.x - left >= reach)
        and (top == 0 or detection.y - top >= reach)
        and (left + w >= width or left + w - detection.x >= reach)
        and (top + h >= height or top + h - detection.y >= reach)
    )


class FrameInference:
    """A frame (BGR) and the networks' output for it so far."""

    def __init__(
        self, image: Image, networks: Networks, ignore: Ignore | None = None, whole: Whole | None = None
    ) -> None:
        self.image = image
        self._whole = whole
        self._ignore = ignore
        self._networks = networks
        self._classifications: dict[Box, Classification] = {}
        self._crops: dict[Box, Image] = {}

    def detect(self, scale: float, threshold: float) -> list[Detection]:
        """Detect dice in the whole frame at this scale; in pixels of the frame, surest first.

        A die may be detected twice if the frame was split into bands.
        """
        height, width = self.image.shape[:2]
        return self.detect_in([(0, 0, width, height)], scale, threshold)

    def detect_in(
        self, regions: Sequence[Region], scale: float, threshold: float, *, second: bool = False
    ) -> list[Detection]:
        """Detect dice in these regions, surest first, without those cut off by an edge that is not the frame's."""
        tiles = [self._tile(scale, band) for region in regions for band in _bands(region, scale)]
        detections = (
            detection for mosaic in _mosaics(tiles) for detection in self._detect_in_mosaic(mosaic, threshold, second)
        )
        found = sorted(detections, key=lambda s: -s.score)
        if self._ignore is None:
            return found
        out = self._ignore([detection.box for detection in found])
        return [detection for detection, ignored in zip(found, out, strict=True) if not ignored]

    def _detect_in_mosaic(self, tiles: Sequence[_Tile], threshold: float, second: bool) -> list[Detection]:
        (wide, tall), places = pack_shelves([tile.size for tile in tiles])
        mosaic = np.full((tall, wide, 3), 127, np.uint8)
        owner = np.full((tall, wide), -1, np.int32)
        for k, (tile, (x, y)) in enumerate(zip(tiles, places, strict=True)):
            w, h = tile.size
            mosaic[y : y + h, x : x + w] = tile.image
            owner[y : y + h, x : x + w] = k
        height, width = self.image.shape[:2]
        detections = []
        for raw in self._networks.detect(mosaic, threshold, second=second):
            k = int(owner[min(tall - 1, max(0, int(raw.y))), min(wide - 1, max(0, int(raw.x)))])
            if k < 0:
                continue
            detection = tiles[k].in_frame(raw, raw.x - places[k][0], raw.y - places[k][1])
            if holds(tiles[k].region, detection, width, height):
                detections.append(detection)
        return detections

    def _tile(self, scale: float, region: Region) -> _Tile:
        left, top, width, height = region
        part = self.image[top : top + height, left : left + width]
        return _Tile(_resized(part, (max(16, round(width * scale)), max(16, round(height * scale)))), region)

    def classify(self, detections: Sequence[Detection]) -> list[Classification]:
        """The first classifier's output for each detection, cached."""
        new = list(dict.fromkeys(die.box for die in detections if die.box not in self._classifications))
        self._classifications.update(zip(new, self._networks.classify([self.crop(box) for box in new]), strict=True))
        return [self._classifications[die.box] for die in detections]

    def crop(self, box: Box) -> Image:
        """The first classifier's crop of a die, cached."""
        if box not in self._crops:
            self._crops[box] = crop_die(self.image, box, whole=self._whole)
        return self._crops[box]

    def classify_turned(self, detections: Sequence[Detection]) -> list[list[Classification]]:
        """The second classifier's output for each detection, in all four rotations."""
        crops = [crop_die(self.image, detection.box, WIDE_CROP, _SECOND_DIE, self._whole) for detection in detections]
        turned = [np.ascontiguousarray(np.rot90(crop, turn)) for crop in crops for turn in _QUARTER_TURNS]
        classifications = self._networks.classify(turned, second=True)
        return [
            classifications[k : k + len(_QUARTER_TURNS)] for k in range(0, len(classifications), len(_QUARTER_TURNS))
        ]


def _bands(region: Region, scale: float) -> list[Region]:
    """The region, or overlapping bands of it if it is too large for the detector at this scale."""
    left, top, width, height = region
    tall = max(_BAND_OVERLAP * 2, int(_MAX_PIXELS / max(16.0, width * scale))) / scale
    step = tall - _BAND_OVERLAP / scale
    starts = [top + k * step for k in range(max(1, math.ceil((height - _BAND_OVERLAP / scale) / step)))]
    return [(left, round(y), width, min(top + height, round(y + tall)) - round(y)) for y in starts]


def _mosaics(tiles: Sequence[_Tile]) -> list[list[_Tile]]:
    """Group tiles into mosaics of at most `_MAX_PIXELS` without much empty space."""
    if tiles and _fits(tiles):
        return [list(tiles)]
    mosaics: list[list[_Tile]] = []
    for tile in sorted(tiles, key=lambda tile: -tile.size[1]):
        if mosaics and _fits([*mosaics[-1], tile]):
            mosaics[-1].append(tile)
        else:
            mosaics.append([tile])
    return mosaics


def _fits(tiles: Sequence[_Tile]) -> bool:
    (wide, tall), _ = pack_shelves([tile.size for tile in tiles])
    return wide * tall <= min(_MAX_PIXELS, _MAX_WASTE * sum(w * h for w, h in (tile.size for tile in tiles)))


def pack_shelves(sizes: Sequence[Size]) -> tuple[Size, list[Size]]:
    """Pack rectangles into a sheet; return its size and each rectangle's upper left corner.

    First-fit shelf packing, tallest first (Coffman et al. 1980); the sheet is about square.
    """
    wide = max(*(w for w, _ in sizes), math.ceil(math.sqrt(1.15 * sum(w * h for w, h in sizes))))
    places: list[Size] = [(0, 0)] * len(sizes)
    shelves: list[tuple[int, int, int]] = []  # top, height, width taken
    for k in sorted(range(len(sizes)), key=lambda k: -sizes[k][1]):
        w, h = sizes[k]
        n = next((n for n, (_, _, taken) in enumerate(shelves) if taken + w <= wide), len(shelves))
        if n == len(shelves):
            shelves.append((sum(tall for _, tall, _ in shelves), h, 0))
        top, tall, taken = shelves[n]
        places[k] = (taken, top)
        shelves[n] = (top, tall, taken + w)
    return (max(taken for _, _, taken in shelves), sum(tall for _, tall, _ in shelves)), places
