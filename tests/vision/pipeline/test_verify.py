"""The verifier takes certainty away, and nothing else."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from tests.fakes.verifier import FakeVerifier
from vision.log_odds import probability
from vision.models.networks import VERIFIER_CROP, Networks
from vision.pipeline.expected_dice import reconcile
from vision.pipeline.verify import verify
from vision.reading import Die, Reading

FRAME = np.full((400, 2000, 3), 90, np.uint8)


def die(number: int, there: float, confidence: float = 0.9) -> Die:
    """A die whose log odds of being one are `there`."""
    return Die(5, "red", (60.0 * number, 100, 40, 40), confidence, there=probability(there), if_there=0.9)


def verified(dice: list[Die], verifier: FakeVerifier) -> tuple[Die, ...]:
    return verify(dice, FRAME, cast(Networks, verifier))


def test_what_the_verifier_takes_for_something_else_is_asked_about_unless_it_is_the_missing_die() -> None:
    thing = die(1, 2.5)
    (asked,) = verified([thing], FakeVerifier(-1.0))
    assert asked.uncertain
    assert (asked.face, asked.box, asked.if_there) == (thing.face, thing.box, thing.if_there)
    seen = Reading((asked,), 2000, 400)
    assert not reconcile(seen, {"red": 1}).uncertain
    assert not reconcile(seen, {"blue": 1}).dice
    (thing,) = verified([thing], FakeVerifier(-6.0))
    assert reconcile(Reading((thing,), 2000, 400), {"red": 1}).uncertain


def test_a_die_that_it_takes_for_one_stays_as_it_was() -> None:
    assert verified([die(1, 2.5)], FakeVerifier(5.0)) == (die(1, 2.5),)


def test_no_die_becomes_surer() -> None:
    doubtful = [die(1, 2.5, confidence=0.3), die(2, 9, confidence=0.4)]
    verifier = FakeVerifier(9.0)
    assert verified(doubtful, verifier) == tuple(doubtful)
    assert verifier.crops == []


def test_what_is_plainly_a_die_is_not_looked_at_and_of_others_only_some() -> None:
    plain, verifier = [die(n, 8) for n in range(30)], FakeVerifier(-5.0)
    assert verified(plain, verifier) == tuple(plain)
    assert verifier.crops == []
    verified([die(n, 3) for n in range(30)], verifier)
    assert 5 <= len(verifier.crops) <= 20
    assert {crop.shape for crop in verifier.crops} == {(VERIFIER_CROP, VERIFIER_CROP, 3)}


@pytest.mark.parametrize("own", [-1.5, -1.0])
def test_something_alone_or_among_things_is_doubted_sooner_than_among_dice(own: float) -> None:
    thing = die(0, 2.0)
    dice = [die(n, 4.0) for n in range(1, 6)]
    assert verified([thing], FakeVerifier(own))[0].uncertain
    assert verified([thing, *dice], FakeVerifier(own, *[-4.0] * 5))[0].uncertain
    assert not verified([thing, *dice], FakeVerifier(own, *[4.0] * 5))[0].uncertain
    assert not verified([thing, *[die(n, 8.0) for n in range(1, 6)]], FakeVerifier(own))[0].uncertain


def test_no_dice_are_no_dice() -> None:
    assert verified([], FakeVerifier(1.0)) == ()
