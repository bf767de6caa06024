"""Detects that the camera was moved since it was calibrated, by comparing two small pictures of the table.

If enough corners of the old picture are still in place, all over it, nothing moved, whatever hands and cups do.
Otherwise corners of both pictures are matched (ORB: Rublee et al. 2011) and a shift with a rotation is fitted (RANSAC);
undoing it must bring the corners back into place. In all other cases there is no answer: a table full of hands, a dark
room, a bare table.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Doubles, Floats, Grey, Image, grey_of, shrunk

REFERENCE_WIDTH: Final = 480
"""Width of the reference picture in pixels."""
LEAST_SHIFT: Final = 0.012
"""As a share of the picture's width; a smaller shift (half a degree of the standard lens) is ignored."""

_MOST_CORNERS: Final = 400
_CORNER_DISTANCE: Final = 7
"""Least distance of two corners in pixels, so that they do not all lie on a few dice."""
_PATCH_REACH: Final = 6
"""The compared patch extends this many pixels from the corner: 13 x 13."""
_SEARCH_REACH: Final = 2
"""The most pixels that a corner may be off."""
_LEAST_CORRELATION: Final = 0.8
"""The least correlation of two matching patches."""
_FEWEST_CORNERS: Final = 16
"""The least number of corners that must agree for any answer."""
_FEWEST_MATCHES: Final = 10
"""The least number of matches that must share a move; the corners confirm it afterwards."""
_STILL_SHARE: Final = 0.2
"""The share of corners that must be in place; by chance about 2 in 100 seem to be."""
_SURELY_STILL_SHARE: Final = 0.6
"""With this share of corners in place, no move is searched for."""
_MOVE_GAIN: Final = 1.6
"""A move must explain this many times as many corners as no move."""
_RESTORED_SHARE: Final = 0.25
"""The share of corners that must be in place once the move is undone."""
_FEWEST_PARTS: Final = 5
"""The least number of the picture's 4 x 3 parts with corners in place: a pushed tray covers fewer."""
_SCALES: Final = (0.85, 1.18)
"""The smallest and largest scale of a move."""
_FEWEST_MOVES: Final = 3
"""The number of pictures that must show a move before it is reported."""
_BARE_SPREAD: Final = 4.0
"""Standard deviation, in grey levels, below which a patch is bare or dark."""


class CameraShift(StrEnum):
    """The result of comparing two pictures."""

    UNMOVED = "unmoved"
    MOVED = "moved"
    CANNOT_TELL = "cannot tell"
    """The table is covered, dark or bare."""


def reference_picture(image: Image | Grey) -> Grey:
    """The small grey picture that is saved with a profile."""
    return np.asarray(shrunk(grey_of(image), REFERENCE_WIDTH), np.uint8)


def compare_picture(reference: Grey, image: Image | Grey) -> CameraShift:
    """Compare a picture of any size with the reference; one with another aspect ratio gives no answer."""
    now = reference_picture(image)
    height, width = reference.shape
    if abs(now.shape[1] * height / (now.shape[0] * width) - 1) > 0.02:
        return CameraShift.CANNOT_TELL
    if now.shape != reference.shape:
        now = np.asarray(cv2.resize(now, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    corners = _corners(reference)
    if len(corners) < _FEWEST_CORNERS:
        return CameraShift.CANNOT_TELL
    still = _agreeing(reference, now, corners)
    unmoved = CameraShift.UNMOVED if still >= _STILL_SHARE * len(corners) else CameraShift.CANNOT_TELL
    move = None if still >= _SURELY_STILL_SHARE * len(corners) else _move(reference, now)
    if move is None:
        return unmoved
    back = cv2.warpAffine(now, move, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderValue=0)
    # If the picture only rotated about its middle, many corners are in place anyway: the move must explain more.
    if _agreeing(reference, np.asarray(back, np.uint8), corners) < max(
        _RESTORED_SHARE * len(corners), _MOVE_GAIN * still
    ):
        return unmoved
    outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    shift = float(np.linalg.norm(outline @ move[:, :2].T + move[:, 2] - outline, axis=1).max()) / width
    return CameraShift.MOVED if shift > LEAST_SHIFT else CameraShift.UNMOVED


class ShiftWatch:
    """Reports a move only after several pictures in a row have shown it."""

    def __init__(self, reference: Grey) -> None:
        self._reference = reference
        self._moves = 0
        """How many pictures in a row have shown a move."""

    def see(self, image: Image | Grey) -> CameraShift:
        """Add a picture and return the result so far: MOVED only from the third picture on."""
        shift = compare_picture(self._reference, image)
        if shift is CameraShift.UNMOVED:
            self._moves = 0
        if shift is not CameraShift.MOVED:
            return shift
        self._moves += 1
        return shift if self._moves >= _FEWEST_MOVES else CameraShift.CANNOT_TELL


def _corners(grey: Grey) -> npt.NDArray[np.int64]:
    """n x 2: corners of the picture, away from its edge."""
    edge = _PATCH_REACH + _SEARCH_REACH + 1
    inner = np.zeros_like(grey)
    inner[edge:-edge, edge:-edge] = 255
    found = cv2.goodFeaturesToTrack(grey, _MOST_CORNERS, 0.01, _CORNER_DISTANCE, mask=inner)
    return np.zeros((0, 2), np.int64) if found is None else np.round(found.reshape(-1, 2)).astype(np.int64)


def _agreeing(reference: Grey, now: Grey, corners: npt.NDArray[np.int64]) -> int:
    """The number of corners in place; 0 if they are too few or not spread over the picture."""
    ours = _patches(reference, corners)
    best = np.full(len(corners), -1.0)
    for dy in range(-_SEARCH_REACH, _SEARCH_REACH + 1):
        for dx in range(-_SEARCH_REACH, _SEARCH_REACH + 1):
            theirs = _patches(now, corners + np.array([dx, dy]))
            best = np.maximum(best, (ours * theirs).sum(axis=1))
    same = corners[best >= _LEAST_CORRELATION]
    return len(same) if len(same) >= _FEWEST_CORNERS and _spread(same, reference.shape) >= _FEWEST_PARTS else 0


def _patches(grey: Grey, corners: npt.NDArray[np.int64]) -> Floats:
    """n x 169: the patch round each corner, normalised so that products are correlations; zeros for a bare one."""
    reach = np.arange(-_PATCH_REACH, _PATCH_REACH + 1)
    rows = corners[:, 1, None, None] + reach[None, :, None]
    columns = corners[:, 0, None, None] + reach[None, None, :]
    patches = grey[rows, columns].reshape(len(corners), -1).astype(np.float32)
    patches -= patches.mean(axis=1, keepdims=True)
    spread = patches.std(axis=1, keepdims=True)
    size = np.linalg.norm(patches, axis=1, keepdims=True)
    return np.asarray(np.where(spread > _BARE_SPREAD, patches / np.maximum(size, 1e-3), 0), np.float32)


def _spread(corners: npt.NDArray[np.int64], shape: tuple[int, ...]) -> int:
    """The number of the picture's 4 x 3 parts with at least two corners."""
    height, width = shape[:2]
    parts = 4 * (3 * corners[:, 1] // height) + 4 * corners[:, 0] // width
    return int(np.count_nonzero(np.bincount(parts, minlength=12) >= 2))


def _move(reference: Grey, now: Grey) -> Doubles | None:
    """2 x 3: the move from the reference to now that most matches share; None without one."""
    orb = cv2.ORB_create(nfeatures=1, scaleFactor=1.2, nlevels=1, edgeThreshold=16, fastThreshold=7)  # type: ignore[attr-defined]
    points, described = [], []
    for grey in (reference, now):
        keys = [cv2.KeyPoint(float(x), float(y), 31.0) for x, y in _corners(grey)]
        keys, words = orb.compute(grey, keys)
        if words is None or len(keys) < _FEWEST_CORNERS:
            return None
        points.append(np.array([key.pt for key in keys], np.float64))
        described.append(words)
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(*described)
    if len(matches) < _FEWEST_CORNERS:
        return None
    ours = points[0][[match.queryIdx for match in matches]]
    theirs = points[1][[match.trainIdx for match in matches]]
    move, inliers = cv2.estimateAffinePartial2D(
        ours, theirs, method=cv2.RANSAC, ransacReprojThreshold=2.5, maxIters=3000
    )
    if move is None or not np.isfinite(move).all():
        return None
    within = np.asarray(inliers).ravel() > 0
    size = math.hypot(move[0, 0], move[1, 0])
    if np.count_nonzero(within) < _FEWEST_MATCHES or not _SCALES[0] <= size <= _SCALES[1]:
        return None
    return np.asarray(move, np.float64)
