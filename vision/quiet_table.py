"""Builds a picture of the quiet table: what lies there while the cups are down, without passing hands.

The picture grows tile by tile. A tile is taken from a frame once it has not changed for a while, and replaced once it
has looked different for longer. So a passing hand leaves no trace, and a cup that was lifted hides its dice again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Self, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Floats, Image
from vision.cloth import are_prints
from vision.reading import Die, Reading

_TILE: Final = 8
"""Side of a tile, in pixels of the small pictures that are compared."""
_SMALL_WIDTH: Final = 480
"""The width of the small pictures in pixels."""
_STILL_FOR: Final = 1.0
"""Seconds that a tile must stay unchanged to be taken."""
_REPLACED_AFTER: Final = 3.0
"""Seconds that a tile must stay unchanged to replace an earlier one: hands rest for a while, cups for longer."""
_CHANGE: Final = 0.12
"""The change of a tile's detail, in logarithms of brightness, that exceeds noise."""
_COLOUR_CHANGE: Final = 10.0
"""The same for a tile's colour, in CIE Lab."""
_NEIGHBOURS: Final = np.ones((3, 3), np.uint8)
"""Tiles this near to a changing one are not taken either, because a hand's edge moves less than a tile between frames.
Tiles this near to a new one are taken with it, for the edge of its shadow.
"""

_GREY: Final = 127
"""Grey level of unknown parts of the picture."""

Levels = TypeVar("Levels", np.uint8, np.float32)
Tiles = npt.NDArray[np.bool_]
"""rows x columns of tiles."""


@dataclass(frozen=True, slots=True)
class QuietTable:
    """The table while the cups are down."""

    image: Image
    """Grey where the table was never seen at rest."""
    dice: tuple[Die, ...]
    """The uncovered dice."""
    changed: Image | None = None
    """height x width: 255 where something has changed since, such as a hand; None if nothing has."""

    @classmethod
    def of(cls, image: Image, reading: Reading) -> Self:
        """The table with the dice of this reading, without prints of the cloth."""
        prints = are_prints([die.box for die in reading.dice], image)
        return cls(image, tuple(die for die, is_print in zip(reading.dice, prints, strict=True) if not is_print))


@dataclass(slots=True)
class _Mosaic:
    image: Image
    detail: Floats
    """The detail of the picture."""
    last_detail: Floats
    """The detail of each tile when it last changed."""
    changed_at: Floats
    """When each tile last changed."""
    taken: Tiles
    """The tiles that are in the picture."""
    current: Tiles
    """The tiles in the picture that still look the same."""
    former: Image | None = None
    """The picture before each tile was last replaced; None if no tile was."""


class QuietPicture:
    """Builds the picture from successive frames. A new one begins with every round."""

    def __init__(self) -> None:
        self._mosaic: _Mosaic | None = None

    def tables(self, read: Callable[[Image], Reading]) -> tuple[QuietTable, ...]:
        """Return the table as it was last seen at rest, with the dice that `read` finds; empty if nothing was seen.

        If a part of it was seen and then covered for long, as by a resting arm, the table before that comes first.
        """
        mosaic = self._mosaic
        if mosaic is None or not mosaic.taken.any():
            return ()
        shape = mosaic.image.shape[:2]
        pictures = [each.copy() for each in (mosaic.former, mosaic.image) if each is not None]
        for picture in pictures:
            cv2.copyTo(np.full_like(picture, _GREY), _pixels(~mosaic.taken, shape), picture)
        *earlier, last = (QuietTable.of(picture, read(picture)) for picture in pictures)
        changed = _pixels(mosaic.taken & ~mosaic.current, shape)
        return (*earlier, replace(last, changed=changed) if changed.any() else last)

    def see(self, image: Image, small: Image, at: float) -> None:
        """Add the next frame, height x width x 3, taken at `at` seconds of a monotonic clock. Another size starts
        afresh.

        `small` is the same picture at any size; a smaller one is faster to compare.
        """
        detail = _detail(small)
        mosaic = self._mosaic
        if mosaic is None or mosaic.image.shape != image.shape:
            none = np.zeros(_tiles(detail).shape, bool)
            changed_at = np.full(none.shape, at)
            self._mosaic = _Mosaic(image.copy(), detail, detail, changed_at, none, none)
            return
        changed = _with_neighbours(_differ(detail, mosaic.last_detail))
        mosaic.changed_at[changed] = at
        mosaic.last_detail = _with_tiles(mosaic.last_detail, detail, changed)
        mosaic.current = mosaic.taken & ~_differ(detail, mosaic.detail)
        still = at - mosaic.changed_at >= np.where(mosaic.taken, _REPLACED_AFTER, _STILL_FOR)
        new = _with_neighbours(~mosaic.current & still) & still
        if new.any():
            replaced, first = new & mosaic.taken, new & ~mosaic.taken
            if mosaic.former is not None:
                mosaic.former = _with_tiles(_with_tiles(mosaic.former, image, first), mosaic.image, replaced)
            elif replaced.any():
                mosaic.former = _with_tiles(mosaic.image, image, first)
            mosaic.image = _with_tiles(mosaic.image, image, new)
            mosaic.detail = _with_tiles(mosaic.detail, detail, new)
            mosaic.taken = mosaic.taken | new
            mosaic.current = mosaic.current | new


def _with_neighbours(tiles: Tiles) -> Tiles:
    return np.asarray(cv2.dilate(tiles.astype(np.uint8), _NEIGHBOURS) > 0)


def _differ(detail: Floats, other: Floats) -> Tiles:
    """The tiles in which two pictures differ by more than noise."""
    return np.asarray(_tiles(np.abs(detail - other)) > _CHANGE)


def _detail(image: Image) -> Floats:
    """A small picture without the light, height x width x 3: the logarithm of its brightness, high-pass filtered, shows
    edges; its colour shows what has no edges, such as the top of a cup.
    """
    height, width = image.shape[:2]
    size = (_SMALL_WIDTH, max(_TILE, round(height * _SMALL_WIDTH / width)))
    # Everything below is blurred, so interpolating between four pixels is as good as averaging an area.
    way = cv2.INTER_LINEAR if width < 2 * _SMALL_WIDTH else cv2.INTER_AREA
    small = cv2.resize(image, size, interpolation=way).astype(np.float32)
    light = np.log(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0) + 16)
    _, a, b = cv2.split(cv2.cvtColor(cv2.GaussianBlur(small / 255, (0, 0), 2.0), cv2.COLOR_BGR2LAB))
    scale = _CHANGE / _COLOUR_CHANGE
    return np.asarray(cv2.merge([light - _smooth(light), a * scale, b * scale]), np.float32)


def _smooth(light: Floats) -> Floats:
    """Blurred with a standard deviation of 12 pixels, computed at a quarter of the size in a tenth of the time."""
    height, width = light.shape
    quarter = cv2.resize(light, (width // 4, max(1, height // 4)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(cv2.GaussianBlur(quarter, (0, 0), 3), (width, height)), np.float32)


def _tiles(detail: Floats) -> Floats:
    """The largest value of each tile."""
    rows, columns = -(-detail.shape[0] // _TILE), -(-detail.shape[1] // _TILE)
    most = np.maximum(np.maximum(detail[..., 0], detail[..., 1]), detail[..., 2])  # thirty times as fast as `max`
    grown = cv2.dilate(most, np.ones((_TILE, _TILE), np.uint8), anchor=(0, 0))
    return np.asarray(grown[::_TILE, ::_TILE][:rows, :columns], np.float32)


def _pixels(tiles: Tiles, shape: tuple[int, ...]) -> Image:
    """A mask of this height and width: 255 in the tiles, else 0."""
    mask = cv2.resize(tiles.astype(np.uint8) * 255, (shape[1], shape[0]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(mask, np.uint8)


def _with_tiles(picture: npt.NDArray[Levels], other: npt.NDArray[Levels], tiles: Tiles) -> npt.NDArray[Levels]:
    """The picture with these tiles of another one."""
    return np.asarray(cv2.copyTo(other, _pixels(tiles, other.shape), picture.copy()), picture.dtype)
