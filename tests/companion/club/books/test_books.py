"""Results and ratings: a fold over records."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from openskill.models import PlackettLuce

from companion.club.books import books as books_module
from companion.club.books.books import NEWCOMER, Books, Form, GameResult, Rating, rate, result_of
from companion.club.books.players import player_page, ranking
from companion.club.books.pool import pool_of
from companion.member.payloads import RecordEvent
from companion.table.past.games import Ending
from tests.fakes.club_records import club_record, won_lines

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


def places(result: GameResult | None) -> dict[str, int | None]:
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


TableRecord = tuple[str, RecordEvent]

NAMES = ("Ana", "Ben", "Cid", "Dov", "Eva", "ana", "(red)")
RED = ("(red)",)
"""Who is never named."""


@st.composite
def records(draw: st.DrawFn) -> list[TableRecord]:
    """Records of up to eight games: first ones, corrections, games taken back and recorded again, and such as nobody
    should send."""
    sent = []
    for game in draw(st.lists(st.integers(1, 8), max_size=24)):
        names = draw(st.permutations(NAMES))[: draw(st.integers(2, 5))]
        ending = draw(st.sampled_from([Ending.WON] * 4 + [Ending.ENDED, Ending.PLAYING]))
        shown = names if ending is Ending.WON else []
        table = draw(st.sampled_from(["t-1"] * 6 + ["t-2"]))
        players = sorted(names)
        sent.append((table, club_record(f"a/{game}", *shown, ending=ending, players=players, unnamed=RED)))
    return sent


def told(books: Books) -> list[object]:
    """All that people see."""
    names = sorted(books.forms)
    return [books.results, ranking(books.forms), [player_page(books, name) for name in names], books.forms]


def refold(sent: Sequence[TableRecord]) -> dict[str, Form]:
    """Everybody's form by the definition, with openskill alone."""
    last: dict[str, TableRecord] = {}
    for table, record in sent:
        if last.get(record.game, (table,))[0] == table:
            last[record.game] = (table, record)
    model = PlackettLuce()
    won = [record for _, record in last.values() if record.ending is Ending.WON]
    pool = pool_of(frozenset(each.name for each in record.players if each.named) for record in won)
    known: dict[str, list[float]] = {}
    for _, record in last.values():
        if record.ending is Ending.PLAYING:
            continue
        for player in record.players:
            if player.named:
                known.setdefault(player.name, [model.mu, model.sigma, 0, 0, 0])
        if record.ending is Ending.ENDED:
            continue
        place = {name: number for number, names in enumerate(record.places) for name in names}
        order = [each.name for each in record.players]
        newcomer = [model.mu, model.sigma]
        counts = len(pool.intersection(order)) > 1
        teams = [[model.rating(*known.get(name, newcomer)[:2])] for name in order]
        for name, (after,) in zip(order, model.rate(teams, ranks=[place[name] for name in order]), strict=True):
            if name in known:
                *_, games, first, counted = known[name]
                rating = known[name][:2] if name in pool and not counts else [after.mu, after.sigma]
                known[name] = [*rating, games + 1, first + (place[name] == 0), counted + counts]
    return {
        name: Form(books_module.Rating(mean, deviation), int(games), int(first), int(counted))
        for name, (mean, deviation, games, first, counted) in known.items()
    }


@settings(max_examples=30)
@given(records(), st.data())
def test_record_by_record_the_books_are_those_of_a_fold_from_the_start(
    sent: list[TableRecord], data: st.DataObject
) -> None:
    one_by_one, in_parts = Books(), Books()
    for number, (table, record) in enumerate(sent, start=1):
        one_by_one.extend([(table, record)])
        assert one_by_one.forms == Books(sent[:number]).forms == refold(sent[:number])
    start = 0
    while start < len(sent):
        end = data.draw(st.integers(start + 1, len(sent)))
        in_parts.extend(sent[start:end])
        start = end
    assert told(one_by_one) == told(in_parts) == told(Books(sent))


@settings(max_examples=30)
@given(records())
def test_only_the_last_record_of_a_game_and_the_order_of_the_first_ones_matter(sent: list[TableRecord]) -> None:
    sent = [each for each in sent if each[0] == "t-1"]
    last = {record.game: (table, record) for table, record in sent}
    assert told(Books(sent)) == told(Books(last.values()))


@settings(max_examples=30)
@given(records())
def test_whoever_is_not_named_has_no_rating(sent: list[TableRecord]) -> None:
    books = Books(sent)
    assert set(books.forms) <= set(NAMES) - {"(red)"}
    assert player_page(books, "(red)") is None


# What happens how often


@pytest.fixture
def rated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for each game that is rated."""
    calls: list[int] = []
    rate = books_module.rate
    monkeypatch.setattr(books_module, "rate", lambda before, places: calls.append(len(before)) or rate(before, places))
    return calls


def test_a_new_game_is_rated_alone_and_a_change_from_there_on(rated: list[int]) -> None:
    books = Books(("t-1", club_record(f"a/{number}", "Ana", "Ben", "Cid")) for number in range(1, 101))
    assert len(rated) == 100
    rated.clear()
    books.extend([("t-1", club_record("a/101", "Ana", "Ben"))])
    assert rated == [2]
    rated.clear()
    books.extend([("t-1", club_record("a/91", "Ben", "Ana"))])
    assert rated == [2] + [3] * 9 + [2]


def test_many_changes_at_once_are_rated_once(rated: list[int]) -> None:
    books = Books(("t-1", club_record(f"a/{number}", "Ana", "Ben")) for number in range(1, 51))
    rated.clear()
    books.extend(("t-1", club_record(f"a/{number}", "Ben", "Ana")) for number in range(50, 10, -1))
    assert len(rated) == 40


def test_a_record_that_is_sent_again_changes_nothing(rated: list[int]) -> None:
    sent = [("t-1", club_record(f"a/{number}", "Ana", "Ben")) for number in range(1, 11)]
    books = Books(sent)
    before = told(books)
    rated.clear()
    books.extend(sent)
    assert (rated, told(books)) == ([], before)


def test_records_that_break_off_count_as_far_as_they_came() -> None:
    def broken() -> object:
        yield "t-1", club_record("a/1", "Ben", "Ana")
        raise OSError("the disk is gone")

    books = Books([("t-1", club_record("a/1", "Ana", "Ben"))])
    with pytest.raises(OSError, match="gone"):
        books.extend(broken())
    assert told(books) == told(Books([("t-1", club_record("a/1", "Ben", "Ana"))]))


# The rules, one by one


def order(books: Books) -> list[str]:
    return [each.name for each in ranking(books.forms)]


def test_a_game_taken_back_is_in_no_list() -> None:
    books = Books([("t-1", club_record("a/1", "Ana", "Ben"))])
    books.extend([("t-1", club_record("a/1", ending=Ending.PLAYING, players=("Ana", "Ben")))])
    assert (books.results, books.result("a/1"), ranking(books.forms)) == ((), None, ())
    assert player_page(books, "Ana") is None
    books.extend([("t-1", club_record("a/1", "Ben", "Ana"))])
    assert order(books) == ["Ben", "Ana"]


def test_a_game_keeps_its_place_in_the_order_when_it_is_recorded_again() -> None:
    first, second = club_record("a/1", "Ana", "Ben"), club_record("a/2", "Ben", "Cid")
    back = club_record("a/1", ending=Ending.PLAYING, players=("Ana", "Ben"))
    books = Books([("t-1", first), ("t-1", second), ("t-1", back), ("t-1", first)])
    assert [each.game for each in books.results] == ["a/1", "a/2"]
    assert books.forms == Books([("t-1", first), ("t-1", second)]).forms
    assert books.forms != Books([("t-1", second), ("t-1", first)]).forms


def test_the_clocks_of_tables_do_not_order_games() -> None:
    early, late = "1999-01-01T00:00:00Z", "2026-11-24T19:30:00Z"
    books = Books(
        [("t-1", club_record("a/1", "Ana", "Ben", began=late)), ("t-2", club_record("b/1", "Ben", "Cid", began=early))]
    )
    assert [each.game for each in books.results] == ["a/1", "b/1"]
    assert [each.result.game for each in books.appearances("Ben")] == ["a/1", "b/1"]


def test_another_table_can_neither_replace_a_game_nor_take_it_out() -> None:
    mine = ("t-1", club_record("a/1", "Ana", "Ben"))
    others = [("t-2", club_record("a/1", "Ben", "Ana")), ("t-2", club_record("a/1", ending=Ending.PLAYING))]
    assert told(Books([mine, *others])) == told(Books([mine]))


def test_a_game_that_nobody_won_is_listed_and_rates_nobody() -> None:
    books = Books([("t-1", club_record("a/1", players=("Ana", "Ben")))])
    assert [each.game for each in books.results] == ["a/1"]
    assert ranking(books.forms) == ()


def test_an_unnamed_player_takes_a_place_and_is_a_newcomer_every_time() -> None:
    lost = [
        ("t-1", club_record(f"a/{number}", "(red)", "Ana", players=("Ana", "(red)"), unnamed=RED))
        for number in range(20)
    ]
    strength = [NEWCOMER]
    for _ in lost:
        strength.append(rate([strength[-1], NEWCOMER], [2, 1])[0])
    assert Books(lost).forms == {"Ana": Form(strength[-1], games=20, won=0, counted=0)}
    known = [("t-1", club_record("a/20", "Ana", "Ben"))]
    assert Books(lost + known).forms["Ana"].rating == Books(known).forms["Ana"].rating


CLUB = ("Ana", "Ben", "Cid", "Dov", "Mal")


@settings(max_examples=30)
@given(st.lists(st.permutations(CLUB), min_size=2, max_size=5), st.lists(st.integers(1, 4), max_size=20), st.booleans())
def test_games_against_people_whom_only_one_has_met_move_nobody_in_the_club(
    played: list[list[str]], invented: list[int], named: bool
) -> None:
    club = [("t-1", club_record(f"a/{number}", *names)) for number, names in enumerate(played)]
    wins = []
    for number, others in enumerate(invented):
        ghosts = [f"Ghost {number}.{other}" for other in range(others)]
        wins.append(("t-2", club_record(f"b/{number}", "Mal", *ghosts, unnamed=() if named else ghosts)))
    books = Books(wins + club)
    points = {name: (form.rating, form.counted) for name, form in Books(club).forms.items()}
    assert points == {name: (books.forms[name].rating, books.forms[name].counted) for name in points}
    assert order(books)[: len(CLUB)] == order(Books(club))


def test_the_games_of_a_family_count_once_two_of_the_club_have_met_it() -> None:
    club = [("t-1", club_record(f"a/{number}", "Ana", "Ben", "Cid")) for number in range(20)]
    home = [("t-2", club_record(f"b/{number}", "Mal", "Fay")) for number in range(19)]
    met = [("t-1", club_record("a/90", "Cid", "Mal")), ("t-1", club_record("a/91", "Cid", "Fay"))]
    for games in (0, 1, 2):
        assert [each.provisional for each in ranking(Books(club + home + met[:games]).forms)] == [False] * 3 + [
            True
        ] * 2
    met.append(("t-1", club_record("a/92", "Ana", "Fay")))
    assert not any(each.provisional for each in ranking(Books(club + home + met).forms))


def test_names_are_exact() -> None:
    books = Books([("t-1", club_record("a/1", "Ana", "ana", "ANA"))])
    assert order(books) == ["Ana", "ana", "ANA"]


def test_whoever_takes_the_name_back_is_out_of_the_books() -> None:
    books = Books([("t-1", club_record("a/1", "Ana", "Ben")), ("t-1", club_record("a/2", "Ana", "Ben"))])
    books.extend(("t-1", club_record(f"a/{game}", "Ana", "(blue)", unnamed=["(blue)"])) for game in (1, 2))
    assert (order(books), player_page(books, "Ben")) == (["Ana"], None)


@settings(max_examples=30)
@given(records())
def test_the_games_of_a_table_that_is_left_out_are_listed_and_rate_nobody(sent: list[TableRecord]) -> None:
    books = Books(sent, {"t-1"})
    assert [each.game for each in books.results] == [each.game for each in Books(sent).results]
    assert all(each.left_out and not each.rated for each in books.results if each.table == "t-1")
    others = [each for each in books.results if each.table == "t-2"]
    assert [each.rated for each in others] == [each.rated for each in Books(sent).results if each.table == "t-2"]
