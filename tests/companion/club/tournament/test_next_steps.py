"""What a phone reads."""

from __future__ import annotations

from companion.club.tournament import commands
from companion.club.tournament.events import TournamentFormat
from companion.club.tournament.next_steps import next_steps
from companion.messages.message import PLAIN_TEXT, parts_of
from tests.fakes.tournament import PlayedTournament, numbered


def said(played: PlayedTournament) -> list[tuple[str, str]]:
    steps = next_steps(played.now)
    assert all(part.msgid != PLAIN_TEXT for step in steps for part in parts_of(step.sentence))
    return [(step.action, step.sentence) for step in steps]


def test_an_evening_in_swiss() -> None:
    played = PlayedTournament(rounds=2, table_size=5)
    assert said(played) == [("join", "No players have joined. A round needs 3 players or more.")]
    played.do(commands.JoinTournament(("Ana",)))
    assert said(played) == [("join", "1 player has joined. A round needs 3 players or more.")]
    played.do(commands.JoinTournament(numbered(22)))
    assert said(played) == [
        ("draw", "Round 1 can be drawn: 23 players at 3 tables of 5 and 2 tables of 4."),
        ("join", "More can join."),
    ]
    played.draw()
    assert said(played) == [
        ("enter-results", "Round 1 is being played at 5 tables: no result yet."),
        ("draw-again", "Round 1 can be drawn again until its first result."),
    ]
    played.do(commands.JoinTournament(("Dan", "Eva")))
    for table in (1, 2, 4):
        played.enter(table, *played.last.tables[table - 1])
    assert said(played) == [
        ("enter-results", "2 of 5 results of round 1 are missing: tables 3 and 5."),
        ("draw-despite-missing", "Round 2 can be drawn without the missing results; they can be entered later."),
        ("", "Waiting for the next draw: Dan and Eva."),
    ]
    played.enter(3, *played.last.tables[2])
    assert said(played)[:2] == [
        ("enter-results", "1 of 5 results of round 1 is missing: table 5."),
        ("draw-despite-missing", "Round 2 can be drawn without the missing result; it can be entered later."),
    ]
    played.draw(despite_missing=True)
    played.finish_round()
    leader = played.standings[0].name
    assert said(played) == [
        ("close", f"All 2 rounds are played. {leader} is in the lead. The tournament can be closed."),
        ("enter-results", "1 of 5 results of round 1 is missing: table 5."),
    ]
    played.enter(5, *played.now.rounds[0].tables[4], of_round=1)
    winner = played.standings[0].name
    assert said(played) == [("close", f"All 2 rounds are played. {winner} has won. The tournament can be closed.")]
    played.do(commands.CloseTournament())
    assert said(played) == [("reopen", f"The tournament is closed. {winner} has won.")]


def test_who_leads_may_be_two() -> None:
    played = PlayedTournament(numbered(8), rounds=2)
    played.play_round()
    first = [each.name for each in played.standings if each.place == 1]
    assert said(played) == [("draw", "Round 2 can be drawn: 8 players at 2 tables of 4.")]
    played.do(commands.CloseTournament())
    assert said(played) == [
        ("reopen", f"The tournament is closed. The first place is shared by {first[0]} and {first[1]}.")
    ]
    played = PlayedTournament(numbered(8))
    played.do(commands.CloseTournament())
    assert said(played) == [("reopen", "The tournament is closed.")]


def test_a_tournament_of_one_round_at_one_table() -> None:
    played = PlayedTournament(numbered(4), rounds=1)
    assert said(played)[0] == ("draw", "Round 1 can be drawn: 4 players at one table.")
    played.draw()
    assert said(played)[0] == ("enter-results", "Round 1 is being played: no result yet.")
    played.do(commands.JoinTournament(("Eva",)))
    assert said(played)[2:] == [], "there is no next draw"
    played.finish_round()
    assert said(played) == [("close", "The only round is played. P00 has won. The tournament can be closed.")]


def test_one_who_comes_late_waits_alone() -> None:
    played = PlayedTournament(numbered(8))
    played.draw()
    played.do(commands.JoinTournament(("Eva",)))
    assert said(played)[-1] == ("", "Waiting for the next draw: Eva.")


def test_too_few_are_left() -> None:
    played = PlayedTournament(numbered(4))
    played.play_round()
    played.do(commands.LeaveTournament("P00"), commands.LeaveTournament("P02"))
    assert said(played) == [
        ("close", "A round needs 3 players or more. P00 is in the lead. The tournament can be closed.")
    ]


def test_a_knock_out() -> None:
    played = PlayedTournament(numbered(14), TournamentFormat.KNOCK_OUT, table_size=5)
    assert said(played)[0] == ("draw", "Round 1 can be drawn: 14 players at 2 tables of 5 and 1 table of 4.")
    first = played.draw()
    for table, names in enumerate(first.tables[:2], start=1):
        played.enter(table, *names)
    assert said(played) == [("enter-results", "1 of 3 results of round 1 is missing: table 3.")]
    winner, *others = first.tables[2]
    played.enter(3, winner, others)
    shared = f"{', '.join(others[:-1])} and {others[-1]}"
    assert said(played) == [
        ("draw", "The final can be drawn: 6 players go on, at one table."),
        ("", f"The last place that goes on is shared by {shared}. The score so far decides, then the lot."),
    ]
    final = played.draw()
    assert said(played) == [
        ("enter-results", "The final is being played: no result yet."),
        ("draw-again", "The final can be drawn again until its first result."),
    ]
    one, two, *_ = final.tables[0]
    played.enter(1, (one, two))
    assert said(played)[0] == ("draw", "The play-off can be drawn: 2 players go on, at one table.")
    played.draw()
    played.enter(1, two)
    assert said(played) == [("close", f"{two} has won. The tournament can be closed.")]
    played.do(commands.CloseTournament())
    assert said(played) == [("reopen", f"The tournament is closed. {two} has won.")]
