"""The picture of the table while the cups are down, without hands that come and go."""

from __future__ import annotations

import numpy as np

from calibration.image import Image
from vision.drawn.table_scene import SceneCup, SceneDie, SceneHand, TableScene, render_table
from vision.quiet_table import QuietPicture

SIZE = (1280, 960)
LOST = SceneDie(0, 0, 0.4, 5, "red")
IN_PLAY = SceneDie(-120, 40, 1.2, 3, "blue")
CUP = SceneCup(-120, 40, "blue")
CLOSE = 12.0
"""The most levels by which two slightly blurred pictures of one scene differ, noise included."""


def frame(*things: SceneDie | SceneCup | SceneHand, gain: float = 1.0, seed: int = 0) -> Image:
    scene = TableScene(
        tuple(t for t in things if isinstance(t, SceneDie)),
        tuple(t for t in things if isinstance(t, SceneCup)),
        tuple(t for t in things if isinstance(t, SceneHand)),
    )
    image = render_table(scene, SIZE).astype(np.float32) * gain
    return np.clip(image + np.random.default_rng(seed).normal(0, 1.5, image.shape), 0, 255).astype(np.uint8)


def watch(*frames: tuple[Image, float]) -> QuietPicture:
    """The picture after showing each frame for its seconds, at four frames a second."""
    quiet, now = QuietPicture(), 0.0
    for image, seconds in frames:
        for _ in range(max(1, round(seconds * 4))):
            quiet.see(image, image[::2, ::2], now)
            now += 0.25
    return quiet


def same(quiet: QuietPicture, image: Image) -> bool:
    assert quiet.image is not None
    return bool(np.abs(quiet.image.astype(np.int16) - image).mean(axis=-1).max() < 4 * CLOSE)


def test_before_the_first_frame_there_is_no_picture() -> None:
    assert QuietPicture().image is None


def test_a_hand_that_passes_is_not_in_the_picture() -> None:
    table = frame(LOST, CUP)
    hand = SceneHand(5, 10, 0.5)
    assert same(watch((table, 2), (frame(LOST, CUP, hand), 0.5), (table, 0.5)), table)


def test_a_hand_in_the_first_frame_leaves_the_picture() -> None:
    table = frame(LOST, CUP)
    assert same(watch((frame(LOST, CUP, SceneHand(5, 10, 0.5)), 1), (table, 2)), table)


def test_a_short_peek_is_not_in_the_picture() -> None:
    table = frame(LOST, CUP)
    assert same(watch((table, 2), (frame(LOST, IN_PLAY), 0.75), (table, 0.5)), table)


def test_a_long_peek_leaves_the_picture_when_the_cup_is_down_again() -> None:
    table = frame(LOST, CUP)
    assert same(watch((table, 2), (frame(LOST, IN_PLAY), 5), (table, 2)), table)


def test_an_object_put_down_appears_in_the_picture() -> None:
    later = frame(LOST, CUP, SceneDie(60, 60, 0.2, 2, "green"))
    assert same(watch((frame(LOST, CUP), 2), (later, 2)), later)


def test_slowly_changing_light_is_no_change() -> None:
    quiet = watch((frame(LOST, CUP), 2))
    version = quiet.version
    for n in range(8):
        image = frame(LOST, CUP, gain=1 - 0.03 * n, seed=n)
        quiet.see(image, image[::2, ::2], 3.0 + n * 0.25)
    assert quiet.version == version


def test_frames_of_another_size_begin_a_new_picture() -> None:
    quiet = watch((frame(LOST, CUP), 2))
    smaller = np.ascontiguousarray(frame(CUP)[::2, ::2])
    quiet.see(smaller, smaller, 9.0)
    assert quiet.image is not None
    assert quiet.image.shape == smaller.shape
