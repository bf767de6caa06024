"""Restarts of the program, and what the next start has to do."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

from companion.state_folder import SECOND_FILE

REPAIR_FILE: Final = "repair-journal"
"""In the state folder: the next start examines the journal, and sets it aside if it is damaged."""


class Restart:
    """A restart, which any part can request and `companion.app` carries out. Thread-safe."""

    def __init__(self) -> None:
        self._due = threading.Event()
        self._stop: threading.Event | None = None

    def ask(self) -> None:
        self._due.set()
        if self._stop is not None:
            self._stop.set()

    def attach(self, stop: threading.Event) -> None:
        """Set `stop`, the event that ends the program, when a restart is requested."""
        self._stop = stop
        if self._due.is_set():
            stop.set()

    @property
    def due(self) -> bool:
        """True if a restart was requested."""
        return self._due.is_set()


def repair_wanted(folder: Path) -> bool:
    """True if a repair was requested for this start. Removes the request."""
    try:
        (folder / REPAIR_FILE).unlink()
    except OSError:
        return False
    return True


def become_second(folder: Path) -> None:
    """Make the next start give up the other box's identity. `folder` is the state folder. Raises `OSError`."""
    (folder / SECOND_FILE).touch()
