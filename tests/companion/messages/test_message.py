"""Messages are English text that keeps the parts it was made from."""

from __future__ import annotations

import copy

import pytest

from companion.engine import IllegalBidError, WrongPhaseError
from companion.messages.message import ADie, Colour, Dice, Face, Faces, Message, Names, Param, Rounds, parts_of
from tests.fakes.public_state import in_json


@pytest.mark.parametrize(
    ("value", "english", "json"),
    [
        (3, "3", 3),
        ("ana", "ana", "ana"),
        (Faces(0, 4), "no fours", {"count": 0, "face": 4}),
        (Faces(1, 1), "1 paco", {"count": 1, "face": 1}),
        (Faces(5, 6), "5 sixes", {"count": 5, "face": 6}),
        (Face(6), "six", {"face": 6}),
        (Dice(1, "red"), "1 red die", {"dice": 1, "colour": "red"}),
        (Dice(4), "4 dice", {"dice": 4, "colour": None}),
        (ADie("orange"), "an orange die", {"die": "orange"}),
        (Colour("blue"), "blue", {"colour": "blue"}),
        (Rounds(1), "1 round", {"rounds": 1}),
        (Names(("Ana", "Ben", "Cid")), "Ana, Ben and Cid", {"names": ["Ana", "Ben", "Cid"]}),
        (
            Names((Message("{player}'s", player="Ana"), "Ben")),
            "Ana's and Ben",
            {"names": [{"msgid": "{player}'s", "params": {"player": "Ana"}}, "Ben"]},
        ),
    ],
)
def test_every_kind_of_parameter_is_in_english_and_in_json(value: Param, english: str, json: object) -> None:
    message = Message("so: {what}", what=value)
    assert message == f"so: {english}"
    assert in_json(parts_of(message)) == [{"msgid": "so: {what}", "params": {"what": json}}]


def test_a_sentence_begins_with_a_capital_unless_it_begins_with_a_name() -> None:
    assert Message("{dice}.", dice=Faces(0, 4)) == "No fours."
    assert Message("{player} waits.", player="ana") == "ana waits."
    assert Message("{player}'s dudo", player="ana") == "ana's dudo"


def test_a_sentence_within_another_loses_its_full_stop_and_its_capital() -> None:
    inner = Message("The folder {folder} is gone.", folder="/x")
    assert Message("Not written: {why}. Go on.", why=inner) == "Not written: the folder /x is gone. Go on."
    assert Message("{seen}; waiting.", seen=inner) == "The folder /x is gone; waiting."
    assert Message("Played by {book}.", book=Message("Perudo, French")) == "Played by Perudo, French."


def test_messages_are_joined_and_plain_text_stays_plain() -> None:
    joined = Message.sequence("", Message("One."), "ENOSPC.", Message("Two."))
    assert joined == "One. ENOSPC. Two."
    assert in_json(parts_of(joined)) == [
        {"msgid": "One.", "params": {}},
        {"msgid": "{text}", "params": {"text": "ENOSPC."}},
        {"msgid": "Two.", "params": {}},
    ]
    assert in_json(parts_of("")) == []


def test_a_copy_of_a_message_keeps_its_parts() -> None:
    message = Message("I see {seen}.", seen=Faces(2, 1))
    assert parts_of(copy.deepcopy(message)) == message.parts


def test_an_error_of_the_engine_is_a_sentence() -> None:
    error = IllegalBidError("after {bid} the face may not go down", bid=Faces(5, 4))
    assert error.sentence == "After five fours the face may not go down."
    assert in_json(parts_of(error.sentence)) == [
        {"msgid": "after {bid} the face may not go down", "params": {"bid": {"count": 5, "face": 4}}}
    ]
    assert WrongPhaseError("the game is over").sentence == "The game is over."
