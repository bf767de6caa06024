"""The lobby's API: `ENDPOINTS` says what there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from companion.club.admission import JoinClub
from companion.club.hub.hub import Hub
from companion.club.hub.tables import LobbyFeed
from companion.club.lobby.answers import (
    ClubAnswer,
    GameAnswer,
    GamesAnswer,
    RankingAnswer,
    TablesAnswer,
)
from companion.club.lobby.managers import Managers
from companion.club.lobby.refusals import answer_of, club_refusals
from companion.club.payloads import RecordEvent
from companion.messages.message import Message
from companion.messages.sentence import Value, json_bytes
from companion.table.past.game_review import game_review
from companion.table.past.games import Game, game_of_record
from companion.table.past.story import story
from web import body
from web.errors import RequestError
from web.headers import no_store
from web.stream.events import STREAM, STREAM_RETRY
from web.stream.stream import RETRY, Client


def register(api: Blueprint, hub: Hub, managers: Managers) -> None:
    """Add the addresses to `api`."""

    def club() -> ClubAnswer:
        phone = managers.phone(request)
        return ClubAnswer(
            club=hub.club,
            title=hub.title,
            connected=hub.connected,
            manager=phone is not None,
            csrf=None if phone is None else managers.csrf(phone),
        )

    def game() -> GameAnswer:
        found = hub.game(_named("game"))
        if found is None:
            raise NotFound
        result, record = found
        told = [each for part in _games(record) for each in story(part)]
        said = tuple(each.parts for each in told)
        return GameAnswer(result=result, record=record, story=tuple(map(str, told)), said=said)

    def player() -> Value:
        if (found := hub.player(_named("name"))) is None:
            raise NotFound
        return found

    def games() -> GamesAnswer:
        return GamesAnswer(tuple(hub.games(table=_asked("table"), player=_asked("player"))))

    _get(api, "/club", club)
    _get(api, "/tables", lambda: TablesAnswer(tuple(hub.tables())))
    _get(api, "/ranking", lambda: RankingAnswer(hub.ranking()))
    _get(api, "/games", games)
    _get(api, "/games/<path:game>", game)
    _get(api, "/players/<path:name>", player)

    @api.get("/reviews/<path:game>")
    def review(game: str) -> Response:
        found = hub.game(game)
        if found is None:
            raise NotFound
        return no_store(Response(_review(found[1]), mimetype="application/json"))

    @api.post("/join")
    def join() -> Response:
        asked = body.read(request, JoinClub)
        with club_refusals():
            return answer_of(hub.join(asked))

    @api.get("/events")
    def events() -> Response:
        client = hub.feed.enter()
        if client is None:
            raise RequestError(
                Message("Too many pages are open. Close one that nobody looks at."), code="busy", headers=STREAM_RETRY
            )
        request.environ[STREAM] = client
        response = no_store(Response(_news(hub.feed, client), mimetype="text/event-stream"))
        response.headers["X-Accel-Buffering"] = "no"
        response.call_on_close(lambda: hub.feed.leave(client))
        return response


def _get(api: Blueprint, path: str, answer: Callable[[], Value]) -> None:
    api.add_url_rule(path, path, lambda **_: answer_of(answer()))


def _named(name: str) -> str:
    """A part of the address."""
    return str((request.view_args or {})[name])


def _asked(name: str) -> str:
    return request.args.get(name, "")


def _games(record: RecordEvent) -> list[Game]:
    return [game_of_record(number, part) for number, part in enumerate(record.record, start=1)]


@lru_cache(maxsize=64)
def _reviewed(parts: tuple[tuple[str, ...], ...]) -> bytes:
    """The review, which takes up to a second, once for each record."""
    whole = replace(game_of_record(1, parts[0]), record=parts)
    return json_bytes(game_review(whole))


def _review(record: RecordEvent) -> bytes:
    return _reviewed(record.record) if record.record else b"{}"


def _news(feed: LobbyFeed, client: Client) -> Iterator[bytes]:
    """What there is now, for a server that holds no streams; an event source then asks again."""
    yield RETRY
    yield feed.next(client)
