"""How phones and lamps hear of a new state, without ever holding up the table."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Protocol

from companion.table.state.state import State

Told = tuple[int, State]
"""A version and the state of that version."""


class Listener(Protocol):
    """Whoever is told of every new state."""

    def put(self, told: Told) -> None:
        """A new state. The table holds its lock meanwhile: nothing may be waited for."""

    def close(self) -> None:
        """Nothing more comes."""


class Subscription:
    """One listener's place, with room for one state: the newest.

    Every state is whole, so a listener that is slow loses nothing by skipping some; and a place that holds one state
    can neither grow nor block.
    """

    def __init__(self, now: Told, leave: Callable[[Subscription], None]) -> None:
        self._news = threading.Condition()
        self._newest: Told = now
        self._told = -1
        self._open = True
        self._leave = leave

    @property
    def open(self) -> bool:
        """False once closed by either side; nothing more comes then."""
        return self._open

    def get(self, block: bool = True, timeout: float | None = None) -> Told:
        """The newest state not yet told here, waiting up to `timeout` seconds for one (None: for ever).

        Raises `queue.Empty`, as a `queue.Queue` would, when none came in time or the subscription is closed.
        """
        with self._news:
            self._news.wait_for(lambda: not self._open or self._newest[0] > self._told, timeout if block else 0)
            if not self._open or self._newest[0] <= self._told:
                raise queue.Empty
            self._told = self._newest[0]
            return self._newest

    def put(self, told: Told) -> None:
        """Hand over a new state. Never waits for the listener."""
        with self._news:
            self._newest = told
            self._news.notify_all()

    def close(self) -> None:
        """Listen no more. Safe to call twice."""
        with self._news:
            self._open = False
            self._news.notify_all()
        self._leave(self)

    def __enter__(self) -> Subscription:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
