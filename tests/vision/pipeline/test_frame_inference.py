"""Tiles laid side by side: each has its own place, and the sheet is hardly larger than their sum."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vision.pipeline.frame_inference import pack_shelves

SIZES = st.lists(st.tuples(st.integers(1, 300), st.integers(1, 300)), min_size=1, max_size=40)


@given(SIZES)
def test_no_two_tiles_share_a_pixel_and_all_are_on_the_sheet(sizes: list[tuple[int, int]]) -> None:
    (wide, tall), places = pack_shelves(sizes)
    boxes = [(x, y, x + w, y + h) for (w, h), (x, y) in zip(sizes, places, strict=True)]
    assert all(min(left, top) >= 0 and right <= wide and low <= tall for left, top, right, low in boxes)
    for k, (left, top, right, low) in enumerate(boxes):
        for a, b, c, d in boxes[:k]:
            assert right <= a or c <= left or low <= b or d <= top


def test_thirty_small_squares_need_little_more_than_their_own_area() -> None:
    (wide, tall), _ = pack_shelves([(60, 60)] * 30)
    assert wide * tall < 1.35 * 30 * 60 * 60
