"""Nothing may be read while a hand, a cup or a die moves; noise and lamps are not movement."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.reading import Stillness
from vision.settle import Settle
from vision.synthetic.table import SceneCup, SceneDie, SceneHand, TableScene, render_table

DICE = tuple(SceneDie(-100 + 40 * k, 30, 0.3 * k, k + 1, "red") for k in range(5))
SIZE = (640, 480)
EMPTY = render_table(TableScene(DICE), SIZE)


@pytest.fixture
def noise() -> np.random.Generator:
    return np.random.default_rng(7)


def grainy(image: np.ndarray, noise: np.random.Generator, sigma: float = 2.0) -> np.ndarray:
    return np.clip(image + noise.normal(0, sigma, image.shape), 0, 255).astype(np.uint8)


def test_a_still_table_is_still_after_the_quiet_time(noise: np.random.Generator) -> None:
    settle = Settle(still_for=0.4)
    seen = [settle.see(grainy(EMPTY, noise), 10 + k / 10) for k in range(6)]
    assert seen == [Stillness.WAITING] * 4 + [Stillness.STILL] * 2


@pytest.mark.parametrize("sigma", [0.0, 6.0, 12.0])
def test_a_dim_noisy_room_is_not_taken_for_a_moving_one(noise: np.random.Generator, sigma: float) -> None:
    settle = Settle()
    seen = [settle.see(grainy(EMPTY, noise, sigma), k / 10) for k in range(12)]
    assert Stillness.MOVING not in seen
    assert seen[-1] is Stillness.STILL


def test_a_lamp_that_flickers_is_not_movement(noise: np.random.Generator) -> None:
    settle = Settle()
    lit = [np.clip(EMPTY * (1.0, 1.04)[k % 2], 0, 255).astype(np.uint8) for k in range(8)]
    seen = [settle.see(grainy(image, noise), k / 10) for k, image in enumerate(lit)]
    assert seen[-1] is Stillness.STILL


def test_a_soft_shadow_and_a_mast_that_shakes_are_not_movement(noise: np.random.Generator) -> None:
    settle = Settle(still_for=0.3)
    height, width = EMPTY.shape[:2]
    ramp = np.linspace(0, 1, width)[None, :, None]
    seen = []
    for k in range(8):
        shaken = cv2.warpAffine(
            EMPTY, np.array([[1, 0, 2.0 * (-1) ** k], [0, 1, 1.5 * (k % 3)]], np.float32), (width, height)
        )
        seen.append(settle.see(grainy(shaken * (1 - 0.03 * k * ramp), noise), k / 10))
    assert Stillness.MOVING not in seen
    assert seen[-1] is Stillness.STILL


def test_a_hand_is_seen_as_movement_until_it_has_gone(noise: np.random.Generator) -> None:
    settle = Settle(still_for=0.3)
    seen = []
    for k in range(8):
        scene = TableScene(DICE, hands=(SceneHand(-200 + 30 * k, 0, 0.4),))
        seen.append(settle.see(grainy(render_table(scene, SIZE), noise), k / 10))
    assert set(seen[1:]) == {Stillness.MOVING}
    after = [settle.see(grainy(EMPTY, noise), 0.8 + k / 10) for k in range(6)]
    assert after[0] is Stillness.MOVING
    assert after[-1] is Stillness.STILL


def test_one_die_that_still_rolls_is_movement(noise: np.random.Generator) -> None:
    settle = Settle()
    for k in range(6):
        rolling = SceneDie(150 - 4 * k, 80, 0.5 * k, k % 6 + 1, "blue")
        seen = settle.see(grainy(render_table(TableScene((*DICE, rolling)), SIZE), noise), k / 10)
    assert seen is Stillness.MOVING


def test_a_cup_that_creeps_up_never_counts_as_still(noise: np.random.Generator) -> None:
    """Between two frames next to nothing changes; over the quiet time it does."""
    settle = Settle()
    seen = set()
    for k in range(30):
        scene = TableScene(DICE, cups=(SceneCup(0, -90 + 1.2 * k, "red"),))
        seen.add(settle.see(render_table(scene, SIZE), k / 10))
    assert Stillness.STILL not in seen


def test_a_new_frame_size_starts_again() -> None:
    settle = Settle(still_for=0.0)
    settle.see(EMPTY, 0.0)
    assert settle.see(EMPTY, 0.1) is Stillness.STILL
    assert settle.see(EMPTY[:200], 0.2) is Stillness.WAITING
    settle.reset()
    assert settle.see(EMPTY[:200], 0.3) is Stillness.WAITING
