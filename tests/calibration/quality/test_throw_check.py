"""A test throw of all dice: the count, the verdict, and the reasons."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.quality.throw_check import SURE_CONFIDENCE, ThrowVerdict, check_throw
from vision.reading import UNCERTAIN_BELOW, Die

BOX = (100.0, 100.0, 38.0, 38.0)
PLAIN = np.full((400, 800, 3), 120, np.uint8)


def dice(count: int, confidence: float = 0.97, box: object = BOX) -> list[Die]:
    return [Die(1 + n % 6, "red", box, confidence) for n in range(count)]  # type: ignore[arg-type]


def test_the_dice_that_the_reader_doubts_are_doubted() -> None:
    assert SURE_CONFIDENCE == UNCERTAIN_BELOW


@pytest.mark.parametrize(
    ("thrown", "verdict", "figure", "sentence"),
    [
        (dice(10), ThrowVerdict.GOOD, 97, "Good: I am sure of 10 of 10 dice."),
        ([*dice(9), *dice(1, 0.3)], ThrowVerdict.USABLE, 90, ""),
        ([*dice(7), *dice(3, 0.3)], ThrowVerdict.MOVE_THE_LAMP, 77, "Move the lamp: I am sure of only 7 of 10 dice."),
        (dice(7), ThrowVerdict.MOVE_THE_LAMP, 68, "Not good enough: I am sure of only 7 of 10 dice."),
        (dice(11), ThrowVerdict.USABLE, 97, ""),
    ],
    ids=["all sure", "one doubtful", "three doubtful", "three missing", "one too many"],
)
def test_a_throw_of_ten_is_judged(thrown: list[Die], verdict: ThrowVerdict, figure: int, sentence: str) -> None:
    check = check_throw(thrown, PLAIN, 10)
    assert (check.verdict, check.figure) == (verdict, figure)
    assert str(check.sentence).startswith(sentence)
    assert check.reasons == () or verdict is not ThrowVerdict.GOOD
    assert (f"I see {len(thrown)} of 10 dice." in check.reasons) is (len(thrown) != 10)


def test_seeing_no_dice_is_never_good() -> None:
    assert check_throw([], PLAIN, 5).verdict is ThrowVerdict.MOVE_THE_LAMP
    assert check_throw([], PLAIN).verdict is ThrowVerdict.MOVE_THE_LAMP


def test_small_dice_are_reported() -> None:
    check = check_throw(dice(5, 0.4, box=(10.0, 10.0, 17.0, 17.0)), PLAIN, 5)
    assert "small in the picture" in check.reasons[0]


def test_a_throw_that_was_read_is_not_good_where_the_next_may_not_be() -> None:
    tiny = check_throw(dice(5, box=(10.0, 10.0, 12.0, 12.0)), PLAIN, 5)
    assert tiny.verdict is ThrowVerdict.MOVE_THE_LAMP
    assert tiny.sentence == "Not good enough: I can read this throw, but perhaps not the next."
    assert "too small in the picture" in tiny.reasons[0]
    dark = check_throw(dice(5), PLAIN // 8, 5)
    assert (dark.verdict, dark.reasons) == (ThrowVerdict.MOVE_THE_LAMP, ("It is too dark: bring a lamp nearer.",))
    blurred = check_throw(dice(5), PLAIN, 5, blurred=True)
    assert blurred.verdict is ThrowVerdict.MOVE_THE_LAMP
    assert "It is blurred" in blurred.reasons[0]


def lit(left: int, right: int) -> np.ndarray:
    image = np.full((400, 800, 3), left, np.uint8)
    image[:, 400:] = right
    return image


def test_doubtful_dice_on_the_dark_side_give_advice_about_the_lamp() -> None:
    thrown = [*dice(5, box=(500.0, 200.0, 38.0, 38.0)), *dice(5, 0.2, box=(100.0, 200.0, 38.0, 38.0))]
    check = check_throw(thrown, lit(45, 150), 10)
    assert check.verdict is ThrowVerdict.MOVE_THE_LAMP
    assert check.reasons == ("The dice I'm not sure about are in the dark: move the lamp closer to them.",)


def test_doubtful_dice_in_a_glare_are_reported_as_such() -> None:
    image = lit(120, 120)
    image[200:230, 100:138] = 255
    check = check_throw(
        [*dice(3, box=(500.0, 200.0, 38.0, 38.0)), *dice(2, 0.2, box=(100.0, 200.0, 38.0, 38.0))], image, 5
    )
    assert "reflected in the dice" in check.reasons[0]


@given(
    st.lists(st.builds(Die, st.integers(1, 6), st.sampled_from(["red", "blue"]), st.just(BOX), st.floats(0, 1))),
    st.integers(0, 40),
)
def test_good_means_that_every_die_is_there_and_certain(thrown: list[Die], expected_count: int) -> None:
    check = check_throw(thrown, PLAIN, expected_count)
    assert 0 <= check.figure <= 100
    sure = len(thrown) == expected_count > 0 and all(die.confidence >= SURE_CONFIDENCE for die in thrown)
    assert (check.verdict is ThrowVerdict.GOOD) == sure
    assert (check.verdict is ThrowVerdict.GOOD) <= (check.reasons == ())
