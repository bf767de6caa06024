"""What is fitted to games of robots."""

from __future__ import annotations

import random

import numpy as np
import pytest

from companion.review.models import fitted_models
from companion.review.win_chance import RULES, TERMS
from companion.robots.fit import Chosen, changed_game, fit_rules, logit


def test_weights_are_found_beside_what_choices_are_worth_anyhow() -> None:
    """Of two choices the first is worth 1 more anyhow, and 2 less by its only feature."""
    luck = random.Random(1)
    found = []
    for _ in range(4000):
        seen = luck.random()
        chance = 1 / (1 + np.exp(2 * seen - 1))
        found.append(Chosen(np.array([[seen], [0.0]]), int(luck.random() >= chance), np.array([1.0, 0.0])))
    weights, _ = logit(found)
    assert weights == pytest.approx([-2], abs=0.3)


def test_house_rules_are_fitted_to_games_under_them() -> None:
    games = [changed_game(seed) for seed in (1, 2, 3)]
    assert len({rounds[0].start.ruleset for rounds, _ in games}) > 1
    rules = fit_rules(games, fitted_models().winning.players)
    assert sorted(rules) == [2, 3]
    for weights in rules.values():
        assert weights.shape == (len(RULES), len(TERMS))
        assert np.isfinite(weights).all()
        assert weights.any()
