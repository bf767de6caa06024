"""The lobby's API: anybody may read, managers may change."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from flask import Response, request
from msgspec import Struct
from werkzeug.exceptions import NotFound

from companion.club.books.books import GameResult
from companion.club.books.names import SetBookName
from companion.club.books.players import PlayerPage
from companion.club.hub.hub import Hub
from companion.club.hub.tournaments import PlaceTables, TournamentAnswer
from companion.club.lobby.answers import (
    BookNamesAnswer,
    ClubAnswer,
    CountGame,
    CurrentTournamentAnswer,
    GameAnswer,
    GamesAnswer,
    InvitationAnswer,
    ManageClub,
    RankingAnswer,
    RemoveTable,
    TablesAnswer,
    TournamentsAnswer,
)
from companion.club.lobby.managers import Managers
from companion.club.tournament.commands import (
    CloseTournament,
    DrawRound,
    EnterResult,
    JoinTournament,
    LeaveTournament,
    OpenTournament,
    ReopenTournament,
    ReturnToTournament,
    TakeBackDraw,
    TakeBackJoin,
    TakeBackResult,
)
from companion.engine import EngineError
from companion.member.invitation import Admission, HomeAccess, JoinClub
from companion.member.payloads import RecordEvent
from companion.messages.message import Message
from companion.messages.sentence import json_bytes
from companion.table.past.game_review import GameReview, game_review
from companion.table.past.games import Game, game_of_record
from companion.table.past.story import story
from web.access.invitation import qr_svg
from web.access.phones import Phone
from web.access.wrong_codes import network_of
from web.answer_cache import AnswerCache
from web.endpoints import TEXT, Who, get, post
from web.errors import RequestError
from web.stream.events import FULL_RETRY, held

log = logging.getLogger(__name__)

LARGEST_COMMAND: Final = 64 * 1024
"""In bytes: enough for four hundred names."""

_change = partial(post, topic="club", who=Who.HOST)
_FAILS: Final = (403, 409, 503)

Found = TypeVar("Found", bound=Struct)


class LobbyEndpoints:
    """The lobby's endpoints."""

    def __init__(self, hub: Hub, managers: Managers) -> None:
        self._hub, self._managers = hub, managers
        self._answers = AnswerCache()

    @get("club")
    def club(self) -> ClubAnswer:
        """The club, and whether this phone runs the tournaments."""
        return self._club(self._managers.phone())

    def _club(self, phone: Phone | None) -> ClubAnswer:
        """The club as `phone` sees it: a manager's, or None for anybody else's."""
        return ClubAnswer(
            club=self._hub.club,
            title=self._hub.title,
            connected=self._hub.connected,
            manager=phone is not None,
            csrf=None if phone is None else self._managers.csrf(phone),
            left_out=self._hub.books.tables_left_out,
        )

    @get("tables")
    def tables(self) -> TablesAnswer:
        """Every table, as a phone that only watches may see it."""
        return TablesAnswer(tuple(self._hub.tables()))

    @get("ranking")
    def ranking(self) -> RankingAnswer:
        """The players, best first."""
        return RankingAnswer(self._hub.books.ranking())

    @get("players/{path:name}", refuses=(404,))
    def player(self, name: str) -> PlayerPage:
        """A player's page."""
        return _there(self._hub.books.player(name))

    @get("games", parameters=tuple({"name": name, "in": "query", "schema": TEXT} for name in ("table", "player")))
    def games(self) -> GamesAnswer:
        """The latest hundred games, newest first; those of a table or of a player."""
        table, player = request.args.get("table", ""), request.args.get("player", "")
        return GamesAnswer(tuple(self._hub.books.games(table=table, player=player)))

    @get("games/{path:game}", refuses=(404,))
    def game(self, game: str) -> GameAnswer:
        """A game with its record and its story."""
        result, record = self._game(game)
        told = [each for part in _games(record) for each in story(part)]
        said = tuple(each.parts for each in told)
        return GameAnswer(result=result, record=record, story=tuple(map(str, told)), said=said)

    @get("reviews/{path:game}", answers=GameReview, refuses=(404,))
    def review(self, game: str) -> bytes:
        """What should have been done in a game."""
        _, record = self._game(game)
        return self._answers.get(record.record, lambda: _review(record), by=network_of(request.remote_addr or ""))

    # Tournaments

    @get("tournaments")
    def tournaments(self) -> TournamentsAnswer:
        """Every tournament, the newest first."""
        return TournamentsAnswer(tuple(self._hub.tournaments.all()))

    @get("tournaments/current")
    def current(self) -> CurrentTournamentAnswer:
        """The tournament for a television: one that is open and drawn, or was closed this evening."""
        return CurrentTournamentAnswer(self._hub.tournaments.current())

    @get("tournaments/{int:tournament}", refuses=(404,))
    def tournament(self, tournament: int) -> TournamentAnswer:
        """A tournament."""
        return _there(self._hub.tournaments.one(tournament))

    @_change("tournaments", most=LARGEST_COMMAND, refuses=_FAILS)
    def open(self, body: OpenTournament) -> TournamentAnswer:
        """Open a tournament."""
        return self._told(self._hub.tournaments.open(body))

    def change(self, body: Struct, tournament: int) -> TournamentAnswer:
        """Carry out a command of a tournament."""
        if isinstance(body, PlaceTables):
            found = self._hub.tournaments.place(tournament, body.tables)
        else:
            found = self._hub.tournaments.do(tournament, body)  # type: ignore[arg-type]
        return self._told(_there(found))

    @_change("tournaments/{int:tournament}/remove", refuses=(404, *_FAILS))
    def remove_tournament(self, tournament: int) -> TournamentsAnswer:
        """Take a tournament away that has no round."""
        if not self._hub.tournaments.remove(tournament):
            raise NotFound
        return self._told(self.tournaments())

    # The club

    @_change("invitations", refuses=(403, 503))
    def invite(self) -> InvitationAnswer:
        """A one-time invitation for a table."""
        address = str(self._hub.invite(request.host_url.rstrip("/")))
        return InvitationAnswer(address, qr_svg(address).decode())

    @_change("tables/{table}/remove", refuses=_FAILS)
    def remove_table(self, body: RemoveTable, table: str) -> TablesAnswer:
        """Remove a table from the club; its games stay in the books, or go with it."""
        self._hub.remove(table, games=body.games)
        return self.tables()

    @_change("tables/{table}/count", refuses=_FAILS)
    def count_table(self, body: CountGame, table: str) -> ClubAnswer:
        """Say whether the games of a table count, also those to come."""
        self._hub.set_table_counts(table, counts=body.counts)
        return self.club()

    @_change("games/{path:game}/count", refuses=(404, *_FAILS))
    def count_game(self, body: CountGame, game: str) -> GameAnswer:
        """Say whether a game counts."""
        self._hub.books.set_counts(game, counts=body.counts)
        return self._told(self.game(game))

    @get("names", who=Who.HOST, refuses=(403,))
    def names(self) -> BookNamesAnswer:
        """The names that the books have instead of those on the records; for managers."""
        return BookNamesAnswer(dict(self._hub.books.names()))

    @_change("names", refuses=(403, 503))
    def set_name(self, body: SetBookName) -> BookNamesAnswer:
        """Call a player by another name in the books, or by none."""
        self._hub.books.set_name(body.name, body.wanted)
        return self._told(self.names())

    @post("join", topic="club", who=Who.ANYBODY, refuses=(409, 503))
    def join(self, body: JoinClub) -> Admission:
        """A table joins by an invitation."""
        return self._hub.join(body)

    @_change("home-assistant", refuses=_FAILS)
    def home_assistant(self) -> HomeAccess:
        """A new password on the broker for Home Assistant."""
        return self._hub.admit_home()

    @post("manage", topic="club", who=Who.ANYBODY, answers=ClubAnswer, refuses=(403, 429))
    def manage(self, body: ManageClub) -> Response:
        """This phone runs the tournaments."""
        phone = self._managers.admit(body.code)
        return self._managers.remember(json_bytes(self._club(phone)), phone)

    @get(
        "events",
        answers="text/event-stream",
        words="Tables and books as they change, as server-sent events: `table` has a table of `/tables`, `books` says "
        "that rankings, games or tournaments are others.",
    )
    def events(self) -> Response:
        """Tables and books as they change."""
        feed = self._hub.feed
        client = feed.enter(network_of(request.remote_addr or ""))
        if client is None:
            raise RequestError(
                Message("Too many pages are open. Close one that nobody looks at."), code="busy", headers=FULL_RETRY
            )
        return held(feed, client, lambda: feed.leave(client))

    def _game(self, game: str) -> tuple[GameResult, RecordEvent]:
        return _there(self._hub.books.game(game))

    def _told(self, found: Found) -> Found:
        """Return `found`, after telling every page that the books have changed."""
        self._hub.tell()
        return found


for _path, _kind in {
    "join": JoinTournament,
    "join/back": TakeBackJoin,
    "leave": LeaveTournament,
    "return": ReturnToTournament,
    "draw": DrawRound,
    "draw/back": TakeBackDraw,
    "result": EnterResult,
    "result/back": TakeBackResult,
    "close": CloseTournament,
    "reopen": ReopenTournament,
    "tables": PlaceTables,
}.items():
    _change(
        f"tournaments/{{int:tournament}}/{_path}",
        name=f"tournament {_path}",
        words=(_kind.__doc__ or "").partition("\n")[0],
        takes=_kind,
        most=LARGEST_COMMAND,
        refuses=(404, *_FAILS),
    )(LobbyEndpoints.change)


Thing = TypeVar("Thing")


def _there(found: Thing | None) -> Thing:
    """Return `found`. Raises `NotFound` for None."""
    if found is None:
        raise NotFound
    return found


def _games(record: RecordEvent) -> list[Game]:
    """The parts of a game; empty if its record cannot be read."""
    try:
        return [game_of_record(number, part) for number, part in enumerate(record.record, start=1)]
    except (EngineError, ValueError) as error:
        log.warning("the record of %s cannot be read: %s", record.game, error)
        return []


def _review(record: RecordEvent) -> bytes:
    games = _games(record)
    whole = tuple(part for game in games for part in game.parts)
    return json_bytes(game_review(replace(games[0], parts=whole))) if games else b"{}"
