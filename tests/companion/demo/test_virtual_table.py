"""The virtual table: its dice are fair, its cups hide them, and it knows only the public state."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.palette import SEAT_COLOURS
from companion.demo import virtual_table
from companion.demo.virtual_table import (
    COVER_SECONDS,
    CUP_ASIDE,
    DICE_APART,
    LIFT_SECONDS,
    VirtualTable,
    seats,
    throw,
)
from companion.table.game.history import History
from companion.table.game.table_position import Phase
from companion.table.game.table_reading import PlayerDice
from companion.table.state.public_state import RuntimeStatus, public_state
from companion.table.state.state import PublicPlayer, State
from vision.drawn.table_scene import CUP_MM, DIE_MM, TableScene
from vision.reading import Stillness
from vision.stillness import StillnessCheck

companies = st.lists(st.integers(0, 5), min_size=2, max_size=6).map(
    lambda counts: tuple(PlayerDice(f"p{n}", SEAT_COLOURS[n], count) for n, count in enumerate(counts))
)


class FakeState:
    """The part of the public state that the virtual table looks at."""

    def __init__(self) -> None:
        self.now = public_state(History(), RuntimeStatus(), 1)
        self.become(phase=Phase.BIDDING, game=1, round=1, players=self.players(5, 4))

    @staticmethod
    def players(*dice: int) -> tuple[PublicPlayer, ...]:
        return tuple(PublicPlayer(f"p{n}", SEAT_COLOURS[n], count) for n, count in enumerate(dice))

    def __call__(self) -> State:
        return self.now

    def become(self, **values: Any) -> None:
        self.now = msgspec.structs.replace(self.now, **values)


@pytest.fixture
def state() -> FakeState:
    return FakeState()


@pytest.fixture
def scenes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[TableScene]]:
    """Every scene that was painted; painting itself is quick and empty."""
    painted: list[TableScene] = []

    def render(scene: TableScene, *, coarse: bool) -> np.ndarray:
        painted.append(scene)
        return np.zeros((960, 1280, 3), np.uint8)

    monkeypatch.setattr(virtual_table, "_render", render)
    return painted


@settings(max_examples=40)
@given(companies, st.integers(0, 10**6), st.integers(1, 30))
def test_dice_lie_apart_under_their_own_cup_and_clear_of_cups_set_aside(
    players: tuple[PlayerDice, ...], seed: int, number: int
) -> None:
    thrown = throw((1, number), players, seed)
    places = seats(len(players))
    assert [sum(die.colour == p.colour for die in thrown.dice) for p in players] == [p.dice for p in players]
    for one, other in combinations(thrown.dice, 2):
        assert math.dist((one.x, one.y), (other.x, other.y)) >= DICE_APART
    corner = DIE_MM / 2 * math.sqrt(2)
    for player, seat in zip(players, places, strict=True):
        for die in thrown.dice:
            if die.colour == player.colour:
                assert math.dist((die.x, die.y), (seat.x, seat.y)) + corner <= CUP_MM
        for die in thrown.dice:
            assert math.dist((die.x, die.y), seat.away(CUP_ASIDE)) >= CUP_MM * 1.1 + corner


def test_throws_depend_on_the_seed_alone() -> None:
    players = (PlayerDice("a", "red", 5), PlayerDice("b", "blue", 5))
    assert throw((1, 1), players, 7) == throw((1, 1), players, 7)
    others = {throw((1, 1), players, 8).dice, throw((1, 2), players, 7).dice, throw((2, 1), players, 7).dice}
    assert len(others | {throw((1, 1), players, 7).dice}) == 4


def test_every_face_is_thrown_about_equally_often() -> None:
    players = tuple(PlayerDice(f"p{n}", colour, 5) for n, colour in enumerate(SEAT_COLOURS))
    faces = [die.face for number in range(200) for die in throw((1, number), players, 3).dice]
    counts = [faces.count(face) for face in range(1, 7)]
    assert sum(counts) == 6000
    assert min(counts) > 880
    assert max(counts) < 1120


def covered(scene: TableScene) -> bool:
    """Whether every die lies entirely under a cup that stands on the table."""
    return all(
        any(math.dist((die.x, die.y), (cup.x, cup.y)) < CUP_MM and cup.lift == 0 for cup in scene.cups)
        for die in scene.dice
    )


def test_dice_are_hidden_while_bids_are_made(state: FakeState, scenes: list[TableScene]) -> None:
    VirtualTable(state, 1).paint(0.0)
    assert len(scenes[-1].dice) == 9
    assert covered(scenes[-1])
    assert scenes[-1].hands == ()


def test_after_a_call_hands_lift_the_cups_and_leave(state: FakeState, scenes: list[TableScene]) -> None:
    table = VirtualTable(state, 1)
    table.paint(0.0)
    hidden = scenes[-1].dice
    state.become(phase=Phase.READING)
    table.paint(10.0)
    for step in range(1, 15):
        table.paint(10.0 + step * LIFT_SECONDS / 15)
        assert scenes[-1].hands != ()
    table.paint(10.0 + LIFT_SECONDS)
    assert scenes[-1].hands == ()
    assert scenes[-1].dice == hidden  # the dice shown are those that were hidden
    assert not covered(scenes[-1])
    table.paint(99.0)
    state.become(phase=Phase.CHECKING)
    table.paint(100.0)
    assert scenes[-1].dice == hidden


def test_dice_lie_still_until_the_next_round_and_are_thrown_again_under_cups(
    state: FakeState, scenes: list[TableScene]
) -> None:
    table = VirtualTable(state, 1)
    state.become(phase=Phase.READING)
    for at in (0.0, 5.0):
        table.paint(at)
    first = scenes[-1].dice
    state.become(phase=Phase.VERDICT, round=2, players=FakeState.players(4, 4))
    table.paint(6.0)
    assert scenes[-1].dice == first
    state.become(phase=Phase.BIDDING)
    table.paint(7.0)
    table.paint(7.0 + COVER_SECONDS / 2)
    assert scenes[-1].dice == first
    assert scenes[-1].hands != ()
    table.paint(7.1 + COVER_SECONDS)
    assert len(scenes[-1].dice) == 8
    assert scenes[-1].dice != first
    assert covered(scenes[-1])


def test_a_call_before_the_first_frame_finds_new_dice_under_cups(state: FakeState, scenes: list[TableScene]) -> None:
    table = VirtualTable(state, 1)
    state.become(phase=Phase.READING)
    for at in (0.0, 5.0):
        table.paint(at)
    state.become(phase=Phase.READING, round=2)
    table.paint(5.1)
    assert covered(scenes[-1])
    assert scenes[-1].dice != scenes[0].dice


def test_a_player_without_dice_has_no_cup(state: FakeState, scenes: list[TableScene]) -> None:
    state.become(players=FakeState.players(5, 0, 2))
    VirtualTable(state, 1).paint(0.0)
    assert [cup.colour for cup in scenes[-1].cups] == [SEAT_COLOURS[0], SEAT_COLOURS[2]]


def test_after_a_restart_the_same_dice_lie_there(state: FakeState, scenes: list[TableScene]) -> None:
    state.become(round=3)
    VirtualTable(state, 1).paint(0.0)
    state.become(phase=Phase.READING)
    VirtualTable(state, 1).paint(500.0)
    assert scenes[0].dice == scenes[1].dice


def test_frames_move_with_the_hands_and_otherwise_differ_only_in_noise(state: FakeState) -> None:
    table = VirtualTable(state, 1)
    settle = StillnessCheck(still_for=0.3)
    still = [table.paint(n / 10) for n in range(6)]
    assert [settle.see(frame, n / 10) for n, frame in enumerate(still)][-1] is Stillness.STILL
    assert not np.array_equal(still[0], still[1])
    state.become(phase=Phase.READING)
    phases = [settle.see(table.paint(1 + n / 10), 1 + n / 10) for n in range(26)]
    assert Stillness.MOVING in phases[:10]
    assert phases[-1] is Stillness.STILL


def test_without_players_the_table_is_empty(state: FakeState, scenes: list[TableScene]) -> None:
    state.become(phase=Phase.SEATING, players=(), round=None, game=0)
    VirtualTable(state, 1).paint(0.0)
    assert (scenes[-1].dice, scenes[-1].cups) == ((), ())


def test_a_player_sees_the_own_dice_while_they_are_covered(state: FakeState, scenes: list[TableScene]) -> None:
    table = VirtualTable(state, 1, clock=lambda: 5.0)
    table.paint(0.0)
    for n, count in enumerate((5, 4)):
        faces = sorted(die.face for die in scenes[-1].dice if die.colour == SEAT_COLOURS[n])
        assert table.peek(f"p{n}") == tuple(faces)
        assert len(faces) == count
    assert table.peek("nobody") == ()
    state.become(phase=Phase.READING)
    assert table.peek("p0") == ()


def test_dice_of_the_next_round_are_seen_once_they_are_thrown(state: FakeState, scenes: list[TableScene]) -> None:
    now = [5.0]
    table = VirtualTable(state, 1, clock=lambda: now[0])
    state.become(phase=Phase.VERDICT)
    table.paint(5.0)
    state.become(phase=Phase.BIDDING, round=2)
    assert table.peek("p0") == ()  # the hands are still on their way
    now[0] += COVER_SECONDS + 0.1
    seen = table.peek("p0")
    assert len(seen) == 5
    state.become(phase=Phase.READING)
    table.paint(now[0] + 9)
    assert sorted(die.face for die in scenes[-1].dice if die.colour == SEAT_COLOURS[0]) == list(seen)


def test_a_void_round_is_thrown_again(state: FakeState, scenes: list[TableScene]) -> None:
    voided, now = [0], [5.0]
    table = VirtualTable(state, 1, times_voided=lambda: voided[0], clock=lambda: now[0])
    table.paint(0.0)
    before = scenes[-1].dice
    voided[0], now[0] = 1, 10.0
    assert len(table.peek("p0")) == 5
    table.paint(10.0)
    assert scenes[-1].dice != before
    voided[0] = 0  # the voiding is undone
    table.paint(20.0)
    assert scenes[-1].dice == before


def test_who_stays_keeps_the_dice_when_somebody_joins_leaves_or_has_another_number(state: FakeState) -> None:
    table = VirtualTable(state, 1, clock=lambda: 50.0)
    table.paint(0.0)
    mine = table.peek("p0")
    for players in (FakeState.players(5, 4, 3), FakeState.players(5, 0, 3), FakeState.players(5, 2, 3)):
        state.become(players=players)
        assert table.peek("p0") == mine
        assert [len(table.peek(p.name)) for p in players] == [p.dice for p in players]
