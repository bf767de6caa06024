"""What no record shows: who leaves or comes, dice put right, the order of cups. What a record shows: `test_oracle`."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from companion.engine import (
    RULESETS,
    Bid,
    Calza,
    Direction,
    Dudo,
    EngineError,
    GamePhase,
    GameStarted,
    NotAllowedError,
    Position,
    Reveal,
    Together,
    UnknownPlayerError,
    UnreadableError,
    WrongPhaseError,
    house_rules,
)
from companion.messages.message import Faces

BOOKS = tuple(RULESETS)
NAMES = ("ana", "ben", "cid", "dora")


def start(book="asmodee-fr", starter="ana", **options):
    return Position.start(GameStarted(RULESETS[book], NAMES, starter, **options))


def dice(**left):
    """The dice of four players, five unless named."""
    return dict.fromkeys(NAMES, 5) | left


def reveal(position, matching):
    """A reveal with `matching` dice of the bid's face, and no pacos."""
    face, shown = position.bid.face, {}
    for player, count in position.dice.items():
        fits = min(count, matching)
        matching -= fits
        shown[player] = (face,) * fits + (2 + face % 5,) * (count - fits)
    assert not matching
    return Reveal(shown)


def code(position, event):
    error = position.check(event)
    return None if error is None else error.code


def out(position, player):
    """The round in which `player`, with one die and on turn, bids and is rightly doubted."""
    position = position.apply(Bid(player, 9, 2))
    position = position.apply(Dudo(position.turn))
    return position.apply(reveal(position, 0))


# The illustrated round: 21 dice, four 4s, six 4s, four pacos, nine 5s, dudo; four 5s and five pacos


# Verdicts


@pytest.mark.parametrize(
    ("face", "wild", "expected"),
    [(4, True, {1, 4}), (4, False, {4}), (1, True, {1}), (1, False, {1}), (5, True, {1, 5})],
)
def test_the_faces_that_count(face, wild, expected):
    assert {other for other in range(1, 7) if Bid("ana", 1, face).matches(other, wild=wild)} == expected


def test_a_position_has_an_outcome_only_after_its_reveal():
    now = come_down(start(), "ana")
    assert now.outcome is not None
    assert now.apply(Bid("ana", 1, 2)).outcome is None


def test_the_last_player_with_dice_wins_and_nothing_follows():
    now = start(starter="ben", dice=dict.fromkeys(NAMES, 1))
    for player in ("ben", "cid"):
        now = out(now, player)
    last = now
    now = out(now, "dora")
    assert (now.phase, now.winner, now.turn, now.outcome.eliminated) == (GamePhase.OVER, "ana", None, "dora")
    assert now.dice == {"ana": 1, "ben": 0, "cid": 0, "dora": 0}
    assert (now.round, now.starter, now.palifico, now.wild) == (last.round, "dora", None, True)
    assert now.bid == Bid("dora", 9, 2)
    for event in (Bid("ana", 1, 2), Dudo("ana"), Calza("ben"), Reveal({}), Together((Dudo("ana"),))):
        assert isinstance(now.check(event), WrongPhaseError)
    assert isinstance(now.check(Dudo("zoe")), UnknownPlayerError)
    assert now.lowest_bids() == dict.fromkeys(range(1, 7))
    assert all(1 not in now.counts(face) for face in range(1, 7))
    assert now.may_dudo() == now.may_calza() == now.reveal_order() == ()


# Palifico


def come_down(now, bidder):
    """A round in which `bidder`, who opens, is rightly doubted."""
    now = now.apply(Bid(bidder, 15, 2))
    now = now.apply(Dudo(now.turn))
    return now.apply(reveal(now, 0))


@pytest.mark.parametrize("begins", [{}, {"palifico": "ana", "former_palificos": frozenset()}])
def test_who_starts_with_one_die_or_as_palifico_is_a_former_palifico(begins):
    now = start("hasbro-1994", dice=dice(ana=1), **begins)
    now = now.apply(Bid("ana", 1, 3)).apply(Bid("ben", 2, 3)).apply(Bid("cid", 3, 3))
    now = now.apply(Bid("dora", 4, 3))
    assert now.wild is not bool(begins)
    now = now.apply(Bid("ana", 5, 3)).apply(Bid("ben", 6, 3)).apply(Calza("ana"))
    now = now.apply(reveal(now, 6))
    assert now.dice["ana"] == 2
    assert come_down(now, "ana").palifico is None


# Refusals


def test_errors_distinguish_unreadable_from_not_allowed():
    now = start()
    with pytest.raises(NotAllowedError) as allowed:
        now.apply(Bid("ana", 1, 1))
    assert isinstance(allowed.value, RuntimeError)
    with pytest.raises(UnreadableError) as read:
        Bid("ana", 0, 1)
    assert isinstance(read.value, ValueError)
    assert {error.code for error in (allowed.value, read.value)} == {"illegal-bid", "bad-record"}
    with pytest.raises(UnreadableError):
        now.apply(GameStarted(RULESETS["web-fr"], NAMES, "ana"))


def test_a_palifico_round_stays_one_when_the_third_player_leaves():
    rules = house_rules({"palifico_rounds": "not-with-two"})
    game = GameStarted(rules, ("ana", "ben", "cid"), "ana", dice={"ana": 1, "ben": 2, "cid": 2}, palifico="ana")
    assert Position.start(game).without("cid").palifico == "ana"


def test_a_void_round_goes_round_the_way_that_was_said():
    rules = house_rules({"opener_chooses_direction": True})
    now = Position.start(GameStarted(rules, NAMES, "ana")).apply(Bid("ana", 3, 3, Direction.COUNTERCLOCKWISE))
    assert now.reopened().apply(Bid("ana", 3, 3)).turn == "dora"
    assert now.reopened().apply(Bid("ana", 3, 3, Direction.CLOCKWISE)).turn == "ben"


# House rules on what follows a verdict


def by(changes, **handicaps):
    return Position.start(GameStarted(house_rules(changes), NAMES, "ana", dice=dice(**handicaps)))


def test_the_palifico_opens_also_where_the_winner_of_a_dudo_does():
    now = come_down(by({"opens_after_dudo": "winner"}, ana=2), "ana")
    assert (now.palifico, now.starter, now.turn) == ("ana", "ana", "ana")
    assert now.with_dice("ana", 2).turn == "ben"
    assert now.without("ben").with_dice("ana", 2).turn == "cid"
    now = by({"opens_after_dudo": "winner"}, ana=2)
    for count, player in enumerate(NAMES, start=2):
        now = now.apply(Bid(player, count, 3))
    now = now.apply(Dudo("ana"))
    now = now.apply(reveal(now, 5))
    assert (now.palifico, now.without("ana").turn) == ("ana", "dora")
    now = come_down(by({"opens_after_dudo": "winner"}, ana=1), "ana")
    assert (now.dice["ana"], now.turn) == (0, "ben")
    assert (now.with_dice("ana", 2).turn, now.with_dice("ana", 1).turn) == ("ben", "ana")


def test_a_right_calza_that_costs_the_bidder_a_die_lets_the_caller_open_unless_the_bidder_is_palifico():
    def calza(**handicaps):
        now = by({"right_calza": "bidder-loses"}, **handicaps).apply(Bid("ana", 5, 3)).apply(Calza("cid"))
        return now.apply(reveal(now, 5))

    now = calza(cid=3)
    assert (now.dice["ana"], now.dice["cid"], now.starter, now.palifico) == (4, 3, "cid", None)
    now = calza(ana=2)
    assert (now.starter, now.palifico) == ("ana", "ana")
    assert now.with_dice("ana", 2).turn == "cid"
    now = calza(ana=1)
    assert (now.outcome.eliminated, now.starter) == ("ana", "cid")


def test_calza_ends_when_fewer_than_half_of_the_dice_are_left():
    rules = {"calza_to_half": True}
    assert by(rules, ana=2, ben=2, cid=1).apply(Bid("ana", 2, 3)).may_calza() == ("ben", "cid", "dora")
    now = by(rules, ana=2, ben=1, cid=1).apply(Bid("ana", 2, 3))
    assert now.may_calza() == ()
    assert now.check(Calza("ben")).message == "fewer than half of the dice are left: nobody may say calza now"
    assert by({}, ana=2, ben=1, cid=1).apply(Bid("ana", 2, 3)).may_calza()


def test_the_dice_of_who_has_left_or_joined_count_for_the_half():
    now = by({"calza_to_half": True}, ana=2, ben=2, cid=1)
    assert not now.without("cid").apply(Bid("ana", 2, 3)).may_calza()
    assert now.with_newcomer("eve", 2, 4).apply(Bid("ana", 2, 3)).may_calza() == ()
    assert now.with_newcomer("eve", 3, 4).apply(Bid("ana", 2, 3)).may_calza()


def test_a_calza_that_is_never_judged_does_not_count_as_the_one_of_a_game():
    called = by({"calza_once": True}).apply(Bid("ana", 2, 3)).apply(Calza("cid"))
    assert called.reopened().apply(Bid("ana", 2, 3)).may_calza() == ("ben", "cid", "dora")
    judged = called.apply(reveal(called, 3))
    assert judged.apply(Bid("cid", 2, 3)).apply(Bid("dora", 3, 3)).may_calza() == ("ana", "ben")


def test_the_bids_of_a_round_are_void_once_somebody_leaves():
    now = start().apply(Bid("ana", 2, 3)).apply(Bid("ben", 3, 3)).without("dora")
    assert (now.bid, now.turn, now.round, code(now, Bid("ana", 1, 2))) == (None, "ana", 1, None)
    tame = by({"opens_on_pacos": True, "opened_on_pacos_wild": False}).apply(Bid("ana", 2, 1))
    assert (tame.wild, tame.without("dora").wild) == (False, True)


# Dice put right


@pytest.mark.parametrize("opens", ["loser", "winner"])
@pytest.mark.parametrize("rounds", ["always", "not-with-two"])
@pytest.mark.parametrize("call", [Dudo, Calza])
def test_dice_put_right_before_the_first_bid_count_as_if_they_had_been_right_at_once(call, rounds, opens):
    rules = {"opens_after_dudo": opens, "palifico_rounds": rounds, "right_calza": "bidder-loses"}
    had = (1, 2, 3)
    tried = 0
    for counts in itertools.product(had, had, had, had):
        called = by(rules, **dict(zip(NAMES, counts, strict=True))).apply(Bid("ana", 2, 3)).apply(call("ben"))
        for tally in (1, 2):
            true = called.after_tally(tally)
            for seat, player in enumerate(NAMES):
                wrong = [counts[seat]] if player in ("ana", "ben") else [0]  # who bids and calls has dice
                for count in {1, 3, *wrong}:
                    taken = [count if n == seat else each for n, each in enumerate(counts)]
                    found = dataclasses.replace(called, dice_by_seat=tuple(taken)).after_tally(tally)
                    if found.phase is GamePhase.OVER or not true.dice[player]:
                        continue
                    found = found.with_dice(player, true.dice[player])
                    assert (found.dice, found.palifico) == (true.dice, true.palifico)
                    assert (found.starter, found.turn) == (true.starter, true.turn), (counts, tally, player, count)
                    tried += 1
    assert tried > 1000


def test_who_sits_between_an_eliminated_player_and_the_opener_opens_if_they_had_dice_all_along():
    now = Position.start(GameStarted(RULESETS["asmodee-fr"], (*NAMES, "eve"), "ben", dice=dice(ben=1, eve=5)))
    now = out(dataclasses.replace(now, dice_by_seat=(5, 1, 0, 5, 5)), "ben")
    assert (now.outcome.eliminated, now.turn, now.with_dice("cid", 2).turn) == ("ben", "dora", "cid")
    left = now.without("dora")
    assert (left.turn, left.with_dice("cid", 2).turn, left.with_player("dora", 5).turn) == ("eve", "cid", "eve")
    assert left.with_player("dora", 5).with_dice("ana", 3).turn == "eve"
    # A journal of an older program, by which dora opened.
    bid = Bid("dora", 2, 3)
    assert code(now.with_dice("cid", 2), bid) == "not-your-turn"
    assert now.with_dice("cid", 2).apply_kept(bid).starter == "dora"


@pytest.mark.parametrize("book", BOOKS)
def test_who_did_not_come_down_to_one_die_after_all_is_palifico_once_they_do(book):
    now = come_down(start(book, dice=dice(ana=2)), "ana")
    assert now.palifico == "ana"
    now = now.with_dice("ana", 2)
    assert (now.palifico, now.wild, now.starter) == (None, True, "ana")
    assert come_down(now, "ana").palifico == "ana"


def test_who_was_palifico_before_is_it_once_a_game_under_hasbro_1994():
    now = come_down(start("hasbro-1994", dice=dice(ana=2)), "ana").apply(Bid("ana", 1, 3)).apply(Dudo("ben"))
    now = now.apply(reveal(now, 1))
    assert (now.dice["ana"], now.loser) == (1, "ben")
    now = now.with_dice("ana", 2)
    assert come_down(dataclasses.replace(now, turn="ana", starter="ana"), "ana").palifico is None


@pytest.mark.parametrize("book", BOOKS)
def test_who_came_down_to_one_die_after_all_opens_a_palifico_round(book):
    now = come_down(start(book, dice=dice(ana=3)), "ana")
    assert (now.dice["ana"], now.palifico) == (2, None)
    now = now.with_dice("ana", 1)
    assert (now.palifico, now.wild, now.turn) == ("ana", False, "ana")
    assert now.is_legal(Bid("ana", 1, 1)) is RULESETS[book].palifico_opens_on_pacos
    again = come_down(now.with_dice("ana", 2), "ana")
    assert again.palifico == "ana"


def test_only_who_lost_the_die_is_palifico_and_only_before_the_first_bid():
    now = come_down(start(dice=dice(ana=3)), "ana")
    assert now.with_dice("ben", 1).palifico is None
    assert now.with_dice("ana", 1, begun=True).palifico is None
    assert now.apply(Bid("ana", 2, 3)).with_dice("ana", 1).palifico is None
    never = Position.start(GameStarted(house_rules({"palifico_rounds": "never"}), NAMES, "ana", dice=dice(ana=3)))
    assert come_down(never, "ana").with_dice("ana", 1).palifico is None


def test_who_is_wrongly_out_has_dice_again_and_opens():
    now = come_down(start(dice=dice(ana=1)), "ana")
    assert (now.dice["ana"], now.starter) == (0, "ben")
    assert now.with_dice("ana", 2).turn == "ana"
    back = now.with_dice("ana", 1)
    assert (back.starter, back.turn, back.palifico) == ("ana", "ana", "ana")
    later = come_down(now, "ben").with_dice("ana", 2)
    assert (later.dice["ana"], later.turn, later.palifico) == (2, "ben", None)
    with pytest.raises(WrongPhaseError, match="can come back in the next round"):
        now.apply(Bid("ben", 3, 3)).with_dice("ana", 2)


def test_a_third_player_who_is_not_out_brings_the_palifico_round_back():
    rules = house_rules({"palifico_rounds": "not-with-two"})
    now = Position.start(GameStarted(rules, ("ana", "ben", "cid"), "cid", dice={"ana": 2, "ben": 3, "cid": 1}))
    now = come_down(come_down(now, "cid"), "ana")
    assert (now.palifico, now.dice["ana"]) == (None, 1)
    assert now.with_dice("cid", 1).palifico == "ana"


def test_who_begins_with_another_number_of_dice_is_no_former_palifico():
    now = start("hasbro-1994", dice=dice(ana=1))
    assert come_down(now.with_dice("ana", 2), "ana").palifico == "ana"
    assert come_down(start("hasbro-1994", dice=dice(ana=2)).with_dice("ana", 1).with_dice("ana", 2), "ana").palifico


def test_an_error_can_be_translated():
    error = start().apply(Bid("ana", 4, 3)).apply(Bid("ben", 4, 1)).check(Bid("cid", 8, 5))
    assert isinstance(error, EngineError)
    assert error.params == {"bid": Faces(4, 1), "least": 9}
    assert "{bid}" in error.msgid
    assert "{least}" in error.msgid


# Reveal order


def test_cups_are_lifted_in_order_under_hasbro_1994():
    now = start("hasbro-1994", starter="cid", dice=dice(dora=1, cid=1)).apply(Bid("cid", 9, 2)).apply(Dudo("dora"))
    assert now.reveal_order() == ("ana", "ben", "cid", "dora")
    now = now.apply(reveal(now, 0)).apply(Bid("dora", 1, 2))
    assert now.turn == "ana"
    assert now.apply(Dudo("ana")).reveal_order() == ("ben", "dora", "ana")  # cid is out
    assert now.apply(Calza("ben")).reveal_order() == ("ben", "dora", "ana")
    assert now.reveal_order() == ()


@pytest.mark.parametrize("book", [book for book in BOOKS if book != "hasbro-1994"])
def test_cups_are_lifted_together_under_the_other_books(book):
    assert start(book).apply(Bid("ana", 1, 2)).apply(Dudo("ben")).reveal_order() == ()


# Values


def test_a_position_is_a_value():
    now = start()
    assert now == start()
    assert hash(now) == hash(start())
    with pytest.raises(dataclasses.FrozenInstanceError):
        now.round = 2  # type: ignore[misc]
    now.dice["ana"] = 0
    assert now == start()


def test_a_position_and_what_it_refuses_are_told_in_a_line():
    now = by({"dice_each": 4, "calza_once": True}, ana=1, ben=2, cid=3, dora=4)
    assert str(now) == (
        "asmodee-fr calza_once=True dice_each=4, round 1, bidding: ana 1, ben 2, cid 3, dora 4; ana opens; ana on turn"
    )
    now = start(dice=dice(ana=1), palifico="ana").apply(Bid("dora", 2, 1, accepted=True)).apply(Calza("cid"))
    assert str(now) == (
        "asmodee-fr, round 1, reveal: ana 1, ben 5, cid 5, dora 5; ana opens as palifico; dora 2x1, let pass; cid calza"
    )
    with pytest.raises(WrongPhaseError) as refused:
        now.apply(Dudo("ben"))
    assert refused.value.__notes__ == [f"Dudo(player='ben') in: {now}"]
