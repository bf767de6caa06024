"""`/api/v1`: every address of docs/api.md. What reads is here, what changes the game is in `commands`."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from pathlib import Path

from flask import Blueprint, Response, jsonify, request

from calibration.palette import COLOURS
from companion.engine import DEFAULT_RULESET, FEWEST_PLAYERS, MOST_PLAYERS, RULESETS
from hardware.camera import Camera
from web import commands, join, qr
from web.access import YEAR, Access
from web.errors import RequestError
from web.events import Listeners, Stream
from web.pictures import LiveFrame, judged
from web.port import Panel, Table


def blueprint(
    table: Table,
    listeners: Listeners,
    *,
    access: Access,
    addresses: qr.Addresses,
    panel: Panel | None,
    camera: Camera | None,
    pictures: Path | None,
    heartbeat: float,
    clock: Callable[[], float] = time.monotonic,
) -> Blueprint:
    """The API of one table. `panel` is the virtual one, None where the panel is real."""
    api = Blueprint("api", __name__, url_prefix="/api/v1")
    live = LiveFrame(camera, clock)
    run = secrets.token_hex(4)
    """Names this start of the program."""

    def answer() -> Response:
        response = jsonify(table.state())
        response.headers["Cache-Control"] = "no-store"
        return response

    @api.get("/state")
    def state() -> Response:
        return answer()

    @api.get("/events")
    def events() -> Response:
        if not listeners.enter():
            raise RequestError(
                "Too many phones are listening to this table. Close a page that nobody looks at.",
                code="busy",
                status=503,
            )
        try:
            stream = Stream(
                table,
                listeners,
                heartbeat=heartbeat,
                clock=clock,
                gone=request.environ.get("waitress.client_disconnected", lambda: False),
            )
        except BaseException:
            listeners.leave()
            raise
        response = Response(stream, mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        response.headers["X-Perudo-Run"] = run
        return response

    @api.get("/story")
    def story() -> Response:
        response = jsonify(table.story())
        response.headers["Cache-Control"] = "no-store"
        return response

    @api.get("/choices")
    def choices() -> Response:
        return jsonify(
            rulesets=[{"id": book.id, "title": book.title, "edition": book.edition} for book in RULESETS.values()],
            ruleset=DEFAULT_RULESET.id,
            colours=list(COLOURS),
            players=[FEWEST_PLAYERS, MOST_PLAYERS],
        )

    @api.get("/frame.jpg")
    def frame() -> Response:
        response = Response(live.get(), mimetype="image/jpeg")
        response.headers["Cache-Control"] = "no-store"
        return response

    @api.get("/pictures/<name>.jpg")
    def picture(name: str) -> Response:
        response = judged(pictures, name)
        # Pictures are numbered anew in every state folder, so a number alone says nothing for ever: only together with
        # this start of the program, which the page adds. Without it the browser has to ask whether it is still so.
        same = request.args.get("run") == run
        response.headers["Cache-Control"] = f"private, max-age={YEAR}, immutable" if same else "private, no-cache"
        return response

    join.register(api, table, access, addresses)
    qr.register(api, access, addresses)
    commands.register(api, table, panel, answer)
    return api
