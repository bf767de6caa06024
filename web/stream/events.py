"""`/api/v1/events`: the stream as an address of the API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from flask import Blueprint, Response, request

from companion.messages.message import Message
from web.access.access import Access
from web.access.wrong_codes import network_of
from web.errors import RequestError
from web.headers import RUN, no_store
from web.stream.stream import RETRY, Client, Feed

STREAM: Final = "perudo.stream"
"""The key of a request's environment with the place in the feed that the server holds a stream for."""

RESTART_RETRY: Final = {"Retry-After": "5"}
"""Seconds after which a phone may try again when the program was stopping."""
FULL_RETRY: Final = {"Retry-After": "30"}
"""The same when there was no room."""


def register(api: Blueprint, feed: Feed, access: Access) -> None:
    """Add `/events` to `api`."""

    @api.get("/events")
    def events() -> Response:
        phone = access.visitor(request).phone
        name = None if phone is None else phone.id
        address = network_of(request.remote_addr or "")
        client = feed.enter(name, request.headers.get("Last-Event-ID", ""), address)
        if client is None and feed.closed:
            raise RequestError(Message("The program is stopping."), code="closed", headers=RESTART_RETRY)
        if client is None:
            raise RequestError(
                Message("Too many phones are listening to this table. Close a page that nobody looks at."),
                code="busy",
                headers=FULL_RETRY,
            )
        if name is not None:
            access.phones.add_stream(name)
        request.environ[STREAM] = client
        response = no_store(Response(_news(feed, client), mimetype="text/event-stream"))
        response.headers["X-Accel-Buffering"] = "no"
        response.headers[RUN] = feed.run

        @response.call_on_close
        def _leave() -> None:
            feed.leave(client)
            if name is not None:
                access.phones.remove_stream(name)

        return response


def _news(feed: Feed, client: Client) -> Iterator[bytes]:
    """What there is now, for a server that holds no streams; an event source then asks again."""
    yield RETRY
    yield feed.next(client)
