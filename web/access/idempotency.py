"""A tap counts once, however often it is sent: the same key of the same phone gets the same answer again.

A phone that heard no answer cannot know whether its tap arrived. So it sends it again, under the same key, and what
was done the first time is not done again, also when it is being done just then.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

KEPT: Final = 16
"""Answers that are remembered for each phone; a phone repeats a tap within seconds."""
MOST_PHONES: Final = 64
"""Phones for which answers are remembered, those that acted last."""
LONGEST_WAIT: Final = 10.0
"""Seconds to wait for the answer to a tap that is being carried out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


class KeyReusedError(ValueError):
    """The key was used for something else before."""


class UnderWayError(RuntimeError):
    """What was sent first under this key is still not answered."""


@dataclass(slots=True)
class _Tap:
    what: str
    answer: Answer | None = None


class Once:
    """The answers so far. Any method may be called from any thread."""

    def __init__(self, wait: float = LONGEST_WAIT) -> None:
        """`wait` in seconds."""
        self._wait = wait
        self._answered = threading.Condition()
        self._phones: OrderedDict[str, OrderedDict[str, _Tap]] = OrderedDict()

    def begin(self, phone: str, key: str, what: str) -> Answer | None:
        """None: this is to be done, and `finish` called in the end, whatever comes of it. Else: it was done before,
        with this answer.

        `what` tells one request from another. Raises `KeyReusedError` and `UnderWayError`.
        """
        with self._answered:
            taps = self._phones.setdefault(phone, OrderedDict())
            self._phones.move_to_end(phone)
            before = taps.get(key)
            if before is None:
                taps[key] = _Tap(what)
                self._forget_some(taps)
                return None
            if before.what != what:
                raise KeyReusedError(key)
            if not self._answered.wait_for(lambda: before.answer is not None, self._wait):
                raise UnderWayError(key)
            return before.answer

    def finish(self, phone: str, key: str, answer: Answer) -> None:
        """What came of it."""
        with self._answered:
            taps = self._phones.get(phone)
            tap = None if taps is None else taps.get(key)
            if tap is not None:
                tap.answer = answer
                self._answered.notify_all()

    def __len__(self) -> int:
        """How many taps are remembered."""
        return sum(map(len, self._phones.values()))

    def _forget_some(self, taps: OrderedDict[str, _Tap]) -> None:
        """The oldest go; those that are being carried out stay, as long as that takes."""
        answered = [key for key, tap in taps.items() if tap.answer is not None]
        for key in answered[: max(0, len(taps) - KEPT)]:
            del taps[key]
        if len(self._phones) > MOST_PHONES:
            idle = (
                name for name, theirs in self._phones.items() if all(tap.answer is not None for tap in theirs.values())
            )
            if (oldest := next(idle, None)) is not None:
                del self._phones[oldest]
