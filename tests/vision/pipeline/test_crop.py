"""A die cut out of the frame for the classifiers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.models.networks import CROP_MARGIN, CROP_SIDE, VERIFIER_CROP, VERIFIER_DIE, WIDE_CROP
from vision.pipeline.crop import Whole, crop_die
from vision.reading import Box


def box(x: float, y: float, width: float) -> Box:
    """A box with its middle at x, y."""
    return x - width / 2, y - width / 2, width, width


@pytest.mark.parametrize("width", [20.0, 41.0, 90.0])
def test_the_die_has_the_same_size_in_a_wide_crop(width: float) -> None:
    frame = np.random.default_rng(4).integers(0, 255, (400, 400, 3), np.uint8)
    near, wide = (crop_die(frame, box(203.0, 190.0, width)), crop_die(frame, box(203.0, 190.0, width), WIDE_CROP))
    rim = (WIDE_CROP - CROP_SIDE) // 2
    assert wide.shape == (WIDE_CROP, WIDE_CROP, 3)
    assert np.abs(wide[rim:-rim, rim:-rim].astype(int) - near).max() <= 2


def test_a_wide_crop_shows_the_surroundings_of_the_die() -> None:
    frame = np.zeros((200, 200, 3), np.uint8)
    width = 40.0
    beside = round(100 + width * 0.8)
    frame[95:105, beside - 3 : beside + 3] = 255
    assert CROP_MARGIN / 2 < 0.8
    assert crop_die(frame, box(100.0, 100.0, width)).max() == 0
    assert crop_die(frame, box(100.0, 100.0, width), WIDE_CROP).max() > 200


def test_a_crop_beyond_the_frame_is_filled_by_mirroring() -> None:
    frame = np.full((60, 60, 3), 90, np.uint8)
    assert crop_die(frame, box(2.0, 58.0, 30.0), WIDE_CROP).min() == 90


@pytest.mark.parametrize("width", [20.0, 41.0, 90.0])
def test_the_verifier_sees_a_die_as_wide_as_it_was_taught(width: float) -> None:
    frame = np.zeros((400, 400, 3), np.uint8)
    x, y, w, h = (round(v) for v in box(200.0, 200.0, width))
    frame[y : y + h, x : x + w] = 255
    crop = crop_die(frame, box(200.0, 200.0, width), VERIFIER_CROP, VERIFIER_DIE)
    assert crop.shape == (VERIFIER_CROP, VERIFIER_CROP, 3)
    assert abs(int((crop[VERIFIER_CROP // 2, :, 0] > 127).sum()) - VERIFIER_DIE) <= 2


@pytest.mark.parametrize("width", [20.0, 41.0, 90.0])
def test_a_crop_of_the_whole_shows_the_same_and_more_of_it(width: float) -> None:
    blocks = np.random.default_rng(4).integers(0, 255, (100, 100, 3), np.uint8)
    whole = np.asarray(cv2.resize(blocks, (800, 800), interpolation=cv2.INTER_CUBIC), np.uint8)
    half = np.asarray(cv2.resize(whole, (400, 400), interpolation=cv2.INTER_AREA), np.uint8)
    place = box(203.3, 190.6, width)
    coarse = crop_die(half, place).astype(int)
    fine = crop_die(half, place, whole=Whole(whole, lambda _: 2 * np.eye(2, 3))).astype(int)
    apart = np.abs(cv2.blur((fine - coarse).astype(np.float32), (9, 9)))
    assert apart.max() < 12
    assert fine.std() >= coarse.std()
