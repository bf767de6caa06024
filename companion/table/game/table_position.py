"""The position of the table between two events, and the series of games. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from companion import engine
from companion.table.commands import Count, DieFace
from companion.table.game import events
from companion.table.game.table_reading import PlayerDice, Problem, TableReading, check


@dataclass(frozen=True, slots=True)
class Series:
    """A series, after the games won so far."""

    first_to: Count
    """The number of games that win it."""
    wins: dict[str, Count]
    """Player -> games won in this series."""
    winner: str | None = field(init=False)

    def __post_init__(self) -> None:
        won = [player for player, games in self.wins.items() if games >= self.first_to]
        object.__setattr__(self, "winner", won[0] if won else None)

    def after(self, players: Iterable[str], winner: str | None) -> Series:
        """The series after a game of these players, won by `winner`; None if nobody won."""
        wins = {player: self.wins.get(player, 0) + (player == winner) for player in players}
        return Series(self.first_to, wins)


def next_series(before: Series | None, players: Iterable[str], first_to: int) -> Series | None:
    """The series of a new game. It continues if players and length are the same, and nobody has won it."""
    wins = dict.fromkeys(players, 0)
    if first_to == 0:
        return None
    if before is not None and before.winner is None and before.first_to == first_to and set(before.wins) == set(wins):
        return Series(first_to, {player: before.wins[player] for player in wins})
    return Series(first_to, wins)


class Phase(StrEnum):
    SEATING = "seating"
    """There is no game yet."""
    ROLLING = "rolling"
    """The players roll for the opening; a press starts a reading."""
    BIDDING = "bidding"
    ASKING = "asking"
    """Several players may have pressed the button, and the page asks who did."""
    READING = "reading"
    """The cups are lifted and the camera reads the dice."""
    CHECKING = "checking"
    """The reading has problems that the players must resolve."""
    TELLING = "telling"
    """The dice are counted, and the page asks who called on what bid."""
    VERDICT = "verdict"
    OVER = "over"
    """Somebody won, or the game was ended."""


@dataclass(frozen=True, slots=True)
class OpeningRolls:
    """The rolls for the opening."""

    dice: Count
    """The number of dice that each player rolls."""
    rolling: tuple[str, ...]
    """The players who still roll: first everybody, then those tied; empty once there is an opener."""
    rolls: tuple[dict[str, tuple[DieFace, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class TablePosition:
    """The table after some events. Immutable: `evolve` returns the next position."""

    phase: Phase = Phase.SEATING
    games: int = 0
    """The number of games so far, including this one."""
    readings: int = 0
    """The number of readings so far. They and their pictures are numbered from 1."""
    reveals: int = 0
    """The number of times the camera was asked to read."""
    colours: dict[str, str] = field(default_factory=dict)
    """Player -> colour."""
    opened: events.GameOpened | None = None
    """The opening of this game or the last one."""
    series_before: Series | None = None
    """The series as it stood before this game."""
    resumed: Series | None = None
    """The series that the next game continues if this game ends before its first bid."""
    begun: bool = False
    """True if this game has had a bid."""
    opening: OpeningRolls | None = None
    """The rolls for the opening, until the first bid."""
    counting: str | None = None
    """"dudo" or "calza" if the caller and the bid are entered after the count."""
    away: dict[str, int] = field(default_factory=dict)
    """The players who have left and may come back -> their numbers of dice."""
    voided: bool = False
    """True if this round was voided and is being opened again."""
    left_palifico: tuple[str, int] | None = None
    """The last palifico who left, and the round."""
    paused: bool = False
    game: engine.Position | None = None
    """After a verdict, the start of the next round."""
    game_at_call: engine.Position | None = None
    """The game in phase reveal, from which the call is judged, again after each correction."""
    bids: tuple[engine.Bid, ...] = ()
    """The bids of the current or just judged round."""
    possible_callers: tuple[str, ...] = ()
    """The players who may have pressed the button."""
    asked_call: str = "calza"
    """The button that was pressed: "dudo" or "calza"."""
    reading: TableReading | None = None
    by_hand: dict[str, tuple[int, ...]] | None = None
    """The players' own count, instead of a reading."""
    verdict: engine.Position | None = None
    """The game after the call was judged: its outcome, and the start of the next round."""
    last: engine.Position | None = None
    """The verdict of the previous round."""
    shown: int = 0
    """The last round of this game whose dice were read or counted. An undo does not hide what everybody has seen."""

    def expected(self) -> tuple[PlayerDice, ...]:
        """The players and their number of dice in this round, before any verdict; in an opening roll, those to roll."""
        if self.rolling is not None:
            return tuple(PlayerDice(name, self.colours[name], self.rolling.dice) for name in self.rolling.rolling)
        game = self.game_at_call or self.game
        if game is None:
            return ()
        return tuple(PlayerDice(name, self.colours[name], count) for name, count in game.dice.items())

    @property
    def series(self) -> Series | None:
        """The series, with this game if somebody has won it."""
        winner = None if self.game is None else self.game.winner
        return self.series_before and self.series_before.after(self.colours, winner)

    def before_next_game(self) -> TablePosition:
        """The part of this position that the next game keeps."""
        counts = self.begun or (self.game is not None and self.game.winner is not None)
        return TablePosition(
            games=self.games,
            readings=self.readings,
            reveals=self.reveals,
            resumed=self.series if counts else self.resumed,
        )

    @property
    def rolling(self) -> OpeningRolls | None:
        """The rolls for the opening, until there is an opener."""
        return self.opening if self.opening is not None and self.opening.rolling else None

    @property
    def hides_dice(self) -> bool:
        """True if the number of dice is hidden: they are not counted yet, in a game with hidden lost dice."""
        unseen = self.phase is Phase.OVER and self.verdict is None  # also if all others have given up
        covered = unseen or self.phase in (Phase.BIDDING, Phase.ASKING, Phase.READING)
        if not covered or self.opened is None or self.opened.open_lost:
            return False
        return self.game is None or self.game.round > self.shown

    @property
    def round_read(self) -> int:
        """The round whose dice are being read or counted; 0 in an opening roll."""
        game = self.game_at_call or self.game
        return 0 if game is None else game.round

    def problems(self) -> tuple[Problem, ...]:
        """The problems of the reading; empty without one."""
        return () if self.reading is None else check(self.reading, self.expected(), self.game_at_call)

    def with_reading(self, reading: TableReading) -> Self:
        """The position with a new or corrected reading, which is not judged yet."""
        if self.rolling is not None:  # other players' dice may be on the table too
            colours = {player.colour for player in self.expected()}
            reading = replace(reading, dice=tuple(die for die in reading.dice if die.colour in colours))
        game = self.game_at_call or self.game
        after = replace(self, phase=Phase.CHECKING, game=game, reading=reading, by_hand=None, verdict=None)
        return replace(after, shown=self.round_read)


def evolve(position: TablePosition, event: events.Event) -> TablePosition:
    """The position after `event`.

    Raises `AssertionError` or an `EngineError` for a sequence of events that `decide` never returns.
    """
    match event:
        case events.GameOpened():
            return _opened(position, event)
        case events.BidMade():
            game = _game(position).apply_kept(event.bid)
            phase = Phase.BIDDING if position.counting is None else position.phase
            return replace(
                position,
                phase=phase,
                game=game,
                begun=True,
                bids=(*position.bids, event.bid),
                possible_callers=(),
                opening=None,
                voided=False,
            )
        case events.CallerAsked(players, call):
            return replace(position, phase=Phase.ASKING, possible_callers=players, asked_call=call)
        case events.CountAsked(call):
            return replace(_start_reading(position), counting=call, opening=None)
        case events.Rolled(dice):
            return _rolled(position, dict(dice))
        case events.DudoCalled(player):
            return _called(position, engine.Dudo(player))
        case events.CalzaCalled(player):
            return _called(position, engine.Calza(player))
        case events.ReadingTaken():
            taken = position.with_reading(TableReading.of(event))
            return _ask_for_call(replace(taken, readings=max(position.readings, event.id)))
        case events.DieSet() | events.DieAdded() | events.DieStruck():
            return _ask_for_call(position.with_reading(_reading(position).corrected(event)))
        case events.ReadingAsked():
            return replace(_start_reading(position), reading=None, by_hand=None)
        case events.CountedByHand(dice):
            shown = position.round_read
            counted = replace(position, phase=Phase.CHECKING, reading=None, by_hand=dict(dice), shown=shown)
            return _ask_for_call(counted)
        case events.Judged():
            return _judged(position, event.reveal)
        case events.RoundOpened():
            return _next_round(position, _game(position))
        case events.GameLeft(player, conceded):
            game = _game(position)
            away = position.away if conceded else {**position.away, player: game.dice[player]}
            left = (player, game.round) if player == game.palifico else position.left_palifico
            return replace(_next_round(position, game.without(player)), away=away, left_palifico=left)
        case events.CameBack(player):
            game = _game(position)
            palifico = position.left_palifico == (player, game.round)
            game = game.with_player(player, position.away[player], palifico=palifico)
            away = {name: dice for name, dice in position.away.items() if name != player}
            return replace(_next_round(position, game), away=away)
        case events.RoundVoided():
            return replace(_next_round(position, _game(position).reopened()), voided=True)
        case events.PlayerDiceSet():
            return _with_dice(position, event)
        case events.NewcomerSeated(player, colour, dice, seat):
            game = _game(position).with_newcomer(player, dice, seat)
            colours = position.colours | {player: colour}
            return replace(_next_round(position, game), colours={name: colours[name] for name in game.players})
        case events.Paused():
            return replace(position, paused=True)
        case events.Resumed():
            # Read again: somebody may have touched the dice.
            return replace(position, paused=False, reveals=position.reveals + (position.phase is Phase.READING))
        case events.GameEnded():
            over = replace(position, phase=Phase.OVER, possible_callers=(), counting=None, paused=False, opening=None)
            # Dice that were never judged are dropped; a verdict stays visible.
            return (
                over if position.verdict is not None else replace(over, game_at_call=None, reading=None, by_hand=None)
            )
    raise AssertionError(f"{type(event).__name__} is for companion.table.game.history")


def _ask_for_call(position: TablePosition) -> TablePosition:
    """Ask for the call if the dice are counted first and have no problems."""
    if position.counting is None or position.problems():
        return position
    return replace(position, phase=Phase.TELLING)


def _next_round(position: TablePosition, game: engine.Position) -> TablePosition:
    return replace(
        position,
        phase=Phase.BIDDING if game.winner is None else Phase.OVER,
        game=game,
        game_at_call=None,
        counting=None,
        bids=(),
        possible_callers=(),
        reading=None,
        by_hand=None,
        verdict=None,
        last=position.verdict or position.last,
        opening=None,
        voided=False,
    )


def game_started(event: events.GameOpened, starter: str) -> engine.GameStarted:
    """The engine's event for the opening of a game. Raises `companion.engine.BadRecordError`."""
    return engine.GameStarted(
        ruleset=event.rulebook,
        players=event.players,
        starter=starter,
        calza=event.calza,
        dice=dict(zip(event.players, event.dice, strict=True)) if event.dice else None,
    )


def _opened(position: TablePosition, event: events.GameOpened) -> TablePosition:
    assert event.ruleset in engine.RULESETS, f"there is no ruleset {event.ruleset!r}"
    rolling = event.roll > 0
    before = position.before_next_game().resumed
    return TablePosition(
        phase=Phase.ROLLING if rolling else Phase.BIDDING,
        games=position.games + 1,
        readings=position.readings,
        reveals=position.reveals,
        colours=dict(zip(event.players, event.colours, strict=True)),
        opened=event,
        series_before=next_series(before, event.players, event.first_to),
        resumed=before,
        opening=OpeningRolls(event.roll, event.players) if rolling else None,
        game=None if rolling else engine.Position.start(game_started(event, event.starter)),
    )


def highest(roll: Mapping[str, Sequence[int]]) -> tuple[str, ...]:
    """The players with the highest sum, in the order of `roll`; if there are several, they roll again.

    A paco counts as one here: no rulebook says otherwise.
    """
    best = max(map(sum, roll.values()))
    return tuple(player for player, dice in roll.items() if sum(dice) == best)


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
        return replace(position, phase=Phase.CHECKING, game=game, game_at_call=game, counting=None)
    return replace(_start_reading(position), game=game, game_at_call=game, reading=None)


def _start_reading(position: TablePosition) -> TablePosition:
    return replace(position, phase=Phase.READING, possible_callers=(), reveals=position.reveals + 1)


def _with_dice(position: TablePosition, event: events.PlayerDiceSet) -> TablePosition:
    """The position after correcting a player's number of dice, against which a current reading is checked."""

    def put_right(game: engine.Position) -> engine.Position:
        if event.palifico:
            # If the call is entered after the count, the bids were still made.
            return game.with_dice(event.player, event.dice, begun=position.counting is not None)
        after = game.with_dice(event.player, event.dice, begun=True)
        return replace(after, former_palificos=game.former_palificos)

    game = put_right(_game(position))
    if position.phase is Phase.VERDICT:
        return _next_round(position, game)
    at_call = position.game_at_call
    after = replace(position, game=game, game_at_call=at_call and put_right(at_call))
    if position.by_hand is not None:  # the count no longer fits
        return replace(_start_reading(after), by_hand=None)
    return after if position.reading is None else _ask_for_call(after.with_reading(position.reading))


def _judged(position: TablePosition, reveal: engine.Reveal) -> TablePosition:
    assert position.game_at_call is not None, "judged without a call"
    after = position.game_at_call.apply(reveal)
    phase = Phase.VERDICT if after.winner is None else Phase.OVER
    return replace(position, phase=phase, game=after, verdict=after)


def _game(position: TablePosition) -> engine.Position:
    assert position.game is not None, "a call without a game"
    return position.game


def _reading(position: TablePosition) -> TableReading:
    assert position.reading is not None, "a correction without a reading"
    return position.reading
