"""Waiting for what other threads and programs do."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

WAIT_PATIENCE: Final = 60.0
"""Seconds; only what hangs takes longer, even beside others on two cores."""
PAUSE: Final = 0.02
"""Seconds between two looks."""

Result = TypeVar("Result")


class WaitedInVainError(AssertionError):
    """What a test waited for did not come. A test that drives a browser is then run once more: tests/conftest.py."""


def wait_until(true: Callable[[], Result | None], what: Callable[[], str] = lambda: "it") -> Result:
    """The result, as soon as it is true. `what` says what was waited for. Raises `WaitedInVainError`."""
    until = time.monotonic() + WAIT_PATIENCE
    while not (result := true()):
        if time.monotonic() > until:
            raise WaitedInVainError(f"waited for {what()}")
        threading.Event().wait(PAUSE)
    return result


def wait_until_closed(port: int) -> None:
    """Wait until a port of this machine refuses connections."""

    def refuses() -> bool:
        try:
            socket.create_connection(("127.0.0.1", port), WAIT_PATIENCE).close()
        except ConnectionResetError:  # it closes at this very moment
            return False
        except ConnectionRefusedError:
            return True
        return False

    wait_until(refuses)
