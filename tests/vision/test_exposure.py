"""Which exposure doubtful dice want, and which dice glare."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from vision.exposure import exposure_wanted, glares
from vision.reading import Die

DIE = Die(4, "red", (40.0, 40.0, 40.0, 40.0), 0.3)


@pytest.mark.parametrize(
    ("cloth", "patches", "wants"),
    [
        pytest.param(120, [(np.s_[50:60, 50:65], 255)], -1, id="less under a lamp"),
        pytest.param(120, [(np.s_[30:90, 30:90], 25)], 1, id="more in a shadow"),
        pytest.param(120, [(np.s_[:30], 255)], 0, id="nothing for a highlight beside it"),
        pytest.param(
            120, [(np.s_[30:90, 30:90], 235), (np.s_[50:55, 50:58], 255)], 0, id="nothing if it is white, with a glint"
        ),
        pytest.param(20, [(np.s_[50:70, 50:65], 200)], 0, id="nothing if it is black with white pips"),
        pytest.param(90, [], 0, id="nothing in the dim light of a lamp"),
    ],
)
def test_a_doubtful_die_wants(cloth: int, patches: list[tuple[Any, int]], wants: int) -> None:
    image = np.full((120, 120, 3), cloth, np.uint8)
    for where, level in patches:
        image[where] = level
    assert np.sign(exposure_wanted(image, [DIE]) - 1) == wants


def test_without_doubtful_dice_nothing_is_wanted() -> None:
    assert exposure_wanted(np.zeros((120, 120, 3), np.uint8), []) == 1


def test_one_die_under_a_lamp_wants_less_whatever_the_other_doubtful_dice_want() -> None:
    image = np.full((120, 400, 3), 120, np.uint8)
    image[50:60, 50:65] = 255
    others = [Die(4, "red", (100.0 + 45 * n, 40.0, 40.0, 40.0), 0.3) for n in range(6)]
    assert exposure_wanted(image, [*others, DIE]) < 1


@pytest.mark.parametrize(("colour", "spot", "hides"), [("red", 15, True), ("red", 8, False), ("white", 15, False)])
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
