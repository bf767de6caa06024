"""The events of a table that the hub has not acknowledged yet, and which of them to send. Pure.

They are made from the journal whenever they are needed (`companion.club.member.event_fold`); so there is no file of
what was sent, and no event can be lost between two files.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from companion.club.payloads import Acknowledgement, EventKey, EventMessage

WINDOW: Final = 50
"""Events that may be on their way at once."""
ACK_PATIENCE_SECONDS: Final = 10.0
"""After this long without an acknowledgement, what is on its way is sent again."""


class Outbox:
    """What follows the event that the hub has acknowledged last."""

    def __init__(self, since: EventKey | None) -> None:
        """`since`: the hub has this one and all before it; None: it has none."""
        self.since = since
        self._found = since is None
        """Whether `since` was among the events. If it never is, the hub has seen another journal, and gets all of this
        one: it knows what it has."""
        self._waiting: deque[EventMessage] = deque()
        self._sent = 0
        """How many of the waiting are on their way."""
        self._sent_at = float("-inf")

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, messages: Iterable[EventMessage]) -> None:
        """The next events of the journal, from its first one on."""
        for message in messages:
            self._waiting.append(message)
            if not self._found and message.key == self.since:
                self._found = True
                self._waiting.clear()

    def acknowledge(self, ack: Acknowledgement) -> bool:
        """Note what the hub has. False if it wants events from before the waiting: then begin anew with `ack.key`."""
        if ack.key != self.since:
            known = next((n for n, message in enumerate(self._waiting) if message.key == ack.key), None)
            if known is None:
                return not ack.missing
            for _ in range(known + 1):
                self._waiting.popleft()
            self.since, self._sent = ack.key, max(0, self._sent - known - 1)
            self._sent_at = float("-inf") if self._sent == 0 else self._sent_at
        if ack.missing:
            self.send_again()
        return True

    def send_again(self) -> None:
        """Nothing is on its way any more: the connection was lost, or the hub was away."""
        self._sent = 0

    def due(self, now: float) -> list[EventMessage]:
        """What to send now, which then counts as on its way. `now`: monotonic seconds."""
        if self._sent and now - self._sent_at >= ACK_PATIENCE_SECONDS:
            self.send_again()
        found = [self._waiting[n] for n in range(self._sent, min(WINDOW, len(self._waiting)))]
        if found:
            self._sent += len(found)
            self._sent_at = now
        return found
