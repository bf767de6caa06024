"""The picture of the table while the cups are down, without hands that come and go."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from calibration.image import Image
from vision.drawn.table_scene import SceneCup, SceneDie, SceneHand, TableScene, render_table
from vision.quiet_table import QuietPicture, QuietTable
from vision.reading import Reading

SIZE = (1280, 960)
LOST = SceneDie(0, 0, 0.4, 5, "red")
IN_PLAY = SceneDie(-120, 40, 1.2, 3, "blue")
CUP = SceneCup(-120, 40, "blue")
CLOSE = 12.0
"""The most levels by which two slightly blurred pictures of one scene differ, noise included."""


@cache
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


def table(quiet: QuietPicture) -> QuietTable | None:
    """The last table."""
    tables = quiet.tables(lambda image: Reading((), image.shape[1], image.shape[0]))
    return tables[-1] if tables else None


def seen(quiet: QuietPicture) -> Image:
    """The picture of a table on which nothing has changed since."""
    now = table(quiet)
    assert now.changed is None
    return now.image


def same(one: Image, other: Image) -> bool:
    return bool(np.abs(one.astype(np.int16) - other).mean(axis=-1).max() < 4 * CLOSE)


def test_before_the_first_frame_there_is_no_picture() -> None:
    assert table(QuietPicture()) is None


def test_nothing_is_known_of_a_table_seen_for_a_moment() -> None:
    """Dice lie open until the cups come down over them: they are in play."""
    assert table(watch((frame(LOST, IN_PLAY), 0.5))) is None


HAND = SceneHand(5, 10, 0.5)
STILL = (LOST, CUP)
MORE = (LOST, CUP, SceneDie(60, 60, 0.2, 2, "green"))
LARGE_CUP = (SceneCup(0, 0, "red"),)


@pytest.mark.parametrize(
    ("shown", "picture"),
    [
        pytest.param(((STILL, 2),), STILL, id="a quiet table is seen whole"),
        pytest.param(((STILL, 2), ((*STILL, HAND), 0.5), (STILL, 2)), STILL, id="a hand that passes is not in it"),
        pytest.param((((*STILL, HAND), 1), (STILL, 2)), STILL, id="a hand in the first frame leaves it"),
        pytest.param(
            ((STILL, 2), ((LOST, IN_PLAY), 5), (STILL, 4)), STILL, id="a long peek leaves it with the cup down"
        ),
        pytest.param(((STILL, 2), (MORE, 5)), MORE, id="an object put down appears"),
        pytest.param((((), 2), (LARGE_CUP, 6)), LARGE_CUP, id="a plain cup covers the plain table"),
    ],
)
def test_the_picture_of_the_table(shown: tuple[tuple[tuple[Any, ...], float], ...], picture: tuple[Any, ...]) -> None:
    assert same(seen(watch(*((frame(*things), seconds) for things, seconds in shown))), frame(*picture))


def test_a_short_peek_is_not_in_the_picture() -> None:
    now = table(watch((frame(*STILL), 2), (frame(LOST, IN_PLAY), 0.75), (frame(*STILL), 0.5)))
    assert same(now.image, frame(*STILL))


def test_under_a_hand_the_table_is_as_it_was() -> None:
    still = frame(*STILL)
    now = table(watch((still, 2), (frame(*STILL, HAND), 0.5)))
    assert same(now.image, still)
    assert now.changed[480, 640] == 255
    assert now.changed[40, 40] == 0


def test_slowly_changing_light_is_no_change() -> None:
    quiet = watch((frame(LOST, CUP), 2))
    for n in range(8):
        image = frame(LOST, CUP, gain=1 - 0.03 * n, seed=n)
        quiet.see(image, image[::2, ::2], 3.0 + n * 0.25)
    assert same(seen(quiet), frame(LOST, CUP))


def test_frames_of_another_size_begin_a_new_picture() -> None:
    quiet = watch((frame(LOST, CUP), 2))
    smaller = np.ascontiguousarray(frame(CUP)[::2, ::2])
    for at in (9.0, 10.5):
        quiet.see(smaller, smaller, at)
    assert seen(quiet).shape == smaller.shape


def test_what_lay_under_an_arm_that_rests_is_in_the_earlier_picture() -> None:
    still = frame(LOST, CUP)
    quiet = watch((still, 2), (frame(LOST, CUP, SceneHand(5, 10, 0.5)), 6))
    before, last = quiet.tables(lambda image: Reading((), image.shape[1], image.shape[0]))
    assert not same(last.image, still)
    seen = (slice(460, 500), slice(620, 660))
    assert same(before.image[seen], still[seen])
