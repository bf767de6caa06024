"""Answers that take long to compute, such as the story of a game.

Each is computed once per version of the state, and one at a time, so that phones that ask in a loop take only a share
of one processor. The table is not locked meanwhile: no tap waits.
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
"""Requests of phones that have not joined that may wait at once; there are as many places for phones that have joined.
Each request holds one of the server's threads (`web.stream.guests.Limits`), and the DUDO button needs a free one.
"""
MOST_FOR_ONE: Final = 4
"""Requests of one phone, or of all phones at one address that have not joined, that may wait at once."""
MOST_KEPT: Final = 64
"""Answers in memory; the oldest is forgotten first."""


class AnswerCache:
    """The latest answers. Thread-safe."""

    def __init__(self) -> None:
        self._strangers = threading.BoundedSemaphore(MOST_WAITING)
        self._joined = threading.BoundedSemaphore(MOST_WAITING)
        self._lock = threading.Lock()
        self._counting = threading.Lock()
        self._waiting: Counter[str] = Counter()
        """Phone or address -> its waiting requests."""
        self._answers: dict[Hashable, tuple[int, bytes]] = {}
        """Name -> the version for which the answer was computed, and the answer."""

    def get(
        self,
        name: Hashable,
        work_out: Callable[[], bytes],
        version: Callable[[], int] = lambda: 0,
        *,
        by: str = "",
        joined: bool = False,
    ) -> bytes:
        """The answer with that name, at least as new as `version()`.

        `by`: the phone or address that asks; "" is not counted. `joined`: True if the phone has joined. Raises
        `RequestError` (503) if too many requests wait.
        """
        if (answer := self._known(name, version())) is not None:
            return answer
        with self._place(by, self._joined if joined else self._strangers), self._lock:
            now = version()  # read first: the answer may be newer than this version, but never older
            if (answer := self._known(name, now)) is None:
                answer = work_out()
                self._answers.pop(name, None)
                self._answers[name] = now, answer
                if len(self._answers) > MOST_KEPT:
                    del self._answers[next(iter(self._answers))]
            return answer

    @contextmanager
    def _place(self, by: str, places: threading.BoundedSemaphore) -> Iterator[None]:
        """Occupy a waiting place. Raises `RequestError` (503) if there is none."""
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
                self._waiting += Counter()  # removes zero counts
            places.release()

    def _known(self, name: Hashable, version: int) -> bytes | None:
        at, answer = self._answers.get(name, (None, None))
        return answer if at == version else None
