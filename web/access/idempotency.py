"""Idempotency keys: a request takes effect once, however often it is sent.

A phone that gets no answer cannot know whether its tap arrived, so it sends the request again with the same key. It
gets the answer to the first request, even if that one is still being processed.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final

from flask import Response, g, request

from companion.messages.message import Message
from web.access.phones import Phone
from web.errors import IDEMPOTENCY_KEY, KEY_PATTERN, REPEATED, RequestError

ANSWERS_A_PHONE: Final = 16
"""Answers remembered for each phone; a phone repeats a tap within seconds."""
PHONES_WITH_ANSWERS: Final = 64
"""The number of phones whose answers are remembered: the ones that acted last."""
ANSWER_WAIT: Final = 10.0
"""Seconds to wait for the answer of a request that is being processed."""


_REPEATED: Final = ("Content-Type", "Cache-Control", "Retry-After", "WWW-Authenticate")
"""Headers that are repeated with a repeated answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


class KeyReusedError(ValueError):
    """The key was used for another request."""


class UnderWayError(RuntimeError):
    """The first request with this key is still being processed."""


@dataclass(slots=True)
class _Request:
    what: str
    answer: Future[Answer] = field(default_factory=Future)


class Answers:
    """The answers so far. Thread-safe."""

    def __init__(self, wait: float = ANSWER_WAIT) -> None:
        self._wait = wait
        self._lock = threading.Lock()
        self._phones: OrderedDict[str, dict[str, _Request]] = OrderedDict()

    def begin(self, phone: str, key: str, what: str) -> Answer | None:
        """The earlier answer, or None for a new request, after which `finish` must be called.

        `what` identifies the request. Raises `KeyReusedError` and `UnderWayError`.
        """
        with self._lock:
            requests = self._phones.setdefault(phone, {})
            self._phones.move_to_end(phone)
            before = requests.get(key)
            if before is None:
                requests[key] = _Request(what)
                self._forget_some(requests)
                return None
        if before.what != what:
            raise KeyReusedError(key)
        try:
            return before.answer.result(self._wait)
        except TimeoutError:
            raise UnderWayError(key) from None

    def finish(self, phone: str, key: str, answer: Answer) -> None:
        with self._lock:
            self._phones[phone][key].answer.set_result(answer)

    def __len__(self) -> int:
        return sum(map(len, self._phones.values()))

    def _forget_some(self, requests: dict[str, _Request]) -> None:
        """Forget the oldest answers, except those of requests that are still being processed."""
        answered = [key for key, request in requests.items() if request.answer.done()]
        for key in answered[: max(0, len(requests) - ANSWERS_A_PHONE)]:
            del requests[key]
        if len(self._phones) > PHONES_WITH_ANSWERS:
            idle = (
                name for name, theirs in self._phones.items() if all(each.answer.done() for each in theirs.values())
            )
            if (oldest := next(idle, None)) is not None:
                del self._phones[oldest]


class Once:
    """The answers so far, by phone and key."""

    def __init__(self) -> None:
        self._answers = Answers()

    def begin(self, phone: Phone, busy: Message) -> Response | None:
        """The answer to the first request with this key; None for a new request, whose answer goes to `remember`.

        `busy`: the refusal while the first request is still being processed. Raises `RequestError`.
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
        """Remember the answer of the request begun before, if any. For `after_request`."""
        begun: tuple[str, str] | None = g.pop("once", None)
        if begun is not None:
            phone, key = begun
            headers = tuple((name, value) for name, value in response.headers if name in _REPEATED)
            self._answers.finish(phone, key, Answer(response.status_code, response.get_data(), headers))
        return response
