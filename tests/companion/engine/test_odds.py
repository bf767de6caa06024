"""The odds, compared with counting every possible throw."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from companion.engine import RULESETS, Bid, Dudo, GameStarted, Position
from companion.engine.odds import best_raises, odds


def enumerated(bid, dice, own, wild):
    """(holds, exact) by looking at every way the unseen dice can fall."""
    tallies = []
    for unseen in product(range(1, 7), repeat=dice - len(own)):
        table = [*own, *unseen]
        pacos = table.count(1) if wild and bid.face != 1 else 0
        tallies.append(table.count(bid.face) + pacos)
    total = len(tallies)
    return (
        Fraction(sum(tally >= bid.count for tally in tallies), total),
        Fraction(sum(tally == bid.count for tally in tallies), total),
    )


@pytest.mark.parametrize(
    ("dice", "own"), [(1, ()), (1, (4,)), (2, ()), (2, (4,)), (2, (1, 4)), (4, ()), (4, (1, 4)), (4, (2, 3, 4))]
)
@pytest.mark.parametrize("wild", [True, False])
def test_odds_are_what_enumeration_says(dice, own, wild):
    for face in (1, 4, 6):
        for count in range(1, dice + 2):
            bid = Bid("ana", count, face)
            result = odds(bid, dice, own, wild=wild)
            assert (result.holds, result.exact) == enumerated(bid, dice, own, wild)


def test_thirty_dice():
    ten = odds(Bid("ana", 10, 3), 30)
    assert float(ten.exact) == pytest.approx(0.153, abs=0.001)
    assert float(ten.holds) == pytest.approx(0.569, abs=0.001)
    assert odds(Bid("ana", 31, 3), 30).holds == 0
    assert odds(Bid("ana", 10**50, 3), 30).holds == 0


def test_what_one_holds_already_is_certain():
    sure = odds(Bid("ana", 2, 3), 10, (3, 1, 6))
    assert sure.holds == 1
    assert 0 < sure.exact < 1


@pytest.mark.parametrize(("dice", "own"), [(1, (2, 3)), (3, (0,)), (3, (7,))])
def test_dice_that_cannot_be_are_refused(dice, own):
    with pytest.raises(ValueError, match=r"dice|die"):
        odds(Bid("ana", 1, 3), dice, own)


def test_the_best_raises_are_legal_and_the_safest_on_each_face():
    now = Position.start(GameStarted(RULESETS["asmodee-fr"], ("ana", "ben"), "ana")).apply(Bid("ana", 3, 4))
    own = (5, 5, 5, 2, 2)
    best = best_raises(now, own)
    assert (best[0].bid.count, best[0].bid.face) == (3, 5)
    assert best[0].holds == 1
    assert {each.bid.face for each in best} == {1, 4, 5, 6}
    assert [each.holds for each in best] == sorted((each.holds for each in best), reverse=True)
    assert all(now.is_legal(each.bid) for each in best)
    for each in best:
        others = [odds(bid, 10, own).holds for bid in now.legal_bids(12) if bid.face == each.bid.face]
        assert each.holds == max(others)


def test_the_best_raises_know_a_palifico_round():
    game = GameStarted(RULESETS["asmodee-fr"], ("ana", "ben"), "ana", dice={"ana": 1, "ben": 2}, palifico="ana")
    (only,) = best_raises(Position.start(game).apply(Bid("ana", 1, 4)))
    assert (only.bid, only.holds) == (Bid("ben", 2, 4), enumerated(only.bid, 3, (), False)[0])


def test_nobody_raises_when_nobody_is_on_turn():
    now = Position.start(GameStarted(RULESETS["asmodee-fr"], ("ana", "ben"), "ana")).apply(Bid("ana", 3, 4))
    assert best_raises(now.apply(Dudo("ben"))) == ()
