"""Ports that nobody uses."""

from __future__ import annotations

import secrets
import socket
from typing import Final

FREE_PORTS: Final = range(20_000, 32_768)
"""Below those that Linux gives to outgoing connections: one of them, retried again and again while nobody listens,
could connect to itself, and keep the port from its broker.
"""


def free_port(host: str = "") -> int:
    """A TCP port of `host` that nobody listens on at the moment; "" is all addresses. Raises `OSError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for _ in range(len(FREE_PORTS)):
        port = FREE_PORTS[secrets.randbelow(len(FREE_PORTS))]
        with socket.socket(family, socket.SOCK_STREAM) as attempt:
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                attempt.bind((host, port))
            except OSError:
                continue
            return port
    raise OSError("no port is free")
