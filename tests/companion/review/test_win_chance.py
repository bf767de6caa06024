"""The chances of winning under house rules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.engine import GameStarted, Position, house_rules
from companion.engine.rulebooks import RULE_FIELDS, values_of
from companion.engine.ruleset import CalzaBy
from companion.review.models import fitted_models
from companion.review.win_chance import RULES, chances_of_winning, rule_terms

MODEL = fitted_models().winning


def start(dice: dict[str, int], *, calza: bool = True, **changes: object) -> Position:
    return Position.start(GameStarted(house_rules(changes), tuple(dice), next(iter(dice)), calza, dice))


def ahead(*, calza: bool = True, **changes: object) -> float:
    """The chance of somebody with four dice against one die."""
    return float(chances_of_winning(MODEL, start({"A": 4, "B": 1}, calza=calza, **changes))[0])


def test_where_calza_brings_dice_back_more_often_a_lead_is_worth_less() -> None:
    assert 0.6 < ahead(pacos_wild=False) < ahead() - 0.1  # of 300 games of the strong robots .70 were won, not .91
    assert ahead() < ahead(calza=False)


def test_without_palifico_rounds_a_lead_is_worth_less() -> None:
    assert ahead(palifico_rounds="never") < ahead()


def test_the_default_rules_add_nothing() -> None:
    assert not rule_terms(start({"A": 5, "B": 3, "C": 1})).any()


@pytest.mark.parametrize("rule", RULE_FIELDS)
def test_chances_sum_to_one_under_every_rule(rule: str) -> None:
    for value in values_of(rule):
        changes = {"opens_on_pacos": True} if rule == "opened_on_pacos_wild" else {}
        position = start({"A": 3, "B": 1, "C": 2}, **changes, **{rule: value})
        assert rule_terms(position).shape == (len(RULES),)
        assert chances_of_winning(MODEL, position).sum() == pytest.approx(1)


def test_nobody_may_say_calza_with_two_left_whichever_rule_says_so() -> None:
    two = {"A": 3, "B": 2}
    without = chances_of_winning(MODEL, start(two, calza=False))
    for rules in ({"calza_with_two": False}, {"calza_by": "not-next"}):
        assert chances_of_winning(MODEL, start(two, **rules)) == pytest.approx(without)
    few = replace(start(two, calza_to_half=True), all_dice=11)
    assert chances_of_winning(MODEL, few) == pytest.approx(without)
    assert not np.allclose(chances_of_winning(MODEL, start(two)), without)


def test_with_three_left_the_next_player_is_not_all() -> None:
    three = start({"A": 3, "B": 2, "C": 2}, calza_by="not-next")
    assert three.ruleset.calza_by is CalzaBy.NOT_NEXT
    assert not rule_terms(three)[RULES.index("nobody may say calza now")]


def test_where_each_may_say_calza_once_whoever_still_may_wins_more_often() -> None:
    """Half the dice are left, so that a calza brings one back."""
    before = start({"A": 2, "B": 2, "C": 2}, calza_once=True)
    after = replace(before, calza_said=frozenset("B"))
    change = chances_of_winning(MODEL, after) - chances_of_winning(MODEL, before)
    assert change[1] < -0.01
    assert change[0] > 0
    assert change[2] > 0


def test_where_calza_ends_with_half_of_the_dice_a_lead_is_worth_more_the_nearer_that_is() -> None:
    now = start({"A": 4, "B": 2, "C": 2}, calza_to_half=True)
    far, near = (chances_of_winning(MODEL, replace(now, all_dice=dice))[0] for dice in (8, 16))
    assert far + 0.01 < near


def test_calzas_that_others_may_still_say_matter_for_the_rest() -> None:
    now = start({"A": 3, "B": 1, "C": 2}, calza_once=True)
    before, after = (chances_of_winning(MODEL, replace(now, calza_said=frozenset(said))) for said in ("", "C"))
    assert before[0] / before[1] != pytest.approx(after[0] / after[1], rel=0.02)


def test_with_two_dice_each_the_opener_wins_more_often() -> None:
    """.58 of 3,305 games of the strong robots; .48 of 2,616 with three dice each."""
    two, three = (chances_of_winning(MODEL, start(dict.fromkeys("AB", dice)))[0] for dice in (2, 3))
    assert two > three + 0.03


def test_who_sits_between_whom_matters() -> None:
    """The opener has four dice, the others four and three: .32 of 615 games of the strong robots were won where the one
    with four plays next, .42 of 621 where that is the one with three."""
    strong, weak = (
        chances_of_winning(MODEL, start(dict(zip("ABC", dice, strict=True))))[0] for dice in ((4, 4, 3), (4, 3, 4))
    )
    assert strong + 0.05 < weak


def test_whoever_is_palifico_no_more_has_other_chances_with_one_die() -> None:
    never = replace(start({"A": 3, "B": 2, "C": 1}, palifico_again=False), former_palificos=frozenset())
    once = replace(never, former_palificos=frozenset("C"))
    assert not np.allclose(chances_of_winning(MODEL, once), chances_of_winning(MODEL, never))
    others = replace(never, former_palificos=frozenset("A"))
    assert chances_of_winning(MODEL, others) == pytest.approx(chances_of_winning(MODEL, never)), "with three dice"


def test_a_rule_of_calza_changes_nothing_without_calza() -> None:
    three = {"A": 3, "B": 2, "C": 2}
    plain = chances_of_winning(MODEL, start(three, calza=False))
    for rules in ({"right_calza": "bidder-loses"}, {"calza_by": "on-turn"}, {"calza_with_two": False}):
        assert chances_of_winning(MODEL, start(three, calza=False, **rules)) == pytest.approx(plain)
