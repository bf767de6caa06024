"""The API's own headers, and its refusals: each is one sentence as JSON, never a traceback."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from flask import Flask, Response, request
from msgspec import UNSET, UnsetType
from werkzeug.exceptions import HTTPException

from companion.engine import EngineError, NotAllowedError, UnreadableError
from companion.messages.message import Message, Part
from companion.messages.sentence import Value, json_bytes
from companion.table.errors import NotAllowedNowError, NotYoursError, TableError, TooSoonError, UnreadableCommandError

log = logging.getLogger(__name__)

CSRF: Final = "X-Perudo-CSRF"
"""A page's CSRF token, sent with every change."""
VERSION: Final = "X-Perudo-Version"
"""The version of the state that a change is based on."""
VERSION_PATTERN: Final = "[0-9]{1,18}"
IDEMPOTENCY_KEY: Final = "Idempotency-Key"
"""Different for every tap; requests with the same key take effect once."""
KEY_PATTERN: Final = "[!-~]{8,64}"
REPEATED: Final = "X-Perudo-Again"
"""Marks a repeated answer."""
RUN: Final = "X-Perudo-Run"
"""Identifies this start of the program."""

REFUSALS: Final[Mapping[str, tuple[int, str]]] = {
    "unreadable": (400, "The body or one of its fields cannot be read."),
    "idempotency-key": (400, f"{IDEMPOTENCY_KEY} is missing or malformed, or was sent with another change before."),
    "version": (400, f"{VERSION} is missing or malformed, or there is no such version yet."),
    "bad-player": (400, "Or `bad-colour`, `bad-die`, `bad-ruleset`, `bad-call`, `bad-record`: not a valid one."),
    "bad-photo": (400, "The picture cannot be decoded, or ends too early."),
    "unknown-die": (400, "There is no such die in the picture."),
    "bad-step": (400, "There is no such step."),
    "refused": (400, "The HTTP request is malformed."),
    "join-first": (401, "The phone has not joined."),
    "host": (403, "The Host header names another machine."),
    "origin": (403, "Another site's page sent it."),
    "wrong-code": (403, "This is not the table's code."),
    "csrf": (403, f"{CSRF} is missing or another phone's. A bearer needs none."),
    "watching": (403, "A phone that only watches changes nothing."),
    "not-yours": (403, "Only that player's own phone may do that while it is at the table."),
    "held": (403, "The host lets this phone only watch."),
    "turned-out": (403, "The host has turned a phone at this address out."),
    "not-host": (403, "Only the host's phone may do that."),
    "hidden": (403, "The picture would show what lies under the cups, or how many dice, which is hidden now."),
    "not_found": (404, "There is nothing at this address."),
    "method": (405, "This address answers other methods."),
    "stale": (409, "The game has changed since that version."),
    "seat-taken": (409, "Another phone has this seat."),
    "unknown-phone": (409, "There is no such phone."),
    "unknown-player": (409, "Nobody of that name plays at this table."),
    "wrong-phase": (
        409,
        "It is not allowed now; or `paused`, `not-paused`, `together`, `game-on`, `no-reading`, `ended`, `not-away`, "
        "`not-your-turn`, `no-bid`, `illegal-bid`, `calza-not-allowed`, `eliminated-player`, `dice-mismatch`, "
        "`miscounted`, `closed`. The message says why.",
    ),
    "not-now": (409, "The box is busy with a backup, has no room for one, or there is none to put back."),
    "settings": (409, "There is no such camera; or an option wins over the configuration, or it cannot be changed."),
    "late-photo": (409, "No picture of the dice is wanted now, or not of that round."),
    "calibrating": (409, "Another phone calibrates; or nobody does: `not-calibrating`."),
    "dice-read": (409, "The dice are being read, and the calibration cannot change meanwhile."),
    "wrong-step": (409, "The calibration has not come to that; or `nothing-found`, `bad-length`, `bad-profile`."),
    "unsaved": (409, "What was played last is only in memory, or the disk cannot be written."),
    "too_large": (
        413,
        "The body is longer than 16 KiB; a picture or a piece than 4 MiB; a picture than 16 megapixels.",
    ),
    "content_type": (
        415,
        "The Content-Type must be application/json; of a picture, image/jpeg; of a piece, application/octet-stream.",
    ),
    "too-many-photos": (409, "More than 60 pictures of one phone in one round."),
    "slow-down": (
        429,
        "Too many wrong codes or new phones from this address or in all; too many changes; or a break after a break.",
    ),
    "internal": (500, "A fault of the program."),
    "busy": (503, "Too many streams are open, or too many phones ask for the same, or send pictures, at once."),
    "closed": (503, "The program is stopping."),
    "under-way": (503, "The first request with this key is still being worked on."),
    "camera": (503, "The camera gives no picture now."),
    "update": (409, "There is no newer version, or none before; or this program is not updated from the page."),
    "wifi": (409, "The box does not look after Wi-Fi, or the password cannot be one."),
    "club": (409, "The invitation cannot be used, or the table is in no club."),
    "club-trouble": (503, "The club's books or its broker cannot be reached now."),
    "certificate": (503, "The certificate could not be made."),
    "no_camera": (503, "This table has no camera."),
    "journal": (503, "The journal cannot be written."),
}
"""The code of each refusal -> its status, and when it is sent."""

_STATUSES: Final[Mapping[type[Exception], int]] = {
    UnreadableCommandError: 400,
    UnreadableError: 400,
    NotYoursError: 403,
    TooSoonError: 429,
    NotAllowedNowError: 409,
    NotAllowedError: 409,
    TableError: 503,
}
"""The errors of the table and the engine -> their status."""

_SENTENCES: Final = {
    404: ("not_found", "There is nothing at this address."),
    405: ("method", "This address does not answer that kind of request."),
    413: ("too_large", "That is more than this table reads at once."),
    415: ("content_type", "Send JSON: the Content-Type must be application/json."),
}
"""The status of Flask's own refusals -> their code and sentence."""


class RequestError(ValueError):
    """The request could not be read, or must not be answered."""

    def __init__(
        self, message: str, *, code: str = "unreadable", headers: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """`code` is one of `REFUSALS`; `headers` are added to the answer."""
        super().__init__(message)
        self.message = message
        self.code = code
        self.headers = headers


class Refusal(Value, frozen=True, kw_only=True):
    """Why a request was refused: a code for programs and a sentence for people. Nothing has changed."""

    error: str
    message: str
    said: tuple[Part, ...] | UnsetType = UNSET


def no_store(response: Response) -> Response:
    """Mark `response` as not cacheable: it is valid only now, or for one phone."""
    response.headers["Cache-Control"] = "no-store"
    return response


def refusal(status: int, code: str, message: str) -> Response:
    """A refusal's response. If players can see it, `message` is a `Message`, which pages can translate."""
    said = message.parts if isinstance(message, Message) else UNSET
    body = json_bytes(Refusal(error=code, message=message, said=said))
    return no_store(Response(body, status, mimetype="application/json"))


def register(app: Flask) -> None:
    """Answer every error of `app` with a refusal."""
    for kind, status in _STATUSES.items():
        app.register_error_handler(kind, partial(_refused, status))
    app.register_error_handler(RequestError, answer)

    @app.errorhandler(HTTPException)
    def _http(error: HTTPException) -> Response:
        status = error.code or 500
        response = refusal(status, *_SENTENCES.get(status, ("refused", "This request cannot be answered.")))
        if status == 405:
            response.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
        return response

    @app.errorhandler(Exception)
    def _unexpected(error: Exception) -> Response:
        log.exception("%s %s failed", request.method, request.path, exc_info=error)
        return refusal(
            500,
            "internal",
            Message("Something went wrong inside the box; its log says what. Check the table before you try again."),
        )


def answer(error: RequestError) -> Response:
    """The response to a request that is refused."""
    response = refusal(REFUSALS[error.code][0], error.code, error.message)
    response.headers.update(error.headers)
    return response


def _refused(status: int, error: EngineError | TableError) -> Response:
    if status == 503:
        log.error("%s %s: %s", request.method, request.path, error)
    unreadable = isinstance(error, UnreadableError)  # only programs see this one, so it is not translated
    response = refusal(status, error.code, str(error.sentence) if unreadable else error.sentence)
    if isinstance(error, TooSoonError):
        response.headers["Retry-After"] = str(error.seconds)
    return response
