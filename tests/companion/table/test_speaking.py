"""Whose a bid or a call is, is asked when it is made, of the table as it is then: `Table.acting`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.table import Journal, Table
from companion.table.game.freshness import Who
from tests.fakes.clock import FakeClock

ANA = Who("ana1", "Ana")
COMPANY = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]


class NotYoursError(Exception):
    """Ana's phone may not say that."""


@pytest.fixture
def table(tmp_path: Path, clock: FakeClock) -> Iterator[Table]:
    with Table(Journal(tmp_path), rng=random.Random(1), clock=clock) as table:
        table.new_game(COMPANY, "asmodee-fr", starter="Ana")
        yield table


def only_ana(player: str) -> None:
    if player != "Ana":
        raise NotYoursError(player)


def test_dudo_without_a_name_is_for_whoever_may_speak_for_the_player_on_turn(table: Table) -> None:
    table.bid("Ana", 5, 4)
    with pytest.raises(NotYoursError, match="Ben"), table.acting(ANA, speaks=only_ana):
        table.dudo()
    assert table.state()["phase"] == "bidding"
    table.bid("Ben", 6, 4)
    table.bid("Cid", 7, 4)
    with table.acting(ANA, speaks=only_ana):
        assert table.dudo()["call"] == {"kind": "dudo", "player": "Ana"}


def test_before_a_bid_everybody_may_have_the_dice_counted(table: Table) -> None:
    with table.acting(Who("ben2", "Ben"), speaks=pytest.fail):
        assert table.dudo()["counting"] == "dudo"


def test_calza_without_a_name_is_for_whoever_may_speak_for_the_only_one_who_may(
    tmp_path: Path, clock: FakeClock
) -> None:
    with Table(Journal(tmp_path / "one"), clock=clock) as table:
        table.new_game(COMPANY[:2], "asmodee-fr", starter="Ana")
        table.bid("Ana", 5, 4)
        clock.now += 10
        assert table.state()["may"]["calza"] == ["Ben"]
        with pytest.raises(NotYoursError, match="Ben"), table.acting(ANA, speaks=only_ana):
            table.calza()
        assert table.state()["phase"] == "bidding"


def test_where_several_may_have_called_everybody_may_ask_and_each_answers_for_the_own_player(
    table: Table, clock: FakeClock
) -> None:
    table.bid("Ana", 5, 4)
    table.bid("Ben", 6, 4)
    clock.now += 10
    with table.acting(ANA, speaks=only_ana):
        assert set(table.calza()["asking"]["players"]) == {"Ana", "Cid"}
        with pytest.raises(NotYoursError, match="Cid"):
            table.caller("Cid")
        assert table.caller("Ana")["call"] == {"kind": "calza", "player": "Ana"}


def test_when_the_button_was_pressed_whoever_heard_it_says_who_called(table: Table) -> None:
    table.bid("Ana", 5, 4)
    assert table.press("calza")["phase"] == "asking"
    with table.acting(ANA, speaks=only_ana):
        assert table.caller("Cid")["call"] == {"kind": "calza", "player": "Cid"}


def test_a_call_of_the_same_instant_is_checked_as_the_player_it_is_made_for(table: Table) -> None:
    """Dudo is heard over calza; it is the dudo of who was on turn before the calza."""
    table.bid("Ana", 5, 4)
    seen = table.state()["version"]
    table.calza("Cid")
    with pytest.raises(NotYoursError, match="Ben"), table.acting(ANA, seen, only_ana):
        table.dudo()
    assert table.state()["call"] == {"kind": "calza", "player": "Cid"}


def test_nothing_is_asked_of_who_tells_what_was_called_before_a_count(table: Table) -> None:
    table.count_now("dudo")
    table.by_hand({"Ana": [4] * 5, "Ben": [4] * 5, "Cid": [4] * 5})
    with table.acting(ANA, speaks=pytest.fail):
        assert table.tell("dudo", "Cid", "Ben", 6, 4)["verdict"]["caller"] == "Cid"


def test_after_a_refusal_nobody_is_checked_any_more(table: Table) -> None:
    with pytest.raises(NotYoursError), table.acting(ANA, speaks=only_ana):
        table.bid("Ben", 5, 4)
    table.bid("Ana", 5, 4)
    assert table.bid("Ben", 6, 4)["turn"] == "Cid"
