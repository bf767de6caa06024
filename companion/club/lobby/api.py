"""The lobby's API: `ENDPOINTS` says what there is."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from companion.club.hub.hub import Hub
from companion.club.hub.tables import LobbyFeed
from companion.club.lobby.answers import (
    CountGame,
    GameAnswer,
    GamesAnswer,
    RankingAnswer,
    TablesAnswer,
)
from companion.club.lobby.club_desk import club_answer
from companion.club.lobby.managers import Managers
from companion.club.lobby.refusals import answer_of, club_refusals
from companion.engine import EngineError
from companion.member.invitation import JoinClub
from companion.member.payloads import RecordEvent
from companion.messages.message import Message
from companion.messages.sentence import Value, json_bytes
from companion.table.past.game_review import game_review
from companion.table.past.games import Game, game_of_record
from companion.table.past.story import story
from web import body
from web.access.wrong_codes import network_of
from web.answer_cache import AnswerCache
from web.errors import RequestError
from web.headers import no_store
from web.stream.events import FULL_RETRY, STREAM
from web.stream.stream import RETRY, Client

log = logging.getLogger(__name__)


def register(api: Blueprint, hub: Hub, managers: Managers) -> None:
    """Add the addresses to `api`."""
    answers = AnswerCache()

    def player() -> Value:
        if (found := hub.books.player(_named("name"))) is None:
            raise NotFound
        return found

    def games() -> GamesAnswer:
        return GamesAnswer(tuple(hub.books.games(table=_asked("table"), player=_asked("player"))))

    _get(api, "/club", lambda: club_answer(hub, managers, managers.phone()))
    _get(api, "/tables", lambda: TablesAnswer(tuple(hub.tables())))
    _get(api, "/ranking", lambda: RankingAnswer(hub.books.ranking()))
    _get(api, "/games", games)
    _get(api, "/games/<path:game>", lambda: _game(hub, _named("game")))
    _get(api, "/players/<path:name>", player)

    @api.post("/games/<path:game>/count")
    def count(game: str) -> Response:
        asked = body.read(request, CountGame)
        with club_refusals():
            hub.books.set_counts(game, counts=asked.counts)
        hub.tell()
        return answer_of(_game(hub, game))

    @api.get("/reviews/<path:game>")
    def review(game: str) -> Response:
        found = hub.books.game(game)
        if found is None:
            raise NotFound
        record = found[1]
        reviewed = answers.get(record.record, lambda: _review(record), by=network_of(request.remote_addr or ""))
        return no_store(Response(reviewed, mimetype="application/json"))

    @api.post("/join")
    def join() -> Response:
        asked = body.read(request, JoinClub)
        with club_refusals():
            return answer_of(hub.join(asked))

    @api.get("/events")
    def events() -> Response:
        client = hub.feed.enter(network_of(request.remote_addr or ""))
        if client is None:
            raise RequestError(
                Message("Too many pages are open. Close one that nobody looks at."), code="busy", headers=FULL_RETRY
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


def _game(hub: Hub, game: str) -> GameAnswer:
    found = hub.books.game(game)
    if found is None:
        raise NotFound
    result, record = found
    told = [each for part in _games(record) for each in story(part)]
    said = tuple(each.parts for each in told)
    return GameAnswer(result=result, record=record, story=tuple(map(str, told)), said=said)


def _games(record: RecordEvent) -> list[Game]:
    """The parts of a game; none if its record cannot be read."""
    try:
        return [game_of_record(number, part) for number, part in enumerate(record.record, start=1)]
    except (EngineError, ValueError) as error:
        log.warning("the record of %s cannot be read: %s", record.game, error)
        return []


def _review(record: RecordEvent) -> bytes:
    games = _games(record)
    return json_bytes(game_review(replace(games[0], record=record.record))) if games else b"{}"


def _news(feed: LobbyFeed, client: Client) -> Iterator[bytes]:
    """What there is now, for a server that holds no streams; an event source then asks again."""
    yield RETRY
    yield feed.next(client)
