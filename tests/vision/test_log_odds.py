"""Opinions are combined as probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.log_odds import geometric_mean, log_odds, probability


@given(st.floats(1e-4, 1 - 1e-4))
def test_a_probability_survives_conversion_to_log_odds_and_back(p: float) -> None:
    assert probability(log_odds(p)) == pytest.approx(p, rel=1e-6)
    assert (log_odds(p) > 0) == (p > 0.5)


@given(st.sampled_from([0.0, 1.0]))
def test_no_probability_becomes_certain(p: float) -> None:
    assert abs(log_odds(p)) < 10


candidates = st.lists(st.floats(0.001, 1), min_size=6, max_size=6).map(
    lambda shares: np.asarray(np.array(shares) / np.sum(shares), np.float32)
)


@given(candidates, candidates, st.floats(0, 1))
def test_a_mix_is_an_opinion_and_keeps_what_both_agree_on(one: np.ndarray, other: np.ndarray, share: float) -> None:
    both = geometric_mean(one, other, share)
    assert both.sum() == pytest.approx(1, abs=1e-5)
    if np.argmax(one) == np.argmax(other):
        assert both[np.argmax(one)] == pytest.approx(both.max())
    assert geometric_mean(one, one, share) == pytest.approx(one, abs=1e-4)
    assert geometric_mean(one, other, 1) == pytest.approx(one, abs=1e-4)


def test_one_value_gives_a_number_and_many_an_array() -> None:
    assert type(probability(0.3)) is float
    assert type(probability(np.float32(0.3))) is float
    assert probability(np.zeros(2, np.float32)).tolist() == [0.5, 0.5]
