"""Several readings of one table make one."""

from __future__ import annotations

import pytest

from vision.fuse import fuse
from vision.reading import Die, Reading


def die(face: int, x: float, confidence: float = 0.9, colour: str = "red") -> Die:
    rest = (1 - confidence) / 2
    likeliest = ((face, confidence), (face % 6 + 1, rest), ((face + 1) % 6 + 1, rest))
    return Die(face, colour, (x, 50.0, 40.0, 40.0), confidence, likeliest)


def reading(*dice: Die) -> Reading:
    return Reading(dice, 640, 480, 10.0)


def test_readings_that_agree_stay_sure() -> None:
    fused = fuse([reading(die(4, 100), die(2, 300)), reading(die(2, 302), die(4, 99))])
    assert sorted(d.face for d in fused.dice) == [2, 4]
    assert not fused.uncertain
    assert fused.ms == 20.0


def test_a_die_read_in_two_ways_is_asked_about_with_both_faces_offered() -> None:
    fused = fuse([reading(die(4, 100)), reading(die(5, 101, 0.8)), reading(die(4, 100))])
    (only,) = fused.dice
    assert only.face == 4
    assert only.uncertain
    assert [face for face, _ in only.likeliest][:2] == [4, 5]


def test_a_die_whose_colour_changes_is_asked_about() -> None:
    fused = fuse([reading(die(4, 100)), reading(die(4, 100, colour="orange")), reading(die(4, 100))])
    (only,) = fused.dice
    assert only.colour == "red"
    assert only.uncertain


def test_a_die_that_one_frame_missed_is_kept_and_asked_about() -> None:
    fused = fuse([reading(die(4, 100), die(6, 200)), reading(die(4, 100))])
    assert {d.face: d.uncertain for d in fused.dice} == {4: False, 6: True}


def test_touching_dice_do_not_melt_into_one() -> None:
    fused = fuse([reading(die(4, 100), die(4, 140)), reading(die(4, 101), die(4, 141))])
    assert len(fused.dice) == 2
    assert not fused.uncertain


def test_nothing_to_fuse_is_refused() -> None:
    with pytest.raises(ValueError, match="no reading"):
        fuse([])
    with pytest.raises(ValueError, match="different sizes"):
        fuse([reading(), Reading((), 320, 240)])
