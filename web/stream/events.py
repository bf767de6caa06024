"""`/api/v1/events`: the stream as an address of the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from flask import Blueprint, Response, request

from companion.messages.message import Message
from web.access.access import Access
from web.errors import RequestError
from web.headers import RUN, no_store
from web.stream.server import CONNECTION
from web.stream.stream import Connection, Feed, Stream

STREAM_RETRY: Final = {"Retry-After": "5"}
"""Seconds after which a phone that was refused a stream may try again."""


def register(
    api: Blueprint, feed: Feed, access: Access, *, heartbeat: float, unread_for: float, clock: Callable[[], float]
) -> None:
    """Add `/events` to `api`. `heartbeat` and `unread_for` are seconds of `clock`."""

    @api.get("/events")
    def events() -> Response:
        phone = access.visitor(request).phone
        name = None if phone is None else phone.id
        client = feed.enter(name, request.headers.get("Last-Event-ID", ""), request.remote_addr or "")
        if client is None and feed.closed:
            raise RequestError(Message("The program is stopping."), code="closed", headers=STREAM_RETRY)
        if client is None:
            raise RequestError(
                Message("Too many phones are listening to this table. Close a page that nobody looks at."),
                code="busy",
                headers=STREAM_RETRY,
            )
        if name is not None:
            access.phones.add_stream(name)
        connection = request.environ.get(CONNECTION, Connection())
        phones = access.phones
        stream = Stream(feed, client, connection, heartbeat, unread_for, clock, phones.follow, phones.look)
        response = no_store(Response(iter(stream), mimetype="text/event-stream"))
        response.headers["X-Accel-Buffering"] = "no"
        response.headers[RUN] = feed.run

        @response.call_on_close
        def _leave() -> None:
            feed.leave(client)
            if name is not None:
                access.phones.remove_stream(name)

        return response
