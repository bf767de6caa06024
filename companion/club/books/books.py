"""The books: a fold over the records of games. Pure.

A later record of a game replaces the one before, and a game that is played on after all is taken out. Games count in
the order in which the hub had each one's first record, whatever the clocks of the tables say; a game keeps that place
when it is replaced, or taken out and recorded again. Only the table that recorded a game first can do either.

An unnamed player is rated as a newcomer in each game, and that rating is not kept: the others' places above or below
count, and nothing is known of who it was.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from companion.club.books.ratings import NEWCOMER, Rating, rate
from companion.club.books.results import GameResult, result_of
from companion.club.payloads import RecordEvent

PROVISIONAL_GAMES: Final = 15
"""A rating is provisional before this many games."""


@dataclass(frozen=True, slots=True)
class Form:
    """A player's rating and totals after a game."""

    rating: Rating
    games: int
    """Those that are rated."""
    won: int

    @property
    def provisional(self) -> bool:
        return self.games < PROVISIONAL_GAMES


NEWCOMER_FORM: Final = Form(NEWCOMER, games=0, won=0)


@dataclass(frozen=True, slots=True)
class Appearance:
    """A game of a player. One that is not rated leaves the form as it was."""

    result: GameResult
    place: int | None
    before: Form
    after: Form


@dataclass(slots=True)
class _Career:
    """A player's form after each of their games."""

    numbers: list[int] = field(default_factory=list)
    """Of the games, ascending."""
    forms: list[Form] = field(default_factory=list)

    def add(self, number: int, form: Form) -> None:
        self.numbers.append(number)
        self.forms.append(form)

    def forget_from(self, number: int) -> None:
        end = bisect_left(self.numbers, number)
        del self.numbers[end:], self.forms[end:]


class Books:
    """The results and ratings of a club. For one thread at a time.

    A new game is rated alone. After a change of an old one, it and those after it are rated again, from the players'
    forms before it.
    """

    def __init__(
        self, records: Iterable[tuple[str, RecordEvent]] = (), left_out: Collection[str] = frozenset()
    ) -> None:
        """`left_out`: the games that do not count, and the tables none of whose games counts."""
        self._left_out = left_out
        self._numbers: dict[str, int] = {}
        """Game -> its number in the order of arrival."""
        self._tables: list[str] = []
        self._results: list[GameResult | None] = []
        """None for a game that was taken out."""
        self._rated = 0
        """How many results the forms are after."""
        self._careers: dict[str, _Career] = {}
        self.extend(records)

    def add(self, table: str, record: RecordEvent) -> None:
        """Enter a table's record."""
        self.extend([(table, record)])

    def extend(self, records: Iterable[tuple[str, RecordEvent]]) -> None:
        """Enter records, each with its table, in order. Ratings are worked out once, at the end."""
        first = self._rated
        try:
            for table, record in records:
                first = min(first, self._enter(table, record))
        finally:  # also if `records` breaks off
            self._rate_from(first)

    @property
    def results(self) -> tuple[GameResult, ...]:
        """The games that ended, in the order of arrival."""
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
        """The games of the player called exactly `name`, in the order of arrival."""
        career, before = self._careers.get(name, _Career()), NEWCOMER_FORM
        for number, after in zip(career.numbers, career.forms, strict=True):
            result = self._results[number]
            assert result is not None, "nobody appears in a game that was taken out"
            yield Appearance(result, next(each.place for each in result.players if each.name == name), before, after)
            before = after

    def _enter(self, table: str, record: RecordEvent) -> int:
        """The number of the game that this changes; the number of the next one if it changes nothing."""
        left_out = record.game in self._left_out or table in self._left_out
        result, end = result_of(table, record, left_out=left_out), len(self._results)
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
        if first < self._rated:
            for career in self._careers.values():
                career.forget_from(first)
            self._careers = {name: career for name, career in self._careers.items() if career.forms}
        for number, result in enumerate(self._results[first:], start=first):
            if result is not None:
                for name, form in self._after(result).items():
                    self._careers.setdefault(name, _Career()).add(number, form)
        self._rated = len(self._results)

    def _after(self, result: GameResult) -> dict[str, Form]:
        """The forms of the named players after a game."""
        before = {each.name: self._form(each.name) for each in result.players if each.named}
        if not result.rated:
            return before
        places = [each.place for each in result.players if each.place is not None]
        ratings = rate([before.get(each.name, NEWCOMER_FORM).rating for each in result.players], places)
        return {
            each.name: Form(rating, before[each.name].games + 1, before[each.name].won + (each.place == 1))
            for each, rating in zip(result.players, ratings, strict=True)
            if each.named
        }

    def _form(self, name: str) -> Form:
        career = self._careers.get(name)
        return NEWCOMER_FORM if career is None else career.forms[-1]
