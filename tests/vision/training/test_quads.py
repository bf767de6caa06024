"""The whole die is found from the corners of its top, under any camera."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.training.pictures import Picture, rows_of, sides, tops_of
from vision.training.quads import body_box

HALF = 20.0
"""Half of a top face, in pixels."""


def a_table(tilt: float = 0.0, barrel: float = 0.0) -> dict[str, Any]:
    meta = {"tilt_deg": tilt, "camera_cm": 60.0, "die_mm": 16.0, "barrel_k": barrel}
    return {"width": 2000, "height": 1200, "mm_per_px": 0.4, "meta": meta}


def a_die(x: float, y: float, **said: Any) -> dict[str, Any]:
    corners = [[x - HALF, y - HALF], [x + HALF, y - HALF], [x + HALF, y + HALF], [x - HALF, y + HALF]]
    return {"value": 3, "colour": "red", "quad": corners, "box": [x - HALF, y - HALF, 40, 40]} | said


def test_straight_below_the_camera_nothing_but_the_top_is_seen() -> None:
    assert body_box(a_die(1000, 600), a_table()) == pytest.approx((980, 580, 40, 40), abs=1)


def test_far_out_a_die_shows_its_foot_towards_the_point_below_the_camera() -> None:
    left, _, width, height = body_box(a_die(1800, 600), a_table())
    # the foot is 16 mm further down of 600: at 800 px from the middle it is seen 21 px nearer
    assert left == pytest.approx(1780 - 21, abs=3)
    assert left + width == pytest.approx(1820, abs=2)  # its edges are rounded
    assert height == pytest.approx(40, abs=1)


def test_a_tilted_camera_sees_the_near_side_of_every_die() -> None:
    _, top, _, height = body_box(a_die(1000, 600), a_table(tilt=20))
    assert top == pytest.approx(580, abs=2)
    assert top + height > 620 + 10


def test_a_lens_that_bends_lines_changes_no_box_but_by_the_bend() -> None:
    straight, bent = (body_box(a_die(1800, 900), a_table(barrel=k)) for k in (0.0, 0.06))
    assert np.abs(np.subtract(straight, bent)).max() < 4


def test_a_die_that_hardly_anything_is_seen_of_is_ignored() -> None:
    dice = [a_die(1000, 600), a_die(900, 600, visible=0.5), a_die(800, 600, contrast=5.0), a_die(700, 600, contrast=25)]
    assert rows_of(a_table() | {"dice": dice})[:, 6].tolist() == [0, 1, 1, 0]


def test_a_side_that_is_seen_well_lies_inward_of_the_top() -> None:
    entry = a_table() | {"dice": [a_die(1000, 600), a_die(1900, 600)]}
    picture = Picture(b"", rows_of(entry), False, tops_of(entry))
    assert picture.tops[1, :4].tolist() == [1900, 600, 40, 40]
    ((x, y, width),) = sides(picture)
    assert (y, width) == (pytest.approx(600, abs=1), 40)
    assert 1900 - 2 * HALF < x < 1900 - HALF
