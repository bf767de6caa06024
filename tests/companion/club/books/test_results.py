"""What a record says of a game, and when it counts."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from companion.club.books.books import GameResult, result_of
from companion.table.past.games import Ending
from tests.fakes.club_records import club_record, won_lines


def places(result: GameResult | None) -> dict[str, int | None]:
    assert result is not None
    return {player.name: player.place for player in result.players}


def test_a_game_that_was_won_is_rated_and_has_the_players_clockwise() -> None:
    result = result_of("t-1", club_record("a/10", "Cid", "Ana", "Ben", players=("Ana", "Ben", "Cid")))
    assert (result.rated, result.table, result.game, result.rounds) == (True, "t-1", "a/10", 12)
    assert list(places(result).items()) == [("Ana", 2), ("Ben", 3), ("Cid", 1)]


def test_places_follow_from_the_lines_and_not_from_what_the_table_says() -> None:
    record = club_record("a/10", "Cid", "Ana", "Ben")
    said = replace(record, places=(("Ben",), ("Ana",), ("Cid",)))
    assert places(result_of("t-1", said)) == {"Cid": 1, "Ana": 2, "Ben": 3}


@pytest.mark.parametrize(
    "lines",
    [
        (),
        ((),),
        (("nonsense",),),
        (won_lines(("Ana", "Ben", "Cid"))[:-1],),
        (won_lines(("Ana", "Ben", "Cid"))[1:],),
        (won_lines(("Ana", "Ben", "Cid", "Dov")),),
        (won_lines(("Ana", "Ben")),),
        (won_lines(("Ana", "Ben", "Eva")),),
        (won_lines(("Ana", "Ben", "Cid")), won_lines(("Ana", "Ben"))[:-1]),
    ],
)
def test_lines_that_prove_no_game_of_these_players_rate_nobody(lines: tuple[tuple[str, ...], ...]) -> None:
    result = result_of("t-1", replace(club_record("a/10", "Ana", "Ben", "Cid"), record=lines))
    assert (result.rated, set(places(result).values())) == (False, {None})


def test_who_leaves_between_two_parts_is_placed_by_then_and_who_comes_back_is_not() -> None:
    whole = won_lines(("Ana", "Ben", "Cid"))
    left = replace(club_record("a/10", "Ana", "Ben", "Cid"), record=(whole[:2], won_lines(("Ana", "Ben"))))
    assert places(result_of("t-1", left)) == {"Ana": 1, "Ben": 2, "Cid": 3}
    back = replace(left, record=(whole[:2], won_lines(("Ana", "Ben"))[:2], won_lines(("Ana", "Cid", "Ben"))))
    assert places(result_of("t-1", back)) == {"Ana": 1, "Cid": 2, "Ben": 3}


def test_a_game_that_nobody_won_is_listed_without_places() -> None:
    result = result_of("t-1", club_record("a/10", players=("Ana", "Ben")))
    assert (result.ending, result.rated, places(result)) == (Ending.ENDED, False, {"Ana": None, "Ben": None})


def test_a_game_that_is_played_on_has_no_result() -> None:
    assert result_of("t-1", club_record("a/10", ending=Ending.PLAYING, players=("Ana", "Ben"))) is None


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        (club_record("a/1", "Ana", "Ben", players=("Ana", "Ben", "Cid")), "Cid has no place"),
        (club_record("a/1", "Ana", "Ben", "Cid", players=("Ana", "Ben")), "Cid did not play"),
        (club_record("a/1", "Ana", "Ben", players=("Ana", "Ben", "Ben")), "two have one name"),
        (club_record("a/1", "Ana"), "there is nobody to beat"),
        (club_record("a/1", "Ana", "Ben", ending=Ending.ENDED), "it says that nobody has won"),
        (club_record("a/1", ending=Ending.WON, players=("Ana", "Ben")), "it does not say who has won"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_record_whose_places_cannot_be_is_listed_and_not_rated(record: object, fault: str) -> None:
    result = result_of("t-1", record)
    assert (result.rated, set(places(result).values())) == (False, {None})


def test_a_game_that_is_left_out_is_listed_and_rates_nobody() -> None:
    result = result_of("t-1", club_record("a/1", "Ana", "Ben"), left_out=True)
    assert (result.rated, result.left_out, set(places(result).values())) == (False, True, {None})


def test_a_result_is_json_as_it_is_declared() -> None:
    result = result_of("t-1", club_record("a/10", "Ana", "(orange)", unnamed=["(orange)"]))
    data = msgspec.json.decode(msgspec.json.encode(result))
    assert data["players"] == [
        {"name": "Ana", "colour": "red", "named": True, "place": 1},
        {"name": "(orange)", "colour": "orange", "named": False, "place": 2},
    ]
    assert set(data) == {
        *("game", "table", "began", "ended", "ending", "rated", "players", "rounds", "ruleset", "rules", "calza"),
        *("left_out", "clock_set"),
    }
