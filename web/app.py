"""The application factory: one table, one page, one API."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, Final

from flask import Flask, Response
from msgspec.structs import replace

from companion.messages.sentence import json_bytes
from vision.image_file import LARGEST_PHOTO
from web import errors, page
from web.access import guard
from web.access.join import JoinEndpoints
from web.access.tap import Taps
from web.box import BoxEndpoints
from web.endpoints import JSON, Schema, endpoints_of, file_paths, get, serve
from web.feature import BoxState, Feature, box_state
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
        self._answers, self._features = parts.answers, parts.features

    @get("openapi.json", refuses=(503,))
    def openapi(self) -> Response:
        """This document."""
        described = self._answers.get("openapi.json", lambda: json_bytes(document(self._features)))
        return Response(described, mimetype=JSON)


GROUPS: Final[tuple[Callable[[Parts], object], ...]] = (
    GameEndpoints,
    StreamEndpoints,
    PastGamesEndpoints,
    JoinEndpoints,
    DocumentEndpoints,
    PictureEndpoints,
    PhotoEndpoints,
)
"""The classes with endpoints, apart from the features."""


def document(features: Iterable[Feature[Any]]) -> Schema:
    """The OpenAPI document of a table with these features."""
    features = tuple(features)
    box = box_state(features)
    endpoints = chain.from_iterable(map(endpoints_of, (*GROUPS, BoxEndpoints, *map(type, features))))
    return table_document(replace(each, answers=box) if each.answers is BoxState else each for each in endpoints)


def create_app(parts: Parts) -> Flask:
    """The Flask application with the page and the API of a table."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_PHOTO  # `web.endpoints` reads less
    app.url_map.merge_slashes = False  # a change is never redirected
    table, feed, phones = parts.table, parts.feed, parts.access.phones
    app.extensions["feed"] = feed
    app.extensions["streams"] = Streams(
        feed,
        clock=parts.clock,
        follow=phones.follow,
        look=phones.look,
    )
    phones.on_change(lambda: feed.sit(phones.presence()))
    phones.follow(table.state())
    feed.sit(phones.presence())
    table.attach(feed)

    taps, box = Taps(parts), BoxEndpoints(parts)
    groups = (*(group(parts) for group in GROUPS), box, *parts.features)
    for group in groups:
        serve(app, group, taps.check, box.box)
    app.extensions["files"] = file_paths(groups)
    app.after_request(taps.once.remember)

    errors.register(app)
    guard.register(app, parts.lead, parts.addresses, parts.names)
    for feature in parts.features:
        feature.register(app)
    app.before_request(check_length)
    access = parts.access
    page.register(
        app,
        parts.language,
        code_for=lambda asks: access.code if access.visitor(asks).phone else "",
        demo=table.state().demo,
    )
    return app
