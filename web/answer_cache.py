"""Answers that take long to work out, such as the story of a game.

Each is worked out once for each version of the state, and one at a time, so that phones that ask in a loop take no more
than a share of one processor. The table is not locked meanwhile: no tap waits.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Final

from companion.messages.message import Message
from web.errors import RequestError

MOST_WAITING: Final = 12
"""Requests of strangers that may wait at once, and as many of phones that have joined, which strangers therefore keep
from nothing. Each holds one of the server's threads (`web.stream.guests.Limits`), and the DUDO button needs a free
one."""
MOST_FOR_ONE: Final = 4
"""Requests of one phone that may wait at once, or of all strangers at one address: it takes no other's place."""
MOST_KEPT: Final = 64
"""Answers in memory; the oldest is forgotten first."""


class AnswerCache:
    """The answers worked out last. Thread-safe."""

    def __init__(self) -> None:
        self._strangers = threading.BoundedSemaphore(MOST_WAITING)
        self._joined = threading.BoundedSemaphore(MOST_WAITING)
        self._lock = threading.Lock()
        self._counting = threading.Lock()
        self._waiting: Counter[str] = Counter()
        """How many requests of each wait."""
        self._answers: dict[Hashable, tuple[int, bytes]] = {}
        """By name: the version it was worked out for, and the answer."""

    def get(
        self,
        name: Hashable,
        work_out: Callable[[], bytes],
        version: Callable[[], int] = lambda: 0,
        *,
        by: str = "",
        joined: bool = False,
    ) -> bytes:
        """The answer of that name, which is not older than `version()` is now.

        `by`: the phone or the address that asks; "" is counted with nobody. `joined`: whether the phone has joined.
        Raises `RequestError` (503) if too many requests wait.
        """
        if (answer := self._known(name, version())) is not None:
            return answer
        with self._place(by, self._joined if joined else self._strangers), self._lock:
            now = version()  # before the answer is worked out: it may be newer than that, never older
            if (answer := self._known(name, now)) is None:
                answer = work_out()
                self._answers.pop(name, None)
                self._answers[name] = now, answer
                if len(self._answers) > MOST_KEPT:
                    del self._answers[next(iter(self._answers))]
            return answer

    @contextmanager
    def _place(self, by: str, places: threading.BoundedSemaphore) -> Iterator[None]:
        """A place among those who wait. Raises `RequestError` (503) if there is none."""
        with self._counting:
            if (by and self._waiting[by] >= MOST_FOR_ONE) or not places.acquire(blocking=False):
                raise RequestError(
                    Message("Too many phones ask for this at once. Try again in a moment."),
                    code="busy",
                    headers={"Retry-After": "1"},
                )
            self._waiting[by] += 1
        try:
            yield
        finally:
            with self._counting:
                self._waiting[by] -= 1
                self._waiting += Counter()  # without those who wait no more
            places.release()

    def _known(self, name: Hashable, version: int) -> bytes | None:
        at, answer = self._answers.get(name, (None, None))
        return answer if at == version else None
