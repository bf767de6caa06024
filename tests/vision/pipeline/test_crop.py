"""A die cut out of the frame for the classifiers."""

from __future__ import annotations

import numpy as np
import pytest

from vision.models.networks import CROP, CROP_MARGIN, WIDE, Spot
from vision.pipeline.crop import cut

EVEN = np.full(6, 1 / 6, np.float32)


def spot(x: float, y: float, width: float) -> Spot:
    return Spot(x, y, width, width, 0.9, EVEN, EVEN)


@pytest.mark.parametrize("width", [20.0, 41.0, 90.0])
def test_the_die_is_as_large_in_a_wide_crop(width: float) -> None:
    frame = np.random.default_rng(4).integers(0, 255, (400, 400, 3), np.uint8)
    near, wide = cut(frame, spot(203.0, 190.0, width)), cut(frame, spot(203.0, 190.0, width), WIDE)
    rim = (WIDE - CROP) // 2
    assert wide.shape == (WIDE, WIDE, 3)
    assert np.abs(wide[rim:-rim, rim:-rim].astype(int) - near).max() <= 2


def test_a_wide_crop_shows_what_lies_beside_the_die() -> None:
    frame = np.zeros((200, 200, 3), np.uint8)
    width = 40.0
    beside = round(100 + width * 0.8)
    frame[95:105, beside - 3 : beside + 3] = 255
    assert CROP_MARGIN / 2 < 0.8
    assert cut(frame, spot(100.0, 100.0, width)).max() == 0
    assert cut(frame, spot(100.0, 100.0, width), WIDE).max() > 200


def test_what_lies_outside_the_frame_is_mirrored_in() -> None:
    frame = np.full((60, 60, 3), 90, np.uint8)
    assert cut(frame, spot(2.0, 58.0, 30.0), WIDE).min() == 90
