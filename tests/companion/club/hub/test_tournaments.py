"""Games that end at the tables of a draw: which give a result by themselves, and which a manager is asked about."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.club.hub.store import Store
from companion.club.hub.tables import LobbyTable
from companion.club.hub.tournaments import EndedGame, TournamentAnswer, Tournaments, TournamentTable
from companion.club.tournament import commands
from companion.member.payloads import EventKey, EventMessage, RecordEvent
from companion.table.past.games import Ending
from tests.fakes.club_records import club_record

NAMES = ("Ana", "Ben", "Cid", "Dora", "Eve", "Finn", "Gil", "Hana")
TABLES = ("t-door", "t-window")


class Evening:
    """A tournament at two tables, whose first round is drawn."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._before: dict[str, EventMessage] = {}
        self.begin()
        self.tournaments.open(commands.OpenTournament("Cup", table_size=4))
        self.do(commands.JoinTournament(NAMES))
        self.do(commands.DrawRound(1))

    def begin(self) -> None:
        self.store = Store(self._folder)
        there = [LobbyTable(table=table, name=table, online=True, state=None, assignment=None) for table in TABLES]
        self.tournaments = Tournaments(self.store, random.Random(1), lambda: there, lambda *_: None)

    def restart(self) -> None:
        self.store.close()
        self.begin()

    def do(self, command: commands.AnyTournamentCommand) -> TournamentAnswer:
        return self.tournaments.do(1, command)

    @property
    def now(self) -> TournamentAnswer:
        return self.tournaments.one(1)

    def table(self, number: int = 1) -> TournamentTable:
        return self.now.rounds[-1].tables[number - 1]

    @property
    def ended(self) -> EndedGame:
        return self.table().ended

    def record(self, record: RecordEvent, table: str = TABLES[0]) -> None:
        before = self._before.get(table)
        message = EventMessage(
            run="1-a",
            seq=0 if before is None else before.seq + 1,
            before=None if before is None else EventKey(before.run, before.seq),
            at="",
            what=record,
        )
        self._before[table] = message
        self.store.take([(table, message)])
        self.tournaments.take_records()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.store.close()


def spelled(evening: Evening, *wrong: str) -> tuple[str, ...]:
    """The players of table 1, the first of them by other names."""
    players = evening.table().players
    return (*wrong, *players[len(wrong) :])


def test_a_game_of_those_who_were_drawn_gives_a_result(evening: Evening) -> None:
    evening.record(club_record("t-door.a/1", *spelled(evening)))
    assert evening.table().places == tuple((name,) for name in evening.table().players)
    assert evening.table().ended is None


def test_a_result_stays_if_its_game_comes_again_without_a_winner(evening: Evening) -> None:
    players = evening.table().players
    evening.record(club_record("t-door.a/1", *players))
    evening.record(club_record("t-door.a/1", players=players))
    assert evening.table().places == tuple((name,) for name in players)
    evening.record(club_record("t-window.a/1", *evening.table(2).players), "t-window")
    assert evening.table(2).places is not None, "what comes later is taken all the same"


@pytest.mark.parametrize("wrong", [("Fiona",), ("Fiona", "Xaver", "José")])
def test_a_game_under_another_spelling_is_asked_about(evening: Evening, wrong: tuple[str, ...]) -> None:
    names = spelled(evening, *wrong)
    evening.record(club_record("t-door.a/1", *names))
    assert evening.table().places is None
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    assert evening.ended.sentence == f"A game of {listed} has ended at table 1. Is it theirs?"
    assert (evening.ended.game, evening.ended.places) == ("t-door.a/1", tuple((name,) for name in names))
    assert evening.table(2).ended is None
    evening.restart()
    assert evening.ended.game == "t-door.a/1"


def test_a_manager_says_who_they_were_and_what_is_corrected_later_counts(evening: Evening) -> None:
    one, two, three, four = evening.table().players
    evening.record(club_record("t-door.a/1", "Fiona", two, "Xaver", three))
    names = {"Fiona": one, "Xaver": ""}
    places = ((one,), (two,), (three,))
    evening.do(commands.EnterResult(1, 1, places, (four,), "t-door.a/1", names))
    assert evening.table().places == places
    assert evening.table().ended is None
    evening.restart()
    evening.record(club_record("t-door.a/1", two, "Xaver", "Fiona", three))
    assert evening.table().places == ((two,), (one,), (three,))
    assert evening.table().absent == (four,)


def test_whose_end_is_taken_back_is_not_asked_about(evening: Evening) -> None:
    game = club_record("t-door.a/1", *spelled(evening, "Fiona"))
    evening.record(game)
    evening.record(replace(game, ending=Ending.PLAYING))
    assert evening.table().ended is None
    evening.record(game)
    assert evening.ended.game == "t-door.a/1"


def test_a_result_that_is_taken_back_is_asked_about_again(evening: Evening) -> None:
    game = club_record("t-door.a/1", *spelled(evening, "Fiona"))
    evening.record(game)
    one, *others = evening.table().players
    places = ((one,), *((name,) for name in others))
    evening.do(commands.EnterResult(1, 1, places, (), game.game, {"Fiona": one}))
    evening.record(replace(game, ending=Ending.PLAYING))
    assert evening.table().places is None
    evening.record(game)
    assert evening.ended.game == game.game


def test_a_game_that_was_removed_with_its_table_is_not_asked_about_and_results_stay(evening: Evening) -> None:
    evening.record(club_record("t-window.a/1", *evening.table(2).players), TABLES[1])
    evening.record(club_record("t-door.a/1", *spelled(evening, "Fiona")))
    for table in TABLES:
        evening.store.remove(table, games=True)
        evening.tournaments.forget_games(table)
    for _ in range(2):
        assert evening.table().ended is None
        assert evening.table(2).places is not None
        evening.restart()


@pytest.mark.parametrize("game", [club_record("t-door.a/1"), club_record("t-door.a/1", players=("Xaver", "Yusuf"))])
def test_a_game_that_nobody_won_is_not_asked_about(evening: Evening, game: RecordEvent) -> None:
    evening.record(game)
    assert evening.table().ended is None


def test_only_the_last_game_is_asked_about_until_the_next_draw(evening: Evening) -> None:
    evening.record(club_record("t-door.a/1", "Xaver", "Yusuf"))
    evening.record(club_record("t-door.a/2", "Xaver", "Zoe"))
    assert evening.ended.game == "t-door.a/2"
    evening.do(commands.DrawRound(1, again=True))
    assert evening.table().ended is None
    evening.record(club_record("t-door.a/3", "Xaver", "Zoe"))
    other = evening.table(2).players
    evening.do(commands.EnterResult(1, 2, tuple((name,) for name in other)))
    evening.do(commands.DrawRound(2, despite_missing=True))
    assert evening.table().ended is None
    assert evening.now.rounds[0].tables[0].ended is not None, "it may be theirs still"
    evening.record(club_record("t-door.a/4", *evening.table().players))
    assert evening.table().places is not None
    assert evening.now.rounds[0].tables[0].ended is None
    evening.do(commands.TakeBackResult(2, 1))
    evening.do(commands.TakeBackDraw(2))
    evening.record(club_record("t-moon.a/1", "Xaver", "Zoe"), "t-moon")
    assert [each.ended for each in evening.now.rounds[0].tables] == [None, None], "of no table of the draw"


def test_a_game_at_a_table_with_a_result_is_not_asked_about(evening: Evening) -> None:
    evening.record(club_record("t-door.a/1", *spelled(evening)))
    evening.record(club_record("t-door.a/2", "Xaver", "Yusuf"))
    assert evening.table().ended is None
    evening.do(commands.TakeBackResult(1, 1))
    assert evening.table().ended is None
