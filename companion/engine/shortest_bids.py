"""The fewest bids that lead to a bid, for players who talk without entering every bid."""

from __future__ import annotations

from collections import deque

from companion.engine.errors import EngineError, IllegalBidError
from companion.engine.events import Bid
from companion.engine.position import Position

_MOST_LAPS = 3
"""Times round the table. Any bid that can be reached is reached within fewer."""


def shortest_bids(position: Position, target: Bid) -> tuple[Bid, ...]:
    """The shortest sequence of legal bids, as low as possible, from `position` up to and including `target`.

    Nobody knows the real bids in between; the verdict rests on the last one alone, but a record needs every bid to be
    legal. Empty if `target` is already the standing bid.

    Raises `IllegalBidError` if no legal bids lead to `target`, or the error of `Position.check` if its player is
    unknown or out.
    """
    if position.bid == target:
        return ()
    error = position.check(target)
    if error is None:
        return (target,)
    if target.player not in position.players or not position.dice[target.player]:
        raise error
    most = _MOST_LAPS * sum(map(bool, position.dice_by_seat))
    queue: deque[tuple[Position, tuple[Bid, ...]]] = deque([(position, ())])
    visited: set[tuple[str | None, int, int]] = set()
    while queue:
        current, bids = queue.popleft()
        if current.is_legal(target):
            return (*bids, target)
        if len(bids) == most or current.turn is None:
            continue
        for face, count in current.lowest_bids().items():
            if count is None or count > 2 * target.count + 1 or (current.turn, count, face) in visited:
                continue
            visited.add((current.turn, count, face))
            bid = Bid(current.turn, count, face)
            queue.append((current.apply(bid), (*bids, bid)))
    raise _impossible(position, target)


def _impossible(position: Position, target: Bid) -> EngineError:
    if position.bid is not None:
        return IllegalBidError(
            "{bid} by {player} cannot follow the bid of {stands} by {bidder} that was entered",
            bid=target,
            player=target.player,
            stands=position.bid,
            bidder=position.bid.player,
        )
    return IllegalBidError(
        "no bids that these rules allow lead from {starter}'s opening to {bid} by {player}",
        starter=position.starter,
        bid=target,
        player=target.player,
    )
