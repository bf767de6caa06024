"""A restart of the program, and what the next start is to do."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

from companion.state_folder import SECOND_FILE

REPAIR_FILE: Final = "repair-journal"
"""In the state folder: the journal is to be examined, and set aside if it is damaged, at the next start."""


class Restart:
    """A restart, which any part asks for and `companion.app` carries out. Thread-safe."""

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


def repair_wanted(folder: Path) -> bool:
    """Whether a repair is due at this start. The request is removed."""
    try:
        (folder / REPAIR_FILE).unlink()
    except OSError:
        return False
    return True


def become_second(folder: Path) -> None:
    """Have the next start give up what is the other box's. `folder` is the state folder. Raises `OSError`."""
    (folder / SECOND_FILE).touch()
