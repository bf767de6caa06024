"""Corrections: who changed what counts, what it was, and what came of it."""

from __future__ import annotations

import pytest

from companion.table.commands import (
    PANEL,
    SOMEBODY,
    TABLET,
    Actor,
    AddDie,
    AskCount,
    AskReading,
    CallDudo,
    Command,
    CountByHand,
    MakeBid,
    OpenRound,
    SetDie,
    SetPlayerDice,
    StrikeDie,
    TellCall,
)
from companion.table.game.events import from_json, to_json
from companion.table.past.games import latest_game
from companion.table.past.story import story
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game

BEN = Actor("b", "Ben")
COUNTED = {"red": [4, 4, 1, 6, 2], "blue": [2, 2, 3, 3, 5]}
BY_HAND = {"Ana": (4, 4, 1, 6, 2), "Ben": (2, 2, 3, 3, 4)}


@pytest.fixture
def desk() -> FakeDesk:
    """Ana's bid of three fours, which holds, was doubted: Ben loses a die."""
    desk = FakeDesk()
    desk.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"), MakeBid("Ana", 3, 4), CallDudo("Ben"))
    desk.read(COUNTED)
    return desk


def told(desk: FakeDesk) -> list[str]:
    return [each.sentence for each in desk.state().corrections]


@pytest.mark.parametrize(
    ("given", "sentences"),
    [
        ([], []),
        ([SetDie(0, face=4)], []),
        ([SetDie(0, face=3)], ["Ben: Ana's die is three, not four. Now Ana loses 1 die."]),
        ([SetDie(5, face=3)], ["Ben: Ben's die is three, not two. The verdict stays."]),
        ([CountByHand(BY_HAND)], ["Ben: the dice are counted by hand. The verdict stays."]),
        ([StrikeDie(0)], ["Ben: Ana's four is not in play."]),
        ([SetDie(0, colour="blue")], ["Ben: the four is blue, not red."]),
        ([AddDie((1, 1, 9, 9), 4, "blue")], ["Ben: Ben has one more die: four."]),
        ([SetPlayerDice("Ana", 3)], ["Ben: Ana has 3 dice."]),
        ([SetDie(0, face=3), SetPlayerDice("Ben", 4)], ["Ben: Ben has 4 dice."]),  # it belongs to the next round
        ([SetDie(0, face=3), OpenRound()], []),
    ],
    ids=lambda each: " ".join(type(command).__name__ for command in each if isinstance(command, Command)),
)
def test_a_correction_names_who_what_and_what_came_of_it(
    desk: FakeDesk, given: list[Command], sentences: list[str]
) -> None:
    desk.do(*given, by=BEN)
    assert told(desk) == sentences


@pytest.mark.parametrize(
    ("by", "who"), [(Actor("t", TABLET), "On the tablet"), (SOMEBODY, "On a phone"), (PANEL, "At the panel")]
)
def test_where_it_was_done_is_said_of_who_is_no_player(desk: FakeDesk, by: Actor, who: str) -> None:
    desk.do(SetDie(0, face=3), by=by)
    assert told(desk)[0].startswith(f"{who}: Ana's die")


def test_an_answer_to_a_question_is_said_too_and_the_verdict_is_compared_with_the_one_before() -> None:
    desk = FakeDesk()
    desk.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"), MakeBid("Ana", 3, 4), CallDudo("Ben"))
    desk.read(COUNTED, uncertain=[("red", 1)])
    desk.do(SetDie(1, face=4), by=BEN)
    desk.do(StrikeDie(2), AddDie((1, 1, 9, 9), 5, "red"), by=BEN)
    assert told(desk) == [
        "Ben: Ana's die is four.",
        "Ben: Ana's paco is not in play.",
        "Ben: Ana has one more die: five. Now Ana loses 1 die.",
    ]


def test_a_reading_that_is_taken_again_and_a_call_that_is_told_afterwards() -> None:
    desk = FakeDesk()
    desk.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"), AskCount("dudo"))
    desk.read(COUNTED)
    desk.do(AskReading(), by=BEN)
    desk.read(COUNTED)
    desk.do(TellCall("dudo", "Ben", "Ana", 3, 4), by=BEN)
    assert told(desk) == ["Ben: the dice are read again.", "Ben: the details of Ben's call."]


def test_what_is_undone_is_no_correction_any_more(desk: FakeDesk) -> None:
    desk.do(SetDie(0, face=3), by=BEN)
    desk.undo()
    assert told(desk) == []
    desk.redo()
    assert len(told(desk)) == 1


def test_a_number_put_right_before_anybody_bids_is_one() -> None:
    desk = FakeDesk()
    desk.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"), SetPlayerDice("Ana", 4), by=BEN)
    assert told(desk) == ["Ben: Ana has 4 dice."]


def test_a_die_of_the_opening_roll_is_no_correction_of_the_first_round() -> None:
    desk = FakeDesk()
    desk.do(new_game([("Ana", "red"), ("Ben", "blue")], roll=True), AskReading())
    desk.read({"red": [4], "blue": [6]}, uncertain=[("red", 0)])
    desk.do(SetDie(0, face=5), by=BEN)
    assert (desk.position.phase, told(desk)) == ("bidding", [])


def test_the_story_and_the_journal_keep_who_it_was(desk: FakeDesk) -> None:
    desk.do(SetDie(0, face=3), by=BEN)
    again = FakeDesk()
    for line in desk.lines:
        again.take(tuple(from_json(*to_json(event)) for event in line))
    game = latest_game(again.history)
    assert "Ben: Ana's die is three, not four." in story(game)[1]
    assert told(again) == told(desk)
