"""Messages to systemd from a service of Type=notify: sd_notify(3), a datagram to a socket.

Where systemd did not start the program, nothing is sent.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping
from typing import Final

log = logging.getLogger(__name__)

LONGEST_STATUS: Final = 200
"""Characters of a status: `systemctl status` shows it on one line."""


class Notifier:
    """Tells systemd how the service is. Thread-safe."""

    def __init__(self, address: str = "", watchdog: float | None = None) -> None:
        """`address` is $NOTIFY_SOCKET, "" where there is none; a ping is due every `watchdog` seconds."""
        self._address = address
        self._status = ""
        self.watchdog = watchdog

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ, pid: int | None = None) -> Notifier:
        """The notifier that `environ` asks for. The watchdog is ours only if $WATCHDOG_PID, where set, is our `pid`."""
        usec = environ.get("WATCHDOG_USEC", "")
        ours = environ.get("WATCHDOG_PID", str(pid or os.getpid())) == str(pid or os.getpid())
        watchdog = int(usec) / 1e6 if ours and usec.isdecimal() and int(usec) > 0 else None
        return cls(environ.get("NOTIFY_SOCKET", ""), watchdog)

    @property
    def under_systemd(self) -> bool:
        """Whether systemd listens."""
        return bool(self._address)

    def ready(self, status: str) -> None:
        """The page answers."""
        self._status = _line(status)
        self._send("READY=1", f"STATUS={self._status}")

    def status(self, status: str) -> None:
        """Set what `systemctl status` shows, if it has changed."""
        if (line := _line(status)) != self._status:
            self._status = line
            self._send(f"STATUS={line}")

    def alive(self) -> None:
        """Ping the watchdog."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The service is stopping."""
        self._send("STOPPING=1")

    def _send(self, *lines: str) -> None:
        if not self._address:
            return
        # An address with @ before it is in Linux's abstract namespace, which is written with a NUL: unix(7).
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
                channel.settimeout(1.0)
                channel.sendto("\n".join(lines).encode(), address)
        except OSError as error:
            log.warning("systemd cannot be told %s: %s", lines[0], error)


def _line(text: str) -> str:
    one = " ".join(text.split())
    return one if len(one) <= LONGEST_STATUS else f"{one[: LONGEST_STATUS - 3]}..."
