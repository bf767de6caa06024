"""The odds, compared with counting every possible throw."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from companion.engine.odds import odds


@pytest.mark.parametrize("dice", [1, 2, 4])
@pytest.mark.parametrize("wild", [True, False])
@pytest.mark.parametrize("face", [1, 4, 6])
def test_odds_equal_those_of_enumeration(dice, wild, face):
    throws = [throw.count(face) + throw.count(1) * (wild and face != 1) for throw in product(range(1, 7), repeat=dice)]
    for count in range(1, dice + 2):
        result = odds(count, face, dice, wild=wild)
        assert result.tally == Fraction(sum(throws), len(throws))
        assert result.holds == Fraction(sum(tally >= count for tally in throws), len(throws))
        assert result.exact == Fraction(throws.count(count), len(throws))


def test_the_odds_of_thirty_dice():
    ten = odds(10, 3, 30, wild=True)
    assert float(ten.exact) == pytest.approx(0.153, abs=0.001)
    assert float(ten.holds) == pytest.approx(0.569, abs=0.001)


@pytest.mark.parametrize("count", [31, 10**50])
def test_more_dice_than_there_are_never_match(count):
    result = odds(count, 3, 30, wild=True)
    assert (result.tally, result.holds, result.exact) == (10, 0, 0)


@pytest.mark.parametrize("count", [0, -1, -2])
def test_a_bid_that_own_dice_carry_already_holds(count):
    """Somebody who holds more dice of the face than were bid needs fewer than none of the others'."""
    found = odds(count, 4, 3, wild=True)
    assert found.holds == 1
    assert found.exact == (Fraction(2, 3) ** 3 if count == 0 else 0)
