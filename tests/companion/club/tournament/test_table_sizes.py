"""How many sit at each table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.tournament.table_sizes import table_sizes

WISHES = st.integers(4, 6)


@given(st.integers(2, 400), WISHES)
def test_everybody_sits_at_a_table_of_four_to_six_and_all_are_about_as_large(players: int, wish: int) -> None:
    sizes = table_sizes(players, wish)
    assert sum(sizes) == players
    assert max(sizes) - min(sizes) <= 1
    if players not in (2, 3, 7):
        assert 4 <= min(sizes) <= max(sizes) <= 6


@given(st.integers(24, 400), WISHES)
def test_with_many_players_the_wish_is_met(players: int, wish: int) -> None:
    sizes = table_sizes(players, wish)
    assert abs(sum(sizes) / len(sizes) - wish) <= 1
    assert wish in sizes or (players, wish) == (25, 6)  # five of five: six would leave one


@pytest.mark.parametrize(
    ("players", "wish", "sizes"),
    [
        (0, 5, ()),
        (1, 5, ()),
        (2, 5, (2,)),
        (3, 5, (3,)),
        (7, 4, (4, 3)),
        (7, 6, (4, 3)),
        (6, 4, (6,)),
        (8, 6, (4, 4)),
        (11, 4, (6, 5)),
        (12, 5, (4, 4, 4)),  # two of six come as near
        (13, 6, (5, 4, 4)),
        (48, 4, (4,) * 12),
        (48, 5, (5,) * 8 + (4,) * 2),
        (48, 6, (6,) * 8),
        (47, 5, (6,) * 2 + (5,) * 7),
    ],
)
def test_examples(players: int, wish: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(players, wish) == sizes
