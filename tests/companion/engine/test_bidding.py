"""Legal bids under every book, in normal and in palifico rounds."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import (
    DEFAULT_RULESET,
    RULESETS,
    Bid,
    Dudo,
    GameStarted,
    IllegalBidError,
    Position,
    Reveal,
    Ruleset,
    house_rules,
)
from companion.engine.rulebooks import RULE_FIELDS, values_of, with_changes
from tests.companion.engine.legal_bids import legal_bids

BOOKS = tuple(RULESETS)
ONE_OF_TWO = ("asmodee-fr", "asmodee-nl", "asmodee-nl-2", "asmodee-it")
ANY_FACE = ("hasbro-1994", "web-fr")


def position(book, *bids, palifico=False, dice=None):
    """After `bids`, each (count, face), of ana, ben, cid, ana, ... in turn."""
    if palifico:
        dice = {"ana": 1, "ben": 3, "cid": 3} | (dice or {})
    game = GameStarted(RULESETS[book], ("ana", "ben", "cid"), "ana", dice=dice, palifico="ana" if palifico else None)
    now = Position.start(game)
    for count, face in bids:
        now = now.apply(Bid(now.turn, count, face))
    return now


def legal(now, most=12):
    return {(bid.count, bid.face) for bid in legal_bids(now, most)}


def refused(now, count, face):
    error = now.check(Bid(now.turn, count, face))
    assert isinstance(error, IllegalBidError)
    assert error.code == "illegal-bid"
    return error.message


# Opening


@pytest.mark.parametrize("book", BOOKS)
def test_a_normal_round_opens_on_any_count_of_any_face_but_pacos(book):
    now = position(book)
    assert legal(now, 3) == {(count, face) for count in (1, 2, 3) for face in (2, 3, 4, 5, 6)}
    assert now.is_legal(Bid("ana", 10**9, 6))
    assert refused(now, 1, 1) == "a round may not be opened on pacos"


@pytest.mark.parametrize("book", BOOKS)
def test_the_palifico_may_open_on_pacos_except_under_web_fr(book):
    now = position(book, palifico=True)
    assert now.is_legal(Bid("ana", 1, 1)) is (book != "web-fr")
    assert now.is_legal(Bid("ana", 1, 2))


def test_web_fr_says_that_not_even_a_palifico_opens_on_pacos():
    assert refused(position("web-fr", palifico=True), 1, 1) == (
        "under these rules not even a palifico may open a round on pacos"
    )


# Raising between faces 2-6


@pytest.mark.parametrize("book", ONE_OF_TWO)
def test_one_of_two_raises_count_or_face_never_both(book):
    now = position(book, (5, 4))
    plain = {bid for bid in legal(now, 8) if bid[1] != 1}
    assert plain == {(6, 4), (7, 4), (8, 4), (5, 5), (5, 6)}
    assert refused(now, 6, 5) == "after five fours a bid on a higher face must keep the count of five"
    assert refused(now, 6, 3) == "after five fours the face may not go down"
    assert refused(now, 5, 4) == "after five fours a bid on the same face needs at least six dice"


@pytest.mark.parametrize("book", ANY_FACE)
def test_any_face_allows_more_dice_of_any_face_or_as_many_of_a_higher_one(book):
    now = position(book, (5, 4))
    plain = {bid for bid in legal(now, 7) if bid[1] != 1}
    assert plain == {(5, 5), (5, 6)} | {(count, face) for count in (6, 7) for face in (2, 3, 4, 5, 6)}
    assert refused(now, 5, 3) == "after five fours a bid on a lower face needs at least six dice"
    assert refused(now, 4, 6) == "after five fours a bid on a higher face needs at least five dice"


# To pacos and back


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    ("count", "pacos"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4), (9, 5), (21, 11)]
)
@pytest.mark.parametrize("face", [2, 6])
def test_a_bid_on_pacos_needs_half_the_count_rounded_up(book, count, pacos, face):
    now = position(book, (count, face))
    assert now.lowest_bids()[1] == pacos
    assert now.is_legal(Bid("ben", pacos, 1))
    assert now.is_legal(Bid("ben", 10 * count, 1))
    if pacos > 1:
        assert not now.is_legal(Bid("ben", pacos - 1, 1))


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("pacos", [1, 2, 3, 4, 7])
def test_after_pacos_come_more_pacos_or_twice_as_many_plus_one(book, pacos):
    now = position(book, (2, 6), (pacos, 1))
    assert now.lowest_bids() == {1: pacos + 1} | dict.fromkeys(range(2, 7), 2 * pacos + 1)
    for face in range(2, 7):
        assert now.is_legal(Bid("cid", 2 * pacos + 1, face))
        assert now.is_legal(Bid("cid", 2 * pacos + 2, face))
        assert not now.is_legal(Bid("cid", 2 * pacos, face))
    assert not now.is_legal(Bid("cid", pacos, 1))


def test_the_sentences_about_pacos():
    now = position("asmodee-fr", (8, 4), (4, 1))
    assert refused(now, 8, 5) == "after four pacos a bid on another face needs at least nine dice"
    assert refused(now, 4, 1) == "after four pacos a bid on the same face needs at least five dice"
    assert (
        refused(position("asmodee-fr", (7, 4)), 3, 1) == "after seven fours a bid on pacos needs at least four of them"
    )
    one = position("asmodee-fr", (1, 4), (1, 1))
    assert refused(one, 2, 2) == "after one paco a bid on another face needs at least three dice"


# House rules


def house(changes, *bids, dice=None):
    now = Position.start(GameStarted(with_changes(DEFAULT_RULESET, changes), ("ana", "ben"), "ana", dice=dice))
    for count, face in bids:
        now = now.apply(Bid(now.turn, count, face))
    return now


def twice(*bids):
    return house({"leaving_pacos": "twice"}, *bids)


def test_after_twice_as_many_a_bid_outranks_the_last_one_of_its_sort():
    now = twice((4, 4), (2, 1))
    assert now.lowest_bids() == {1: 3, 2: 5, 3: 5, 4: 5, 5: 4, 6: 4}
    assert refused(now, 4, 4) == "with four fours bid in this round, a bid on this face needs at least five dice"
    assert refused(now, 3, 5) == "after two pacos a bid on another face needs at least four dice"
    now = twice((4, 4), (2, 1), (4, 5))
    assert now.lowest_bids()[1] == 3
    assert refused(now, 2, 1) == "with two pacos bid in this round, a bid on this face needs at least three dice"


def test_more_bids_of_one_sort_do_not_hide_the_last_one_of_the_other():
    assert twice((8, 6), (4, 1), (5, 1)).lowest_bids() == {1: 6} | dict.fromkeys(range(2, 7), 10)
    assert twice((2, 2), (3, 1), (6, 3), (6, 6)).lowest_bids()[1] == 4


def test_a_new_round_forgets_the_bids_of_the_last_one():
    now = twice((4, 4), (2, 1)).reopened().apply(Bid("ana", 2, 4))
    assert now.lowest_bids()[1] == 1


def test_any_number_of_a_higher_face():
    higher = {"raises": "higher-face"}
    assert house(higher, (5, 4)).lowest_bids() == {1: 3, 2: None, 3: None, 4: 6, 5: 1, 6: 1}
    assert refused(house(higher, (5, 4)), 9, 3) == "after five fours the face may not go down"
    assert house(higher, (5, 4), (1, 6)).lowest_bids() == {1: 1} | dict.fromkeys(range(2, 6)) | {6: 2}


def test_after_pacos_no_face_is_lower_than_the_last_one_where_any_number_of_a_higher_one_may_follow():
    now = house({"raises": "higher-face"}, (9, 4), (5, 1))
    assert now.lowest_bids() == {1: 6, 2: None, 3: None, 4: 11, 5: 11, 6: 11}
    assert refused(now, 11, 3) == "with nine fours bid in this round, the face may not be lower"
    now = house({"raises": "higher-face"}, (9, 4), (5, 1), (11, 4), (1, 6))
    assert now.lowest_bids()[1] == 6
    assert refused(now, 1, 1) == "with five pacos bid in this round, a bid on this face needs at least six dice"


def test_half_rounded_down_is_at_least_one():
    down = {"half_rounded": "down"}
    assert [house(down, (count, 3)).lowest_bids()[1] for count in (1, 2, 3, 7, 8)] == [1, 1, 1, 3, 4]
    assert refused(house(down, (7, 3)), 2, 1) == "after seven threes a bid on pacos needs at least three of them"
    assert house(down, (7, 3), (3, 1)).lowest_bids() == {1: 4, 2: 8, 3: 8} | dict.fromkeys((4, 5, 6), 7)


def test_no_bid_is_above_the_dice_in_play():
    capped = {"bids_above_dice": False}
    now = house(capped, dice={"ana": 4, "ben": 3})
    assert (now.lowest_bids()[2], now.counts(2).highest) == (1, 7)
    assert refused(now, 8, 2) == "under these rules no bid may be above the number of dice in play: seven"
    now = house(capped, (6, 4), (4, 1), dice={"ana": 4, "ben": 3})
    assert now.lowest_bids() == {1: 5} | dict.fromkeys(range(2, 7))
    assert refused(now, 9, 6) == "under these rules no bid may be above the number of dice in play: seven"
    now = house(capped, (6, 4), dice={"ana": 4, "ben": 3})
    assert refused(now, 6, 4) == "after six fours a bid on the same face needs at least seven dice"
    assert refused(now, 7, 5) == "after six fours a bid on a higher face must keep the count of six"


def test_a_bid_that_cannot_be_raised_is_only_called():
    now = house({"bids_above_dice": False, "raises": "any-face"}, (7, 6), (7, 1), dice={"ana": 4, "ben": 3})
    assert now.lowest_bids() == dict.fromkeys(range(1, 7))
    assert (now.may_dudo(), now.may_calza()) == (("ana",), ("ana",))


def test_pacos_that_open_a_round_are_not_wild_in_it():
    tame = {"opens_on_pacos": True, "opened_on_pacos_wild": False}
    now = house(tame, (2, 1))
    assert (house(tame).wild, now.wild) == (True, False)
    assert legal(now, 3) == {(3, 1)} | {(2, face) for face in range(2, 7)}
    assert refused(house(tame, (2, 1), (2, 4)), 1, 1) == "after two fours the face may not go down"
    now = now.apply(Dudo("ben")).apply(Reveal({"ana": (1,) * 5, "ben": (2,) * 5}))
    assert now.wild
    assert (house(tame, (4, 3), (2, 1)).wild, house(tame, (2, 1)).reopened().wild) == (True, True)
    assert house({"opens_on_pacos": True}, (2, 1)).lowest_bids()[2] == 5


# Every bidding ends

BIDDING = (
    "raises", "palifico_opens_on_pacos", "locked_face_changed_by", "opens_on_pacos", "pacos_wild", "leaving_pacos",
    "opened_on_pacos_wild", "half_rounded",
)  # fmt: skip
"""The rules that decide which bids are legal."""
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
@pytest.mark.parametrize(
    "changes", [dict(zip(BIDDING, each, strict=True)) for each in product(*map(values_of, BIDDING))]
)
def test_no_bids_come_back_to_where_they_were(changes, palifico):
    rules = with_changes(DEFAULT_RULESET, changes)
    dice = {"ana": 1, "ben": 1 if palifico else 5}
    assert bidding_ends(Position.start(GameStarted(rules, tuple(dice), "ana", True, dice, "ana" if palifico else None)))


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Any book, with any house rules."""
    book = draw(st.sampled_from(list(RULESETS.values())))
    return with_changes(book, draw(st.fixed_dictionaries({}, optional={
        rule: st.sampled_from(values_of(rule)) for rule in RULE_FIELDS
    })))  # fmt: skip


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


# Palifico rounds


@pytest.mark.parametrize(
    ("book", "face"), [(book, face) for book in BOOKS for face in range(1, 7) if (book, face) != ("web-fr", 1)]
)
def test_in_a_palifico_round_only_the_count_rises(book, face):
    now = position(book, (2, face), palifico=True)
    assert legal(now, 5) == {(3, face), (4, face), (5, face)}
    assert now.lowest_bids() == dict.fromkeys(range(1, 7)) | {face: 3}
    other = 6 if face != 6 else 5
    assert "in this palifico round the face is locked: bid more dice than two" in refused(now, 9, other)
    assert "needs at least three dice" in refused(now, 2, face)


def test_a_former_palifico_may_change_the_face_under_hasbro_1994():
    now = position("hasbro-1994", (2, 3), palifico=True, dice={"ben": 1})
    assert legal(now, 3) == {(2, 4), (2, 5), (2, 6)} | {(3, face) for face in range(1, 7)}
    assert refused(now, 1, 1) == "after two threes a bid on a lower face needs at least three dice"
    assert refused(now, 2, 2) == "after two threes a bid on a lower face needs at least three dice"
    assert refused(now, 1, 4) == "after two threes a bid on a higher face needs at least two dice"


def test_with_two_dice_one_is_no_former_palifico():
    now = position("hasbro-1994", (2, 3), palifico=True, dice={"ben": 2})
    assert legal(now, 4) == {(3, 3), (4, 3)}


def test_the_new_face_is_locked_for_the_others():
    now = position("hasbro-1994", (2, 3), (2, 4), palifico=True, dice={"ben": 1})
    assert legal(now, 4) == {(3, 4), (4, 4)}


def test_pacos_rank_below_two_for_a_former_palifico():
    now = position("hasbro-1994", (2, 1), palifico=True, dice={"ben": 1})
    assert legal(now, 3) == {(2, face) for face in range(2, 7)} | {(3, face) for face in range(1, 7)}


def test_the_palifico_does_not_change_the_face_in_her_own_round():
    now = position("hasbro-1994", (2, 3), (3, 3), (4, 3), palifico=True)
    assert now.turn == "ana"
    assert legal(now, 6) == {(5, 3), (6, 3)}


@pytest.mark.parametrize("book", [book for book in BOOKS if book != "hasbro-1994"])
def test_one_die_changes_no_face_under_the_other_books(book):
    now = position(book, (2, 3), palifico=True, dice={"ben": 1})
    assert legal(now, 4) == {(3, 3), (4, 3)}


def test_a_former_palifico_is_bound_by_the_order_of_the_book():
    """A house rule no book has: former palificos under one-of-two raises."""
    rules = house_rules({"ruleset": "asmodee-fr", "locked_face_changed_by": "former-palifico"})
    game = GameStarted(rules, ("ana", "ben"), "ana", dice={"ana": 1, "ben": 1}, palifico="ana")
    now = Position.start(game).apply(Bid("ana", 2, 3))
    assert legal(now, 4) == {(3, 3), (4, 3), (2, 4), (2, 5), (2, 6)}
    assert "pacos are the lowest face" in refused(now, 3, 1)


# Counted, as perft counts chess moves


def perft(now, depth, most):
    """How many sequences of `depth` legal bids for up to `most` dice there are."""
    if depth == 0:
        return 1
    return sum(perft(now.apply(bid), depth - 1, most) for bid in legal_bids(now, most))


# ONE_OF_TWO is asmodee-fr and its translations, ANY_FACE is hasbro-1994; web-fr differs in the palifico opening.
PERFT = """
bids so far    round     asmodee-fr     hasbro-1994    web-fr
-              normal    30 285 1805    30 585 6745    30 585 6745
5x4            normal    7 23 45        11 55 165      11 55 165
2x6 2x1        normal    14 71 204      14 91 364      14 91 364
-              palifico  36 90 120      36 90 120      30 75 100
2x3            palifico  4 6 4          4 6 4          4 6 4
"""
"""How many sequences of one, two and three legal bids for up to six dice there are; counted by both implementations."""


@pytest.mark.parametrize("row", PERFT.strip().splitlines()[1:])
def test_counts_of_legal_bids(row):
    so_far, kind, *cells = re.split(r"  +", row)
    bids = [tuple(map(int, bid.split("x"))) for bid in so_far.split() if bid != "-"]
    for book, cell in zip(("asmodee-fr", "hasbro-1994", "web-fr"), cells, strict=True):
        now = position(book, *bids, palifico=kind == "palifico")
        assert [perft(now, depth, 6) for depth in (1, 2, 3)] == list(map(int, cell.split())), book


def test_counts_of_legal_bids_among_former_palificos():
    now = position("hasbro-1994", (2, 3), palifico=True, dice={"ben": 1, "cid": 1})
    assert [perft(now, depth, 6) for depth in (1, 2, 3)] == [27, 351, 354]


# lowest_bids and counts agree with is_legal


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("palifico", [False, True])
def test_the_listed_bids_are_the_legal_bids(book, palifico):
    for first in range(2, 7):
        for dice in ({}, {"ben": 1}):
            now = position(book, (3, first), palifico=palifico, dice=dice if palifico else None)
            by_check = {(c, f) for c in range(1, 13) for f in range(1, 7) if now.is_legal(Bid("ben", c, f))}
            assert legal(now, 12) == by_check
            for face, lowest in now.lowest_bids().items():
                assert lowest == min((c for c, f in by_check if f == face), default=None)
