"""How many sit at each table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.tournament.tournament import table_sizes

WISHES = st.integers(4, 6)
MORE_THAN_WISHED = {(5, 4), (6, 5), (11, 5)}


@given(st.integers(2, 400), WISHES)
def test_everybody_sits_and_all_tables_are_about_as_large(players: int, wish: int) -> None:
    sizes = table_sizes(players, wish)
    assert sum(sizes) == players
    assert list(sizes) == sorted(sizes, reverse=True)
    assert max(sizes) - min(sizes) <= 1


@given(st.integers(2, 400), WISHES)
def test_the_wish_is_the_most_at_a_table(players: int, wish: int) -> None:
    assert max(table_sizes(players, wish)) <= wish + ((players, wish) in MORE_THAN_WISHED)


@given(st.integers(4, 400), WISHES)
def test_tables_have_four_to_six_players_and_three_only_where_four_are_wished(players: int, wish: int) -> None:
    sizes = table_sizes(players, wish)
    assert max(sizes) <= 6
    assert min(sizes) >= (3 if wish == 4 or players == 7 else 4)


@given(st.integers(2, 400), WISHES)
def test_there_is_no_table_more_than_it_takes(players: int, wish: int) -> None:
    fewer = len(table_sizes(players, wish)) - 1
    assert fewer * wish < players


@given(st.integers(2, 399), WISHES)
def test_one_player_more_never_takes_a_table_away(players: int, wish: int) -> None:
    assert len(table_sizes(players + 1, wish)) >= len(table_sizes(players, wish))


@pytest.mark.parametrize(
    ("players", "wish", "sizes"),
    [
        (0, 5, ()),
        (1, 5, ()),
        (2, 5, (2,)),
        (3, 5, (3,)),
        (5, 4, (5,)),
        (6, 4, (3, 3)),
        (6, 5, (6,)),
        (7, 4, (4, 3)),
        (7, 6, (4, 3)),
        (8, 6, (4, 4)),
        (9, 4, (3, 3, 3)),
        (10, 4, (4, 3, 3)),
        (10, 5, (5, 5)),
        (11, 4, (4, 4, 3)),
        (11, 5, (6, 5)),
        (12, 5, (4, 4, 4)),
        (13, 6, (5, 4, 4)),
        (48, 4, (4,) * 12),
        (48, 5, (5,) * 8 + (4,) * 2),
        (48, 6, (6,) * 8),
        (47, 5, (5,) * 7 + (4,) * 3),
    ],
)
def test_examples(players: int, wish: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(players, wish) == sizes
