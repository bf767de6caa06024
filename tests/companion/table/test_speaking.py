"""Who may bid and call for a player is checked when the command is given, in `Table.do`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.engine import house_rules
from companion.table import Journal, Table, commands
from companion.table.commands import Actor
from companion.table.errors import NotAllowedNowError, NotYoursError
from companion.table.game.new_game import GameDefaults
from hardware.panel.debounce import Push
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json

ANA = Actor("ana1", "Ana", phone_players=frozenset({"Ben", "Cid"}))
"""A phone that speaks for Ana alone."""
NOBODY = Actor("ben2", "Ben", phone_players=frozenset({"Ana", "Ben", "Cid"}))
"""A phone that speaks for none of them."""
COMPANY = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]


@pytest.fixture
def table(tmp_path: Path, clock: FakeClock) -> Iterator[Table]:
    with Table(Journal(tmp_path), defaults=GameDefaults(draw=random.Random(1).choice), clock=clock) as table:
        table.do(new_game(COMPANY, "asmodee-fr", starter="Ana"))
        yield table


def test_dudo_without_a_name_needs_the_right_to_speak_for_the_player_on_turn(table: Table) -> None:
    table.do(commands.MakeBid("Ana", 5, 4))
    with pytest.raises(NotYoursError, match="Ben"):
        table.do(commands.CallDudo(), ANA)
    assert table.state().phase == "bidding"
    table.do(commands.MakeBid("Ben", 6, 4))
    table.do(commands.MakeBid("Cid", 7, 4))
    assert in_json(table.do(commands.CallDudo(), ANA).call) == {"kind": "dudo", "player": "Ana"}


def test_before_a_bid_everybody_may_start_a_count(table: Table) -> None:
    assert table.do(commands.CallDudo(), NOBODY).counting == "dudo"


def test_calza_without_a_name_needs_the_right_to_speak_for_the_only_possible_caller(
    tmp_path: Path, clock: FakeClock
) -> None:
    with Table(Journal(tmp_path / "one"), clock=clock) as table:
        table.do(new_game(COMPANY[:2], "asmodee-fr", starter="Ana"))
        table.do(commands.MakeBid("Ana", 5, 4))
        clock.now += 10
        assert table.state().may.calza == ("Ben",)
        with pytest.raises(NotYoursError, match="Ben"):
            table.do(commands.CallCalza(), ANA)
        assert table.state().phase == "bidding"


def test_if_several_may_have_called_everybody_may_ask_and_each_answers_for_their_own_player(
    table: Table, clock: FakeClock
) -> None:
    table.do(commands.MakeBid("Ana", 5, 4))
    table.do(commands.MakeBid("Ben", 6, 4))
    clock.now += 10
    assert set(table.do(commands.CallCalza(), ANA).asking.players) == {"Ana", "Cid"}
    with pytest.raises(NotYoursError, match="Cid"):
        table.do(commands.NameCaller("Cid"), ANA)
    assert in_json(table.do(commands.NameCaller("Ana"), ANA).call) == {"kind": "calza", "player": "Ana"}


def test_after_a_press_of_the_button_anybody_may_say_who_called(table: Table) -> None:
    table.do(commands.MakeBid("Ana", 5, 4))
    assert table.push("calza", Push.DOWN).phase == "asking"
    assert in_json(table.do(commands.NameCaller("Cid"), ANA).call) == {"kind": "calza", "player": "Cid"}


def test_a_later_bid_or_dudo_does_not_answer_who_pressed(table: Table, clock: FakeClock) -> None:
    table.do(commands.MakeBid("Ana", 5, 4))
    table.push("calza", Push.DOWN)
    clock.now += 5
    for command in (commands.MakeBid("Ben", 6, 4), commands.CallDudo("Ben"), commands.CallCalza("Ben")):
        with pytest.raises(NotAllowedNowError, match="first say who called"):
            table.do(command)
    assert table.push("dudo", Push.DOWN).phase == "asking"


def test_a_dudo_at_the_instant_of_the_press_beats_the_calza(table: Table, clock: FakeClock) -> None:
    table.do(commands.MakeBid("Ana", 5, 4))
    clock.now += 5
    table.push("calza", Push.DOWN)
    clock.now += 0.1
    assert in_json(table.do(commands.CallDudo("Ben")).call) == {"kind": "dudo", "player": "Ben"}


def test_where_anybody_may_say_dudo_the_button_asks_who_pressed(tmp_path: Path, clock: FakeClock) -> None:
    house = house_rules({"dudo_by": "anyone"})
    with Table(Journal(tmp_path / "any"), defaults=GameDefaults(house=house), clock=clock) as table:
        table.do(new_game(COMPANY, "asmodee-fr", starter="Ana"))
        table.do(commands.MakeBid("Ana", 5, 4))
        clock.now += 10
        state = table.push("dudo", Push.DOWN)
        assert in_json(state.asking) == {"kind": "caller", "players": ["Ben", "Cid"], "call": "dudo"}
        assert state.undo.sentence == "the press of DUDO"
        assert in_json(table.do(commands.NameCaller("Cid")).call) == {"kind": "dudo", "player": "Cid"}


def test_a_simultaneous_call_is_checked_for_the_player_it_is_made_for(table: Table) -> None:
    """Dudo prevails over calza, and is that of the player on turn before the calza."""
    table.do(commands.MakeBid("Ana", 5, 4))
    base = table.state().version
    table.do(commands.CallCalza("Cid"))
    with pytest.raises(NotYoursError, match="Ben"):
        table.do(commands.CallDudo(), replace(ANA, version=base))
    assert in_json(table.state().call) == {"kind": "calza", "player": "Cid"}


def test_anybody_may_say_what_was_called_before_a_count(table: Table) -> None:
    table.do(commands.AskCount("dudo"))
    table.do(commands.CountByHand({"Ana": [4] * 5, "Ben": [4] * 5, "Cid": [4] * 5}))
    assert table.do(commands.TellCall("dudo", "Cid", "Ben", 6, 4), NOBODY).verdict.caller == "Cid"
