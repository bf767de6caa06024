"""What the bids say of the dice, held against counting all throws one by one."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import FACES, RULESETS, Bid, GameStarted, Position, house_rules
from companion.review.beliefs import Beliefs
from companion.review.bid_model import FEATURES, USUAL, Closeness, Counting, Style, bids_after, worths
from companion.review.bid_probabilities import at_least, chance
from companion.review.hands import all_hands, matches_of
from companion.review.models import fitted_models
from companion.review.trust import STYLES

BOOKS = list(RULESETS.values())
MODEL = fitted_models().bids


def start_of(dice: dict[str, int], *, palifico: bool = False, book: int = 0) -> Position:
    first = next(iter(dice))
    return Position.start(GameStarted(BOOKS[book], tuple(dice), first, True, dice, first if palifico else None))


@st.composite
def small_rounds(draw: st.DrawFn) -> tuple[Position, list[Bid]]:
    """A round of two or three players with at most four dice together, and some of its bids."""
    counts = draw(st.sampled_from([(1, 1), (2, 1), (1, 2), (2, 2), (1, 1, 1), (1, 1, 2), (3, 1)]))
    dice = dict(zip("ABC", counts, strict=False))
    position = start_of(dice, palifico=counts[0] == 1 and draw(st.booleans()), book=draw(st.integers(0, 5)))
    start, bids = position, []
    for _ in range(draw(st.integers(1, 4))):
        legal = [face for face in FACES if position.counts(face).lowest is not None]
        if not legal:
            break
        face = draw(st.sampled_from(legal))
        counts_of = position.counts(face)
        count = min((counts_of.lowest or 0) + draw(st.integers(0, 1)), counts_of.highest or 99)
        bids.append(Bid(str(position.turn), count, face))
        position = position.apply(bids[-1])
    return start, bids


def by_counting(start: Position, bids: list[Bid]) -> list[np.ndarray]:
    """The chance that at least 0, 1, ... dice of all players match a bid on each face: every throw, one by one."""
    names = [name for name, count in start.dice.items() if count]
    likelihoods, beliefs = [], Beliefs.start(start, MODEL)
    for place, bid in enumerate(bids):
        choices, chances = beliefs.choices(bid.player, also=bid)
        own = chances[:, choices.place(bid)]
        others = {each.player for each in bids[:place] if each.face == bid.face and each.player != bid.player}
        if len(others) == 2:
            thrown = all_hands(start.dice[bid.player], wild=start.wild).thrown
            own = MODEL.herd * own + (1 - MODEL.herd) * (own * thrown).sum()
        likelihoods.append((bid.player, own))
        beliefs = beliefs.after(bid)
    row_of = {
        name: {tuple(hand): row for row, hand in enumerate(all_hands(start.dice[name], wild=start.wild).matches)}
        for name in names
    }
    total = sum(start.dice[name] for name in names)
    found = np.zeros((6, total + 2))
    for throw in product(FACES, repeat=total):
        hands, at = {}, 0
        for name in names:
            hands[name] = matches_of(throw[at : at + start.dice[name]], wild=start.wild)
            at += start.dice[name]
        weight = prod(float(chances[row_of[name][tuple(hands[name])]]) for name, chances in likelihoods)
        for column, matched in enumerate(sum(hands.values())):
            found[column, : matched + 1] += weight
    return [row / row[0] for row in found]


@settings(max_examples=25, deadline=None)
@given(small_rounds())
def test_the_chances_are_those_of_counting_every_throw(played: tuple[Position, list[Bid]]) -> None:
    start, bids = played
    beliefs = Beliefs.start(start, MODEL)
    for bid in bids:
        beliefs = beliefs.after(bid)
    for mine, counted in zip(at_least(beliefs.matches()), by_counting(start, bids), strict=True):
        assert mine == pytest.approx(counted, abs=1e-9)


def test_a_bid_makes_its_bidder_likelier_to_hold_the_face() -> None:
    start = start_of({"A": 5, "B": 5, "C": 5})
    sixes = all_hands(5, wild=True).matches[:, 5]
    before = Beliefs.start(start, MODEL)
    after = before.after(Bid("A", 5, 6))
    assert before.hands("A") @ sixes == pytest.approx(5 / 3)
    assert after.hands("A") @ sixes > 5 / 3 + 0.3
    assert after.hands("B") @ sixes == pytest.approx(5 / 3)


def test_a_player_counts_the_dice_of_the_others_and_not_the_own_ones_twice() -> None:
    beliefs = Beliefs.start(start_of({"A": 3, "B": 2, "C": 4}), MODEL)
    others = beliefs.matches(without=("A",))
    _, chances = beliefs.choices("A")
    _, same = beliefs.choices("A", others=others)
    assert np.array_equal(chances, same)
    assert others.shape[1] == 2 + 4 + 1


def test_without_any_closeness_bids_say_nothing() -> None:
    start = start_of({"A": 5, "B": 5})
    after = Beliefs.start(start, MODEL, {"A": {Closeness(0, 0): 1.0}}).after(Bid("A", 5, 6)).after(Bid("B", 6, 6))
    assert after.hands("A") == pytest.approx(all_hands(5, wild=True).thrown)
    assert after.hands("B") != pytest.approx(all_hands(5, wild=True).thrown)


def test_who_bids_anything_still_says_by_not_doubting_that_the_bid_may_hold() -> None:
    start = start_of({"A": 5, "B": 5})
    raised = Beliefs.start(start, MODEL, {"B": {Closeness(0, 1): 1.0}}).after(Bid("A", 5, 6)).after(Bid("B", 6, 2))
    matches = all_hands(5, wild=True).matches
    assert raised.hands("B") @ matches[:, 5] > raised.hands("B") @ matches[:, 1] + 0.1
    assert raised.hands("B") @ matches[:, 1] == pytest.approx(raised.hands("B") @ matches[:, 2])


def test_who_may_bid_closely_or_not_is_half_believed() -> None:
    start, sixes = start_of({"A": 5, "B": 5}), all_hands(5, wild=True).matches[:, 5]
    maybe = {"A": {Closeness(0, 0): 0.5, USUAL: 0.5}}
    half, whole = (Beliefs.start(start, MODEL, each).after(Bid("A", 5, 6)).hands("A") @ sixes for each in (maybe, {}))
    assert half - 5 / 3 == pytest.approx((whole - 5 / 3) / 2)


def test_who_bids_the_count_they_expect_holds_what_a_bid_needs() -> None:
    """Of five dice that they do not see, 5/3 match on average: who bids five holds three, and who raises on another
    face rather than doubts holds some of the bid's."""
    start, matches = start_of({"A": 5, "B": 5}), all_hands(5, wild=True).matches
    counting = {name: {Counting(6, 2): 1.0} for name in "AB"}
    bid = Beliefs.start(start, MODEL, counting).after(Bid("A", 5, 6))
    assert bid.hands("A") @ (matches[:, 5] >= 3) > 0.95
    raised = Beliefs.start(start, MODEL, counting).after(Bid("A", 4, 6)).after(Bid("B", 5, 2)).hands("B")
    assert raised @ matches[:, 5] > raised @ matches[:, 3] + 0.1
    low = Beliefs.start(start, MODEL, {"A": {Counting(2, 0): 1.0}}).after(Bid("A", 1, 6))
    assert low.hands("A") @ matches[:, 5] < 5 / 3 - 0.2
    start = start_of({"A": 1, "B": 5}, palifico=True)
    palifico = Beliefs.start(start, MODEL, {"A": {Counting(6, 0): 1.0}}).after(Bid("A", 2, 6))
    assert palifico.hands("A")[all_hands(1, wild=False).matches[:, 5] == 1] > 0.9


def test_an_opening_that_nobody_forced_up_says_more_than_a_raise() -> None:
    start, sixes = start_of({"A": 5, "B": 5}), all_hands(5, wild=True).matches[:, 5]
    beliefs, bid = Beliefs.start(start, MODEL, {"A": {Counting(2, 0): 1.0}}), Bid("A", 5, 6)
    opened, raised = (each.after(bid).hands("A") @ (sixes < 3) for each in (beliefs, beliefs.after(Bid("B", 4, 6))))
    assert opened < raised / 2


def test_who_is_one_of_many_on_a_face_follows_them_and_not_the_own_dice() -> None:
    bids = [Bid(name, 5 + n, 6) for n, name in enumerate("ABACB")]
    sixes, thrown = all_hands(5, wild=True).matches[:, 5], all_hands(5, wild=True).thrown

    def expected(herd: float, heard: int, player: str) -> float:
        beliefs = Beliefs.start(start_of({"A": 5, "B": 5, "C": 5}), replace(MODEL, herd=herd))
        for bid in bids[:heard]:
            beliefs = beliefs.after(bid)
        return float(beliefs.hands(player) @ sixes)

    for heard, player in ((1, "A"), (2, "B"), (3, "A")):
        assert expected(0, heard, player) == expected(1, heard, player), "nobody else, or one"
    third = [expected(herd, 4, "C") for herd in (0, 1)]
    assert third[0] == pytest.approx(thrown @ sixes), "two others: it says nothing"
    assert third[0] < expected(MODEL.herd, 4, "C") < third[1]
    assert expected(0, 5, "B") == expected(0, 4, "B")


def test_a_bid_that_nobody_would_make_still_tells_hands_apart() -> None:
    start = start_of({"A": 5, "B": 5, "C": 5})
    jump = Beliefs.start(start, MODEL).after(Bid("A", 2, 3)).after(Bid("B", 9, 6))
    assert jump.hands("B") @ all_hands(5, wild=True).matches[:, 5] > 5 / 3 + 0.3


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_no_bid_is_impossible(style: Style) -> None:
    styles = {name: {style: 1.0} for name in "AB"}
    mad = Beliefs.start(start_of({"A": 5, "B": 5}), MODEL, styles).after(Bid("A", 300, 6)).after(Bid("B", 301, 6))
    for player in "AB":
        assert mad.hands(player).sum() == pytest.approx(1)


def test_the_chance_from_the_own_dice_alone() -> None:
    """Two sixes and a paco in hand; of three unseen dice at least one must be a six or a paco: 1 - (2/3)^3."""
    position = start_of({"A": 3, "B": 3})
    assert chance(position, "A", (6, 6, 1), Bid("B", 4, 6)) == pytest.approx(19 / 27, abs=1e-12)
    assert chance(position, "A", (6, 6, 1), Bid("B", 3, 6)) == 1
    assert chance(position, "A", (6, 6, 1), Bid("B", 7, 6)) == 0
    palifico = start_of({"A": 1, "B": 2}, palifico=True)
    assert chance(palifico, "A", (1,), Bid("A", 1, 6)) == pytest.approx(11 / 36, abs=1e-12)


def test_the_bids_of_a_round_are_near_the_lowest() -> None:
    position = start_of({"A": 5, "B": 5})
    bids = bids_after(position, Bid("A", 3, 4), also=Bid("B", 9, 2))
    assert bids.place(Bid("B", 4, 4)) >= 0
    assert (int(bids.counts[-1]), FACES[bids.columns[-1]]) == (9, 2)


def test_pacos_that_have_opened_a_round_may_not_be_wild_in_it() -> None:
    rules = house_rules({"opens_on_pacos": True, "opened_on_pacos_wild": False})
    start = Position.start(GameStarted(rules, ("A", "B"), "A", True, {"A": 1, "B": 1}))
    beliefs = Beliefs.start(start, MODEL).after(Bid("A", 1, 1))
    bids, _ = beliefs.choices("B")
    assert (bids.counts.min(), set(bids.columns)) == (1, set(range(6)))  # two pacos, or one of any other face
    assert beliefs.matches(without=("A",))[FACES.index(4)] == pytest.approx([5 / 6, 1 / 6])


@pytest.mark.parametrize("previous", [None, Bid("B", 3, 4)])
def test_what_a_choice_is_worth_is_the_sum_of_its_features(previous: Bid | None) -> None:
    """The chances are weighed before they are looked up, each feature after."""
    position = start_of({"A": 4, "B": 5, "C": 2})
    weights = MODEL.opening if previous is None else MODEL.raising
    hands, bids = all_hands(4, wild=True), bids_after(position, previous)
    others = at_least(Beliefs.start(position, MODEL).matches(without=("A",))) ** 2
    one = worths(position, previous, 4, hands.matches, others, bids, weights)
    each = worths(position, previous, 4, hands.matches, others, bids, np.eye(len(FEATURES)))
    assert one == pytest.approx(each @ weights)
