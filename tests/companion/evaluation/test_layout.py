"""Dice lie where people throw them: under their cup, apart, and lost ones where no cup stands."""

from __future__ import annotations

from math import dist

import numpy as np
import pytest

from companion.evaluation.layout import CUP_RADIUS, Layout
from vision.training.traced.layout import DieSquare, overlap


@pytest.mark.parametrize("players", range(2, 7))
def test_thrown_dice_fit_under_the_cup_and_do_not_overlap(players: int) -> None:
    layout, rng = Layout.of((1280, 960), 36.0, players, 0.4), np.random.default_rng(players)
    assert layout.fits
    for seat in layout.seats:
        dice, cup = layout.throw(seat, 5, rng)
        assert len(dice) == 5
        assert not any(
            overlap(DieSquare(*one, 36.0), DieSquare(*other, 36.0)) for n, one in enumerate(dice) for other in dice[:n]
        )
        assert all(dist(die[:2], cup) < (CUP_RADIUS - 0.5) * 36 for die in dice)
        assert all(36 < v < side - 36 for die in dice for v, side in zip(die[:2], layout.size, strict=True))


def test_dice_too_large_for_the_table_do_not_fit() -> None:
    assert not Layout.of((1280, 960), 90.0, 6, 0.0).fits


def test_lost_dice_lie_apart_in_the_middle() -> None:
    layout, rng = Layout.of((1280, 960), 40.0, 4, 0.3), np.random.default_rng(5)
    lost: list[tuple[float, float]] = []
    for _ in range(12):
        place = layout.lost_place(lost, rng)
        assert place is not None
        assert all(dist(place, other) > 40 for other in lost)
        assert all(dist(place, (seat.x, seat.y)) > (CUP_RADIUS + 0.7) * 40 for seat in layout.seats)
        lost.append(place)
