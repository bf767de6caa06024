"""The bids assumed between those entered: legal, and as few as possible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import (
    RULESETS,
    Bid,
    EliminatedPlayerError,
    GameStarted,
    IllegalBidError,
    Position,
    WrongPhaseError,
    house_rules,
)
from companion.engine.shortest_bids import shortest_bids

THREE = ("ana", "ben", "cid")


def opened(ruleset: str = "asmodee-fr", **game: object) -> Position:
    return Position.start(GameStarted(RULESETS[ruleset], THREE, "ana", **game))  # type: ignore[arg-type]


def test_the_openers_bid_needs_none_before_it() -> None:
    assert shortest_bids(opened(), Bid("ana", 5, 4)) == (Bid("ana", 5, 4),)


def test_the_third_players_bid_needs_two_before_it() -> None:
    bids = shortest_bids(opened(), Bid("cid", 5, 4))
    assert [bid.player for bid in bids] == ["ana", "ben", "cid"]
    assert bids[-1] == Bid("cid", 5, 4)


def test_the_standing_bid_needs_none_before_it() -> None:
    position = opened().apply(Bid("ana", 3, 3))
    assert shortest_bids(position, Bid("ana", 3, 3)) == ()


def test_an_opener_who_bids_pacos_needs_a_lap_of_bids() -> None:
    bids = shortest_bids(opened(), Bid("ana", 2, 1))
    assert len(bids) == 4


def test_a_bid_that_only_one_player_may_make_can_take_more_than_a_lap() -> None:
    rules = house_rules({"ruleset": "asmodee-fr", "locked_face_changed_by": "former-palifico"})
    game = GameStarted(rules, THREE, "ana", dice={"ana": 1, "ben": 5, "cid": 1}, palifico="ana")
    bids = shortest_bids(Position.start(game).apply(Bid("ana", 1, 2)), Bid("cid", 4, 5))
    assert [(bid.count, bid.face) for bid in bids] == [(2, 2), (2, 3), (3, 3), (4, 3), (4, 5)]


def test_bids_on_the_way_are_told_apart_by_what_the_next_one_must_outrank() -> None:
    rules = house_rules({"leaving_pacos": "twice"})
    position = Position.start(GameStarted(rules, THREE, "ana")).apply(Bid("ana", 4, 4))
    assert len(shortest_bids(position, Bid("ana", 2, 1))) == 3


def test_no_assumed_bid_is_above_the_dice_in_play() -> None:
    rules = house_rules({"bids_above_dice": False})
    position = Position.start(GameStarted(rules, THREE, "ana", dice={"ana": 1, "ben": 1, "cid": 1}))
    assert len(shortest_bids(position, Bid("cid", 3, 4))) == 3
    with pytest.raises(IllegalBidError):
        shortest_bids(position, Bid("cid", 4, 4))


def test_an_impossible_bid_is_refused_with_a_reason() -> None:
    palifico = opened(dice={"ana": 1, "ben": 5, "cid": 5}, palifico="ana")
    with pytest.raises(IllegalBidError, match="lead from ana's opening to two fives by cid"):
        shortest_bids(palifico, Bid("cid", 2, 5))


def test_players_without_dice_make_no_bids() -> None:
    with pytest.raises(EliminatedPlayerError):
        shortest_bids(opened().without("cid"), Bid("cid", 2, 5))


@given(st.sampled_from(sorted(RULESETS)), st.sampled_from(THREE), st.integers(1, 15), st.integers(1, 6))
def test_the_assumed_bids_can_be_played(ruleset: str, player: str, count: int, face: int) -> None:
    position, target = opened(ruleset), Bid(player, count, face)
    try:
        bids = shortest_bids(position, target)
    except IllegalBidError:
        assert count < 3 or face == 1
        return
    for bid in bids:
        position = position.apply(bid)
    assert position.bid == target


def test_the_bids_of_the_round_are_void_when_a_player_leaves() -> None:
    after = opened().apply(Bid("ana", 3, 3)).without("ana")
    assert (after.turn, after.starter, after.bid, after.dice["ana"]) == ("ben", "ben", None, 0)


def test_the_last_remaining_player_has_won() -> None:
    after = opened().without("ana").without("cid")
    assert after.winner == "ben"


def test_a_palifico_round_goes_on_without_another_player() -> None:
    palifico = opened(dice={"ana": 1, "ben": 5, "cid": 5}, palifico="ana")
    assert palifico.without("cid").palifico == "ana"
    assert palifico.without("ana").palifico is None


def test_a_player_who_returns_between_rounds_has_the_same_dice() -> None:
    position = opened().without("cid")
    assert position.with_player("cid", 4).dice["cid"] == 4
    with pytest.raises(WrongPhaseError, match="in the next round"):
        position.apply(Bid("ana", 3, 3)).with_player("cid", 4)
    with pytest.raises(WrongPhaseError, match="already"):
        position.with_player("ben", 4)
