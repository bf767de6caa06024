"""Statistics of games, compared with chance. Pure.

Players are identified by their exact names: "Ana" is not "ana".

Expected values are for somebody who sees no dice (`companion.engine.odds`): each die in play matches a bid with
probability 1/3 if pacos are wild, else with 1/6. Players see their own dice and hear the others bid, so a result above
the expected one is both luck and skill.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from math import fsum
from typing import Final

from msgspec import Struct

from companion.engine import PACO, CallKind, Outcome
from companion.engine.odds import Odds, odds
from companion.engine.proportion import wilson
from companion.messages.natural_order import natural_order
from companion.messages.sentence import Value
from companion.table.commands import Count
from companion.table.game import events
from companion.table.game.history import by_round
from companion.table.game.table_reading import TableReading
from companion.table.past.games import Game, Round, count_rounds

DIGITS: Final = 3
"""Decimal places of expected values."""


@dataclass(frozen=True, slots=True)
class CallStatistics:
    """A player's dudos or calzas that were judged."""

    called: Count = 0
    right: Count = 0
    expected: float = 0.0
    """The sum of these calls' probabilities of being right."""
    likely: tuple[float, float] | None = field(init=False)
    """The 95 % confidence interval of the player's share of right calls; None without a call."""

    def __post_init__(self) -> None:
        interval = wilson(self.right, self.called)
        likely = interval and (round(interval[0], DIGITS), round(interval[1], DIGITS))
        object.__setattr__(self, "likely", likely)


@dataclass(frozen=True, slots=True)
class BidStatistics:
    """The calls, dudo and calza, on a player's bids."""

    times: Count = 0
    held: Count = 0
    """How many of these bids held."""
    held_expected: float = 0.0
    """The sum of these bids' probabilities of holding."""
    matched: Count = 0
    """The total number of dice that matched these bids."""
    matched_expected: float = 0.0
    """The expected number: the dice in play times 1/3, or 1/6 if pacos were not wild, for each bid."""
    luck: float = field(init=False)
    """`matched` minus `matched_expected`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "luck", round(self.matched - self.matched_expected, DIGITS))


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """The statistics of one player."""

    name: str
    games: Count
    won: Count
    rounds: Count
    """Rounds with bids in which the player had dice."""
    bids: Count
    """Bids that were entered, without those assumed between them."""
    highest: tuple[int, int] | None
    """The highest of these bids by `height`, as (count, face)."""
    called: BidStatistics
    dudos: CallStatistics
    calzas: CallStatistics
    lost: Count
    """Dice lost by verdicts."""
    regained: Count
    palifico: Count
    """Rounds in which the player was palifico."""


@dataclass(frozen=True, slots=True)
class CameraStatistics:
    """The statistics of the camera's readings."""

    readings: Count = 0
    untouched: Count = 0
    """Readings that players did not correct, confirm, repeat or replace by a count by hand."""
    dice: Count = 0
    """Dice in these readings, before any correction."""
    asked: Count = 0
    """Dice that were uncertain."""
    confirmed: Count = 0
    """Dice that a player confirmed."""
    face: Count = 0
    """Dice whose face a player corrected."""
    colour: Count = 0
    """Dice whose colour a player corrected, with or without their face."""
    struck: Count = 0
    """Detected dice that were none."""
    added: Count = 0
    """Dice that the camera missed."""
    by_hand: Count = 0
    """Counts by hand, including those in rounds without a reading."""

    def __add__(self, other: CameraStatistics) -> CameraStatistics:
        return CameraStatistics(
            *(getattr(self, each.name) + getattr(other, each.name) for each in dataclasses.fields(self))
        )


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of some games."""

    games: Count
    won: Count
    """Games that had a winner."""
    rounds: Count
    players: tuple[PlayerStatistics, ...]
    """By games won, then games played (most first), then name."""
    camera: CameraStatistics


class PlayerFigures(Struct, frozen=True, array_like=True, kw_only=True):
    """A player's figures in one game: `PlayerStatistics` before they are added up and rounded."""

    name: str
    won: bool
    rounds: int
    bids: int
    highest: tuple[int, int, bool] | None
    """Count, face, and True if pacos were wild."""
    times: int
    held: int
    held_expected: float
    matched: int
    matched_expected: float
    dudos: tuple[int, int, float]
    """Calls made, calls right, and the expected number right."""
    calzas: tuple[int, int, float]
    lost: int
    regained: int
    palifico: int


class GameFigures(Struct, frozen=True, array_like=True):
    """The figures of the players and the camera in one game."""

    players: tuple[PlayerFigures, ...]
    """Clockwise."""
    won: bool
    rounds: int
    camera: CameraStatistics


def game_figures(game: Game) -> GameFigures:
    return GameFigures(
        tuple(_player_figures(name, game) for name in game.players),
        game.winner is not None,
        game.round_count,
        camera(game),
    )


def statistics(games: Iterable[Game]) -> Statistics:
    return totals(list(map(game_figures, games)))


def totals(games: Sequence[GameFigures]) -> Statistics:
    players: defaultdict[str, list[PlayerFigures]] = defaultdict(list)
    for game in games:
        for each in game.players:
            players[each.name].append(each)
    found = [_player(name, played) for name, played in players.items()]
    return Statistics(
        games=len(games),
        won=sum(game.won for game in games),
        rounds=sum(game.rounds for game in games),
        players=tuple(sorted(found, key=lambda player: (-player.won, -player.games, natural_order(player.name)))),
        camera=sum((game.camera for game in games if game.camera != _UNREAD), _UNREAD),
    )


_UNREAD: Final = CameraStatistics()


def height(bid: events.BidMade, *, wild: bool) -> tuple[int, int]:
    """The sort key of bids in the order of raises: count, then face. Wild pacos count double, and a little more.

    4 pacos beat 8 sixes, and 9 twos beat 4 pacos. Where pacos are not wild they are the lowest face.
    """
    return _height(bid.count, bid.face, wild)


def _height(count: int, face: int, wild: bool) -> tuple[int, int]:
    return (2 * count, 7) if face == PACO and wild else (count, face)


def _player_figures(name: str, game: Game) -> PlayerFigures:
    rounds = game.rounds
    judged = [(each.outcome, _odds(each, each.outcome)) for each in rounds if each.outcome is not None]
    made = [(bid, each.wild) for each in rounds for bid in each.bids if bid.player == name and not bid.assumed]
    highest, wild = max(made, key=lambda each: height(each[0], wild=each[1]), default=(None, False))
    on_bids = [(outcome, odds) for outcome, odds in judged if outcome.bid.player == name]
    called = [(outcome, odds) for outcome, odds in judged if outcome.caller == name]
    return PlayerFigures(
        name=name,
        won=game.winner == name,
        rounds=count_rounds(each for each in rounds if each.start.dice.get(name)),
        bids=len(made),
        highest=None if highest is None else (highest.count, highest.face, wild),
        times=len(on_bids),
        held=sum(outcome.count >= outcome.bid.count for outcome, _ in on_bids),
        held_expected=float(sum(odds.holds for _, odds in on_bids)),
        matched=sum(outcome.count for outcome, _ in on_bids),
        matched_expected=float(sum(odds.tally for _, odds in on_bids)),
        dudos=_calls([(outcome, 1 - odds.holds) for outcome, odds in called if outcome.call is CallKind.DUDO]),
        calzas=_calls([(outcome, odds.exact) for outcome, odds in called if outcome.call is CallKind.CALZA]),
        lost=sum(outcome.lost for outcome, _ in judged if outcome.loses == name),
        regained=sum(outcome.gains == name for outcome, _ in judged),
        palifico=count_rounds(each for each in rounds if each.start.palifico == name),
    )


def _odds(played: Round, outcome: Outcome) -> Odds:
    """The odds of the bid that was called, for somebody who sees no dice."""
    return odds(outcome.bid.count, outcome.bid.face, sum(played.start.dice_by_seat), wild=outcome.wild)


def _calls(judged: Sequence[tuple[Outcome, Fraction]]) -> tuple[int, int, float]:
    """The number of calls, of right ones, and the expected number of right ones. `judged`: calls with probabilities."""
    return len(judged), sum(outcome.correct for outcome, _ in judged), float(sum(right for _, right in judged))


def _player(name: str, played: Sequence[PlayerFigures]) -> PlayerStatistics:
    bids = (each.highest for each in played if each.highest is not None)
    highest = max(bids, key=lambda bid: _height(*bid), default=None)
    return PlayerStatistics(
        name=name,
        games=len(played),
        won=sum(each.won for each in played),
        rounds=sum(each.rounds for each in played),
        bids=sum(each.bids for each in played),
        highest=highest and highest[:2],
        called=BidStatistics(
            times=sum(each.times for each in played),
            held=sum(each.held for each in played),
            held_expected=_sum(each.held_expected for each in played),
            matched=sum(each.matched for each in played),
            matched_expected=_sum(each.matched_expected for each in played),
        ),
        dudos=_call_statistics([each.dudos for each in played]),
        calzas=_call_statistics([each.calzas for each in played]),
        lost=sum(each.lost for each in played),
        regained=sum(each.regained for each in played),
        palifico=sum(each.palifico for each in played),
    )


def _call_statistics(calls: Sequence[tuple[int, int, float]]) -> CallStatistics:
    return CallStatistics(
        sum(called for called, _, _ in calls), sum(right for _, right, _ in calls), _sum(odds for _, _, odds in calls)
    )


def _sum(values: Iterable[float]) -> float:
    return round(fsum(values), DIGITS)


# The camera


def camera(game: Game) -> CameraStatistics:
    """The statistics of one game's readings, without corrections that were undone."""
    return sum(map(_round_statistics, by_round(chain.from_iterable(game.steps))), CameraStatistics())


def _round_statistics(played: Iterable[events.Event]) -> CameraStatistics:
    """The statistics of one round's readings."""
    total = CameraStatistics()
    read: TableReading | None = None
    now: TableReading | None = None
    for event in played:
        match event:
            case events.ReadingTaken():
                total += _reading_statistics(read, now)
                read = now = TableReading.of(event)
            case events.ReadingAsked() | events.CountedByHand():
                total += replace(_reading_statistics(read, now), untouched=0)
                total += CameraStatistics(by_hand=int(isinstance(event, events.CountedByHand)))
                read = now = None
            case events.DieSet() | events.DieAdded() | events.DieStruck() if now is not None:
                now = now.corrected(event)
    return total + _reading_statistics(read, now)


def _reading_statistics(read: TableReading | None, now: TableReading | None) -> CameraStatistics:
    """The statistics of one reading, as it was `read` and as it is `now` after corrections."""
    if read is None or now is None:
        return CameraStatistics()
    pairs = [(die, now.die(die.id)) for die in read.dice]
    remaining = [(die, after) for die, after in pairs if after is not None]
    return CameraStatistics(
        readings=1,
        untouched=int(now == read),
        dice=len(read.dice),
        asked=sum(die.uncertain for die in read.dice),
        confirmed=sum(
            after.corrected and (die.face, die.colour) == (after.face, after.colour) for die, after in remaining
        ),
        face=sum(die.face != after.face for die, after in remaining),
        colour=sum(die.colour != after.colour for die, after in remaining),
        struck=len(pairs) - len(remaining),
        added=len(now.dice) - len(remaining),
    )


LONGEST_CURVE: Final = 200
"""Points of a curve at most, the latest."""


class CurvePoint(Value, frozen=True):
    """A player's totals after a game."""

    number: Count
    """The game's number among those counted, from 1."""
    won: Count
    luck: float
    """Dice above expectation under the player's bids that were called."""
    calls: float
    """Right dudos and calzas above expectation."""


class Curve(Value, frozen=True):
    """A player's totals, game by game, with a point for each game that the player was in."""

    name: str
    points: tuple[CurvePoint, ...]


def curves(games: Iterable[GameFigures]) -> tuple[Curve, ...]:
    """A curve for each player of `games`, which are sorted oldest first."""
    won: Counter[str] = Counter()
    luck: defaultdict[str, float] = defaultdict(float)
    calls: defaultdict[str, float] = defaultdict(float)
    points: defaultdict[str, deque[CurvePoint]] = defaultdict(lambda: deque(maxlen=LONGEST_CURVE))
    for number, game in enumerate(games, start=1):
        for player in game.players:
            name = player.name
            won[name] += player.won
            luck[name] += player.matched - player.matched_expected
            calls[name] += sum(right - expected for _, right, expected in (player.dudos, player.calzas))
            points[name].append(CurvePoint(number, won[name], round(luck[name], DIGITS), round(calls[name], DIGITS)))
    return tuple(Curve(name, tuple(found)) for name, found in points.items())
