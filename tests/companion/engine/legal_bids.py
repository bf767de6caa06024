"""Every legal bid of a position."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine import Bid, Position

BIDDING_RULES = {
    False: ("raises", "opens_on_pacos", "opened_on_pacos_wild", "pacos_wild", "leaving_pacos", "half_rounded"),
    True: ("raises", "opens_on_pacos", "palifico_opens_on_pacos", "locked_face_changed_by"),
}
"""The rules that decide which bids are legal up to the dice in play: in a normal round, and in a palifico round."""


def legal_bids(position: Position, most: int) -> Iterator[Bid]:
    """The legal bids of the player on turn for up to `most` dice, by face. The rules set no limit."""
    for face, lowest in position.lowest_bids().items():
        if lowest is None or position.turn is None:
            continue
        highest = position.counts(face).highest
        for count in range(lowest, (most if highest is None else min(most, highest)) + 1):
            yield Bid(position.turn, count, face)
