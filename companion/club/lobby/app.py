"""The lobby as a Flask application."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from flask import Blueprint, Flask, Response, redirect, request
from werkzeug.wrappers import Response as WerkzeugResponse

from companion.club.hub.hub import Hub
from companion.club.lobby import api, club_desk, tournament_desk
from companion.club.lobby.endpoints import LOBBY_API, lobby_document
from companion.club.lobby.managers import Managers
from companion.messages.sentence import json_bytes
from web import errors, page
from web.access import guard
from web.access.access import Access
from web.access.invitation import Addresses, address_for, qr_svg
from web.headers import Json, no_store
from web.stream.stream import Streams

LOBBY_HEARTBEAT_SECONDS: Final = 10.0
LOBBY_UNREAD_SECONDS: Final = 20.0


def create_lobby(
    hub: Hub, access: Access, addresses: Addresses = tuple, clock: Callable[[], float] = time.monotonic
) -> Flask:
    """The lobby of `hub`. `access`: the code of who runs the tournaments. `addresses`: where browsers reach it.
    `clock`: monotonic seconds.
    """
    app = Flask(__name__, static_folder=None, template_folder=page.TEMPLATES)
    app.json = Json(app)
    app.url_map.merge_slashes = False
    app.extensions["feed"] = hub.feed
    app.extensions["streams"] = Streams(
        hub.feed, heartbeat=LOBBY_HEARTBEAT_SECONDS, unread_for=LOBBY_UNREAD_SECONDS, clock=clock
    )
    v1 = Blueprint("lobby", __name__, url_prefix=LOBBY_API)
    managers = Managers(access)
    managers.register(v1)
    api.register(v1, hub, managers)
    club_desk.register(v1, hub, managers)
    tournament_desk.register(v1, hub)
    described = json_bytes(lobby_document())
    v1.add_url_rule("/openapi.json", "openapi", lambda: Response(described, mimetype="application/json"))
    errors.register(app)
    guard.register(app, addresses=addresses)
    app.register_blueprint(v1)
    page.register(app, pages=page.LOBBY_PAGES)

    @app.get("/board")
    def board() -> WerkzeugResponse:
        """A television's address at a table."""
        return redirect("/?board")

    @app.get("/qr.svg")
    def qr() -> Response:
        """The lobby's address as a QR code."""
        return no_store(Response(qr_svg(address_for(request.host_url, addresses())), mimetype="image/svg+xml"))

    return app
