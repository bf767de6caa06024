"""The ranking, and an evening as it goes up and down in it."""

from __future__ import annotations

from itertools import pairwise

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from companion.club.books.books import NEWCOMER_FORM, PROVISIONAL_GAMES, Books, Form, Rating
from companion.club.books.players import RankedPlayer, ranking
from companion.member.payloads import RecordEvent
from tests.fakes.club_records import club_record

EVENING: list[tuple[str, str, RecordEvent, str]] = [
    (
        "Five newcomers. The red player, who came in third, has not agreed to be named.",
        "t-1",
        club_record("one/10", "Ana", "Ben", "(red)", "Cid", "Dov", unnamed=["(red)"]),
        """
        1 Ana 1612 ± 348, won 1 of 1
        2 Ben 1577 ± 346, won 0 of 1
        3 Cid 1460 ± 341, won 0 of 1
        4 Dov 1320 ± 341, won 0 of 1
        """,
    ),
    (
        "At the other table Eva beats Dov, who was the last, and he beats Ben, who was the second.",
        "t-2",
        club_record("two/10", "Eva", "Dov", "Ben"),
        """
        1 Eva 1619 ± 344, won 1 of 1
        2 Ana 1612 ± 348, won 1 of 1
        3 Cid 1460 ± 341, won 0 of 1
        4 Ben 1402 ± 335, won 0 of 2
        5 Dov 1377 ± 331, won 0 of 2
        """,
    ),
    (
        "A game that nobody won: the last bus left. Nothing changes.",
        "t-1",
        club_record("one/900", players=("Ana", "Ben", "Cid")),
        """
        1 Eva 1619 ± 344, won 1 of 1
        2 Ana 1612 ± 348, won 1 of 1
        3 Cid 1460 ± 341, won 0 of 1
        4 Ben 1402 ± 335, won 0 of 2
        5 Dov 1377 ± 331, won 0 of 2
        """,
    ),
    (
        "Ben wins, and Dov is last again.",
        "t-1",
        club_record("one/1700", "Ben", "Ana", "Cid", "Dov"),
        """
        1 Ana 1661 ± 341, won 1 of 2
        2 Eva 1619 ± 344, won 1 of 1
        3 Ben 1515 ± 332, won 1 of 3
        4 Cid 1446 ± 331, won 0 of 2
        5 Dov 1236 ± 322, won 0 of 3
        """,
    ),
    (
        "A duel: the last in the ranking beats the second.",
        "t-2",
        club_record("two/800", "Dov", "Eva"),
        """
        1 Ana 1661 ± 341, won 1 of 2
        2 Ben 1515 ± 332, won 1 of 3
        3 Eva 1470 ± 334, won 1 of 2
        4 Cid 1446 ± 331, won 0 of 2
        5 Dov 1367 ± 314, won 1 of 4
        """,
    ),
    (
        "All five of them.",
        "t-1",
        club_record("one/2400", "Eva", "Ana", "Dov", "Cid", "Ben"),
        """
        1 Ana 1724 ± 336, won 1 of 3
        2 Eva 1577 ± 332, won 2 of 3
        3 Cid 1415 ± 322, won 0 of 3
        4 Dov 1404 ± 310, won 1 of 5
        5 Ben 1338 ± 323, won 1 of 4
        """,
    ),
]
"""What happened, at which table, its record, and the ranking after it."""
NEXT_MORNING = (
    "The table's journal is put right: it was Eva who won the duel. The last game counts otherwise too.",
    "t-2",
    club_record("two/800", "Eva", "Dov"),
    """
    1 Eva 1793 ± 332, won 3 of 3
    2 Ana 1723 ± 336, won 1 of 3
    3 Cid 1411 ± 322, won 0 of 3
    4 Ben 1334 ± 323, won 1 of 4
    5 Dov 1224 ± 311, won 0 of 5
    """,
)


def lines(ranked: tuple[RankedPlayer, ...]) -> list[str]:
    return [
        f"{each.place} {each.name} {each.rating} ± {each.uncertainty}, won {each.won} of {each.games}"
        for each in ranked
    ]


def test_an_evening_of_six_games() -> None:
    books = Books()
    for what, table, record, expected in [*EVENING, NEXT_MORNING]:
        books.add(table, record)
        assert lines(ranking(books.forms)) == [line.strip() for line in expected.strip().splitlines()], what


def test_what_the_ranking_says_of_a_player() -> None:
    books = Books([("t-1", club_record("a/1", "Ana", "Ben"))])
    assert msgspec.json.decode(msgspec.json.encode(ranking(books.forms))) == [
        {"place": 1, "name": "Ana", "rating": 1611, "uncertainty": 339, "games": 1, "won": 1, "provisional": True},
        {"place": 2, "name": "Ben", "rating": 1389, "uncertainty": 339, "games": 1, "won": 0, "provisional": True},
    ]


def form(mean: float, games: int = PROVISIONAL_GAMES) -> Form:
    return Form(Rating(mean, 5.0), games, 0)


def test_the_ranking_of_nobody_is_empty() -> None:
    assert ranking({}) == ranking({"Ana": NEWCOMER_FORM}) == ()


def test_fifteen_games_make_a_rating_final() -> None:
    assert [form(25, games).provisional for games in (1, 14, 15, 16)] == [True, True, False, False]


def test_luck_in_a_few_games_does_not_lead_the_ranking() -> None:
    ranked = ranking({"Lucky": form(50, games=14), "Ana": form(30), "Ben": form(20), "New": form(25, games=1)})
    assert [(each.place, each.name) for each in ranked] == [(1, "Ana"), (2, "Ben"), (3, "Lucky"), (4, "New")]
    assert [each.provisional for each in ranked] == [False, False, True, True]


def test_who_is_level_shares_a_place() -> None:
    ranked = ranking({"Dov": form(20), "Cid": form(30), "Ana": form(40), "Ben": form(30)})
    assert [(each.place, each.name) for each in ranked] == [(1, "Ana"), (2, "Ben"), (2, "Cid"), (4, "Dov")]


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.builds(form, st.floats(-50, 100), st.integers(0, 30))))
def test_everybody_with_a_game_is_ranked_best_first(forms: dict[str, Form]) -> None:
    ranked = ranking(forms)
    assert sorted(each.name for each in ranked) == sorted(name for name, each in forms.items() if each.games)
    for first, second in pairwise(ranked):
        assert (first.provisional, -first.rating) <= (second.provisional, -second.rating)
        assert first.place <= second.place
