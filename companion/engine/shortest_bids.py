"""The bids that nobody entered, where people only talk: the fewest that lead to the bid they tell of."""

from __future__ import annotations

from collections import deque

from companion.engine.errors import EngineError, IllegalBidError
from companion.engine.events import Bid
from companion.engine.position import Position

_ROUNDS_OF_THE_TABLE = 3
"""Every bid that can be made at all is reached sooner."""


def leading_to(position: Position, told: Bid) -> tuple[Bid, ...]:
    """Legal bids from `position` on, the last of which is `told`; as few as there can be, and as low.

    Nobody knows what was really bid between; a verdict rests on the last bid alone, and a record needs every one
    between two players to be legal. Empty when `told` is the bid that stands.

    Raises what `Position.check` gives for a bidder who is unknown or out, and `IllegalBidError` where no bids that
    the ruleset allows lead there.
    """
    if position.bid == told:
        return ()
    refused = position.check(told)
    if refused is None:
        return (told,)
    if told.player not in position.players or not position.dice[told.player]:
        raise refused
    most = _ROUNDS_OF_THE_TABLE * sum(map(bool, position.left))
    ways: deque[tuple[Position, tuple[Bid, ...]]] = deque([(position, ())])
    seen: set[tuple[str | None, int, int]] = set()
    while ways:
        here, made = ways.popleft()
        if here.is_legal(told):
            return (*made, told)
        if len(made) == most or here.turn is None:
            continue
        for face, count in here.lowest_bids().items():
            if count is None or count > 2 * told.count + 1 or (here.turn, count, face) in seen:
                continue
            seen.add((here.turn, count, face))
            bid = Bid(here.turn, count, face)
            ways.append((here.apply(bid), (*made, bid)))
    raise _impossible(position, told)


def _impossible(position: Position, told: Bid) -> EngineError:
    if position.bid is not None:
        return IllegalBidError(
            "{bid} by {player} cannot follow the bid of {stands} by {bidder} that was entered",
            bid=told,
            player=told.player,
            stands=position.bid,
            bidder=position.bid.player,
        )
    return IllegalBidError(
        "no bids that these rules allow lead from {starter}'s opening to {bid} by {player}",
        starter=position.starter,
        bid=told,
        player=told.player,
    )
