"""Dice seen at an angle are read by their tops, whose direction is learned from the dice themselves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.image import Image
from vision.drawn.table_scene import SceneDie, TableScene, render_table
from vision.models.networks import Classification, Detection, Networks
from vision.pipeline.detect import detect_dice
from vision.pipeline.frame_inference import FrameInference
from vision.pipeline.second_look import classify_dice
from vision.pipeline.tilt import Tilt, estimate_tilt, fit_tilt

ways = st.lists(st.tuples(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6)), min_size=1, max_size=6)


def a_spot(x: float, y: float, size: float = 40.0, score: float = 0.95) -> Detection:
    return Detection(x, y, size, size, score, np.full(6, 1 / 6, np.float32), np.full(8, 1 / 8, np.float32))


def a_look(face: int, chance: float = 0.98, whole: float = 0.98) -> Classification:
    faces = np.full(6, (1 - chance) / 5, np.float32)
    faces[face - 1] = chance
    return Classification(faces, np.full(8, 1 / 8, np.float32), whole)


class FakeSight:
    """Made-up answers of the classifiers for any place."""

    def __init__(self, says: Callable[[Detection], Classification]) -> None:
        self.image: Image = np.zeros((600, 800, 3), np.uint8)
        self._says = says

    def classify(self, detections: Sequence[Detection]) -> list[Classification]:
        return [self._says(spot) for spot in detections]

    def classify_turned(self, detections: Sequence[Detection]) -> list[list[Classification]]:
        return [[self._says(spot)] * 3 for spot in detections]


PLACES = [(200.0, 300.0), (400.0, 200.0), (600.0, 300.0), (400.0, 400.0)]


def leaning_right(spot: Detection) -> Classification:
    """Plain sixes that look less plain the further a look is aimed to their left; and one that does not."""
    x, y = min([*PLACES, (400.0, 300.0)], key=lambda at: math.dist(at, (spot.x, spot.y)))
    right = (spot.x - x) / spot.w
    if (x, y) == (400.0, 300.0):
        return a_look(3, 0.9) if right > 0.1 else a_look(5, 0.8)
    sure = float(np.clip(0.98 + 6 * min(0.0, right), 0.01, 0.98))
    return a_look(6, sure, sure)


def test_a_die_is_read_by_its_top_in_the_direction_learned_from_the_others() -> None:
    sight = cast(FrameInference, FakeSight(leaning_right))
    detections = [*(a_spot(*at) for at in PLACES), a_spot(400, 300)]
    assert int(np.argmax(sight.classify(detections)[-1].faces)) + 1 == 5  # its side, seen straight on
    classifications = classify_dice(sight, detections)
    assert [int(np.argmax(look.faces)) + 1 for look in classifications] == [6, 6, 6, 6, 3]


def test_a_side_that_was_detected_in_place_of_the_top_is_doubted() -> None:
    straight_down = Tilt((400.0, 300.0), 800.0, (0.0, 0.0), 1.2)

    def says(spot: Detection) -> Classification:
        return a_look(1, 0.97, 0.98) if spot.x > 660 else a_look(2, 0.98, 0.9)

    sight = cast(FrameInference, FakeSight(says))
    assert classify_dice(sight, [a_spot(650, 300)], straight_down)[0].face_chance < 0.6
    assert classify_dice(sight, [a_spot(450, 300)], straight_down)[0].face_chance > 0.95  # nearly below the camera
    assert classify_dice(sight, [a_spot(700, 300)], straight_down)[0].face_chance > 0.95


def test_the_tilt_of_the_others_does_not_make_a_die_of_something_else() -> None:
    def says(spot: Detection) -> Classification:
        return leaning_right(spot) if spot.y < 500 else a_look(1, whole=0.01)

    classifications = classify_dice(
        cast(FrameInference, FakeSight(says)), [*(a_spot(*at) for at in PLACES), a_spot(400, 550)]
    )
    assert classifications[-1].whole == pytest.approx(0.01)


def test_a_frame_without_a_plain_die_is_taken_as_seen_from_above_its_middle() -> None:
    sight = cast(FrameInference, FakeSight(lambda _: a_look(2, 0.4, 0.5)))
    lean = estimate_tilt(sight, [a_spot(*at) for at in PLACES], sight.classify([a_spot(*at) for at in PLACES]))
    assert lean.of(a_spot(400, 300)) == pytest.approx((0, 0))
    right, down = lean.of(a_spot(800, 300))
    assert right > 0.2
    assert down == pytest.approx(0)
    middle = a_spot(420, 310)
    assert lean.top(middle) is middle


@given(says=ways)
def test_in_a_mirror_dice_lean_the_other_way(says: list[tuple[float, float]]) -> None:
    at = [(130.0 * k, 90.0 * k) for k in range(len(says))]
    lean = fit_tilt(at, says, 800, 600)
    mirrored = fit_tilt([(800 - x, y) for x, y in at], [(-right, down) for right, down in says], 800, 600)
    for x, y in [(0.0, 0.0), (800.0, 600.0), (250.0, 100.0)]:
        right, down = lean.of(a_spot(x, y))
        assert mirrored.of(a_spot(800 - x, y)) == pytest.approx((-right, down), abs=1e-6)


@given(says=ways, x=st.floats(0, 800), y=st.floats(0, 600))
def test_no_look_is_aimed_beyond_the_die(says: list[tuple[float, float]], x: float, y: float) -> None:
    at = [(130.0 * k, 90.0 * k) for k in range(len(says))]
    spot = a_spot(x, y)
    top = fit_tilt(at, says, 800, 600).top(spot)
    assert math.dist((top.x, top.y), (spot.x, spot.y)) <= 0.25 * spot.w + 1e-6
    assert (top.w, top.h, top.score) == (spot.w, spot.h, spot.score)


def test_more_dice_give_more_certainty_about_the_tilt() -> None:
    leans = [fit_tilt([(400.0, 300.0)] * n, [(0.4, 0.0)] * n, 800, 600).of(a_spot(400, 300))[0] for n in range(5)]
    assert leans[0] == pytest.approx(0)
    assert all(few < more for few, more in pairwise(leans))
    assert leans[-1] < 0.4


@pytest.mark.parametrize(("turns", "side"), [(0, (1, 0)), (1, (0, -1)), (2, (-1, 0)), (3, (0, 1))])
def test_dice_lean_away_from_below_a_camera(monkeypatch: pytest.MonkeyPatch, turns: int, side: tuple[int, int]) -> None:
    monkeypatch.setattr("vision.drawn.table_scene.CAMERA_MM", 320.0)
    dice = tuple(SceneDie(180 + 38 * (k % 3), 44 * (k // 3) - 44, 0.4 * k, k % 6 + 1, "blue") for k in range(9))
    frame = render_table(TableScene(dice), (2304, 1728))[360:1368, 1250:2304]  # right of the point below the camera
    sight = FrameInference(np.ascontiguousarray(np.rot90(frame, turns)), Networks())
    detections = detect_dice(sight)
    at_middle = estimate_tilt(sight, detections, sight.classify(detections)).at_middle
    assert np.dot(at_middle, side) > 0.1
    assert np.dot(at_middle, side) > 0.8 * math.hypot(*at_middle)
