"""The topics of a club on its broker.

    perudo/v1/<club>/hub             the hub, whether it is there: retained, and its will
    perudo/v1/<club>/t/<table>/online    the table, whether it is there: retained, and its will
    perudo/v1/<club>/t/<table>/state     what a watching phone may see: retained, QoS 0
    perudo/v1/<club>/t/<table>/event     what goes into the books: QoS 1, until the hub's own acknowledgement
    perudo/v1/<club>/t/<table>/ack       from the hub: what is in its books, or is missing: QoS 1
    perudo/v1/<club>/t/<table>/assign    from the hub: who plays here next: retained
    perudo/v1/<club>/t/<table>/home          what Home Assistant may know of the table: retained, QoS 0
    perudo/v1/<club>/t/<table>/home/event    what it may react to: never retained, and not sent after a disconnection
    perudo/v1/<club>/t/<table>/command       to the table: the name of a button; only with `commands = true`

The hub answers a table's `online` with an `ack`, and the table sends what follows. An empty `online` says that the
table has left the club. A table may write only its own `online`, `state`, `event` and `home`, and read only its `ack`,
its `assign` and the hub's topic. docs/reference/club.md has the payloads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Meta

from companion.messages.sentence import TEXT_END

ROOT: Final = "perudo/v1"
"""Grows with a change that an older hub or table cannot read."""
SLUG: Final = r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?"
"""Ids of clubs and tables: they are levels of a topic, and parts of an address."""
Slug = Annotated[str, Meta(pattern=f"^{SLUG}{TEXT_END}")]


@dataclass(frozen=True, slots=True)
class TableTopics:
    """The topics of one table."""

    club: str
    table: str

    @property
    def base(self) -> str:
        return f"{ROOT}/{self.club}/t/{self.table}"

    @property
    def online(self) -> str:
        return f"{self.base}/online"

    @property
    def state(self) -> str:
        return f"{self.base}/state"

    @property
    def event(self) -> str:
        return f"{self.base}/event"

    @property
    def ack(self) -> str:
        return f"{self.base}/ack"

    @property
    def assign(self) -> str:
        return f"{self.base}/assign"

    @property
    def home(self) -> str:
        return f"{self.base}/home"

    @property
    def home_event(self) -> str:
        return f"{self.home}/event"

    @property
    def retained(self) -> tuple[str, ...]:
        """Those of which the broker keeps the last message."""
        return self.online, self.state, self.assign, self.home

    @property
    def command(self) -> str:
        """Subscribe without retained messages: a press counts only at its moment."""
        return f"{self.base}/command"


def hub_topic(club: str) -> str:
    """Where the hub says whether it is there."""
    return f"{ROOT}/{club}/hub"


def tables_topic(club: str, kind: str) -> str:
    """The subscription to one topic of every table, such as "event"."""
    return f"{ROOT}/{club}/t/+/{kind}"


def table_of(topic: str, club: str) -> tuple[str, str] | None:
    """The table and the kind of one of a table's topics, as ("t-1", "state"); None for any other topic."""
    found = re.fullmatch(rf"{re.escape(ROOT)}/{re.escape(club)}/t/({SLUG})/([a-z]+)", topic)
    return None if found is None else (found[1], found[2])
