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
    """Wait until nothing of this machine accepts connections on a port. Fails after `WAIT_PATIENCE` seconds."""
    wait_until(lambda: not accepts(socket.AF_INET, ("127.0.0.1", port)))


def accepts(family: socket.AddressFamily, address: tuple[str, int] | str) -> bool:
    """Whether something accepts connections there. What closes at this very moment resets them, and does not."""
    with socket.socket(family, socket.SOCK_STREAM) as attempt:
        attempt.settimeout(WAIT_PATIENCE)
        try:
            attempt.connect(address)
        except OSError:
            return False
    return True
