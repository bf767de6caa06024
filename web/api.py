"""`/api/v1`: every address of docs/reference/api.md. What reads is here, what changes the game is in `commands`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, jsonify, request

from companion.calibrating.session import CalibrationSession
from companion.messages.message import Message
from companion.table import Table
from hardware.camera.protocol import Camera
from web import calibration, commands, qr, rules
from web.access import join
from web.access.access import YEAR, Access
from web.access.tap import Taps
from web.choices import choices
from web.errors import RequestError
from web.headers import RUN, no_store
from web.openapi import document
from web.pictures import LiveFrame, judged_picture
from web.stream.server import CUT_OFF, UNREAD
from web.stream.stream import Feed, Stream

SOON: Final = {"Retry-After": "5"}
"""Seconds after which a phone that got no stream may try again."""


def blueprint(
    table: Table,
    feed: Feed,
    *,
    access: Access,
    addresses: qr.Addresses,
    panel: commands.PanelFingers | None,
    camera: Camera | None,
    pictures: Path | None,
    calibrating: CalibrationSession | None,
    heartbeat: float,
    unread_for: float,
    clock: Callable[[], float] = time.monotonic,
) -> Blueprint:
    """The API of one table. `panel` is the virtual one, None where the panel is real."""
    api = Blueprint("api", __name__, url_prefix="/api/v1")
    live = LiveFrame(camera, clock)

    def answer() -> Response:
        return no_store(jsonify(table.state()))

    @api.get("/state")
    def state() -> Response:
        return answer()

    @api.get("/events")
    def events() -> Response:
        phone = access.visitor(request).phone
        name = None if phone is None else phone.id
        client = feed.enter(name, request.headers.get("Last-Event-ID", ""), request.remote_addr or "")
        if client is None and feed.stopped:
            raise RequestError(Message("The program is stopping."), code="closed", status=503, headers=SOON)
        if client is None:
            raise RequestError(
                Message("Too many phones are listening to this table. Close a page that nobody looks at."),
                code="busy",
                status=503,
                headers=SOON,
            )
        if name is not None:
            access.phones.listens(name)
        environ = request.environ
        stream = Stream(
            feed,
            client,
            heartbeat=heartbeat,
            patience=unread_for,
            clock=clock,
            gone=environ.get("waitress.client_disconnected", lambda: False),
            unread=environ.get(UNREAD, lambda: 0),
            drop=environ.get(CUT_OFF, lambda: None),
            follow=access.follow,
            look=access.phones.look,
            left=lambda: None if name is None else access.phones.leaves(name),
        )
        response = Response(stream, mimetype="text/event-stream")
        no_store(response)
        response.headers["X-Accel-Buffering"] = "no"
        response.headers[RUN] = feed.run
        return response

    @api.get("/story")
    def story() -> Response:
        return no_store(jsonify(table.story()))

    @api.get("/choices")
    def what_to_play() -> Response:
        return jsonify(choices())

    @api.get("/rules")
    def rules_in_words() -> Response:
        return no_store(jsonify(rules.rules(table.state(), request.args.get("compare"))))

    @api.get("/openapi.json")
    def described() -> Response:
        return jsonify(document.document())

    @api.get("/frame.jpg")
    def frame() -> Response:
        return no_store(Response(live.get(), mimetype="image/jpeg"))

    @api.get("/pictures/<name>.jpg")
    def picture(name: str) -> Response:
        state = table.state()
        response = judged_picture(pictures, name, hidden=state.hides_dice)
        # Pictures are numbered anew in every state folder, so a number alone says nothing for ever: only together with
        # this start of the program, which the page adds. Without it the browser has to ask whether it is still so.
        same = request.args.get("run") == feed.run
        response.headers["Cache-Control"] = f"private, max-age={YEAR}, immutable" if same else "private, no-cache"
        if not state.open_lost:
            no_store(response)  # it tells who has how many dice, and that will be hidden
        return response

    join.register(api, table, access, addresses)
    qr.register(api, access, addresses)
    taps = Taps(access, table)
    taps.register(api)
    commands.register(api, panel, taps, answer)
    calibration.register(api, calibrating, access, answer)
    return api
