"""The application factory: one table, one page, one API."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import chain
from typing import Final

from flask import Flask, Response

from companion.messages.sentence import json_bytes
from vision.image_file import LARGEST_PHOTO
from web import errors, page
from web.access import guard
from web.access.demo_seats import DemoEndpoints
from web.access.join import JoinEndpoints
from web.access.tap import Taps
from web.box import https
from web.box.box import BoxEndpoints, leading
from web.box.metrics import MetricsEndpoints
from web.calibration import CalibrationEndpoints
from web.endpoints import JSON, Schema, endpoints_of, get, serve
from web.game import GameEndpoints
from web.openapi import table_document
from web.parts import Parts
from web.past_games import PastGamesEndpoints
from web.pictures import PhotoEndpoints, PictureEndpoints, check_length
from web.stream.events import StreamEndpoints
from web.stream.stream import Streams


class DocumentEndpoints:
    """The endpoint of the API's own description."""

    def __init__(self, parts: Parts) -> None:
        self._answers = parts.answers

    @get("openapi.json", refuses=(503,))
    def openapi(self) -> Response:
        """This document."""
        described = self._answers.get("openapi.json", lambda: json_bytes(document()))
        return Response(described, mimetype=JSON)


GROUPS: Final[tuple[Callable[[Parts], object], ...]] = (
    GameEndpoints,
    StreamEndpoints,
    PastGamesEndpoints,
    JoinEndpoints,
    DocumentEndpoints,
    MetricsEndpoints,
    PictureEndpoints,
    CalibrationEndpoints,
    PhotoEndpoints,
    DemoEndpoints,
    BoxEndpoints,
)
"""The classes whose methods answer: all that is under /api/v1, and the figures."""


@cache  # made at the first request: the start of a Pi is slow enough
def document() -> Schema:
    """The OpenAPI document of the table's API."""
    return table_document(chain.from_iterable(map(endpoints_of, GROUPS)))


def create_app(parts: Parts) -> Flask:
    """The page and the API of a table."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_PHOTO  # `web.endpoints` reads less
    app.url_map.merge_slashes = False  # a change is never redirected
    table, feed, phones = parts.table, parts.feed, parts.access.phones
    app.extensions["feed"] = feed
    app.extensions["streams"] = Streams(
        feed,
        heartbeat=parts.heartbeat,
        unread_for=parts.unread_for,
        clock=parts.clock,
        follow=phones.follow,
        look=phones.look,
    )
    phones.on_change(lambda: feed.sit(phones.presence()))
    phones.follow(table.state())
    feed.sit(phones.presence())
    table.attach(feed)

    taps = Taps(parts)
    for group in GROUPS:
        serve(app, group(parts), taps.check)
    app.after_request(taps.once.remember)

    errors.register(app)
    guard.register(app, partial(leading, table, parts.wifi), parts.addresses, parts.names)
    https.register(app, parts.https)
    app.before_request(check_length)
    access = parts.access
    page.register(
        app,
        parts.language,
        code_for=lambda asks: access.code if access.visitor(asks).phone else "",
        demo=table.state().demo,
    )
    return app
