"""A moved camera is distinguished from hands, cups and dice on the table; if it cannot be known, there is no answer."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.image import Image
from calibration.quality.camera_shift import LEAST_SHIFT, CameraShift, ShiftWatch, compare_picture, reference_picture

WIDTH, HEIGHT = 960, 540


@cache
def table(seed: int) -> Image:
    """A table wider than the picture, with permanent marks: grain, knots, a mat with a border."""
    rng = np.random.default_rng(seed)
    width, height = WIDTH + 400, HEIGHT + 400
    grain = cv2.GaussianBlur(rng.normal(0, 60, (height, width)).astype(np.float32), (0, 0), 18, sigmaY=1.2)
    image = np.repeat((125 + 2.5 * grain)[:, :, None], 3, axis=2).astype(np.float32) * np.array([0.7, 0.9, 1.1])
    for _ in range(60):
        centre = (int(rng.integers(0, width)), int(rng.integers(0, height)))
        shade = float(rng.integers(50, 200))
        cv2.ellipse(image, centre, (int(rng.integers(4, 16)), int(rng.integers(3, 9))),
                    float(rng.integers(0, 180)), 0, 360, (shade * 0.7, shade * 0.9, shade), -1)  # fmt: skip
    cv2.rectangle(image, (330, 310), (width - 330, height - 310), (70, 60, 60), 6)
    return np.clip(image, 0, 255).astype(np.uint8)


def view(flat: Image, shift: tuple[float, float] = (0, 0), degrees: float = 0.0) -> Image:
    """The middle of the table, moved and turned."""
    move = cv2.getRotationMatrix2D((flat.shape[1] / 2, flat.shape[0] / 2), degrees, 1)
    move[:, 2] += np.array(shift) - 200
    return np.asarray(cv2.warpAffine(flat, move, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR), np.uint8)


def in_use(image: Image, seed: int, covered: float, light: float = 1.0) -> Image:
    """The picture with a part of it under hands and cups, dice everywhere, and a lamp that has moved."""
    rng = np.random.default_rng(seed)
    image = image.copy()
    over = np.zeros(image.shape[:2], np.uint8)
    while over.mean() < covered:
        at = (int(rng.integers(0, WIDTH)), int(rng.integers(0, HEIGHT)))
        shade = tuple(int(n) for n in rng.integers(30, 230, 3))
        if rng.random() < 0.5:
            cv2.circle(image, at, 60, shade, -1, cv2.LINE_AA)
            cv2.circle(over, at, 60, 1, -1)
        else:
            size = (int(rng.integers(50, 160)), int(rng.integers(25, 50)))
            turn = float(rng.integers(0, 180))
            cv2.ellipse(image, at, size, turn, 0, 360, (120, 150, 205), -1, cv2.LINE_AA)
            cv2.ellipse(over, at, size, turn, 0, 360, 1, -1)
    for _ in range(30):
        x, y = int(rng.integers(0, WIDTH)), int(rng.integers(0, HEIGHT))
        shade = tuple(int(n) for n in rng.integers(20, 240, 3))
        cv2.rectangle(image, (x, y), (x + 15, y + 15), shade, -1)
        cv2.circle(image, (x + 8, y + 8), 2, (255, 255, 255), -1)
    lamp = np.linspace(light, 1.0, WIDTH)[None, :, None]
    return np.clip(image * lamp + rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8)


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    covered=st.floats(0, 0.95),
    light=st.floats(0.4, 1.2),
    shake=st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
)
def test_a_still_camera_is_never_moved(seed: int, covered: float, light: float, shake: tuple[float, float]) -> None:
    flat = table(seed % 5)
    reference = reference_picture(view(flat))
    assert compare_picture(reference, in_use(view(flat, shake), seed, covered, light)) is not CameraShift.MOVED


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), covered=st.floats(0, 0.3), light=st.floats(0.6, 1.2))
def test_a_table_in_play_is_recognised(seed: int, covered: float, light: float) -> None:
    flat = table(seed % 5)
    assert (
        compare_picture(reference_picture(view(flat)), in_use(view(flat), seed, covered, light)) is CameraShift.UNMOVED
    )


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    covered=st.floats(0, 0.25),
    away=st.floats(25, 170),
    way=st.floats(0, 6.28),
    degrees=st.floats(-8, 8),
)
def test_a_moved_camera_is_never_unmoved(seed: int, covered: float, away: float, way: float, degrees: float) -> None:
    flat = table(seed % 5)
    now = in_use(view(flat, (away * np.cos(way), away * np.sin(way)), degrees), seed, covered, 0.8)
    assert compare_picture(reference_picture(view(flat)), now) is not CameraShift.UNMOVED


def test_nearly_every_move_is_noticed_during_play() -> None:
    noticed = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        flat, way = table(seed % 5), rng.uniform(0, 6.28)
        shift = rng.uniform(25, 170) * np.array([np.cos(way), np.sin(way)])
        now = in_use(view(flat, tuple(shift), rng.uniform(-8, 8)), seed, rng.uniform(0, 0.25), 0.8)
        noticed += compare_picture(reference_picture(view(flat)), now) is CameraShift.MOVED
    assert noticed >= 11


@pytest.mark.parametrize(
    ("shift", "degrees", "answer"),
    [((0, 0), 4, CameraShift.MOVED), ((0.7 * LEAST_SHIFT * WIDTH, 0), 0, CameraShift.UNMOVED)],
    ids=["only rotated", "a negligible shift"],
)
def test_small_moves(shift: tuple[float, float], degrees: float, answer: CameraShift) -> None:
    flat = table(1)
    assert compare_picture(reference_picture(view(flat)), in_use(view(flat, shift, degrees), 3, 0.1)) is answer


@pytest.mark.parametrize("now", ["dark", "bare", "covered", "another shape"])
def test_an_unusable_picture_gives_no_answer(now: str) -> None:
    flat = table(3)
    pictures = {
        "dark": (view(flat) * 0.03).astype(np.uint8),
        "bare": np.full((HEIGHT, WIDTH, 3), 120, np.uint8),
        "covered": in_use(view(flat), 1, 0.99),
        "another shape": view(flat)[:, : WIDTH // 2],
    }
    shift = compare_picture(reference_picture(view(flat)), pictures[now])
    assert shift is CameraShift.CANNOT_TELL


def test_a_reference_of_a_bare_table_gives_no_answer() -> None:
    bare = reference_picture(np.full((HEIGHT, WIDTH, 3), 120, np.uint8))
    assert compare_picture(bare, view(table(1))) is CameraShift.CANNOT_TELL


def test_pushing_a_tray_full_of_dice_is_no_camera_move() -> None:
    """Everything in a third of the picture moves together; the rest does not."""
    flat = table(4)
    still = view(flat)
    tray = np.random.default_rng(1).integers(0, 255, (12, 14, 3), np.uint8)
    tray = np.asarray(cv2.resize(tray, (320, 260), interpolation=cv2.INTER_NEAREST), np.uint8)
    before, after = still.copy(), still.copy()
    before[100:360, 100:420] = tray
    after[140:400, 180:500] = tray
    assert compare_picture(reference_picture(before), after) is not CameraShift.MOVED


def test_another_table_is_not_a_moved_camera() -> None:
    assert compare_picture(reference_picture(view(table(1))), view(table(2))) is not CameraShift.MOVED


def test_the_watch_reports_a_move_after_three_looks_in_a_row() -> None:
    flat = table(1)
    watch = ShiftWatch(reference_picture(view(flat)))
    moved, still = view(flat, (60, 20)), view(flat)
    answers = [watch.see(image) for image in (moved, moved, still, moved, moved, moved, moved, still)]
    expected = ["cannot tell", "cannot tell", "unmoved", "cannot tell", "cannot tell", "moved", "moved", "unmoved"]
    assert answers == expected


def test_a_large_frame_is_compared_with_the_small_reference() -> None:
    flat = table(1)
    large = np.asarray(cv2.resize(view(flat), (2304, 1296), interpolation=cv2.INTER_CUBIC), np.uint8)
    assert compare_picture(reference_picture(view(flat)), large) is CameraShift.UNMOVED
