"""Every legal bid of a position."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine import Bid, Position


def legal_bids(position: Position, most: int) -> Iterator[Bid]:
    """The legal bids of the player on turn for up to `most` dice, by face. The rules set no limit."""
    for face, lowest in position.lowest_bids().items():
        if lowest is None or position.turn is None:
            continue
        highest = position.counts(face).highest
        for count in range(lowest, (most if highest is None else min(most, highest)) + 1):
            yield Bid(position.turn, count, face)
