"""Whom the club knows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.books.pool import pool_of

GAMES = st.lists(st.frozensets(st.sampled_from("ABCDEF"), max_size=4), max_size=10)


def linked(names: frozenset[str], games: Sequence[frozenset[str]]) -> bool:
    """Whether games link all of `names`, through these alone."""
    found = set(sorted(names)[:1])
    for _ in names:
        found |= {name for game in games if game & found for name in game & names}
    return found == names


def pool_by_definition(games: Sequence[frozenset[str]]) -> frozenset[str]:
    """The same, among all groups of players."""
    names = sorted(frozenset().union(*games))
    groups = [frozenset(each) for size in range(2, len(names) + 1) for each in combinations(names, size)]
    held = [
        each for each in groups if linked(each, games) and all(linked(each - {name}, games) for name in each)
    ]  # fmt: skip
    largest = [each for each in held if not any(each < other for other in held)]

    def seats(pool: frozenset[str]) -> int:
        return sum(len(game) for game in games if len(game) > 1 and game <= pool)

    return min(largest, key=lambda pool: (-seats(pool), sorted(pool)), default=frozenset())


@given(GAMES)
def test_the_pool_is_the_one_of_the_definition(games: list[frozenset[str]]) -> None:
    assert pool_of(games) == pool_by_definition(games)


@pytest.mark.parametrize(
    ("games", "pool"),
    [
        ("", ""),
        ("A", ""),
        ("AB", "AB"),
        ("ABC ABC", "ABC"),
        ("AB BC CA", "ABC"),
        ("ABC CDE", "ABC"),
        ("ABC CDE CDE", "CDE"),
        ("ABC CDE AD", "ABCDE"),
        ("ABC AX AY AZ", "ABC"),
        ("ABC ABC AXYZU", "ABC"),
    ],
)
def test_whom_nobody_else_has_met_is_not_in_it(games: str, pool: str) -> None:
    assert pool_of(frozenset(each) for each in games.split()) == frozenset(pool)


def test_a_long_row_of_players_is_no_deep_recursion() -> None:
    row = [frozenset(each) for each in pairwise(map(str, range(5000)))]
    assert pool_of([*row, row[7]]) == row[7]
