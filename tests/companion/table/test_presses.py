"""What a push of a button means: from a history and a time to a command."""

from __future__ import annotations

import pytest

from companion.table import commands
from companion.table.game.history import History
from companion.table.presses import QUIET_SECONDS, Presses
from hardware.panel.debounce import Push
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game

COMPANY = (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"))
FULL = {"red": [4, 4, 1, 2, 3], "blue": [6, 6, 5, 4, 1], "green": [2, 2, 2, 3, 5]}
LATER = 100.0
"""Long after the last step, which was at 0."""


@pytest.fixture
def desk() -> FakeDesk:
    desk = FakeDesk()
    desk.do(new_game(COMPANY, starter="Ana"), commands.MakeBid("Ana", 5, 4))
    return desk


def pushed(
    presses: Presses, button: str, push: Push, history: History, now: float = LATER, given_up: bool = False
) -> commands.Command | None:
    return presses.command(button, push, history, now=now, stepped=0.0, given_up=given_up)


@pytest.mark.parametrize(
    ("button", "push", "command"),
    [
        ("dudo", Push.DOWN, commands.CallDudo()),
        ("calza", Push.DOWN, commands.CallCalza()),
        ("dudo", Push.SHORT, None),
    ],
)
def test_a_press_names_no_player_and_its_end_means_nothing(
    desk: FakeDesk, button: str, push: Push, command: commands.Command | None
) -> None:
    assert pushed(Presses(), button, push, desk.history, now=0.1) == command


def test_a_press_makes_the_camera_look_again_after_it_gave_up(desk: FakeDesk) -> None:
    desk.do(commands.CallDudo())
    assert pushed(Presses(), "calza", Push.DOWN, desk.history, given_up=True) == commands.AskReading()


@pytest.mark.parametrize(("after", "opens"), [(QUIET_SECONDS - 0.1, False), (QUIET_SECONDS, True)])
def test_a_press_opens_the_next_round_once_there_was_time_to_see_the_verdict(
    desk: FakeDesk, after: float, opens: bool
) -> None:
    desk.do(commands.CallDudo())
    desk.read(FULL)
    command = pushed(Presses(), "dudo", Push.DOWN, desk.history, now=after)
    assert command == (commands.OpenRound() if opens else commands.CallDudo())


@pytest.mark.parametrize(("after", "calls"), [(QUIET_SECONDS - 0.1, False), (QUIET_SECONDS, True)])
def test_a_surplus_press_calls_nothing_in_the_new_round(desk: FakeDesk, after: float, calls: bool) -> None:
    desk.do(commands.CallDudo())
    desk.read(FULL)
    desk.do(commands.OpenRound())
    assert pushed(Presses(), "dudo", Push.DOWN, desk.history, now=after) == (commands.CallDudo() if calls else None)


@pytest.mark.parametrize("began", ["game", "roll", "tie", "opener", "void", "leave", "dice"])
def test_a_surplus_press_does_nothing_where_a_round_or_a_roll_has_just_begun(desk: FakeDesk, began: str) -> None:
    if began in ("game", "roll", "tie", "opener"):
        desk.do(new_game(COMPANY, starter=None if began != "game" else "Ana", roll=began != "game", abandon=True))
    if began in ("tie", "opener"):
        desk.do(commands.AskReading())
        desk.read({"red": [6], "blue": [6 if began == "tie" else 2], "green": [3]})
    match began:
        case "void":
            desk.do(commands.VoidRound())
        case "leave":
            desk.do(commands.LeaveGame("Cid"))
        case "dice":
            desk.do(commands.VoidRound(), commands.SetPlayerDice("Cid", 3))
    for button in ("dudo", "calza"):
        assert pushed(Presses(), button, Push.DOWN, desk.history, now=QUIET_SECONDS - 0.1) is None
        assert pushed(Presses(), button, Push.DOWN, desk.history, now=QUIET_SECONDS) is not None


def test_a_long_press_replaces_its_own_call_by_a_count_once(desk: FakeDesk) -> None:
    presses = Presses()
    desk.do(pushed(presses, "dudo", Push.DOWN, desk.history))
    step = desk.history.steps
    presses.record_step(step)
    assert pushed(presses, "dudo", Push.LONG, desk.history) == commands.AskCountInstead("dudo", step)
    assert pushed(presses, "dudo", Push.LONG, desk.history) is None


def test_a_long_press_does_not_change_steps_of_others(desk: FakeDesk) -> None:
    presses = Presses()
    pushed(presses, "dudo", Push.DOWN, desk.history)  # refused: it made no step
    desk.do(commands.CallDudo())
    assert pushed(presses, "dudo", Push.LONG, desk.history) is None


def test_a_double_press_takes_back_an_accidental_call(desk: FakeDesk) -> None:
    presses = Presses()
    desk.do(commands.CallDudo())
    pushed(presses, "dudo", Push.DOWN, desk.history)
    assert pushed(presses, "dudo", Push.DOUBLE, desk.history) == commands.Undo(desk.history.steps)
    assert pushed(presses, "dudo", Push.DOUBLE, desk.history) is None


def test_a_double_press_takes_nothing_back_soon_after_another_press(desk: FakeDesk) -> None:
    presses = Presses()
    desk.do(commands.CallDudo())
    for now in (LATER, LATER + QUIET_SECONDS - 0.1):
        pushed(presses, "dudo", Push.DOWN, desk.history, now=now)
    assert pushed(presses, "dudo", Push.DOUBLE, desk.history, now=LATER + QUIET_SECONDS) is None


def test_hammering_takes_nothing_back(desk: FakeDesk) -> None:
    presses = Presses()
    desk.do(commands.CallDudo())
    pushed(presses, "dudo", Push.DOWN, desk.history, now=QUIET_SECONDS - 0.1)
    for now in (QUIET_SECONDS, QUIET_SECONDS + 1.5):
        assert pushed(presses, "dudo", Push.DOUBLE, desk.history, now=now) is None
    pushed(presses, "dudo", Push.DOWN, desk.history, now=QUIET_SECONDS + 2.0)
    assert pushed(presses, "dudo", Push.DOUBLE, desk.history, now=QUIET_SECONDS + 2.2) is None


def test_a_double_press_takes_no_bid_and_no_verdict_back(desk: FakeDesk) -> None:
    for reads in (False, True):
        presses = Presses()
        if reads:
            desk.do(commands.CallDudo())
            desk.read(FULL)
        pushed(presses, "dudo", Push.DOWN, desk.history)
        assert pushed(presses, "dudo", Push.DOUBLE, desk.history) is None


def pressed(presses: Presses, desk: FakeDesk, button: str, now: float) -> None:
    command = pushed(presses, button, Push.DOWN, desk.history, now=now)
    if command is not None:
        desk.do(command)
        presses.record_step(desk.history.steps)


def hold(presses: Presses, desk: FakeDesk) -> None:
    """Hold both buttons, and carry out what it means."""
    while (command := pushed(presses, "both", Push.HELD, desk.history)) is not None:
        desk.do(command)
        if isinstance(command, commands.VoidRound):
            presses.record_voiding(desk.history.steps)
            return


def test_both_buttons_held_undo_what_their_presses_did_and_void_the_round(desk: FakeDesk) -> None:
    presses = Presses()
    pressed(presses, desk, "dudo", LATER)
    step = desk.history.steps
    assert pushed(presses, "both", Push.HELD, desk.history) == commands.Undo(step)
    desk.do(commands.Undo(step))
    assert pushed(presses, "both", Push.HELD, desk.history) == commands.VoidRound()
    desk.do(commands.VoidRound())
    assert (desk.history.position.voided, desk.history.position.game.bid) == (True, None)
    desk.do(commands.Undo(desk.history.steps))
    assert desk.history.position.game.bid is not None, "the round is as it was before the presses"


def test_both_buttons_held_take_back_a_call_that_is_being_settled(desk: FakeDesk) -> None:
    presses = Presses()
    desk.do(commands.CallCalza())  # who was it?
    assert desk.history.position.possible_callers
    hold(presses, desk)
    assert (desk.history.position.voided, desk.history.position.possible_callers) == (True, ())


def test_both_buttons_held_undo_no_earlier_press_and_nothing_that_came_after(desk: FakeDesk) -> None:
    presses = Presses()
    desk.do(commands.CallDudo())
    desk.read(FULL)
    pressed(presses, desk, "dudo", LATER)  # the next round
    opened = desk.history.steps
    desk.do(commands.MakeBid(desk.history.position.game.turn, 2, 3))
    assert pushed(presses, "both", Push.HELD, desk.history) == commands.VoidRound()
    desk.do(commands.Undo(desk.history.steps))
    assert opened == desk.history.last.number
    assert pushed(presses, "both", Push.HELD, desk.history) == commands.VoidRound(), "the first try has ended it"


def test_without_a_game_both_buttons_held_mean_nothing_yet() -> None:
    assert pushed(Presses(), "both", Push.HELD, FakeDesk().history) is None


def test_both_buttons_held_long_leave_the_round_as_it_was(desk: FakeDesk) -> None:
    presses = Presses()
    assert pushed(presses, "both", Push.HELD_LONG, desk.history) is None
    hold(presses, desk)
    assert pushed(presses, "both", Push.HELD_LONG, desk.history) == commands.Undo(desk.history.steps)
    hold(presses, desk)
    desk.do(commands.MakeBid("Ana", 1, 2))
    assert pushed(presses, "both", Push.HELD_LONG, desk.history) is None, "somebody has bid since"
