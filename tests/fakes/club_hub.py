"""A hub as one table hears it, without broker and network."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path
from typing import Self

from msgspec.structs import replace

from companion.member.consent import ConsentHistory
from companion.member.membership import Membership
from companion.member.outbox import run_name, runs_in
from companion.member.payloads import (
    Acknowledgement,
    Assignment,
    EventKey,
    EventMessage,
    Online,
    TableState,
    decode,
    encode,
)
from companion.member.publisher import ANEW_SECONDS, Publisher
from companion.member.topics import TableTopics, hub_topic
from tests.fakes.club_table import ClubTable

PLAYERS = ("Ana", "Ben", "Cid")


class _Wire:
    """A fake connection: what the table publishes is heard by the hub at once."""

    refused = taken_over = False

    def __init__(self, hub: OneTableHub) -> None:
        self._hub = hub

    def open(self, heard: object, up: object) -> None: ...
    def subscribe(self, topic: str, *, retained: bool = True) -> None: ...
    def close(self) -> None: ...
    def give_way(self) -> None: ...

    def publish(self, topic: str, payload: bytes, *, qos: int = 0, retain: bool = False) -> None:
        self._hub.hear(topic, payload)


class OneTableHub:
    """A hub, and a real table with a real journal whose publisher runs step by step. Use it in a `with`."""

    def __init__(self, seed: int, *, since_games: int = 0, trouble: float = 0.15) -> None:
        """So many games were won before a backup of the journal was made, and again before the table joined."""
        self._temporary = tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
        self.folder, self.rng, self.trouble = Path(self._temporary.name), random.Random(seed), trouble
        self.seconds = 0.0
        self.events: list[EventMessage] = []
        """What the hub has on disk."""
        self._keys: set[EventKey] = set()
        self.heard: list[EventMessage] = []
        """Every event that was ever sent, also again."""
        self.state: TableState | None = None
        self.retained: Assignment | None = None
        """The assignment that the broker keeps."""
        self.shown: Assignment | None = None
        """As the table's phones show it."""
        self.agreed: tuple[str, ...] = ()
        self.folder, self.backup = self.folder / "table", self.folder / "backup"
        self.backup.mkdir()
        self._open()
        self.played.play(since_games)
        self._close()
        for path in self.folder.glob("journal.sqlite3*"):
            shutil.copy(path, self.backup)
        self._open()
        self.played.play(since_games)
        self.membership = Membership(
            club="club-1", title="Club", table="t-1", name="Window", broker="", since=self.played.table.last_row()
        )
        self.topics = TableTopics("club-1", "t-1")
        self.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        self._temporary.cleanup()

    def _open(self) -> None:
        self.played = ClubTable(self.folder, PLAYERS, self.rng, trouble=self.trouble)

    def _close(self) -> None:
        self.played.close()

    # The table

    def join(self) -> None:
        """The program has started, and the broker is there."""
        table, runs = self.played.table, runs_in(self.folder)
        self.consent = ConsentHistory(self.folder, self.membership, table.last_row, run_name(*table.start), runs)
        self.publisher = Publisher(
            self.membership, self.consent, table, self.folder, _Wire(self), self._show,
            clock=lambda: self.seconds,
        )  # fmt: skip
        self.connect()

    def _show(self, _online: bool, assignment: Assignment | None) -> None:
        self.shown = assignment

    def restart(self) -> None:
        """A power cut, after somebody has looked at the list of games, and another start of the program."""
        self.played.table.past.summaries()
        self._close()
        self._open()
        self.join()

    def put_back(self, *, new: bool) -> None:
        """The backup of the journal is put back, and the other way round; or a `new` one is made."""
        self._close()
        aside = self.folder / "aside"
        aside.mkdir()
        for path in self.folder.glob("journal.sqlite3*"):
            (shutil.copy if new else shutil.move)(path, aside)
        if not new:
            for path in self.backup.iterdir():
                shutil.move(path, self.folder)
        shutil.rmtree(self.backup)
        aside.rename(self.backup)
        self._open()
        self.join()

    def agree(self, names: tuple[str, ...]) -> None:
        self.consent.agree(names, lambda: None)
        self.agreed = names
        self.membership = replace(self.membership, consent=names)
        self.settle()

    def step(self) -> None:
        self.publisher.put(self.played.table.state())
        self.publisher._step()

    # The hub

    def disconnect(self) -> None:
        self.publisher._connected(False)

    def connect(self) -> None:
        """The table says that it is there; what is retained comes, then the hub's answer."""
        self.publisher._connected(True)
        self.say(hub_topic("club-1"), encode(Online(online=True, name="Club")))
        if self.retained is not None:
            self.say(self.topics.assign, encode(self.retained))
        self.acknowledge(missing=True)
        self.seconds += ANEW_SECONDS
        self.settle()

    def say(self, topic: str, payload: bytes) -> None:
        self.publisher._heard(topic, payload)

    def acknowledge(self, *, missing: bool = False) -> None:
        key: EventKey | None = self.events[-1].key if self.events else None
        self.say(self.topics.ack, encode(Acknowledgement(key=key, missing=missing)))

    def assign(self, players: tuple[str, ...] | None) -> None:
        self.retained = None if players is None else Assignment(tournament="Cup", round="1", players=players)
        self.say(self.topics.assign, b"" if self.retained is None else encode(self.retained))
        self.settle()

    def ask_anew(self) -> None:
        """The hub has lost everything."""
        self.events, self._keys = [], set()
        self.seconds += ANEW_SECONDS
        self.acknowledge(missing=True)
        self.settle()

    def settle(self) -> None:
        """Until there is no event any more."""
        while True:
            before = len(self.heard)
            self.step()
            if len(self.heard) == before:
                return
            self.acknowledge()

    def hear(self, topic: str, payload: bytes) -> None:
        if topic == self.topics.event:
            message = decode(payload, EventMessage)
            self.heard.append(message)
            if message.key not in self._keys:
                self._keys.add(message.key)
                self.events.append(message)
        elif topic == self.topics.state:
            self.state = decode(payload, TableState)
