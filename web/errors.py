"""Refusals of the HTTP layer: every answer that is not a success is one sentence of JSON, never a traceback.

    RequestError (ValueError)   the request could not be read, or must not be answered
                                `.status` HTTP status, `.code` for programs, `.message` a sentence for people

What the game refuses comes from `companion.table` and `companion.engine`: what they could not read is 400, what is not
allowed now 409, what is for another phone to say 403, and what could not be kept on disk 503.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import MappingProxyType

from flask import Flask, Response, jsonify, request
from msgspec import UNSET, UnsetType
from werkzeug.exceptions import HTTPException

from companion.engine import NotAllowedError, UnreadableError
from companion.messages.message import Message, Part
from companion.messages.sentence import Value
from companion.table.errors import NotAllowedNowError, NotYoursError, TableError, UnreadableCommandError
from web.headers import no_store

log = logging.getLogger(__name__)

SENTENCES = {
    404: ("not_found", "There is nothing at this address."),
    405: ("method", "This address does not answer that kind of request."),
    413: ("too_large", "That is more than this table reads at once."),
    415: ("content_type", "Send JSON: the Content-Type must be application/json."),
}
"""Status -> (code, sentence) for what Flask itself refuses."""


class RequestError(ValueError):
    """The request could not be read (400), or is not answered at all (401, 403, 409, 413, 415, 429, 503)."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "unreadable",
        status: int = 400,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.headers = headers
        """More headers of the answer."""


class Refusal(Value, frozen=True, kw_only=True):
    """Why it was not done: a word for programs and a sentence for people. Nothing has changed."""

    error: str
    message: str
    said: tuple[Part, ...] | UnsetType = UNSET


def refusal(status: int, code: str, message: str) -> Response:
    """The one shape of every refusal; what a player may meet is a `Message`, for pages in other languages."""
    said = message.parts if isinstance(message, Message) else UNSET
    response = jsonify(Refusal(error=code, message=message, said=said))
    response.status_code = status
    return no_store(response)


def _code(error: object) -> str:
    return str(getattr(error, "code", "refused"))  # the engine's base classes have none of their own


def register(app: Flask) -> None:
    """Make every error of `app` one sentence in JSON."""

    @app.errorhandler(RequestError)
    def _request(error: RequestError) -> Response:
        response = refusal(error.status, error.code, error.message)
        response.headers.update(error.headers)
        return response

    @app.errorhandler(UnreadableCommandError)
    def _no_command(error: UnreadableCommandError) -> Response:
        return refusal(400, error.code, error.said)

    @app.errorhandler(UnreadableError)
    def _unreadable(error: UnreadableError) -> Response:
        return refusal(400, _code(error), str(error.said))  # only a program can meet it

    @app.errorhandler(NotAllowedNowError)
    @app.errorhandler(NotAllowedError)
    def _not_allowed(error: NotAllowedNowError | NotAllowedError) -> Response:
        return refusal(409, _code(error), error.said)

    @app.errorhandler(NotYoursError)
    def _not_yours(error: NotYoursError) -> Response:
        return refusal(403, error.code, error.said)

    @app.errorhandler(TableError)
    def _table(error: TableError) -> Response:
        log.error("%s %s: %s", request.method, request.path, error.message)
        return refusal(503, error.code, error.said)

    @app.errorhandler(HTTPException)
    def _http(error: HTTPException) -> Response:
        status = error.code or 500
        response = refusal(status, *SENTENCES.get(status, ("refused", "This request cannot be answered.")))
        if status == 405:
            response.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
        return response

    @app.errorhandler(Exception)
    def _unexpected(error: Exception) -> Response:
        log.exception("%s %s failed", request.method, request.path, exc_info=error)
        return refusal(
            500,
            "internal",
            Message("Something went wrong inside the box; its log says what. Look at the table before you try again."),
        )
