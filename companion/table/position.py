"""The table between two events, and what an event makes of it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from companion import engine
from companion.engine import Outcome
from companion.engine.rulebooks import changed
from companion.table import events
from companion.table.check import Expected, Problem, check
from companion.table.seen import SeenReading


class Phase(StrEnum):
    """What the table is doing."""

    SEATING = "seating"
    """Nobody plays yet."""
    BIDDING = "bidding"
    """Bids and calls."""
    ASKING = "asking"
    """CALZA was pressed, and several players may have done it."""
    READING = "reading"
    """The cups go up; the camera reads."""
    CHECKING = "checking"
    """The reading does not fit what is known of the table: the players are asked."""
    VERDICT = "verdict"
    """Judged."""
    OVER = "over"
    """Judged, and somebody has won."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a call was judged, and what the next round is."""

    outcome: Outcome
    opener: str | None
    """Who opens the next round; None when there is none."""
    palifico: str | None
    """Whose palifico round the next one is."""
    winner: str | None


@dataclass(frozen=True, slots=True)
class TablePosition:
    """Everything that follows from the events so far. Immutable: `evolve` gives the next one."""

    phase: Phase = Phase.SEATING
    games: int = 0
    """How many games were opened so far, this one included."""
    readings: int = 0
    """How many readings were taken so far; they are numbered from 1, and so are their pictures."""
    reveals: int = 0
    """How many times the camera was asked to read so far."""
    colours: dict[str, str] = field(default_factory=dict)
    """Each player's colour."""
    game: engine.Position | None = None
    """Where the game stands. Once judged, that is the next round."""
    called: engine.Position | None = None
    """Where the game stood at the call, in phase reveal: what is judged, and judged again after a correction."""
    asking: tuple[str, ...] = ()
    reading: SeenReading | None = None
    by_hand: dict[str, tuple[int, ...]] | None = None
    """What the players counted themselves; there is no reading then."""
    verdict: Verdict | None = None
    last: Verdict | None = None
    """The verdict of the round before."""

    def expected(self) -> tuple[Expected, ...]:
        """The players and their dice before the call was judged; before a call, those of this round."""
        game = self.called or self.game
        if game is None:
            return ()
        return tuple(Expected(name, self.colours[name], count) for name, count in game.dice.items())

    def problems(self) -> tuple[Problem, ...]:
        """What keeps the reading from being judged; nothing when there is no reading."""
        return () if self.reading is None else check(self.reading, self.expected())

    def with_reading(self, reading: SeenReading) -> Self:
        """With a reading that is not judged yet."""
        return replace(self, phase=Phase.CHECKING, game=self.called, reading=reading, by_hand=None, verdict=None)


def evolve(position: TablePosition, event: events.Event) -> TablePosition:
    """The table after `event`, which has happened: nothing is refused here.

    Raises `AssertionError` or an `EngineError` only for a sequence of events that `decide` never gives.
    """
    match event:
        case events.GameOpened():
            return _opened(position, event)
        case events.BidMade(player, count, face):
            game = _game(position).apply(engine.Bid(player, count, face))
            return replace(position, phase=Phase.BIDDING, game=game, asking=())
        case events.CallAsked(players):
            return replace(position, phase=Phase.ASKING, asking=players)
        case events.DudoCalled(player):
            return _called(position, engine.Dudo(player))
        case events.CalzaCalled(player):
            return _called(position, engine.Calza(player))
        case events.ReadingTaken(number, dice, width, height, picture):
            reading = SeenReading(number, dice, width, height, len(dice), picture)
            return replace(position.with_reading(reading), readings=max(position.readings, number))
        case events.DieSet(die, face, colour):
            return position.with_reading(_reading(position).set(die, face, colour))
        case events.DieAdded(face, colour, box):
            return position.with_reading(_reading(position).add(face, colour, box))
        case events.DieStruck(die):
            return position.with_reading(_reading(position).strike(die))
        case events.ReadAgain():
            return replace(position, phase=Phase.READING, reading=None, reveals=position.reveals + 1)
        case events.CountedByHand(dice):
            return replace(position, phase=Phase.CHECKING, reading=None, by_hand=dict(dice))
        case events.Judged(dice):
            return _judged(position, engine.Reveal(dict(dice)))
        case events.RoundOpened():
            return replace(
                position,
                phase=Phase.BIDDING,
                called=None,
                reading=None,
                by_hand=None,
                verdict=None,
                last=position.verdict,
            )


def _opened(position: TablePosition, event: events.GameOpened) -> TablePosition:
    assert event.ruleset in engine.RULESETS, f"there is no ruleset {event.ruleset!r}"
    started = engine.GameStarted(
        ruleset=changed(engine.RULESETS[event.ruleset], dict(event.rules)),
        players=event.players,
        starter=event.starter,
        calza=event.calza,
    )
    return TablePosition(
        phase=Phase.BIDDING,
        games=position.games + 1,
        readings=position.readings,
        reveals=position.reveals,
        colours=dict(zip(event.players, event.colours, strict=True)),
        game=engine.Position.start(started),
    )


def _called(position: TablePosition, call: engine.Dudo | engine.Calza) -> TablePosition:
    game = _game(position).apply(call)
    return replace(
        position, phase=Phase.READING, game=game, called=game, asking=(), reading=None, reveals=position.reveals + 1
    )


def _judged(position: TablePosition, reveal: engine.Reveal) -> TablePosition:
    assert position.called is not None, "judged without a call"
    after = position.called.apply(reveal)
    assert after.outcome is not None
    over = after.winner is not None
    verdict = Verdict(
        outcome=after.outcome,
        opener=None if over else after.starter,
        palifico=None if over else after.palifico,
        winner=after.winner,
    )
    return replace(position, phase=Phase.OVER if over else Phase.VERDICT, game=after, verdict=verdict)


def _game(position: TablePosition) -> engine.Position:
    assert position.game is not None, "a call without a game"
    return position.game


def _reading(position: TablePosition) -> SeenReading:
    assert position.reading is not None, "a correction without a reading"
    return position.reading
