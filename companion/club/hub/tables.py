"""What the lobby shows of each table, presence and state, in memory, and the streams that report it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

import msgspec

from companion.member.payloads import Assignment, Online, TableState
from companion.messages.natural_order import natural_order
from companion.messages.sentence import Value
from companion.table.state.state import State
from web.stream.stream import Client, encoded

SESSIONS_KEPT: Final = 8
"""Sessions that are kept for each table."""


class LobbyTable(Value, frozen=True, kw_only=True):
    """A table as the lobby shows it."""

    table: str
    name: str
    online: bool
    state: TableState | None
    """None until the table has said something since the hub's start."""
    assignment: Assignment | None
    taken_over: bool = False
    """Two boxes claim to be this table."""


@dataclass(eq=False)
class LobbyFeed:
    """Reports the tables and the books' version to every stream. Thread-safe; never blocks.

    Each change has a number. A stream gets the tables that have changed since its last number, so a slow reader skips
    what is out of date and costs no memory.
    """

    limit: int = 512
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _wake: Callable[[], object] | None = None
    _tables: dict[str, tuple[int, LobbyTable | None, bytes]] = field(default_factory=dict)
    """Table -> the number of its last change, its value (None: it left the club) and the event that reports it; the
    most recently changed is last."""
    _books: tuple[int, bytes] = (0, b"")
    _number: int = 0
    _sessions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Table -> its latest sessions, the last one at the end."""
    _clients: list[Client] = field(default_factory=list)
    closed: bool = False

    def tables(self) -> list[LobbyTable]:
        """Every table, by name."""
        with self._lock:
            found = (each for _, each, _ in self._tables.values() if each is not None)
            return sorted(found, key=lambda each: (natural_order(each.name), each.table))

    def table(self, table: str) -> LobbyTable | None:
        """The table with that id; None if the club has none."""
        with self._lock:
            return self._table(table)

    def know(self, table: str, name: str) -> None:
        """Add a table of the club that has not been heard yet."""
        with self._lock:
            if self._table(table) is None:
                self._put(table, _unheard(table, name))

    def forget(self, table: str) -> None:
        """Remove a table that has left the club. Its messages are ignored until it joins again."""
        with self._lock:
            self._put(table, None)

    def set_online(self, table: str, said: Online) -> bool:
        """Show whether a table is online. It may be unknown to the hub, unless it has left, because a broker without
        passwords needs no invitation; only then does it choose its own name, unless another table has it.

        Returns True if two boxes alternate as this table: a box that restarted or lost its connection does not come
        back in an earlier session.
        """
        taken = said.name in {each.name for each in self.tables() if each.table != table}
        name = table if taken or not said.name else said.name
        with self._lock:
            if said.online and table not in self._tables:
                self._put(table, _unheard(table, name))
            before = self._sessions.get(table, ())
            twice = said.online and said.session in before[:-1]
            if said.online and said.session:
                others = tuple(each for each in before if each != said.session)
                self._sessions[table] = (*others, said.session)[-SESSIONS_KEPT:]
        self._change(
            table,
            lambda now: msgspec.structs.replace(
                now,
                online=said.online,
                name=name if now.name == table else now.name,
                # The will of the box that was displaced says nothing about the other one.
                taken_over=twice or said.taken_over if said.online else now.taken_over,
            ),
        )
        return twice

    def set_state(self, table: str, state: TableState) -> None:
        self._change(table, lambda now: msgspec.structs.replace(now, state=state))

    def set_assignment(self, table: str, assignment: Assignment | None) -> None:
        self._change(table, lambda now: msgspec.structs.replace(now, assignment=assignment))

    def set_books(self, version: int) -> None:
        """The books have changed: the ranking, a game or a tournament."""
        with self._lock:
            self._number += 1
            self._books = (self._number, encoded("books", {"version": version}))
            self._tell()

    # For `web.stream`

    def enter(self, address: str = "") -> Client | None:
        """A place for a stream to `address`; None if there is no room.

        In a full feed it replaces the oldest stream of the address that has the most streams, if that has more.
        """
        with self._lock:
            if self.closed:
                return None
            current = [each for each in self._clients if not each.dropped]
            if len(current) >= self.limit:
                counts = Counter(each.address for each in current)
                most, count = counts.most_common(1)[0]
                if counts[address] + 1 >= count:
                    return None
                next(each for each in current if each.address == most).dropped = True
                self._tell()
            client = Client(None, address)
            self._clients.append(client)
            return client

    def leave(self, client: Client) -> None:
        """Free the place. Safe to call twice."""
        with self._lock:
            if client in self._clients:
                self._clients.remove(client)

    def on_news(self, wake: Callable[[], object] | None) -> None:
        with self._lock:
            self._wake = wake

    def ended(self, client: Client) -> bool:
        return client.dropped or self.closed

    def next(self, client: Client) -> bytes:
        with self._lock:
            since, client.version = client.version, self._number
            changed = takewhile(lambda each: each[0] > since, reversed(self._tables.values()))
            news = [data for _, _, data in changed][::-1]
            if self._books[0] > since:
                news.append(self._books[1])
            return b"".join(news)

    def take_newest(self) -> State | None:
        return None

    def close(self) -> None:
        with self._lock:
            self.closed = True
            self._tell()

    # Internal

    def _table(self, table: str) -> LobbyTable | None:
        found = self._tables.get(table)
        return None if found is None else found[1]

    def _change(self, table: str, change: Callable[[LobbyTable], LobbyTable]) -> None:
        """Change a table; one that is not in the club is ignored."""
        with self._lock:
            now = self._table(table)
            if now is not None and (changed := change(now)) != now:
                self._put(table, changed)

    def _put(self, table: str, now: LobbyTable | None) -> None:
        self._number += 1
        self._tables.pop(table, None)
        event = encoded("gone", {"table": table}) if now is None else encoded("table", now)
        self._tables[table] = (self._number, now, event)
        self._tell()

    def _tell(self) -> None:
        if self._wake is not None:
            self._wake()


def _unheard(table: str, name: str) -> LobbyTable:
    return LobbyTable(table=table, name=name, online=False, state=None, assignment=None)
