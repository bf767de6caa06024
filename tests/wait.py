"""Waiting for what other threads and programs do."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable

import pytest

WAIT_PATIENCE = 15.0
"""Seconds."""


def wait_until(true: Callable[[], object], seconds: float = WAIT_PATIENCE) -> None:
    """Wait until it is true. Fails after `seconds`."""
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            pytest.fail("it did not happen in time")
        time.sleep(0.01)


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
