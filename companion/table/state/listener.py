"""How phones and the panel receive each new state, without delaying the table."""

from __future__ import annotations

import queue
import threading
from typing import Protocol

from companion.table.state.state import State


class Listener(Protocol):
    """Receives every new state."""

    def put(self, state: State) -> None:
        """Receive a new state. The table is locked meanwhile: this must not wait."""

    def close(self) -> None:
        """No more states follow."""


class NewestState:
    """A listener that holds one state: the newest.

    Every state is complete, so a slow reader may skip some, and a single slot can neither grow nor block.
    """

    def __init__(self) -> None:
        self.open = True
        self._news = threading.Condition()
        self._state: State | None = None

    def get(self, timeout: float | None = None) -> State:
        """The newest state not returned before; waits up to `timeout` seconds for one (None: forever).

        Raises `queue.Empty`, like `queue.Queue`, if none came in time or this listener is closed.
        """
        with self._news:
            self._news.wait_for(lambda: not self.open or self._state is not None, timeout)
            state, self._state = self._state, None
            if not self.open or state is None:
                raise queue.Empty
            return state

    def put(self, state: State) -> None:
        with self._news:
            self._state = state
            self._news.notify_all()

    def close(self) -> None:
        """Wake a waiting reader. Can be called twice."""
        with self._news:
            self.open = False
            self._news.notify_all()
