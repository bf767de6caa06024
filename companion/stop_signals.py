"""Turns Ctrl-C and SIGTERM into an event, for programs that clean up before they end."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def stop_signals() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set. A second signal ends the program at once."""
    stop = threading.Event()

    def handle(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        for each in before:
            signal.signal(each, signal.SIG_DFL)

    before = {each: signal.signal(each, handle) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
