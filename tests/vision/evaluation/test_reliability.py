"""The reliability diagram: its bins count every die once, and the picture shows the bins."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from vision.evaluation.reliability import (
    BIN_EDGES,
    Bin,
    face_bins,
    reliability_bins,
    reliability_svg,
    stacked,
    there_bins,
)
from vision.evaluation.scores import Label, PhotoResult, Truth, evaluate_photo
from vision.reading import Die

SVG = "{http://www.w3.org/2000/svg}"


def photo(*dice: tuple[float, bool]) -> PhotoResult:
    """Dice in a row, each with its confidence and whether it is right."""
    boxes = [(100.0 * k, 0.0, 40.0, 40.0) for k in range(len(dice))]
    labels = tuple(Label(3, box) for box in boxes)
    detected = [Die(3 if right else 4, "red", box, c) for (c, right), box in zip(dice, boxes, strict=True)]
    return evaluate_photo("a.jpg", Truth(labels, Counter({3: len(dice)})), detected)


def test_every_die_is_in_the_bin_of_its_confidence() -> None:
    counts = {
        each.low: each
        for each in reliability_bins([photo((0.0, False), (0.49, True), (0.5, True), (0.97, False), (1.0, True))])
    }
    assert [(low, b.dice, b.right) for low, b in counts.items() if b.dice] == [
        (0.0, 1, 0), (0.4, 1, 1), (0.5, 1, 1), (0.95, 1, 0), (0.99, 1, 1),
    ]  # fmt: skip
    assert counts[0.4].mean == 0.49
    assert counts[0.4].share == 1


def test_a_false_die_is_wrong_and_a_missed_one_has_no_confidence() -> None:
    labels = (Label(3, (0.0, 0.0, 40.0, 40.0)),)
    judged = evaluate_photo("a.jpg", Truth(labels, Counter({3: 1})), [Die(3, "red", (500, 0, 40, 40), 0.7)])
    assert [(b.low, b.dice, b.right) for b in reliability_bins([judged]) if b.dice] == [(0.7, 1, 0)]


def test_photos_with_only_counts_are_left_out() -> None:
    assert not any(
        b.dice
        for b in reliability_bins([evaluate_photo("a.jpg", Truth(None, {3: 1}), [Die(3, "red", (0, 0, 9, 9), 0.9)])])
    )


def test_the_interval_contains_the_share_and_narrows_with_more_dice() -> None:
    few, many = Bin(0.9, 0.95, 10, 9, 0.92), Bin(0.9, 0.95, 1000, 900, 0.92)
    for each in (few, many):
        low, high = each.range
        assert 0 <= low < each.share < high <= 1
    assert many.range[1] - many.range[0] < few.range[1] - few.range[0]
    # Wilson's interval for 9 of 10
    assert few.range == pytest.approx((0.5958, 0.9821), abs=1e-4)
    assert Bin(0, 0.1, 0, 0, 0).range == (0, 1)


def test_the_picture_has_a_bar_for_each_bin_with_dice_and_the_line_where_players_are_asked() -> None:
    bins = reliability_bins([photo((0.3, False), (0.45, True), (0.97, True), (0.98, True), (0.999, True))])
    svg = reliability_svg(bins, 0.9)
    root = ET.fromstring(svg)
    bars = [each for each in root.iter(f"{SVG}rect") if each.get("class") == "bar"]
    assert len(bars) == 4
    assert [float(bar.get("height", 0)) > 0 for bar in bars] == [False, True, True, True]
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert "players are asked" in texts
    assert {f"{edge:g}" for edge in BIN_EDGES} <= set(texts)
    (ask,) = (each for each in root.iter(f"{SVG}line") if each.get("class") == "ask")
    at_half = next(each for each in root.iter(f"{SVG}text") if each.text == "0.5")
    assert ask.get("x1") == at_half.get("x")
    # it follows the page's colours, runs nothing and loads nothing
    assert "prefers-color-scheme: dark" in svg
    assert "script" not in svg
    assert svg.count("http") == 1  # the XML namespace


def test_there_is_a_picture_even_without_dice() -> None:
    assert "0 of 0 dice right" in reliability_svg(reliability_bins([]), 0.9)


def test_whether_it_is_a_die_and_what_it_shows_are_two_questions() -> None:
    labels = (Label(3, (0.0, 0.0, 40.0, 40.0)), Label(5, (90.0, 0.0, 40.0, 40.0)))
    dice = [
        Die(3, "red", (0, 0, 40, 40), 0.6, there=0.97, if_there=0.6),
        Die(1, "red", (90, 0, 40, 40), 0.6, there=0.92, if_there=0.72),
        Die(1, "red", (500, 0, 40, 40), 0.3, there=0.45, if_there=0.8),
    ]
    judged = [evaluate_photo("a.jpg", Truth(labels, Counter({3: 1, 5: 1})), dice)]
    assert [(b.low, b.dice, b.right) for b in there_bins(judged) if b.dice] == [(0.4, 1, 0), (0.9, 1, 1), (0.95, 1, 1)]
    assert [(b.low, b.dice, b.right) for b in face_bins(judged) if b.dice] == [(0.6, 1, 1), (0.7, 1, 0)]


def test_diagrams_are_stacked_in_one_picture() -> None:
    drawn = reliability_svg(reliability_bins([]), None, "Is it a die?")
    root = ET.fromstring(stacked([drawn, drawn]))
    assert [float(each.get("y", 0)) for each in root.findall(f"{SVG}svg")] == [0, 420]
    assert "players are asked" not in drawn
