"""The scorer counts right, wrong, missed and false dice correctly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.evaluation.scores import Label, LabelsError, Truth, iou, load_labels, score_photo, tallies
from vision.reading import Box, Die


def die(face: int, box: Box, confidence: float = 0.9) -> Die:
    return Die(face, "red", box, confidence)


def truth(*labels: Label) -> Truth:
    counts: dict[int, int] = {}
    for label in labels:
        if not label.ignore:
            counts[label.face] = counts.get(label.face, 0) + 1
    return Truth(labels, counts)


A, B, C = (0.0, 0.0, 40.0, 40.0), (50.0, 0.0, 40.0, 40.0), (200.0, 0.0, 40.0, 40.0)


TWO = truth(Label(3, A), Label(5, B))
ONE = truth(Label(3, A))


@pytest.mark.parametrize(
    ("labels", "dice", "expected"),
    [
        (TWO, [die(3, A), die(6, B), die(2, C)], {"right": 1, "wrong": 1, "missed": 0, "false": 1}),
        (TWO, [die(3, A)], {"right": 1, "missed": 1, "exact": 0}),
        (ONE, [die(3, A), die(3, (2, 2, 40, 40), 0.6)], {"right": 1, "false": 1, "exact": 0}),
        (ONE, [die(3, A), die(2, B, 0.49), die(2, C, 0.5)], {"false": 2, "sure_false": 1}),
        (ONE, [die(4, A, 0.5), die(3, (3, 3, 40, 40), 0.9)], {"right": 1, "false": 1}),
        (
            truth(Label(3, A), Label(2, B, ignore=True)),
            [die(3, A), die(5, B, 0.1)],
            {"dice": 1, "right": 1, "wrong": 0, "false": 0, "exact": 1, "flagged": 0},
        ),
        (TWO, [die(3, A), die(6, B)], {"silent": 1}),
        (TWO, [die(3, A), die(6, B, 0.4)], {"silent": 0}),
        (TWO, [die(3, A), die(5, B, 0.4)], {"flagged": 1}),
        (TWO, [], {"silent": 1}),
        (TWO, [die(5, A), die(3, B)], {"exact": 0, "silent": 0, "wrong": 2}),
        (
            Truth(None, {1: 2, 5: 1}),
            [die(1, A), die(2, B), die(5, C)],
            {"dice": 3, "right": 2, "wrong": 1, "missed": 0, "false": 0},
        ),
    ],
    ids=[
        *("right, wrong and false", "missed", "one read twice is false", "one asked about is not surely false"),
        *("the surest is paired first", "an ignored label does not count", "a wrong tally is silent"),
        *("unless a die was flagged", "flagged for nothing", "nothing read is silent"),
        *("swapped values spoil the photo and not the tally", "with counts alone equal faces are paired first"),
    ],
)
def test_a_photo_is_scored(labels: Truth, dice: list[Die], expected: dict[str, int]) -> None:
    score = score_photo(labels, dice)
    assert {name: getattr(score, name) for name in expected} == expected


def test_pacos_count_for_every_face() -> None:
    assert tallies([1, 1, 4, 6]) == (2, 2, 2, 3, 2, 3)


faces = st.integers(1, 6)


@given(st.lists(faces, max_size=12), st.lists(faces, max_size=12))
def test_every_die_is_counted_once(true: list[int], read: list[int]) -> None:
    boxes: list[Box] = [(60.0 * k, 0.0, 40.0, 40.0) for k in range(12)]
    score = score_photo(
        truth(*(Label(f, b) for f, b in zip(true, boxes, strict=False))),
        [die(f, b) for f, b in zip(read, boxes, strict=False)],
    )
    assert score.right + score.wrong + score.missed == len(true)
    assert score.right + score.wrong + score.false == len(read)
    assert (score.exact == 1) == (true == read)
    assert sum(score.confusion.values()) == max(len(true), len(read))


@given(*[st.tuples(*[st.floats(0, 100)] * 2, *[st.floats(1, 100)] * 2)] * 2)
def test_overlap_is_a_share_and_is_symmetric(a: Box, b: Box) -> None:
    assert 0 <= iou(a, b) <= 1 + 1e-9
    assert iou(a, b) == pytest.approx(iou(b, a))
    assert iou(a, a) == pytest.approx(1)


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{", '{"a.jpg": 3}', '{"a.jpg": [{"value": 3}]}', '{"a.jpg": {"counts": {"x": 1}}}', "[" * 50000,
        '{"a.jpg": [{"value": 0, "box": [1, 2, 3, 4]}]}', '{"a.jpg": {"counts": {"7": 1}}}',
        '{"a.jpg": {"counts": [1, 2]}}', '{"a.jpg": {"counts": {"3": Infinity}}}', '{"a.jpg": {"counts": {"3": -2}}}',
        '{"a.jpg": [{"value": 3, "box": [1, 2, NaN, 4]}]}', '{"a.jpg": [{"value": 3, "box": [1e999, 2, 3, 4]}]}',
        '{"a.jpg": [{"value": 3, "box": [9, 9, -3, -4]}]}', '{"a.jpg": [{"value": 1e999, "box": [1, 2, 3, 4]}]}',
        '{"a.jpg": [{"value": 3, "box": [1' + "0" * 400 + ', 2, 3, 4]}]}',
        '{"a.jpg": {"dice": [], "conditions": 3}}', '{"a.jpg": {"dice": {"value": 3}}}',
    ],
    ids=lambda text: text[:50],
)  # fmt: skip
def test_an_invalid_labels_file_is_refused_with_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "labels.json"
    path.write_text(text)
    with pytest.raises(LabelsError, match="labels"):
        load_labels(path)


def test_both_forms_of_labels_are_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"a": [{"value": 4, "box": [1, 2, 3, 4]}], "b": {"counts": {"3": 2}}}))
    truths = load_labels(path)
    assert truths["a"].labels == (Label(4, (1.0, 2.0, 3.0, 4.0)),)
    assert truths["b"] == Truth(None, {3: 2})


def test_other_fields_of_a_die_or_a_photo_become_conditions(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    die = {"value": 4, "box": [1, 2, 3, 4], "colour": "red", "light_pips": True, "tilt": 12.5, "corners": [1, 2]}
    path.write_text(json.dumps({
        "a": {"dice": [die], "conditions": {"light": "side", "players": 3, "lens": None}},
        "b": {"counts": {"3": 2}, "conditions": {"light": "dim"}},
    }))  # fmt: skip
    truths = load_labels(path)
    assert truths["a"].conditions == {"light": "side", "players": 3}
    assert truths["b"] == Truth(None, {3: 2}, {"light": "dim"})
    (label,) = truths["a"].labels or ()
    assert label.colour == "red"
    assert label.conditions == {"light_pips": True, "tilt": 12.5}


def test_an_ignored_die_need_not_have_a_value(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text('{"a": [{"value": null, "box": [0, 0, 9, 9], "ignore": true}]}')
    assert score_photo(load_labels(path)["a"], [die(3, (0, 0, 9, 9))]).exact == 1


def test_colours_are_scored_where_they_are_labelled_and_the_die_was_found() -> None:
    labels = truth(Label(3, A, colour="red"), Label(5, B, colour="blue"), Label(2, C, colour="red"))
    score = score_photo(labels, [die(3, A), die(5, B)])
    assert (score.coloured, score.colour_right, score.missed) == (2, 1, 1)
    assert score_photo(truth(Label(3, A)), [die(3, A)]).coloured == 0
