"""Waiting for what other threads and programs do."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from typing import TypeVar

import pytest

WAIT_PATIENCE = 60.0
"""Seconds after which it hangs; however busy a machine is, it takes less."""

_T = TypeVar("_T")


def wait_until(true: Callable[[], _T | None], seconds: float = WAIT_PATIENCE) -> _T:
    """Wait until it is true, and return what it is then. Fails after `seconds`."""
    pause = threading.Event()
    until = time.monotonic() + seconds
    while not (found := true()):
        if time.monotonic() > until:
            pytest.fail("it did not happen in time")
        pause.wait(0.01)
    return found


def wait_until_closed(port: int) -> None:
    """Wait until a port of this machine refuses connections. Fails after `WAIT_PATIENCE` seconds."""

    def refuses() -> bool:
        try:
            socket.create_connection(("127.0.0.1", port), WAIT_PATIENCE).close()
        except ConnectionResetError:  # it closes at this very moment
            return False
        except ConnectionRefusedError:
            return True
        return False

    wait_until(refuses)
