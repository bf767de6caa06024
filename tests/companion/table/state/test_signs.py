"""What the panel shows in every phase."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion.table.state.signs as signs_module
from companion.table import commands
from companion.table.game.table_position import Phase
from companion.table.state.public_state import RuntimeStatus
from companion.table.state.signs import (
    SIGNS_BY_PHASE,
    STARTING,
    STATUS,
    display_lines,
    join_lines,
    lamps,
    sound_at,
    status_lamp,
)
from companion.table.state.state import CameraStatus, Waiting
from hardware.panel.lamp_patterns import LampPattern
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game

COMPANY = (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"))
FULL = {"red": [4, 4, 1, 2, 3], "blue": [6, 6, 5, 4, 1], "green": [2, 2, 2, 3, 5]}
DICE = {"Ana": FULL["red"], "Ben": FULL["blue"], "Cid": FULL["green"]}
CAMERA = CameraStatus(ok=True, name="a camera")
WELL = RuntimeStatus(camera=CAMERA)


@pytest.fixture
def desk() -> FakeDesk:
    desk = FakeDesk()
    desk.do(new_game(COMPANY, "asmodee-fr", True, "Ana"))
    return desk


def signs_of(desk: FakeDesk, waiting: str | None = None) -> tuple[str, ...]:
    return display_lines(desk.state(waiting_for(waiting)), join_lines("10.0.0.7:8000", "0271"))


def waiting_for(code: str | None) -> RuntimeStatus:
    return RuntimeStatus(camera=CAMERA, waiting=code and Waiting(code=code, sentence="A while."))


def test_there_is_a_row_for_every_phase() -> None:
    assert list(SIGNS_BY_PHASE) == list(Phase)


def test_every_pattern_of_the_status_lamp_means_one_thing() -> None:
    patterns = [lamp for lamp, _, _ in STATUS]
    assert len({*patterns, STARTING, LampPattern.OFF}) == len(patterns) + 2 == len(LampPattern)


def test_the_status_lamp_shows_how_the_box_is(desk: FakeDesk) -> None:
    assert status_lamp(desk.state(WELL)) is LampPattern.ON
    assert status_lamp(desk.state()) is LampPattern.DOUBLE
    assert status_lamp(desk.state(RuntimeStatus(journal="The disk is full."))) is LampPattern.FLICKER
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo())
    assert status_lamp(desk.state(WELL)) is LampPattern.BLINK
    assert status_lamp(desk.state(waiting_for("reader"))) is LampPattern.FLICKER
    desk.do(commands.Pause())
    assert status_lamp(desk.state(WELL)) is LampPattern.ON


def test_signs_of_one_lamp_in_one_phase_differ_without_colours() -> None:
    for row in SIGNS_BY_PHASE.values():
        patterns = [sign.lamp for sign in row.seats]
        assert len(set(patterns)) == len(patterns)


def test_the_display_follows_a_round(desk: FakeDesk) -> None:
    assert signs_of(FakeDesk()) == ("10.0.0.7:8000", "code 0271")
    assert signs_of(desk) == ("Ana opens",)
    desk.do(commands.MakeBid("Ana", 5, 4))
    assert signs_of(desk) == ("5 x 4  Ana", "Ben?")
    desk.do(commands.CallDudo())
    assert signs_of(desk, "moving") == ("5 x 4", "DUDO Ben", "cups up, hands away")
    assert signs_of(desk, "reading") == ("5 x 4", "DUDO Ben", "reading")
    desk.read(FULL | {"green": [2, 2, 2, 3]})
    assert signs_of(desk) == ("look at a phone", "Cid")
    desk.do(commands.CountByHand(DICE))
    assert signs_of(desk) == ("5 x 4", "bid 5: Ben -1")
    desk.do(commands.OpenRound(), commands.AskCount("calza"))
    assert signs_of(desk) == ("CALZA", "reading")
    desk.do(commands.CountByHand(DICE | {"Ben": FULL["blue"][1:]}))
    assert signs_of(desk) == ("counted", "who called?")
    desk.do(commands.EndGame())
    assert signs_of(desk) == ("game over",)


def test_the_display_counts_the_dice_that_a_dudo_costs() -> None:
    desk = FakeDesk()
    desk.do(new_game(COMPANY, starter="Ana", rules={"dudo_costs": "difference"}))
    desk.do(commands.MakeBid("Ana", 8, 4), commands.CallDudo(), commands.CountByHand(DICE))
    assert signs_of(desk) == ("5 x 4", "bid 8: Ana -3")


def test_the_display_shows_a_break(desk: FakeDesk) -> None:
    desk.do(commands.Pause())
    assert signs_of(desk) == ("a break",)


def test_the_lamp_of_a_player_who_takes_a_die_back_breathes_and_the_display_says_so() -> None:
    desk = FakeDesk()
    desk.do(new_game(COMPANY, "asmodee-fr", True, "Ana", dice={"Cid": 4}))
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallCalza("Cid"))
    desk.read(FULL | {"green": [2, 2, 2, 3]})
    seats = lamps(desk.state())
    assert [seats[name] for name in ("Ana", "Ben", "Cid")] == [LampPattern.OFF, LampPattern.OFF, LampPattern.PULSE]
    assert signs_of(desk) == ("5 x 4", "bid 5: Cid +1")


def test_the_winners_lamp_breathes_and_an_abandoned_game_has_no_winner() -> None:
    desk = FakeDesk()
    desk.do(new_game(COMPANY[:2], "asmodee-fr", True, "Ana", dice={"Ana": 1, "Ben": 1}))
    desk.do(commands.MakeBid("Ana", 2, 5), commands.CallDudo())
    desk.read({"red": [3], "blue": [2]})
    assert (lamps(desk.state())["Ben"], signs_of(desk)[0]) == (LampPattern.PULSE, "Ben wins")
    assert sound_at(Phase.OVER, "Ben") is not None
    assert sound_at(Phase.OVER, None) is None


def test_the_display_has_the_letters_of_all_its_words() -> None:
    from hardware.panel.display import displayable

    texts = re.findall(r'"([^"]+)"', Path(signs_module.__file__).read_text())
    assert all(displayable(text) == text for text in texts if "\\" not in text and "\n" not in text)
