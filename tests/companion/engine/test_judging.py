"""Which dice match, and how calls are judged."""

from __future__ import annotations

import pytest

from companion.engine import DEFAULT_RULESET, Bid, CallKind, Calza, Dudo, Reveal, house_rules
from companion.engine.judging import judge

DICE = Reveal({"ana": (4, 1, 2), "ben": (1, 4, 4, 6)})
LEFT = {"ana": 3, "ben": 4}


@pytest.mark.parametrize(
    ("face", "wild", "expected"),
    [(4, True, {1, 4}), (4, False, {4}), (1, True, {1}), (1, False, {1}), (5, True, {1, 5})],
)
def test_the_faces_that_count(face, wild, expected):
    assert {other for other in range(1, 7) if Bid("ana", 1, face).matches(other, wild=wild)} == expected


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("wild", [False, True])
def test_the_tally_is_the_number_of_matching_dice(face, wild):
    bid = Bid("ana", 2, face)
    outcome = judge(DEFAULT_RULESET, Dudo("ben"), bid, DICE, LEFT, wild=wild)
    assert outcome.count == sum(bid.matches(die, wild=wild) for dice in DICE.dice.values() for die in dice)
    assert outcome.wild is wild


def test_a_bid_on_pacos_counts_each_paco_once_and_nothing_else():
    outcome = judge(DEFAULT_RULESET, Dudo("ben"), Bid("ana", 2, 1), DICE, LEFT, wild=True)
    assert (outcome.faces, outcome.pacos, outcome.count) == (2, 0, 2)


def test_pacos_are_wild_for_every_players_dice():
    outcome = judge(DEFAULT_RULESET, Dudo("ben"), Bid("ana", 5, 4), DICE, LEFT, wild=True)
    assert (outcome.faces, outcome.pacos, outcome.count, outcome.correct) == (3, 2, 5, False)


@pytest.mark.parametrize(("bid", "correct", "loses"), [(4, False, "ben"), (5, False, "ben"), (6, True, "ana")])
def test_dudo(bid, correct, loses):
    outcome = judge(DEFAULT_RULESET, Dudo("ben"), Bid("ana", bid, 4), DICE, LEFT, wild=True)
    assert (outcome.call, outcome.caller, outcome.bid.player) == (CallKind.DUDO, "ben", "ana")
    assert (outcome.correct, outcome.loses, outcome.gains, outcome.eliminated) == (correct, loses, None, None)


@pytest.mark.parametrize(
    ("bid", "correct", "loses", "gains"), [(4, False, "ben", None), (5, True, None, "ben"), (6, False, "ben", None)]
)
def test_calza(bid, correct, loses, gains):
    outcome = judge(DEFAULT_RULESET, Calza("ben"), Bid("ana", bid, 4), DICE, LEFT, wild=True)
    assert (outcome.call, outcome.correct, outcome.loses, outcome.gains) == (CallKind.CALZA, correct, loses, gains)


@pytest.mark.parametrize(("bid", "loses"), [(4, "ben"), (5, "ana"), (6, "ben")])
def test_a_right_calza_may_cost_the_bidder_a_die(bid, loses):
    rules = house_rules({"right_calza": "bidder-loses"})
    outcome = judge(rules, Calza("ben"), Bid("ana", bid, 4), DICE, LEFT, wild=True)
    assert (outcome.correct, outcome.loses, outcome.lost, outcome.gains) == (bid == 5, loses, 1, None)


def test_a_player_with_all_five_dice_takes_none_back():
    outcome = judge(DEFAULT_RULESET, Calza("ben"), Bid("ana", 5, 4), DICE, {"ana": 3, "ben": 5}, wild=True)
    assert (outcome.correct, outcome.loses, outcome.gains) == (True, None, None)


def test_a_player_who_loses_the_last_die_is_eliminated():
    outcome = judge(
        DEFAULT_RULESET,
        Dudo("ben"),
        Bid("ana", 9, 4),
        Reveal({"ana": (4,), "ben": (2, 2)}),
        {"ana": 1, "ben": 2},
        wild=True,
    )
    assert outcome.eliminated == outcome.loses == "ana"
