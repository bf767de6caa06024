"""A picture of the quiet table: what lies there while the cups are down, without the hands that come and go.

The picture grows tile by tile. A tile is taken from a frame once it has not changed for a while, so a passing hand
leaves no trace, and a cup that was lifted hides its dice again once it is put down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Floats, Image
from vision.reading import Die, Reading

_TILE: Final = 8
"""Side of a tile in pixels of the small pictures that are compared."""
_SMALL_WIDTH: Final = 480
"""The width of the small pictures in pixels."""
_STILL_FOR: Final = 1.0
"""Seconds that a tile must stay unchanged."""
_CHANGE: Final = 0.12
"""Change of a tile's detail, in logarithms of brightness, that is more than noise."""
_NEIGHBOURS: Final = np.ones((3, 3), np.uint8)
"""Tiles this near to a changing one are not taken either: a hand's edge moves less than a tile between two frames."""

_GREY: Final = 127
"""The level that stands for what is not known."""

Tiles = npt.NDArray[np.bool_]
"""rows x columns of tiles."""


@dataclass(frozen=True, slots=True)
class QuietTable:
    """The table while the cups are down."""

    image: Image
    dice: tuple[Die, ...]
    """The dice that lie uncovered."""


@dataclass(slots=True)
class _Mosaic:
    """The picture so far."""

    image: Image
    detail: Floats
    """The detail of each tile when it last changed."""
    changed_at: Floats
    """When each tile last changed."""
    current: Tiles
    """The tiles that have not changed since they were taken."""
    taken: Tiles
    """The tiles that were ever taken."""

    def only(self, tiles: Tiles) -> Image:
        """The picture with every other tile grey."""
        return np.where(_pixels(tiles, self.image.shape[:2])[..., None], self.image, _GREY).astype(np.uint8)


class QuietPicture:
    """Collects the picture from frames, one after the other. A new one begins with every round."""

    def __init__(self) -> None:
        self._mosaic: _Mosaic | None = None

    def tables(self, read: Callable[[Image], Reading]) -> tuple[QuietTable, ...]:
        """The table now, with the dice that `read` sees in it, after the table as it was where it has changed since.

        Tiles that have not been still yet are grey. Empty before the first frame.
        """
        mosaic = self._mosaic
        if mosaic is None:
            return ()
        now = mosaic.only(mosaic.current)
        last = QuietTable(now, read(now).dice)
        if (mosaic.current == mosaic.taken).all():
            return (last,)
        return QuietTable(mosaic.only(mosaic.taken), ()), last

    def see(self, image: Image, small: Image, at: float) -> None:
        """Take the next frame, height x width x 3, at `at` seconds of a monotonic clock. Another size begins anew.

        `small` is the same picture in any size; the smaller, the sooner it is compared.
        """
        detail = _detail(small)
        mosaic = self._mosaic
        if mosaic is None or mosaic.image.shape != image.shape:
            none = np.zeros(_tiles(detail).shape, bool)
            self._mosaic = _Mosaic(image.copy(), detail, np.full(none.shape, at), none, none.copy())
            return
        changed = cv2.dilate((_tiles(np.abs(detail - mosaic.detail)) > _CHANGE).astype(np.uint8), _NEIGHBOURS) > 0
        mosaic.changed_at[changed] = at
        mosaic.current &= ~changed
        mosaic.detail = np.where(_pixels(changed, detail.shape), detail, mosaic.detail)
        still = ~mosaic.current & (at - mosaic.changed_at >= _STILL_FOR)
        if still.any():
            np.copyto(mosaic.image, image, where=_pixels(still, image.shape[:2])[..., None])
            mosaic.current |= still
            mosaic.taken |= still


def _detail(image: Image) -> Floats:
    """A small grey picture without the light: the logarithm, high-pass filtered."""
    height, width = image.shape[:2]
    size = (_SMALL_WIDTH, max(_TILE, round(height * _SMALL_WIDTH / width)))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    light = np.log(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0) + 16)
    return np.asarray(light - cv2.GaussianBlur(light, (0, 0), 12), np.float32)


def _tiles(detail: Floats) -> Floats:
    """The largest value of each tile."""
    rows, columns = -(-detail.shape[0] // _TILE), -(-detail.shape[1] // _TILE)
    grown = cv2.dilate(detail, np.ones((_TILE, _TILE), np.uint8), anchor=(0, 0))
    return np.asarray(grown[::_TILE, ::_TILE][:rows, :columns], np.float32)


def _pixels(tiles: npt.NDArray[np.bool_], shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Which pixels of a picture of this height and width lie in the tiles."""
    mask = cv2.resize(tiles.astype(np.uint8), (shape[1], shape[0]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(mask > 0)
