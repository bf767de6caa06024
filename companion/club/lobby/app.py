"""The lobby as a Flask application."""

from __future__ import annotations

import time
from collections.abc import Callable

from flask import Flask, Response, redirect, request
from werkzeug.wrappers import Response as WerkzeugResponse

from companion.club.hub.hub import Hub
from companion.club.lobby.document import lobby_document
from companion.club.lobby.lobby import LobbyEndpoints
from companion.club.lobby.managers import Managers
from companion.member.errors import ClubError, NotAllowedInClubError, UnreadableInClubError
from companion.messages.sentence import json_bytes
from web import errors, page
from web.access import guard
from web.access.access import Access
from web.access.invitation import Addresses, address_for, qr_svg
from web.endpoints import serve
from web.errors import RequestError, no_store
from web.stream.stream import Streams


def create_lobby(
    hub: Hub, access: Access, addresses: Addresses = tuple, clock: Callable[[], float] = time.monotonic
) -> Flask:
    """The lobby of `hub`. `access`: the code of the tournaments' managers. `addresses`: where browsers reach the lobby.
    `clock` returns monotonic seconds.
    """
    app = Flask(__name__, static_folder=None, template_folder=page.TEMPLATES)
    app.url_map.merge_slashes = False
    app.extensions["feed"] = hub.feed
    app.extensions["streams"] = Streams(hub.feed, clock=clock)
    managers = Managers(access)
    serve(app, LobbyEndpoints(hub, managers), managers.check)
    app.after_request(managers.once.remember)
    described = json_bytes(lobby_document())
    app.add_url_rule("/api/v1/openapi.json", "openapi", lambda: Response(described, mimetype="application/json"))
    errors.register(app)
    app.register_error_handler(ClubError, _refused)
    guard.register(app, addresses=addresses)
    page.register(app, pages=page.LOBBY_PAGES)

    @app.get("/board")
    def board() -> WerkzeugResponse:
        """Redirect the short address for televisions."""
        return redirect("/?board")

    @app.get("/qr.svg")
    def qr() -> Response:
        """The lobby's address as a QR code."""
        return no_store(Response(qr_svg(address_for(request.host_url, addresses())), mimetype="image/svg+xml"))

    return app


def _refused(error: ClubError) -> Response:
    if isinstance(error, UnreadableInClubError):
        return errors.answer(RequestError(error.sentence))
    if isinstance(error, NotAllowedInClubError):
        return errors.answer(RequestError(error.sentence, code="club"))
    return errors.answer(RequestError(error.sentence, code="club-trouble"))
