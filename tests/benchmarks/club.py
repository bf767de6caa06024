"""How many tables a hub carries on this machine: from a table's message to the lobby, and to the books.

A real mosquitto and a real hub, each a process of its own; the tables are simulated over a few connections, so that
what is measured is the broker, the hub and its disk, and not a thousand table programs on the same machine.
"""

from __future__ import annotations

import http.client
import json
import random
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Final

import click

from companion.box.process import ServedProcess
from companion.club.hub.store import DATABASE_FILE
from companion.engine import CallKind
from companion.member.address import BrokerAddress
from companion.member.connection import Connection
from companion.member.payloads import (
    Acknowledgement,
    ClubBid,
    ClubPlayer,
    ClubVerdict,
    EventKey,
    EventMessage,
    Online,
    TableState,
    VerdictEvent,
    decode,
    encode,
)
from companion.member.topics import TableTopics, table_of, tables_topic
from companion.table.game.table_position import Phase
from tests.companion.club.mosquitto import ANONYMOUS, mosquitto
from tests.proof.box import memory_mb
from vision.evaluation.document_section import write_between

MESSAGES_A_SECOND: Final = 200
"""Of all tables together: of a thousand, one in five changes each second."""
SHARE_OF_EVENTS: Final = 0.2
"""Every fifth message goes into the books."""
CONNECTIONS: Final = 8
HUB_START_SECONDS: Final = 60.0
LAST_MESSAGES_SECONDS: Final = 3.0
"""What the last messages may take."""


@click.command()
@click.option(
    "--tables", default="1,10,100,300,1000", show_default=True, metavar="NUMBERS", help="How many, each in turn."
)
@click.option("--seconds", type=click.FloatRange(1, 600), default=10.0, show_default=True, help="With each number.")
@click.option(
    "--figures", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write the table there."
)
def club(tables: str, seconds: float, figures: Path | None) -> None:
    """How many tables a hub carries on this machine."""
    counts = sorted({int(each) for each in tables.split(",")})
    lines = (
        f"{MESSAGES_A_SECOND} messages a second at most, of all tables together; every fifth goes into the books.",
        "",
        "| tables | messages | to the lobby, p50 / p95 | into the books, p50 / p95 | lost | hub | broker | an event on "
        "disk | a state on the network |",
        "|---|---|---|---|---|---|---|---|---|",
        *map(str, club_load(counts, seconds)),
    )
    click.echo("\n".join(lines))
    if figures is not None:
        write_between(figures, "<!-- benchmark -->", "<!-- /benchmark -->", "\n".join(lines))


@dataclass(frozen=True, slots=True)
class ClubLoad:
    """What was measured with so many tables."""

    tables: int
    messages: int
    lobby_ms: tuple[float, float]
    """From a table's message to the lobby's stream: median and 95th percentile."""
    books_ms: tuple[float, float]
    """From an event to its acknowledgement, when it is on disk."""
    lost: int
    """Messages that did not come within `LAST_MESSAGES_SECONDS`, and were replaced by no later one."""
    hub_mb: float
    """Resident memory of the hub."""
    broker_mb: float
    event_bytes: float
    """On the hub's disk, an event."""
    state_bytes: float
    """On the network, a state."""

    def __str__(self) -> str:
        """A row of the table."""
        return (
            f"| {self.tables} | {self.messages} | {self.lobby_ms[0]} / {self.lobby_ms[1]} ms | "
            f"{self.books_ms[0]} / {self.books_ms[1]} ms | {self.lost} | {self.hub_mb} MB | {self.broker_mb} MB | "
            f"{_bytes(self.event_bytes)} | {_bytes(self.state_bytes)} |"
        )


def _bytes(count: float) -> str:
    """A few events may fit in pages that the database has already: they say nothing of an event's size."""
    return f"{count:.0f} bytes" if count else "too few to say"


@dataclass
class _Table:
    """One simulated table."""

    topics: TableTopics
    version: int = 0
    last: EventKey | None = None
    seq: int = 0
    sent: dict[int, float] = field(default_factory=dict)
    """Version -> when it was sent."""
    events: dict[int, float] = field(default_factory=dict)


def club_load(counts: Sequence[int], seconds: float) -> list[ClubLoad]:
    """Measure with each number of tables, one after the other with the same hub."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="perudo-club-")))
        settings = f"{ANONYMOUS}set_tcp_nodelay true\nmax_queued_messages 100000\npid_file {folder / 'broker.pid'}"
        broker = stack.enter_context(mosquitto(folder, settings))
        pid = int((folder / "broker.pid").read_text())
        books = f"sqlite:///{folder / 'hub' / DATABASE_FILE}"  # whatever $PERUDO_DATABASE says
        command = ("club", "--broker", str(broker), "--database", books)
        hub = stack.enter_context(ServedProcess(command, folder / "hub", folder / "hub.log", timeout=HUB_START_SECONDS))
        club = json.loads(_get(hub.port, "club"))["club"]
        load = _Load(club, broker, hub.port)
        stack.callback(load.close)
        found = []
        for count in counts:
            click.echo(f"{count} tables ...", err=True)
            found.append(load.run(count, seconds, hub.process.pid, pid, folder))
        return found


class _Load:
    """Simulated tables, and a phone that watches the lobby."""

    def __init__(self, club: str, broker: BrokerAddress, lobby: int) -> None:
        self.club, self.rng = club, random.Random(1)
        self.tables: dict[str, _Table] = {}
        self.lock = threading.Lock()
        self.seen: list[float] = []
        self.booked: list[float] = []
        self.connections = []
        for n in range(CONNECTIONS):
            connection = Connection(broker, client_id=f"load-{n}")
            up = threading.Event()
            connection.open(self._heard if n == 0 else _ignore, lambda _up, up=up: up.set())  # type: ignore[misc]
            if not up.wait(10):
                raise TimeoutError("the broker does not answer")
            self.connections.append(connection)
        self.connections[0].subscribe(tables_topic(club, "ack"))
        self._stream = http.client.HTTPConnection("127.0.0.1", lobby)
        self._stream.request("GET", "/api/v1/events")
        self._answer = self._stream.getresponse()
        threading.Thread(target=self._watch, name="lobby", daemon=True).start()

    def close(self) -> None:
        for connection in self.connections:
            connection.close()

    def run(self, count: int, seconds: float, hub: int, broker: int, folder: Path) -> ClubLoad:
        while len(self.tables) < count:
            name = f"t-{len(self.tables) + 1}"
            table = self.tables[name] = _Table(TableTopics(self.club, name))
            self._publish(table.topics.online, encode(Online(online=True, name=f"Table {name}")), retain=True)
        time.sleep(LAST_MESSAGES_SECONDS)
        with self.lock:
            self.seen, self.booked = [], []
        rate = min(MESSAGES_A_SECOND, 5.0 * count)  # a table does not change oftener
        names, sent, size = list(self.tables)[:count], 0, 0
        before = _disk(folder)
        events = 0
        start = time.perf_counter()
        while (now := time.perf_counter()) < start + seconds:
            due = int((now - start) * rate) - sent
            for _ in range(due):
                table = self.tables[self.rng.choice(names)]
                if self.rng.random() < SHARE_OF_EVENTS:
                    self._event(table)
                    events += 1
                else:
                    size += self._state(table)
                sent += 1
            time.sleep(0.002)
        time.sleep(LAST_MESSAGES_SECONDS)
        with self.lock:
            lost = sum(len(table.events) for table in self.tables.values())
            seen, booked = sorted(self.seen), sorted(self.booked)
            for table in self.tables.values():
                table.sent.clear()
                table.events.clear()
        return ClubLoad(
            tables=count,
            messages=sent,
            lobby_ms=_median_and_95(seen),
            books_ms=_median_and_95(booked),
            lost=lost,
            hub_mb=round(memory_mb(hub), 1),
            broker_mb=round(memory_mb(broker), 1),
            event_bytes=(_disk(folder) - before) / max(1, events),
            state_bytes=size / max(1, sent - events),
        )

    def _publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        self.connections[hash(topic) % CONNECTIONS].publish(topic, payload, qos=qos, retain=retain)

    def _state(self, table: _Table) -> int:
        table.version += 1
        payload = encode(_sample_state(table.version))
        with self.lock:
            table.sent[table.version] = time.perf_counter()
        self._publish(table.topics.state, payload, qos=0, retain=True)
        return len(payload)

    def _event(self, table: _Table) -> None:
        table.seq += 10
        what = VerdictEvent(game=f"{table.topics.table}.1-a/1", round=table.seq, verdict=_VERDICT, dice=_DICE)
        message = EventMessage(run="1-a", seq=table.seq, before=table.last, at="2026-11-24T20:00:00+00:00", what=what)
        table.last = message.key
        with self.lock:
            table.events[table.seq] = time.perf_counter()
        self._publish(table.topics.event, encode(message))

    def _heard(self, topic: str, payload: bytes) -> None:
        now, found = time.perf_counter(), table_of(topic, self.club)
        if found is None or found[1] != "ack":
            return
        key = decode(payload, Acknowledgement).key
        with self.lock:
            its = self.tables[found[0]].events
            for seq in [each for each in its if key is not None and each <= key.seq]:
                self.booked.append(now - its.pop(seq))

    def _watch(self) -> None:
        try:
            for line in _lines(self._answer):
                if line.startswith(b'data: {"table"'):
                    now, shown = time.perf_counter(), json.loads(line[6:])
                    state = shown["state"]
                    with self.lock:
                        its = self.tables[shown["table"]].sent
                        # A version that a later one replaced before it was shown has come no later than that.
                        for version in [each for each in its if state and each <= state["version"]]:
                            self.seen.append(now - its.pop(version))
        except (OSError, http.client.HTTPException, ValueError):
            return  # the hub has ended


def _lines(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    while line := answer.readline():
        yield line


def _ignore(_topic: str, _payload: bytes) -> None:
    """For connections that only publish."""


def _get(port: int, path: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", f"/api/v1/{path}")
        return connection.getresponse().read()
    finally:
        connection.close()


def _median_and_95(seconds: Sequence[float]) -> tuple[float, float]:
    """In milliseconds."""
    if len(seconds) < 2:
        return (0.0, 0.0)
    cuts = quantiles(seconds, n=20)
    return round(1000 * cuts[9], 1), round(1000 * cuts[18], 1)


def _disk(folder: Path) -> int:
    """Bytes of the hub's database."""
    with closing(sqlite3.connect(folder / "hub" / DATABASE_FILE)) as database:
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
        return int(pages) * int(size)


_NAMES: Final = (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"), ("Dora", "yellow"), ("Eve", "black"))
_PLAYERS: Final = tuple(ClubPlayer(name, colour, 4) for name, colour in _NAMES)
_DICE: Final[dict[str, tuple[int, ...]]] = {name: (1, 2, 3, 5) for name, _ in _NAMES}
_VERDICT: Final = ClubVerdict(
    call=CallKind.DUDO,
    caller="Ben",
    bid=ClubBid("Ana", 7, 5),
    wild=True,
    count=5,
    correct=True,
    loses="Ana",
    lost=1,
    gains=None,
    eliminated=None,
    palifico=None,
    winner=None,
    sentence="3 fives and 2 pacos make 5 fives. The bid was 7 fives: that is wrong. Ana loses a die and opens the "
    "next round.",
)


def _sample_state(version: int) -> TableState:
    return TableState(
        version=version,
        phase=Phase.BIDDING,
        paused=False,
        game=1,
        ruleset="asmodee-fr",
        rules_name="",
        calza=True,
        round=4,
        turn="Ben",
        opener="Ana",
        palifico=None,
        wild=True,
        bid=ClubBid("Ana", 1 + version % 9, 5),
        players=_PLAYERS,
        verdict=_VERDICT,
        winner=None,
        journal_ok=True,
        camera_ok=True,
    )
