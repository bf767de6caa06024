"""What the tables show, and what their records say."""

from __future__ import annotations

from companion.club.tournament import commands
from companion.club.tournament.events import TournamentFormat
from companion.club.tournament.placed_tournament import result_of_record, round_assignments
from companion.member.payloads import Assignment, ClubPlayer, RecordEvent
from companion.table.past.games import Ending
from tests.fakes.tournament import PlayedTournament, numbered


def record(players: list[str], *places: tuple[str, ...]) -> RecordEvent:
    return RecordEvent(
        game="run-1/10",
        began="2026-05-01T19:00:00Z",
        ended="2026-05-01T19:30:00Z",
        ending=Ending.WON if places else Ending.ENDED,
        players=tuple(ClubPlayer(name, "red", 0) for name in players),
        places=places,
        rounds=12,
        ruleset="asmodee-fr",
        rules={},
        calza=True,
        record=(),
    )


def test_each_table_shows_who_plays_there() -> None:
    played = PlayedTournament(numbered(9))
    drawn = played.draw()
    shown = round_assignments(played.now, 1)
    assert shown == {
        table: Assignment(tournament="Club evening", round="Round 1", players=names)
        for table, names in enumerate(drawn.tables, start=1)
    }


def test_a_final_is_called_so() -> None:
    played = PlayedTournament(numbered(8), TournamentFormat.KNOCK_OUT)
    played.play_round()
    played.draw()
    assert [each.round for each in round_assignments(played.now, 1).values()] == ["Round 1", "Round 1"]
    assert [each.round for each in round_assignments(played.now, 2).values()] == ["Final"]


def test_a_table_does_not_wait_for_who_has_left() -> None:
    played = PlayedTournament(numbered(8))
    drawn = played.draw()
    gone, *there = drawn.tables[0]
    played.do(commands.LeaveTournament(gone))
    assert round_assignments(played.now, 1)[1].players == tuple(there)
    played.enter(1, there[0])
    assert gone in round_assignments(played.now, 1)[1].players


def test_a_record_is_a_result() -> None:
    """One dropped out in the game, and one never came."""
    played = PlayedTournament(numbered(5), table_size=5)
    drawn = played.draw()
    won, second, third, dropped, absent = drawn.tables[0]
    heard = record([third, won, dropped, second], (won,), (second,), (third,))
    command = result_of_record(drawn, 1, heard)
    played.do(command)
    assert played.last.places[1] == ((won,), (second,), (third,), (dropped,))
    assert played.last.results[1].game == "run-1/10"
    assert absent not in played.last.seats[1]
    assert result_of_record(played.last, 1, heard) == command


def test_a_record_of_who_sat_down_instead() -> None:
    played = PlayedTournament(numbered(4))
    drawn = played.draw()
    played.do(commands.JoinTournament(("Late",)))
    won, second, third, away = drawn.tables[0]
    played.do(result_of_record(drawn, 1, record([won, second, third, "Late"], ("Late",), (won,), (second, third))))
    assert played.last.seats[1] == (won, second, third, "Late")
    assert played.last.table_of(away) is None


def test_a_record_whose_names_are_known() -> None:
    """One is spelled differently, and one is a guest who does not take part."""
    played = PlayedTournament(numbered(4))
    won, second, third, away = played.draw().tables[0]
    heard = record(["Spelled", "Guest", second, third], ("Guest",), (second, "Spelled"), (third,))
    command = result_of_record(played.last, 1, heard, {"Spelled": won, "Guest": ""})
    assert (command.places, command.absent) == (((second, won), (third,)), (away,))
    played.do(command)
    assert played.last.results[1].names == {"Spelled": won, "Guest": ""}
