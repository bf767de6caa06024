"""An error that repeats is logged once, then by its count: a log full of one error hides all others."""

from __future__ import annotations

import logging
import threading
from typing import Final

AGAIN_AFTER: Final = 3600.0
"""Seconds after which an error that still repeats is logged again, with its count."""


class RepeatedErrors(logging.Filter):
    """Holds back a warning or an error if the same place in the program logged the same one last. For a handler."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._last: dict[tuple[str, int], tuple[str, float, int]] = {}
        """Place in the program -> the error it logged last, when, and how often it was held back since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether `record` is logged. What was held back before it is added to its message."""
        if record.levelno < logging.WARNING:
            return True
        place = (record.pathname, record.lineno)
        # Of an exception, the message names what failed, such as one of many callbacks; the exception says why.
        raised = record.exc_info[1] if record.exc_info else None
        # Kept in the record, as another handler's filter may change its message.
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
