"""Dice are found at any size, and patterns of another size are not taken for dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import cv2
import numpy as np
import pytest

from calibration.image import Image
from vision.drawn.table_scene import SceneDie, TableScene, render_table
from vision.models.networks import Classification, Detection, Networks
from vision.pipeline.detect import detect_dice, typical_width
from vision.pipeline.frame_inference import FrameInference, Region

HEAP = tuple(
    SceneDie(24 * (k % 3) - 24, 24 * (k // 3) - 12, 0.3 * k, k % 6 + 1, "blue") for k in range(6)
)  # two rows of three: from afar, a six


@pytest.fixture(scope="module")
def networks() -> Networks:
    return Networks()


def close_up(factor: float) -> np.ndarray:
    """The middle of the table, enlarged by `factor`."""
    frame = render_table(TableScene(HEAP), (1920, 1440))
    height, width = frame.shape[:2]
    h, w = round(height / factor / 2), round(width / factor / 2)
    region = frame[height // 2 - h : height // 2 + h, width // 2 - w : width // 2 + w]
    return np.asarray(cv2.resize(region, (1280, 960), interpolation=cv2.INTER_CUBIC), np.uint8)


@pytest.mark.parametrize("factor", [1.0, 2.0, 3.5, 5.0])
def test_six_dice_are_six_dice_from_afar_and_close_up(networks: Networks, factor: float) -> None:
    detections = [s for s in detect_dice(FrameInference(close_up(factor), networks)) if s.score > 0.3]
    assert len(detections) == 6
    width = np.median([s.w for s in detections])
    assert 0.9 < width / (16 * factor * 1280 / 620) < 1.6


def test_small_dice_far_apart_in_a_large_frame_all_get_a_second_look(networks: Networks) -> None:
    places = [(-250, -150), (250, -150), (0, 0), (-250, 150), (250, 150)]
    dice = tuple(SceneDie(x, y, 0.5, 4, "red") for x, y in places)
    frame = cv2.resize(render_table(TableScene(dice), (2304, 1728)), (920, 690), interpolation=cv2.INTER_AREA)
    large = np.full((1296, 2304, 3), 60, np.uint8)
    large[300:990, 700:1620] = frame
    detections = [s for s in detect_dice(FrameInference(large, networks)) if s.score > 0.3]
    centres = sorted((round((s.x - 700) / 920 * 620 - 310), round((s.y - 300) / 690 * 465 - 232)) for s in detections)
    assert len(centres) == len(places)
    for u, v in places:
        assert sum(abs(x - u) < 12 and abs(y - v) < 12 for x, y in centres) == 1


@pytest.mark.parametrize(("pixels", "apart"), [(20, 18), (24, 22)])
def test_small_dice_in_rows_are_all_found(networks: Networks, pixels: int, apart: int) -> None:
    rng = np.random.default_rng(pixels + apart)
    dice = []
    for x, y in ((-200, -120), (0, -130), (200, -120), (200, 120), (0, 130), (-200, 120)):
        angle = rng.uniform(0, 3.14)
        for k in range(-2, 3):
            place = x + apart * k * np.cos(angle), y + apart * k * np.sin(angle)
            dice.append(SceneDie(*place, angle, int(rng.integers(1, 7)), "red"))
    width = round(pixels * 620 / 16)
    table = render_table(TableScene(tuple(dice)), (1200, 900))
    table = cv2.resize(table, (width, round(width * 0.75)), interpolation=cv2.INTER_AREA)
    frame = np.full((1296, 2304, 3), table[5, 5], np.uint8)
    frame[200 : 200 + table.shape[0], 300 : 300 + width] = table
    detections = detect_dice(FrameInference(np.asarray(cv2.GaussianBlur(frame, (0, 0), 0.6), np.uint8), networks))
    assert sum(s.score > 0.3 for s in detections) >= 29


def test_regions_read_side_by_side_are_reported_in_pixels_of_the_frame(networks: Networks) -> None:
    places = [(-200, -100), (180, -120), (0, 110)]
    frame = render_table(TableScene(tuple(SceneDie(x, y, 0.4, 5, "green") for x, y in places)), (1240, 930))
    middles = [(620 + 2 * x, 465 + 2 * y) for x, y in places]
    regions = [(x - 60, y - 60, 120, 120) for x, y in middles]
    detections = FrameInference(frame, networks).detect_in(regions, 1.0, 0.3)
    assert len(detections) == len(middles)
    for spot, (x, y) in zip(sorted(detections, key=lambda s: s.x), sorted(middles), strict=True):
        assert abs(spot.x - x) < 8
        assert abs(spot.y - y) < 8


def test_a_die_cut_by_a_region_is_left_to_the_region_that_contains_it(networks: Networks) -> None:
    frame = render_table(TableScene((SceneDie(0, 0, 0.0, 3, "blue"),)), (1240, 930))
    halves = [(500, 400, 122, 130), (618, 400, 122, 130)]
    whole = (560, 400, 122, 130)
    sight = FrameInference(frame, networks)
    assert sight.detect_in(halves, 1.0, 0.3) == []
    assert len(sight.detect_in([*halves, whole], 1.0, 0.3)) == 1


class Counting(Networks):
    """Counts the pixels given to the detectors in each look."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[int] = []

    def detect(self, frame: Image, threshold: float, *, second: bool = False) -> list[Detection]:
        self.seen.append(frame.shape[0] * frame.shape[1])
        return super().detect(frame, threshold, second=second)


@pytest.mark.parametrize("regions", [[(0, 0, 2304, 50), (0, 0, 50, 1296)], [(9, 9, 60, 900)], [(0, 0, 2304, 1296)]])
def test_the_cost_of_a_look_is_little_more_than_its_pixels(regions: list[Region]) -> None:
    counting = Counting()
    FrameInference(np.full((1296, 2304, 3), 90, np.uint8), counting).detect_in(regions, 1.0, 0.3)
    assert max(counting.seen) < 1_000_000  # with more at once, a small box would run out of memory
    assert sum(counting.seen) < 2.1 * sum(w * h for _, _, w, h in regions)


def test_the_second_look_is_bounded_for_any_layout_of_dice() -> None:
    counting = Counting()
    dice = tuple(SceneDie(22 * k - 285, 16 * k - 210, 0.3 * k, k % 6 + 1, "red") for k in range(27))  # corner to corner
    frame = render_table(TableScene(dice), (1200, 900))
    assert len(detect_dice(FrameInference(np.asarray(cv2.GaussianBlur(frame, (0, 0), 2), np.uint8), counting))) >= 27
    assert sum(counting.seen) < 3 * counting.seen[0]


def test_a_table_without_dice_is_not_searched_repeatedly(networks: Networks) -> None:
    counting = Counting()
    assert not [
        s for s in detect_dice(FrameInference(render_table(TableScene(), (2304, 1296)), counting)) if s.score > 0.3
    ]
    assert sum(counting.seen) < 1.5 * counting.seen[0]


class Blurred(Networks):
    """The first detector is unsure of one die and hardly sees the other; the second is not impaired."""

    def __init__(self, places: list[tuple[float, float, float]]) -> None:
        super().__init__()
        self.places = places

    def detect(self, frame: Image, threshold: float, *, second: bool = False) -> list[Detection]:
        spots = super().detect(frame, threshold, second=second)
        if second:
            return spots
        scale = frame.shape[1] / 1088
        return [
            replace(spots[0], x=x * scale, y=y * scale, w=width * scale, h=width * scale, score=score)
            for (x, y, width), score in zip(self.places, (0.6, 0.1), strict=True)
        ]


def test_a_die_that_the_first_detector_hardly_sees_is_found_by_the_second(networks: Networks) -> None:
    frame = render_table(TableScene((SceneDie(-8, 0, 0, 3, "red"), SceneDie(8, 0, 0, 5, "red"))), (1088, 816))
    both = sorted((s.x, s.y, s.w) for s in detect_dice(FrameInference(frame, networks)) if s.score > 0.3)
    assert len(both) == 2
    spots = [s for s in detect_dice(FrameInference(frame, Blurred(both))) if s.score > 0.3]
    assert np.array(sorted((s.x, s.y) for s in spots)) == pytest.approx(np.array(both)[:, :2], abs=3)


class Blind(Networks):
    """The second detector sees nothing."""

    def detect(self, frame: Image, threshold: float, *, second: bool = False) -> list[Detection]:
        return [] if second else super().detect(frame, threshold)


def test_a_die_that_only_one_detector_sees_counts_less_but_is_not_dropped(networks: Networks) -> None:
    frame = cv2.GaussianBlur(render_table(TableScene((SceneDie(0, 0, 0.3, 4, "green"),)), (1088, 816)), (0, 0), 3)
    (both,) = [s for s in detect_dice(FrameInference(frame, networks)) if s.score > 0.3]
    (alone,) = [s for s in detect_dice(FrameInference(frame, Blind())) if s.score > 0.12]
    assert alone.score < both.score


def spot(x: float, score: float, width: float = 40.0, y: float = 300.0) -> Detection:
    six, eight = np.full(6, 1 / 6, np.float32), np.full(8, 1 / 8, np.float32)
    return Detection(x, y, width, width, score, six, eight)


class TwoSights(FrameInference):
    """Fixed answers of two detectors."""

    def __init__(self, firsts: list[Detection], seconds: list[Detection]) -> None:
        super().__init__(np.zeros((540, 960, 3), np.uint8), Networks())
        self.firsts, self.seconds = firsts, seconds

    def detect_in(
        self, regions: Sequence[Region], scale: float, threshold: float, *, second: bool = False
    ) -> list[Detection]:
        return self.seconds if second else self.firsts


@pytest.mark.parametrize(
    ("firsts", "seconds", "dice"),
    [
        pytest.param([spot(400, 0.8)], [spot(388, 0.97), spot(414, 0.98)], [388, 414], id="the first saw two as one"),
        pytest.param([spot(400, 0.85), spot(428, 0.8)], [spot(414, 0.9)], [400, 428], id="the second saw two as one"),
        pytest.param(*[[spot(400, 0.9), spot(420, 0.5, 60)]] * 2, [400], id="both saw one twice"),
    ],
)
def test_where_the_detectors_differ(firsts: list[Detection], seconds: list[Detection], dice: list[float]) -> None:
    assert sorted(s.x for s in detect_dice(TwoSights(firsts, seconds))) == dice


def test_where_both_agree_the_second_gives_the_box_and_both_the_score() -> None:
    (both,) = detect_dice(TwoSights([spot(400, 0.6)], [spot(404, 0.9, 36)]))
    assert (both.x, both.w) == (404, 36)
    assert 0.6 < both.score < 0.9


def test_the_usual_size_is_that_of_the_most_confident_dice() -> None:
    assert typical_width([spot(0, 0.9, 40), spot(9, 0.95, 42), *(spot(30 * k, 0.15, 90) for k in range(6))]) in (40, 42)


class FakeSight:
    """A cloth whose pattern looks like large dice from afar; its four small dice are clear only from near."""

    image: Image = np.zeros((1232, 1640, 3), np.uint8)
    dice = ((300, 300), (500, 300), (300, 500), (500, 500))

    def detect(self, scale: float, threshold: float) -> list[Detection]:
        if scale < 0.3:
            spots = [self._spot(800, 600, 130, 0.5)]
        elif scale < 0.6:
            spots = [self._spot(900 + 70 * k, 900, 32, 0.5) for k in range(9)]
            spots += [self._spot(x, y, 29, 0.1) for x, y in self.dice]
        else:
            spots = [self._spot(x, y, 29, 0.6) for x, y in self.dice]
        return [spot for spot in spots if spot.score > threshold]

    def detect_in(
        self, regions: Sequence[Region], scale: float, threshold: float, *, second: bool = False
    ) -> list[Detection]:
        return self.detect(scale, threshold)

    def classify(self, detections: Sequence[Detection]) -> list[Classification]:
        whole = {29.0: 1.0, 32.0: 0.0, 130.0: 0.3}
        faces = np.array([1, 0, 0, 0, 0, 0], np.float32)
        return [Classification(faces, np.full(8, 1 / 8, np.float32), whole[spot.w]) for spot in detections]

    def _spot(self, x: float, y: float, w: float, score: float) -> Detection:
        return Detection(x, y, w, w, score, np.full(6, 1 / 6, np.float32), np.full(8, 1 / 8, np.float32))


def test_a_pattern_that_looks_like_large_dice_from_afar_does_not_hide_the_small_ones() -> None:
    places = {(round(s.x), round(s.y)) for s in detect_dice(cast(FrameInference, FakeSight())) if s.score > 0.3}
    assert places == set(FakeSight.dice)
