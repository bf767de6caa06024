"""Messages to systemd from a service with Type=notify, and the heartbeat for its watchdog.

See sd_notify(3): each message is a datagram to a socket. Nothing is sent if systemd did not start the program.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Mapping
from typing import Final

log = logging.getLogger(__name__)

START_SECONDS: Final = 60

LONGEST_STATUS: Final = 200
"""Characters, because `systemctl status` shows the status on one line."""


class Notifier:
    """Tells systemd the state of the service. Thread-safe."""

    def __init__(self, address: str = "", watchdog: float | None = None) -> None:
        """`address` is $NOTIFY_SOCKET, or "". `watchdog` is the seconds within which a ping is due."""
        self._address = address
        self._status = ""
        self.watchdog = watchdog

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Notifier:
        """The notifier configured by `environ`. $WATCHDOG_PID, if set, is the process that the watchdog watches."""
        usec = environ.get("WATCHDOG_USEC", "")
        ours = environ.get("WATCHDOG_PID") in (None, str(os.getpid()))
        watchdog = int(usec) / 1e6 if ours and usec.isdecimal() and int(usec) > 0 else None
        return cls(environ.get("NOTIFY_SOCKET", ""), watchdog)

    @property
    def under_systemd(self) -> bool:
        """True if systemd started the program."""
        return bool(self._address)

    def starting(self) -> None:
        """Give the start another `START_SECONDS`, from now, until `ready`. Call it repeatedly in a long start."""
        self._send(f"EXTEND_TIMEOUT_USEC={START_SECONDS * 1_000_000}")

    def ready(self, status: str) -> None:
        """Tell systemd that the page answers."""
        self._status = _line(status)
        self._send("READY=1", f"STATUS={self._status}")

    def status(self, status: str) -> None:
        """Set the status shown by `systemctl status`, if it has changed."""
        if (line := _line(status)) != self._status:
            self._status = line
            self._send(f"STATUS={line}")

    def alive(self) -> None:
        """Ping the watchdog."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def _send(self, *lines: str) -> None:
        if not self._address:
            return
        # A leading @ means Linux's abstract namespace, which is written with a NUL byte: unix(7).
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
                channel.settimeout(1.0)
                channel.sendto("\n".join(lines).encode(), address)
        except OSError as error:
            log.warning("systemd cannot be told %s: %s", lines[0], error)


class Heartbeat:
    """Pings systemd as long as every part is alive.

    A loose camera cable or a full disk does not stop it, since a restart would not help: the players see a message, and
    continue on their phones.
    """

    def __init__(
        self,
        notifier: Notifier,
        parts: Mapping[str, Callable[[], bool]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`parts`: name in the log -> a function that returns True if the part is alive. A part that raises is dead."""
        self._notifier = notifier
        self._parts = parts
        self._clock = clock
        self._checked = float("-inf")
        self._dead: tuple[str, ...] = ()

    def beat(self, status: str) -> tuple[str, ...]:
        """Check the parts; if all are alive, ping systemd and send it `status`. Returns the dead parts.

        Call it every few seconds. It checks three times per watchdog period, and at every call while a part is dead, so
        that one slow moment does not cause a restart. Without a watchdog it checks nothing.
        """
        if self._notifier.watchdog is None:
            self._notifier.status(status)
            return ()
        if not self._dead and self._clock() - self._checked < self._notifier.watchdog / 3:
            return ()
        self._checked = self._clock()
        dead = tuple(name for name, lives in self._parts.items() if not _is_alive(name, lives))
        if dead:
            sentence = f"not alive: {', '.join(dead)}"
            if dead != self._dead:
                log.error("%s; without a change systemd starts the program again", sentence)
            self._notifier.status(sentence)
        else:
            self._notifier.status(status)
            self._notifier.alive()
        self._dead = dead
        return dead


def _is_alive(name: str, lives: Callable[[], bool]) -> bool:
    try:
        return lives()
    except Exception:
        log.exception("%s could not be asked whether it lives", name)
        return False


def _line(text: str) -> str:
    one = " ".join(text.split())
    return one if len(one) <= LONGEST_STATUS else f"{one[: LONGEST_STATUS - 3]}..."
