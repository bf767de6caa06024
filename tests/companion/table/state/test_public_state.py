"""What the public state tells of a round."""

from __future__ import annotations

from companion.table.commands import CallDudo, MakeBid, OpenRound, Undo, VoidRound
from companion.table.game.history import History
from tests.fakes.states import ANA, BEN, CID, after, by_hand, opened, state

BIDS = ((ANA, 2, 4), (BEN, 3, 4), (CID, 3, 6))


def bids(history: History) -> list[tuple[str, int, int]]:
    return [(bid.player, bid.count, bid.face) for bid in state(history).bids]


def test_the_bids_of_a_round_are_told_in_their_order_until_the_next_one() -> None:
    bidding = after(opened(), *(MakeBid(*bid) for bid in BIDS))
    assert bids(opened()) == []
    assert bids(bidding) == list(BIDS)
    assert bids(after(bidding, Undo(bidding.last.number))) == list(BIDS[:2])
    called = after(bidding, CallDudo())
    judged = after(called, by_hand(blue=(4, 3, 5, 5, 5), green=(6,) * 5, yellow=(1, 2, 5, 3, 3), orange=(2,) * 5))
    assert bids(called) == bids(judged) == list(BIDS)
    assert bids(after(judged, OpenRound())) == bids(after(bidding, VoidRound())) == []
