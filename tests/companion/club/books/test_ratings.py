"""Ratings after a game, held against the formulas of the paper."""

from __future__ import annotations

from math import exp, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.books.books import NEWCOMER, Rating, rate

BETA, TAU = 25 / 6, 25 / 300
"""openskill's."""
RATINGS = st.builds(Rating, st.floats(-20, 70), st.floats(0.5, 25 / 3))


def weng_lin(before: list[Rating], places: list[int]) -> list[tuple[float, float]]:
    """Algorithm 4 of Weng & Lin (2011) for players alone, with gamma = sigma / c and openskill's tau."""
    sigma2 = [each.deviation**2 + TAU**2 for each in before]
    c = sqrt(sum(sigma2) + len(before) * BETA**2)
    strength = [exp(each.mean / c) for each in before]
    after = []
    for i, mine in enumerate(places):
        omega = delta = 0.0
        for q, place in enumerate(places):
            if place <= mine:
                chance = strength[i] / sum(each for each, s in zip(strength, places, strict=True) if s >= place)
                omega += ((i == q) - chance) / places.count(place)
                delta += chance * (1 - chance) / places.count(place)
        delta *= sigma2[i] / c**2 * sqrt(sigma2[i]) / c
        after.append((before[i].mean + sigma2[i] / c * omega, sqrt(sigma2[i] * max(1 - delta, 1e-4))))
    return after


def test_a_newcomer_has_1500_give_or_take_350() -> None:
    assert (NEWCOMER.points, NEWCOMER.plus_minus) == (1500, 350)
    assert (Rating(35, 5).points, Rating(35, 5).plus_minus) == (1920, 210)


def test_a_game_of_two_newcomers() -> None:
    winner, loser = rate([NEWCOMER, NEWCOMER], [1, 2])
    variance = (25 / 3) ** 2 + TAU**2
    assert winner.mean == pytest.approx(25 + variance / sqrt(2 * (variance + BETA**2)) / 2)
    assert (winner.points, loser.points) == (1611, 1389)
    assert winner.plus_minus == loser.plus_minus == 339


@given(st.lists(st.tuples(RATINGS, st.integers(1, 6)), min_size=2, max_size=8))
def test_ratings_are_those_of_the_paper(players: list[tuple[Rating, int]]) -> None:
    before, places = [rating for rating, _ in players], [place for _, place in players]
    after = [(each.mean, each.deviation) for each in rate(before, places)]
    for mine, theirs in zip(after, weng_lin(before, places), strict=True):
        assert mine == pytest.approx(theirs, abs=1e-9)


@given(st.lists(RATINGS, min_size=2, max_size=8))
def test_the_winner_rises_and_the_last_falls(before: list[Rating]) -> None:
    after = rate(before, list(range(1, len(before) + 1)))
    assert after[0].mean >= before[0].mean
    assert after[-1].mean <= before[-1].mean


@given(st.permutations(range(5)))
def test_the_order_of_the_seats_does_not_matter(seats: list[int]) -> None:
    before = [Rating(20.0 + seat, 8.0 - seat / 2) for seat in range(5)]
    places = [1, 2, 3, 4, 5]
    expected = rate(before, places)
    after = rate([before[seat] for seat in seats], [places[seat] for seat in seats])
    assert after == [expected[seat] for seat in seats]


def test_newcomers_on_a_shared_place_have_the_same_rating() -> None:
    first, second, third, last = rate([NEWCOMER] * 4, [1, 2, 2, 4])
    assert second == third
    assert first.mean > second.mean > last.mean


def test_a_game_needs_two_players() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        rate([NEWCOMER], [1])


def test_the_ratings_before_a_game_stay_as_they_were() -> None:
    before = [Rating(30.0, 4.0), NEWCOMER]
    rate(before, [2, 1])
    assert before == [Rating(30.0, 4.0), Rating(25.0, 25 / 3)]
