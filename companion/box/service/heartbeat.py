"""The heartbeat for systemd's watchdog: it beats while every part is alive.

What a restart would not mend, a loose camera cable or a full disk, does not stop it: the players are told, and play on
from their phones.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping

from companion.box.service.notifier import Notifier

log = logging.getLogger(__name__)


class Heartbeat:
    """Pings systemd while every part is alive."""

    def __init__(
        self,
        notifier: Notifier,
        parts: Mapping[str, Callable[[], bool]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`parts`: its name in the log -> whether it is alive. A part that raises is not."""
        self._notifier = notifier
        self._parts = parts
        self._clock = clock
        self._checked = float("-inf")
        self._dead: tuple[str, ...] = ()

    def beat(self, status: str) -> tuple[str, ...]:
        """Check the parts; if all are alive, ping systemd and send it `status`. Returns the parts that are not.

        Call it every few seconds. It checks three times per watchdog period, and at every call while a part is not
        alive, so that one slow moment does not cause a restart. Without a watchdog it checks nothing.
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
