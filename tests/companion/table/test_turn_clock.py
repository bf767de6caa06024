"""The clock of a turn: it only shows, and leaves nothing in the journal."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table import Journal, Table, commands
from companion.table.commands import CallDudo, MakeBid, Pause, Resume, Undo
from companion.table.errors import TooSoonError
from companion.table.table import BETWEEN_BREAKS
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game

SEATS = [("Ana", "red"), ("Ben", "blue")]


def left(table: Table) -> tuple[int, float]:
    turn = table.turn()
    assert turn.version == table.state().version
    return turn.seconds, turn.left


def test_every_turn_has_its_seconds_and_nothing_happens_when_they_are_over(tmp_path: Path) -> None:
    clock = FakeClock()
    with Table(Journal(tmp_path), clock=clock) as table:
        assert left(table) == (0, 0)
        table.do(new_game(SEATS, starter="Ana", turn_seconds=30))
        assert left(table) == (30, 30)
        clock.sleep(12)
        table.set_panel(None)  # another state, but the same turn
        assert left(table) == (30, 18)
        written = table.story()
        clock.sleep(100)
        assert left(table) == (30, 0)
        assert (table.state().turn, table.story()) == ("Ana", written)
        table.do(MakeBid("Ana", 2, 4))
        assert left(table) == (30, 30)
        clock.sleep(5)
        undo = table.state().undo
        table.do(Undo(undo.step))
        assert left(table) == (30, 30), "Ana's turn begins anew"
        table.do(Pause())
        assert left(table) == (0, 0)
        clock.sleep(600)
        table.do(Resume())
        assert left(table) == (30, 30)
        table.do(MakeBid("Ana", 2, 4))
        table.do(CallDudo("Ben"))
        assert left(table) == (0, 0)
    with Table(Journal(tmp_path), clock=clock) as again:
        assert again.state().turn_seconds == 30


def test_a_game_has_no_clock_unless_it_was_chosen(tmp_path: Path) -> None:
    with Table(Journal(tmp_path), clock=FakeClock()) as table:
        table.do(new_game(SEATS, starter="Ana"))
        assert (table.state().turn_seconds, table.state().series, left(table)) == (0, None, (0, 0))


def test_a_break_follows_a_break_only_after_a_while_but_for_the_host(tmp_path: Path) -> None:
    clock = FakeClock()
    with Table(Journal(tmp_path), clock=clock) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        table.do(commands.Pause())
        table.do(commands.Resume())
        with pytest.raises(TooSoonError) as refused:
            table.do(commands.Pause())
        assert refused.value.message == "A break has only just ended. In 20 s there can be another."
        table.do(commands.Pause(), commands.Actor("k3f9", "Ana", host=True))
        table.do(commands.Resume())
        clock.sleep(BETWEEN_BREAKS)
        assert table.do(commands.Pause()).paused
