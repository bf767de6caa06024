"""Which exposure doubtful dice want, and which dice glare."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.exposure import exposure_wanted, glares
from vision.reading import Die

DIE = Die(4, "red", (40.0, 40.0, 40.0, 40.0), 0.3)


def test_dice_under_a_lamp_want_less() -> None:
    image = np.full((120, 120, 3), 120, np.uint8)
    image[50:60, 50:65] = 255
    assert exposure_wanted(image, [DIE]) < 1


def test_one_die_under_a_lamp_wants_less_whatever_the_other_doubtful_dice_want() -> None:
    image = np.full((120, 400, 3), 120, np.uint8)
    image[50:60, 50:65] = 255
    others = [Die(4, "red", (100.0 + 45 * n, 40.0, 40.0, 40.0), 0.3) for n in range(6)]
    assert exposure_wanted(image, [*others, DIE]) < 1


def test_dice_in_a_shadow_want_more() -> None:
    image = np.full((120, 120, 3), 120, np.uint8)
    image[30:90, 30:90] = 25
    assert exposure_wanted(image, [DIE]) > 1


def test_a_highlight_beside_the_dice_changes_nothing() -> None:
    image = np.full((120, 120, 3), 120, np.uint8)
    image[:30] = 255
    assert exposure_wanted(image, [DIE]) == 1


def test_without_doubtful_dice_nothing_is_wanted() -> None:
    assert exposure_wanted(np.zeros((120, 120, 3), np.uint8), []) == 1


def test_white_dice_and_a_glint_are_no_glare() -> None:
    image = np.full((120, 120, 3), 120, np.uint8)
    image[30:90, 30:90] = 235
    image[50:55, 50:58] = 255
    assert exposure_wanted(image, [DIE]) == 1


def test_black_dice_with_white_pips_are_not_too_dark() -> None:
    image = np.full((120, 120, 3), 20, np.uint8)
    image[50:70, 50:65] = 200
    assert exposure_wanted(image, [DIE]) == 1


def test_nor_are_dice_in_the_dim_light_of_a_lamp() -> None:
    assert exposure_wanted(np.full((120, 120, 3), 90, np.uint8), [DIE]) == 1


@pytest.mark.parametrize(
    ("colour", "spot", "hides"),
    [("red", 15, True), ("red", 8, False), ("white", 15, False)],
)
def test_a_white_spot_larger_than_a_pip_may_hide_pips(colour: str, spot: int, hides: bool) -> None:
    image = np.full((120, 120, 3), 120, np.uint8)
    cv2.circle(image, (55, 62), spot // 2, (255, 255, 255), -1)
    assert glares(image, replace(DIE, colour=colour)) is hides


def test_a_glare_with_the_traces_of_pips_in_it_may_hide_others() -> None:
    image = np.full((120, 120, 3), 120, np.uint8)
    cv2.circle(image, (60, 60), 14, (230, 230, 230), -1)
    image[48:74:6, 48:74:6] = 200
    assert glares(image, replace(DIE, colour="red"))


def test_a_white_cloth_round_a_die_hides_none() -> None:
    image = np.full((120, 120, 3), 255, np.uint8)
    cv2.fillPoly(image, [np.array([(60, 40), (80, 60), (60, 80), (40, 60)])], (30, 30, 160))
    assert not glares(image, DIE)
