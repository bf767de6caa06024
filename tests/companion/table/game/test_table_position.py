"""Series of games: a playthrough to read, and what does and does not belong to one."""

from __future__ import annotations

import pytest

from companion.table.commands import EndGame, LeaveGame, MakeBid, Redo, Undo
from companion.table.game.history import History, standing_steps
from companion.table.game.table_position import Series
from companion.table.past.games import games
from companion.table.past.story import story
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game

COLOURS = {"Ana": "red", "Ben": "blue", "Cid": "green"}


def play(desk: FakeDesk, line: str) -> str:
    """Play a line of the playthrough, and give the series as text.

    "Ana wins": a new game of "Ana Ben", first to 2, which Ana wins. "Ana wins, first to 3, with Cid" has what differs.
    "nobody": it is ended after a bid. "no bid": before one.
    """
    what, *more = line.split(", ")
    names = ["Ana", "Ben", *(each.removeprefix("with ") for each in more if each.startswith("with "))]
    first_to = next((int(each.split()[-1]) for each in more if each.startswith("first to")), 2)
    desk.do(new_game([(name, COLOURS[name]) for name in names], starter="Ana", abandon=True, first_to=first_to))
    if what != "no bid":
        desk.do(MakeBid("Ana", 2, 4))
    if what.endswith(" wins"):
        desk.do(*(LeaveGame(name, True) for name in names if name != what.split()[0]))
    else:
        desk.do(EndGame())
    return text(desk)


def text(desk: FakeDesk) -> str:
    series = desk.position.series
    if series is None:
        return "none"
    return " ".join(f"{name} {games}" for name, games in series.wins.items()) + (
        f", {series.winner}!" * bool(series.winner)
    )


PLAYTHROUGH = """
Ana wins                         Ana 1 Ben 0
nobody                           Ana 1 Ben 0
Ben wins                         Ana 1 Ben 1
no bid, with Cid                 Ana 0 Ben 0 Cid 0
Ben wins                         Ana 1 Ben 2, Ben!
Ana wins                         Ana 1 Ben 0
Ana wins, first to 3             Ana 1 Ben 0
Cid wins, first to 3, with Cid   Ana 0 Ben 0 Cid 1
no bid, first to 0               none
Cid wins, first to 3, with Cid   Ana 0 Ben 0 Cid 2
Ana wins, first to 0             none
Cid wins, first to 3, with Cid   Ana 0 Ben 0 Cid 1
"""
"""Each game, and the series after it. A game without a bid is none; another length or company is another series."""


def test_a_playthrough() -> None:
    desk = FakeDesk()
    for line in PLAYTHROUGH.strip().splitlines():
        game, series = line[:33].strip(), line[33:]
        assert play(desk, game) == series, game


def test_undo_takes_a_win_back_and_redo_gives_it_again() -> None:
    desk = FakeDesk()
    play(desk, "Ana wins")
    assert play(desk, "Ana wins") == "Ana 2 Ben 0, Ana!"
    desk.do(Undo(desk.history.last.number))
    assert text(desk) == "Ana 1 Ben 0"
    desk.do(Redo(desk.history.undone.number))
    assert text(desk) == "Ana 2 Ben 0, Ana!"


def test_a_restart_goes_on_with_the_series() -> None:
    desk = FakeDesk()
    play(desk, "Ben wins")
    history = History()
    for line in desk.lines:
        history = history.after(line)
    assert play(FakeDesk(history), "Ben wins") == "Ana 0 Ben 2, Ben!"


def test_the_story_ends_with_the_series() -> None:
    desk = FakeDesk()
    play(desk, "Ana wins")
    play(desk, "Ben wins")
    play(desk, "Ben wins")
    told = [story(game)[-1] for game in games(standing_steps(desk.lines))]
    assert list(map(str, told)) == [
        "In the series, first to 2, it stood: Ana 1 and Ben 0.",
        "In the series, first to 2, it stood: Ana 1 and Ben 1.",
        "Ben won the series, first to 2: Ana 1 and Ben 2.",
    ]


@pytest.mark.parametrize(("wins", "winner"), [({"Ana": 1, "Ben": 0}, None), ({"Ana": 1, "Ben": 2}, "Ben")])
def test_who_has_won_enough_games_has_won_the_series(wins: dict[str, int], winner: str | None) -> None:
    assert Series(2, wins).winner == winner
