"""The doubt threshold of one box: never careless without proof, and the proof holds as often as it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.doubt_threshold import (
    ERROR_CHANCE,
    FEWEST_DICE,
    TARGET_SHARE,
    DieEvidence,
    DoubtThreshold,
    at_most,
    doubt_threshold,
)

SHIPPED = 0.8

DECISION = Path(__file__).resolve().parents[2] / "docs" / "why" / "decisions" / "11-own-doubt-threshold.md"

LEVELS = np.array([0.45, 0.55, 0.65, 0.75, 0.83, 0.9, 0.94, 0.965, 0.98, 0.99, 0.997, 0.9995])
"""The probabilities that a simulated reader gives."""


class SimulatedBox:
    """A box whose reader gives `LEVELS` with certain chances, each wrong with a certain chance."""

    def __init__(self, chances: list[float], wrong: list[float]) -> None:
        self.chances = np.array(chances) / np.sum(chances)
        self.wrong = np.array(wrong)

    def dice(self, count: int, rng: np.random.Generator) -> list[DieEvidence]:
        """`count` dice, of which those below `SHIPPED` were asked about."""
        levels = rng.choice(len(LEVELS), count, p=self.chances)
        wrong = rng.random(count) < self.wrong[levels]
        return [
            DieEvidence(float(LEVELS[level]), bool(bad), bool(LEVELS[level] < SHIPPED))
            for level, bad in zip(levels, wrong, strict=True)
        ]

    def share(self, low: float, high: float = 1.0) -> float:
        """The true share of wrong dice among those with a probability from `low` to `high`."""
        among = self.chances * ((low <= LEVELS) & (high > LEVELS))
        return float(among @ self.wrong / among.sum()) if among.sum() else 0.0

    def asked(self, threshold: float) -> float:
        """The share of dice that are asked about."""
        return float(self.chances[threshold > LEVELS].sum())


USUAL = [0.4, 0.4, 0.6, 0.9, 1.2, 1.5, 2, 3, 5, 10, 25, 50]
"""Three in a hundred dice are doubtful, most of the others very sure."""
DOUBTFUL = [6, 6, 6, 6, 3, 3, 3, 4, 6, 10, 17, 30]
"""A quarter of the dice are doubtful, as under a dim lamp."""

AS_SHIPPED = SimulatedBox(USUAL, [0.4, 0.3, 0.2, 0.12, 0.03, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002])
"""Its reader is as good as it thinks."""
GLARE = SimulatedBox(USUAL, [0.6, 0.6, 0.5, 0.5, 0.4, 0.3, 0.1, 0.01, 0.003, 0.001, 0.0005, 0.0002])
"""Its reader trusts itself too much."""
TIMID = SimulatedBox(DOUBTFUL, [0.003, 0.002, 0.001, 0.0005, *([0.0002] * 8)])
"""Its reader is right although it doubts."""


def right(count: int, share: float, *, asked: bool = False) -> list[DieEvidence]:
    return [DieEvidence(share, wrong=False, asked=asked)] * count


def wrong(count: int, share: float, *, asked: bool = False) -> list[DieEvidence]:
    return [DieEvidence(share, wrong=True, asked=asked)] * count


def test_with_few_dice_the_shipped_threshold_holds_whatever_was_said() -> None:
    few = FEWEST_DICE - 1
    assert doubt_threshold(wrong(few, 0.9), SHIPPED) == DoubtThreshold(SHIPPED, proven=False)
    assert doubt_threshold(right(few, 0.5, asked=True), SHIPPED) == DoubtThreshold(SHIPPED, proven=False)


def test_the_bound_is_exact() -> None:
    """598 dice without an error are the fewest that show, with 95 %, that at most 0.5 % are wrong: 0.995^598 < 0.05."""
    assert doubt_threshold(right(597, 0.999), SHIPPED).proven is False
    assert doubt_threshold(right(598, 0.999), SHIPPED) == DoubtThreshold(SHIPPED, proven=True)
    assert at_most(3, 10, 0.3) == pytest.approx(0.6496107184)
    assert at_most(10, 10, 0.3) == pytest.approx(1.0)


def test_dice_that_players_correct_although_nobody_asked_make_the_box_ask_more() -> None:
    dice = right(300, 0.999) + wrong(3, 0.85)
    assert doubt_threshold(dice, SHIPPED).ask_below > 0.85


def test_a_die_that_no_threshold_would_have_asked_about_does_not_make_the_box_ask_more() -> None:
    assert doubt_threshold(right(300, 0.999) + wrong(2, 0.9999), SHIPPED) == DoubtThreshold(SHIPPED, proven=False)


def test_only_answers_make_the_box_ask_less() -> None:
    sure = right(5000, 0.999)
    assert doubt_threshold(sure, SHIPPED).ask_below == SHIPPED
    assert doubt_threshold(sure + right(5000, 0.75), SHIPPED).ask_below == SHIPPED
    assert doubt_threshold(sure + right(597, 0.75, asked=True), SHIPPED).ask_below == SHIPPED
    lower = doubt_threshold(sure + right(598, 0.75, asked=True), SHIPPED)
    assert lower.proven
    assert lower.ask_below < 0.75


def test_sure_dice_do_not_outweigh_wrong_ones_that_were_asked_about() -> None:
    dice = right(20_000, 0.999) + right(600, 0.75, asked=True) + wrong(6, 0.75, asked=True)
    assert doubt_threshold(dice, SHIPPED) == DoubtThreshold(SHIPPED, proven=True)


def test_dice_that_players_correct_count_against_a_lower_threshold_even_if_nobody_asked_any_more() -> None:
    dice = right(20_000, 0.999) + right(600, 0.75, asked=True)
    assert doubt_threshold(dice, SHIPPED).ask_below < 0.75
    assert doubt_threshold(dice + wrong(3, 0.75), SHIPPED).ask_below == SHIPPED


DICE = st.lists(
    st.tuples(st.integers(1, 400), st.sampled_from(list(map(float, LEVELS))), st.booleans(), st.booleans()), max_size=8
).map(
    lambda groups: (
        right(FEWEST_DICE, 0.999)
        + [DieEvidence(share, bad, asked) for count, share, bad, asked in groups for _ in range(count)]
    )
)


@given(DICE, st.sampled_from(list(map(float, LEVELS))), st.booleans())
def test_another_wrong_die_never_makes_the_box_ask_less(dice: list[DieEvidence], share: float, asked: bool) -> None:
    with_one = [*dice, DieEvidence(share, wrong=True, asked=asked)]
    assert doubt_threshold(with_one, SHIPPED).ask_below >= doubt_threshold(dice, SHIPPED).ask_below


@given(DICE, st.sampled_from(list(map(float, LEVELS))), st.integers(1, 700))
def test_more_right_dice_never_make_the_box_ask_more(dice: list[DieEvidence], share: float, count: int) -> None:
    more = dice + right(count, share, asked=share < SHIPPED)
    assert doubt_threshold(more, SHIPPED).ask_below <= doubt_threshold(dice, SHIPPED).ask_below


@pytest.mark.parametrize(
    "box",
    [
        GLARE,
        SimulatedBox(USUAL, [0.3] * 4 + [0.0055] * 8),  # a little worse than allowed, however it is cut
        SimulatedBox(DOUBTFUL, [0.0055] * 4 + [0.0] * 8),  # the same, of those that would no longer be asked about
    ],
    ids=["glare", "worse than allowed", "worse below"],
)
def test_what_is_proven_is_true_in_95_of_100_boxes(box: SimulatedBox) -> None:
    rng = np.random.default_rng(18)
    boxes, false_proofs = 100, 0
    for _ in range(boxes):
        found = doubt_threshold(box.dice(3000, rng), SHIPPED)
        silent = max(box.share(found.ask_below), box.share(found.ask_below, SHIPPED))
        false_proofs += found.proven and silent > TARGET_SHARE
    assert false_proofs <= boxes * ERROR_CHANCE


@pytest.mark.parametrize(
    ("name", "box"), [("as shipped", AS_SHIPPED), ("glare", GLARE), ("timid", TIMID)], ids=["shipped", "glare", "timid"]
)
def test_simulated_boxes_do_as_the_decision_says(name: str, box: SimulatedBox) -> None:
    rng = np.random.default_rng(18)
    told = DECISION.read_text(encoding="utf-8")
    for count in (200, 500, 2000, 10_000):
        thresholds = [doubt_threshold(box.dice(count, rng), SHIPPED).ask_below for _ in range(20)]
        asked, wrong = (100 * np.mean(list(map(of, thresholds))) for of in (box.asked, box.share))
        assert f"| {name} | {count:,} | {np.mean(thresholds):.2f} | {asked:.1f} % | {wrong:.2f} % |" in told
