"""Idempotency keys: a request counts once, however often it is sent.

A phone that gets no answer cannot know whether its tap arrived, and sends it again with the same key. It gets the
answer to the first request, even if that one is still being worked on.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final

ANSWERS_A_PHONE: Final = 16
"""Answers remembered for each phone; a phone repeats a tap within seconds."""
PHONES_WITH_ANSWERS: Final = 64
"""How many phones' answers are remembered: those of the phones that acted last."""
ANSWER_WAIT: Final = 10.0
"""Seconds to wait for the answer of a request that is being worked on."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


class KeyReusedError(ValueError):
    """The key was used for another request."""


class UnderWayError(RuntimeError):
    """The first request of this key is still being worked on."""


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
        """Forget the oldest, except those still being worked on."""
        answered = [key for key, request in requests.items() if request.answer.done()]
        for key in answered[: max(0, len(requests) - ANSWERS_A_PHONE)]:
            del requests[key]
        if len(self._phones) > PHONES_WITH_ANSWERS:
            idle = (
                name for name, theirs in self._phones.items() if all(each.answer.done() for each in theirs.values())
            )
            if (oldest := next(idle, None)) is not None:
                del self._phones[oldest]
