"""Whether the program is alive, so that systemd's watchdog is told so only then.

What a new start would not mend is no part of it: a camera without a cable and a full disk are told to the players, and
the game goes on from the phones.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping

from companion.box.service.notify import Notifier

log = logging.getLogger(__name__)


class Pulse:
    """Looks at the parts, and pings for as long as all of them live."""

    def __init__(
        self,
        notifier: Notifier,
        parts: Mapping[str, Callable[[], bool]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`parts`: what each is called in the log -> whether it lives. One that raises does not."""
        self._notifier = notifier
        self._parts = parts
        self._clock = clock
        self._looked = float("-inf")
        self._dead: tuple[str, ...] = ()

    def beat(self, status: str) -> tuple[str, ...]:
        """Look, and ping if all is well; `status` is told then. Gives the parts that do not live.

        To be called every few seconds: it looks three times in the time that systemd waits for a ping, and every time
        while a part does not live, so that one slow moment is not the end. Without a watchdog nothing is looked at.
        """
        if self._notifier.watchdog is None:
            self._notifier.status(status)
            return ()
        if not self._dead and self._clock() - self._looked < self._notifier.watchdog / 3:
            return ()
        self._looked = self._clock()
        dead = tuple(name for name, lives in self._parts.items() if not _asked(name, lives))
        if dead:
            said = f"not alive: {', '.join(dead)}"
            if dead != self._dead:
                log.error("%s; without a change systemd starts the program again", said)
            self._notifier.status(said)
        else:
            self._notifier.status(status)
            self._notifier.alive()
        self._dead = dead
        return dead


def _asked(name: str, lives: Callable[[], bool]) -> bool:
    try:
        return lives()
    except Exception:
        log.exception("%s could not be asked whether it lives", name)
        return False
