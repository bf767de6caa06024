"""Decides whether the dice are sharp: networks can be sure about a blurred die, and wrong.

Motion blurs the edges that lie across it. All dice together have edges in all directions, so under motion their
brightness changes less along it than across it, most of all in fine detail. (A lamp at the side affects fine and coarse
detail alike.) A camera out of focus leaves less fine detail than coarse.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import cv2
import numpy as np

from calibration.image import Floats, Image
from vision.reading import Box, Die

_SIDE: Final = 48
"""Side in pixels to which each die is scaled."""
_REACH: Final = 1.24
"""Side of the patch, in die widths."""
_LEAST_SIDE: Final = 10
"""Patches with a shorter side, in pixels, are not measured."""
_MOST_UNEVEN: Final = 1.25
_FEW_DICE: Final = 0.8
"""The gradients of sharp dice in two directions differ by a factor of at most `_MOST_UNEVEN` + `_FEW_DICE` / dice, in
99 of 100 photographs. Motion over a quarter of a die's width gives 1.65 and more.
"""
_RATHER_UNEVEN: Final = 1.15
"""Up to this multiple of the limit above, uneven light may be the cause rather than blur."""
_SURE_DICE: Final = 0.97
"""If half the dice are surer than this, they are sharp enough: the lamp is at the side, or the motion slight."""
_SUREST_DICE: Final = 0.997
"""The same for dice above `_RATHER_UNEVEN`."""
_MOST_SMEARED: Final = 1.15
"""The same for the ratio of fine to coarse detail, between the directions of the largest and the smallest ratio."""
_LEAST_DETAIL: Final = 1.9
"""The ratio of fine to coarse detail: 2.2 and more on photographs, 1.4 to 2.0 when blurred by a ninth of a die's width.
"""
_EDGES: Final = 0.8
"""Blur in pixels of the patches, which selects detail of this size; so do the next four."""
_FINE: Final = 1.0
_MIDDLE: Final = 1.5
_COARSE: Final = 3.0
_COARSEST: Final = 4.0
_ROUND: Final = np.hypot(*(np.mgrid[:_SIDE, :_SIDE] - (_SIDE - 1) / 2)) < 0.46 * _SIDE
"""The pixels that are measured: a disc, because a square would favour its own directions."""


def confidence_needed(image: Image, dice: Iterable[Die]) -> float:
    """The median confidence that these dice need to be believed in spite of their blur; 0 if they are sharp."""
    patches = [patch for die in dice if (patch := _patch(image, die.box)) is not None]
    if not patches:
        return 0.0
    edges, middle, coarsest = (_tensors(patches, blur) for blur in (_EDGES, _MIDDLE, _COARSEST))
    against = np.trace(coarsest, axis1=1, axis2=2)
    if np.median(np.trace(middle, axis1=1, axis2=2) / against) <= _LEAST_DETAIL:
        return 1.0
    least, most = np.linalg.eigvalsh(_mean(edges, np.trace(edges, axis1=1, axis2=2))).tolist()
    uneven = most / least / (_MOST_UNEVEN + _FEW_DICE / len(patches))
    if uneven <= 1:
        return 0.0
    fine, coarse = (_mean(_tensors(patches, blur), against) for blur in (_FINE, _COARSE))
    ratios = np.sort(np.linalg.eigvals(np.linalg.solve(coarse, fine)).real).tolist()
    if ratios[1] <= _MOST_SMEARED * ratios[0]:
        return 0.0
    return _SURE_DICE if uneven <= _RATHER_UNEVEN else _SUREST_DICE


def _patch(image: Image, box: Box) -> Floats | None:
    """The die and its edges, grey, scaled to `_SIDE`; None if it is too small or cut off by the picture's edge."""
    x, y, w, h = box
    reach = _REACH * max(w, h) / 2
    left, right = round(x + w / 2 - reach), round(x + w / 2 + reach)
    top, bottom = round(y + h / 2 - reach), round(y + h / 2 + reach)
    if min(left, top) < 0 or right > image.shape[1] or bottom > image.shape[0] or right - left < _LEAST_SIDE:
        return None
    grey = cv2.cvtColor(image[top:bottom, left:right], cv2.COLOR_BGR2GRAY).astype(np.float32)
    how = cv2.INTER_AREA if right - left > _SIDE else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(grey, (_SIDE, _SIDE), interpolation=how), np.float32)


def _tensors(patches: Sequence[Floats], blur: float) -> Floats:
    """The structure tensors of the blurred patches (Förstner and Gülch 1987): n x 2 x 2."""
    column = np.vstack([cv2.GaussianBlur(patch, (0, 0), blur) for patch in patches])  # seams lie outside `_ROUND`
    across, down = (
        cv2.Sobel(column, cv2.CV_32F, *order).reshape(-1, _SIDE, _SIDE)[:, _ROUND] for order in ((1, 0), (0, 1))
    )
    gradients = np.stack([across, down], axis=1)
    return np.asarray(gradients @ gradients.transpose(0, 2, 1) + 1e-6 * np.eye(2), np.float32)


def _mean(tensors: Floats, strength: Floats) -> Floats:
    """The mean of the dice's tensors, each divided by its `strength`: 2 x 2."""
    return np.asarray(np.mean(tensors / strength[:, None, None], axis=0), np.float32)
