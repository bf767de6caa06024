"""Finds the repetitions of a picture's pattern, in any rotation.

A place is a disc divided into rings. First the mean colours of its rings are compared with those round every pixel,
because rotation does not change them; then the best candidates are compared in every direction, by circular
correlation. Half discs are compared as well: something may cover the other half.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Floats, Image
from vision.patch import middle, patch
from vision.reading import Box

_REACH: Final = 0.42
"""Radius of a disc, in widths of its box: the rim shows what lies round a print or a die."""
_RING: Final = 1.25
"""Width of a ring in pixels."""
_RINGS: Final = range(3, 13)
"""Possible numbers of rings: a smaller disc shows nothing, and a larger one is no print among dice."""
_TURNS: Final = 32
"""Number of directions from the centre of a disc."""
_HALVES: Final = tuple(np.roll(np.arange(_TURNS) < _TURNS // 2, _TURNS * k // 4).astype(np.float32) for k in range(4))
_PARTS: Final = ((np.ones(_TURNS, np.float32), 0.85), *((half, 0.92) for half in _HALVES))
"""Weights of the directions (all, or a half), with the least correlation of two prints. On drawn tables, prints of a
cloth correlated by at least 0.9, and a die with the cloth by at most 0.8.
"""
_STEP: Final = 2
"""Distance in pixels between the discs that are searched."""
_BEST_PIXELS: Final = 200
"""At most this many pixels, those with the most similar rings, are searched more finely."""
_MOST_PLACES: Final = 16
"""At most this many discs, those with the most similar rings, are compared in every direction."""
_FEWEST_PLACES: Final = 2
"""A disc that looks like at least this many others is repeated."""
PLAIN: Final = 3.0
"""Standard deviation, in grey levels, of a plain patch."""
_CONTRAST: Final = 2.0
"""The largest ratio of two prints' contrasts; one may be in a shadow."""
SAME_COLOUR: Final = np.array([30.0, 12.0, 12.0])
"""The largest difference of two prints' colours in CIE Lab; the lightness may differ by a shadow."""


class Pattern:
    """The pattern of a picture in which prints are some 12 to 20 pixels wide."""

    def __init__(self, picture: Image, others: Sequence[Box]) -> None:
        """others: boxes of the picture that are not part of the pattern."""
        self._picture = picture.astype(np.float32)
        self._free = np.ones(picture.shape[:2], bool)
        for box in others:
            self._free[patch(picture, box, box[2] / 2)] = False
        self._blurred: list[Floats] = []
        """For each ring, from the innermost, its mean colour round every pixel."""
        self._places: dict[int, tuple[npt.NDArray[np.intp], Floats, Floats]] = {}
        """Number of rings -> x, y, rings and contrast of the discs with detail, highest contrast first."""

    def repeats(self, image: Image, box: Box, *, halves: bool = False) -> bool:
        """True if several other discs show what `image`, a later picture aligned with this one, shows in the box.

        halves: half a disc is enough, because something may cover the rest.
        """
        rings = round(_REACH * max(box[2:]) / _RING)
        if rings not in _RINGS:
            return False
        disc = _discs(image, np.array([middle(box)]), rings)[0]
        parts = _PARTS if halves else _PARTS[:1]
        return any((self._likeness(disc, part, middle(box)) >= least).sum() >= _FEWEST_PLACES for part, least in parts)

    def _likeness(self, disc: Floats, part: Floats, here: tuple[float, float]) -> Floats:
        """Correlations of a part of a disc with the most similar discs, rings x _TURNS x 3."""
        weights = np.outer(_areas(len(disc)), part / part.sum())
        colour = np.einsum("rt,rtc->c", weights, disc)
        shape = disc - colour
        contrast = float(np.sqrt(np.einsum("rt,rtc->", weights, shape**2)))
        if contrast < PLAIN:
            return np.zeros(0, np.float32)
        middles = self._most_alike(np.einsum("t,rtc->rc", part / part.sum(), shape), here)
        if not len(middles):
            return np.zeros(0, np.float32)
        others = _discs(self._picture, middles, len(disc))
        spectrum, part_spectrum = np.fft.rfft(others, axis=2), np.fft.rfft(weights, axis=1).conj()
        product = np.fft.rfft(weights[..., None] * shape, axis=1).conj()
        alike = np.fft.irfft((product * spectrum).sum(axis=(1, 3)), _TURNS, axis=1)
        colours = np.fft.irfft((part_spectrum[..., None] * spectrum).sum(axis=1), _TURNS, axis=1)
        squares = np.fft.rfft((others**2).sum(axis=3), axis=2)
        square = np.fft.irfft((part_spectrum * squares).sum(axis=1), _TURNS, axis=1)
        contrasts = np.sqrt(np.maximum(square - (colours**2).sum(axis=2), 1e-6))
        likeness = alike / (contrast * contrasts)
        apart = np.abs(_lab(colours) - _lab(colour[None, None]))
        same = (apart <= SAME_COLOUR).all(axis=2) & (np.abs(np.log(contrasts / contrast)) <= np.log(_CONTRAST))
        return np.asarray(np.where(same, likeness, 0).max(axis=1), np.float32)

    def _most_alike(self, rings: Floats, here: tuple[float, float]) -> Floats:
        """x and y of the discs, except `here`, with the most similar rings (rings x 3); no two are close together."""
        pixels, known, contrasts = self._with_rings(len(rings))
        row, contrast = _shapes(rings[None])
        score = known[: int(np.searchsorted(-contrasts, -contrast[0] / _CONTRAST))] @ row[0]
        if not len(score):
            return np.zeros((0, 2), np.float32)
        best = np.argpartition(-score, min(_BEST_PIXELS, len(score) - 1))[:_BEST_PIXELS]
        pixels = pixels[best[np.argsort(-score[best])]]
        left = np.hypot(*(pixels + 0.5 - here).T) > 2 * len(rings) * _RING
        places: list[tuple[int, int]] = []
        while len(places) < _MOST_PLACES and left.any():
            x, y = pixels[int(np.argmax(left))].tolist()
            left &= np.hypot(*(pixels - (x, y)).T) > len(rings) * _RING
            near = [(x + right, y + down) for right in (-1, 0, 1) for down in (-1, 0, 1)]
            columns, rows = np.array(near).T
            shapes, _ = _shapes(np.stack([layer[rows, columns] for layer in self._blurred[: len(rings)]], axis=1))
            places.append(near[int(np.argmax(shapes @ row[0]))])
        return np.array(places, np.float32) + 0.5

    def _with_rings(self, rings: int) -> tuple[npt.NDArray[np.intp], Floats, Floats]:
        if rings not in self._places:
            while len(self._blurred) < rings:
                kernel = _ring(len(self._blurred))
                self._blurred.append(np.asarray(cv2.filter2D(self._picture, -1, kernel), np.float32))
            rim = int(rings * _RING) + 1
            inside = np.zeros(self._free.shape, bool)
            inside[rim:-rim:_STEP, rim:-rim:_STEP] = self._free[rim:-rim:_STEP, rim:-rim:_STEP]
            rows, columns = np.nonzero(inside)
            shapes, contrasts = _shapes(np.stack([layer[rows, columns] for layer in self._blurred[:rings]], axis=1))
            order = np.argsort(-contrasts)[: int((contrasts > PLAIN / _CONTRAST).sum())]
            self._places[rings] = np.stack([columns, rows], axis=1)[order], shapes[order], contrasts[order]
        return self._places[rings]


def _areas(rings: int) -> Floats:
    """The share of the disc's area in each ring."""
    radii = np.arange(rings, dtype=np.float32) + 0.5
    return np.asarray(radii / radii.sum(), np.float32)


def _ring(n: int) -> Floats:
    """A kernel that averages over ring `n`."""
    reach = int((n + 1.5) * _RING) + 1
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    ring = np.clip(_RING / 2 + 0.5 - np.abs(np.hypot(xs, ys) - (n + 0.5) * _RING), 0, 1)
    return np.asarray(ring / ring.sum(), np.float32)


def _shapes(rings: Floats) -> tuple[Floats, Floats]:
    """n x rings x 3 mean colours, centred and normalised to unit vectors, and their standard deviations."""
    areas = _areas(rings.shape[1])[:, None]
    rows = ((rings - (rings * areas).sum(axis=1, keepdims=True)) * np.sqrt(areas)).reshape(len(rings), -1)
    contrasts = np.linalg.norm(rows, axis=1)
    return np.asarray(rows / np.maximum(contrasts, 1e-3)[:, None], np.float32), np.asarray(contrasts, np.float32)


def _discs(picture: Image | Floats, middles: Floats, rings: int) -> Floats:
    """The discs centred at these x and y: n x rings x _TURNS x 3."""
    turns, radii = np.arange(_TURNS) * (2 * np.pi / _TURNS), (np.arange(rings) + 0.5) * _RING
    columns, rows = (
        (middles[:, k : k + 1] - 0.5 + np.outer(radii, way(turns)).reshape(1, -1)).astype(np.float32)
        for k, way in enumerate((np.cos, np.sin))
    )
    seen = cv2.remap(picture, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(len(middles), rings, _TURNS, 3)


def _lab(colours: npt.NDArray[np.floating]) -> Floats:
    """Convert n x m x 3 from BGR to CIE Lab."""
    return np.asarray(cv2.cvtColor(colours.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)
