"""The confidence of a reading depends on what was seen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.models.networks import Classification, Detection
from vision.pipeline.confidence import FEATURE_NAMES, Confidence, expected_share, features
from vision.pipeline.neighbours import Neighbours
from vision.reading import UNCERTAIN_BELOW

USUAL = Neighbours(
    typical_width=40.0, gap=np.inf, surer_gap=np.inf, colour_distance=0.5, log_distance=0.7, log_faint=0.0
)
EIGHT = np.full(8, 1 / 8, np.float32)


@pytest.fixture(scope="module")
def confidence() -> Confidence:
    return Confidence.load()


def faces(best: int, share: float) -> np.ndarray:
    all_six = np.full(6, (1 - share) / 5, np.float32)
    all_six[best - 1] = share
    return all_six


def sure_of(
    confidence: Confidence, spot: Detection, look: Classification, combined: np.ndarray, neighbours: Neighbours = USUAL
) -> float:
    return confidence.of(features(spot, look, combined, neighbours))


def detection(best: int, share: float, score: float = 0.9) -> Detection:
    return Detection(100, 100, 40, 40, score, faces(best, share), EIGHT)


def test_a_plain_die_is_sure(confidence: Confidence) -> None:
    assert sure_of(confidence, detection(5, 0.99), Classification(faces(5, 0.99), EIGHT, 0.99), faces(5, 0.99)) > 0.9


def test_a_certain_die_does_not_make_its_face_certain(confidence: Confidence) -> None:
    for share in (1 / 6, 0.4, 0.5):
        sure = sure_of(
            confidence, detection(5, share, 0.97), Classification(faces(5, share), EIGHT, 0.99), faces(5, share)
        )
        assert sure < UNCERTAIN_BELOW


@given(st.lists(st.floats(-6, 6), min_size=len(FEATURE_NAMES) - 1, max_size=len(FEATURE_NAMES) - 1), st.floats(0.1, 4))
def test_evidence_for_a_reading_never_makes_it_less_confident(rest: list[float], more: float) -> None:
    confidence = Confidence.load()
    row = np.array([1.0, *rest], np.float32)
    row[FEATURE_NAMES.index("ace")] = 0
    row[FEATURE_NAMES.index("ace_spot")] = 0
    for name in ("spot", "whole", "face", "best", "other", "agree"):
        better = row.copy()
        better[FEATURE_NAMES.index(name)] += more
        assert confidence.of(better) >= confidence.of(row) - 1e-6
    for name in ("odd", "odder", "small", "twice", "strange", "away", "faint"):
        worse = row.copy()
        worse[FEATURE_NAMES.index(name)] += more
        assert confidence.of(worse) <= confidence.of(row) + 1e-6


@given(st.lists(st.floats(-6, 6), min_size=len(FEATURE_NAMES) - 1, max_size=len(FEATURE_NAMES) - 1))
def test_a_confidence_is_always_a_plain_number(rest: list[float]) -> None:
    sure = Confidence.load().of(np.array([1.0, *rest], np.float32))
    assert type(sure) is float  # comparing numpy numbers gives no bool that JSON knows
    assert 0 <= sure <= 1


def test_a_faintly_detected_one_is_doubted_more_than_another_face(confidence: Confidence) -> None:
    def sure(face: int) -> float:
        look = Classification(faces(face, 0.97), EIGHT, 0.9)
        return sure_of(confidence, detection(face, 0.97, 0.25), look, faces(face, 0.97))

    assert sure(1) < sure(5)


@pytest.mark.parametrize(
    "neighbours",
    [
        USUAL._replace(typical_width=56.0),
        USUAL._replace(colour_distance=6.0),
        USUAL._replace(log_distance=2.5),
        USUAL._replace(log_faint=3.0),
    ],
    ids=["smaller than the dice", "like none of them", "far from them", "one of many"],
)
def test_a_die_unlike_the_others_is_doubted_more(confidence: Confidence, neighbours: Neighbours) -> None:
    spot, look = detection(1, 0.9, 0.5), Classification(faces(1, 0.9), EIGHT, 0.6)
    assert sure_of(confidence, spot, look, faces(1, 0.9), neighbours) < sure_of(confidence, spot, look, faces(1, 0.9))


def test_a_plain_die_of_its_own_colour_far_from_the_others_is_still_sure(confidence: Confidence) -> None:
    spot, look = detection(5, 0.99, 0.98), Classification(faces(5, 0.99), EIGHT, 0.99)
    assert sure_of(confidence, spot, look, faces(5, 0.99), USUAL._replace(colour_distance=6.0, log_distance=2.5)) > 0.8


def test_a_die_too_dark_to_read_is_reported_as_uncertain(confidence: Confidence) -> None:
    spot, look = detection(3, 0.3, 0.9), Classification(faces(3, 0.3), EIGHT, 0.95)
    row = features(spot, look, faces(3, 0.3), USUAL)
    assert confidence.there(row) > confidence.report_above
    assert confidence.of(row) < UNCERTAIN_BELOW


def test_an_ace_is_no_likelier_than_the_classifiers_find_it_whatever_the_detectors_say(confidence: Confidence) -> None:
    def sure(face: int, seen: float) -> float:
        look = Classification(faces(face, seen), EIGHT, 0.99)
        return sure_of(confidence, detection(face, 0.999, 0.97), look, faces(face, 0.93))

    assert sure(1, 0.8) < UNCERTAIN_BELOW < sure(5, 0.8)
    assert sure(1, 0.92) > UNCERTAIN_BELOW


def test_the_threshold_for_asking_can_be_moved(confidence: Confidence) -> None:
    row = features(detection(5, 0.9), Classification(faces(5, 0.8), EIGHT, 0.8), faces(5, 0.85), USUAL)
    share = confidence.share(row)
    assert (
        confidence.asking_below(share - 0.01).of(row) > UNCERTAIN_BELOW > confidence.asking_below(share + 0.01).of(row)
    )


@pytest.mark.parametrize("ask_below", [0.4, 0.8, 0.97])
def test_a_confidence_tells_the_probability_it_was_made_from(confidence: Confidence, ask_below: float) -> None:
    box = confidence.asking_below(ask_below)
    rng = np.random.default_rng(1)
    for _ in range(100):
        row = rng.normal(0, 3, len(FEATURE_NAMES)).astype(np.float32)
        told, share = expected_share(box.of(row), ask_below), confidence.share(row)
        assert told <= share + 1e-6
        assert told == pytest.approx(share, abs=1e-6) or box.of(row) == box.if_there(row), "its face is the doubt"


def test_a_doubtful_face_stays_so_however_sure_it_is_that_there_is_a_die(confidence: Confidence) -> None:
    row = features(detection(5, 0.9), Classification(faces(5, 0.7), EIGHT, 0.999), faces(5, 0.7), USUAL)
    assert confidence.there(row) > 0.95
    assert 0.7 < confidence.share(row) < confidence.ask_face_below
    assert confidence.if_there(row) < UNCERTAIN_BELOW
    assert confidence.asking_below(0.5).if_there(row) < UNCERTAIN_BELOW, "a box's own threshold is not that of faces"
