"""A picture of the quiet table: what lies there while the cups are down, without the hands that come and go.

The picture grows tile by tile. A tile is taken from a frame once it has not changed for a while, and replaced once it
has been different for longer. So a passing hand leaves no trace, and a cup that was lifted hides its dice again.
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
"""Side of a tile in pixels of the small pictures that are compared."""
_SMALL_WIDTH: Final = 480
"""The width of the small pictures in pixels."""
_STILL_FOR: Final = 1.0
"""Seconds that a tile must stay unchanged to be taken."""
_REPLACED_AFTER: Final = 3.0
"""Seconds that it must stay unchanged to replace what was there: hands rest for a while, cups for longer."""
_CHANGE: Final = 0.12
"""Change of a tile's detail, in logarithms of brightness, that is more than noise."""
_COLOUR_CHANGE: Final = 10.0
"""The same for its colour, in CIE Lab."""
_NEIGHBOURS: Final = np.ones((3, 3), np.uint8)
"""Tiles this near to a changing one are not taken either: a hand's edge moves less than a tile between two frames.
Those near to a new one are taken with it: there is the edge of its shadow.
"""

_GREY: Final = 127
"""The level that stands for what is not known."""

Levels = TypeVar("Levels", np.uint8, np.float32)
Tiles = npt.NDArray[np.bool_]
"""rows x columns of tiles."""


@dataclass(frozen=True, slots=True)
class QuietTable:
    """The table while the cups are down."""

    image: Image
    """Grey where it was never seen at rest."""
    dice: tuple[Die, ...]
    """The dice that lie uncovered."""
    changed: Image | None = None
    """height x width: 255 where something has changed since, as when a hand came; None if nothing has."""

    @classmethod
    def of(cls, image: Image, reading: Reading) -> Self:
        """The table with the dice that were read there, but for the prints of its cloth."""
        prints = are_prints([die.box for die in reading.dice], image)
        return cls(image, tuple(die for die, is_print in zip(reading.dice, prints, strict=True) if not is_print))


@dataclass(slots=True)
class _Mosaic:
    """The picture so far."""

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
    """Those of them that look the same now."""
    former: Image | None = None
    """The picture with what was in each tile before it was last replaced; None if no tile was."""


class QuietPicture:
    """Collects the picture from frames, one after the other. A new one begins with every round."""

    def __init__(self) -> None:
        self._mosaic: _Mosaic | None = None

    def tables(self, read: Callable[[Image], Reading]) -> tuple[QuietTable, ...]:
        """The table as it was last seen at rest, with the dice that `read` sees there; empty if none of it was.

        Before it, if there is one, comes what was seen before that, and then covered for long, as by a resting arm.
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
        """Take the next frame, height x width x 3, at `at` seconds of a monotonic clock. Another size begins anew.

        `small` is the same picture in any size; the smaller, the sooner it is compared.
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
    """A small picture without the light, height x width x 3: the logarithm of its brightness, high-pass filtered, which
    shows edges, and its colour, which shows what has none, such as the top of a cup.
    """
    height, width = image.shape[:2]
    size = (_SMALL_WIDTH, max(_TILE, round(height * _SMALL_WIDTH / width)))
    # All that follows is blurred, so between neighbours a mean of four pixels is as good as one over the area.
    way = cv2.INTER_LINEAR if width < 2 * _SMALL_WIDTH else cv2.INTER_AREA
    small = cv2.resize(image, size, interpolation=way).astype(np.float32)
    light = np.log(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0) + 16)
    _, a, b = cv2.split(cv2.cvtColor(cv2.GaussianBlur(small / 255, (0, 0), 2.0), cv2.COLOR_BGR2LAB))
    scale = _CHANGE / _COLOUR_CHANGE
    return np.asarray(cv2.merge([light - _smooth(light), a * scale, b * scale]), np.float32)


def _smooth(light: Floats) -> Floats:
    """Blurred with a standard deviation of 12 pixels: at a quarter of the size, which costs a tenth of the time."""
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
