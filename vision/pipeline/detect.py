"""Detecting the dice, at whatever size they appear: first in the whole frame, then enlarged if needed.

The detector works best on dice of 18 to 66 pixels. The first pass shrinks the frame to a fixed number of pixels. If
the dice turn out smaller, only the regions with candidates are enlarged and detected again, so that thirty small dice
in a large frame cost little more than the first pass.

The second detector then sees the candidates' regions enlarged, and both results are merged. One detector may take dice
that touch for one; both seldom do.

If a die is missing, the whole frame is enlarged, and places with less of a die are taken too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.log_odds import geometric_mean, log_odds, probability
from vision.models.networks import Detection
from vision.pipeline.tiles import FrameInference, Region, holds

Pairwise = npt.NDArray[Any]

CONFIDENT_SCORE: Final = 0.3
"""Detections above this score are mostly dice, and give the dice's size."""

_FIRST_PIXELS: Final = 960 * 540
"""Pixels of the frame in the first pass."""
_COARSE_SCALE: Final = 0.4
"""Scale of the coarse pass, for dice too large for the first one, relative to it."""
_MIN_SIDE: Final = 64
"""Longer side in pixels below which a pass is not worthwhile."""
_DIFFERENT_SIZE: Final = 1.5
"""Passes whose die widths differ by this factor see different things."""
KNOWN_SIZE: Final = 1.5
"""Dice differ by less than this factor from a known width: some lie nearer to the camera, some are partly hidden."""
SAME_SIZE: Final = 1.25
"""Most dice of one table differ in width by less than this factor."""
_CROWD_COUNT: Final = 75
"""More than twice the dice of a Perudo table. If more candidates look sure, most belong to a pattern."""
_EVIDENCE_SAMPLE: Final = 4
"""Detections that are classified to judge a pass."""
_MAX_SIDE: Final = 2304
"""The first detector enlarges a smaller frame up to this longer side, in pixels; a larger frame is never enlarged."""
_MAX_DETECTIONS: Final = 150
"""The most detections, five tables full of dice. More are a pattern, not worth the time."""
_GOOD_WIDTHS: Final = (17.5, 66.0)
"""Die widths, in pixels of the detector's input, that need no second pass."""
_POOR_EVIDENCE: Final = 0.35
"""Below this evidence a closer pass follows."""
_GOOD_EVIDENCE: Final = 0.5
"""Above this evidence no coarse pass is needed."""
_ZOOM_WIDTH: Final = 25.0
"""Die width that a closer pass aims at; a larger one costs more."""
_PEAK_THRESHOLD: Final = 0.12
"""Peaks of the heat map below this are ignored."""
_CANDIDATE_THRESHOLD: Final = 0.02
"""Peaks above this are worth a closer pass if dice are small."""
_FIRST_NMS_DISTANCE: Final = 0.36
"""Detections nearer than this, in widths of the smaller, are one die: the first suppression, while widths are
uncertain.
"""
_FINAL_NMS_DISTANCE: Final = 0.45
"""The same for the last suppression, in mean widths: the centres of two dice are never nearer than 0.5, even seen
from the side.
"""
_SECOND_WIDTH: Final = 40.0
"""Die width that the second detector is given, and the first one if dice are large."""
_SECOND_CANDIDATES: Final = 100
"""The surest candidates that the second detector sees."""
_SECOND_PIXELS: Final = 640_000
"""Pixels that the second detector is given at most; beyond, its regions are shrunk."""
_SECOND_THRESHOLD: Final = 0.03
"""Peaks of the second detector below this are ignored."""
_UNSEEN_SCORE: Final = 0.1
"""The score that stands in for a detector that missed a detection of the other."""
_MOST_CLOSELY: Final = 40
"""So many places, the likeliest, that only a closer look finds are taken for perhaps a die."""
_SECOND_MARGIN: Final = 2
"""Margin round each candidate, in thirds of a die width: the whole die."""
_ZOOM_MARGIN: Final = 3
"""The same for a closer pass: neighbours that the first pass missed in a row have to be in the region."""
_WHOLE_FRAME_SHARE: Final = 0.6
"""When the regions cover more of the frame than this, the closer pass takes the whole frame."""


class _Pass(NamedTuple):
    """What the first detector saw at one scale."""

    candidates: list[Detection]
    scale: float

    @property
    def detections(self) -> list[Detection]:
        """The candidates that may be dice."""
        return [s for s in self.candidates if s.score >= _PEAK_THRESHOLD]


def detect_closely(frame: FrameInference, width: float | None = None) -> list[Detection]:
    """As `detect_dice`, and after those what else may be a die of their size."""
    dice = detect_dice(frame, width)
    if not dice:
        return []
    usual = typical_width(dice)
    scale = min(_SECOND_WIDTH / usual, _closest(frame), 2.0)
    found = _of_size(frame.detect(scale, _CANDIDATE_THRESHOLD), usual)
    more = _suppress(_of_size(_merge_second(frame, found, usual), usual), _overlapping)
    new = ~_overlapping(more, dice).any(axis=1)
    return [*dice, *(more[k] for k in np.flatnonzero(new)[:_MOST_CLOSELY])]


def _closest(frame: FrameInference) -> float:
    """How much a frame is enlarged at most."""
    longer: int = max(frame.image.shape[:2])
    return max(_MAX_SIDE / longer, 1.0)


def detect_dice(frame: FrameInference, width: float | None = None) -> list[Detection]:
    """One detection per die, surest first, in pixels of the frame.

    width: the dice's width in pixels, if it is known. Without it, the size is found that explains the most dice.
    """
    frame_height, frame_width = frame.image.shape[:2]
    closest = _closest(frame)
    scale = min(1.0, float(np.sqrt(_FIRST_PIXELS / (frame_width * frame_height))))
    known = width
    if width is None:
        candidates, scale, width = _any_size(frame, scale, closest)
        if width is None:
            return _suppress([s for s in candidates if s.score >= _PEAK_THRESHOLD])
    elif width * scale <= _GOOD_WIDTHS[1]:
        candidates = _of_size(frame.detect(scale, _CANDIDATE_THRESHOLD), width)
    else:
        candidates, scale = [], np.inf
    better = min((_ZOOM_WIDTH if width * scale < _GOOD_WIDTHS[0] else _SECOND_WIDTH) / width, closest, 2.0)
    if not _GOOD_WIDTHS[0] <= width * scale <= _GOOD_WIDTHS[1] and better != scale:
        candidates = (
            frame.detect(better, _CANDIDATE_THRESHOLD) if better < scale else _zoom(frame, better, candidates, width)
        )
    merged = [s for s in _merge_second(frame, candidates, width) if s.score >= _PEAK_THRESHOLD]
    return _suppress(merged if known is None else _of_size(merged, known), _overlapping)


def _any_size(frame: FrameInference, scale: float, closest: float) -> tuple[list[Detection], float, float | None]:
    """The candidates of the pass that explains the most dice, its scale, and their width, if there are any.

    A die that is too large falls apart into pips that look like small dice; a heap of dice that are too small looks
    like one die; a playing card looks like a large die among the small ones. The classifier decides.
    """
    longer = max(frame.image.shape[:2])
    passes = [_Pass(_filter_sizes(frame, frame.detect(scale, _CANDIDATE_THRESHOLD)), scale)]
    fine = passes[0]
    if longer * scale * _COARSE_SCALE >= _MIN_SIDE and _evidence(frame, fine.detections) < _GOOD_EVIDENCE:
        coarse = scale * _COARSE_SCALE
        passes.append(_Pass(frame.detect(coarse, _PEAK_THRESHOLD), coarse))
    if max(_evidence(frame, each.detections) for each in passes) < _POOR_EVIDENCE and scale * 2.0 <= closest:
        closer = scale * 2.0  # the dice may be much smaller
        passes.append(_Pass(_zoom(frame, closer, fine.candidates, _ZOOM_WIDTH / closer), closer))
    chosen = max(passes, key=lambda each: _explained(frame, each.detections))
    width = _die_width(chosen.detections)
    if width is None:
        return [s for each in passes for s in each.detections], scale, None
    return chosen.candidates, chosen.scale, width


def _of_size(candidates: list[Detection], width: float) -> list[Detection]:
    return [candidate for candidate in candidates if _size_ratio(candidate, width) < KNOWN_SIZE]


def _merge_second(frame: FrameInference, candidates: list[Detection], size: float) -> list[Detection]:
    """The candidates merged with the second detector's detections, including new ones near them."""
    height, width = frame.image.shape[:2]
    regions = _regions(frame, candidates[:_SECOND_CANDIDATES], size, _SECOND_MARGIN)
    shown = sum(w * h for _, _, w, h in regions)
    nearer = min(_SECOND_WIDTH / size, 2.0, float(np.sqrt(_SECOND_PIXELS / shown))) if regions else 1.0
    seconds = _suppress(frame.detect_in(regions, nearer, _SECOND_THRESHOLD, second=True))
    firsts = _suppress(candidates)
    away, alike = centre_distances(firsts, seconds), _same_die(firsts, seconds)
    unmatched = set(range(len(seconds)))
    detections = []
    for n, detection in enumerate(firsts):
        if not any(holds(region, detection, width, height) for region in regions):
            detections.append(detection)  # outside the second detector's regions
            continue
        near = [k for k in unmatched if alike[n, k]]
        if near:
            nearest = min(near, key=lambda k: away[n, k])
            unmatched.remove(nearest)
            merged = alike[:, nearest].sum() > 1
            odd = _size_ratio(seconds[nearest], size) > max(_DIFFERENT_SIZE, _size_ratio(detection, size))
            detections.append(_merge(detection, seconds[nearest], detection if merged or odd else seconds[nearest]))
        else:
            detections.append(_discount(detection))
    return detections + [_discount(seconds[k]) for k in sorted(unmatched)]


def _merge(first: Detection, second: Detection, place: Detection) -> Detection:
    """One die as both detectors see it.

    `place` gives its position: the second detection, which is seen enlarged, unless it covers two of the first
    detector's dice or has a size that no other die has.
    """
    return replace(
        place,
        score=probability((log_odds(first.score) + log_odds(second.score)) / 2),
        faces=geometric_mean(first.faces, second.faces, 0.5),
        colours=geometric_mean(first.colours, second.colours, 0.5),
    )


def _discount(detection: Detection) -> Detection:
    """A detection that only one detector made."""
    return replace(detection, score=probability((log_odds(detection.score) + log_odds(_UNSEEN_SCORE)) / 2))


def _size_ratio(detection: Detection, size: float) -> float:
    """How many times larger or smaller than `size` the detection is, 1 or more."""
    times = detection.size / size
    return max(times, 1 / times)


def centre_distances(ones: Sequence[Detection], others: Sequence[Detection]) -> Pairwise:
    """Distances between centres in pixels, a row for each of `ones`."""
    one, other = (np.array([(s.x, s.y) for s in detections]).reshape(-1, 2) for detections in (ones, others))
    return np.asarray(np.hypot(one[:, None, 0] - other[:, 0], one[:, None, 1] - other[:, 1]))


def die_widths(detections: Sequence[Detection]) -> npt.NDArray[np.float64]:
    """The longer sides in pixels."""
    return np.array([s.size for s in detections], np.float64)


def _same_die(ones: Sequence[Detection], others: Sequence[Detection]) -> Pairwise:
    """Which pairs are one die, by the smaller width."""
    return centre_distances(ones, others) <= _FIRST_NMS_DISTANCE * np.minimum(
        die_widths(ones)[:, None], die_widths(others)
    )


def _overlapping(ones: Sequence[Detection], others: Sequence[Detection]) -> Pairwise:
    """Which pairs are one die, by the mean width."""
    return centre_distances(ones, others) <= _FINAL_NMS_DISTANCE * (die_widths(ones)[:, None] + die_widths(others)) / 2


def _confident(detections: list[Detection]) -> list[Detection]:
    return [s for s in detections if s.score > CONFIDENT_SCORE]


def typical_width(detections: Sequence[Detection]) -> float:
    """Weighted median of the widths in pixels, by score. There is at least one detection."""
    widths = die_widths(detections)
    order = np.argsort(widths)
    weight = np.cumsum(np.array([s.score for s in detections])[order] ** 2)
    return float(widths[order][np.searchsorted(weight, weight[-1] / 2)])


def _die_width(detections: list[Detection]) -> float | None:
    """The dice's width in pixels, by the confident detections."""
    sure = _confident(detections)
    return typical_width(sure) if sure else None


def _evidence(frame: FrameInference, detections: list[Detection]) -> float:
    """How much the confident detections look like whole dice with a readable face, 0 to 1."""
    sure = _confident(detections)
    if not sure:
        return 0.0
    sure = sure[:: -(-len(sure) // _EVIDENCE_SAMPLE)]
    shares = [one.score * c.whole * c.face_chance for one, c in zip(sure, frame.classify(sure), strict=True)]
    return float(np.mean(shares))


def _explained(frame: FrameInference, detections: list[Detection]) -> float:
    """How many dice the confident detections explain; those that hardly look like dice do not count."""
    return len(_confident(detections)) * _evidence(frame, detections) ** 2


def _filter_sizes(frame: FrameInference, candidates: list[Detection]) -> list[Detection]:
    """The candidates or, if too many look sure, those of the size that looks most like dice.

    The flowers of a cloth outnumber the dice, but have another size and look less like dice when enlarged.
    """
    sure = _confident(candidates)
    if len(sure) <= _CROWD_COUNT:
        return candidates
    widths = die_widths(sure)
    sizes = np.exp(np.arange(np.log(widths.min()), np.log(widths.max()) + 0.2, 0.2))
    groups = [[s for s in sure if _size_ratio(s, size) < SAME_SIZE] for size in sizes]
    _, size = max((_evidence(frame, group), size) for group, size in zip(groups, sizes.tolist(), strict=True))
    return [candidate for candidate in candidates if _size_ratio(candidate, size) < _DIFFERENT_SIZE]


def _zoom(frame: FrameInference, scale: float, candidates: list[Detection], size: float) -> list[Detection]:
    """Detect again, enlarged, in the regions round the candidates."""
    regions = _regions(frame, candidates, size, _ZOOM_MARGIN)
    if sum(w * h for _, _, w, h in regions) > _WHOLE_FRAME_SHARE * frame.image.shape[0] * frame.image.shape[1]:
        return frame.detect(scale, _CANDIDATE_THRESHOLD)
    return frame.detect_in(regions, scale, _CANDIDATE_THRESHOLD)


def _regions(frame: FrameInference, candidates: list[Detection], size: float, margin: int) -> list[Region]:
    """Regions of the frame round all candidates, with a margin in thirds of `size`, the die width."""
    height, width = frame.image.shape[:2]
    cell = max(2.0, size / 3)
    rows, columns = int(np.ceil(height / cell)), int(np.ceil(width / cell))
    mask = np.zeros((rows, columns), np.uint8)
    for candidate in candidates:
        mask[min(rows - 1, max(0, int(candidate.y / cell))), min(columns - 1, max(0, int(candidate.x / cell)))] = 1
    count, _, boxes, _ = cv2.connectedComponentsWithStats(
        cv2.dilate(mask, np.ones((2 * margin + 1, 2 * margin + 1), np.uint8))
    )
    regions = []
    for x, y, w, h, _ in boxes[1:count].tolist():
        left, top = int(x * cell), int(y * cell)
        regions.append((left, top, min(width, int((x + w) * cell)) - left, min(height, int((y + h) * cell)) - top))
    return regions


def _suppress(
    detections: Sequence[Detection], alike: Callable[[Sequence[Detection], Sequence[Detection]], Pairwise] = _same_die
) -> list[Detection]:
    """Non-maximum suppression: the surest detection of each die, and no more than `_MAX_DETECTIONS`."""
    ranked = sorted(detections, key=lambda s: -s.score)[: 2 * _MAX_DETECTIONS]
    same = alike(ranked, ranked)
    survivors: list[int] = []
    for k in range(len(ranked)):
        if len(survivors) < _MAX_DETECTIONS and not same[k, survivors].any():
            survivors.append(k)
    return [ranked[k] for k in survivors]
