"""Which dice count as spoken on: only those of verdicts that stand, and only by what somebody said."""

from __future__ import annotations

import pytest

from companion.table import commands
from companion.table.game.judged_dice import Feedback, JudgedDie, judged_readings
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game

FULL = {"red": [4, 4, 1, 2, 3], "blue": [6, 6, 5, 4, 1]}


@pytest.fixture
def desk() -> FakeDesk:
    """A table at the verdict; the camera was in doubt about die 3."""
    desk = FakeDesk()
    desk.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
    desk.do(commands.MakeBid("Ana", 3, 4), commands.CallDudo())
    desk.read(FULL, uncertain=[("red", 3)])
    desk.do(commands.SetDie(3, face=2))
    return desk


def words(desk: FakeDesk, reading: int = -1) -> dict[Feedback, list[int]]:
    found: dict[Feedback, list[int]] = {}
    for die in judged_readings(desk.history)[reading].dice:
        found.setdefault(die.feedback, []).append(die.face)
    return found


def test_nothing_stands_before_the_players_go_on_and_only_what_was_said_is_confirmed(desk: FakeDesk) -> None:
    assert desk.position.phase == "verdict"
    assert judged_readings(desk.history) == []
    desk.do(commands.OpenRound())
    (reading,) = judged_readings(desk.history)
    assert (reading.id, reading.width, reading.height, len(reading.dice)) == (1, 1280, 960, 10)
    assert words(desk) == {Feedback.UNDISPUTED: [4, 4, 1, 3, 6, 6, 5, 4, 1], Feedback.CONFIRMED: [2]}


def test_each_correction_has_its_word_and_what_was_read_stays(desk: FakeDesk) -> None:
    box = (600.0, 40.0, 40.0, 40.0)
    desk.do(
        commands.SetDie(0, face=5),
        commands.StrikeDie(9),
        commands.AddDie(box, 1, "blue"),
        commands.SetDie(4, colour="blue"),
        commands.SetDie(5, colour="red"),
    )
    desk.do(commands.OpenRound())
    assert words(desk) == {
        Feedback.CORRECTED: [5],
        Feedback.STRUCK: [1],
        Feedback.ADDED: [1],
        Feedback.RECOLOURED: [3, 6],
        Feedback.CONFIRMED: [2],
        Feedback.UNDISPUTED: [4, 1, 6, 5, 4],
    }
    (reading,) = judged_readings(desk.history)
    first, added = reading.dice[0], reading.dice[-1]
    assert (first.read and first.read.face, first.face) == (4, 5)
    assert added == JudgedDie(None, Feedback.ADDED, 1, "blue", box)


def test_a_correction_after_going_back_replaces_what_stood(desk: FakeDesk) -> None:
    desk.do(commands.OpenRound())
    desk.undo()
    assert judged_readings(desk.history) == []
    desk.do(commands.SetDie(0, face=5), commands.OpenRound())
    assert len(judged_readings(desk.history)) == 1
    assert words(desk)[Feedback.CORRECTED] == [5]


HAND = {"Ana": [4, 4, 1, 2, 3], "Ben": [6, 6, 5, 4, 1]}
GAME = new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana", abandon=True)


@pytest.mark.parametrize(
    ("given", "stand"),
    [
        pytest.param([commands.CountByHand(HAND), commands.OpenRound()], 0, id="counted by hand"),
        pytest.param([commands.StrikeDie(0), commands.VoidRound()], 0, id="a void round"),
        pytest.param([commands.StrikeDie(0), commands.EndGame()], 0, id="ended while its dice are doubted"),
        pytest.param([GAME], 1, id="another game is opened"),
        pytest.param([commands.EndGame()], 1, id="the game is ended"),
        pytest.param([commands.EndGame(), GAME], 1, id="ended, and another one opened"),
    ],
)
def test_a_reading_stands_with_its_verdict(desk: FakeDesk, given: list[commands.Command], stand: int) -> None:
    desk.do(*given)
    assert len(judged_readings(desk.history)) == stand


def test_what_was_said_of_a_reading_is_not_said_of_the_next_one(desk: FakeDesk) -> None:
    desk.do(commands.StrikeDie(0), commands.AskReading())
    desk.read(FULL)
    desk.do(commands.OpenRound())
    assert words(desk) == {Feedback.UNDISPUTED: [4, 4, 1, 2, 3, 6, 6, 5, 4, 1]}


@pytest.mark.parametrize(
    "command",
    [
        commands.LeaveGame("Ben"),
        commands.ComeBack("Cid"),
        commands.JoinGame("Dov", "green", 2, after="Ben"),
        commands.SetPlayerDice("Ana", 2),
    ],
)
def test_a_verdict_stands_however_the_next_round_is_opened(command: commands.Command) -> None:
    desk = FakeDesk()
    players = [("Ana", "red"), ("Ben", "blue"), ("Cid", "yellow")]
    desk.do(new_game(players, starter="Ana"), commands.LeaveGame("Cid"))
    desk.do(commands.MakeBid("Ana", 3, 4), commands.CallDudo())
    desk.read(FULL)
    desk.do(command)
    assert len(judged_readings(desk.history)) == 1
    desk.undo()
    assert judged_readings(desk.history) == []


def test_the_dice_of_an_opening_roll_are_not_judged() -> None:
    desk = FakeDesk()
    desk.do(new_game([("Ana", "red"), ("Ben", "blue")], roll=True), commands.AskReading())
    desk.read({"red": [4], "blue": [6]})
    desk.do(commands.MakeBid("Ben", 3, 4), commands.CallDudo())
    desk.read(FULL)
    desk.do(commands.OpenRound())
    assert [reading.id for reading in judged_readings(desk.history)] == [2]
