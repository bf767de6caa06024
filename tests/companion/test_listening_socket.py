"""Where the page listens: on every address of this machine, of IPv6 too where there is IPv6."""

from __future__ import annotations

import errno
import socket
from typing import Any

import pytest

from companion.listening_socket import listen


def reached(listening: socket.socket, host: str) -> bool:
    """Whether a connection to `host` arrives."""
    try:
        with socket.create_connection((host, listening.getsockname()[1]), 10.0):
            listening.settimeout(10.0)
            listening.accept()[0].close()
            return True
    except ConnectionRefusedError:
        return False


def test_everywhere_is_ipv6_and_ipv4() -> None:
    with listen("::", 0) as both:
        assert [reached(both, host) for host in ("127.0.0.1", "::1")] == [True, True]
    with listen("0.0.0.0", 0) as old:
        assert [reached(old, host) for host in ("127.0.0.1", "::1")] == [True, False]


@pytest.mark.parametrize("number", [errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL])
def test_without_ipv6_everywhere_is_ipv4(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    real = socket.socket

    def without_ipv6(family: int = -1, *more: Any) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(number, "no IPv6")
        return real(family, *more)

    with monkeypatch.context() as patch:
        patch.setattr(socket, "socket", without_ipv6)
        with pytest.raises(OSError, match="no IPv6"):
            listen("::1", 0)
        listening = listen("::", 0)
    with listening:
        assert reached(listening, "127.0.0.1")


@pytest.mark.parametrize("host", ["0.0.0.0", "::1"])
def test_a_port_that_another_has_on_one_of_the_two_is_taken(host: str) -> None:
    with listen(host, 0) as other, pytest.raises(OSError, match="in use"):
        listen("::", other.getsockname()[1])
