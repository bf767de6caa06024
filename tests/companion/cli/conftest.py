"""What the tests of commands about saved games share: one game, played to its end."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.table import Journal, Table, commands
from tests.fakes.new_game import new_game
from tests.fakes.reader import laid_out

COLOURS = {"Ana": "red", "Ben": "blue", "Cid": "green"}

Perudo = Callable[..., Result]


def play_two(table: Table) -> None:
    """A game with an opening roll, a correction, a palifico round, a calza, a count without bids and a player who
    leaves; then one bid of another game."""

    def read(**dice: list[int]) -> None:
        request = table.reveal_wanted()
        table.take_reading(request.reveal, laid_out({COLOURS[name]: faces for name, faces in dice.items()}), b"a jpeg")

    table.do(new_game(list(COLOURS.items()), dice={"Ana": 2, "Ben": 2, "Cid": 3}, roll=True))
    table.do(commands.CountByHand({"Ana": [3], "Ben": [6], "Cid": [6]}))
    table.do(commands.CountByHand({"Ben": [2], "Cid": [4]}))

    table.do(commands.MakeBid("Cid", 2, 4))
    table.do(commands.MakeBid("Ana", 3, 4))
    table.do(commands.CallDudo())
    read(Ana=[4, 6], Ben=[4, 5], Cid=[1, 5, 5])
    table.do(commands.SetDie(1, face=4))
    table.do(commands.OpenRound())

    table.do(commands.MakeBid("Ben", 1, 5))
    table.do(commands.MakeBid("Cid", 2, 5))
    table.do(commands.CallCalza("Ana"))
    read(Ana=[5, 2], Ben=[5], Cid=[1, 2, 3])
    table.do(commands.OpenRound())

    table.do(commands.MakeBid("Ana", 2, 2))
    table.do(commands.MakeBid("Ben", 3, 2))
    table.do(commands.Undo(table.state().undo.step))
    table.do(commands.MakeBid("Ben", 3, 2))
    table.do(commands.MakeBid("Cid", 3, 6))
    table.do(commands.CallDudo())
    read(Ana=[2, 2, 6], Ben=[1], Cid=[2, 3, 4])
    table.do(commands.OpenRound())

    table.do(commands.MakeBid("Cid", 1, 3))
    table.do(commands.LeaveGame("Cid"))

    table.do(commands.AskCount("dudo"))
    table.do(commands.CountByHand({"Ana": [3, 3, 4], "Ben": [1]}))
    table.do(commands.TellCall("dudo", "Ben", "Ana", 3, 3))

    table.do(new_game(list(COLOURS.items())[:2], starter="Ben"))
    table.do(commands.MakeBid("Ben", 4, 6))


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A state folder in which nobody has played."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A state folder with two games: one won, one being played."""
    folder = tmp_path / "state"
    # a second passes at every look, so that no two calls are simultaneous
    with Table(Journal(folder, now=lambda: "2026-11-21T18:30:00.000+00:00"), clock=count().__next__) as table:
        play_two(table)
    return folder


@pytest.fixture
def perudo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Perudo:
    """A function that runs `perudo` with arguments, as from an empty folder."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)

    def run(*arguments: object) -> Result:
        result = CliRunner().invoke(main, [str(argument) for argument in arguments])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return run
