"""Close-ups of dice are upright, however the dice lie."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.close_up import MARGIN, close_ups


@pytest.mark.parametrize("turned", [0, 17, 30, -30, 44])
def test_a_turned_die_is_cut_out_upright_and_as_large(turned: int) -> None:
    frame = np.full((200, 300, 3), 120, np.uint8)
    corners = cv2.boxPoints(((150.0, 90.0), (50.0, 50.0), float(turned)))
    cv2.fillConvexPoly(frame, corners.round().astype(np.int32), (40, 220, 240), cv2.LINE_AA)
    for x, y in ((corners - corners.mean(0)) * 0.5 + corners.mean(0)).round().astype(int).tolist():
        cv2.circle(frame, (x, y), 5, (20, 20, 20), -1, cv2.LINE_AA)
    (left, top), (right, bottom) = corners.min(0), corners.max(0)
    cut = close_ups(frame, [(left, top, right - left, bottom - top)], 130)
    die = (cut[:, :, 2] > 190) | (cut[:, :, 2] < 70)
    assert np.mean(die[18:-18, 18:-18]) > 0.94
    assert np.mean(die) == pytest.approx(MARGIN**-2, abs=0.08)


def test_a_die_at_the_edge_of_its_frame_and_a_box_without_size_have_close_ups_too() -> None:
    frame = np.zeros((60, 80, 3), np.uint8)
    boxes = [(70.0, 50.0, 10.0, 10.0), (0.0, 0.0, 1.0, 1.0), (90.0, 90.0, 10.0, 10.0)]
    assert close_ups(frame, boxes, 40).shape == (40, 120, 3)
