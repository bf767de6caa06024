"""The application factory: one table, one page, one API."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from flask import Flask, Response, jsonify, request
from flask.json.provider import DefaultJSONProvider

from companion.calibrating.session import CalibrationSession
from companion.messages.sentence import json_value
from companion.table import Table
from hardware.camera.protocol import Camera
from web import api, body, errors, page
from web.access import guard
from web.access.access import Access
from web.access.join import presence
from web.commands import PanelFingers
from web.headers import no_store
from web.health import health
from web.stream.stream import Feed

log = logging.getLogger(__name__)

HEARTBEAT = 10.0
"""Seconds of silence after which a stream says that it is still there."""
UNREAD_FOR = 20.0
"""Seconds for which a phone may read nothing of its stream."""
MAX_LISTENERS = 48
"""Streams at once: each holds one of the server's threads (`web.stream.server.THREADS`), and some must stay free."""


class Json(DefaultJSONProvider):
    """JSON of plain values and of the API's own, with players in the order of their seats."""

    sort_keys = False
    default = staticmethod(json_value)


def create_app(
    table: Table,
    *,
    access: Access | None = None,
    addresses: Callable[[], Sequence[str]] | None = None,
    panel: PanelFingers | None = None,
    camera: Camera | None = None,
    pictures: Path | None = None,
    calibrating: CalibrationSession | None = None,
    hosts: Iterable[str] = (),
    heartbeat: float = HEARTBEAT,
    unread_for: float = UNREAD_FOR,
    max_listeners: int = MAX_LISTENERS,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """The page and the API of `table`.

    `access`: its code and its phones; None draws a code, and forgets its phones in the end. `addresses`: where phones
    reach the page; None is the address that is being asked. `panel`: the virtual panel's fingers, None where the panel
    is real. `camera`: for `frame.jpg`. `pictures`: the folder of the judged pictures, `<id>.jpg`. `calibrating`: None
    where there is no camera to calibrate. `hosts`: more host names to answer to, beside addresses, localhost, *.local
    and this machine's own. `heartbeat`, `unread_for`: seconds of `clock`.
    """
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = body.MAX_BYTES
    app.json = Json(app)
    app.url_map.merge_slashes = False  # an address is right or it is not; a change is never redirected
    access = access or Access.of(clock=clock)
    feed = Feed(secrets.token_hex(4), limit=max_listeners)
    app.extensions["feed"] = feed
    access.phones.on_change(lambda: feed.sit(presence(access)))
    access.follow(table.state())
    feed.sit(presence(access))
    table.attach(feed)

    errors.register(app)
    guard.register(app, hosts)
    page.register(app)
    app.register_blueprint(
        api.blueprint(
            table,
            feed,
            access=access,
            addresses=addresses or (lambda: [request.host_url]),
            panel=panel,
            camera=camera,
            pictures=pictures,
            calibrating=calibrating,
            heartbeat=heartbeat,
            unread_for=unread_for,
            clock=clock,
        )
    )

    @app.get("/healthz")
    def healthz() -> Response:
        """200 when a game can be judged now, 503 with the reasons when not."""
        found = health(table.state(), feed.count)
        response = jsonify(found)
        response.status_code = 200 if found.ok else 503
        return no_store(response)

    return app
