"""Idempotency keys: a request counts once, however often it is sent.

A phone that hears no answer cannot know whether its tap arrived, and sends it again under the same key. It gets the
answer of the first time, also when that is still being worked on.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

ANSWERS_A_PHONE: Final = 16
"""Answers remembered for each phone; a phone repeats a tap within seconds."""
PHONES_WITH_ANSWERS: Final = 64
"""Phones whose answers are remembered, those that acted last."""
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
    answer: Answer | None = None


class Answers:
    """The answers so far. Thread-safe."""

    def __init__(self, wait: float = ANSWER_WAIT) -> None:
        self._wait = wait
        self._answered = threading.Condition()
        self._phones: OrderedDict[str, OrderedDict[str, _Request]] = OrderedDict()

    def begin(self, phone: str, key: str, what: str) -> Answer | None:
        """The answer given before, or None for a new request: then `finish` must be called in the end.

        `what` tells one request from another. Raises `KeyReusedError` and `UnderWayError`.
        """
        with self._answered:
            taps = self._phones.setdefault(phone, OrderedDict())
            self._phones.move_to_end(phone)
            before = taps.get(key)
            if before is None:
                taps[key] = _Request(what)
                self._forget_some(taps)
                return None
            if before.what != what:
                raise KeyReusedError(key)
            if not self._answered.wait_for(lambda: before.answer is not None, self._wait):
                raise UnderWayError(key)
            return before.answer

    def finish(self, phone: str, key: str, answer: Answer) -> None:
        with self._answered:
            taps = self._phones.get(phone)
            tap = None if taps is None else taps.get(key)
            if tap is not None:
                tap.answer = answer
                self._answered.notify_all()

    def __len__(self) -> int:
        return sum(map(len, self._phones.values()))

    def _forget_some(self, taps: OrderedDict[str, _Request]) -> None:
        """Forget the oldest, except those still being worked on."""
        answered = [key for key, tap in taps.items() if tap.answer is not None]
        for key in answered[: max(0, len(taps) - ANSWERS_A_PHONE)]:
            del taps[key]
        if len(self._phones) > PHONES_WITH_ANSWERS:
            idle = (
                name for name, theirs in self._phones.items() if all(tap.answer is not None for tap in theirs.values())
            )
            if (oldest := next(idle, None)) is not None:
                del self._phones[oldest]
