"""Frames of a still table make one with less noise; what moved in one of them leaves no trace."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.image import Image
from vision.drawn.table_scene import SceneDie, TableScene, render_table
from vision.stack import Stack

DICE = tuple(SceneDie(-120 + 48 * k, 30 - 12 * k, 0.3 * k, k + 1, "red") for k in range(6))
SIZE = (1152, 648)
TABLE = render_table(TableScene(DICE), SIZE)
SWAYS = ((1.6, -1.3), (-0.4, 0.7), (2.0, 2.0), (-1.1, -1.8), (0.3, 0.2), (-2.0, 1.0), (0.9, -0.6))
"""Right and down, in pixels."""


def swaying(image: Image, right: float, down: float) -> Image:
    move = np.array([[1, 0, right], [0, 1, down]])
    return cv2.warpAffine(image, move, SIZE, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)


def grainy(image: Image, seed: int, sigma: float = 12.0) -> Image:
    grain = np.random.default_rng(seed).normal(0, sigma, image.shape)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def error(image: Image, truth: Image = TABLE) -> float:
    """The root of the mean square difference, in grey levels."""
    inside = (slice(4, -4), slice(4, -4))
    return float(np.sqrt(((image[inside].astype(float) - truth[inside]) ** 2).mean()))


@pytest.mark.parametrize("sigma", [0.0, 12.0, 25.0])
def test_eight_frames_from_a_swaying_mast_have_a_third_of_the_noise_and_are_as_sharp(sigma: float) -> None:
    first = grainy(TABLE, 0, sigma)
    stack = Stack(first)
    for n, sway in enumerate(SWAYS, 1):
        assert stack.add(grainy(swaying(TABLE, *sway), n, sigma))
    assert stack.frames == 8
    assert error(stack.mean()) < max(1.6, 0.42 * error(first))


def test_a_hand_that_passes_over_a_corner_is_left_out() -> None:
    stack = Stack(grainy(TABLE, 0))
    for n, sway in enumerate(SWAYS, 1):
        frame = swaying(TABLE, *sway)
        if n < 4:
            cv2.ellipse(frame, (SIZE[0] - 30 * n, 30), (90, 60), 30, 0, 360, (125, 155, 205), -1)
        assert stack.add(grainy(frame, n))
    corner, rest = (slice(0, 110), slice(SIZE[0] - 200, None)), (slice(None), slice(0, SIZE[0] - 240))
    smooth, truth = (cv2.blur(each, (9, 9)).astype(int) for each in (stack.mean(), TABLE))
    assert np.abs(smooth - truth)[corner].max() < 16
    assert error(stack.mean()[rest], TABLE[rest]) < 0.45 * 12.0, "everything else gains as before"


def test_a_die_that_was_turned_stays_what_the_first_frame_shows() -> None:
    turned = render_table(TableScene((SceneDie(-120, 30, 0.0, 6, "red"), *DICE[1:])), SIZE)
    stack = Stack(TABLE)
    stack.add(turned)
    assert error(stack.mean()) < 0.5


def test_a_frame_that_cannot_be_registered_adds_nothing() -> None:
    stack = Stack(TABLE)
    assert not stack.add(TABLE[:, :600])
    assert not stack.add(np.full_like(TABLE, 90))
    assert (stack.mean() == TABLE).all()
    stack.add(swaying(TABLE, 60.0, 0.0))
    assert error(stack.mean()) < 1.6, "a mast that was pushed"
