"""What a command does, and why it is refused."""

from __future__ import annotations

from random import Random

import pytest

from companion.club.tournament import commands, events
from companion.club.tournament.decide import decide_tournament
from companion.club.tournament.events import TournamentFormat
from companion.member.errors import ClubError, NotAllowedInClubError, UnreadableInClubError
from tests.fakes.tournament import PlayedTournament, numbered


@pytest.fixture
def drawn() -> PlayedTournament:
    """Eight players at two tables, in round 1."""
    played = PlayedTournament(numbered(8))
    played.draw()
    return played


def result(
    played: PlayedTournament, table: int, *, absent: tuple[str, ...] = (), game: str = ""
) -> commands.EnterResult:
    places = tuple((name,) for name in played.last.tables[table - 1])
    return commands.EnterResult(played.last.number, table, places, absent, game)


def refusal(played: PlayedTournament, command: commands.AnyTournamentCommand) -> ClubError:
    before, count = played.now, len(played.events)
    with pytest.raises(ClubError) as refused:
        played.do(command)
    assert (played.now, len(played.events)) == (before, count)
    assert refused.value.sentence == str(refused.value)
    assert refused.value.sentence.endswith(".")
    return refused.value


# Opening and joining


@pytest.mark.parametrize(
    "command",
    [
        commands.OpenTournament(" "),
        commands.OpenTournament("x" * 61),
        commands.OpenTournament("two\nlines"),
        commands.OpenTournament("x", rounds=0),
        commands.OpenTournament("x", rounds=21),
        commands.OpenTournament("x", table_size=3),
        commands.OpenTournament("x", table_size=7),
        commands.OpenTournament("x", qualifiers=0),
        commands.OpenTournament("x", qualifiers=4),
    ],
)
def test_what_cannot_be_opened(command: commands.OpenTournament) -> None:
    with pytest.raises(UnreadableInClubError):
        decide_tournament(None, command, Random(1))


def test_a_tournament_is_opened_once_and_first() -> None:
    played = PlayedTournament()
    assert "This tournament has been opened already" in str(refusal(played, commands.OpenTournament("Another")))
    with pytest.raises(NotAllowedInClubError, match="Open the tournament first"):
        decide_tournament(None, commands.DrawRound(1), Random(1))


def test_a_title_is_trimmed() -> None:
    (opened,) = decide_tournament(None, commands.OpenTournament("  Spring  "), Random(1))
    assert opened == events.TournamentOpened(
        title="Spring", format=TournamentFormat.SWISS, rounds=5, table_size=5, qualifiers=2
    )


@pytest.mark.parametrize("name", ["", " Ana", "Ana ", "x" * 25, "A\nna", "A\u202ena"])
def test_what_is_no_name(name: str) -> None:
    assert isinstance(refusal(PlayedTournament(), commands.JoinTournament((name,))), UnreadableInClubError)


def test_names_must_not_look_alike() -> None:
    played = PlayedTournament(["Ana"])
    assert refusal(played, commands.JoinTournament(("Ben", "ANA"))).sentence == "Ana is in this tournament already."
    assert "is named twice" in str(refusal(played, commands.JoinTournament(("Ben", "ben"))))
    assert "Say who joins" in str(refusal(played, commands.JoinTournament(())))


def test_a_tournament_has_room_for_400() -> None:
    played = PlayedTournament(numbered(400))
    assert "A tournament has room for" in str(refusal(played, commands.JoinTournament(("One more",))))


def test_who_has_left_returns_and_does_not_join_again() -> None:
    played = PlayedTournament(["Ana"])
    assert "has not left" in str(refusal(played, commands.ReturnToTournament("Ana")))
    played.do(commands.LeaveTournament("Ana"))
    assert "has left already" in str(refusal(played, commands.LeaveTournament("Ana")))
    assert "let them return" in refusal(played, commands.JoinTournament(("Ana",))).sentence
    played.do(commands.ReturnToTournament("Ana"))
    assert played.now.active == ("Ana",)
    assert "is not in this tournament: let them join first" in str(refusal(played, commands.LeaveTournament("Ben")))


def test_a_name_that_was_not_drawn_is_taken_out_and_can_be_spelled_anew() -> None:
    played = PlayedTournament(["Ana", "Bne", "Cid"])
    played.do(commands.TakeBackJoin("Bne"), commands.JoinTournament(("Ben",)))
    assert list(played.now.entrants) == ["Ana", "Cid", "Ben"]
    assert "Bne" not in {each.name for each in played.standings}
    assert "is not in this tournament: let them join first" in str(refusal(played, commands.TakeBackJoin("Bne")))
    played.draw()
    assert "has been drawn already, and can only leave" in str(refusal(played, commands.TakeBackJoin("Ben")))
    played.do(commands.JoinTournament(("Late",)), commands.TakeBackJoin("Late"))
    assert "Late" not in played.now.entrants
    played.do(commands.TakeBackDraw(1), commands.TakeBackJoin("Ben"))
    assert played.now.active == ("Ana", "Cid")


def test_who_sat_down_without_being_drawn_or_was_absent_is_not_taken_out(drawn: PlayedTournament) -> None:
    drawn.do(commands.JoinTournament(("Late",)))
    absent, *there = drawn.last.tables[0]
    drawn.enter(1, "Late", *there, absent=[absent])
    for name in ("Late", absent):
        assert "has been drawn already, and can only leave" in str(refusal(drawn, commands.TakeBackJoin(name)))


def test_a_tournament_without_a_round_is_taken_away(drawn: PlayedTournament) -> None:
    assert "A round has been drawn: the tournament can only be closed" in str(
        refusal(drawn, commands.RemoveTournament())
    )
    drawn.do(commands.TakeBackDraw(1), commands.RemoveTournament())
    assert drawn.now.removed
    assert "Open the tournament first" in str(refusal(drawn, commands.JoinTournament(("Late",))))
    assert "This tournament has been opened already" in str(refusal(drawn, commands.OpenTournament("Another")))


# Draws


def test_a_second_tap_draws_nothing(drawn: PlayedTournament) -> None:
    assert "has been drawn already" in str(refusal(drawn, commands.DrawRound(1)))
    assert "comes first" in str(refusal(drawn, commands.DrawRound(3)))


def test_a_round_is_drawn_again_until_its_first_result(drawn: PlayedTournament) -> None:
    first = drawn.last
    drawn.do(commands.JoinTournament(("Late",)))
    again = drawn.draw(again=True)
    assert again.number == 1
    assert again.tables != first.tables
    assert drawn.last.table_of("Late") is not None
    assert [type(event).__name__ for event in drawn.events[-2:]] == ["DrawTakenBack", "RoundDrawn"]
    drawn.do(result(drawn, 1))
    assert "has a result already, and stays as drawn" in str(refusal(drawn, commands.DrawRound(1, again=True)))
    drawn.do(commands.TakeBackResult(1, 1))
    drawn.draw(again=True)


def test_only_the_last_draw_is_taken_back(drawn: PlayedTournament) -> None:
    drawn.finish_round()
    drawn.draw()
    assert "is not the last that was drawn" in str(refusal(drawn, commands.TakeBackDraw(1)))
    assert "is not the last that was drawn" in str(refusal(drawn, commands.DrawRound(1, again=True)))
    drawn.do(commands.TakeBackDraw(2))
    assert len(drawn.now.rounds) == 1
    assert "has a result already, and stays as drawn" in str(refusal(drawn, commands.TakeBackDraw(1)))


def test_a_draw_waits_for_results_unless_told_otherwise(drawn: PlayedTournament) -> None:
    assert refusal(drawn, commands.DrawRound(2)).sentence == "Round 1 is being played at 2 tables: no result yet."
    drawn.do(result(drawn, 1))
    assert refusal(drawn, commands.DrawRound(2)).sentence == "1 of 2 results of round 1 is missing: table 2."
    missing = result(drawn, 2)
    drawn.draw(despite_missing=True)
    drawn.draw(again=True)
    drawn.do(missing)
    assert drawn.now.rounds[0].missing == ()
    assert len(drawn.now.rounds) == 2


def test_there_are_as_many_rounds_as_were_agreed() -> None:
    played = PlayedTournament(numbered(4), rounds=2)
    played.play_round()
    played.play_round()
    assert refusal(played, commands.DrawRound(3)).sentence == "All 2 rounds are drawn."


# Results


def test_a_result_that_is_entered_already_is_no_event(drawn: PlayedTournament) -> None:
    drawn.do(result(drawn, 1, game="run-1/10"))
    count = len(drawn.events)
    drawn.do(result(drawn, 1, game="run-1/10"))
    assert len(drawn.events) == count
    drawn.do(result(drawn, 1, game="run-1/20"))
    assert len(drawn.events) == count + 1
    assert drawn.last.results[1].game == "run-1/20"


def test_a_result_is_taken_back(drawn: PlayedTournament) -> None:
    assert "has no result in round" in str(refusal(drawn, commands.TakeBackResult(1, 1)))
    drawn.do(result(drawn, 1), commands.TakeBackResult(1, 1))
    assert drawn.last.missing == (1, 2)


@pytest.mark.parametrize(
    ("places", "sentence"),
    [
        ((), "A result names at least the winner"),
        (((),), "A result names at least the winner"),
        ((("P00",), ()), "A result names at least the winner"),
        ((("P00",), ("P00",)), "is named twice"),
    ],
)
def test_a_result_that_cannot_be_read(
    drawn: PlayedTournament, places: tuple[tuple[str, ...], ...], sentence: str
) -> None:
    refused = refusal(drawn, commands.EnterResult(1, 1, places))
    assert isinstance(refused, UnreadableInClubError)
    assert sentence in str(refused)


def test_a_result_belongs_to_a_table_of_a_round(drawn: PlayedTournament) -> None:
    name = drawn.last.tables[0][0]
    assert refusal(drawn, commands.EnterResult(2, 1, ((name,),))).sentence == "Round 2 has not been drawn."
    assert "There is no table" in str(refusal(drawn, commands.EnterResult(1, 3, ((name,),))))


def test_a_result_names_players_who_can_have_played(drawn: PlayedTournament) -> None:
    (one, *_), (other, *_) = drawn.last.tables
    assert refusal(drawn, commands.EnterResult(1, 1, ((one,), ("Zoe",)))).sentence == (
        "Zoe is not in this tournament: let them join first."
    )
    drawn.enter(2, other)
    assert refusal(drawn, commands.EnterResult(1, 1, ((one,), (other,)))).sentence == (
        f"{other} is in the result of table 2. Correct that one first."
    )
    dropped = drawn.last.tables[1][1]
    drawn.enter(1, one, dropped)
    assert drawn.last.table_of(dropped) == 1


def test_who_is_absent_was_drawn_there_and_is_not_placed(drawn: PlayedTournament) -> None:
    (one, two, *_), (other, *_) = drawn.last.tables
    assert "was not drawn at table" in str(refusal(drawn, commands.EnterResult(1, 1, ((one,),), (other,))))
    assert "is named twice" in str(refusal(drawn, commands.EnterResult(1, 1, ((one,), (two,)), (two,))))


# Closing


def test_after_closing_only_results_change(drawn: PlayedTournament) -> None:
    drawn.do(result(drawn, 1), commands.CloseTournament())
    late, leave = commands.JoinTournament(("Late",)), commands.LeaveTournament("P00")
    for command in (late, commands.DrawRound(2), commands.TakeBackDraw(1), commands.CloseTournament()):
        assert "The tournament is closed. Reopen it first" in str(refusal(drawn, command))
    drawn.do(leave, result(drawn, 2), commands.TakeBackResult(1, 1))
    assert "The tournament is closed. Reopen it first" in str(refusal(drawn, commands.ReturnToTournament("P00")))
    drawn.do(commands.ReopenTournament(), late)
    assert "The tournament is not closed" in str(refusal(drawn, commands.ReopenTournament()))
