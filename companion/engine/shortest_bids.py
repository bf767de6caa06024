"""Finds the shortest series of bids up to a bid, for players who bid aloud without entering every bid."""

from __future__ import annotations

from collections import deque

from companion.engine.errors import IllegalBidError, NotYourTurnError
from companion.engine.events import Bid
from companion.engine.position import Position
from companion.messages.message import Faces

_MOST_LAPS = 2
"""Times round the table; every reachable bid is reached within fewer."""


def shortest_bids(position: Position, target: Bid) -> tuple[Bid, ...]:
    """The shortest series of legal bids, each as low as possible, from `position` up to and including `target`.

    Nobody knows the real bids in between. The verdict depends only on the last one, but in a record every bid must be
    legal. Empty if `target` is already the standing bid.

    Raises `IllegalBidError` if no legal bids lead to `target`, or the error of `Position.check` if its player is
    unknown or out, or nobody may bid.
    """
    if position.bid == target:
        return ()
    error = position.check(target)
    if error is not None and not isinstance(error, NotYourTurnError | IllegalBidError):
        raise error
    most = _MOST_LAPS * sum(map(bool, position.dice_by_seat))
    queue: deque[tuple[Position, tuple[Bid, ...]]] = deque([(position, ())])
    visited: set[tuple[Bid, Bid | None]] = set()
    while queue:
        current, bids = queue.popleft()
        if current.is_legal(target):
            return (*bids, target)
        if len(bids) == most or current.turn is None:
            continue
        for face, count in current.lowest_bids().items():
            if count is None:
                continue
            bid = Bid(current.turn, count, face)
            after = current.apply(bid)
            if (bid, after.other_sort) not in visited:
                visited.add((bid, after.other_sort))
                queue.append((after, (*bids, bid)))
    wanted, standing = Faces(target.count, target.face), position.bid
    if standing is not None:
        raise IllegalBidError(
            "{bid} by {player} cannot follow the bid of {stands} by {bidder} that was entered",
            bid=wanted,
            player=target.player,
            stands=Faces(standing.count, standing.face),
            bidder=standing.player,
        )
    raise IllegalBidError(
        "no bids that these rules allow lead from {starter}'s opening to {bid} by {player}",
        starter=position.starter,
        bid=wanted,
        player=target.player,
    )
