"""What the neighbours of a die say about it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.models.networks import Classification, Detection
from vision.pipeline.neighbours import neighbours_of
from vision.reading import Lab

SIX, EIGHT = np.full(6, 1 / 6, np.float32), np.full(8, 1 / 8, np.float32)
RED, ORANGE, BLUE = (45.0, 55.0, 35.0), (60.0, 45.0, 60.0), (35.0, 10.0, -40.0)


def spot(x: float, score: float = 0.95, width: float = 40.0) -> Detection:
    return Detection(x, 100, width, width, score, SIX, EIGHT)


def look(whole: float = 0.95) -> Classification:
    return Classification(SIX, EIGHT, whole)


def of(*candidates: tuple[Detection, Classification, Lab]) -> list[tuple[float, float, float]]:
    """Strange, away and faint of each."""
    return [
        (c.colour_distance, c.log_distance, c.log_faint)
        for c in neighbours_of(*(list(column) for column in zip(*candidates, strict=True)))
    ]


def test_a_single_die_has_neutral_values() -> None:
    ((colour_distance, log_distance, log_faint),) = of((spot(100), look(), RED))
    assert 1 < colour_distance < 6
    assert 0 < log_distance < 3
    assert log_faint == 0


def test_a_die_is_like_its_owners_others_and_unlike_a_foreign_one() -> None:
    one, other, stranger = of(
        (spot(100), look(), RED), (spot(180), look(), (47.0, 56.0, 36.0)), (spot(260), look(), BLUE)
    )
    assert one[0] == other[0] < 1
    assert stranger[0] == 6


def test_distances_are_in_die_widths() -> None:
    *_, last = of((spot(100), look(), RED), (spot(130), look(), RED), (spot(450), look(), RED))
    assert last[1] == pytest.approx(math.log(320 / 40))


def test_gaps_are_to_the_nearest_confident_detection_and_to_the_nearest_surer_one() -> None:
    row = [spot(100, 0.9), spot(140, 0.8), spot(150, 0.2)]
    first, beside, faint = neighbours_of(row, [look()] * 3, [RED] * 3)
    assert (first.gap, first.surer_gap) == (pytest.approx(1), np.inf)
    assert (beside.gap, beside.surer_gap) == (pytest.approx(1), pytest.approx(1))
    assert (faint.gap, faint.surer_gap) == (pytest.approx(0.25), pytest.approx(0.25))
    (alone,) = neighbours_of([spot(100, 0.9)], [look()], [RED])
    assert (alone.gap, alone.surer_gap) == (np.inf, np.inf)


def test_touching_dice_have_the_least_distance() -> None:
    assert of((spot(100), look(), RED), (spot(138), look(), RED))[0][1] == 0


def test_a_doubtful_detection_is_no_neighbour() -> None:
    alone, _ = of((spot(100), look(), RED), (spot(150, 0.3), look(0.3), RED))
    assert alone[:2] == of((spot(100), look(), RED))[0][:2]


def test_a_pattern_has_many_faint_detections() -> None:
    pattern = [(spot(200 + 50 * k, 0.4), look(0.3), ORANGE) for k in range(20)]
    assert {log_faint for *_, log_faint in of((spot(100), look(), RED), *pattern)} == {math.log(21)}
