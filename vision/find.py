"""Where the dice lie, at whatever size they appear: a first look at the whole frame, a closer one where it is needed.

The detector reads dice of 18 to 66 pixels best. The first look shrinks the frame to a fixed number of pixels; when the
dice turn out smaller than that, only the parts of the frame where something was seen are looked at again, enlarged,
so that thirty small dice in a large frame cost little more than the first look.

Then the second detector looks at the places where the first saw something, from nearer, and what the two make of it
is put together. Dice that touch run into one another in one picture, seldom in both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.networks import Spot
from vision.odds import log_odds, mixed, probability
from vision.sight import Part, Sight

_FIRST: Final = 960 * 540
"""Pixels of the frame at the first look."""
_COARSER: Final = 0.4
"""A look at this part of the first look's size finds dice that are too large for it."""
_SMALLEST: Final = 64
"""Pixels of the longer side under which a look is not worth while."""
_OTHER_SIZE: Final = 1.5
"""Two looks that see dice of sizes further apart than this do not see the same things."""
_ASKED: Final = 6
"""About how many spots of a look the classifier is asked about to judge the look."""
_LARGEST: Final = 2304
"""A frame whose longer side is shorter may be enlarged to this; no other is enlarged."""
_MANY: Final = 150
"""Five tables full of dice. Where more is seen it is a pattern, and the time is better kept."""
_GOOD: Final = (17.5, 66.0)
"""Die widths, in pixels of what the detector is given, that need no second look."""
_POOR: Final = 0.35
"""A look whose spots are less like dice than this is followed by a closer one."""
_PLAIN: Final = 0.5
"""One whose spots are more like dice than this needs no coarser one."""
_AIM: Final = 28.0
"""Die width that a second look is made at."""
_PEAK: Final = 0.12
"""Peaks of the heat map below this are not looked at."""
_HINT: Final = 0.05
"""Peaks above this are worth a closer look when dice are small."""
_SURE: Final = 0.3
"""Peaks above this tell the dice's size."""
_APART: Final = 0.36
"""Spots closer than this, in die widths, are one die's. Dice in a row seen from the side come close to that."""
_NEAR: Final = 40.0
"""Die width that the second detector is shown the dice at."""
_PLACES: Final = 100
"""The second detector is asked about so many of the first one's spots, the surest."""
_CERTAIN: Final = 0.9
"""Of what the first detector is surer of than this, the second is not asked."""
_FAINT: Final = 0.03
"""Peaks of the second detector's heat map below this are not looked at."""
_UNSEEN: Final = 0.1
"""What one detector does not see where the other sees something counts as this."""
_WHOLE: Final = 0.6
"""When the parts to look at again cover more of the frame than this, it is looked at whole."""


def find(sight: Sight) -> list[Spot]:
    """Every die the detectors see in the frame, in pixels of the frame, surest first, one spot a die."""
    height, width = sight.image.shape[:2]
    closest = max(_LARGEST / max(width, height), 1.0)
    scale = min(1.0, float(np.sqrt(_FIRST / (width * height))))
    hints = sight.spots(scale, _HINT)
    fine = [s for s in hints if s.score >= _PEAK]
    spots, coarse = fine, list[Spot]()
    if max(width, height) * scale * _COARSER >= _SMALLEST and _evidence(sight, fine) < _PLAIN:
        coarse = sight.spots(scale * _COARSER, _PEAK)
    if _surer(sight, coarse, fine):
        spots, hints, scale = coarse, coarse, scale * _COARSER
    if _evidence(sight, spots) < _POOR and scale * 2.0 <= closest:  # perhaps they are much smaller
        closer = _closer(sight, scale * 2.0, hints, _AIM / (scale * 2.0), _HINT)
        looks = [
            (hints, spots, scale),
            (coarse, coarse, scale * _COARSER),
            (closer, [s for s in closer if s.score >= _PEAK], scale * 2.0),
        ]
        hints, spots, scale = max(looks, key=lambda look: _evidence(sight, look[1]))
    size = _size(spots)
    if size is None:
        return _apart([*spots, *fine, *coarse])
    if not _GOOD[0] <= size * scale <= _GOOD[1]:
        better = min(_AIM / size, closest, 2.0)
        hints = sight.spots(better, _HINT) if better <= scale else _closer(sight, better, hints, size, _HINT)
    return _apart([s for s in _with_the_second(sight, hints, size) if s.score >= _PEAK])


def _with_the_second(sight: Sight, hints: list[Spot], size: float) -> list[Spot]:
    """The hints, each as both detectors have it together, and what the second one alone saw near them."""
    height, width = sight.image.shape[:2]
    parts = _parts([s for s in hints if s.score < _CERTAIN][:_PLACES], size, width, height)
    firsts = _apart(hints)
    seconds = _apart(sight.spots_in(parts, min(_NEAR / size, 2.0), _FAINT, second=True))
    left = set(range(len(seconds)))
    spots = []
    for spot in firsts:
        if not any(x <= spot.x <= x + w and y <= spot.y <= y + h for x, y, w, h in parts):
            spots.append(spot)  # the second was not asked
            continue
        near = [k for k in left if _one_die(spot, seconds[k])]
        if near:
            nearest = min(near, key=lambda k: abs(seconds[k].x - spot.x) + abs(seconds[k].y - spot.y))
            left.remove(nearest)
            spots.append(_together(spot, seconds[nearest]))
        else:
            spots.append(_alone(spot))
    return spots + [_alone(seconds[k]) for k in sorted(left) if not any(_one_die(seconds[k], s) for s in firsts)]


def _together(first: Spot, second: Spot) -> Spot:
    """One die as both see it; where it lies is the second's word, who saw it from nearer."""
    return replace(
        second,
        score=probability((log_odds(first.score) + log_odds(second.score)) / 2),
        faces=mixed(first.faces, second.faces, 0.5),
        colours=mixed(first.colours, second.colours, 0.5),
    )


def _alone(spot: Spot) -> Spot:
    return replace(spot, score=probability((log_odds(spot.score) + log_odds(_UNSEEN)) / 2))


def _one_die(one: Spot, other: Spot) -> bool:
    reach = _APART * min(max(one.w, one.h), max(other.w, other.h))
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2 <= reach**2


def _sure(spots: list[Spot]) -> list[Spot]:
    return [s for s in spots if s.score > _SURE]


def usual_size(spots: list[Spot]) -> float:
    """The width of the dice in pixels, each spot counted by how sure it is (a weighted median); 1.0 without any."""
    sizes = np.array([max(s.w, s.h) for s in spots] or [1.0])
    order = np.argsort(sizes)
    weight = np.cumsum(np.array([s.score for s in spots] or [1.0])[order] ** 2)
    return float(sizes[order][np.searchsorted(weight, weight[-1] / 2)])


def gaps(spots: list[Spot]) -> list[float]:
    """From each spot to the nearest other that is likely a die, in widths of the spot; infinite without any."""
    x, y, width, score = np.array([(s.x, s.y, max(s.w, s.h), s.score) for s in spots]).reshape(-1, 4).T
    away = np.hypot(x[:, None] - x, y[:, None] - y)
    away[:, score <= _SURE] = np.inf
    np.fill_diagonal(away, np.inf)
    return [float(gap) for gap in away.min(axis=1, initial=np.inf) / width]


def _size(spots: list[Spot]) -> float | None:
    """The dice's width in pixels of the frame, as the surer spots have it; None without any."""
    sure = _sure(spots)
    return usual_size(sure) if sure else None


def _surer(sight: Sight, coarse: list[Spot], fine: list[Spot]) -> bool:
    """Whether the coarse look saw the dice and the fine one did not.

    Seen too large, a die falls into pips that look like small dice; seen too small, a heap of dice looks like one die.
    Where the two looks speak of different sizes, the classifier says which of them saw dice.
    """
    large, small = _size(coarse), _size(fine)
    if large is None or small is None:
        return large is not None
    if large < _OTHER_SIZE * small:
        return False
    return _evidence(sight, coarse) > _evidence(sight, fine)


def _evidence(sight: Sight, spots: list[Spot]) -> float:
    """How much the surer spots look like one whole die each with a face that can be read, 0 to 1; 0 without any."""
    sure = _sure(spots)
    if not sure:
        return 0.0
    sure = sure[:: max(1, len(sure) // _ASKED)]
    looks = sight.looks(sure)
    shares = [s.score * look.whole * float(look.faces.max()) for s, look in zip(sure, looks, strict=True)]
    return float(np.mean(shares))


def _closer(sight: Sight, scale: float, hints: list[Spot], size: float, threshold: float) -> list[Spot]:
    """Look again, enlarged, at the parts of the frame where the first look saw something like a die of this size."""
    height, width = sight.image.shape[:2]
    parts = _parts(hints, size, width, height)
    if sum(w * h for _, _, w, h in parts) > _WHOLE * width * height:
        return sight.spots(scale, threshold)
    return sight.spots_in(parts, scale, threshold)


def _parts(hints: list[Spot], size: float, width: int, height: int) -> list[Part]:
    """x, y, w, h of the parts of the frame that hold every hint with a die width round it."""
    cell = max(2.0, size / 3)
    rows, columns = int(np.ceil(height / cell)), int(np.ceil(width / cell))
    mask = np.zeros((rows, columns), np.uint8)
    for hint in hints:
        mask[min(rows - 1, int(hint.y / cell)), min(columns - 1, int(hint.x / cell))] = 1
    count, _, boxes, _ = cv2.connectedComponentsWithStats(cv2.dilate(mask, np.ones((5, 5), np.uint8)))
    parts = []
    for x, y, w, h, _ in boxes[1:count].tolist():
        left, top = int(x * cell), int(y * cell)
        parts.append((left, top, min(width, int((x + w) * cell)) - left, min(height, int((y + h) * cell)) - top))
    return parts


def _apart(spots: list[Spot]) -> list[Spot]:
    """One spot a die, surest first: of two that are one die's, the surer stays. No more than `_MANY`."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda s: -s.score)[: 2 * _MANY]:
        if len(kept) == _MANY:
            break
        if not any(_one_die(spot, other) for other in kept):
            kept.append(spot)
    return kept
