"""The picture of the table while the cups are down, without hands that come and go."""

from __future__ import annotations

import numpy as np

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
    assert now is not None
    assert now.changed is None
    return now.image


def same(one: Image, other: Image) -> bool:
    return bool(np.abs(one.astype(np.int16) - other).mean(axis=-1).max() < 4 * CLOSE)


def test_before_the_first_frame_there_is_no_picture() -> None:
    assert table(QuietPicture()) is None


def test_nothing_is_known_of_a_table_seen_for_a_moment() -> None:
    """Dice lie open until the cups come down over them: they are in play."""
    assert table(watch((frame(LOST, IN_PLAY), 0.5))) is None


def test_a_quiet_table_is_seen_whole() -> None:
    still = frame(LOST, CUP)
    image = seen(watch((still, 2)))
    assert same(image, still)


def test_a_hand_that_passes_is_not_in_the_picture() -> None:
    still = frame(LOST, CUP)
    hand = SceneHand(5, 10, 0.5)
    image = seen(watch((still, 2), (frame(LOST, CUP, hand), 0.5), (still, 2)))
    assert same(image, still)


def test_under_a_hand_the_table_is_as_it_was() -> None:
    still = frame(LOST, CUP)
    now = table(watch((still, 2), (frame(LOST, CUP, SceneHand(5, 10, 0.5)), 0.5)))
    assert now is not None
    assert same(now.image, still)
    assert now.changed is not None
    assert now.changed[480, 640] == 255
    assert now.changed[40, 40] == 0


def test_a_hand_in_the_first_frame_leaves_the_picture() -> None:
    still = frame(LOST, CUP)
    image = seen(watch((frame(LOST, CUP, SceneHand(5, 10, 0.5)), 1), (still, 2)))
    assert same(image, still)


def test_a_short_peek_is_not_in_the_picture() -> None:
    still = frame(LOST, CUP)
    now = table(watch((still, 2), (frame(LOST, IN_PLAY), 0.75), (still, 0.5)))
    assert now is not None
    assert same(now.image, still)


def test_a_long_peek_leaves_the_picture_when_the_cup_is_down_again() -> None:
    still = frame(LOST, CUP)
    image = seen(watch((still, 2), (frame(LOST, IN_PLAY), 5), (still, 4)))
    assert same(image, still)


def test_an_object_put_down_appears_in_the_picture() -> None:
    later = frame(LOST, CUP, SceneDie(60, 60, 0.2, 2, "green"))
    image = seen(watch((frame(LOST, CUP), 2), (later, 5)))
    assert same(image, later)


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


def test_the_plain_top_of_a_cup_covers_the_plain_table_under_it() -> None:
    cup = SceneCup(0, 0, "red")
    image = seen(watch((frame(), 2), (frame(cup), 6)))
    assert same(image, frame(cup))
