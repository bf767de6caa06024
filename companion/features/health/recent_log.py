"""The last lines of the log, in memory: with only a phone, nobody can read the system's journal."""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Iterator
from typing import Final

from companion.messages.printable import printable
from companion.repeated_errors import RepeatedErrors

RECENT_LINES: Final = 500
LONGEST_LOG_LINE: Final = 400
"""Characters; longer lines are cut."""


class RecentLog(logging.Handler):
    """A logging handler that keeps the last lines. Thread-safe."""

    def __init__(self, level: int = logging.INFO) -> None:
        super().__init__(level)
        self.addFilter(RepeatedErrors())
        self.setFormatter(
            logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", datefmt="%Y-%m-%d %H:%M:%S")
        )
        self._lines: deque[str] = deque(maxlen=RECENT_LINES)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, oldest first, without control characters. A traceback has several."""
        self.acquire()
        try:
            return tuple(self._lines)
        finally:
            self.release()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            lines = self.format(record).split("\n")
        except Exception:  # noqa: BLE001 - like every handler: a wrong format string must not end the program
            self.handleError(record)
        else:
            self._lines.extend(printable(line)[:LONGEST_LOG_LINE] for line in lines)


@contextlib.contextmanager
def recent_log() -> Iterator[RecentLog]:
    """Keep the last lines of the program's log from now on. The other handlers receive the same as before."""
    root, recent = logging.getLogger(), RecentLog()
    level, others = root.level, {handler: handler.level for handler in root.handlers}
    for handler in others:
        handler.setLevel(max(handler.level, level))
    root.setLevel(min(level, recent.level))
    root.addHandler(recent)
    try:
        yield recent
    finally:
        root.removeHandler(recent)
        root.setLevel(level)
        for handler, its_level in others.items():
            handler.setLevel(its_level)
