"""The hub's broker and its tables without a network."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from companion.member.events import EventFold
from companion.member.outbox import journal_lines
from companion.member.payloads import EventMessage, Online, Payload, RecordEvent, TableState, encode
from companion.member.player_names import table_state
from companion.member.topics import TableTopics
from companion.table.state.state import State
from tests.fakes.club_table import ClubTable


class FakeBroker:
    """A fake of `companion.member.connection.Connection`: everything is heard at once."""

    refused = taken_over = False

    def __init__(self) -> None:
        self.published: list[tuple[str, bytes]] = []
        self._heard: Callable[[str, bytes], None] = lambda _topic, _payload: None
        self._up: Callable[[bool], None] = lambda _up: None

    def open(self, heard: Callable[[str, bytes], None], up: Callable[[bool], None]) -> None:
        self._heard, self._up = heard, up
        up(True)

    def subscribe(self, topic: str, *, retained: bool = True) -> None: ...

    def publish(self, topic: str, payload: bytes, *, qos: int = 0, retain: bool = False) -> None:
        self.published.append((topic, payload))

    def close(self) -> None: ...
    def give_way(self) -> None: ...

    def be_there(self, there: bool) -> None:
        """Lose the connection, or have it again."""
        self._up(there)

    def publish_as_table(self, topic: str, payload: bytes) -> None:
        """A table publishes anything."""
        self._heard(topic, payload)

    def say(self, topic: str, payload: Payload) -> None:
        """A table publishes this."""
        self._heard(topic, encode(payload))


class NoCredentials:
    """A fake of `companion.club.credentials.Credentials` on a broker without passwords."""

    available = False

    def admit(self, table: str, password: str) -> str:
        return ""

    def admit_home(self, password: str) -> str:
        return ""

    def remove(self, table: str) -> None: ...


class FakeMember:
    """A table of the club: what it says is what the journal and the state of a real `Table` give."""

    def __init__(
        self,
        broker: FakeBroker,
        club: str,
        table: str,
        name: str,
        folder: Path,
        players: tuple[str, ...],
        seed: int = 1,
    ) -> None:
        """`folder` is for its journal. Everybody in `players` agreed to be named."""
        self.name, self.id = name, table
        self.club_table = ClubTable(folder, players, random.Random(seed), trouble=0.0)
        self.consent: tuple[str, ...] = players
        self._topics, self._broker = TableTopics(club, table), broker
        self._fold, self._read = EventFold(table), 0
        self._before: EventMessage | None = None

    def close(self) -> None:
        self.club_table.close()

    def be_online(self, online: bool = True) -> None:
        self._broker.say(self._topics.online, Online(online=online, name=self.name))

    def tell(self) -> State:
        """Publish what is new; the table's state."""
        self.show(self.state())
        for line in journal_lines(self.club_table.folder, self._read):
            self._read = line.seq
            for message in self._fold.step(line, self.consent):
                self._say(message)
        return self.club_table.table.state()

    def state(self) -> TableState:
        """What the club may see of the table."""
        history, state = self.club_table.table.history()
        return table_state(history.position, state, self.consent)

    def show(self, state: TableState) -> None:
        """Publish a state that is not the table's own."""
        self._broker.say(self._topics.state, state)

    def act_until(self, so: Callable[[State], bool]) -> State:
        """Play on until the state is such a one, and publish it."""
        state = self.club_table.act()
        while not so(state):
            state = self.club_table.act()
        self.tell()
        return state

    def record(self, record: RecordEvent) -> None:
        """Publish the record of a game that was never played."""
        before, seq = (None, 0) if self._before is None else (self._before.key, self._before.seq + 1)
        self._say(EventMessage(run="records", seq=seq, before=before, at=record.ended, what=record))

    def _say(self, message: EventMessage) -> None:
        self._before = message
        self._broker.say(self._topics.event, message)
