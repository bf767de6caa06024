"""What systemd is told by a service of Type=notify: sd_notify(3), which is a datagram to a socket.

Where nobody listens, because the program was not started by systemd, everything here does nothing.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping
from typing import Final

log = logging.getLogger(__name__)

LONGEST: Final = 200
"""Letters of a status: `systemctl status` shows it on one line."""


class Notifier:
    """Tells systemd how the service is. Safe to use from several threads."""

    def __init__(self, address: str = "", watchdog: float | None = None) -> None:
        """`address` is that of $NOTIFY_SOCKET, "" for nobody; `watchdog` the seconds within which a ping is due."""
        self._address = address
        self._status = ""
        self.watchdog = watchdog

    @classmethod
    def of(cls, environ: Mapping[str, str] = os.environ, pid: int | None = None) -> Notifier:
        """As systemd says in `environ`. $WATCHDOG_PID names another process where the watchdog is not for this one."""
        usec = environ.get("WATCHDOG_USEC", "")
        ours = environ.get("WATCHDOG_PID", str(pid or os.getpid())) == str(pid or os.getpid())
        watchdog = int(usec) / 1e6 if ours and usec.isdecimal() and int(usec) > 0 else None
        return cls(environ.get("NOTIFY_SOCKET", ""), watchdog)

    @property
    def listened(self) -> bool:
        """Whether systemd wants to be told."""
        return bool(self._address)

    def ready(self, status: str) -> None:
        """The page answers."""
        self._status = _line(status)
        self._send("READY=1", f"STATUS={self._status}")

    def status(self, status: str) -> None:
        """What `systemctl status` shows. The same again is not sent."""
        if (line := _line(status)) != self._status:
            self._status = line
            self._send(f"STATUS={line}")

    def alive(self) -> None:
        """The ping that systemd's watchdog waits for."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The service was asked to stop, and is at it."""
        self._send("STOPPING=1")

    def _send(self, *lines: str) -> None:
        if not self._address:
            return
        # An address with @ before it is in Linux's abstract namespace, which is written with a NUL: unix(7).
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as telling:
                telling.settimeout(1.0)
                telling.sendto("\n".join(lines).encode(), address)
        except OSError as error:
            log.warning("systemd cannot be told %s: %s", lines[0], error)


def _line(text: str) -> str:
    one = " ".join(text.split())
    return one if len(one) <= LONGEST else f"{one[: LONGEST - 3]}..."
