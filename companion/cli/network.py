"""Which address phones reach this machine by."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

LOOPBACK: Final = "127.0.0.1"

NOWHERE: Final = ("192.0.2.1", 9)
"""An address set aside for documentation (RFC 5737). Nothing is ever sent there."""


def lan_address() -> str | None:
    """This machine's address on the network it would leave by, None when it is on none.

    Connecting a datagram socket sends nothing: it only asks the system which way it would go.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(NOWHERE)
        except OSError:
            return None
        address = str(asking.getsockname()[0])
    return None if ipaddress.ip_address(address).is_unspecified else address


def url(host: str, port: int) -> str:
    """The page's address, as phones can open it, of a server that listens on `host` and `port`."""
    if host in ("0.0.0.0", "::", ""):
        host = lan_address() or LOOPBACK
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
