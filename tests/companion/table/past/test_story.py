"""The story of a game: what it tells and what it omits."""

from __future__ import annotations

import pytest

from companion.table import commands
from companion.table.game.events import (
    BidMade,
    CalzaCalled,
    CountAsked,
    CountedByHand,
    DudoCalled,
    Event,
    GameEnded,
    GameOpened,
    Judged,
    Rolled,
    RoundOpened,
)
from companion.table.past.games import game_of_record, games
from companion.table.past.story import latest_story, story
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game

GAME = GameOpened(("Ana", "Ben", "Cid"), ("red", "blue", "green"), "asmodee-fr", True, "Ana")
SHORT = GameOpened(("Ana", "Ben"), ("red", "blue"), "web-fr", False, "Ana", dice=(2, 1))


def story_of(*events: Event) -> list[str]:
    (game,) = games([(event,) for event in events])
    return list(story(game))


def dice(**dice_by_name: list[int]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((name, tuple(faces)) for name, faces in dice_by_name.items())


def test_the_story_goes_from_the_opening_to_the_winner() -> None:
    assert story_of(
        SHORT,
        BidMade("Ana", 1, 6),
        BidMade("Ben", 2, 6),
        DudoCalled("Ana"),
        Judged(dice(Ana=[1, 6], Ben=[2])),
        RoundOpened(),
        BidMade("Ana", 1, 3),
        BidMade("Ben", 2, 3),
        DudoCalled("Ana"),
        Judged(dice(Ana=[3], Ben=[2])),
    ) == [
        "Ana and Ben played by the rules of Calza on turn, without calza.",
        "Round 1: Ana opened with 1 six, and it went up to Ben's 2 sixes; Ana called dudo. "
        "1 six and 1 paco made 2: the bid was right, and Ana lost a die.",
        "Round 2, palifico: Ana opened with 1 three, and it went up to Ben's 2 threes; Ana called dudo. "
        "There was 1 three: the bid was wrong, and Ben lost the last die and was out.",
        "Ana won the game after 2 rounds.",
    ]


def test_an_evening_on_which_the_company_changes_and_much_is_put_right() -> None:
    """A playthrough to read: what the players do, and below it the story that it makes."""
    desk = FakeDesk()
    desk.do(
        new_game([("Ana", "red"), ("Ben", "blue"), ("Cid", "green")], starter="Ana"),
        commands.MakeBid("Ana", 3, 4),
        commands.MakeBid("Ben", 3, 5),
        commands.VoidRound(),  # a cup fell over
        commands.SetPlayerDice("Ben", 4),  # one of Ben's dice has been under the sofa all along
        commands.JoinGame("Dora", "yellow", 3, "Ana"),
        commands.MakeBid("Ana", 4, 4),
        commands.MakeBid("Dora", 5, 4),
        commands.CallDudo("Ben"),
        commands.CountByHand({"Ana": [4, 4, 2, 3, 3], "Dora": [2, 2, 6], "Ben": [5, 5, 6, 6], "Cid": [3, 3, 3, 3, 3]}),
        commands.OpenRound(),
        commands.LeaveGame("Cid"),
        commands.MakeBid("Dora", 3, 6),
        commands.CallDudo("Ben"),
        commands.CountByHand({"Ana": [4, 4, 2, 3, 3], "Dora": [2, 2], "Ben": [5, 5, 6, 6]}),
        commands.OpenRound(),
        commands.LeaveGame("Dora"),  # as the palifico of this round
        commands.ComeBack("Dora"),
        commands.ComeBack("Cid"),
        commands.MakeBid("Dora", 1, 3),
        commands.MakeBid("Cid", 1, 2, accepted=True),  # too low, and it was Ben's turn
        commands.LeaveGame("Cid", concede=True),
        commands.EndGame(),
    )
    assert list(latest_story(desk.history, ()).story) == [
        "Ana, Dora, Ben and Cid played by the rules of Classic, with calza.",
        "Round 1: Ana opened with 3 fours, and it went up to Ben's 3 fives.",
        "Round 1 was void, and was played again.",
        "It was put right that Ben had 4 dice.",
        "Dora joined with 3 dice.",
        "Round 1: Ana opened with 4 fours, and it went up to Dora's 5 fours; Ben called dudo. "
        "2 fours and no pacos made 2: the bid was wrong, and Dora lost a die.",
        "Cid left the table with 5 dice.",
        "Round 2: Dora opened with 3 sixes; Ben called dudo. "
        "2 sixes and no pacos made 2: the bid was wrong, and Dora lost a die.",
        "Dora left the table with 1 die.",
        "Dora came back with 1 die.",
        "Cid came back with 5 dice.",
        "Round 3, palifico: Dora opened with 1 three, and it went up to Cid's 1 two. "
        "Everybody let Cid's bid of 1 two pass, against the rules.",
        "Cid gave the game up with 5 dice.",
        "The game was ended after 3 rounds, before anybody had won.",
    ]


def test_the_story_has_the_opening_rolls() -> None:
    rolling = GameOpened(GAME.players, GAME.colours, "web-fr", True, "", roll=2)
    lines = story_of(rolling, Rolled(dice(Ana=[1, 6], Ben=[3, 4], Cid=[2, 2])), Rolled(dice(Ana=[1, 1], Ben=[1, 2])))
    assert lines[1] == (
        "For the opening they rolled: Ana 1 and 6 (7), Ben 3 and 4 (7) and Cid 2 and 2 (4). "
        "Again, for the tied: Ana 1 and 1 (2) and Ben 1 and 2 (3)."
    )
    assert lines[2:] == ["The game is still being played, after 0 rounds so far."]


@pytest.mark.parametrize(
    ("faces", "end"),
    [
        ([4, 4, 2, 2, 2], "2 fours and no pacos made 2: the bid was exact, and Cid had not lost a die."),
        ([4, 1, 1, 2, 2], "1 four and 2 pacos made 3: the bid was not exact, and Cid lost a die."),
        ([2, 2, 2, 2, 2], "There were no fours and no pacos: the bid was not exact, and Cid lost a die."),
    ],
)
def test_the_story_says_whether_a_calza_was_right(faces: list[int], end: str) -> None:
    lines = story_of(GAME, BidMade("Ana", 2, 4), CalzaCalled("Cid"), Judged(dice(Ana=faces, Ben=[2] * 5, Cid=[2] * 5)))
    assert lines[1] == f"Round 1: Ana opened with 2 fours; Cid called calza. {end}"


def test_the_story_says_who_took_a_die_back() -> None:
    game = GameOpened(GAME.players, GAME.colours, GAME.ruleset, True, "Ana", dice=(5, 5, 4))
    revealed = dice(Ana=[4, 4, 2, 2, 2], Ben=[2] * 5, Cid=[2] * 4)
    assert story_of(game, BidMade("Ana", 2, 4), CalzaCalled("Cid"), Judged(revealed))[1].endswith(
        "Cid took back a die."
    )


def test_assumed_bids_are_not_in_the_story() -> None:
    revealed = dice(Ana=[1] * 5, Ben=[2] * 5, Cid=[2] * 5)
    lines = story_of(
        GAME,
        CountAsked("dudo"),
        CountedByHand(revealed),
        BidMade("Ana", 4, 4, assumed=True),
        BidMade("Ben", 5, 4, assumed=True),
        BidMade("Cid", 3, 1),
        DudoCalled("Ana"),
        Judged(revealed),
    )
    assert lines[1] == (
        "Round 1: Ana opened, and it went up to Cid's 3 pacos; Ana called dudo. "
        "There were 5 pacos: the bid was right, and Ana lost a die."
    )


def test_the_story_says_that_a_call_was_never_judged() -> None:
    lines = story_of(GAME, BidMade("Ana", 2, 4), DudoCalled("Ben"), GameEnded())
    assert lines[1] == "Round 1: Ana opened with 2 fours; Ben called dudo, which was not judged."


def test_an_imported_record_has_a_story_too() -> None:
    lines = [
        '{"event":"game","ruleset":"asmodee-fr","players":["ana","ben"],"starter":"ana"}',
        '{"event":"bid","player":"ana","count":1,"face":2}',
    ]
    assert story(game_of_record(1, lines))[1:] == (
        "Round 1: ana opened with 1 two.",
        "The game was ended after 1 round, before anybody had won.",
    )
