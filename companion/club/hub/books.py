"""A club's books, computed from the store's records and the managers' decisions about them. Thread-safe."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from companion.club.books.books import Books, GameResult
from companion.club.books.names import BookNames, renamed, with_book_names
from companion.club.books.players import PlayerPage, RankedPlayer, player_page, ranking
from companion.club.hub.store import Store, with_places
from companion.member.errors import NotAllowedInClubError
from companion.member.payloads import RecordEvent
from companion.messages.message import Message

NAMES_SETTING: Final = "names"
LEFT_OUT_SETTING: Final = "left out"
"""The setting with the ids of games and tables that do not count. A table's id has no slash."""


class ClubBooks:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._names: BookNames = json.loads(store.setting(NAMES_SETTING, lambda: "{}"))
        self._left_out: tuple[str, ...] = tuple(json.loads(store.setting(LEFT_OUT_SETTING, lambda: "[]")))
        self._books = self._read_books()

    def extend(self, records: Iterable[tuple[str, RecordEvent]]) -> None:
        """Enter records of the store, except those of tables that have been removed."""
        with self._lock:
            there = [(table, with_places(record)) for table, record in records if table not in self._store.removed]
            self._books.extend((table, with_book_names(record, self._names)) for table, record in there)

    def ranking(self) -> tuple[RankedPlayer, ...]:
        with self._lock:
            return ranking(self._books.forms)

    def games(self, *, table: str = "", player: str = "", most: int = 100) -> list[GameResult]:
        """The latest games, newest first."""
        with self._lock:
            results = self._books.results
        wanted = (
            each
            for each in reversed(results)
            if table in ("", each.table)
            and (not player or any(who.name == player and who.named for who in each.players))
        )
        return [each for each, _ in zip(wanted, range(most), strict=False)]

    def game(self, game: str) -> tuple[GameResult, RecordEvent] | None:
        """A game and its record; None if it is not in the books."""
        with self._lock:
            result = self._books.result(game)
            names = self._names
        record = None if result is None else self._store.record(result.table, game)
        return None if result is None or record is None else (result, with_book_names(record, names))

    def player(self, name: str) -> PlayerPage | None:
        with self._lock:
            return player_page(self._books, name)

    def names(self) -> BookNames:
        """The names in the books that differ from those on the records."""
        return self._names

    def set_name(self, name: str, wanted: str) -> None:
        """Call a player `wanted` in the books, "" for no name, in all past and future games. The player's own name
        reverts it. Raises `ClubError`.
        """
        with self._lock:
            names = renamed(self._names, name, wanted)
            self._store.set(NAMES_SETTING, json.dumps(names))
            self._names = names
            self._books = self._read_books()

    @property
    def tables_left_out(self) -> tuple[str, ...]:
        """The tables none of whose games counts."""
        return tuple(each for each in self._left_out if "/" not in each)

    def set_counts(self, game: str, *, counts: bool) -> None:
        """Decide if a game counts. Raises `NotAllowedInClubError` if it is not in the books or its table does not
        count, and `ClubError`.
        """
        with self._lock:
            result = self._books.result(game)
            if result is None:
                raise NotAllowedInClubError(Message("This club has no such game."))
            if counts and result.table in self._left_out:
                raise NotAllowedInClubError(
                    Message("No game of this table counts. On the page of its games, count them all again first.")
                )
            self._set_counts(game, counts=counts)

    def set_table_counts(self, table: str, *, counts: bool) -> None:
        """Decide if a table's past and future games count. A game that was left out by itself stays out.

        Raises `ClubError`.
        """
        with self._lock:
            self._set_counts(table, counts=counts)

    def table_removed(self, table: str, *, games: bool) -> None:
        """A table was removed from the store, with its games if `games`. Raises `ClubError`."""
        with self._lock:
            theirs = [each for each in self._left_out if each.partition(".")[0] == table] if games else []
            self._set_left_out(tuple(each for each in self._left_out if each not in theirs))

    def _set_counts(self, what: str, *, counts: bool) -> None:
        self._set_left_out((*(each for each in self._left_out if each != what), *(() if counts else (what,))))

    def _set_left_out(self, left_out: tuple[str, ...]) -> None:
        self._store.set(LEFT_OUT_SETTING, json.dumps(left_out))
        self._left_out = left_out
        self._books = self._read_books()

    def _read_books(self) -> Books:
        records = ((each.table, with_book_names(each.record, self._names)) for each in self._store.records())
        return Books(records, frozenset(self._left_out), attrgetter("places"))
