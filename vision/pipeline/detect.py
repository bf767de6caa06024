"""Detects the dice at any size: first in the whole frame, then enlarged if needed.

The detector works best on dice of 18 to 66 pixels. The first pass shrinks the frame to a fixed number of pixels. If
the dice turn out smaller, only the regions with candidates are enlarged and detected again, so that thirty small dice
in a large frame cost little more than the first pass.

The second detector then sees the candidates' regions enlarged, and both results are merged. One detector may take two
touching dice for one; both seldom do.

If a die is missing, the whole frame is enlarged, and less likely candidates are kept too.
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
from vision.pipeline.frame_inference import FrameInference, Region, holds

Pairwise = npt.NDArray[Any]

CONFIDENT_SCORE: Final = 0.3
"""Detections above this score are mostly dice, and determine the dice's size."""

_FIRST_PIXELS: Final = 960 * 540
"""Pixels of the frame in the first pass."""
_COARSE_SCALE: Final = 0.4
"""Scale of the coarse pass, for dice too large for the first one, relative to it."""
_MIN_SIDE: Final = 64
"""Longer side in pixels below which a pass is not worthwhile."""
_DIFFERENT_SIZE: Final = 1.5
"""Passes whose die widths differ by this factor count as different sizes."""
KNOWN_SIZE: Final = 1.5
"""A die differs from a known width by less than this factor: some lie nearer to the camera, some are partly hidden."""
SAME_SIZE: Final = 1.25
"""Most dice of one table differ in width by less than this factor."""
_CROWD_COUNT: Final = 75
"""More than twice the dice of a Perudo table. With more confident candidates than this, most belong to a pattern."""
_EVIDENCE_SAMPLE: Final = 4
"""The number of detections that are classified to judge a pass."""
_MAX_SIDE: Final = 2304
"""The first detector enlarges a smaller frame up to this longer side, in pixels; a larger frame is never enlarged."""
_MAX_DETECTIONS: Final = 150
"""The most detections: five tables of dice. Any more belong to a pattern, and are not worth the time."""
_GOOD_WIDTHS: Final = (17.5, 66.0)
"""Die widths, in pixels of the detector's input, that need no second pass."""
_POOR_EVIDENCE: Final = 0.35
"""Below this evidence a closer pass follows."""
_GOOD_EVIDENCE: Final = 0.5
"""Above this evidence no coarse pass is needed."""
_ZOOM_WIDTH: Final = 25.0
"""Die width, in pixels, that a closer pass aims at; a larger one costs more."""
_PEAK_THRESHOLD: Final = 0.12
"""The least score of a peak of the heat map; lower ones are ignored."""
_CANDIDATE_THRESHOLD: Final = 0.02
"""The least score of a peak that a closer pass looks at if the dice are small."""
_FIRST_NMS_DISTANCE: Final = 0.36
"""Detections nearer than this, in widths of the smaller one, are one die: for the first suppression, when widths are
still uncertain.
"""
_FINAL_NMS_DISTANCE: Final = 0.45
"""The same for the last suppression, in mean widths: the centres of two dice are never nearer than 0.5, even seen
from the side.
"""
_SECOND_WIDTH: Final = 40.0
"""Die width, in pixels, that the second detector gets, and the first one too if dice are large."""
_SECOND_CANDIDATES: Final = 100
"""The number of candidates, the surest ones, that the second detector sees."""
_SECOND_PIXELS: Final = 640_000
"""The most pixels that the second detector gets; beyond that its regions are shrunk."""
_SECOND_THRESHOLD: Final = 0.03
"""The least score of the second detector's peaks; lower ones are ignored."""
_UNSEEN_SCORE: Final = 0.1
"""Stands in for the score of the detector that missed what the other one found."""
_MOST_CLOSELY: Final = 40
"""At most this many candidates, the likeliest, are kept that only a closer look finds."""
_SECOND_MARGIN: Final = 2
"""Margin round each candidate, in thirds of a die width: the whole die."""
_ZOOM_MARGIN: Final = 3
"""The same for a closer pass: neighbours in a row that the first pass missed must lie in the region."""
_WHOLE_FRAME_SHARE: Final = 0.6
"""If the regions cover more of the frame than this, the closer pass takes the whole frame."""


class _Pass(NamedTuple):
    """The first detector's output at one scale."""

    candidates: list[Detection]
    scale: float

    @property
    def detections(self) -> list[Detection]:
        """The candidates that may be dice."""
        return [s for s in self.candidates if s.score >= _PEAK_THRESHOLD]


def detect_closely(frame: FrameInference, width: float | None = None) -> list[Detection]:
    """Like `detect_dice`, followed by less likely candidates of the same size."""
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
    """The largest factor by which a frame is enlarged."""
    longer: int = max(frame.image.shape[:2])
    return max(_MAX_SIDE / longer, 1.0)


def detect_dice(frame: FrameInference, width: float | None = None) -> list[Detection]:
    """One detection per die, surest first, in pixels of the frame.

    width: the dice's width in pixels, if known. Without it, the size that explains the most dice is used.
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
    """The candidates of the pass that explains the most dice, its scale, and the dice's width if there are any.

    A die that is too large for a pass falls apart into pips that look like small dice; a heap of small dice looks like
    one die; a playing card looks like a large die among small ones. The classifier decides.
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
    """Merge two detections of one die.

    `place` gives the position: usually the second detection, because the second detector sees the die enlarged, unless
    it covers two of the first detector's dice or has a size that no other die has.
    """
    return replace(
        place,
        score=probability((log_odds(first.score) + log_odds(second.score)) / 2),
        faces=geometric_mean(first.faces, second.faces, 0.5),
        colours=geometric_mean(first.colours, second.colours, 0.5),
    )


def _discount(detection: Detection) -> Detection:
    """Lower the score of a detection that only one detector made."""
    return replace(detection, score=probability((log_odds(detection.score) + log_odds(_UNSEEN_SCORE)) / 2))


def _size_ratio(detection: Detection, size: float) -> float:
    """The ratio of the detection's size to `size`, or its inverse: 1 or more."""
    times = detection.size / size
    return max(times, 1 / times)


def centre_distances(ones: Sequence[Detection], others: Sequence[Detection]) -> Pairwise:
    """Distances between centres in pixels: a row for each of `ones`."""
    one, other = (np.array([(s.x, s.y) for s in detections]).reshape(-1, 2) for detections in (ones, others))
    return np.asarray(np.hypot(one[:, None, 0] - other[:, 0], one[:, None, 1] - other[:, 1]))


def die_widths(detections: Sequence[Detection]) -> npt.NDArray[np.float64]:
    """The longer sides in pixels."""
    return np.array([s.size for s in detections], np.float64)


def _same_die(ones: Sequence[Detection], others: Sequence[Detection]) -> Pairwise:
    """Which pairs are one die, judged by the smaller width."""
    return centre_distances(ones, others) <= _FIRST_NMS_DISTANCE * np.minimum(
        die_widths(ones)[:, None], die_widths(others)
    )


def _overlapping(ones: Sequence[Detection], others: Sequence[Detection]) -> Pairwise:
    """Which pairs are one die, judged by the mean width."""
    return centre_distances(ones, others) <= _FINAL_NMS_DISTANCE * (die_widths(ones)[:, None] + die_widths(others)) / 2


def _confident(detections: list[Detection]) -> list[Detection]:
    return [s for s in detections if s.score > CONFIDENT_SCORE]


def typical_width(detections: Sequence[Detection]) -> float:
    """The median width in pixels, weighted by score. `detections` must not be empty."""
    widths = die_widths(detections)
    order = np.argsort(widths)
    weight = np.cumsum(np.array([s.score for s in detections])[order] ** 2)
    return float(widths[order][np.searchsorted(weight, weight[-1] / 2)])


def _die_width(detections: list[Detection]) -> float | None:
    """The dice's width in pixels, from the confident detections."""
    sure = _confident(detections)
    return typical_width(sure) if sure else None


def _evidence(frame: FrameInference, detections: list[Detection]) -> float:
    """How much, 0 to 1, the confident detections look like whole dice with readable faces."""
    sure = _confident(detections)
    if not sure:
        return 0.0
    sure = sure[:: -(-len(sure) // _EVIDENCE_SAMPLE)]
    shares = [one.score * c.whole * c.face_chance for one, c in zip(sure, frame.classify(sure), strict=True)]
    return float(np.mean(shares))


def _explained(frame: FrameInference, detections: list[Detection]) -> float:
    """The number of dice that the confident detections explain, without those that hardly look like dice."""
    return len(_confident(detections)) * _evidence(frame, detections) ** 2


def _filter_sizes(frame: FrameInference, candidates: list[Detection]) -> list[Detection]:
    """The candidates or, if too many are confident, those of the size that looks most like dice.

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
    """Detect again, enlarged, in regions round the candidates."""
    regions = _regions(frame, candidates, size, _ZOOM_MARGIN)
    if sum(w * h for _, _, w, h in regions) > _WHOLE_FRAME_SHARE * frame.image.shape[0] * frame.image.shape[1]:
        return frame.detect(scale, _CANDIDATE_THRESHOLD)
    return frame.detect_in(regions, scale, _CANDIDATE_THRESHOLD)


def _regions(frame: FrameInference, candidates: list[Detection], size: float, margin: int) -> list[Region]:
    """Regions of the frame that cover all candidates, with a margin in thirds of `size`, the die width."""
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
    """Non-maximum suppression: keep the surest detection of each die, `_MAX_DETECTIONS` at most."""
    ranked = sorted(detections, key=lambda s: -s.score)[: 2 * _MAX_DETECTIONS]
    same = alike(ranked, ranked)
    survivors: list[int] = []
    for k in range(len(ranked)):
        if len(survivors) < _MAX_DETECTIONS and not same[k, survivors].any():
            survivors.append(k)
    return [ranked[k] for k in survivors]
