"""Which exposure doubtful dice want."""

from __future__ import annotations

import numpy as np

from vision.exposure import exposure_wanted
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
