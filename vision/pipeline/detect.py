"""Where the dice lie, at whatever size they appear: a first look at the whole frame, a closer one where it is needed.

The detector reads dice of 18 to 66 pixels best. The first look shrinks the frame to a fixed number of pixels; when the
dice turn out smaller than that, only the parts of the frame where something was seen are looked at again, enlarged,
so that thirty small dice in a large frame cost little more than the first look.

Then the second detector looks at the places where the first saw something, from nearer, and what the two make of it
is put together. Dice that touch run into one another in one picture, seldom in both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.models.networks import Spot
from vision.odds import log_odds, mixed, probability
from vision.pipeline.tiles import Part, Sight, holds

Matrix = npt.NDArray[Any]

_FIRST: Final = 960 * 540
"""Pixels of the frame at the first look."""
_COARSER: Final = 0.4
"""A look at this part of the first look's size finds dice that are too large for it."""
_SMALLEST: Final = 64
"""Pixels of the longer side under which a look is not worth while."""
_OTHER_SIZE: Final = 1.5
"""Two looks that see dice of sizes further apart than this do not see the same things."""
_SAME_SIZE: Final = 1.25
"""Dice of one table differ in size by less than this, most of them."""
_CROWD: Final = 75
"""Twice as many dice as a Perudo table has, and more. Where more spots than this look sure, most are a pattern's."""
_ASKED: Final = 4
"""How many spots of a look the classifier is asked about to judge the look."""
_LARGEST: Final = 2304
"""The first detector sees a frame whose longer side is shorter enlarged to this at most, and no other enlarged."""
_MANY: Final = 150
"""Five tables full of dice. Where more is seen it is a pattern, and the time is better kept."""
_GOOD: Final = (17.5, 66.0)
"""Die widths, in pixels of what the detector is given, that need no second look."""
_POOR: Final = 0.35
"""A look whose spots are less like dice than this is followed by a closer one."""
_PLAIN: Final = 0.5
"""One whose spots are more like dice than this needs no coarser one."""
_AIM: Final = 25.0
"""Die width that a second look is made at where dice are small: a larger one costs more."""
_PEAK: Final = 0.12
"""Peaks of the heat map below this are not looked at."""
_HINT: Final = 0.02
"""Peaks above this are worth a closer look when dice are small."""
_SURE: Final = 0.3
"""Peaks above this tell the dice's size."""
_APART: Final = 0.36
"""Spots closer than this, in widths of the smaller, are one die's: a first word, while widths are not known well."""
_SOLID: Final = 0.45
"""The last word, in widths of the two on average: no two dice's middles come closer than 0.5, even from the side."""
_NEAR: Final = 40.0
"""Die width that the second detector is shown the dice at, and the first where dice are large."""
_PLACES: Final = 100
"""The second detector is asked about so many of the first one's spots, the surest."""
_ENOUGH: Final = 640_000
"""Pixels that the second detector is shown at most; where the dice's places have more, it sees them smaller."""
_FAINT: Final = 0.03
"""Peaks of the second detector's heat map below this are not looked at."""
_UNSEEN: Final = 0.1
"""What one detector does not see where the other sees something counts as this."""
_ROUND: Final = 2
"""Thirds of a die width, round each hint, that are looked at with it: the whole die."""
_FURTHER: Final = 3
"""The same where dice are small: the first look saw every other one of a row, and its neighbours are to be seen too."""
_WHOLE: Final = 0.6
"""When the parts to look at again cover more of the frame than this, it is looked at whole."""


def find(sight: Sight) -> list[Spot]:
    """Every die the detectors see in the frame, in pixels of the frame, surest first, one spot a die."""
    height, width = sight.image.shape[:2]
    closest = max(_LARGEST / max(width, height), 1.0)
    scale = min(1.0, float(np.sqrt(_FIRST / (width * height))))
    hints = _of_one_size(sight, sight.spots(scale, _HINT))
    fine = [s for s in hints if s.score >= _PEAK]
    spots, coarse = fine, list[Spot]()
    looks = [(hints, fine, scale)]
    if max(width, height) * scale * _COARSER >= _SMALLEST and _evidence(sight, fine) < _PLAIN:
        coarse = sight.spots(scale * _COARSER, _PEAK)
        looks.append((coarse, coarse, scale * _COARSER))
    if _surer(sight, coarse, fine):
        hints, spots, scale = looks[1]
    if _evidence(sight, spots) < _POOR and looks[0][2] * 2.0 <= closest:  # perhaps they are much smaller
        hints, _, scale = looks[0]
        closer = _closer(sight, scale * 2.0, hints, _AIM / (scale * 2.0), _HINT)
        looks.append((closer, [s for s in closer if s.score >= _PEAK], scale * 2.0))
        hints, spots, scale = max(looks, key=lambda look: _evidence(sight, look[1]))
    size = _size(spots)
    if size is None:
        return _apart([*spots, *fine, *coarse])
    better = min((_AIM if size * scale < _GOOD[0] else _NEAR) / size, closest, 2.0)
    if not _GOOD[0] <= size * scale <= _GOOD[1] and better != scale:
        hints = sight.spots(better, _HINT) if better < scale else _closer(sight, better, hints, size, _HINT)
    return _apart([s for s in _with_the_second(sight, hints, size) if s.score >= _PEAK], _solid)


def _with_the_second(sight: Sight, hints: list[Spot], size: float) -> list[Spot]:
    """The hints, each as both detectors have it together, and what the second one alone saw near them."""
    height, width = sight.image.shape[:2]
    parts = _parts(hints[:_PLACES], size, width, height, _ROUND)
    shown = sum(w * h for _, _, w, h in parts)
    nearer = min(_NEAR / size, 2.0, float(np.sqrt(_ENOUGH / shown))) if parts else 1.0
    seconds = _apart(sight.spots_in(parts, nearer, _FAINT, second=True))
    firsts = _apart(hints)
    away, alike = distances(firsts, seconds), _one_die(firsts, seconds)
    left = set(range(len(seconds)))
    spots = []
    for n, spot in enumerate(firsts):
        if not any(holds(part, spot, width, height) for part in parts):
            spots.append(spot)  # the second was not asked
            continue
        near = [k for k in left if alike[n, k]]
        if near:
            nearest = min(near, key=lambda k: away[n, k])
            left.remove(nearest)
            merged = alike[:, nearest].sum() > 1
            odd = _off(seconds[nearest], size) > max(_OTHER_SIZE, _off(spot, size))
            spots.append(_together(spot, seconds[nearest], spot if merged or odd else seconds[nearest]))
        else:
            spots.append(_alone(spot))
    return spots + [_alone(seconds[k]) for k in sorted(left)]


def _together(first: Spot, second: Spot, place: Spot) -> Spot:
    """One die as both see it.

    place: whose word counts for where it lies: the second's, who saw it from nearer, unless it saw one where the first
    saw two, or one of a size that no other die here has.
    """
    return replace(
        place,
        score=probability((log_odds(first.score) + log_odds(second.score)) / 2),
        faces=mixed(first.faces, second.faces, 0.5),
        colours=mixed(first.colours, second.colours, 0.5),
    )


def _alone(spot: Spot) -> Spot:
    return replace(spot, score=probability((log_odds(spot.score) + log_odds(_UNSEEN)) / 2))


def _off(spot: Spot, size: float) -> float:
    """How many times larger or smaller than this size the spot is; 1 and more."""
    times = max(spot.w, spot.h) / size
    return max(times, 1 / times)


def distances(ones: Sequence[Spot], others: Sequence[Spot]) -> Matrix:
    """How far the middles of each two lie apart, in pixels: a row for each of `ones`."""
    one, other = (np.array([(s.x, s.y) for s in spots]).reshape(-1, 2) for spots in (ones, others))
    return np.asarray(np.hypot(one[:, None, 0] - other[:, 0], one[:, None, 1] - other[:, 1]))


def _widths(spots: Sequence[Spot]) -> Matrix:
    return np.array([max(s.w, s.h) for s in spots], np.float64)


def _one_die(ones: Sequence[Spot], others: Sequence[Spot]) -> Matrix:
    """Of each two, whether both are one die's, by the smaller's width."""
    return distances(ones, others) <= _APART * np.minimum(_widths(ones)[:, None], _widths(others))


def _solid(ones: Sequence[Spot], others: Sequence[Spot]) -> Matrix:
    """The same, by their mean width."""
    return distances(ones, others) <= _SOLID * (_widths(ones)[:, None] + _widths(others)) / 2


def _sure(spots: list[Spot]) -> list[Spot]:
    return [s for s in spots if s.score > _SURE]


def usual_size(spots: Sequence[Spot]) -> float:
    """The width of the dice in pixels, each spot counted by how sure it is (a weighted median); 1.0 without any."""
    sizes = np.array([max(s.w, s.h) for s in spots] or [1.0])
    order = np.argsort(sizes)
    weight = np.cumsum(np.array([s.score for s in spots] or [1.0])[order] ** 2)
    return float(sizes[order][np.searchsorted(weight, weight[-1] / 2)])


class Gaps(NamedTuple):
    """How near to a spot the next ones lie, in die widths (the mean of the two's); infinite without any."""

    likely: float
    """The nearest that is likely a die."""
    surer: float
    """The nearest that is seen more surely."""


def gaps(spots: Sequence[Spot]) -> list[Gaps]:
    """Of each spot; they come surest first."""
    width, score = _widths(spots), np.array([s.score for s in spots])
    away = distances(spots, spots) * 2 / (width[:, None] + width)
    np.fill_diagonal(away, np.inf)
    likely = np.where(score > _SURE, away, np.inf).min(axis=1, initial=np.inf)
    surer = np.where(np.tri(len(spots), k=-1, dtype=bool), away, np.inf).min(axis=1, initial=np.inf)
    return [Gaps(*pair) for pair in zip(likely.tolist(), surer.tolist(), strict=True)]


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
    sure = sure[:: -(-len(sure) // _ASKED)]
    looks = sight.looks(sure)
    shares = [s.score * look.whole * float(look.faces.max()) for s, look in zip(sure, looks, strict=True)]
    return float(np.mean(shares))


def _of_one_size(sight: Sight, hints: list[Spot]) -> list[Spot]:
    """The hints, or where more look sure than a table has dice, those of the size at which they look most like dice.

    The flowers of a cloth outnumber the dice on it, but they are of another size, and not as like a die from near.
    """
    sure = _sure(hints)
    if len(sure) <= _CROWD:
        return hints
    widths = np.array([max(s.w, s.h) for s in sure])
    sizes = np.exp(np.arange(np.log(widths.min()), np.log(widths.max()) + 0.2, 0.2))
    groups = [[s for s in sure if _off(s, size) < _SAME_SIZE] for size in sizes]
    _, size = max((_evidence(sight, group), size) for group, size in zip(groups, sizes.tolist(), strict=True))
    return [hint for hint in hints if _off(hint, size) < _OTHER_SIZE]


def _closer(sight: Sight, scale: float, hints: list[Spot], size: float, threshold: float) -> list[Spot]:
    """Look again, enlarged, at the parts of the frame where the first look saw something like a die of this size."""
    height, width = sight.image.shape[:2]
    parts = _parts(hints, size, width, height, _FURTHER)
    if sum(w * h for _, _, w, h in parts) > _WHOLE * width * height:
        return sight.spots(scale, threshold)
    return sight.spots_in(parts, scale, threshold)


def _parts(hints: list[Spot], size: float, width: int, height: int, reach: int) -> list[Part]:
    """x, y, w, h of the parts of the frame that hold every hint with `reach` thirds of a die width round it."""
    cell = max(2.0, size / 3)
    rows, columns = int(np.ceil(height / cell)), int(np.ceil(width / cell))
    mask = np.zeros((rows, columns), np.uint8)
    for hint in hints:
        mask[min(rows - 1, max(0, int(hint.y / cell))), min(columns - 1, max(0, int(hint.x / cell)))] = 1
    count, _, boxes, _ = cv2.connectedComponentsWithStats(
        cv2.dilate(mask, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    )
    parts = []
    for x, y, w, h, _ in boxes[1:count].tolist():
        left, top = int(x * cell), int(y * cell)
        parts.append((left, top, min(width, int((x + w) * cell)) - left, min(height, int((y + h) * cell)) - top))
    return parts


def _apart(spots: Sequence[Spot], alike: Callable[[Sequence[Spot], Sequence[Spot]], Matrix] = _one_die) -> list[Spot]:
    """One spot a die, surest first: of two that are one die's, the surer stays. No more than `_MANY`."""
    ranked = sorted(spots, key=lambda s: -s.score)[: 2 * _MANY]
    same = alike(ranked, ranked)
    kept: list[int] = []
    for k in range(len(ranked)):
        if len(kept) == _MANY:
            break
        if not same[k, kept].any():
            kept.append(k)
    return [ranked[k] for k in kept]
