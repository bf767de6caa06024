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
from companion.table.commands import Actor
from companion.table.errors import NotAllowedNowError, UnreadableCommandError
from companion.table.game.freshness import MOST_DECISIONS
from companion.table.table import BETWEEN_BREAKS
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


def act(table: Table, who: Actor, base: int, command: commands.Command) -> Any:
    return table.do(command, replace(who, version=base))


def refused(table: Table, who: Actor, base: int, command: commands.Command) -> NotAllowedNowError:
    before = table.state()
    with pytest.raises(NotAllowedNowError) as error:
        act(table, who, base, command)
    assert error.value.code == "stale"
    assert table.state() == before
    return error.value


def checking(table: Table, *, sixes: int = 3) -> dict[str, Any]:
    """A reading without Cid's dice: the players are asked, and may correct it."""
    table.do(commands.MakeBid("Ana", 3, 4))
    table.do(commands.CallDudo("Ben"))
    request = table.reveal_wanted()
    table.take_reading(
        request.reveal, laid_out({"red": [4, 4, 2, 6, 5], "blue": [4, 3, 3, 2, 6], "green": [6] * sixes}), None
    )
    state = table.state()
    assert state.phase == "checking"
    return state


def test_the_refusal_says_who_was_faster_and_what_they_did(table: Table, clock: FakeClock) -> None:
    base = version(table)
    act(table, ANA, base, commands.MakeBid("Ana", 6, 4))
    clock.now += 1
    error = refused(table, BEN, base, commands.CallDudo())
    assert error.message == "Ana was faster: 6 fours. Look, and tap again if you still want to."
    assert in_json(parts_of(error.message)) == [
        {
            "msgid": "{who} was faster: {what}. Look, and tap again if you still want to.",
            "params": {"who": "Ana", "what": {"msgid": "{bid}", "params": {"bid": {"count": 6, "face": 4}}}},
        }
    ]
    assert act(table, BEN, version(table), commands.CallDudo()).phase == "reading"


def test_a_step_made_for_another_player_is_reported_with_that_name(table: Table) -> None:
    base = version(table)
    act(table, BEN, base, commands.MakeBid("Ana", 6, 4))
    assert refused(table, ANA, base, commands.Pause()).message.startswith("Ben was faster: Ana's bid of 6 fours.")


def test_a_phones_own_taps_do_not_make_its_next_tap_stale(table: Table, clock: FakeClock) -> None:
    base = version(table)
    act(table, ANA, base, commands.MakeBid("Ana", 6, 4))
    state = act(table, ANA, base, commands.Undo(table.state().undo.step))
    assert state.bid is None


def test_the_panel_can_be_faster_too(table: Table, clock: FakeClock) -> None:
    table.do(commands.MakeBid("Ana", 6, 4))
    clock.now += 1
    base = version(table)
    table.push("dudo", Push.DOWN)
    clock.now += 1
    assert refused(table, BEN, base, commands.MakeBid("Ben", 7, 4)).message.startswith(
        "The panel was faster: Ben's dudo."
    )


def test_a_reading_makes_a_tap_stale_but_a_new_waiting_sentence_does_not(table: Table) -> None:
    table.do(commands.MakeBid("Ana", 3, 4))
    table.do(commands.CallDudo("Ben"))
    base = version(table)
    request = table.reveal_wanted()
    table.set_waiting(request.reveal, None)
    assert version(table) > base
    act(table, ANA, base, commands.AskReading())
    base = version(table)
    request = table.reveal_wanted()
    table.take_reading(request.reveal, laid_out({"red": [4]}), None)
    assert refused(table, ANA, base, commands.AskReading()).message.startswith("The box was faster: the reading.")


def test_undo_and_redo_are_reported_as_such(table: Table) -> None:
    table.do(commands.MakeBid("Ana", 6, 4))
    base, step = version(table), table.state().undo.step
    act(table, BEN, base, commands.Undo(step))
    assert refused(table, ANA, base, commands.Pause()).message.startswith(
        "Ben was faster: Ana's bid of 6 fours, taken back."
    )
    base = version(table)
    act(table, BEN, base, commands.Redo(step))
    assert refused(table, ANA, base, commands.Pause()).message.startswith(
        "Ben was faster: Ana's bid of 6 fours, done again."
    )


def test_an_undo_can_be_stale_too(table: Table) -> None:
    table.do(commands.MakeBid("Ana", 6, 4))
    base, step = version(table), table.state().undo.step
    act(table, BEN, base, commands.Pause())
    assert refused(table, ANA, base, commands.Undo(step)).message.startswith("Ben was faster: the break.")


def test_two_phones_can_correct_different_dice_at_once(table: Table) -> None:
    state = checking(table)
    base = state.version
    act(table, ANA, base, commands.SetDie(0, face=5))
    act(table, BEN, base, commands.SetDie(1, face=6))
    act(table, ANA, base, commands.AddDie((10, 10, 20, 20), 1, "green"))
    judged = act(table, BEN, base, commands.AddDie((400, 10, 20, 20), 1, "green"))
    assert judged.phase == "verdict"
    assert act(table, ANA, base, commands.StrikeDie(2)).phase == "checking"  # on the state before the verdict


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (commands.SetDie(0, face=5), commands.SetDie(0, face=6)),
        (commands.StrikeDie(0), commands.SetDie(0, face=6)),
        (commands.AddDie((10, 10, 20, 20), 1, "green"), commands.AddDie((15, 12, 20, 20), 1, "green")),
        (commands.SetDie(0, face=5), commands.AskReading()),
        (commands.AskReading(), commands.SetDie(0, face=5)),
    ],
)
def test_two_phones_cannot_correct_the_same_die_at_once(
    table: Table, first: commands.Command, second: commands.Command
) -> None:
    base = checking(table).version
    act(table, BEN, base, first)
    assert "Ben was faster" in refused(table, ANA, base, second).message


def test_simultaneous_calls_are_still_settled_by_the_rules(table: Table, clock: FakeClock) -> None:
    table.do(commands.MakeBid("Ana", 6, 4))
    clock.now += 10
    base = version(table)
    act(table, Actor("c", "Cid"), base, commands.CallCalza("Cid"))
    clock.now += 0.2
    state = act(table, BEN, base, commands.CallDudo("Ben"))
    assert (state.phase, in_json(state.call)) == ("reading", {"kind": "dudo", "player": "Ben"})
    with pytest.raises(NotAllowedNowError) as error:
        act(table, ANA, base, commands.CallCalza("Ana"))
    assert error.value.code == "together"


def test_a_call_never_applies_to_a_bid_the_phone_has_not_seen(table: Table, clock: FakeClock) -> None:
    """A tablet for several players: one calls, while another taps on a page that lacks the bid."""
    tablet, base = Actor("t", "the table"), version(table)
    act(table, ANA, base, commands.MakeBid("Ana", 6, 4))
    clock.now += 10
    act(table, tablet, version(table), commands.CallCalza("Cid"))
    clock.now += 0.2
    error = refused(table, tablet, base, commands.CallDudo("Ben"))
    assert error.message.startswith("Ana was faster: 6 fours.")
    assert in_json(table.state().call) == {"kind": "calza", "player": "Cid"}


def test_a_phone_that_has_seen_the_raise_may_call_on_it_at_once(table: Table, clock: FakeClock) -> None:
    table.do(commands.MakeBid("Ana", 6, 4))
    clock.now += 10
    table.do(commands.MakeBid("Ben", 7, 4))
    clock.now += 0.2
    state = act(table, Actor("c", "Cid"), version(table), commands.CallCalza("Cid"))
    assert state.bid.count == 7


def test_a_future_version_is_unreadable(table: Table) -> None:
    with pytest.raises(UnreadableCommandError) as error:
        act(table, ANA, version(table) + 1, commands.Pause())
    assert error.value.code == "version"


def test_a_tap_from_before_a_restart_is_refused(tmp_path: Path) -> None:
    with Table(Journal(tmp_path)) as table:
        table.do(new_game(SEATS, starter="Ana"))
        base = version(table)
    with Table(Journal(tmp_path)) as table:
        assert "The box restarted" in refused(table, ANA, base, commands.MakeBid("Ana", 6, 4)).message


def test_a_tap_on_a_very_old_state_is_refused(table: Table, clock: FakeClock) -> None:
    base = version(table)
    for _ in range(MOST_DECISIONS // 2 + 1):
        act(table, BEN, version(table), commands.Pause())
        act(table, BEN, version(table), commands.Resume())
        clock.now += BETWEEN_BREAKS
    assert "Much has happened" in refused(table, ANA, base, commands.Pause()).message
    act(table, ANA, version(table), commands.Pause())


def test_of_simultaneous_taps_one_is_accepted(table: Table) -> None:
    """Many phones tap on the same state; the check and the command are one step."""
    base, ready, accepted = version(table), threading.Barrier(8), []

    def tap(number: int) -> None:
        ready.wait(60)
        try:
            act(table, Actor(f"phone{number}", "Ana"), base, commands.MakeBid("Ana", 6, 4))
        except NotAllowedNowError as error:
            accepted.append(error.code)
        else:
            accepted.append("done")

    phones = [threading.Thread(target=tap, args=(number,)) for number in range(8)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join(60)
    assert sorted(accepted) == ["done"] + ["stale"] * 7
    assert in_json(table.state().bid) == {"player": "Ana", "count": 6, "face": 4, "accepted": False}
