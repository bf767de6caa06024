"""A tap based on an old state is refused, and the refusal says who was faster."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.messages.message import parts_of
from companion.table import Journal, Table, commands
from companion.table.actor import Actor
from companion.table.errors import NotAllowedNowError, UnreadableCommandError
from companion.table.game.freshness import MOST_DECISIONS
from hardware.panel.debounce import Push
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json
from tests.fakes.reader import laid_out

ANA, BEN = Actor("k3f9", "Ana"), Actor("b2c3", "Ben")
SEATS = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]


@pytest.fixture
def table(tmp_path: Path, clock: FakeClock) -> Iterator[Table]:
    with Table(Journal(tmp_path), clock=clock) as table:
        table.do(new_game(SEATS, starter="Ana"))
        clock.now += 10
        yield table


def version(table: Table) -> int:
    return int(table.state().version)


def act(table: Table, who: Actor, seen: int, command: commands.Command) -> Any:
    return table.do(command, replace(who, seen_version=seen))


def refused(table: Table, who: Actor, seen: int, command: commands.Command) -> NotAllowedNowError:
    before = table.state()
    with pytest.raises(NotAllowedNowError) as error:
        act(table, who, seen, command)
    assert error.value.code == "stale"
    assert table.state() == before
    return error.value


def checking(table: Table, *, sixes: int = 3) -> dict[str, Any]:
    """A reading of which Cid's dice are missing: the players are asked, and may correct it."""
    table.do(commands.MakeBid("Ana", 3, 4))
    table.do(commands.CallDudo("Ben"))
    request = table.reveal_wanted()
    assert request is not None
    table.take_reading(
        request.reveal, laid_out({"red": [4, 4, 2, 6, 5], "blue": [4, 3, 3, 2, 6], "green": [6] * sixes}), None
    )
    state = table.state()
    assert state.phase == "checking"
    return state


def test_who_was_faster_is_said_with_what_was_done(table: Table, clock: FakeClock) -> None:
    seen = version(table)
    act(table, ANA, seen, commands.MakeBid("Ana", 6, 4))
    clock.now += 1
    error = refused(table, BEN, seen, commands.CallDudo())
    assert error.message == "Ana was faster: 6 fours. Look, and tap again if you still want to."
    assert in_json(parts_of(error.message)) == [
        {
            "msgid": "{who} was faster: {what}. Look, and tap again if you still want to.",
            "params": {"who": "Ana", "what": {"msgid": "{bid}", "params": {"bid": {"count": 6, "face": 4}}}},
        }
    ]
    assert act(table, BEN, version(table), commands.CallDudo()).phase == "reading"


def test_what_a_phone_does_for_others_is_said_with_their_name(table: Table) -> None:
    seen = version(table)
    act(table, BEN, seen, commands.MakeBid("Ana", 6, 4))
    assert refused(table, ANA, seen, commands.Pause()).message.startswith("Ben was faster: Ana's bid of 6 fours.")


def test_ones_own_taps_do_not_get_in_ones_own_way(table: Table, clock: FakeClock) -> None:
    seen = version(table)
    act(table, ANA, seen, commands.MakeBid("Ana", 6, 4))
    state = act(table, ANA, seen, commands.Undo(table.state().undo.step))
    assert state.bid is None


def test_the_panel_is_faster_too(table: Table, clock: FakeClock) -> None:
    table.do(commands.MakeBid("Ana", 6, 4))
    clock.now += 1
    seen = version(table)
    table.push("dudo", Push.DOWN)
    clock.now += 1
    assert refused(table, BEN, seen, commands.MakeBid("Ben", 7, 4)).message.startswith(
        "The panel was faster: Ben's dudo."
    )


def test_the_box_is_faster_when_it_has_read_the_dice_but_not_when_it_says_what_it_waits_for(table: Table) -> None:
    table.do(commands.MakeBid("Ana", 3, 4))
    table.do(commands.CallDudo("Ben"))
    seen = version(table)
    request = table.reveal_wanted()
    assert request is not None
    table.set_waiting(request.reveal, None)
    assert version(table) > seen
    act(table, ANA, seen, commands.AskReading())
    seen = version(table)
    request = table.reveal_wanted()
    assert request is not None
    table.take_reading(request.reveal, laid_out({"red": [4]}), None)
    assert refused(table, ANA, seen, commands.AskReading()).message.startswith("The box was faster: the reading.")


def test_taking_back_and_doing_again_are_said_as_such(table: Table) -> None:
    table.do(commands.MakeBid("Ana", 6, 4))
    seen, step = version(table), table.state().undo.step
    act(table, BEN, seen, commands.Undo(step))
    assert refused(table, ANA, seen, commands.Pause()).message.startswith(
        "Ben was faster: Ana's bid of 6 fours, taken back."
    )
    seen = version(table)
    act(table, BEN, seen, commands.Redo(step))
    assert refused(table, ANA, seen, commands.Pause()).message.startswith(
        "Ben was faster: Ana's bid of 6 fours, done again."
    )


def test_an_undo_is_as_stale_as_anything(table: Table) -> None:
    table.do(commands.MakeBid("Ana", 6, 4))
    seen, step = version(table), table.state().undo.step
    act(table, BEN, seen, commands.Pause())
    assert refused(table, ANA, seen, commands.Undo(step)).message.startswith("Ben was faster: the break.")


def test_two_phones_put_different_dice_right_at_once(table: Table) -> None:
    state = checking(table)
    seen = state.version
    act(table, ANA, seen, commands.SetDie(0, face=5))
    act(table, BEN, seen, commands.SetDie(1, face=6))
    act(table, ANA, seen, commands.AddDie((10, 10, 20, 20), 1, "green"))
    judged = act(table, BEN, seen, commands.AddDie((400, 10, 20, 20), 1, "green"))
    assert judged.phase == "verdict"
    assert act(table, ANA, seen, commands.StrikeDie(2)).phase == "checking"  # of the reading that was judged


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (commands.SetDie(0, face=5), commands.SetDie(0, face=6)),
        (commands.StrikeDie(0), commands.SetDie(0, face=6)),
        (
            commands.AddDie((10, 10, 20, 20), 1, "green"),
            commands.AddDie((15, 12, 20, 20), 1, "green"),
        ),
        (commands.SetDie(0, face=5), commands.AskReading()),
        (commands.AskReading(), commands.SetDie(0, face=5)),
    ],
)
def test_two_phones_do_not_put_the_same_die_right_at_once(
    table: Table, first: commands.Command, second: commands.Command
) -> None:
    seen = checking(table).version
    act(table, BEN, seen, first)
    assert "Ben was faster" in refused(table, ANA, seen, second).message


def test_a_call_of_the_same_instant_is_still_heard_as_the_rules_say(table: Table, clock: FakeClock) -> None:
    table.do(commands.MakeBid("Ana", 6, 4))
    clock.now += 10
    seen = version(table)
    act(table, Actor("c", "Cid"), seen, commands.CallCalza("Cid"))
    clock.now += 0.2
    state = act(table, BEN, seen, commands.CallDudo("Ben"))
    assert (state.phase, in_json(state.call)) == ("reading", {"kind": "dudo", "player": "Ben"})
    with pytest.raises(NotAllowedNowError) as error:
        act(table, ANA, seen, commands.CallCalza("Ana"))
    assert error.value.code == "together"


def test_a_bid_that_the_phone_has_not_seen_is_not_called_even_at_the_same_instant(
    table: Table, clock: FakeClock
) -> None:
    """A tablet for several players: one calls on the bid, another taps at that moment on a page without it."""
    tablet, seen = Actor("t", "the table"), version(table)
    act(table, ANA, seen, commands.MakeBid("Ana", 6, 4))
    clock.now += 10
    act(table, tablet, version(table), commands.CallCalza("Cid"))
    clock.now += 0.2
    error = refused(table, tablet, seen, commands.CallDudo("Ben"))
    assert error.message.startswith("Ana was faster: 6 fours.")
    assert in_json(table.state().call) == {"kind": "calza", "player": "Cid"}


def test_who_has_seen_the_raise_calls_on_it_however_soon(table: Table, clock: FakeClock) -> None:
    table.do(commands.MakeBid("Ana", 6, 4))
    clock.now += 10
    table.do(commands.MakeBid("Ben", 7, 4))
    clock.now += 0.2
    state = act(table, Actor("c", "Cid"), version(table), commands.CallCalza("Cid"))
    assert state.bid.count == 7


def test_a_version_that_is_still_to_come_cannot_be_read(table: Table) -> None:
    with pytest.raises(UnreadableCommandError) as error:
        act(table, ANA, version(table) + 1, commands.Pause())
    assert error.value.code == "version"


def test_a_tap_from_before_the_box_was_started_anew_is_refused(tmp_path: Path) -> None:
    with Table(Journal(tmp_path)) as table:
        table.do(new_game(SEATS, starter="Ana"))
        seen = version(table)
    with Table(Journal(tmp_path)) as table:
        assert "started anew" in refused(table, ANA, seen, commands.MakeBid("Ana", 6, 4)).message


def test_who_slept_through_much_is_refused(table: Table) -> None:
    seen = version(table)
    for _ in range(MOST_DECISIONS // 2 + 1):
        act(table, BEN, version(table), commands.Pause())
        act(table, BEN, version(table), commands.Resume())
    assert "Much has happened" in refused(table, ANA, seen, commands.Pause()).message
    act(table, ANA, version(table), commands.Pause())


def test_nobody_comes_between_the_look_and_the_command(table: Table) -> None:
    """Of many phones that tap on one state at once, one is heard."""
    seen, ready, heard = version(table), threading.Barrier(8), []

    def tap(number: int) -> None:
        ready.wait(10)
        try:
            act(table, Actor(f"phone{number}", "Ana"), seen, commands.MakeBid("Ana", 6, 4))
        except NotAllowedNowError as error:
            heard.append(error.code)
        else:
            heard.append("done")

    phones = [threading.Thread(target=tap, args=(number,)) for number in range(8)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join(10)
    assert sorted(heard) == ["done"] + ["stale"] * 7
    assert in_json(table.state().bid) == {"player": "Ana", "count": 6, "face": 4}
