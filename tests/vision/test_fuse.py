"""Several readings of one table are fused into one."""

from __future__ import annotations

from dataclasses import replace

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


def test_the_doubt_of_one_frame_is_not_averaged_away() -> None:
    for first, second in ((0.45, 0.9), (0.9, 0.45)):
        (only,) = fuse([reading(die(4, 100, first)), reading(die(4, 100, second))]).dice
        assert only.uncertain
    (only,) = fuse([reading(die(4, 100, 0.7)), reading(die(4, 100, 0.9))]).dice
    assert only.confidence == 0.7


def test_a_die_flagged_in_one_frame_stays_flagged_and_one_that_only_lacks_confidence_is_not() -> None:
    sure, doubtful = die(4, 100), die(2, 300, 0.45)
    fused = fuse([reading(sure.as_uncertain(), doubtful), reading(sure, doubtful)])
    assert {each.face: (each.uncertain, each.flagged) for each in fused.dice} == {4: (True, True), 2: (True, False)}


def test_a_die_with_two_readings_is_asked_about_with_both_faces_offered() -> None:
    fused = fuse([reading(die(4, 100)), reading(die(5, 101, 0.8)), reading(die(4, 100))])
    (only,) = fused.dice
    assert only.face == 4
    assert only.uncertain
    assert [face for face, _ in only.likeliest][:2] == [4, 5]


def test_a_die_whose_colour_changes_is_no_less_sure_of_its_face() -> None:
    fused = fuse([reading(die(4, 100)), reading(die(4, 100, colour="orange")), reading(die(4, 100))])
    (only,) = fused.dice
    assert only.colour == "red"
    assert not only.uncertain


def test_a_die_that_one_frame_missed_is_kept_and_asked_about() -> None:
    fused = fuse([reading(die(4, 100), die(6, 200)), reading(die(4, 100))])
    assert {d.face: d.uncertain for d in fused.dice} == {4: False, 6: True}


def test_a_die_that_was_faint_in_one_frame_is_one_die() -> None:
    likely = replace(die(4, 100), confidence=0.4, there=0.5, if_there=0.9)
    faint = replace(die(4, 101), confidence=0.2, there=0.3, if_there=0.8)
    fused = fuse([reading(likely), replace(reading(), faint=(faint,))])
    (only,) = fused.dice
    assert fused.faint == ()
    assert only.there == 0.3
    assert only.if_there == 0.8


def test_what_is_faint_in_every_frame_is_no_die() -> None:
    faint = replace(die(4, 100), confidence=0.2, there=0.3, if_there=0.9)
    fused = fuse([replace(reading(die(2, 300)), faint=(faint,))] * 2)
    assert [d.face for d in fused.dice] == [2]
    assert [d.face for d in fused.faint] == [4]


def test_touching_dice_do_not_merge() -> None:
    fused = fuse([reading(die(4, 100), die(4, 140)), reading(die(4, 101), die(4, 141))])
    assert len(fused.dice) == 2
    assert not fused.uncertain


def row(*faces: int, moved: tuple[float, float] = (0, 0), spacing: float = 26, wide: float = 25) -> Reading:
    """Dice side by side, red and blue in turn, in a frame that shook by `moved` pixels."""
    dice = [
        Die(
            face,
            ("red", "blue")[n % 2],
            (500 + spacing * n + moved[0], 300 + moved[1], wide, wide),
            0.9,
            ((face, 0.9),),
        )
        for n, face in enumerate(faces)
    ]
    return Reading(tuple(dice), 2304, 1296)


@pytest.mark.parametrize("moved", [(20, 0), (-20, 3), (13, -12), (0, 24), (46, 0), (2, 1)])
@pytest.mark.parametrize("faces", [(1, 2, 3, 4, 5), (4, 4, 4, 4, 4), (4, 4, 4, 2, 4), (6,)])
def test_small_dice_under_a_shaking_mast_keep_their_number(moved: tuple[float, float], faces: tuple[int, ...]) -> None:
    fused = fuse([row(*faces), row(*faces, moved=moved)])
    assert sorted(d.face for d in fused.dice) == sorted(faces)
    assert not fused.uncertain


def test_dice_that_a_shaken_frame_read_differently_are_still_paired() -> None:
    fused = fuse([row(4, 4, 4, 4, 4), row(4, 5, 4, 4, 4, moved=(20, 0))])
    assert len(fused.dice) == 5
    assert [d.uncertain for d in sorted(fused.dice, key=lambda d: d.box)] == [False, True, False, False, False]


def test_a_row_that_also_fits_one_die_further_has_not_moved() -> None:
    alike = reading(*(die(4, 100 + 42 * n) for n in range(5)))
    alike = replace(alike, width=2304, height=1296)
    fused = fuse([alike, replace(alike, dice=alike.dice[:4])])
    assert [d.box for d in fused.dice] == [d.box for d in alike.dice]
    assert [d.uncertain for d in fused.dice] == [False, False, False, False, True]


def test_a_row_that_lost_a_different_end_in_each_frame_has_not_moved_by_a_die() -> None:
    whole = replace(reading(*(die(4, 100 + 42 * n) for n in range(5))), width=2304, height=1296)
    fused = fuse([replace(whole, dice=whole.dice[1:]), replace(whole, dice=whole.dice[:4])])
    assert [d.uncertain for d in sorted(fused.dice, key=lambda d: d.box)] == [True, False, False, False, True]


def test_a_row_that_moved_by_a_die_has_moved_even_if_most_of_it_looks_the_same() -> None:
    """With the fifth die at the end of the row, four of the five places show the same as before, or three."""
    for faces in ((4, 4, 4, 4, 2), (4, 4, 4, 2, 5)):
        row_of_five = replace(reading(*(die(face, 100 + 42 * n) for n, face in enumerate(faces))), width=2304)
        moved = replace(row_of_five, dice=tuple(replace(d, box=(d.box[0] + 42, *d.box[1:])) for d in row_of_five.dice))
        fused = fuse([row_of_five, moved])
        assert sorted(d.box for d in fused.dice) == [d.box for d in moved.dice]
        assert not fused.uncertain


def test_of_two_near_dice_the_nearest_is_the_same() -> None:
    fused = fuse([reading(die(4, 100), die(6, 118)), reading(die(6, 117, 0.95), die(4, 100))])
    assert sorted(d.face for d in fused.dice) == [4, 6]
    assert not fused.uncertain


def test_boxes_are_those_of_the_last_frame_even_for_a_die_it_missed() -> None:
    before, last = row(1, 2, 3, 4, 5), row(1, 2, 3, 4, 5, moved=(20, -4))
    fused = fuse([before, replace(last, dice=last.dice[:4])])
    assert sorted(d.box for d in fused.dice) == sorted(d.box for d in last.dice)
    assert [d.face for d in fused.dice if d.uncertain] == [5]


def test_nothing_is_moved_further_than_a_mast_shakes() -> None:
    fused = fuse([row(3), row(3, moved=(80, 0))])
    assert len(fused.dice) == 2
    assert all(d.uncertain for d in fused.dice)


def test_fusing_no_readings_is_refused() -> None:
    with pytest.raises(ValueError, match="no reading"):
        fuse([])
    with pytest.raises(ValueError, match="different sizes"):
        fuse([reading(), Reading((), 320, 240)])
