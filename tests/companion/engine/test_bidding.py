"""What is said of illegal bids, and that every bidding ends. Which bids are legal: `test_oracle`."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import DEFAULT_RULESET, RULESETS, Bid, GameStarted, IllegalBidError, Position, Ruleset
from companion.engine.rulebooks import RULE_FIELDS, values_of, with_changes
from tests.companion.engine.legal_bids import BIDDING_RULES, legal_bids


def position(book, *bids, palifico=False, dice=None, **changes):
    """After `bids`, each (count, face), of ana, ben, cid, ana, ... in turn."""
    dice = {"ana": 1 if palifico else 3, "ben": 3, "cid": 3} | (dice or {})
    rules = with_changes(RULESETS[book], changes)
    now = Position.start(GameStarted(rules, tuple(dice), "ana", dice=dice, palifico="ana" if palifico else None))
    for count, face in bids:
        now = now.apply(Bid(now.turn, count, face))
    return now


FR, WEB, HASBRO = "asmodee-fr", "web-fr", "hasbro-1994"
TWICE, HIGHER, DOWN = {"leaving_pacos": "twice"}, {"raises": "higher-face"}, {"half_rounded": "down"}
PALIFICO = {"palifico": True}
FORMER = {"palifico": True, "dice": {"ben": 1}}
CAPPED = {"bids_above_dice": False}
REFUSED = [
    (position(FR), 1, 1, "you may not open a round on pacos"),
    (position(WEB, **PALIFICO), 1, 1, "not even a palifico may open a round on pacos"),
    (position(FR, (5, 4)), 6, 5, "after five fours a higher face must keep the count of five"),
    (position(FR, (5, 4)), 6, 3, "after five fours the face may not go down"),
    (position(FR, (5, 4)), 5, 4, "after five fours the same face needs at least six dice"),
    (position(WEB, (5, 4)), 5, 3, "after five fours a lower face needs at least six dice"),
    (position(WEB, (5, 4)), 4, 6, "after five fours a higher face needs at least five dice"),
    (position(FR, (7, 4)), 3, 1, "after seven fours a bid on pacos needs at least four of them"),
    (position(FR, (8, 4), (4, 1)), 8, 5, "after four pacos another face needs at least nine dice"),
    (position(FR, (8, 4), (4, 1)), 4, 1, "after four pacos the same face needs at least five dice"),
    (position(FR, (1, 4), (1, 1)), 2, 2, "after one paco another face needs at least three dice"),
    (
        position(FR, (4, 4), (2, 1), **TWICE), 4, 4,
        "after four fours in this round, this face needs at least five dice",
    ),
    (position(FR, (4, 4), (2, 1), **TWICE), 3, 5, "after two pacos another face needs at least four dice"),
    (
        position(FR, (4, 4), (2, 1), (4, 5), **TWICE), 2, 1,
        "after two pacos in this round, this face needs at least three dice",
    ),
    (position(FR, (9, 4), (5, 1), **HIGHER), 11, 3, "after nine fours in this round, the face may not be lower"),
    (
        position(FR, (9, 4), (5, 1), (11, 4), (1, 6), **HIGHER), 1, 1,
        "after five pacos in this round, this face needs at least six dice",
    ),
    (position(FR, (7, 3), **DOWN), 2, 1, "after seven threes a bid on pacos needs at least three of them"),
    (position(FR, **CAPPED), 10, 2, "no bid may be above the number of dice in play: nine"),
    (
        position(FR, (8, 4), (5, 1), **CAPPED), 11, 6,
        "no bid may be above the number of dice in play: nine",
    ),
    (position(FR, (8, 4), **CAPPED), 8, 4, "after eight fours the same face needs at least nine dice"),
    (position(FR, (9, 4), **CAPPED), 10, 5, "after nine fours a higher face must keep the count of nine"),
    (
        position(FR, (2, 3), **PALIFICO), 9, 6,
        "in this palifico round the face is locked: bid more dice than two threes",
    ),
    (position(FR, (2, 3), **PALIFICO), 2, 3, "after two threes the same face needs at least three dice"),
    (position(HASBRO, (2, 3), **FORMER), 1, 1, "after two threes a lower face needs at least three dice"),
    (
        position(FR, (2, 3), locked_face_changed_by="former-palifico", **FORMER), 3, 1,
        "in a palifico round pacos are the lowest face, and after two threes the face may not go down",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("now", "count", "face", "sentence"), REFUSED)
def test_a_refusal_says_what_is_needed(now, count, face, sentence):
    error = now.check(Bid(now.turn, count, face))
    assert (type(error), error.code, error.message) == (IllegalBidError, "illegal-bid", sentence)


def test_a_bid_that_cannot_be_raised_is_only_called():
    now = position(FR, (9, 6), (9, 1), bids_above_dice=False, raises="any-face")
    assert now.lowest_bids() == dict.fromkeys(range(1, 7))
    assert (now.may_dudo(), now.may_calza()) == (("cid",), ("cid", "ana"))


def test_a_round_that_is_opened_again_forgets_its_bids():
    assert position(FR, (4, 4), (2, 1), **TWICE).reopened().apply(Bid("ana", 2, 4)).lowest_bids()[1] == 1
    tame = position(FR, (2, 1), opens_on_pacos=True, opened_on_pacos_wild=False)
    assert (tame.wild, tame.reopened().wild) == (False, True)


# Every bidding ends

CEILING = 4
"""Bids of more dice are left out, so that there are only so many."""


def bidding_ends(now: Position) -> bool:
    """Whether no bids of up to `CEILING` dice come back to where they were."""
    under_way: set[object] = set()
    done: set[object] = set()

    def ends(at: Position) -> bool:
        here = (
            at.turn,
            at.bid and (at.bid.count, at.bid.face),
            at.other_sort and (at.other_sort.count, at.other_sort.face),
            at.wild,
        )
        if here in done:
            return True
        if here in under_way:
            return False
        under_way.add(here)
        found = all(ends(at.apply(bid)) for bid in legal_bids(at, CEILING))
        under_way.discard(here)
        done.add(here)
        return found

    return ends(now)


@pytest.mark.parametrize("palifico", [False, True])
def test_no_bids_come_back_to_where_they_were(palifico):
    dice = {"ana": 1, "ben": 1 if palifico else 5}
    for values in product(*map(values_of, BIDDING_RULES[palifico])):
        rules = with_changes(DEFAULT_RULESET, dict(zip(BIDDING_RULES[palifico], values, strict=True)))
        game = GameStarted(rules, tuple(dice), "ana", True, dice, "ana" if palifico else None)
        assert bidding_ends(Position.start(game)), values


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    book = draw(st.sampled_from(list(RULESETS.values())))
    return with_changes(book, draw(st.fixed_dictionaries({}, optional={
        rule: st.sampled_from(values_of(rule)) for rule in RULE_FIELDS
    })))  # fmt: skip


@settings(max_examples=40)
@given(rules=rulesets(), luck=st.randoms(use_true_random=False))
def test_whoever_bids_as_low_as_they_may_comes_to_the_last_die(rules, luck):
    now = Position.start(GameStarted(rules, ("ana", "ben", "cid"), "ana"))
    for _ in range(12 * sum(now.dice_by_seat)):
        bids = [Bid(now.turn, count, face) for face, count in now.lowest_bids().items() if count is not None]
        if not bids:
            break
        now = now.apply(luck.choice(bids))
    if rules.bids_above_dice:
        assert now.bid.count > sum(now.dice_by_seat)
    else:
        assert now.bid.count <= sum(now.dice_by_seat)
        assert not any(now.lowest_bids().values())
