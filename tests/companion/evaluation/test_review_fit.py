"""What is fitted to games of robots."""

from __future__ import annotations

import random

import numpy as np
import pytest

from companion.evaluation import review_fit
from companion.evaluation.review_fit import Chosen, changed_game, fit_winning, half_foretold, logit, network
from companion.review.win_chance import INPUTS, chances_of_winning


def test_a_weight_is_found() -> None:
    """Of two choices the first is worth 2 less by its only feature."""
    luck = random.Random(1)
    found = []
    for _ in range(4000):
        feature = luck.random()
        chance = 1 / (1 + np.exp(2 * feature))
        found.append(Chosen(np.array([[feature], [0.0]]), int(luck.random() >= chance)))
    weights, _ = logit(found)
    assert weights == pytest.approx([-2], abs=0.3)


def test_the_network_finds_what_two_inputs_do_only_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three choices, the third of which is none at times, one is worth 2 more if both of its inputs or neither are
    set; another in the place of the first is worth no more for that."""
    monkeypatch.setattr(review_fit, "BATCH", review_fit.BATCH // 4)  # of a quarter of the usual choices
    luck = np.random.default_rng(1)
    table = luck.integers(0, 2, (5_000, 3, 2)).astype(np.float32)
    able = np.ones((len(table), 3), bool)
    able[::2, 2] = False
    worth = np.where(able, 2.0 * (table[..., 0] == table[..., 1]), -np.inf)
    chosen = (worth + luck.gumbel(size=worth.shape)).argmax(axis=1)
    found = network(table, able, np.eye(3, dtype=np.float32)[chosen], seed=1)
    alike, other, nothing = found.worth(np.array([[1, 1], [1, 0], [0, 0]]))
    assert alike - other == pytest.approx(2, abs=0.3)
    assert alike == pytest.approx(nothing, abs=0.3)


def test_a_round_learns_from_the_next_ones_of_its_game() -> None:
    """A game of three rounds and one of one; its players are as likely to win the second and third as `chances` has
    it, and the first won."""
    won = np.array([[1, 0], [1, 0], [1, 0], [0, 1]], np.float32)
    chances = np.array([[0.1, 0.9], [0.6, 0.4], [0.8, 0.2], [0.5, 0.5]], np.float32)
    found = half_foretold(won, chances, [False, False, True, True])
    assert found == pytest.approx(np.array([[0.75, 0.25], [0.9, 0.1], [1, 0], [0, 1]]))


def test_who_wins_is_fitted_to_games_under_house_rules() -> None:
    games = [changed_game(seed) for seed in (1, 2, 3)]
    assert len({rounds[0].start.ruleset for rounds, _ in games}) > 1
    winning = fit_winning(games, seed=1)
    assert winning.hidden.shape == (len(INPUTS), len(winning.output))
    start = games[0][0][0].start
    assert np.isfinite(chances_of_winning(winning, start)).all()
