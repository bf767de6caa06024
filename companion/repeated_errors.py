"""Logs a repeated error once, and then its count, so that it does not hide all others in the log."""

from __future__ import annotations

import logging
import threading
from typing import Final

AGAIN_AFTER: Final = 3600.0
"""Seconds after which an error that still repeats is logged again, with its count."""


class RepeatedErrors(logging.Filter):
    """Suppresses a warning or error if it is the last one that the same place in the program logged. For a handler."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._last: dict[tuple[str, int], tuple[str, float, int]] = {}
        """Place in the program -> its last error, when it was logged, and how often it was suppressed since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True to log `record`. The number of suppressed errors before it is added to its message."""
        if record.levelno < logging.WARNING:
            return True
        place = (record.pathname, record.lineno)
        # An exception's message names what failed, such as one of many callbacks; the exception itself says why.
        raised = record.exc_info[1] if record.exc_info else None
        # Stored in the record, because another handler's filter may change its message.
        error: str = record.__dict__.setdefault("error", record.getMessage() if raised is None else repr(raised))
        with self._lock:
            last, at, count = self._last.get(place, ("", 0.0, 0))
            if error == last and abs(record.created - at) < AGAIN_AFTER:  # the clock may be set back
                self._last[place] = last, at, count + 1
                return False
            self._last[place] = error, record.created, 0
        if count and not hasattr(record, "held_back"):
            record.held_back = count
            record.msg, record.args = f"{record.getMessage()} (the error before this one: {count} times more)", None
        return True
