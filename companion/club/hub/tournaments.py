"""The club's tournaments: kept in the store, shown at the tables and in the lobby, with results from the books.

A table of a draw has a number; a `PlacedTournament` maps it to one of the club's tables.
"""

from __future__ import annotations

import json
import logging
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Final

from msgspec import Meta, Struct

from companion.club.hub.store import Store
from companion.club.hub.tables import LobbyTable
from companion.club.tournament.commands import AnyTournamentCommand, RemoveTournament
from companion.club.tournament.decide import decide_tournament
from companion.club.tournament.events import AnyTournamentEvent, RoundDrawn, TournamentFormat, event_json, event_of
from companion.club.tournament.knock_out import round_name
from companion.club.tournament.next_steps import NextStep, next_steps
from companion.club.tournament.placed_tournament import PlacedTournament
from companion.club.tournament.standings import Standing, standings
from companion.club.tournament.tournament import DrawnRound, Places, Tournament, evolve_tournament, tournament_of
from companion.member.errors import ClubError, NotAllowedInClubError, UnreadableInClubError
from companion.member.payloads import Assignment, ClubPlayers, GameId, RecordEvent
from companion.member.topics import Slug
from companion.messages.message import Message, Names
from companion.messages.sentence import Sentence, Value
from companion.table.commands import Count, ShortText
from companion.table.past.games import Ending

log = logging.getLogger(__name__)


class EndedGame(Sentence, frozen=True, kw_only=True):
    """A game that ended at a table whose result was missing, without giving one; people must say whether it counts."""

    game: GameId
    """Its id in the books."""
    players: ClubPlayers
    """As named at the table."""
    places: Places
    """The winner first; players who share a place together."""


class TournamentTable(Value, frozen=True, kw_only=True):
    """A table of a round, with its result."""

    number: Count
    table: str | None
    """The club's table; None if the draw has more tables than the club."""
    players: tuple[ShortText, ...]
    places: Places | None
    """The winner first; players who share a place together. None without a result."""
    game: str
    """The game that gave the result; empty if it was entered by hand. It may have been removed from the books since."""
    absent: tuple[ShortText, ...] = ()
    """Players drawn here who did not play at all."""
    ended: EndedGame | None = None
    """The last game that ended here, if there is no result and the names do not show whether the game is theirs."""


class TournamentRound(Value, frozen=True, kw_only=True):
    number: Count
    name: str
    """As people call it: "Round 2", "Final"."""
    tables: tuple[TournamentTable, ...]


class TournamentAnswer(Value, frozen=True, kw_only=True):
    """A tournament as the lobby reports it."""

    tournament: Count
    """Its number."""
    title: str
    format: TournamentFormat
    planned: Count
    """The number of rounds; a knock-out ends by itself."""
    closed: bool
    entrants: dict[str, bool]
    """Name -> still present."""
    rounds: tuple[TournamentRound, ...]
    standings: tuple[Standing, ...]
    next: tuple[NextStep, ...]
    """What can be done, the most likely first."""


def tournament_answer(number: int, placed: PlacedTournament) -> TournamentAnswer:
    """The answer for tournament `number`."""
    tournament = placed.tournament
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
                tables=tuple(_table(placed, each, n, players) for n, players in each.seats.items()),
            )
            for each in tournament.rounds
        ),
        standings=standings(tournament),
        next=next_steps(tournament),
    )


def _table(placed: PlacedTournament, drawn: DrawnRound, number: int, players: tuple[str, ...]) -> TournamentTable:
    result = drawn.results.get(number)
    return TournamentTable(
        number=number,
        table=placed.table(number),
        players=players,
        places=drawn.places.get(number),
        game=result.game if result else "",
        absent=result.absent if result else (),
        ended=_ended(placed, drawn, number),
    )


def _ended(placed: PlacedTournament, drawn: DrawnRound, number: int) -> EndedGame | None:
    record = placed.ended_at(drawn, number)
    if record is None:
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


_PLACEMENT: Final = "placement {}"
"""The setting with a tournament's tables, in the order of their numbers."""
_ENDED: Final = "ended {}"
"""The setting with the games at a tournament's tables that gave no result."""
_TAKEN: Final = "tournament record"
"""The setting with the number of the last record from which results were entered."""
SHOWN_FOR: Final = timedelta(hours=12)
"""How long a television shows an idle tournament: an evening, even one that ends after midnight."""


class PlaceTables(Struct, frozen=True, forbid_unknown_fields=True):
    """Decide which of the club's tables are table 1, 2 and so on."""

    tables: Annotated[tuple[Slug, ...], Meta(max_length=1000)]


class Tournaments:
    """All tournaments of a club. Thread-safe."""

    def __init__(
        self,
        store: Store,
        rng: random.Random,
        tables: Callable[[], Sequence[LobbyTable]],
        assign: Callable[[str, Assignment | None], None],
    ) -> None:
        """`tables` returns the club's tables. `assign` shows at a table who plays there next; it must not block."""
        self._store, self._rng, self._tables, self._assign = store, rng, tables, assign
        self._lock = threading.Lock()
        self._assigned: dict[str, Assignment] = {}
        self._taken = int(store.setting(_TAKEN, lambda: str(store.last_number())))
        events: dict[int, list[AnyTournamentEvent]] = {}
        for number, body in store.tournament_events():
            events.setdefault(number, []).append(event_of(body))
        self._placed: dict[int, PlacedTournament] = {}
        self._last = max(events, default=0)
        """The number of the last tournament; it is never reused, even if the tournament was removed."""
        for number, history in events.items():
            found = tournament_of(history)
            if found is not None and not found.removed:
                self._placed[number] = PlacedTournament(
                    found,
                    tuple(json.loads(store.setting(_PLACEMENT.format(number), lambda: "[]"))),
                    _ended_games(store, number),
                )

    def all(self) -> list[TournamentAnswer]:
        """Every tournament, newest first."""
        with self._lock:
            return [tournament_answer(number, each) for number, each in self._newest_first()]

    def one(self, number: int) -> TournamentAnswer | None:
        with self._lock:
            placed = self._placed.get(number)
            return None if placed is None else tournament_answer(number, placed)

    def current(self) -> TournamentAnswer | None:
        """The tournament for a television, of those with an event within `SHOWN_FOR`: the newest that is open and
        drawn; without one, the tournament that was closed last, until another game has ended.
        """
        with self._lock:
            recent = self._store.recent_tournaments(SHOWN_FOR)
            shown = {
                number: placed
                for number, placed in self._placed.items()
                if number in recent and placed.tournament.rounds
            }
            if going := [number for number, placed in shown.items() if not placed.tournament.closed]:
                return tournament_answer(going[-1], shown[going[-1]])
            if not shown:
                return None
            number = max(shown, key=lambda each: (recent[each], each))
            rounds = shown[number].tournament.rounds
            results = [each for drawn in rounds for each in drawn.results.values()]
            game, came = self._store.last_record() or ("", "")
            newer = came > recent[number] and game not in {each.game for each in results}
            return tournament_answer(number, shown[number]) if results and not newer else None

    def open(self, command: AnyTournamentCommand) -> TournamentAnswer:
        """Open a tournament. Raises `ClubError`."""
        with self._lock:
            number = self._last + 1
            self._do(number, None, command)
            self._last = number
            return tournament_answer(number, self._placed[number])

    def do(self, number: int, command: AnyTournamentCommand) -> TournamentAnswer | None:
        """Carry out a command; None if there is no such tournament. Raises `ClubError`."""
        with self._lock:
            placed = self._placed.get(number)
            if placed is None:
                return None
            self._do(number, placed.tournament, command)
            return tournament_answer(number, self._placed[number])

    def remove(self, number: int) -> bool:
        """Remove a tournament; return False if there is none. Raises `ClubError`."""
        with self._lock:
            placed = self._placed.get(number)
            if placed is None:
                return False
            self._do(number, placed.tournament, RemoveTournament())
            del self._placed[number]
            return True

    def place(self, number: int, tables: tuple[str, ...]) -> TournamentAnswer | None:
        """Decide where a tournament is played. Raises `NotAllowedInClubError` for a table that is not in the club."""
        known = {each.table for each in self._tables()}
        if unknown := [each for each in tables if each not in known]:
            raise NotAllowedInClubError(Message("The club has no table {table}.", table=unknown[0]))
        if len(set(tables)) < len(tables):
            raise NotAllowedInClubError(Message("Each table has one number."))
        with self._lock:
            placed = self._placed.get(number)
            if placed is None:
                return None
            self._place(number, tables)
            self._show()
            return tournament_answer(number, self._placed[number])

    def take_records(self) -> None:
        """Enter the results of games played where they were drawn, each once. A result that cannot be written now is
        entered the next time.
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

    def forget_games(self, table: str) -> None:
        """Forget unclear games of this table, which are no longer in the store. Results stay.

        Raises `ClubError`.
        """
        with self._lock:
            for number in self._placed:
                self._set_ended(number, table, None)

    def show_again(self) -> None:
        """Tell every table again who plays there, because the broker may have lost it."""
        with self._lock:
            self._assigned = {}
            self._show(everywhere=True)

    # Internal; called with the lock held

    def _newest_first(self) -> list[tuple[int, PlacedTournament]]:
        return list(reversed(self._placed.items()))

    def _take_record(self, table: str, record: RecordEvent) -> None:
        for number, placed in self._newest_first():
            command = placed.command(table, record)
            if command is not None:
                try:
                    self._do(number, placed.tournament, command)
                except (NotAllowedInClubError, UnreadableInClubError) as error:
                    log.info("the game %s gives no result: %s", record.game, error)
                    break
                self._set_ended(number, table, None)
                return
        self._ask_about(table, record)

    def _ask_about(self, table: str, record: RecordEvent) -> None:
        """Keep a game without a result for the tournament that waits for this table; drop it if its end was undone."""
        for number, placed in self._newest_first():
            if record.ending is not Ending.WON:
                if table in placed.ended and placed.ended[table][1].game == record.game:
                    self._set_ended(number, table, None)
            elif (waiting := placed.waits_for(table)) is not None:
                self._set_ended(number, table, (waiting[0].number, record))
                return

    def _set_ended(self, number: int, table: str, ended: tuple[int, RecordEvent] | None) -> None:
        others = {each: found for each, found in self._placed[number].ended.items() if each != table}
        self._keep_ended(number, others if ended is None else {**others, table: ended})

    def _keep_ended(self, number: int, games: Mapping[str, tuple[int, RecordEvent]]) -> None:
        placed = self._placed[number]
        if games != placed.ended:
            self._placed[number] = replace(placed, ended=games)
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
        before = self._placed.get(number, PlacedTournament(tournament))
        placed = self._placed[number] = replace(before, tournament=tournament)
        rounds = len(tournament.rounds) - any(isinstance(each, RoundDrawn) for each in events)
        self._keep_ended(number, {table: each for table, each in placed.ended.items() if each[0] <= rounds})
        if tournament.rounds and len(placed.placement) < len(tournament.rounds[-1].tables):
            self._place(number, self._more_tables(placed.placement))
        self._show()

    def _place(self, number: int, tables: tuple[str, ...]) -> None:
        self._placed[number] = replace(self._placed[number], placement=tables)
        self._store.set(_PLACEMENT.format(number), json.dumps(tables))

    def _more_tables(self, placement: tuple[str, ...]) -> tuple[str, ...]:
        """All tables: those with a number first, then those that are online, then the others, each by name."""
        rest = sorted(
            (each for each in self._tables() if each.table not in placement), key=lambda each: not each.online
        )
        return (*placement, *(each.table for each in rest))

    def _show(self, *, everywhere: bool = False) -> None:
        """Tell the tables what has changed."""
        wanted: dict[str, Assignment] = {}
        for placed in self._placed.values():
            wanted |= placed.assignments()
        tables = {*self._assigned, *wanted, *((each.table for each in self._tables()) if everywhere else ())}
        for table in sorted(tables):
            if everywhere or wanted.get(table) != self._assigned.get(table):
                self._assign(table, wanted.get(table))
        self._assigned = wanted


def _ended_games(store: Store, number: int) -> dict[str, tuple[int, RecordEvent]]:
    """The games kept by `Tournaments._keep_ended`."""
    found: dict[str, tuple[int, RecordEvent]] = {}
    for table, (drawn, game) in json.loads(store.setting(_ENDED.format(number), lambda: "{}")).items():
        record = store.record(table, game)
        if record is not None:
            found[table] = (drawn, record)
    return found
