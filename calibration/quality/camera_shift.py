"""Has the camera been moved since it was calibrated? A small picture of the table then, held against one of now.

What lies on a table comes and goes; the table stays. Corners of the kept picture are looked for where they were: where
enough of them still are, all over the picture, nothing moved, whatever hands and cups do. Where they are not, corners
of both pictures are matched (ORB: Rublee et al. 2011) and one shift with a turn is looked for that many of them share
(RANSAC); with the picture laid back by it, the corners must be where they were. Else nothing is said: a table full of
hands, a dark room and a bare table tell nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Doubles, Floats, Grey, Image, grey_of, shrunk

REFERENCE_WIDTH: Final = 480
"""Pixels across of the picture that is kept."""
LEAST_SHIFT: Final = 0.012
"""Of the picture's width: a shift of less is not worth calibrating again. It is half a degree of the standard lens."""

_CORNERS: Final = 400
_APART: Final = 7
"""Pixels between two corners, so that a few dice do not have all of them."""
_PATCH: Final = 6
"""Pixels round a corner that are compared: 13 x 13."""
_REACH: Final = 2
"""Pixels by which a corner may have crept."""
_ALIKE: Final = 0.8
"""Correlation from which two patches are the same."""
_FEWEST: Final = 16
"""Corners that must agree, whatever is said."""
_INLIERS: Final = 10
"""Matches that must share a move; the corners are asked whether it is true afterwards."""
_STILL: Final = 0.2
"""The part of the kept corners that must be where they were; by chance some 2 in 100 seem to be."""
_SURELY_STILL: Final = 0.6
"""From here on no move is looked for."""
_MORE: Final = 1.6
"""Times as many corners must be explained by a move as by none."""
_BACK: Final = 0.25
"""The part that must be where they were once the picture is laid back."""
_CELLS: Final = 5
"""Of the picture's 4 x 3 parts, those that corners must lie in: a tray that somebody pushed covers fewer."""
_SIZES: Final = (0.85, 1.18)
"""How much larger or smaller everything may have become."""
_DIM: Final = 4.0
"""Grey levels of spread below which a patch is bare, or dark."""


class CameraShift(StrEnum):
    """What is made of two pictures."""

    UNMOVED = "unmoved"
    MOVED = "moved"
    CANNOT_TELL = "cannot tell"
    """Hands, cups or darkness cover what could be recognised, or the table is bare."""


@dataclass(frozen=True, slots=True)
class ShiftComparison:
    """One picture held against the kept one."""

    moved: CameraShift
    shift: float = 0.0
    """How far the picture's content moved, at most, in parts of the picture's width; 0 when it cannot be told."""
    degrees: float = 0.0
    """How far it turned, either way."""


_UNKNOWN: Final = ShiftComparison(CameraShift.CANNOT_TELL)


def reference_picture(image: Image | Grey) -> Grey:
    """The small grey picture that is kept with a profile."""
    return np.asarray(shrunk(grey_of(image), REFERENCE_WIDTH), np.uint8)


def compare_picture(kept: Grey, image: Image | Grey) -> ShiftComparison:
    """Hold a picture, of any size, against the kept one. One of another shape tells nothing."""
    now = reference_picture(image)
    height, width = kept.shape
    if abs(now.shape[1] * height / (now.shape[0] * width) - 1) > 0.02:
        return _UNKNOWN
    if now.shape != kept.shape:
        now = np.asarray(cv2.resize(now, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    corners = _corners(kept)
    if len(corners) < _FEWEST:
        return _UNKNOWN
    still = _agreeing(kept, now, corners)
    unmoved = ShiftComparison(CameraShift.UNMOVED) if still >= _STILL * len(corners) else _UNKNOWN
    move = None if still >= _SURELY_STILL * len(corners) else _move(kept, now)
    if move is None:
        return unmoved
    back = cv2.warpAffine(now, move, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderValue=0)
    # A picture turned round its middle is still there: the move must say more than standing still does.
    if _agreeing(kept, np.asarray(back, np.uint8), corners) < max(_BACK * len(corners), _MORE * still):
        return unmoved
    outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    shift = float(np.linalg.norm(outline @ move[:, :2].T + move[:, 2] - outline, axis=1).max()) / width
    degrees = abs(math.degrees(math.atan2(move[1, 0], move[0, 0])))
    return ShiftComparison(CameraShift.MOVED if shift > LEAST_SHIFT else CameraShift.UNMOVED, shift, degrees)


class ShiftWatch:
    """Compares now and then, and says it only when it has seen it several times in a row."""

    def __init__(self, kept: Grey, times: int = 3) -> None:
        self._kept = kept
        self._times = times
        self._row = 0

    def see(self, image: Image | Grey) -> ShiftComparison:
        """What is to be said now: `MOVED` only once `times` pictures in a row were."""
        found = compare_picture(self._kept, image)
        if found.moved is CameraShift.UNMOVED:
            self._row = 0
        if found.moved is not CameraShift.MOVED:
            return found
        self._row += 1
        return found if self._row >= self._times else _UNKNOWN


def _corners(grey: Grey) -> npt.NDArray[np.int64]:
    """n x 2: where the picture has corners, far enough from its edge to be compared."""
    edge = _PATCH + _REACH + 1
    inner = np.zeros_like(grey)
    inner[edge:-edge, edge:-edge] = 255
    found = cv2.goodFeaturesToTrack(grey, _CORNERS, 0.01, _APART, mask=inner)
    return np.zeros((0, 2), np.int64) if found is None else np.round(found.reshape(-1, 2)).astype(np.int64)


def _agreeing(kept: Grey, now: Grey, corners: npt.NDArray[np.int64]) -> int:
    """How many corners are where they were; 0 when these are too few, or not spread over the picture."""
    ours = _patches(kept, corners)
    best = np.full(len(corners), -1.0)
    for dy in range(-_REACH, _REACH + 1):
        for dx in range(-_REACH, _REACH + 1):
            theirs = _patches(now, corners + np.array([dx, dy]))
            best = np.maximum(best, (ours * theirs).sum(axis=1))
    same = corners[best >= _ALIKE]
    return len(same) if len(same) >= _FEWEST and _spread(same, kept.shape) >= _CELLS else 0


def _patches(grey: Grey, corners: npt.NDArray[np.int64]) -> Floats:
    """n x 169: what is round each corner, so that the product of two is their correlation; 0 for a bare one."""
    reach = np.arange(-_PATCH, _PATCH + 1)
    rows = corners[:, 1, None, None] + reach[None, :, None]
    columns = corners[:, 0, None, None] + reach[None, None, :]
    patches = grey[rows, columns].reshape(len(corners), -1).astype(np.float32)
    patches -= patches.mean(axis=1, keepdims=True)
    spread = patches.std(axis=1, keepdims=True)
    size = np.linalg.norm(patches, axis=1, keepdims=True)
    return np.asarray(np.where(spread > _DIM, patches / np.maximum(size, 1e-3), 0), np.float32)


def _spread(corners: npt.NDArray[np.int64], shape: tuple[int, ...]) -> int:
    """In how many of the picture's 4 x 3 parts they lie, two at least in each."""
    height, width = shape[:2]
    parts = 4 * (3 * corners[:, 1] // height) + 4 * corners[:, 0] // width
    return int(np.count_nonzero(np.bincount(parts, minlength=12) >= 2))


def _move(kept: Grey, now: Grey) -> Doubles | None:
    """2 x 3: where what is in the kept picture is now, as most of what can be matched has it."""
    orb = cv2.ORB_create(nfeatures=1, scaleFactor=1.2, nlevels=1, edgeThreshold=16, fastThreshold=7)  # type: ignore[attr-defined]
    points, described = [], []
    for grey in (kept, now):
        keys = [cv2.KeyPoint(float(x), float(y), 31.0) for x, y in _corners(grey)]
        keys, words = orb.compute(grey, keys)
        if words is None or len(keys) < _FEWEST:
            return None
        points.append(np.array([key.pt for key in keys], np.float64))
        described.append(words)
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(*described)
    if len(matches) < _FEWEST:
        return None
    ours = points[0][[match.queryIdx for match in matches]]
    theirs = points[1][[match.trainIdx for match in matches]]
    move, kept_in = cv2.estimateAffinePartial2D(
        ours, theirs, method=cv2.RANSAC, ransacReprojThreshold=2.5, maxIters=3000
    )
    if move is None or not np.isfinite(move).all():
        return None
    within = np.asarray(kept_in).ravel() > 0
    size = math.hypot(move[0, 0], move[1, 0])
    if np.count_nonzero(within) < _INLIERS or not _SIZES[0] <= size <= _SIZES[1]:
        return None
    return np.asarray(move, np.float64)
