"""How sure a share is that was counted."""

from __future__ import annotations

import pytest

from companion.engine.proportion import most_wrong


@pytest.mark.parametrize(
    ("wrong", "among", "most"),
    [(0, 2995, 0.001), (0, 59, 0.0495), (1, 100, 0.0466), (5, 10, 0.7776), (3, 3, 1.0), (0, 0, 1.0)],
)
def test_the_share_that_is_not_exceeded(wrong: int, among: int, most: float) -> None:
    """Of Clopper and Pearson's tables, and the rule of three."""
    assert most_wrong(wrong, among) == pytest.approx(most, abs=2e-4)


def test_more_certainty_allows_more() -> None:
    assert most_wrong(1, 100, 0.99) > most_wrong(1, 100, 0.95) > most_wrong(1, 100, 0.5) > 0.01
