"""The part of a table's state that Home Assistant may know, derived from what a watching phone may see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta

from companion.member.payloads import ClubBid, ClubPlayer, ClubVerdict, Payload, TableState
from companion.messages.english import faces, listed
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
    """A break, during any of these phases."""


class HomeBid(ClubBid, frozen=True):
    """A bid, and how it is said."""

    words: str
    """As "5 fours"."""


class HomeState(Payload, frozen=True, kw_only=True):
    """`home`: the table as it was before the call, until the call is judged."""

    phase: HomePhase
    playing: bool
    """A game is going on."""
    game: Count
    round: int | None
    """The round being played, or the judged one."""
    turn: ShortText | None
    palifico: ShortText | None
    """The palifico of this round."""
    bid: HomeBid | None
    dice: Count | None
    """The number of dice in play; None if somebody's number is hidden."""
    players: tuple[ClubPlayer, ...]
    verdict: ClubVerdict | None
    """The last verdict of this game."""
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
    """The player who opens, called, won, or whose dice the verdict changes; the caller if it changes nobody's."""
    sentence: Annotated[str, Meta(max_length=1000)]
    """To be spoken, in English."""
    verdict: ClubVerdict | None = None
    """For a dudo, a calza or a verdict."""


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
    """The round being played, or the judged one. After a verdict `state` already has the next round's number."""
    if state.phase is Phase.VERDICT and state.round is not None:
        return state.round - 1
    return state.round


def _bid(bid: ClubBid | None) -> HomeBid | None:
    return None if bid is None else HomeBid(bid.player, bid.count, bid.face, faces(bid.count, bid.face))


def _total(dice: Iterable[int | None]) -> int | None:
    numbers = list(dice)
    known = [number for number in numbers if number is not None]
    return sum(known) if known and len(known) == len(numbers) else None


CALL_PHASES: Final = (Phase.ASKING, Phase.READING, Phase.CHECKING, Phase.TELLING)
"""The phases from a call to its verdict; the opening roll is read in them too."""

_RoundKey = tuple[int, int]
"""The numbers of a game and of a round in it; round 0 before the first."""


@dataclass(frozen=True, slots=True)
class _Marks:
    """The latest rounds announced as opened, judged and won. Only later ones are announced."""

    opened: _RoundKey
    judged: _RoundKey
    won: _RoundKey

    def at_most(self, key: _RoundKey) -> _Marks:
        return _Marks(min(self.opened, key), min(self.judged, key), min(self.won, key))


class HomeView:
    """The home state of one table, and the events leading to it."""

    def __init__(self) -> None:
        self.home: HomeState | None = None
        """The latest home state, for a broker that has lost it; None before the first."""
        self._marks: _Marks | None = None

    def step(self, state: TableState) -> tuple[HomeState | None, tuple[HomeEvent, ...]]:
        """What to publish after `state`: first the home state (None if unchanged), then the events.

        The first state causes no events, because they may have been sent before a restart of the program.
        """
        if self._marks is None:
            self._marks = _first_marks(state)
        if state.phase in CALL_PHASES:
            return None, ()
        self._marks, events = _news(self._marks, state)
        home = home_state(state)
        if home == self.home:
            return None, events
        self.home = home
        return home, events


def _first_marks(state: TableState) -> _Marks:
    """The marks of everything that the first state shows."""
    here = _round_key(state)
    game, number = here
    before = (game, number - 1)
    judged = before if _new_verdict(state) is None else here
    return _Marks(opened=here, judged=judged, won=before if state.winner is None else here)


def _news(marks: _Marks, state: TableState) -> tuple[_Marks, tuple[HomeEvent, ...]]:
    """The marks after `state`, and the events that are new in it."""
    here = _round_key(state)
    game, number = here
    bidding = state.phase is Phase.BIDDING
    # Everything after this was undone. So was a verdict, if its round is open again; a corrected verdict stays
    # announced.
    reopened = bidding and state.bid is None and marks.judged >= here
    marks = marks.at_most((game, number - 1) if reopened else here)
    opened, judged, won = marks.opened, marks.judged, marks.won
    events: list[HomeEvent] = []
    if (bidding or state.phase is Phase.ROLLING) and game > opened[0]:
        opened = (game, 0)
        events.append(_game_event(state))
    if bidding and here > opened:
        opened = here
        events.append(_round_event(state))
    verdict = _new_verdict(state)
    if verdict is not None and here > judged:
        judged = here
        events += _verdict_events(state, verdict)
    if state.winner is not None and here > won:
        won = here
        events.append(_winner_event(state, state.winner))
    return _Marks(opened, judged, won), tuple(events)


def _round_key(state: TableState) -> _RoundKey:
    return state.game, home_round(state) or 0


def _new_verdict(state: TableState) -> ClubVerdict | None:
    """The verdict of the state's round; None if it is of the round before."""
    verdict = state.verdict
    if verdict is None or state.phase is Phase.VERDICT:
        return verdict
    return verdict if state.phase is Phase.OVER and verdict.winner is not None else None


def _game_event(state: TableState) -> HomeEvent:
    names = listed([player.name for player in state.players])
    return HomeEvent(event_type=HomeEventType.GAME, game=state.game, sentence=f"A game begins: {names}.")


def _round_event(state: TableState) -> HomeEvent:
    opens = f"Round {state.round}: {state.opener} opens."
    return HomeEvent(
        event_type=HomeEventType.ROUND,
        game=state.game,
        round=state.round,
        player=state.opener,
        sentence=opens if state.palifico is None else f"{opens} It is palifico.",
    )


def _verdict_events(state: TableState, verdict: ClubVerdict) -> tuple[HomeEvent, HomeEvent]:
    """The call and its verdict."""
    number, bid = home_round(state), verdict.bid
    call = HomeEvent(
        event_type=HomeEventType(verdict.call),
        game=state.game,
        round=number,
        player=verdict.caller,
        sentence=f"{verdict.caller} said {verdict.call} to {faces(bid.count, bid.face)}.",
        verdict=verdict,
    )
    judged = HomeEvent(
        event_type=HomeEventType.VERDICT,
        game=state.game,
        round=number,
        player=verdict.loses or verdict.gains or verdict.caller,
        sentence=verdict.sentence,
        verdict=verdict,
    )
    return call, judged


def _winner_event(state: TableState, winner: str) -> HomeEvent:
    return HomeEvent(
        event_type=HomeEventType.WINNER,
        game=state.game,
        round=home_round(state),
        player=winner,
        sentence=f"{winner} has won the game.",
    )
