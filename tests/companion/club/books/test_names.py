"""Names in the books: two spellings are one player, and who does not want to be named is not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.club.books.books import result_of
from companion.club.books.names import renamed, with_book_names
from companion.engine.record import parse_line
from tests.fakes.club_records import club_record

NAMES = st.sampled_from(["Ana", "Ben", "Cid", "Dov"])


def test_a_name_leads_to_another_and_back() -> None:
    names = renamed({}, "Anna", "Ana")
    assert names == {"Anna": "Ana"}
    assert renamed(names, "Anna", "Anna") == {}


def test_names_follow_the_one_they_led_to() -> None:
    names = renamed(renamed({}, "Anna", "Ana"), "Ana", "Annie")
    assert names == {"Anna": "Annie", "Ana": "Annie"}
    assert renamed(names, "Ana", "") == {"Anna": "Annie", "Ana": ""}


def test_a_name_that_is_called_as_another_one_that_was_gets_the_last() -> None:
    assert renamed({"Anna": "Ana"}, "An", "Anna") == {"Anna": "Ana", "An": "Ana"}


def test_the_other_way_round_is_the_other_way_round() -> None:
    assert renamed({"Anna": "Ana"}, "Ana", "Anna") == {"Ana": "Anna"}


@given(st.lists(st.tuples(NAMES, NAMES | st.just("")), max_size=12))
def test_no_name_leads_to_one_that_leads_on(steps: list[tuple[str, str]]) -> None:
    names: dict[str, str] = {}
    for name, wanted in steps:
        names = renamed(names, name, wanted)
        assert not set(names) & set(names.values())
        assert names.get(name, name) == names.get(wanted, wanted)


def test_a_spelling_becomes_the_other_everywhere() -> None:
    line = '{"event": "bid", "player": "Anna", "count": 2, "face": 3}'
    record = replace(club_record("a/1", "Anna", "Ben"), record=((line,),))
    found = with_book_names(record, {"Anna": "Ana"})
    assert [each.name for each in found.players] == ["Ana", "Ben"]
    assert found.places == (("Ana",), ("Ben",))
    assert parse_line(found.record[0][0]) == parse_line(line.replace("Anna", "Ana"))


def test_without_a_name_a_player_is_a_colour_and_the_game_counts_for_the_others() -> None:
    found = with_book_names(club_record("a/1", "Ana", "Ben"), {"Ana": ""})
    assert [(each.name, each.named) for each in found.players] == [("(red)", False), ("Ben", True)]
    result = result_of("a", found)
    assert result.rated


def test_two_players_of_one_game_stay_two() -> None:
    record = club_record("a/1", "Ana", "Anna", "Ben")
    assert with_book_names(record, {"Anna": "Ana"}) == record
    assert [each.name for each in with_book_names(record, {"Anna": "Ana", "Ben": "Bob"}).players] == [
        "Ana",
        "Anna",
        "Bob",
    ]


def test_another_name_is_no_way_to_be_named_without_consent() -> None:
    record = club_record("a/1", "(red)", "Ben", unnamed=["(red)"])
    assert with_book_names(record, {"(red)": "Ana"}) == record
