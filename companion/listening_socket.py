"""Opens the sockets that the page is served on."""

from __future__ import annotations

import errno
import socket
from typing import Final

SILENCE_MS: Final = 20_000
"""Milliseconds after which the kernel drops a connection whose phone acknowledges nothing."""
SEND_BUFFER: Final = 64 * 1024
"""Bytes that the kernel buffers for a phone before the server notices that it does not read."""


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes a free one. Raises `OSError` if the address is not available.

    "::" means all addresses of the machine, IPv4 and IPv6, or only IPv4 if there is no IPv6.
    """
    try:
        return _listen(host, port)
    except OSError as error:
        if host != "::" or error.errno not in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
            raise
        return _listen("0.0.0.0", port)


def _listen(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except UnicodeError as error:  # for example, more than 63 letters without a dot
        raise OSError(f"it is no address ({error})") from error
    family, kind, proto, _, address = found[0]
    listening = socket.socket(family, kind, proto)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # not the default everywhere
        # Connections inherit both options.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENCE_MS)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listening.setblocking(False)
        listening.bind(address)
        listening.listen(256)
    except BaseException:
        listening.close()
        raise
    return listening
