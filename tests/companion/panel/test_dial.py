"""A bid chosen by turning a knob, which offers only legal bids."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import FACES
from companion.panel.dial import ALL_DICE, Choice, first_choice, switch, turn
from companion.table import commands
from companion.table.game.history import History
from companion.table.state.public_state import RuntimeStatus, public_state
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game

COMPANY = (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"))


def state_after(*bids: tuple[str, int, int], ruleset: str = "asmodee-fr") -> dict:
    desk = FakeDesk()
    desk.do(new_game(COMPANY, ruleset, True, "Ana"))
    for bid in bids:
        desk.do(commands.MakeBid(*bid))
    return public_state(History(desk.position), RuntimeStatus(), 1)


def test_the_knob_begins_at_the_smallest_bid_if_somebody_can_bid() -> None:
    assert first_choice(state_after()) == Choice("Ana", 1, 2)
    assert first_choice(state_after(("Ana", 4, 5))) == Choice("Ben", 5, 5)
    assert first_choice(public_state(History(), RuntimeStatus(), 1)) is None
    assert first_choice(msgspec.structs.replace(state_after(), paused=True)) is None


def test_the_count_stops_at_its_ends_and_the_faces_wrap_round() -> None:
    state = state_after(("Ana", 4, 5))
    choice = first_choice(state)
    assert choice is not None
    assert turn(choice, 3, state) == Choice("Ben", 8, 5)
    assert turn(choice, -9, state) == choice
    assert turn(choice, 999, state).count == ALL_DICE
    facing = switch(choice)
    faces = [turn(facing, n, state).face for n in range(4)]
    assert faces == [5, 6, 1, 5]  # no lower face may follow a five in this book
    assert turn(facing, -1, state).face == 1


def test_choosing_another_face_changes_the_count_as_little_as_possible() -> None:
    state = state_after(("Ana", 4, 5))
    choice = Choice("Ben", 7, 5, facing=True)
    assert turn(choice, 1, state) == Choice("Ben", 4, 6, facing=True)  # as many of a higher face, in this book
    assert turn(choice, 2, state) == Choice("Ben", 7, 1, facing=True)


def test_the_display_shows_in_brackets_what_the_knob_changes() -> None:
    assert Choice("Ana", 5, 4).line == "[5] x 4"
    assert Choice("Ana", 5, 4, facing=True).line == "5 x [4]"


@given(
    st.sampled_from([(), (("Ana", 4, 5),), (("Ana", 3, 2), ("Ben", 2, 1))]),
    st.lists(st.one_of(st.integers(-40, 40), st.just("switch")), max_size=12),
    st.sampled_from(["asmodee-fr", "asmodee-it", "web-fr"]),
)
@settings(max_examples=40)
def test_every_bid_the_knob_offers_is_legal(bids: tuple, turns: list, ruleset: str) -> None:
    state = state_after(*bids, ruleset=ruleset)
    choice = first_choice(state)
    for step in turns:
        choice = switch(choice) if step == "switch" else turn(choice, step, state)
    assert choice.face in FACES
    lowest, highest = state.lowest[choice.face], state.highest[choice.face]
    assert lowest <= choice.count <= (ALL_DICE if highest is None else highest)
    state_after(*bids, (choice.player, choice.count, choice.face), ruleset=ruleset)


@pytest.mark.parametrize("step", [1, -1])
def test_the_knob_stays_on_the_only_face_that_may_be_bid(step: int) -> None:
    nothing = dict.fromkeys(FACES)
    state = msgspec.structs.replace(state_after(), lowest=nothing | {3: 2}, highest=nothing)
    assert turn(Choice("Ana", 2, 3, facing=True), step, state).face == 3
