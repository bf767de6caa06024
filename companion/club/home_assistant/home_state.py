"""What Home Assistant may know of a table, made from the state that a watching phone may see."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from companion.club.payloads import ClubBid, ClubPlayer, ClubVerdict, Payload, TableState
from companion.messages.english import faces
from companion.table.commands import Count, ShortText
from companion.table.game.table_position import Phase


class HomePhase(StrEnum):
    """The phases that Home Assistant sees: none between a call and its verdict."""

    SEATING = "seating"
    ROLLING = "rolling"
    BIDDING = "bidding"
    VERDICT = "verdict"
    OVER = "over"
    PAUSED = "paused"
    """A break, in any of these phases."""


class HomeBid(ClubBid, frozen=True):
    """A bid, and how it is said."""

    words: str
    """As "5 fours"."""


class HomeState(Payload, frozen=True, kw_only=True):
    """`home`: the table as it was before the call, until the call is judged."""

    phase: HomePhase
    playing: bool
    """Whether a game is going on."""
    game: Count
    round: int | None
    """The round that is played, or that was judged."""
    turn: ShortText | None
    palifico: ShortText | None
    """Who plays this round as palifico."""
    bid: HomeBid | None
    dice: Count | None
    """How many dice are in play; None if somebody's number is hidden."""
    players: tuple[ClubPlayer, ...]
    verdict: ClubVerdict | None
    """The last one of this game."""
    winner: ShortText | None
    journal_ok: bool
    camera_ok: bool


class HomeEventType(StrEnum):
    """What can happen at a table."""

    GAME = "game"
    """A game began."""
    ROUND = "round"
    """A round was opened."""
    DUDO = "dudo"
    """Dudo was said, and has been judged."""
    CALZA = "calza"
    """Calza was said, and has been judged."""
    VERDICT = "verdict"
    WINNER = "winner"
    """Somebody has won the game."""


class HomeEvent(Payload, frozen=True, kw_only=True):
    """`home/event`: something that happened. Home Assistant wants the key `event_type`."""

    event_type: HomeEventType
    game: Count
    round: int | None = None
    player: ShortText | None = None
    """Who opens, called, won, or whose dice the verdict changes; the caller if it changes nobody's."""
    sentence: Annotated[str, Meta(max_length=1000)]
    """To be spoken, in English."""
    verdict: ClubVerdict | None = None
    """Of a dudo, a calza and a verdict."""


def home_state(state: TableState) -> HomeState:
    """The home state of a table whose last call, if any, has been judged."""
    return HomeState(
        phase=HomePhase.PAUSED if state.paused else HomePhase(state.phase),
        playing=state.phase not in (Phase.SEATING, Phase.OVER),
        game=state.game,
        round=home_round(state),
        turn=state.turn,
        palifico=state.palifico if state.phase is Phase.BIDDING else None,
        bid=_bid(state.bid),
        dice=_total(player.dice for player in state.players),
        players=state.players,
        verdict=state.verdict,
        winner=state.winner,
        journal_ok=state.journal_ok,
        camera_ok=state.camera_ok,
    )


def home_round(state: TableState) -> int | None:
    """The round that is played, or that was judged. After a verdict `state` already has the number of the next."""
    if state.phase is Phase.VERDICT and state.round is not None:
        return state.round - 1
    return state.round


def _bid(bid: ClubBid | None) -> HomeBid | None:
    return None if bid is None else HomeBid(bid.player, bid.count, bid.face, faces(bid.count, bid.face))


def _total(dice: Iterable[int | None]) -> int | None:
    numbers = list(dice)
    known = [number for number in numbers if number is not None]
    return sum(known) if known and len(known) == len(numbers) else None
