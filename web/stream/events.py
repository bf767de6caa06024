"""The endpoint of the event stream, `/api/v1/events`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from flask import Response, request

from companion.messages.message import Message
from web.access.wrong_codes import network_of
from web.endpoints import TEXT, get, header
from web.errors import RUN, RequestError, no_store
from web.parts import Parts
from web.stream.stream import RETRY, STATES_KEPT, Client, StreamSource

STREAM: Final = "perudo.stream"
"""The key in a request's environment for the stream's place in the feed, which the server takes over."""

RESTART_RETRY: Final = {"Retry-After": "5"}
"""Seconds after which a phone may retry if the program was stopping."""
FULL_RETRY: Final = {"Retry-After": "30"}
"""Seconds after which a phone may retry if there was no room."""


def held(source: StreamSource, client: Client, leave: Callable[[], None]) -> Response:
    """The response that the server turns into a stream. `leave` is called when it ends."""
    request.environ[STREAM] = client
    response = no_store(Response(_news(source, client), mimetype="text/event-stream"))
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(leave)
    return response


def _news(source: StreamSource, client: Client) -> Iterator[bytes]:
    """The current events, for a server that holds no streams; an event source then asks again."""
    yield RETRY
    yield source.next(client)


class StreamEndpoints:
    def __init__(self, parts: Parts) -> None:
        self._access, self._feed = parts.access, parts.feed

    @get(
        "events",
        answers="text/event-stream",
        details="`event: state` with `id: RUN-VERSION` and the whole State: one at once, one at every change. "
        "`event: seats` with a\nPresence at every change of seats. A comment every 10 s. A phone that reads nothing "
        "for 20 s is cut off.",
        parameters=(
            header(
                "Last-Event-ID",
                TEXT,
                f"The id of the last event received. Up to {STATES_KEPT} states missed since are sent; the whole state "
                "if there were more, or the id is unknown.",
                required=False,
            ),
        ),
        headers={RUN: {"$ref": "#/components/headers/Run"}},
        refuses=(503,),
    )
    def events(self) -> Response:
        """The state after every change, as server-sent events."""
        feed, phones = self._feed, self._access.phones
        phone = self._access.visitor(request).phone
        name = None if phone is None else phone.id
        client = feed.enter(name, request.headers.get("Last-Event-ID", ""), network_of(request.remote_addr or ""))
        if client is None and feed.closed:
            raise RequestError(Message("The program is stopping."), code="closed", headers=RESTART_RETRY)
        if client is None:
            raise RequestError(
                Message("Too many pages are open. Close one that nobody looks at."),
                code="busy",
                headers=FULL_RETRY,
            )
        if name is not None:
            phones.add_stream(name)

        def leave() -> None:
            feed.leave(client)
            if name is not None:
                phones.remove_stream(name)

        response = held(feed, client, leave)
        response.headers[RUN] = feed.run
        return response
