"""The ranking, and players' pages."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from companion.club.books.books import NEWCOMER_FORM, PROVISIONAL_GAMES, Books, Form, GameResult, Rating
from companion.club.books.players import (
    PAGE_CURVE_POINTS,
    PAGE_GAMES,
    PAGE_OPPONENTS,
    Opponent,
    PlayerPage,
    RankedPlayer,
    player_page,
    ranking,
)
from companion.member.payloads import RecordEvent
from companion.table.past.games import Ending
from tests.fakes.club_records import club_record

EVENING: list[tuple[str, str, RecordEvent, str]] = [
    (
        "Five newcomers. The red player, who came in third, has not agreed to be named.",
        "t-1",
        club_record("one/10", "Ana", "Ben", "(red)", "Cid", "Dov", unnamed=["(red)"]),
        "Ana 1/1, Ben 0/1, Cid 0/1, Dov 0/1",
    ),
    (
        "At the other table Eva beats Dov, who was the last, and he beats Ben, who was the second.",
        "t-2",
        club_record("two/10", "Eva", "Dov", "Ben"),
        "Eva 1/1, Ana 1/1, Cid 0/1, Ben 0/2, Dov 0/2",
    ),
    (
        "A game that nobody won: the last bus left. Nothing changes.",
        "t-1",
        club_record("one/900", players=("Ana", "Ben", "Cid")),
        "Eva 1/1, Ana 1/1, Cid 0/1, Ben 0/2, Dov 0/2",
    ),
    (
        "Ben wins, and Dov is last again.",
        "t-1",
        club_record("one/1700", "Ben", "Ana", "Cid", "Dov"),
        "Ana 1/2, Eva 1/1, Ben 1/3, Cid 0/2, Dov 0/3",
    ),
    (
        "A duel: the last in the ranking beats the second.",
        "t-2",
        club_record("two/800", "Dov", "Eva"),
        "Ana 1/2, Ben 1/3, Eva 1/2, Cid 0/2, Dov 1/4",
    ),
    (
        "All five of them.",
        "t-1",
        club_record("one/2400", "Eva", "Ana", "Dov", "Cid", "Ben"),
        "Ana 1/3, Eva 2/3, Cid 0/3, Dov 1/5, Ben 1/4",
    ),
]
"""What happened, at which table, its record, and the ranking after it: how many games each has won, of how many."""
NEXT_MORNING = (
    "The table's journal is put right: it was Eva who won the duel. The last game counts otherwise too.",
    "t-2",
    club_record("two/800", "Eva", "Dov"),
    "Eva 3/3, Ana 1/3, Cid 0/3, Ben 1/4, Dov 0/5",
)


def test_an_evening_of_six_games() -> None:
    books = Books()
    for what, table, record, expected in [*EVENING, NEXT_MORNING]:
        books.extend([(table, record)])
        assert ", ".join(f"{each.name} {each.won}/{each.games}" for each in ranking(books.forms)) == expected, what


def test_what_the_ranking_says_of_a_player() -> None:
    ranked = ranking({"Ana": Form(Rating(27.5, 8.0), 3, 2, counted=3)})
    assert msgspec.json.decode(msgspec.json.encode(ranked)) == [
        {"place": 1, "name": "Ana", "rating": 1605, "uncertainty": 336, "games": 3, "won": 2, "provisional": True}
    ]


def form(mean: float, games: int = PROVISIONAL_GAMES) -> Form:
    return Form(Rating(mean, 5.0), games, 0, counted=games)


def test_the_ranking_of_nobody_is_empty() -> None:
    assert ranking({}) == ranking({"Ana": NEWCOMER_FORM}) == ()


def test_fifteen_games_make_a_rating_final() -> None:
    assert [form(25, games).provisional for games in (1, 14, 15, 16)] == [True, True, False, False]


def test_luck_in_a_few_games_does_not_lead_the_ranking() -> None:
    ranked = ranking({"Lucky": form(50, games=14), "Ana": form(30), "Ben": form(20), "New": form(25, games=1)})
    assert [(each.place, each.name) for each in ranked] == [(1, "Ana"), (2, "Ben"), (3, "Lucky"), (4, "New")]
    assert [each.provisional for each in ranked] == [False, False, True, True]


def test_whose_games_do_not_count_is_last_whatever_the_rating() -> None:
    ranked = ranking({"Mal": replace(form(50, games=20), counted=0), "Ana": form(20, games=1)})
    assert [(each.place, each.name, each.provisional) for each in ranked] == [(1, "Ana", True), (2, "Mal", True)]


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


def books_of(*records: RecordEvent) -> Books:
    return Books(("t-1", record) for record in records)


THREE = (
    club_record("a/1", "Ana", "Ben", "Cid"),
    club_record("a/2", "Ben", "Ana", "(red)", unnamed=["(red)"]),
    club_record("a/3", "Cid", "Ben", "Dov", "Ana"),
)


def page_of(name: str, *records: RecordEvent) -> PlayerPage:
    page = player_page(books_of(*records), name)
    assert page is not None
    return page


def test_the_page_of_somebody_who_never_played_is_none() -> None:
    books = books_of(*THREE)
    assert [player_page(books, name) for name in ("Eva", "ana", "(red)", "")] == [None] * 4


def test_the_totals_are_those_of_the_ranking() -> None:
    books = books_of(*THREE)
    for ranked in ranking(books.forms):
        page = player_page(books, ranked.name)
        assert {name: getattr(page, name) for name in ranked.__struct_fields__} == msgspec.structs.asdict(ranked)


def test_games_are_newest_first_with_the_rating_before_and_after() -> None:
    page = page_of("Ana", *THREE)
    assert [(each.result.game, each.place) for each in page.played] == [("a/3", 4), ("a/2", 2), ("a/1", 1)]
    newest, middle, oldest = page.played
    assert (oldest.before, oldest.after) == (1500, middle.before)
    assert (middle.after, newest.after) == (newest.before, page.rating)
    assert oldest.after > oldest.before
    assert newest.after < newest.before


def test_the_curve_is_oldest_first_and_ends_with_the_rating_of_today() -> None:
    page = page_of("Ana", *THREE)
    assert [point.game for point in page.curve] == ["a/1", "a/2", "a/3"]
    assert [point.rating for point in page.curve] == [each.after for each in reversed(page.played)]
    assert (page.curve[-1].rating, page.curve[-1].uncertainty) == (page.rating, page.uncertainty)


def test_a_game_that_nobody_won_is_on_the_page_and_counts_nowhere() -> None:
    ended = club_record("a/4", players=("Ana", "Ben"))
    page, without = page_of("Ana", *THREE, ended), page_of("Ana", *THREE)
    assert [(each.result.game, each.place) for each in page.played][:2] == [("a/4", None), ("a/3", 4)]
    assert page.played[0].before == page.played[0].after == page.rating
    assert msgspec.structs.replace(page, played=page.played[1:]) == without


def test_before_the_first_rated_game_a_player_is_a_newcomer() -> None:
    page = page_of("Ana", club_record("a/1", players=("Ana", "Ben")))
    assert (page.place, page.rating, page.uncertainty, page.games, page.provisional) == (None, 1500, 350, 0, True)
    assert (page.beaten, page.curve, page.opponents, len(page.played)) == (None, (), (), 1)


def test_how_many_opponents_a_player_leaves_behind() -> None:
    # All of two, one of two, none of three.
    assert page_of("Ana", *THREE).beaten == 0.5
    assert page_of("Dov", *THREE).beaten == 0.333


def test_opponents_are_those_met_most_often_and_have_names() -> None:
    assert page_of("Ana", *THREE).opponents == (
        Opponent(name="Ben", games=3, beaten=1, lost=2),
        Opponent(name="Cid", games=2, beaten=1, lost=1),
        Opponent(name="Dov", games=1, beaten=0, lost=1),
    )


def test_a_page_of_many_games_is_not_longer_and_longer() -> None:
    page = page_of("Ana", *(club_record(f"a/{number}", "Ana", f"Guest{number}") for number in range(600)))
    assert (page.games, page.won, page.provisional) == (600, 600, True)
    assert (len(page.played), len(page.curve)) == (PAGE_GAMES, PAGE_CURVE_POINTS)
    assert (page.played[0].result.game, page.curve[-1].game) == ("a/599", "a/599")
    assert [each.name for each in page.opponents] == sorted(f"Guest{number}" for number in range(600))[:PAGE_OPPONENTS]


def test_a_correction_is_on_the_page() -> None:
    corrected = (*THREE, club_record("a/1", "Ben", "Cid", "Ana"))
    page = page_of("Ana", *corrected)
    assert [(each.result.game, each.place) for each in page.played] == [("a/3", 4), ("a/2", 2), ("a/1", 3)]
    assert (page.won, page.beaten) == (0, 0.167)
    back = page_of("Ana", *THREE, club_record("a/3", ending=Ending.PLAYING))
    assert [each.result.game for each in back.played] == ["a/2", "a/1"]


def test_what_is_public_is_as_its_schema_says() -> None:
    books = books_of(*THREE, club_record("a/4", players=("Ana", "Ben")))
    values = {
        PlayerPage: [player_page(books, "Ana"), player_page(books, "Dov")],
        RankedPlayer: ranking(books.forms),
        GameResult: books.results,
    }
    for kind, shown in values.items():
        schema = Draft202012Validator(msgspec.json.schema(kind))
        for each in shown:
            schema.validate(msgspec.json.decode(msgspec.json.encode(each)))
