"""The club's tournaments: kept in the store, shown at the tables, with results that come from the books.

A table of a draw has a number; `placement` says which of the club's tables that is.
"""

from __future__ import annotations

import json
import logging
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.club.errors import ClubError, NotAllowedInClubError
from companion.club.hub.store import Store
from companion.club.hub.tables import LobbyTable
from companion.club.payloads import Assignment, ClubPlayers, GameId, RecordEvent, Slug
from companion.club.tournament.assignments import assignments, result_of_record
from companion.club.tournament.commands import AnyTournamentCommand, RemoveTournament, TakeBackResult
from companion.club.tournament.decide import decide_tournament
from companion.club.tournament.errors import TournamentError
from companion.club.tournament.events import AnyTournamentEvent, RoundDrawn, TournamentFormat, event_json, event_of
from companion.club.tournament.knock_out import round_name
from companion.club.tournament.next_steps import NextStep, next_steps
from companion.club.tournament.standings import Standing, standings
from companion.club.tournament.tournament import DrawnRound, Places, Tournament, evolve_tournament, tournament_of
from companion.messages.message import Message, Names
from companion.messages.sentence import Sentence, Value
from companion.table.commands import Count, ShortText
from companion.table.past.games import Ending

log = logging.getLogger(__name__)

_PLACEMENT: Final = "placement {}"
"""The setting that has the tables of a tournament, by their numbers."""
_ENDED: Final = "ended {}"
"""The setting that has the games of a tournament's tables that gave no result."""
_TAKEN: Final = "tournament record"
"""The setting that has the number of the last record from which results were entered."""
SHOWN_FOR: Final = timedelta(hours=12)
"""How long a television shows a tournament in which nothing happens: an evening, also one that ends after midnight."""
FEWEST_DRAWN: Final = 2
"""A game in which fewer of those drawn there played is another one."""


class PlaceTables(Struct, frozen=True, forbid_unknown_fields=True):
    """Say which of the club's tables are table 1, 2 and so on."""

    tables: Annotated[tuple[Slug, ...], Meta(max_length=1000)]


class EndedGame(Sentence, frozen=True, kw_only=True):
    """A game that ended at a table while its result was missing, and gave none: was it theirs?"""

    game: GameId
    """In the books."""
    players: ClubPlayers
    """As they were called at the table."""
    places: Places
    """The winner first; players who share a place together."""


class TournamentTable(Value, frozen=True, kw_only=True):
    """A table of a round."""

    number: Count
    table: str | None
    """The club's table; None if there are more tables in the draw than in the club."""
    players: tuple[ShortText, ...]
    places: Places | None
    """The winner first; players who share a place together. None until there is a result."""
    game: str
    """The game in the books; empty if there is none."""
    absent: tuple[ShortText, ...] = ()
    """Who was drawn here and did not play at all."""
    ended: EndedGame | None = None
    """The last game that ended here, if there is no result and the names do not say whether it is theirs."""


class TournamentRound(Value, frozen=True, kw_only=True):
    """A round that was drawn."""

    number: Count
    name: str
    """As people say it: "Round 2", "Final"."""
    tables: tuple[TournamentTable, ...]


class TournamentAnswer(Value, frozen=True, kw_only=True):
    """A tournament."""

    tournament: Count
    """Its number."""
    title: str
    format: TournamentFormat
    planned: Count
    """How many rounds are played; a knock-out ends by itself."""
    closed: bool
    entrants: dict[str, bool]
    """Name -> whether still here."""
    rounds: tuple[TournamentRound, ...]
    standings: tuple[Standing, ...]
    next: tuple[NextStep, ...]
    """What can be done, the likeliest first."""


@dataclass
class _Kept:
    """A tournament, and the tables it is played at."""

    tournament: Tournament
    placement: tuple[str, ...]
    ended: dict[str, tuple[int, RecordEvent]] = field(default_factory=dict)
    """The club's table -> the last game that ended there and gave no result, and in which round that was."""


class Tournaments:
    """All tournaments of a club. Thread-safe."""

    def __init__(
        self,
        store: Store,
        rng: random.Random,
        tables: Callable[[], Sequence[LobbyTable]],
        assign: Callable[[str, Assignment | None], None],
    ) -> None:
        """`tables`: those of the club now. `assign` shows at a table who is to play there next; it must not wait."""
        self._store, self._rng, self._tables, self._assign = store, rng, tables, assign
        self._lock = threading.Lock()
        self._assigned: dict[str, Assignment] = {}
        self._taken = int(store.setting(_TAKEN, lambda: str(store.last_number())))
        events: dict[int, list[AnyTournamentEvent]] = {}
        for number, body in store.tournament_events():
            events.setdefault(number, []).append(event_of(body))
        self._kept: dict[int, _Kept] = {}
        self._last = max(events, default=0)
        """The number of the last tournament, which no other gets, even if it was taken away."""
        for number, history in events.items():
            found = tournament_of(history)
            if found is not None and not found.removed:
                self._kept[number] = _Kept(
                    found,
                    tuple(json.loads(store.setting(_PLACEMENT.format(number), lambda: "[]"))),
                    _ended_games(store, number),
                )

    def all(self) -> list[TournamentAnswer]:
        """Every tournament, the newest first."""
        with self._lock:
            return [_answer(number, each) for number, each in reversed(self._kept.items())]

    def one(self, number: int) -> TournamentAnswer | None:
        with self._lock:
            kept = self._kept.get(number)
            return None if kept is None else _answer(number, kept)

    def current(self) -> TournamentAnswer | None:
        """The tournament that a television shows, of those in which something happened within `SHOWN_FOR`: the newest
        one that is open and drawn; without one, that which was closed last, until another game has ended.
        """
        with self._lock:
            recent = self._store.recent_tournaments(SHOWN_FOR)
            shown = {number: kept for number, kept in self._kept.items() if number in recent and kept.tournament.rounds}
            if going := [number for number, kept in shown.items() if not kept.tournament.closed]:
                return _answer(going[-1], shown[going[-1]])
            if not shown:
                return None
            number = max(shown, key=lambda each: (recent[each], each))
            rounds = shown[number].tournament.rounds
            results = [each for drawn in rounds for each in drawn.results.values()]
            game, came = self._store.last_record() or ("", "")
            newer = came > recent[number] and game not in {each.game for each in results}
            return _answer(number, shown[number]) if results and not newer else None

    def open(self, command: AnyTournamentCommand) -> TournamentAnswer:
        """Open a tournament. Raises `TournamentError`, `ClubError`."""
        with self._lock:
            number = self._last + 1
            self._do(number, None, command)
            self._last = number
            return _answer(number, self._kept[number])

    def do(self, number: int, command: AnyTournamentCommand) -> TournamentAnswer | None:
        """Carry out a command; None if there is no such tournament. Raises `TournamentError`, `ClubError`."""
        with self._lock:
            kept = self._kept.get(number)
            if kept is None:
                return None
            self._do(number, kept.tournament, command)
            return _answer(number, self._kept[number])

    def remove(self, number: int) -> bool:
        """Take a tournament away; False if there is no such tournament. Raises `TournamentError`, `ClubError`."""
        with self._lock:
            kept = self._kept.get(number)
            if kept is None:
                return False
            self._do(number, kept.tournament, RemoveTournament())
            del self._kept[number]
            return True

    def place(self, number: int, tables: tuple[str, ...]) -> TournamentAnswer | None:
        """Say where a tournament is played. Raises `NotAllowedInClubError` for a table that the club does not have."""
        known = {each.table for each in self._tables()}
        if unknown := [each for each in tables if each not in known]:
            raise NotAllowedInClubError(Message("The club has no table {table}.", table=unknown[0]))
        if len(set(tables)) < len(tables):
            raise NotAllowedInClubError(Message("Each table has one number."))
        with self._lock:
            kept = self._kept.get(number)
            if kept is None:
                return None
            self._place(number, kept, tables)
            self._show()
            return _answer(number, kept)

    def take_records(self) -> None:
        """Enter the results of the games in the books that were played where they were drawn, each once. What cannot be
        written is entered the next time.
        """
        with self._lock:
            for each in list(self._store.records(self._taken)):
                try:
                    self._take_record(each.table, each.record)
                    self._store.set(_TAKEN, str(each.number))
                except ClubError as error:
                    log.warning("a tournament waits for the result of the game %s: %s", each.record.game, error)
                    return
                self._taken = each.number

    def show_again(self) -> None:
        """Tell every table anew who is to play there: the broker may have lost it."""
        with self._lock:
            self._assigned = {}
            self._show(everywhere=True)

    # Inside; called with the lock held

    def _take_record(self, table: str, record: RecordEvent) -> None:
        for number, kept in reversed(self._kept.items()):
            command = _result(kept, table, record)
            if command is not None:
                try:
                    self._do(number, kept.tournament, command)
                except TournamentError as error:
                    log.info("the game %s gives no result: %s", record.game, error)
                    break
                self._keep_ended(number, kept, table, None)
                return
        self._ask_about(table, record)

    def _ask_about(self, table: str, record: RecordEvent) -> None:
        """Keep a game that gives no result for the tournament that waits for one of this table; or no longer, if its
        end was taken back.
        """
        for number, kept in reversed(self._kept.items()):
            if record.ending is not Ending.WON:
                if table in kept.ended and kept.ended[table][1].game == record.game:
                    self._keep_ended(number, kept, table, None)
            elif (waiting := _waiting(kept, table)) is not None:
                self._keep_ended(number, kept, table, (waiting[0].number, record))
                return

    def _keep_ended(self, number: int, kept: _Kept, table: str, ended: tuple[int, RecordEvent] | None) -> None:
        games = {each: found for each, found in kept.ended.items() if each != table}
        self._set_ended(number, kept, games if ended is None else {**games, table: ended})

    def _set_ended(self, number: int, kept: _Kept, games: dict[str, tuple[int, RecordEvent]]) -> None:
        if games != kept.ended:
            kept.ended = games
            ids = {table: (drawn, record.game) for table, (drawn, record) in games.items()}
            self._store.set(_ENDED.format(number), json.dumps(ids))

    def _do(self, number: int, tournament: Tournament | None, command: AnyTournamentCommand) -> None:
        events = decide_tournament(tournament, command, self._rng)
        if not events:
            return
        self._store.add_tournament_events(number, [event_json(each) for each in events])
        for event in events:
            tournament = evolve_tournament(tournament, event)
        assert tournament is not None
        kept = self._kept.setdefault(number, _Kept(tournament, ()))
        kept.tournament = tournament
        rounds = len(tournament.rounds) - any(isinstance(each, RoundDrawn) for each in events)
        self._set_ended(number, kept, {table: each for table, each in kept.ended.items() if each[0] <= rounds})
        if tournament.rounds and len(kept.placement) < len(tournament.rounds[-1].tables):
            self._place(number, kept, self._more_tables(kept.placement))
        self._show()

    def _place(self, number: int, kept: _Kept, tables: tuple[str, ...]) -> None:
        kept.placement = tables
        self._store.set(_PLACEMENT.format(number), json.dumps(tables))

    def _more_tables(self, placement: tuple[str, ...]) -> tuple[str, ...]:
        """All tables: those that have a number, then those that are there, then the others, each by name."""
        rest = sorted(
            (each for each in self._tables() if each.table not in placement), key=lambda each: not each.online
        )
        return (*placement, *(each.table for each in rest))

    def _show(self, *, everywhere: bool = False) -> None:
        """Tell the tables what has changed."""
        wanted: dict[str, Assignment] = {}
        for kept in self._kept.values():
            wanted |= _wanted(kept)
        tables = {*self._assigned, *wanted, *((each.table for each in self._tables()) if everywhere else ())}
        for table in sorted(tables):
            if everywhere or wanted.get(table) != self._assigned.get(table):
                self._assign(table, wanted.get(table))
        self._assigned = wanted


def _wanted(kept: _Kept) -> dict[str, Assignment]:
    """The club's table -> who is to play there, in the last round, unless that table has a result."""
    last = kept.tournament.last_round
    if last is None or kept.tournament.closed:
        return {}
    seats = assignments(kept.tournament, last.number)
    placed = dict(enumerate(kept.placement, start=1))
    return {placed[n]: each for n, each in seats.items() if n in placed and n in last.missing and each.players}


def _result(kept: _Kept, table: str, record: RecordEvent) -> AnyTournamentCommand | None:
    """The command that follows from a table's record; None if that is no game of this tournament's."""
    for drawn in reversed(kept.tournament.rounds):
        for number, result in drawn.results.items():
            if result.game == record.game:
                if record.ending is Ending.PLAYING:
                    return TakeBackResult(drawn.number, number)
                return replace(result_of_record(drawn, number, record, result.names), absent=result.absent)
    waiting = _waiting(kept, table)
    if waiting is None or record.ending is not Ending.WON:
        return None
    last, number = waiting
    players = {player.name for player in record.players}
    return result_of_record(last, number, record) if len(players & set(last.seats[number])) >= FEWEST_DRAWN else None


def _waiting(kept: _Kept, table: str) -> tuple[DrawnRound, int] | None:
    """The last round, and the number of the club's table in it, if its result is missing."""
    last = kept.tournament.last_round
    if last is None or kept.tournament.closed or table not in kept.placement:
        return None
    number = kept.placement.index(table) + 1
    return (last, number) if number in last.missing else None


def _ended_games(store: Store, number: int) -> dict[str, tuple[int, RecordEvent]]:
    """What was kept of a tournament by `Tournaments._set_ended`."""
    found: dict[str, tuple[int, RecordEvent]] = {}
    for table, (drawn, game) in json.loads(store.setting(_ENDED.format(number), lambda: "{}")).items():
        record = store.record(table, game)
        if record is not None:
            found[table] = (drawn, record)
    return found


def _ended_at(kept: _Kept, drawn: DrawnRound, number: int) -> EndedGame | None:
    """The game that ended at a table of a round and may be theirs."""
    table = kept.placement[number - 1] if number <= len(kept.placement) else ""
    of_round, record = kept.ended.get(table, (0, None))
    if record is None or of_round != drawn.number or number in drawn.results:
        return None
    players = Names(tuple(player.name for player in record.players))
    return EndedGame(
        sentence=Message(
            "A game of {players} has ended at table {table}. Is it theirs?", players=players, table=number
        ),
        game=record.game,
        players=record.players,
        places=record.places,
    )


def _answer(number: int, kept: _Kept) -> TournamentAnswer:
    tournament = kept.tournament
    placed = dict(enumerate(kept.placement, start=1))
    return TournamentAnswer(
        tournament=number,
        title=tournament.opened.title,
        format=tournament.opened.format,
        planned=tournament.opened.rounds,
        closed=tournament.closed,
        entrants=dict(tournament.entrants),
        rounds=tuple(
            TournamentRound(
                number=each.number,
                name=round_name(tournament, each.number),
                tables=tuple(
                    TournamentTable(
                        number=n,
                        table=placed.get(n),
                        players=players,
                        places=each.places.get(n),
                        game=each.results[n].game if n in each.results else "",
                        absent=each.results[n].absent if n in each.results else (),
                        ended=_ended_at(kept, each, n),
                    )
                    for n, players in each.seats.items()
                ),
            )
            for each in tournament.rounds
        ),
        standings=standings(tournament),
        next=next_steps(tournament),
    )
