"""Decides cheaply, from small frames, whether the dice lie still.

Only fine detail of brightness and colour is compared, so that soft shadows, a flickering lamp and the camera's own
exposure do not count as movement. Each frame is compared with the previous one, which shows a moving hand, and with the
first of the quiet time, which shows slow movement. A mast that shakes moves the whole picture: frames are first
registered by phase correlation (Kuglin and Hines 1975). The threshold follows the camera's own noise, so that a dim
room does not look like movement.

Movement that goes on for seconds without a pause is left out. In a small place it may be a camera's clock; anywhere it
may be light, such as a fan's shadow, if the table's own detail shows through it all the time, which a hand prevents.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Box, Image, halved
from vision.reading import Stillness

_PIXELS: Final = 480 * 270
"""Frames are compared at this many pixels, whatever their shape: a die 1/90 of the frame's width is 5 pixels wide."""
_BLUR_SIDE: Final = 27
"""Structure wider than this many pixels counts as light."""
_NEVER_CHANGE: Final = 10.0
"""Differences below this level are never a change."""
_ALWAYS_CHANGE: Final = 25.0
"""Differences above this level are always a change: if more than half of a pattern moves, it is not noise."""
_LIGHT_TOLERANCE: Final = 0.15
"""The share of the detail by which a lamp may dim or brighten it."""
_NOISE_FACTOR: Final = 7.0
"""A pixel has changed when it differs by this many times the noise."""
_CHANGED_PIXELS: Final = 6
"""With fewer changed pixels than this the change is a glint."""
_MAX_SHAKE: Final = 5.0
"""The most pixels that the whole picture may shift; if it shifts more, the camera was pushed."""

_TILE: Final = 8
"""Side of a tile in pixels; movement is located by tiles."""
_LASTING: Final = 3.0
"""Seconds of movement after which it is left out."""
_PAUSE: Final = 2.0
"""Seconds without movement that end it; a clock moves once a second."""
_SHOWN_AFTER: Final = 5.0
"""Seconds of movement after which its place is shown to the players."""
_MOST_TILES: Final = 0.25
"""The largest share of the picture in which any movement is left out."""
_LEAST_TILES: Final = 0.05
"""The least share of the picture in which light moves."""
_USUAL_TIME: Final = 1.5
"""Seconds over which detail is averaged to get the usual detail."""
_STRONG: Final = 20.0
"""The least usual detail that is searched for in a frame."""
_STRONG_SHARE: Final = 0.3
"""The same as a share of the brightness: on a light cloth the edges of shadows are as strong as dice elsewhere."""
_HIDDEN: Final = 0.25
"""The share of the usual detail below which a hand hides it; a shadow leaves more."""
_HIDDEN_SIDE: Final = 11
"""Side in pixels of the squares in which detail is searched for: about a die."""
_LOOK_EVERY: Final = 0.2
"""Seconds between two such searches: a hand takes longer to pass, and a search costs as much as a comparison."""
_LEAST_SHOWN: Final = 100
"""The least number of pixels with such squares in the moving places for detail to count as showing through."""

Detail = npt.NDArray[np.float32]
"""Height x width x 3: brightness and two colour channels, high-pass filtered."""
Mask = npt.NDArray[np.bool_]
"""Pixels of a detail, or tiles of it, rows x columns."""


_NOWHERE: Final[Mask] = np.zeros((1, 1), np.bool_)


class _Frame(NamedTuple):
    detail: Detail
    brightness: float
    at: float


class StillnessCheck:
    """Watches frames and says when to read one: when nothing has moved for `still_for` seconds that is not left out."""

    def __init__(self, still_for: float = 0.3) -> None:
        self.still_for = still_for
        self._before: _Frame | None = None
        self._quiet: _Frame | None = None
        """The first frame of the quiet time."""
        self._lasting: _LastingMovement | None = None

    def reset(self) -> None:
        """Forget every frame, but not movement that has lasted."""
        self._before = self._quiet = None
        if self._lasting is not None:
            self._lasting.known = self._lasting.left_out

    def see(self, image: Image, at: float) -> Stillness:
        """Add the next frame (height x width x 3, BGR), taken at `at` seconds of any monotonic clock."""
        frame = _Frame(_detail(image), float(image[::8, ::8].mean()), at)
        before, self._before = self._before, frame
        if self._lasting is None or self._lasting.shape != frame.detail.shape:
            self._lasting = _LastingMovement(frame)
        if before is None or self._quiet is None or before.detail.shape != frame.detail.shape:
            self._quiet = frame
            return Stillness.WAITING
        change = _change(before.detail, frame.detail, self._lasting.is_new)
        self._lasting.see(change, frame)
        if self._lasting.is_new(change):
            self._quiet = frame
            return Stillness.MOVING
        if self._lasting.is_new(_change(self._quiet.detail, frame.detail, self._lasting.is_new)):
            self._quiet = before
            return Stillness.MOVING
        return Stillness.STILL if at - self._quiet.at >= self.still_for else Stillness.WAITING

    @property
    def left_out(self) -> Mask:
        """The tiles, rows x columns, where movement is left out: all of them if the movement is light."""
        return self._lasting.left_out if self._lasting is not None else _NOWHERE

    @property
    def hiding(self) -> Mask:
        """The tiles among them where it hides the usual detail, as a hand does, and did not move before `reset`."""
        lasting = self._lasting
        return lasting.left_out & lasting.hides & ~lasting.known if lasting is not None else _NOWHERE

    @property
    def place(self) -> Box | None:
        """The largest place where something keeps moving, in shares of the picture; None if there is none."""
        return self._lasting.place() if self._lasting is not None else None


class _LastingMovement:
    """Movement that has lasted so long that it will not stop."""

    def __init__(self, frame: _Frame) -> None:
        self.shape = frame.detail.shape
        self._at = frame.at
        self._usual = frame.detail.copy()
        tiles = -(-self.shape[0] // _TILE), -(-self.shape[1] // _TILE)
        self._began, self._moved = frame.at, -np.inf
        """Times when the movement began and was last seen; then the same for each tile."""
        self._tiles_began, self._tiles_moved = np.full(tiles, frame.at), np.full(tiles, -np.inf)
        self._tiles_hidden = np.full(tiles, -np.inf)
        """When the usual detail of each tile was last hidden."""
        self._looked, self._shows = -np.inf, False
        """Time of the last search for detail behind the movement, and whether it found any."""
        self.left_out: Mask = np.zeros(tiles, np.bool_)
        self.hides = self.known = self.left_out

    def see(self, change: Mask, frame: _Frame) -> None:
        """Add the next frame and its difference from the one before."""
        at = frame.at
        if np.count_nonzero(change) >= _CHANGED_PIXELS:
            tiles = _tiles(change)
            self._tiles_began[tiles & (at - self._tiles_moved > _PAUSE)] = at
            self._tiles_moved[tiles] = at
            self._began = at if at - self._moved > _PAUSE else self._began
            self._moved = at
        if at - self._moved <= _LASTING:
            recent = _grown(at - self._tiles_moved <= _LASTING)
            if at - self._looked >= _LOOK_EVERY:
                self._looked, self._shows = at, self._shows_through(frame, recent)
            lasting, half = (
                _grown((at - self._tiles_moved <= _PAUSE) & (self._tiles_moved - self._tiles_began >= seconds))
                for seconds in (_LASTING, _LASTING / 2)
            )
            self.left_out = lasting & (half.mean() <= _MOST_TILES)
            hides = (self.hides & recent & ~self.left_out).any()
            if self._shows and not hides and at - self._began >= _LASTING and recent.mean() >= _LEAST_TILES:
                self.left_out = np.ones_like(lasting)
        elif self.left_out.any():
            self.left_out = self.hides = np.zeros_like(self.left_out)
        cv2.accumulateWeighted(frame.detail, self._usual, 1 - exp((self._at - at) / _USUAL_TIME))
        self._at = at

    def _shows_through(self, frame: _Frame, recent: Mask) -> bool:
        """True if usual detail is visible where something has moved; also notes where it is not."""
        square = (_HIDDEN_SIDE, _HIDDEN_SIDE)
        usual, now = (cv2.blur(_dot(self._usual, each), square) for each in (self._usual, frame.detail))
        sought = (usual > max(_STRONG, _STRONG_SHARE * frame.brightness) ** 2) & self._pixels(recent)
        hidden = sought & (now < _HIDDEN * usual)
        self._tiles_hidden[_tiles(hidden)] = frame.at
        self.hides = _grown(frame.at - self._tiles_hidden <= _LASTING)
        return bool(np.count_nonzero(sought & ~hidden) >= _LEAST_SHOWN)

    def is_new(self, change: Mask) -> bool:
        """True if anything that is not left out has changed."""
        some = np.count_nonzero(change)
        if some >= _CHANGED_PIXELS and self.left_out.any():
            some = np.count_nonzero(change & ~self._pixels(self.left_out))
        return bool(some >= _CHANGED_PIXELS)

    def place(self) -> Box | None:
        """Where something has moved in the last seconds, if it has moved for long."""
        if self._moved - self._began < _SHOWN_AFTER:
            return None
        tiles = _grown(self._at - self._tiles_moved <= _PAUSE)
        number, _, stats, _ = cv2.connectedComponentsWithStats(tiles.astype(np.uint8))
        if number == 1:
            return None
        x, y, width, height, _ = (int(each) for each in max(stats[1:], key=lambda each: each[cv2.CC_STAT_AREA]))
        rows, columns = tiles.shape
        return x / columns, y / rows, width / columns, height / rows

    def _pixels(self, tiles: Mask) -> Mask:
        height, width = self.shape[:2]
        size = (tiles.shape[1] * _TILE, tiles.shape[0] * _TILE)
        return cv2.resize(tiles.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)[:height, :width] > 0


def _dot(one: Detail, other: Detail) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.transform(one * other, np.ones((1, 3), np.float32)))


def _tiles(mask: Mask) -> Mask:
    """The tiles with any pixel of the mask."""
    rows, columns = -(-mask.shape[0] // _TILE) * _TILE, -(-mask.shape[1] // _TILE) * _TILE
    padded = np.zeros((rows, columns), np.bool_)
    padded[: mask.shape[0], : mask.shape[1]] = mask
    return np.asarray(padded.reshape(rows // _TILE, _TILE, columns // _TILE, _TILE).any(axis=(1, 3)))


def _grown(tiles: Mask) -> Mask:
    """The tiles with their neighbours."""
    return np.asarray(cv2.dilate(tiles.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _detail(image: Image) -> Detail:
    """The frame, small and high-pass filtered."""
    small = image
    while small.shape[0] * small.shape[1] >= 4 * _PIXELS and min(small.shape[:2]) > 1:
        small = halved(small)
    scale = float(np.sqrt(_PIXELS / (small.shape[0] * small.shape[1])))
    size = (max(1, round(small.shape[1] * scale)), max(1, round(small.shape[0] * scale)))
    # The picture is now less than twice too large: linear interpolation skips hardly a pixel, four times faster than
    # area.
    small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR))
    bands = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2YCrCb).astype(np.float32), (5, 5), 0.8)
    return np.asarray(bands - cv2.blur(bands, (_BLUR_SIDE, _BLUR_SIDE)), dtype=np.float32)


def _change(one: Detail, other: Detail, is_new: Callable[[Mask], bool]) -> Mask:
    """Where two frames differ by more than noise and light; where that is new, by more than camera shake too."""
    change = _changed(one, other)
    if not is_new(change):
        return change
    (dx, dy), _ = cv2.phaseCorrelate(cv2.extractChannel(one, 0), cv2.extractChannel(other, 0))
    if not (abs(dx) <= _MAX_SHAKE and abs(dy) <= _MAX_SHAKE):  # also when they are NaN
        return change
    height, width = one.shape[:2]
    edge = int(_MAX_SHAKE) + 2
    if min(height, width) <= 2 * edge:
        return change  # too small to register
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    laid_over = cv2.warpAffine(one, move, (width, height), flags=cv2.INTER_CUBIC)  # linear would blur edges
    inner = (slice(edge, height - edge), slice(edge, width - edge))
    shaken = np.zeros_like(change)
    shaken[inner] = _changed(np.asarray(laid_over, np.float32)[inner], other[inner])
    return shaken


def _changed(one: Detail, other: Detail) -> Mask:
    change = cv2.absdiff(one, other)
    some = change[::4, ::4].reshape(-1, 3)
    nth = len(some) // 4
    noise = np.partition(some, nth, axis=0)[nth] / 0.3186  # the first quartile of a half-normal
    limit = np.clip(_NOISE_FACTOR * noise, _NEVER_CHANGE, _ALWAYS_CHANGE).astype(np.float64)
    return np.asarray(cv2.inRange(change - _LIGHT_TOLERANCE * np.abs(other), np.full(3, -np.inf), limit) == 0)
