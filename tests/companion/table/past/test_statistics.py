"""The statistics of players and the camera, each number calculated by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import msgspec
import pytest

from companion.table.game.events import (
    BidMade,
    CalzaCalled,
    CountAsked,
    CountedByHand,
    DieAdded,
    DieSet,
    DieStruck,
    DudoCalled,
    Event,
    GameEnded,
    GameLeft,
    GameOpened,
    Judged,
    NewcomerSeated,
    PlayerDiceSet,
    ReadingAsked,
    RoundOpened,
    RoundVoided,
)
from companion.table.game.table_reading import reading_taken
from companion.table.past.game_summary import game_summary, of_company
from companion.table.past.games import Game, games
from companion.table.past.statistics import (
    BidStatistics,
    CallStatistics,
    CameraStatistics,
    PlayerStatistics,
    height,
    statistics,
)
from tests.fakes.reader import laid_out

GAME = GameOpened(("Ana", "Ben", "Cid"), ("red", "blue", "green"), "asmodee-fr", True, "Ana", dice=(1, 2, 3))
DICE = (("Ana", (4,)), ("Ben", (4, 1)), ("Cid", (2, 3, 5)))
"""Two fours and a paco, six dice."""


def of(*events: Event) -> list[Game]:
    return games([(event,) for event in events])


def player(name: str, *events: Event) -> PlayerStatistics:
    return next(each for each in statistics(of(*events)).players if each.name == name)


ROUND = (GAME, BidMade("Ana", 2, 4), BidMade("Ben", 3, 4), DudoCalled("Cid"), Judged(DICE))


def test_a_dudo_counts_for_the_caller_and_for_the_bidder() -> None:
    # Six dice, each a four or a paco with 1/3: three or more of them in 233 of 729 throws.
    holds = float(Fraction(233, 729))
    cid, ben = player("Cid", *ROUND), player("Ben", *ROUND)
    assert cid.dudos == CallStatistics(called=1, right=0, expected=round(1 - holds, 3))
    assert (cid.lost, cid.called, cid.bids) == (1, BidStatistics(), 0)
    assert ben.called == BidStatistics(times=1, held=1, held_expected=round(holds, 3), matched=3, matched_expected=2.0)
    assert (ben.called.luck, ben.dudos, ben.bids, ben.highest) == (1.0, CallStatistics(), 1, (3, 4))


def test_the_expectation_of_a_calza_is_the_chance_of_an_exact_match() -> None:
    events = (*ROUND[:3], CalzaCalled("Ana"), Judged(DICE))
    exact = float(Fraction(20 * 8, 729))  # 6 over 3 times (1/3)^3 (2/3)^3
    ana = player("Ana", *events)
    assert ana.calzas == CallStatistics(called=1, right=1, expected=round(exact, 3))
    assert (ana.regained, ana.lost, ana.dudos) == (1, 0, CallStatistics())
    assert player("Ben", *events).called.times == 1


def test_the_expectation_leaves_out_pacos_that_are_not_wild() -> None:
    events = (*ROUND, RoundOpened(), BidMade("Cid", 1, 4), BidMade("Ana", 1, 1), DudoCalled("Ben"))
    last = Judged((("Ana", (1,)), ("Ben", (1, 1)), ("Cid", (4, 4))))
    ana = player("Ana", *events, last)
    assert (ana.called.matched, ana.called.matched_expected) == (3, round(5 / 6, 3))
    palifico = (
        msgspec.structs.replace(GAME, dice=(2, 2, 2)),
        *(BidMade("Ana", 6, 2), DudoCalled("Ben"), Judged((("Ana", (3, 3)), ("Ben", (3, 3)), ("Cid", (3, 3))))),
        *(RoundOpened(), BidMade("Ana", 2, 2), DudoCalled("Ben")),
        Judged((("Ana", (1,)), ("Ben", (2, 3)), ("Cid", (2, 3)))),
    )
    ana = player("Ana", *palifico)
    assert (ana.palifico, ana.called.matched) == (1, 2)
    assert ana.called.matched_expected == round(6 / 3 + 5 / 6, 3)


def test_dice_are_counted_where_a_dudo_costs_the_difference() -> None:
    rules = msgspec.structs.replace(GAME, rules=(("dudo_costs", "difference"),), dice=(1, 4, 2))
    judged = Judged((("Ana", (2,)), ("Ben", (4, 2, 2, 2)), ("Cid", (2, 2))))
    ben = player("Ben", rules, BidMade("Ana", 1, 4), BidMade("Ben", 4, 4), DudoCalled("Cid"), judged)
    assert (ben.lost, ben.called.times) == (3, 1)


def test_luck_is_summed_over_all_calls_and_can_be_negative() -> None:
    unlucky = Judged((("Ana", (2,)), ("Ben", (2, 2)), ("Cid", (2, 3, 5))))
    events = (*ROUND, *ROUND[:4], unlucky)
    assert player("Ben", *events).called.luck == 1.0 - 2.0


def test_assumed_bids_are_not_counted() -> None:
    events = (GAME, BidMade("Ana", 2, 4, assumed=True), BidMade("Ben", 3, 4), DudoCalled("Cid"), Judged(DICE))
    assert (player("Ana", *events).bids, player("Ana", *events).highest) == (0, None)
    assert player("Ben", *events).bids == 1


def test_a_corrected_verdict_counts_once() -> None:
    corrected = (*ROUND, Judged((("Ana", (4,)), ("Ben", (2, 2)), ("Cid", (2, 3, 5)))))
    assert player("Cid", *corrected).dudos.right == 1
    assert (player("Cid", *corrected).lost, player("Ben", *corrected).lost) == (0, 1)


def test_only_rounds_in_which_a_player_had_dice_count() -> None:
    events = (*ROUND, RoundOpened(), BidMade("Cid", 1, 4), GameLeft("Ana", True), BidMade("Cid", 1, 5))
    assert [(name, player(name, *events).rounds) for name in GAME.players] == [("Ana", 2), ("Ben", 2), ("Cid", 2)]
    more = (*events, DudoCalled("Ben"), Judged((("Ben", (2, 2)), ("Cid", (2, 2)))), RoundOpened(), BidMade("Cid", 1, 4))
    assert [player(name, *more).rounds for name in GAME.players] == [2, 3, 3]
    assert statistics(of(*more)).rounds == 3


def test_the_same_name_is_the_same_person_and_the_best_comes_first() -> None:
    duel = GameOpened(("Ben", "Dov"), ("blue", "red"), "asmodee-fr", True, "Ben", dice=(1, 1))
    won = (duel, BidMade("Ben", 2, 4), DudoCalled("Dov"), Judged((("Ben", (2,)), ("Dov", (3,)))))
    result = statistics(of(*ROUND, GameEnded(), *won))
    assert [(each.name, each.games, each.won) for each in result.players] == [
        ("Dov", 1, 1),
        ("Ben", 2, 0),
        ("Ana", 1, 0),
        ("Cid", 1, 0),
    ]
    assert (result.games, result.won) == (2, 1)


def test_a_company_is_a_set_of_players_in_any_seats() -> None:
    later = GameOpened(("Cid", "Ana"), ("green", "red"), "asmodee-fr", True, "Ana")
    games = [game_summary(game, "") for game in of(GAME, later)]
    assert [game.number for game in of_company(games, ["Ana", "Cid"])] == [2]
    assert [game.number for game in of_company(games, ["Ben", "Cid", "Ana"])] == [1]
    assert of_company(games, ["Ana"]) == []


def test_bids_are_in_ascending_order() -> None:
    bids = [BidMade("", count, face) for count, face in ((7, 6), (8, 2), (8, 6), (4, 1), (9, 2), (5, 1))]
    assert sorted(bids, key=lambda bid: height(bid, wild=True)) == bids


def test_a_bid_on_pacos_that_are_not_wild_is_the_lowest() -> None:
    bids = [BidMade("", count, face) for count, face in ((3, 6), (4, 1), (4, 2), (7, 6))]
    assert sorted(bids, key=lambda bid: height(bid, wild=False)) == bids
    tame = msgspec.structs.replace(GAME, rules=(("pacos_wild", False),))
    assert player("Ben", tame, BidMade("Ana", 3, 6), BidMade("Ben", 4, 6), BidMade("Cid", 5, 6)).highest == (4, 6)
    lap = (BidMade("Ana", 4, 1), BidMade("Ben", 4, 2), BidMade("Cid", 4, 3), BidMade("Ana", 4, 6))
    assert player("Ana", tame, *lap).highest == (4, 6)


# The camera

SHOWN = {"red": [4], "blue": [4, 1], "green": [2, 3, 5]}
TAKEN = reading_taken(1, laid_out(SHOWN, uncertain=[("blue", 1)]), picture=True)
"""Dice 0 to 5; number 2 is uncertain."""
CALL = (GAME, BidMade("Ana", 2, 4), DudoCalled("Ben"))
BOX = (9.0, 9.0, 40.0, 40.0)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ([], CameraStatistics(untouched=1)),
        ([DieSet(0, 5, None)], CameraStatistics(face=1)),
        ([DieSet(0, 5, None), DieSet(0, 4, None)], CameraStatistics(confirmed=1)),
        ([DieSet(0, 5, None), DieSet(0, 6, None)], CameraStatistics(face=1)),
        ([DieSet(2, 1, "blue")], CameraStatistics(confirmed=1)),
        ([DieSet(1, 5, "red")], CameraStatistics(face=1, colour=1)),
        ([DieStruck(1)], CameraStatistics(struck=1)),
        ([DieAdded(3, "red", BOX)], CameraStatistics(added=1)),
        ([DieAdded(3, "red", BOX), DieStruck(6)], CameraStatistics()),
        ([DieAdded(3, "red", BOX), DieSet(6, 4, None)], CameraStatistics(added=1)),
        ([ReadingAsked()], CameraStatistics()),
        ([CountedByHand(DICE), Judged(DICE)], CameraStatistics(by_hand=1)),
    ],
)
def test_the_outcome_of_a_reading(after: list[Event], expected: CameraStatistics) -> None:
    (game,) = of(*CALL, TAKEN, *after)
    assert statistics([game]).camera == replace(expected, readings=1, dice=6, asked=1)


@pytest.mark.parametrize(
    "opens",
    [
        (Judged(DICE), RoundOpened()),
        (Judged(DICE), GameLeft("Ana", False)),
        (Judged(DICE), NewcomerSeated("Dov", "white", 2, 1)),
        (Judged(DICE), PlayerDiceSet(player="Ana", dice=2, palifico=True)),
        (RoundVoided(),),
    ],
)
def test_a_reading_ends_with_its_round(opens: tuple[Event, ...]) -> None:
    (game,) = of(*CALL, TAKEN, *opens, CountAsked("dudo"), CountedByHand(()))
    camera = statistics([game]).camera
    assert (camera.readings, camera.untouched, camera.by_hand) == (1, 1, 1)


def test_reading_again_counts_as_two_readings() -> None:
    (game,) = of(*CALL, TAKEN, ReadingAsked(), msgspec.structs.replace(TAKEN, id=2))
    camera = statistics([game]).camera
    assert (camera.readings, camera.untouched, camera.dice) == (2, 1, 12)


@pytest.mark.parametrize(
    ("right", "called", "likely"),
    [(0, 0, None), (0, 1, (0.0, 0.793)), (1, 1, (0.207, 1.0)), (2, 3, (0.208, 0.939)), (50, 100, (0.404, 0.596))],
)
def test_the_fewer_the_calls_the_less_is_known(right: int, called: int, likely: tuple[float, float] | None) -> None:
    """The limits are those of tables of Wilson's interval."""
    assert CallStatistics(called, right).likely == likely
