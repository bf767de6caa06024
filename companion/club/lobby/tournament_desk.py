"""The addresses of tournaments: everybody may look, managers change."""

from __future__ import annotations

from typing import Final, TypeVar

from flask import Blueprint, Response, request
from msgspec import Struct
from werkzeug.exceptions import NotFound

from companion.club.hub.hub import Hub
from companion.club.hub.tournaments import PlaceTables, TournamentAnswer
from companion.club.lobby.answers import CurrentTournamentAnswer, TournamentsAnswer
from companion.club.lobby.endpoints import TOURNAMENT_COMMANDS
from companion.club.lobby.refusals import answer_of, club_refusals
from companion.club.tournament.commands import OpenTournament
from companion.messages.sentence import read_json
from web import body
from web.errors import RequestError

LARGEST_COMMAND: Final = 64 * 1024
"""Bytes: four hundred names."""

Kind = TypeVar("Kind", bound=Struct)


def register(api: Blueprint, hub: Hub) -> None:
    """Add the addresses to `api`."""

    def add(path: str, kind: type[Struct]) -> None:
        @api.post(f"/tournaments/<int:tournament>/{path}", endpoint=f"tournament {path}")
        def change(tournament: int) -> Response:
            wanted = _body(kind)
            with club_refusals():
                if isinstance(wanted, PlaceTables):
                    found = hub.tournaments.place(tournament, wanted.tables)
                else:
                    found = hub.tournaments.do(tournament, wanted)  # type: ignore[arg-type]
            return changed(found)

    def changed(found: TournamentAnswer | None) -> Response:
        if found is None:
            raise NotFound
        hub.tell()
        return answer_of(found)

    @api.get("/tournaments")
    def tournaments() -> Response:
        return answer_of(TournamentsAnswer(tuple(hub.tournaments.all())))

    @api.get("/tournaments/current")
    def current() -> Response:
        return answer_of(CurrentTournamentAnswer(hub.tournaments.current()))

    @api.get("/tournaments/<int:tournament>")
    def one(tournament: int) -> Response:
        found = hub.tournaments.one(tournament)
        if found is None:
            raise NotFound
        return answer_of(found)

    @api.post("/tournaments")
    def open_tournament() -> Response:
        wanted = _body(OpenTournament)
        with club_refusals():
            return changed(hub.tournaments.open(wanted))

    @api.post("/tournaments/<int:tournament>/remove")
    def remove_tournament(tournament: int) -> Response:
        body.read(request, body.Nothing)
        with club_refusals():
            found = hub.tournaments.remove(tournament)
        if not found:
            raise NotFound
        hub.tell()
        return answer_of(TournamentsAnswer(tuple(hub.tournaments.all())))

    for path, kind in TOURNAMENT_COMMANDS.items():
        add(path, kind)


def _body(kind: type[Kind]) -> Kind:
    """The request's body. Raises `RequestError`."""
    if not request.is_json:
        raise RequestError("Send JSON: the Content-Type must be application/json.", code="content_type")
    data = request.get_data()
    if len(data) > LARGEST_COMMAND:
        raise RequestError(f"The body is longer than {LARGEST_COMMAND} bytes.", code="too_large")
    try:
        return read_json(data, kind)
    except ValueError as error:
        raise RequestError(f"The body cannot be read: {error}.") from error
