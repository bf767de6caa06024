"""The state of a tournament, a fold over its events, and the sizes of its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final, assert_never

from companion.club.tournament import events
from companion.club.tournament.events import AnyTournamentEvent, TournamentFormat

SMALLEST_TABLE: Final = 4
LARGEST_TABLE: Final = 6
FEWEST_AT_A_TABLE: Final = 3
"""Tables of three are used if four are asked for, or if the number of players (three or seven) leaves no choice."""


def table_sizes(players: int, wish: int) -> tuple[int, ...]:
    """The sizes of the tables for `players`, larger ones first; empty for fewer than two.

    They are as equal as possible, with the fewest tables of at most `wish` players. Tables have four to six players, or
    three or four if four are asked for; seven sit as four and three. So five players sit at one table if four are asked
    for, and 6 or 11 at tables of six if five are: two and three, or a table of three, would be worse.
    """
    if players < 2:
        return ()
    fewest = FEWEST_AT_A_TABLE if wish == SMALLEST_TABLE else SMALLEST_TABLE
    tables = max(-(-players // LARGEST_TABLE), min(-(-players // wish), players // fewest))
    small, larger = divmod(players, tables)
    return (small + 1,) * larger + (small,) * (tables - larger)


Results = Mapping[int, events.ResultEntered]
"""Table -> its result."""
Places = tuple[tuple[str, ...], ...]
"""The winner first; players who share a place together."""


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round with its results so far. Tables are numbered from 1."""

    number: int
    tables: tuple[tuple[str, ...], ...]
    """As drawn."""
    results: Results = field(default_factory=dict)
    """Table -> its result, as entered."""
    seats: Mapping[int, tuple[str, ...]] = field(init=False)
    """Table -> its players, as drawn and then corrected by results. A player named in another table's result plays
    there; absent players play nowhere."""
    places: Mapping[int, Places] = field(init=False)
    """Table -> its players by place. Players not named in the result dropped out, and share the last place."""

    def __post_init__(self) -> None:
        named = {name: table for table, result in self.results.items() for name in chain(*result.places)}
        seats, places = {}, {}
        for table, drawn in enumerate(self.tables, start=1):
            result = self.results.get(table)
            guests, absent = (tuple(chain(*result.places)), result.absent) if result else ((), ())
            names = (name for name in dict.fromkeys((*drawn, *guests)) if name not in absent)
            seats[table] = tuple(name for name in names if named.get(name, table) == table)
            if result is not None:
                dropped = tuple(name for name in seats[table] if name not in named)
                places[table] = (*result.places, dropped) if dropped else result.places
        object.__setattr__(self, "seats", seats)
        object.__setattr__(self, "places", places)

    @property
    def missing(self) -> tuple[int, ...]:
        """The tables without a result."""
        return tuple(table for table in self.seats if table not in self.results)

    def table_of(self, name: str) -> int | None:
        """The table of `name` in this round; None if there is none."""
        return next((table for table, names in self.seats.items() if name in names), None)


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament in its present state."""

    opened: events.TournamentOpened
    entrants: Mapping[str, bool] = field(default_factory=dict)
    """Name -> still present, in order of joining."""
    rounds: tuple[DrawnRound, ...] = ()
    closed: bool = False
    removed: bool = False
    """It was removed, as if it had never been opened."""

    @property
    def active(self) -> tuple[str, ...]:
        """The players who are still present."""
        return tuple(name for name, here in self.entrants.items() if here)

    def was_drawn(self, name: str) -> bool:
        """True if `name` has a place in any round, by a draw or a result."""
        return any(name in chain(*each.tables, *each.seats.values()) for each in self.rounds)

    @property
    def last_round(self) -> DrawnRound | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def is_knock_out(self) -> bool:
        return self.opened.format == TournamentFormat.KNOCK_OUT


def tournament_of(history: Iterable[AnyTournamentEvent]) -> Tournament | None:
    """The tournament after these events; None without any. Raises `ValueError` if the first is no
    `TournamentOpened`."""
    tournament: Tournament | None = None
    for event in history:
        tournament = evolve_tournament(tournament, event)
    return tournament


def evolve_tournament(tournament: Tournament | None, event: AnyTournamentEvent) -> Tournament:
    """The tournament after one more event. Raises `ValueError` if there was none and the event does not open one."""
    if isinstance(event, events.TournamentOpened):
        return Tournament(event)
    if tournament is None:
        raise ValueError("a tournament begins with its opening")
    match event:
        case events.EntrantJoined(name) | events.EntrantReturned(name):
            return replace(tournament, entrants={**tournament.entrants, name: True})
        case events.JoinTakenBack(name):
            entrants = {each: here for each, here in tournament.entrants.items() if each != name}
            return replace(tournament, entrants=entrants)
        case events.EntrantLeft(name):
            return replace(tournament, entrants={**tournament.entrants, name: False})
        case events.RoundDrawn(number, tables):
            return replace(tournament, rounds=(*tournament.rounds, DrawnRound(number, tables)))
        case events.DrawTakenBack(number):
            return replace(tournament, rounds=tuple(each for each in tournament.rounds if each.number < number))
        case events.ResultEntered(number, table):
            return _with_results(tournament, number, lambda results: {**results, table: event})
        case events.ResultTakenBack(number, table):
            return _with_results(
                tournament, number, lambda results: {each: results[each] for each in results if each != table}
            )
        case events.TournamentClosed():
            return replace(tournament, closed=True)
        case events.TournamentReopened():
            return replace(tournament, closed=False)
        case events.TournamentRemoved():
            return replace(tournament, removed=True)
    assert_never(event)


def _with_results(tournament: Tournament, number: int, change: Callable[[Results], Results]) -> Tournament:
    return replace(
        tournament,
        rounds=tuple(
            replace(each, results=change(each.results)) if each.number == number else each for each in tournament.rounds
        ),
    )
