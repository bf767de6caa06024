"""The addresses of the lobby's API, declared once: `api` serves them, `openapi.json` describes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from companion.club.books.names import SetBookName
from companion.club.books.players import PlayerPage
from companion.club.hub.tournaments import PlaceTables, TournamentAnswer
from companion.club.lobby.answers import (
    BookNamesAnswer,
    ClubAnswer,
    CountGame,
    CurrentTournamentAnswer,
    GameAnswer,
    GamesAnswer,
    InvitationAnswer,
    RankingAnswer,
    RemoveTable,
    TablesAnswer,
    TournamentsAnswer,
)
from companion.club.lobby.managers import ManageClub
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
from companion.member.invitation import Admission, HomeAccess, JoinClub
from companion.messages.sentence import Value
from companion.table.past.game_review import GameReview
from web.body import Nothing
from web.errors import Refusal
from web.headers import IDEMPOTENCY_KEY, KEY_PATTERN
from web.openapi.schemas import Schema

LOBBY_API: Final = "/api/v1"


class Endpoint(NamedTuple):
    """An address of the API."""

    method: str
    path: str
    """Under `LOBBY_API`, as Flask writes it."""
    what: str
    """What it is for, as a sentence."""
    answer: type[Value]
    body: type[Struct] | None = None
    query: tuple[str, ...] = ()
    refusals: tuple[int, ...] = ()


TOURNAMENT_COMMANDS: Final[Mapping[str, type[Struct]]] = {
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
}
"""Under a tournament's address: what is posted there."""


def _sentence(kind: type[Struct]) -> str:
    """The first line of a class's description."""
    return (kind.__doc__ or "").strip().splitlines()[0]


ENDPOINTS: Final = (
    Endpoint("GET", "/club", "The club, and whether this phone runs the tournaments.", ClubAnswer),
    Endpoint("GET", "/tables", "Every table, as a phone that only watches may see it.", TablesAnswer),
    Endpoint("GET", "/ranking", "The players, best first.", RankingAnswer),
    Endpoint("GET", "/players/<path:name>", "A player's page.", PlayerPage, refusals=(404,)),
    Endpoint(
        "GET",
        "/games",
        "The latest hundred games, newest first; those of a table or of a player.",
        GamesAnswer,
        query=("table", "player"),
    ),
    Endpoint("GET", "/games/<path:game>", "A game with its record and its story.", GameAnswer, refusals=(404,)),
    Endpoint("GET", "/reviews/<path:game>", "What should have been done in a game.", GameReview, refusals=(404,)),
    Endpoint("GET", "/tournaments", "Every tournament, the newest first.", TournamentsAnswer),
    Endpoint(
        "GET",
        "/tournaments/current",
        "The tournament for a television: one that is open and drawn, or was closed this evening.",
        CurrentTournamentAnswer,
    ),
    Endpoint("GET", "/tournaments/<int:tournament>", "A tournament.", TournamentAnswer, refusals=(404,)),
    Endpoint("POST", "/tournaments", "Open a tournament.", TournamentAnswer, OpenTournament, refusals=(403, 409, 503)),
    *(
        Endpoint(
            "POST",
            f"/tournaments/<int:tournament>/{path}",
            _sentence(kind),
            TournamentAnswer,
            kind,
            refusals=(403, 404, 409, 503),
        )
        for path, kind in TOURNAMENT_COMMANDS.items()
    ),
    Endpoint(
        "POST",
        "/tournaments/<int:tournament>/remove",
        "Take a tournament away that has no round.",
        TournamentsAnswer,
        Nothing,
        refusals=(403, 404, 409, 503),
    ),
    Endpoint(
        "POST", "/invitations", "A one-time invitation for a table.", InvitationAnswer, Nothing, refusals=(403, 503)
    ),
    Endpoint(
        "POST",
        "/tables/<table>/remove",
        "Remove a table from the club; its games stay in the books, or go with it.",
        TablesAnswer,
        RemoveTable,
        refusals=(403, 409, 503),
    ),
    Endpoint(
        "POST",
        "/tables/<table>/count",
        "Say whether the games of a table count, also those to come.",
        ClubAnswer,
        CountGame,
        refusals=(403, 409, 503),
    ),
    Endpoint(
        "POST",
        "/games/<path:game>/count",
        "Say whether a game counts.",
        GameAnswer,
        CountGame,
        refusals=(403, 404, 409, 503),
    ),
    Endpoint(
        "GET",
        "/names",
        "The names that the books have instead of those on the records; for managers.",
        BookNamesAnswer,
        refusals=(403,),
    ),
    Endpoint(
        "POST",
        "/names",
        "Call a player by another name in the books, or by none.",
        BookNamesAnswer,
        SetBookName,
        refusals=(403, 503),
    ),
    Endpoint("POST", "/join", "A table joins by an invitation.", Admission, JoinClub, refusals=(409, 503)),
    Endpoint(
        "POST",
        "/home-assistant",
        "A new password on the broker for Home Assistant.",
        HomeAccess,
        Nothing,
        refusals=(403, 409, 503),
    ),
    Endpoint("POST", "/manage", "This phone runs the tournaments.", ClubAnswer, ManageClub, refusals=(403, 429)),
)


def lobby_document(more: tuple[Endpoint, ...] = ()) -> dict[str, object]:
    """The OpenAPI 3.1 document."""
    endpoints = (*ENDPOINTS, *more)
    kinds = [each.answer for each in endpoints] + [each.body for each in endpoints if each.body] + [Refusal]
    _, schemas = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}", schema_hook=lambda _: {"title": "Param"}
    )
    paths: dict[str, dict[str, object]] = {}
    for each in endpoints:
        paths.setdefault(_openapi_path(each.path), {})[each.method.lower()] = _operation(each)
    paths["/events"] = {"get": {
        "summary": "Tables and books as they change, as server-sent events: `table` has a table of `/tables`, `books` "
                   "says that rankings, games or tournaments are others.",
        "responses": {"200": {"description": "The stream.", "content": {"text/event-stream": {}}}},
    }}  # fmt: skip
    return {
        "openapi": "3.1.0",
        "info": {"title": "Perudo club", "version": "1.0.0", "summary": "The lobby of a club's tables."},
        "servers": [{"url": LOBBY_API}],
        "paths": paths,
        "components": {"schemas": schemas},
    }


_KEY: Final[Schema] = {
    "name": IDEMPOTENCY_KEY,
    "in": "header",
    "required": False,
    "schema": {"type": "string", "pattern": f"^{KEY_PATTERN}$"},
    "description": "A different one for every change. A change that is sent again with the same key counts once and "
    "gets the first answer again.",
}


def _operation(each: Endpoint) -> Schema:
    found: Schema = {
        "summary": each.what,
        "parameters": [
            *(
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in _path_names(each.path)
            ),
            *({"name": name, "in": "query", "schema": {"type": "string"}} for name in each.query),
            *([_KEY] if each.method == "POST" and each.path not in ("/join", "/manage") else ()),
        ],
        "responses": {
            "200": {"description": "Done.", "content": _json(each.answer)},
            **{str(status): {"description": "Refused.", "content": _json(Refusal)} for status in (400, *each.refusals)},
        },
    }
    if each.body is not None:
        found["requestBody"] = {"required": True, "content": _json(each.body)}
    return found


def _json(kind: type[Struct]) -> dict[str, object]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{kind.__name__}"}}}


def _path_names(path: str) -> list[str]:
    return [part.strip("<>").rpartition(":")[2] for part in path.split("/") if part.startswith("<")]


def _openapi_path(path: str) -> str:
    return "/".join(
        "{" + part.strip("<>").rpartition(":")[2] + "}" if part.startswith("<") else part for part in path.split("/")
    )
