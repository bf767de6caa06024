"""Dice are found at whatever size they appear, and the wrong size is not taken for the right one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.find import find
from vision.networks import Networks
from vision.sight import Sight
from vision.synthetic.table import SceneDie, TableScene, render_table

HEAP = tuple(
    SceneDie(24 * (k % 3) - 24, 24 * (k // 3) - 12, 0.3 * k, k % 6 + 1, "blue") for k in range(6)
)  # two rows of three: from afar, a six


@pytest.fixture(scope="module")
def networks() -> Networks:
    return Networks()


def close_up(factor: float) -> np.ndarray:
    """The middle of the table, `factor` times closer."""
    frame = render_table(TableScene(HEAP), (1920, 1440))
    height, width = frame.shape[:2]
    h, w = round(height / factor / 2), round(width / factor / 2)
    part = frame[height // 2 - h : height // 2 + h, width // 2 - w : width // 2 + w]
    return np.asarray(cv2.resize(part, (1280, 960), interpolation=cv2.INTER_CUBIC), np.uint8)


@pytest.mark.parametrize("factor", [1.0, 2.0, 3.5, 5.0])
def test_six_dice_are_six_dice_from_afar_and_close_up(networks: Networks, factor: float) -> None:
    spots = [s for s in find(Sight(close_up(factor), networks)) if s.score > 0.3]
    assert len(spots) == 6
    width = np.median([s.w for s in spots])
    assert 0.9 < width / (16 * factor * 1280 / 620) < 1.6


def test_small_dice_far_apart_in_a_large_frame_are_all_looked_at_again(networks: Networks) -> None:
    places = [(-250, -150), (250, -150), (0, 0), (-250, 150), (250, 150)]
    dice = tuple(SceneDie(x, y, 0.5, 4, "red") for x, y in places)
    frame = cv2.resize(render_table(TableScene(dice), (2304, 1728)), (920, 690), interpolation=cv2.INTER_AREA)
    large = np.full((1296, 2304, 3), 60, np.uint8)
    large[300:990, 700:1620] = frame
    spots = [s for s in find(Sight(large, networks)) if s.score > 0.3]
    seen = sorted((round((s.x - 700) / 920 * 620 - 310), round((s.y - 300) / 690 * 465 - 232)) for s in spots)
    assert len(seen) == len(places)
    for (x, y), (u, v) in zip(seen, sorted(places), strict=True):
        assert abs(x - u) < 12
        assert abs(y - v) < 12
