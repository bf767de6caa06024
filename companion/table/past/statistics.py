"""What a company did in its games, counted, and held against what chance would have given. Pure.

Players are the same person when their name is the same, and nobody else's: "Ana" is not "ana".

Chance is that of somebody who sees no die: every die in play matches a bid with probability 1/3 while pacos are wild,
with 1/6 where they are not (a bid on pacos, a palifico round), each for itself (`companion.engine.odds`). Players see
their own dice and hear the others bid, so to be above what was expected is luck and skill together.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Final

from companion.engine import PACO, Bid, CallKind, Outcome
from companion.engine.odds import Odds, odds
from companion.table.game import events
from companion.table.game.table_reading import TableReading
from companion.table.past.games import Game, distinct
from companion.table.quantities import Count

DIGITS: Final = 3
"""After the point, of what was expected."""


@dataclass(frozen=True, slots=True)
class CallStatistics:
    """A player's dudos, or calzas: those that were judged."""

    called: Count = 0
    right: Count = 0
    expected: float = 0.0
    """The sum, over these calls, of the probability that the call would be right."""


@dataclass(frozen=True, slots=True)
class BidStatistics:
    """The calls on a player's bids, dudo and calza alike."""

    times: Count = 0
    held: Count = 0
    """How often there were as many dice as were bid, or more."""
    held_expected: float = 0.0
    """The sum, over these bids, of the probability of that."""
    matched: Count = 0
    """Dice that matched these bids, all together."""
    matched_expected: float = 0.0
    """How many would be expected to: for each bid the dice in play times 1/3, or 1/6 where pacos were not wild."""
    luck: float = field(init=False)
    """Dice above what was expected (below it where negative)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "luck", round(self.matched - self.matched_expected, DIGITS))


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """What one player did."""

    name: str
    games: Count
    won: Count
    rounds: Count
    """Those in which somebody bid and the player had dice."""
    bids: Count
    """Those that were told; not those assumed to lie between two that were."""
    highest: tuple[int, int] | None
    """The highest of these bids, (count, face), as `height` orders them."""
    called: BidStatistics
    dudos: CallStatistics
    calzas: CallStatistics
    lost: Count
    """Dice lost by a verdict."""
    regained: Count
    palifico: Count
    """How many rounds were the player's palifico rounds."""


@dataclass(frozen=True, slots=True)
class CameraStatistics:
    """How the readings of the camera fared."""

    readings: Count = 0
    untouched: Count = 0
    """Readings that needed no hand: no die corrected, confirmed, added or struck, not read again, not counted by
    hand."""
    dice: Count = 0
    """Dice in these readings, as the camera had them."""
    asked: Count = 0
    """Those of them it was not sure of."""
    confirmed: Count = 0
    """Dice that a player said to be just what was read."""
    face: Count = 0
    """Dice whose face a player corrected."""
    colour: Count = 0
    """Dice whose colour a player corrected, whether or not their face as well."""
    struck: Count = 0
    """What was read as a die, and is none."""
    added: Count = 0
    """Dice that were missed."""
    by_hand: Count = 0
    """How often the players counted the dice themselves; that includes rounds in which nothing was read."""

    def __add__(self, other: CameraStatistics) -> CameraStatistics:
        return CameraStatistics(
            *(getattr(self, each.name) + getattr(other, each.name) for each in dataclasses.fields(self))
        )


@dataclass(frozen=True, slots=True)
class Statistics:
    """What was done in some games."""

    games: Count
    won: Count
    """Those that were played until one player was left."""
    rounds: Count
    players: tuple[PlayerStatistics, ...]
    """Who won most first, then who played most, then by name."""
    camera: CameraStatistics


def statistics(games: Sequence[Game]) -> Statistics:
    """What was done in these games, by whom."""
    names = dict.fromkeys(name for game in games for name in game.players)
    players = [_player(name, [game for game in games if name in game.players]) for name in names]
    return Statistics(
        games=len(games),
        won=sum(game.winner is not None for game in games),
        rounds=sum(game.round_count for game in games),
        players=tuple(sorted(players, key=lambda player: (-player.won, -player.games, player.name))),
        camera=sum((camera(game) for game in games), CameraStatistics()),
    )


def of_company(games: Iterable[Game], names: Iterable[str]) -> list[Game]:
    """The games played by exactly these players, in whatever order they sat."""
    company = set(names)
    return [game for game in games if set(game.players) == company]


def height(bid: Bid | events.BidMade) -> tuple[int, int]:
    """What orders bids by height: more dice, then the higher face; pacos count double and stand above their double.

    That is the order in which bids can be raised: 4 pacos beat 8 sixes, and 9 twos beat them.
    """
    return (2 * bid.count, 7) if bid.face == PACO else (bid.count, bid.face)


def _player(name: str, games: Sequence[Game]) -> PlayerStatistics:
    """`games` are those of this player."""
    rounds = [each for game in games for each in game.rounds]
    outcomes = [(each.outcome, each.dice_in_play) for each in rounds if each.outcome is not None]
    bids = [bid for each in rounds for bid in each.bids if bid.player == name and not bid.assumed]
    highest = max(bids, key=height, default=None)
    return PlayerStatistics(
        name=name,
        games=len(games),
        won=sum(game.winner == name for game in games),
        rounds=sum(distinct(each for each in game.rounds if each.opened.dice.get(name)) for game in games),
        bids=len(bids),
        highest=None if highest is None else (highest.count, highest.face),
        called=_called([(outcome, dice) for outcome, dice in outcomes if outcome.bidder == name]),
        dudos=_calls(name, CallKind.DUDO, outcomes),
        calzas=_calls(name, CallKind.CALZA, outcomes),
        lost=sum(outcome.loses == name for outcome, _ in outcomes),
        regained=sum(outcome.gains == name for outcome, _ in outcomes),
        palifico=sum(distinct(each for each in game.rounds if each.opened.palifico == name) for game in games),
    )


def _called(outcomes: Sequence[tuple[Outcome, int]]) -> BidStatistics:
    """`outcomes`: the calls on one player's bids, each with the dice in play."""
    chances = [_chance(outcome, dice) for outcome, dice in outcomes]
    expected = sum((dice * _of_a_die(outcome) for outcome, dice in outcomes), Fraction(0))
    return BidStatistics(
        times=len(outcomes),
        held=sum(outcome.count >= outcome.bid.count for outcome, _ in outcomes),
        held_expected=_rounded(sum((chance.holds for chance in chances), Fraction(0))),
        matched=sum(outcome.count for outcome, _ in outcomes),
        matched_expected=_rounded(expected),
    )


def _calls(name: str, kind: CallKind, outcomes: Iterable[tuple[Outcome, int]]) -> CallStatistics:
    mine = [(outcome, dice) for outcome, dice in outcomes if outcome.caller == name and outcome.call is kind]
    chances = [_chance(outcome, dice) for outcome, dice in mine]
    right = [1 - chance.holds if kind is CallKind.DUDO else chance.exact for chance in chances]
    return CallStatistics(len(mine), sum(outcome.correct for outcome, _ in mine), _rounded(sum(right, Fraction(0))))


def _chance(outcome: Outcome, dice: int) -> Odds:
    """The odds of the bid that was called, for somebody who sees none of the `dice` in play."""
    return _odds(outcome.bid.count, outcome.bid.face, dice, outcome.wild)


@lru_cache(maxsize=1024)
def _odds(count: int, face: int, dice: int, wild: bool) -> Odds:
    return odds(Bid("", count, face), dice, wild=wild)


def _of_a_die(outcome: Outcome) -> Fraction:
    """How likely one die matches the bid."""
    return Fraction(1, 3) if outcome.wild and outcome.bid.face != PACO else Fraction(1, 6)


def _rounded(value: Fraction) -> float:
    return round(float(value), DIGITS)


# The camera


def camera(game: Game) -> CameraStatistics:
    """How the readings of one game fared, in what stands of it: a correction that was taken back is none."""
    total = CameraStatistics()
    read: TableReading | None = None
    now: TableReading | None = None
    for event in chain.from_iterable(game.steps):
        match event:
            case events.ReadingTaken(number, dice, width, height_, picture):
                total += _fared(read, now)
                read = now = TableReading(number, dice, width, height_, len(dice), picture)
            case events.RoundOpened() | events.GameLeft() | events.CameBack() | events.Rolled():
                total += _fared(read, now)  # what comes now is no longer said of these dice
                read = now = None
            case events.ReadingAsked() | events.CountedByHand():
                total += replace(_fared(read, now), untouched=0)
                total += CameraStatistics(by_hand=int(isinstance(event, events.CountedByHand)))
                read = now = None
            case events.DieSet(die, face, colour) if now is not None:
                now = now.set(die, face, colour)
            case events.DieAdded(face, colour, box) if now is not None:
                now = now.add(face, colour, box)
            case events.DieStruck(die) if now is not None:
                now = now.strike(die)
    return total + _fared(read, now)


def _fared(read: TableReading | None, now: TableReading | None) -> CameraStatistics:
    """How one reading fared: as it was `read`, and as it is `now`."""
    if read is None or now is None:
        return CameraStatistics()
    pairs = [(die, now.die(die.id)) for die in read.dice]
    kept = [(die, after) for die, after in pairs if after is not None]
    return CameraStatistics(
        readings=1,
        untouched=int(now == read),
        dice=len(read.dice),
        asked=sum(die.uncertain for die in read.dice),
        confirmed=sum(after.corrected and (die.face, die.colour) == (after.face, after.colour) for die, after in kept),
        face=sum(die.face != after.face for die, after in kept),
        colour=sum(die.colour != after.colour for die, after in kept),
        struck=len(pairs) - len(kept),
        added=len(now.dice) - len(kept),
    )
