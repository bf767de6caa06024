"""The last lines of the log, in memory: whoever has only a phone cannot read the system's journal."""

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
"""Characters; the rest of a longer line is left out."""


class RecentLog(logging.Handler):
    """Keeps the last lines of what is logged. Thread-safe."""

    def __init__(self, level: int = logging.INFO) -> None:
        super().__init__(level)
        self.addFilter(RepeatedErrors())
        self.setFormatter(
            logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", datefmt="%Y-%m-%d %H:%M:%S")
        )
        self._lines: deque[str] = deque(maxlen=RECENT_LINES)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, oldest first, without control characters. A traceback is several."""
        self.acquire()
        try:
            return tuple(self._lines)
        finally:
            self.release()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep what `record` says."""
        try:
            lines = self.format(record).split("\n")
        except Exception:  # noqa: BLE001 - as every handler: a wrong format string must not end the program
            self.handleError(record)
        else:
            self._lines.extend(printable(line)[:LONGEST_LOG_LINE] for line in lines)


@contextlib.contextmanager
def recent_log() -> Iterator[RecentLog]:
    """Keep the last lines of the program's log from now on. The other handlers get no more than before."""
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
