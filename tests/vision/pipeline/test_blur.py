"""A frame that shook or was out of focus is noticed by its dice."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.image import Image
from vision.drawn.table_scene import DIE_MM, WIDTH_MM, SceneDie, TableScene, render_table
from vision.pipeline.blur import confidence_needed
from vision.reading import Die

WIDTH, HEIGHT = 1280, 960
SCALE = WIDTH / WIDTH_MM
DIE = DIE_MM * SCALE
DICE = tuple(
    SceneDie(-180 + 90 * (n % 5), -60 + 110 * (n // 5), 0.7 * n, n % 6 + 1, colour)
    for n, colour in enumerate(["red", "blue", "green", "yellow", "purple"] * 2)
)


def table(dice: tuple[SceneDie, ...] = DICE) -> Image:
    image = render_table(TableScene(dice), (WIDTH, HEIGHT)).astype(np.float32)
    return np.clip(image + np.random.default_rng(1).normal(0, 2, image.shape), 0, 255).astype(np.uint8)


def found(dice: tuple[SceneDie, ...] = DICE) -> list[Die]:
    side = 1.15 * DIE
    places = [(WIDTH / 2 + die.x * SCALE - side / 2, HEIGHT / 2 + die.y * SCALE - side / 2) for die in dice]
    return [Die(die.face, die.colour, (*place, side, side), 0.9) for die, place in zip(dice, places, strict=True)]


def moved(image: Image, widths: float, degrees: float) -> Image:
    """The picture of a camera that moves by so many die widths while it exposes."""
    side = 2 * int(widths * DIE) + 3
    line = np.zeros((side, side), np.float32)
    for way in np.linspace(-0.5, 0.5, 200) * widths * DIE:
        x, y = side / 2 + way * np.cos(np.deg2rad(degrees)), side / 2 + way * np.sin(np.deg2rad(degrees))
        line[int(y), int(x)] += 1
    return np.asarray(cv2.filter2D(image, -1, line / line.sum()), np.uint8)


@pytest.mark.parametrize("light", [1, 0.4])
def test_a_still_picture_is_sharp_in_any_light(light: float) -> None:
    assert confidence_needed((table() * light).astype(np.uint8), found()) == 0


@pytest.mark.parametrize("degrees", [0, 30, 90, 135])
def test_motion_over_a_quarter_of_a_die_is_noticed(degrees: float) -> None:
    assert confidence_needed(moved(table(), 0.25, degrees), found()) >= 0.99


def test_a_camera_out_of_focus_is_noticed_however_sure_the_dice_seem() -> None:
    assert confidence_needed(np.asarray(cv2.GaussianBlur(table(), (0, 0), 0.15 * DIE), np.uint8), found()) == 1.0


@pytest.mark.parametrize("dice", [(), DICE[:1], DICE[1:2], DICE[2:3]], ids=["none", "red", "blue", "green"])
def test_single_dice_and_none_are_sharp(dice: tuple[SceneDie, ...]) -> None:
    assert confidence_needed(table(dice), found(dice)) == 0


def test_a_die_that_the_edge_of_the_picture_cuts_off_is_not_measured() -> None:
    cut_off = Die(3, "red", (-0.4 * DIE, 100.0, DIE, DIE), 0.9)
    assert confidence_needed(table(), [cut_off]) == 0
    assert confidence_needed(table(), [*found(), cut_off]) == 0


def test_dice_of_a_few_pixels_are_not_measured() -> None:
    """They are uncertain anyway."""
    image = np.asarray(cv2.GaussianBlur(table(), (0, 0), 0.15 * DIE), np.uint8)
    specks = [Die(die.face, die.colour, (*die.box[:2], 6.0, 6.0), 0.9) for die in found()]
    assert confidence_needed(image, specks) == 0
