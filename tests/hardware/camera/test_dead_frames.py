"""Impossible pictures are recognised."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.camera.dead_frames import BLACK_PICTURE, FROZEN_PICTURE, DeadFrameDetector
from hardware.camera.protocol import Frame


def noisy(level: int, seed: int) -> np.ndarray:
    luck = np.random.default_rng(seed)
    return np.clip(luck.normal(level, 2, (120, 160, 3)), 0, 255).astype(np.uint8)


def faults(images: list[np.ndarray], every: float = 0.1, noise: bool = True) -> list[str | None]:
    watch = DeadFrameDetector()
    return [watch.see(Frame(image, 100 + n * every, noise=noise)) for n, image in enumerate(images)]


def test_a_table_in_dim_light_is_no_fault() -> None:
    assert set(faults([noisy(30, n) for n in range(40)])) == {None}


def test_a_black_picture_is_reported_within_two_seconds() -> None:
    reports = faults([noisy(2, n) for n in range(20)])
    assert reports[:10] == [None] * 10
    assert reports[-1] == BLACK_PICTURE


@pytest.mark.parametrize(("bright_rows", "fault"), [(1, BLACK_PICTURE), (4, None)])
def test_a_black_picture_with_hot_pixels_is_still_black(bright_rows: int, fault: str | None) -> None:
    images = [noisy(2, n) for n in range(20)]
    for image in images:
        image[: 4 * bright_rows : 4, :40:4] = 255  # every fourth row and column is looked at: 10 of 1200 a row
    assert faults(images)[-1] == fault


def test_switching_a_lamp_is_no_fault() -> None:
    assert set(faults([noisy(2 if n % 8 < 4 else 90, n) for n in range(40)])) == {None}


def test_a_frozen_picture_is_reported_within_two_seconds() -> None:
    same = noisy(90, 1)
    assert faults([same] * 20)[-1] == FROZEN_PICTURE
    assert faults([same] * 14)[-1] is None


def test_a_still_table_in_a_video_is_no_frozen_picture() -> None:
    assert set(faults([noisy(90, 1)] * 40, noise=False)) == {None}


def test_two_looks_two_seconds_apart_are_enough_to_notice_a_frozen_picture() -> None:
    same = noisy(90, 1)
    assert faults([same, same], every=2.0) == [None, FROZEN_PICTURE]


@pytest.mark.parametrize("shape", [(60, 80, 3), (240, 320, 3)])
def test_another_size_is_another_picture(shape: tuple[int, int, int]) -> None:
    watch = DeadFrameDetector()
    watch.see(Frame(noisy(90, 1), 0.0, noise=True))
    assert watch.see(Frame(np.full(shape, 90, np.uint8), 5.0, noise=True)) is None
