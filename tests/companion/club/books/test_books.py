"""The books: whatever comes in, in whatever order it is put right, they are what a fold from the start gives."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from companion.club.books import books as books_module
from companion.club.books.books import Books, Form
from companion.club.books.players import player_page, ranking
from companion.member.payloads import RecordEvent
from companion.table.past.games import Ending
from tests.fakes.club_records import club_record

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
    known: dict[str, list[float]] = {}
    for _, record in last.values():
        if record.ending is Ending.PLAYING:
            continue
        for player in record.players:
            if player.named:
                known.setdefault(player.name, [model.mu, model.sigma, 0, 0])
        if record.ending is Ending.ENDED:
            continue
        place = {name: number for number, names in enumerate(record.places) for name in names}
        order = [each.name for each in record.players]
        newcomer = [model.mu, model.sigma, 0, 0]
        teams = [[model.rating(*known.get(name, newcomer)[:2])] for name in order]
        for name, (after,) in zip(order, model.rate(teams, ranks=[place[name] for name in order]), strict=True):
            if name in known:
                _, _, games, won = known[name]
                known[name] = [after.mu, after.sigma, games + 1, won + (place[name] == 0)]
    return {
        name: Form(books_module.Rating(mean, deviation), int(games), int(won))
        for name, (mean, deviation, games, won) in known.items()
    }


@settings(max_examples=60)
@given(records(), st.data())
def test_record_by_record_the_books_are_those_of_a_fold_from_the_start(
    sent: list[TableRecord], data: st.DataObject
) -> None:
    one_by_one, in_parts = Books(), Books()
    for number, (table, record) in enumerate(sent, start=1):
        one_by_one.add(table, record)
        assert one_by_one.forms == Books(sent[:number]).forms == refold(sent[:number])
    start = 0
    while start < len(sent):
        end = data.draw(st.integers(start + 1, len(sent)))
        in_parts.extend(sent[start:end])
        start = end
    assert told(one_by_one) == told(in_parts) == told(Books(sent))


@given(records())
def test_only_the_last_record_of_a_game_and_the_order_of_the_first_ones_matter(sent: list[TableRecord]) -> None:
    sent = [each for each in sent if each[0] == "t-1"]
    last = {record.game: (table, record) for table, record in sent}
    assert told(Books(sent)) == told(Books(last.values()))


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
    books.add("t-1", club_record("a/101", "Ana", "Ben"))
    assert rated == [2]
    rated.clear()
    books.add("t-1", club_record("a/91", "Ben", "Ana"))
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
    books.add("t-1", club_record("a/1", ending=Ending.PLAYING, players=("Ana", "Ben")))
    assert (books.results, books.result("a/1"), ranking(books.forms)) == ((), None, ())
    assert player_page(books, "Ana") is None
    books.add("t-1", club_record("a/1", "Ben", "Ana"))
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
    books = Books(
        ("t-1", club_record(f"a/{number}", "(red)", "Ana", players=("Ana", "(red)"), unnamed=RED))
        for number in range(20)
    )
    against_a_newcomer = Books(
        ("t-1", club_record(f"a/{number}", f"New{number}", "Ana", players=("Ana", f"New{number}")))
        for number in range(20)
    )
    assert books.forms == {"Ana": against_a_newcomer.forms["Ana"]}
    assert books.forms["Ana"].rating.points < 1500


def test_names_are_exact() -> None:
    books = Books([("t-1", club_record("a/1", "Ana", "ana", "ANA"))])
    assert order(books) == ["Ana", "ana", "ANA"]


def test_whoever_takes_the_name_back_is_out_of_the_books() -> None:
    books = Books([("t-1", club_record("a/1", "Ana", "Ben")), ("t-1", club_record("a/2", "Ana", "Ben"))])
    books.extend(("t-1", club_record(f"a/{game}", "Ana", "(blue)", unnamed=["(blue)"])) for game in (1, 2))
    assert (order(books), player_page(books, "Ben")) == (["Ana"], None)


@given(records())
def test_the_games_of_a_table_that_is_left_out_are_listed_and_rate_nobody(sent: list[TableRecord]) -> None:
    books = Books(sent, {"t-1"})
    assert [each.game for each in books.results] == [each.game for each in Books(sent).results]
    assert all(each.left_out and not each.rated for each in books.results if each.table == "t-1")
    others = [each for each in books.results if each.table == "t-2"]
    assert [each.rated for each in others] == [each.rated for each in Books(sent).results if each.table == "t-2"]
