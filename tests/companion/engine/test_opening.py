"""Choosing the opener under each ruleset."""

from __future__ import annotations

import random

import pytest

from companion.engine import RULESETS
from companion.engine.opening import dice_to_roll, draw, highest

NAMES = ("ana", "ben", "cid")


class ScriptedChance(random.Random):
    """A fake: rolls what it is told, and notes what it is asked."""

    def __init__(self, *faces):
        super().__init__(0)
        self.faces = list(faces)

    def randint(self, a, b):
        assert (a, b) == (1, 6)
        return self.faces.pop(0)


@pytest.mark.parametrize(("book", "dice"), [("asmodee-fr", 0), ("asmodee-it", 0), ("hasbro-1994", 1), ("web-fr", 2)])
def test_how_many_dice_are_rolled(book, dice):
    assert dice_to_roll(RULESETS[book]) == dice


def test_at_random_everybody_may_open_and_nothing_is_rolled():
    openings = [draw(RULESETS["asmodee-fr"], NAMES, random.Random(seed)) for seed in range(30)]
    assert {opening.starter for opening in openings} == set(NAMES)
    assert all(opening.rolls == () for opening in openings)


def test_the_same_chance_draws_the_same_opener():
    first, second = (draw(RULESETS["asmodee-fr"], NAMES, random.Random(7)) for _ in range(2))
    assert first == second


def test_one_die_each_the_highest_opens():
    opening = draw(RULESETS["hasbro-1994"], NAMES, ScriptedChance(2, 6, 5))
    assert opening.starter == "ben"
    assert opening.rolls == ({"ana": (2,), "ben": (6,), "cid": (5,)},)


def test_the_tied_alone_roll_again_until_one_is_highest():
    chance = ScriptedChance(6, 2, 6, 3, 3, 4, 5)
    opening = draw(RULESETS["hasbro-1994"], NAMES, chance)
    assert opening.starter == "cid"
    assert [tuple(roll) for roll in opening.rolls] == [NAMES, ("ana", "cid"), ("ana", "cid")]
    assert chance.faces == []


def test_two_dice_each_the_highest_sum_opens():
    opening = draw(RULESETS["web-fr"], NAMES, ScriptedChance(6, 1, 4, 4, 5, 2))
    assert opening.starter == "ben"
    assert opening.rolls == ({"ana": (6, 1), "ben": (4, 4), "cid": (5, 2)},)


def test_equal_sums_tie_whatever_the_dice():
    opening = draw(RULESETS["web-fr"], NAMES, ScriptedChance(6, 2, 4, 4, 5, 2, 1, 1, 1, 2))
    assert opening.starter == "ben"
    assert [tuple(roll) for roll in opening.rolls] == [NAMES, ("ana", "ben")]


def test_players_may_roll_themselves():
    assert highest({"ana": (3,), "ben": (5,), "cid": (5,)}) == ("ben", "cid")
    assert highest({"cid": (1,), "ben": (2,)}) == ("ben",)
