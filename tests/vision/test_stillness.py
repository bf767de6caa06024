"""A moving hand, cup or die is movement, so that nothing is read; noise and lamps are not."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.drawn.table_scene import SceneCup, SceneDie, SceneHand, TableScene, render_table
from vision.reading import Stillness
from vision.stillness import StillnessCheck

DICE = tuple(SceneDie(-100 + 40 * k, 30, 0.3 * k, k + 1, "red") for k in range(5))
SIZE = (640, 480)
EMPTY = render_table(TableScene(DICE), SIZE)


@pytest.fixture
def noise() -> np.random.Generator:
    return np.random.default_rng(7)


def grainy(image: np.ndarray, noise: np.random.Generator, sigma: float = 2.0) -> np.ndarray:
    grain = noise.standard_normal(image.shape, np.float32)
    return np.clip(image + np.float32(sigma) * grain, 0, 255).astype(np.uint8)


def test_a_still_table_is_still_after_the_quiet_time(noise: np.random.Generator) -> None:
    settle = StillnessCheck(still_for=0.4)
    verdicts = [settle.see(grainy(EMPTY, noise), 10 + k / 10) for k in range(6)]
    assert verdicts == [Stillness.WAITING] * 4 + [Stillness.STILL] * 2


@pytest.mark.parametrize("sigma", [0.0, 6.0, 12.0])
def test_the_noise_of_a_dim_room_is_not_movement(noise: np.random.Generator, sigma: float) -> None:
    settle = StillnessCheck()
    verdicts = [settle.see(grainy(EMPTY, noise, sigma), k / 10) for k in range(12)]
    assert Stillness.MOVING not in verdicts
    assert verdicts[-1] is Stillness.STILL


@pytest.mark.parametrize("other", [1.04, 0.9])
def test_a_lamp_that_flickers_is_not_movement(noise: np.random.Generator, other: float) -> None:
    settle = StillnessCheck()
    lit = [np.clip(EMPTY * (1.0, other)[k % 2], 0, 255).astype(np.uint8) for k in range(8)]
    verdicts = [settle.see(grainy(image, noise), k / 10) for k, image in enumerate(lit)]
    assert verdicts[-1] is Stillness.STILL


def test_a_soft_shadow_and_a_shaking_mast_are_not_movement(noise: np.random.Generator) -> None:
    settle = StillnessCheck(still_for=0.3)
    height, width = EMPTY.shape[:2]
    ramp = np.linspace(0, 1, width)[None, :, None]
    verdicts = []
    for k in range(8):
        shaken = cv2.warpAffine(
            EMPTY, np.array([[1, 0, 2.0 * (-1) ** k], [0, 1, 1.5 * (k % 3)]], np.float32), (width, height)
        )
        verdicts.append(settle.see(grainy(shaken * (1 - 0.03 * k * ramp), noise), k / 10))
    assert Stillness.MOVING not in verdicts
    assert verdicts[-1] is Stillness.STILL


def test_a_hand_is_movement_until_it_has_gone(noise: np.random.Generator) -> None:
    settle = StillnessCheck(still_for=0.3)
    verdicts = []
    for k in range(8):
        scene = TableScene(DICE, hands=(SceneHand(-200 + 30 * k, 0, 0.4),))
        verdicts.append(settle.see(grainy(render_table(scene, SIZE), noise), k / 10))
    assert set(verdicts[1:]) == {Stillness.MOVING}
    after = [settle.see(grainy(EMPTY, noise), 0.8 + k / 10) for k in range(6)]
    assert after[0] is Stillness.MOVING
    assert after[-1] is Stillness.STILL


def test_one_die_that_still_rolls_is_movement(noise: np.random.Generator) -> None:
    settle = StillnessCheck()
    for k in range(6):
        rolling = SceneDie(150 - 4 * k, 80, 0.5 * k, k % 6 + 1, "blue")
        verdicts = settle.see(grainy(render_table(TableScene((*DICE, rolling)), SIZE), noise), k / 10)
    assert verdicts is Stillness.MOVING


@pytest.mark.parametrize("colour", ["purple", "black"])
@pytest.mark.parametrize("cloth", [(120, 85, 55), (38, 66, 58)])
def test_one_far_rolling_die_is_movement_even_if_it_is_hardly_brighter_than_the_cloth(
    noise: np.random.Generator, colour: str, cloth: tuple[int, int, int]
) -> None:
    """A die of 26 pixels in a frame 2304 wide, and 6 mm from one frame to the next."""
    settle = StillnessCheck()
    verdicts = []
    for k in range(6):
        rolling = SceneDie(150 - 6 * k, 80, 0.5 * k, k % 6 + 1, colour)
        near = render_table(TableScene((*DICE, rolling), cloth=cloth), (1008, 756))
        frame = np.full((1296, 2304, 3), np.median(near.reshape(-1, 3), axis=0), np.uint8)
        frame[270:1026, 648:1656] = near
        verdicts.append(settle.see(grainy(cv2.resize(frame, (1280, 720), interpolation=cv2.INTER_AREA), noise), k / 15))
    assert set(verdicts[1:]) == {Stillness.MOVING}


def checks(side: int, slid: int, levels: tuple[int, int] = (60, 150)) -> np.ndarray:
    """A checked cloth with squares of `side` pixels, 1152 x 648, `slid` pixels to the right."""
    x, y = np.arange(1152)[None, :] - slid, np.arange(648)[:, None]
    return np.repeat(np.where((x // side + y // side) % 2, *levels)[..., None], 3, axis=2).astype(np.uint8)


@pytest.mark.parametrize(("side", "step"), [(60, 15), (25, 5), (25, 40)])
def test_pushing_a_camera_over_a_pattern_is_movement(noise: np.random.Generator, side: int, step: int) -> None:
    """More than half of the picture changes, which is not noise."""
    settle = StillnessCheck(still_for=0.2)
    verdicts = [settle.see(grainy(checks(side, step * k), noise), k / 15) for k in range(16)]
    assert Stillness.STILL not in verdicts
    assert Stillness.MOVING in verdicts
    after = [settle.see(grainy(checks(side, step * 15), noise), (16 + k) / 15) for k in range(8)]
    assert after[-1] is Stillness.STILL


def test_pulling_a_patterned_cloth_from_under_dice_is_movement(noise: np.random.Generator) -> None:
    lying = (np.abs(EMPTY.astype(int) - np.median(EMPTY, axis=(0, 1))) > 40).any(axis=2)[..., None]
    settle = StillnessCheck(still_for=0.2)
    verdicts = []
    for k in range(16):
        cloth = cv2.resize(checks(25, 9 * k), SIZE, interpolation=cv2.INTER_AREA)
        verdicts.append(settle.see(grainy(np.where(lying, EMPTY, cloth), noise), k / 15))
    assert set(verdicts[1:]) == {Stillness.MOVING}


def clock(at: float, table: np.ndarray) -> np.ndarray:
    """A camera's clock in the corner of the picture."""
    return cv2.putText(table.copy(), f"{at:05.2f}", (10, 25), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (255, 255, 255), 2)


def fan(at: float, table: np.ndarray) -> np.ndarray:
    """The shadow of a fan's blades, which passes over everything."""
    ys, xs = np.mgrid[0 : table.shape[0], 0 : table.shape[1]]
    around = np.arctan2(ys - table.shape[0] / 2, xs - table.shape[1] / 2)
    shadow = cv2.GaussianBlur((np.cos(3 * (around - 2 * at)) > 0.6).astype(np.float32), (0, 0), 3)
    return (table * (1 - 0.35 * shadow[..., None])).astype(np.uint8)


@pytest.mark.parametrize(("moves", "everywhere"), [(clock, False), (fan, True)])
def test_what_moves_for_ever_is_left_out_and_a_hand_over_the_dice_is_not(
    noise: np.random.Generator, moves: Callable[[float, np.ndarray], np.ndarray], everywhere: bool
) -> None:
    settle = StillnessCheck()
    size = (320, 240)
    table = render_table(TableScene(DICE), size)
    verdicts = [settle.see(grainy(moves(k / 10, table), noise), k / 10) for k in range(50)]
    assert Stillness.STILL not in verdicts[:30], "it might be a hand still"
    assert set(verdicts[40:]) == {Stillness.STILL}
    assert settle.left_out.all() == everywhere
    hand = [render_table(TableScene(DICE, hands=(SceneHand(-160 + 15 * k, 20, 1.6),)), size) for k in range(10)]
    after = [settle.see(grainy(moves(5 + k / 10, image), noise), 5 + k / 10) for k, image in enumerate(hand)]
    assert after[-1] is Stillness.MOVING


def test_a_hand_that_stirs_the_dice_for_ever_is_movement_for_ever(noise: np.random.Generator) -> None:
    settle = StillnessCheck()
    for k in range(80):
        hand = SceneHand(-20 + 150 * math.sin(k / 5), 100 * math.cos(k / 6), 1.6)
        image = render_table(TableScene(DICE, hands=(hand,)), (320, 240))
        assert settle.see(grainy(image, noise), k / 10) is not Stillness.STILL
    assert settle.place is not None
    x, y, width, height = settle.place
    assert x < 0.3 < x + width
    assert y < 0.5 < y + height


def test_what_moved_before_the_call_is_left_out_at_once_after_it(noise: np.random.Generator) -> None:
    settle = StillnessCheck()
    for k in range(12):
        settle.see(grainy(clock(k / 2, EMPTY), noise), k / 2)
    settle.reset()
    verdicts = [settle.see(grainy(clock(6 + k / 10, EMPTY), noise), 6 + k / 10) for k in range(6)]
    assert verdicts[-1] is Stillness.STILL


def test_an_upright_frame_is_compared_as_finely(noise: np.random.Generator) -> None:
    upright = np.ascontiguousarray(np.rot90(EMPTY))
    settle = StillnessCheck(still_for=0.2)
    assert [settle.see(grainy(upright, noise), k / 10) for k in range(4)][-1] is Stillness.STILL


def test_a_cup_that_rises_slowly_never_counts_as_still(noise: np.random.Generator) -> None:
    """Between two frames almost nothing changes, but over the quiet time much does."""
    settle = StillnessCheck()
    verdicts = set()
    for k in range(30):
        scene = TableScene(DICE, cups=(SceneCup(0, -90 + 1.2 * k, "red"),))
        verdicts.add(settle.see(render_table(scene, SIZE), k / 10))
    assert Stillness.STILL not in verdicts


def test_a_slow_movement_that_ends_is_still_after_the_quiet_time() -> None:
    """The quiet time begins with the first of the equal frames, not with one after it."""
    slow = [np.full((270, 480, 3), 90, np.uint8) for _ in range(7)]
    for k, frame in enumerate(slow):
        frame[100:140, 200:240] += np.uint8(11 * min(k, 2))
    settle = StillnessCheck(still_for=0.15)
    verdicts = [settle.see(frame, k / 10) for k, frame in enumerate(slow)]
    assert verdicts[2] is Stillness.MOVING
    assert verdicts[3] is Stillness.STILL


def test_a_new_frame_size_starts_again() -> None:
    settle = StillnessCheck(still_for=0.0)
    settle.see(EMPTY, 0.0)
    assert settle.see(EMPTY, 0.1) is Stillness.STILL
    assert settle.see(EMPTY[:200], 0.2) is Stillness.WAITING
    settle.reset()
    assert settle.see(EMPTY[:200], 0.3) is Stillness.WAITING


@pytest.mark.parametrize("shape", [(2, 6000), (6000, 1)])
def test_a_change_of_the_thinnest_frame_is_movement(shape: tuple[int, int]) -> None:
    settle = StillnessCheck(still_for=0.2)
    settle.see(np.zeros((*shape, 3), np.uint8), 0.0)
    changed = np.zeros((*shape, 3), np.uint8)
    changed[::2, ::2] = 255
    assert settle.see(changed, 0.5) is Stillness.MOVING
