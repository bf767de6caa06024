"""A game alone against robots is over while it is fun."""

from __future__ import annotations

import statistics

import pytest

from tests.benchmarks.solo import OPPONENTS, play_solo

MOST_MINUTES = 10.0


@pytest.mark.parametrize("name", OPPONENTS)
def test_a_game_alone_takes_some_ten_minutes_at_most(name: str) -> None:
    games = [play_solo(OPPONENTS[name], seed) for seed in range(4)]  # the median of fewer is luck
    assert statistics.median(game.whole for game in games) <= MOST_MINUTES * 60
