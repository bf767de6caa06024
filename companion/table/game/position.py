"""The table between two events, and what an event makes of it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from companion import engine
from companion.engine import Outcome
from companion.engine.opening import highest
from companion.engine.rulebooks import with_changes
from companion.table.commands import DieFace
from companion.table.game import events
from companion.table.game.plausibility import Expected, Problem, check
from companion.table.game.table_reading import TableReading
from companion.table.quantities import Count


class Phase(StrEnum):
    """What the table is doing."""

    SEATING = "seating"
    """Nobody plays yet."""
    ROLLING = "rolling"
    """The players roll for the opening; a press has the camera read it."""
    BIDDING = "bidding"
    """Bids and calls."""
    ASKING = "asking"
    """CALZA was pressed, and several players may have done it."""
    READING = "reading"
    """The cups go up; the camera reads."""
    CHECKING = "checking"
    """The reading does not fit what is known of the table: the players are asked."""
    TELLING = "telling"
    """The dice are counted; it is asked who called, and on what bid."""
    VERDICT = "verdict"
    """Judged."""
    OVER = "over"
    """Somebody has won, or the game was ended."""


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
class OpeningRolls:
    """The rolls for the opening so far."""

    dice: Count
    """How many dice each rolls."""
    rolling: tuple[str, ...]
    """Who rolls now: everybody, then the tied; nobody once the opener is found."""
    rolls: tuple[dict[str, tuple[DieFace, ...]], ...] = ()


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
    opened: events.GameOpened | None = None
    """How the game was opened, or the last one: its company may play again."""
    opening: OpeningRolls | None = None
    """The rolls for the opening, until the first bid."""
    counting: str | None = None
    """"dudo" or "calza" where it is told after the count who called and on what bid."""
    away: dict[str, int] = field(default_factory=dict)
    """Who has left the table and may come back, with so many dice."""
    paused: bool = False
    game: engine.Position | None = None
    """Where the game stands. Once judged, that is the next round."""
    called: engine.Position | None = None
    """Where the game stood at the call, in phase reveal: what is judged, and judged again after a correction."""
    asking: tuple[str, ...] = ()
    reading: TableReading | None = None
    by_hand: dict[str, tuple[int, ...]] | None = None
    """What the players counted themselves; there is no reading then."""
    verdict: Verdict | None = None
    last: Verdict | None = None
    """The verdict of the round before."""

    def expected(self) -> tuple[Expected, ...]:
        """The players and their dice before the call was judged; before a call, those of this round.

        While the players roll for the opening: those who roll now, and what they roll.
        """
        if self.rolling is not None:
            return tuple(Expected(name, self.colours[name], self.rolling.dice) for name in self.rolling.rolling)
        game = self.called or self.game
        if game is None:
            return ()
        return tuple(Expected(name, self.colours[name], count) for name, count in game.dice.items())

    @property
    def rolling(self) -> OpeningRolls | None:
        """The rolls for the opening while the opener is not found."""
        return self.opening if self.opening is not None and self.opening.rolling else None

    def problems(self) -> tuple[Problem, ...]:
        """What keeps the reading from being judged; nothing when there is no reading."""
        return () if self.reading is None else check(self.reading, self.expected())

    def with_reading(self, reading: TableReading) -> Self:
        """With a reading that is not judged yet."""
        if self.rolling is not None:  # dice of those who do not roll now may lie about
            colours = {player.colour for player in self.expected()}
            reading = replace(reading, dice=tuple(die for die in reading.dice if die.colour in colours))
        game = self.called or self.game
        return replace(self, phase=Phase.CHECKING, game=game, reading=reading, by_hand=None, verdict=None)


def evolve(position: TablePosition, event: events.Event) -> TablePosition:
    """The table after `event`, which has happened: nothing is refused here.

    Raises `AssertionError` or an `EngineError` only for a sequence of events that `decide` never gives.
    """
    match event:
        case events.GameOpened():
            return _opened(position, event)
        case events.BidMade(player, count, face):
            game = _game(position).apply(engine.Bid(player, count, face))
            phase = Phase.BIDDING if position.counting is None else position.phase
            return replace(position, phase=phase, game=game, asking=(), opening=None)
        case events.CallerAsked(players):
            return replace(position, phase=Phase.ASKING, asking=players)
        case events.CountAsked(call):
            return replace(
                position, phase=Phase.READING, asking=(), counting=call, opening=None, reveals=position.reveals + 1
            )
        case events.Rolled(dice):
            return _rolled(position, dict(dice))
        case events.DudoCalled(player):
            return _called(position, engine.Dudo(player))
        case events.CalzaCalled(player):
            return _called(position, engine.Calza(player))
        case events.ReadingTaken(number, dice, width, height, picture):
            reading = TableReading(number, dice, width, height, len(dice), picture)
            return counted(replace(position.with_reading(reading), readings=max(position.readings, number)))
        case events.DieSet(die, face, colour):
            return counted(position.with_reading(_reading(position).set(die, face, colour)))
        case events.DieAdded(face, colour, box):
            return counted(position.with_reading(_reading(position).add(face, colour, box)))
        case events.DieStruck(die):
            return counted(position.with_reading(_reading(position).strike(die)))
        case events.ReadingAsked():
            return replace(position, phase=Phase.READING, reading=None, by_hand=None, reveals=position.reveals + 1)
        case events.CountedByHand(dice):
            return counted(replace(position, phase=Phase.CHECKING, reading=None, by_hand=dict(dice)))
        case events.Judged(dice):
            return _judged(position, engine.Reveal(dict(dice)))
        case events.RoundOpened():
            return _next_round(position, _game(position))
        case events.GameLeft(player, conceded):
            game = _game(position)
            away = position.away if conceded else {**position.away, player: game.dice[player]}
            return replace(_next_round(position, game.without(player)), away=away)
        case events.CameBack(player):
            game = _game(position).with_player(player, position.away[player])
            away = {name: dice for name, dice in position.away.items() if name != player}
            return replace(_next_round(position, game), away=away)
        case events.Paused():
            return replace(position, paused=True)
        case events.Resumed():
            # What was being read is read anew: hands may have been in the dice meanwhile.
            return replace(position, paused=False, reveals=position.reveals + (position.phase is Phase.READING))
        case events.GameEnded():
            over = replace(position, phase=Phase.OVER, asking=(), counting=None, paused=False, opening=None)
            # Dice that were never judged mean nothing any more; a verdict that was given stays to be seen.
            return over if position.verdict is not None else replace(over, called=None, reading=None, by_hand=None)
        case events.Undone() | events.Redone():
            raise AssertionError("what is undone and done again, companion.table.game.history says")


def counted(position: TablePosition) -> TablePosition:
    """With all dice known and nobody having said what was called, that is what is asked next."""
    if position.counting is None or position.problems():
        return position
    return replace(position, phase=Phase.TELLING)


def _next_round(position: TablePosition, game: engine.Position) -> TablePosition:
    return replace(
        position,
        phase=Phase.BIDDING if game.winner is None else Phase.OVER,
        game=game,
        called=None,
        counting=None,
        asking=(),
        reading=None,
        by_hand=None,
        verdict=None,
        last=position.verdict or position.last,
        opening=None,
    )


def game_started(event: events.GameOpened, starter: str) -> engine.GameStarted:
    """The game as the engine takes it. Raises `companion.engine.BadRecordError`."""
    return engine.GameStarted(
        ruleset=with_changes(engine.RULESETS[event.ruleset], dict(event.rules)),
        players=event.players,
        starter=starter,
        calza=event.calza,
        dice=dict(zip(event.players, event.dice, strict=True)) if event.dice else None,
    )


def _opened(position: TablePosition, event: events.GameOpened) -> TablePosition:
    assert event.ruleset in engine.RULESETS, f"there is no ruleset {event.ruleset!r}"
    rolling = event.roll > 0
    return TablePosition(
        phase=Phase.ROLLING if rolling else Phase.BIDDING,
        games=position.games + 1,
        readings=position.readings,
        reveals=position.reveals,
        colours=dict(zip(event.players, event.colours, strict=True)),
        opened=event,
        opening=OpeningRolls(event.roll, event.players) if rolling else None,
        game=None if rolling else engine.Position.start(game_started(event, event.starter)),
    )


def _rolled(position: TablePosition, dice: dict[str, tuple[int, ...]]) -> TablePosition:
    assert position.opening is not None, "a roll without an opening"
    assert position.opened is not None
    best = highest(dice)
    found = len(best) == 1
    opening = OpeningRolls(position.opening.dice, () if found else best, (*position.opening.rolls, dice))
    return replace(
        position,
        phase=Phase.BIDDING if found else Phase.ROLLING,
        opening=opening,
        reading=None,
        by_hand=None,
        game=engine.Position.start(game_started(position.opened, best[0])) if found else None,
    )


def _called(position: TablePosition, call: engine.Dudo | engine.Calza) -> TablePosition:
    game = _game(position).apply(call)
    if position.counting is not None:  # the dice are counted already
        return replace(position, phase=Phase.CHECKING, game=game, called=game, counting=None)
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


def _reading(position: TablePosition) -> TableReading:
    assert position.reading is not None, "a correction without a reading"
    return position.reading
