"""The last duel: its equilibrium, and who plays it."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.engine import FACES, RULESETS, Bid, Dudo, GameStarted, Position
from companion.robots import ROBOTS, PlayerView, Strength
from companion.robots.duel import duel, equilibrium_call, solve
from tests.proof.equilibrium import PUBLISHED, published, sure

ASMODEE = RULESETS["asmodee-fr"]


def last_duel(palifico: str | None = None, *, calza: bool = True) -> Position:
    return Position.start(GameStarted(ASMODEE, ("A", "B"), "A", calza, {"A": 1, "B": 1}, palifico))


def test_the_published_value_is_between_what_both_are_sure_of() -> None:
    game = published()
    found = solve(game)
    low, high = sure(game, found, opener=True), -sure(game, found, opener=False)
    assert low < PUBLISHED < high
    assert high - low < 0.02


@pytest.mark.parametrize("palifico", [None, "A"])
@pytest.mark.parametrize("calza", [True, False])
def test_nobody_gains_half_a_point_by_playing_otherwise(palifico: str | None, calza: bool) -> None:
    game = duel(last_duel(palifico, calza=calza))
    found = solve(game)
    assert -sum(sure(game, found, opener=opener) for opener in (True, False)) / 2 < 0.006


def test_the_strong_one_plays_the_equilibrium() -> None:
    start = last_duel()
    game = duel(start)
    found = solve(game)
    for bids in [(), (Bid("A", 1, 5),)]:
        position = start
        for bid in bids:
            position = position.apply(bid)
        place = game.place(bids)
        for column, die in enumerate(FACES):
            view = PlayerView(str(position.turn), (die,), position, bids)
            made = Counter(ROBOTS[Strength.HARD].decide(view, random.Random(seed)) for seed in range(400))
            for after in game.following(place):
                count, face = game.bids[after] or (0, 0)
                share = made[Bid(view.player, count, face)] / 400
                assert share == pytest.approx(found.bids[after, column], abs=0.08)


def test_a_bid_that_was_let_pass_leaves_the_equilibrium() -> None:
    bid, again = Bid("A", 1, 5), Bid("A", 1, 6, accepted=True)
    view = PlayerView("B", (6,), last_duel().apply(bid).apply(again), (bid, again))
    assert equilibrium_call(view, random.Random(1)) is None
    assert view.position.check(ROBOTS[Strength.HARD].decide(view, random.Random(1))) is None


def test_a_bid_of_more_dice_than_there_are_is_doubted() -> None:
    bid = Bid("A", 3, 5)
    view = PlayerView("B", (1,), last_duel().apply(bid), (bid,))
    assert ROBOTS[Strength.HARD].decide(view, random.Random(1)) == Dudo("B")


def test_after_a_bid_of_more_dice_than_there_are_it_still_makes_a_legal_call() -> None:
    bids = (Bid("A", 1, 2), Bid("B", 3, 2), Bid("A", 2, 1))
    view = PlayerView("B", (1,), last_duel().apply(bids[0]).apply(bids[1]).apply(bids[2]), bids)
    assert view.position.check(ROBOTS[Strength.HARD].decide(view, random.Random(1))) is None
