"""Requests that count once: whoever sends a change again, with the same key, gets the first answer again."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from flask import Response, g, request

from companion.messages.message import Message
from web.access.idempotency import Answer, Answers, KeyReusedError, UnderWayError
from web.access.phones import Phone
from web.errors import RequestError
from web.headers import IDEMPOTENCY_KEY, KEY_PATTERN, REPEATED

_REPEATED: Final = ("Content-Type", "Cache-Control", "Retry-After", "WWW-Authenticate")
"""Headers that are repeated with a repeated answer."""


class Once:
    """The answers so far, by phone and key."""

    def __init__(self) -> None:
        self._answers = Answers()

    def begin(self, phone: Phone, busy: Message) -> Response | None:
        """The answer to the first request with this request's key; None for a new one, whose answer `remember` gets.

        `busy`: the refusal while the first is still being worked on. Raises `RequestError`.
        """
        key = request.headers.get(IDEMPOTENCY_KEY, "")
        if not re.fullmatch(KEY_PATTERN, key):
            raise RequestError(
                f"A change needs the header {IDEMPOTENCY_KEY}: 8 to 64 letters, digits or signs, other ones for every "
                "tap.",
                code="idempotency-key",
            )
        digest = hashlib.sha256(request.get_data()).hexdigest()
        try:
            answer = self._answers.begin(phone.id, key, f"{request.path} {digest}")
        except KeyReusedError:
            raise RequestError(
                f"This {IDEMPOTENCY_KEY} was sent with another change before.", code="idempotency-key"
            ) from None
        except UnderWayError:
            raise RequestError(busy, code="under-way", headers={"Retry-After": "1"}) from None
        if answer is not None:
            return Response(answer.body, answer.status, headers=[*answer.headers, (REPEATED, "1")])
        g.once = (phone.id, key)
        return None

    def remember(self, response: Response) -> Response:
        """Keep the answer of the request that has begun, if one has. For `after_request`."""
        begun: tuple[str, str] | None = g.pop("once", None)
        if begun is not None:
            phone, key = begun
            headers = tuple((name, value) for name, value in response.headers if name in _REPEATED)
            self._answers.finish(phone, key, Answer(response.status_code, response.get_data(), headers))
        return response
