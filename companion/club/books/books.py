"""The books: results and ratings, a fold over the records of games. Pure.

A later record of a game replaces the earlier one; a game that continues after all is removed. Games count in the order
in which the hub got the first record of each, whatever the tables' clocks say; a game keeps its place when it is
replaced, or removed and recorded again. Only the table that first recorded a game can do either.

A game is one result for all its players: Plackett-Luce, algorithm 4 of Weng & Lin, "A Bayesian Approximation Method for
Online Ranking", Journal of Machine Learning Research 12 (2011), as implemented by the library openskill, with its
default values. An unnamed player is rated as a newcomer in each game, and the rating is discarded: the places of the
others above and below count, but nobody knows who it was.

People see the mean and the standard deviation, scaled so that a newcomer has 1500 ± 350, as in Glicko (Glickman, "The
Glicko system", 1995). openskill's `ordinal`, three standard deviations below the mean, is not shown: it can rise for
the last player, because each game makes a rating surer. The mean rises for the winner and falls for the last. So that
luck in a few games does not lead the ranking, ratings start as provisional (`Form.provisional`).

A game counts if its players are in the club's pool (`pool_of`). Any other game rates only players outside the pool, so
that beating people whom nobody else has met does not raise a rating in the pool.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from openskill.models import PlackettLuce

from companion.club.books.pool import pool_of
from companion.engine.rulebooks import RuleValue
from companion.member.payloads import GameId, Moment, RecordEvent
from companion.member.records import places_in
from companion.member.topics import Slug
from companion.messages.sentence import Value
from companion.table.commands import Count, DieColour, ShortText
from companion.table.past.games import Ending

NEWCOMER_POINTS: Final = 1500
NEWCOMER_PLUS_MINUS: Final = 350

_MODEL: Final = PlackettLuce()
_SCALE: Final = NEWCOMER_PLUS_MINUS / _MODEL.sigma


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a player's strength, on the model's scale."""

    mean: float
    deviation: float

    @property
    def points(self) -> int:
        """The mean as shown to people."""
        return round(NEWCOMER_POINTS + _SCALE * (self.mean - _MODEL.mu))

    @property
    def plus_minus(self) -> int:
        """One standard deviation: in two out of three cases the player's strength is within it."""
        return round(_SCALE * self.deviation)


NEWCOMER: Final = Rating(_MODEL.mu, _MODEL.sigma)


def rate(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a game of two or more players, in the same order; equal places are ties.

    Raises `ValueError` for fewer than two players, or another number of places.
    """
    teams = [[_MODEL.rating(each.mean, each.deviation)] for each in before]
    return [Rating(after.mu, after.sigma) for (after,) in _MODEL.rate(teams, ranks=list(places))]


class ResultPlayer(Value, frozen=True):
    """A player of a game."""

    name: ShortText
    colour: DieColour
    named: bool
    """The player has a name, rather than "(red)": only named players are ranked and have a page."""
    place: Count | None
    """From 1; None in a game that is not rated."""


class GameResult(Value, frozen=True, kw_only=True):
    """A game that ended."""

    game: GameId
    table: Slug
    began: Moment
    ended: Moment
    ending: Ending
    rated: bool
    """The game counts: somebody won, and every player has a place."""
    players: tuple[ResultPlayer, ...]
    """Clockwise."""
    rounds: Count
    ruleset: str
    rules: dict[str, RuleValue]
    """The house rules that differ from the book."""
    calza: bool
    left_out: bool = False
    """A manager has said that it does not count."""
    clock_set: bool = True
    """The table's clock was set when the game began; otherwise `began` and `ended` are meaningless."""


Places = tuple[tuple[str, ...], ...]
"""The players of each place."""


def proven(record: RecordEvent) -> Places:
    """The places that the lines of a record prove, whatever the table says."""
    return places_in(record.record)


def result_of(
    table: str, record: RecordEvent, *, left_out: bool = False, places_of: Callable[[RecordEvent], Places] = proven
) -> GameResult | None:
    """The result in a table's record; None for a game still being played. `left_out`: it rates nobody.

    Places follow from the record's lines, not from what the table says. A record whose lines are not a won game of its
    players is listed but rates nobody. `places_of`: for records whose places are already proven.
    """
    if record.ending is Ending.PLAYING:
        return None
    places = _places(record, places_of(record)) if record.ending is Ending.WON and not left_out else {}
    return GameResult(
        game=record.game,
        table=table,
        began=record.began,
        ended=record.ended,
        ending=record.ending,
        rated=bool(places),
        players=tuple(
            ResultPlayer(player.name, player.colour, player.named, places.get(player.name)) for player in record.players
        ),
        rounds=record.rounds,
        ruleset=record.ruleset,
        rules=record.rules,
        calza=record.calza,
        left_out=left_out,
        clock_set=record.clock_set,
    )


def _places(record: RecordEvent, places: Places) -> dict[str, int]:
    """Each player's place; empty if `places` are not those of a won game of its players."""
    placed = list(chain.from_iterable(places))
    players = [player.name for player in record.players]
    if len(set(players)) != len(players) or sorted(placed) != sorted(players):
        return {}
    return {name: place for place, name in enumerate(placed, start=1)}


PROVISIONAL_GAMES: Final = 15
"""A rating is provisional until this many games count."""


@dataclass(frozen=True, slots=True)
class Form:
    """A player's rating and totals after a game."""

    rating: Rating
    games: int
    """Rated games."""
    won: int
    counted: int
    """Games in the club's pool."""

    @property
    def provisional(self) -> bool:
        return self.counted < PROVISIONAL_GAMES


NEWCOMER_FORM: Final = Form(NEWCOMER, games=0, won=0, counted=0)


@dataclass(frozen=True, slots=True)
class Appearance:
    """A player's part in a game; a game that is not rated leaves the form unchanged."""

    result: GameResult
    place: int | None
    before: Form
    after: Form


@dataclass(slots=True)
class _Career:
    """A player's form after each of their games."""

    numbers: list[int] = field(default_factory=list)
    """Numbers of the games, ascending."""
    forms: list[Form] = field(default_factory=list)

    def add(self, number: int, form: Form) -> None:
        self.numbers.append(number)
        self.forms.append(form)

    def forget_from(self, number: int) -> None:
        end = bisect_left(self.numbers, number)
        del self.numbers[end:], self.forms[end:]


class Books:
    """The results and ratings of a club. Not thread-safe.

    A new game is rated by itself. If an old one changes, or the pool does, that game and all later ones are rated
    again, from the players' forms before it.
    """

    def __init__(
        self,
        records: Iterable[tuple[str, RecordEvent]] = (),
        left_out: Collection[str] = frozenset(),
        places_of: Callable[[RecordEvent], Places] = proven,
    ) -> None:
        """`left_out`: games that do not count, and tables none of whose games counts. `places_of`: see `result_of`."""
        self._left_out = left_out
        self._places_of = places_of
        self._numbers: dict[str, int] = {}
        """Game -> its number, in order of arrival."""
        self._tables: list[str] = []
        self._results: list[GameResult | None] = []
        """None for a game that was removed."""
        self._rated = 0
        """The number of results that the forms include."""
        self._pool: frozenset[str] = frozenset()
        self._careers: dict[str, _Career] = {}
        self.extend(records)

    def extend(self, records: Iterable[tuple[str, RecordEvent]]) -> None:
        """Enter records, each with its table, in order. Ratings are computed once, at the end."""
        first = self._rated
        try:
            for table, record in records:
                first = min(first, self._enter(table, record))
        finally:  # also if `records` raises
            self._rate_from(first)

    @property
    def results(self) -> tuple[GameResult, ...]:
        """The finished games, in order of arrival."""
        return tuple(each for each in self._results if each is not None)

    def result(self, game: str) -> GameResult | None:
        """The result of a game; None if it is not in the books."""
        number = self._numbers.get(game)
        return None if number is None else self._results[number]

    @property
    def forms(self) -> dict[str, Form]:
        """The form of every named player."""
        return {name: career.forms[-1] for name, career in self._careers.items()}

    def appearances(self, name: str) -> Iterator[Appearance]:
        """The games of the player called exactly `name`, in order of arrival."""
        career, before = self._careers.get(name, _Career()), NEWCOMER_FORM
        for number, after in zip(career.numbers, career.forms, strict=True):
            result = self._results[number]
            assert result is not None, "nobody appears in a game that was taken out"
            yield Appearance(result, next(each.place for each in result.players if each.name == name), before, after)
            before = after

    def _enter(self, table: str, record: RecordEvent) -> int:
        """Enter a record; return the number of the game that it changes, or the next number if it changes nothing."""
        left_out = record.game in self._left_out or table in self._left_out
        result, end = result_of(table, record, left_out=left_out, places_of=self._places_of), len(self._results)
        number = self._numbers.setdefault(record.game, end)
        if number == end:
            self._tables.append(table)
            self._results.append(result)
        elif self._tables[number] == table and self._results[number] != result:
            self._results[number] = result
        else:
            return end
        return number

    def _rate_from(self, first: int) -> None:
        first = min([first, *self._pool_changed(first)])
        if first < self._rated:
            for career in self._careers.values():
                career.forget_from(first)
            self._careers = {name: career for name, career in self._careers.items() if career.forms}
        for number, result in enumerate(self._results[first:], start=first):
            if result is not None:
                for name, form in self._after(result).items():
                    self._careers.setdefault(name, _Career()).add(number, form)
        self._rated = len(self._results)

    def _pool_changed(self, first: int) -> list[int]:
        """The first games of players who have joined or left the pool."""
        new = [each for each in self._results[first:] if each is not None and each.rated]
        if first == self._rated and all(_named(each) <= self._pool for each in new):
            return []  # the players who had played most have played more
        pool = pool_of(_named(each) for each in self._results if each is not None and each.rated)
        changed, self._pool = pool ^ self._pool, pool
        return [self._careers[name].numbers[0] for name in changed if name in self._careers]

    def _after(self, result: GameResult) -> dict[str, Form]:
        """The forms of the named players after a game."""
        before = {each.name: self._form(each.name) for each in result.players if each.named}
        if not result.rated:
            return before
        places = [each.place for each in result.players if each.place is not None]
        ratings = rate([before.get(each.name, NEWCOMER_FORM).rating for each in result.players], places)
        counts = len(before) > 1 and before.keys() <= self._pool
        after = {}
        for each, rating in zip(result.players, ratings, strict=True):
            if form := before.get(each.name):
                moved = counts or each.name not in self._pool
                after[each.name] = Form(
                    rating if moved else form.rating,
                    form.games + 1,
                    form.won + (each.place == 1),
                    form.counted + counts,
                )
        return after

    def _form(self, name: str) -> Form:
        career = self._careers.get(name)
        return NEWCOMER_FORM if career is None else career.forms[-1]


def _named(result: GameResult) -> frozenset[str]:
    return frozenset(each.name for each in result.players if each.named)
