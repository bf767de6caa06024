"""What is fitted to games of robots."""

from __future__ import annotations

import random

import numpy as np
import pytest

from companion.review.win_chance import RULES, TERMS
from companion.robots.fit import Chosen, changed_game, fit_winning, logit


def test_a_weight_is_found_for_each_product() -> None:
    """Of two choices the first is worth 1, and 2 less by its only feature times a number."""
    luck = random.Random(1)
    found = []
    for _ in range(4000):
        times = luck.random()
        chance = 1 / (1 + np.exp(2 * times - 1))
        found.append(Chosen(np.array([[1.0], [0.0]]), int(luck.random() >= chance), np.array([1.0, times])))
    weights, _ = logit(found)
    assert weights == pytest.approx([1, -2], abs=0.3)


def test_house_rules_are_fitted_to_games_under_them() -> None:
    games = [changed_game(seed) for seed in (1, 2, 3)]
    assert len({rounds[0].start.ruleset for rounds, _ in games}) > 1
    winning = fit_winning(games)
    assert sorted(winning.players) == [2, 3, 4, 5, 6]
    assert sorted(winning.rules) == [2, 3]
    for weights in winning.rules.values():
        assert weights.shape == (len(RULES), len(TERMS))
        assert np.isfinite(weights).all()
        assert weights.any()
