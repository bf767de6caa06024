"""Whether the program is to end and start anew, as after a backup was put back."""

from __future__ import annotations

import threading


class Restart:
    """Asked for by one part, carried out by `companion.station`. Thread-safe."""

    def __init__(self) -> None:
        self._due = threading.Event()
        self._stop: threading.Event | None = None

    def ask(self) -> None:
        """End the program soon, and start it anew."""
        self._due.set()
        if self._stop is not None:
            self._stop.set()

    def attach(self, stop: threading.Event) -> None:
        """Set `stop` when it is asked for: that event ends the program."""
        self._stop = stop
        if self._due.is_set():
            stop.set()

    @property
    def due(self) -> bool:
        """Whether it was asked for."""
        return self._due.is_set()
