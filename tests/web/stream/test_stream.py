"""The stream, over a real server on a free port and real sockets."""

from __future__ import annotations

import collections
import http.client
import json
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from companion.table.commands import CallDudo
from companion.table.state.state import PublicPlayer
from tests.fakes.clock import FakeClock
from tests.fakes.public_state import in_json
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from tests.wait import wait_until
from web.access.access import Access
from web.app import create_app
from web.parts import Parts
from web.stream.guests import Limits
from web.stream.server import Server, make_server
from web.stream.stream import UNREAD_FOR, Feed

SOME_STATE = STATES["bidding"]
SOON = 60.0
"""Seconds after which a test gives up; nothing here should take a tenth of it."""


@pytest.fixture
def server(table: FakeTable) -> Iterator[Server]:
    app = create_app(Parts(table, access=Access(code="1234"), feed=Feed(limit=100)))
    with make_server(app, "127.0.0.1", 0) as server:
        yield server


@pytest.fixture
def listening(server: Server) -> Callable[[], int]:
    """A function that counts the phones that are listening."""
    feed: Feed = server.feed
    return lambda: feed.count


class Phone:
    """A client that reads the stream line by line."""

    def __init__(self, server: Server, at: int = 1, **headers: str) -> None:
        """A phone at the address 127.0.0.`at`."""
        self.connection = http.client.HTTPConnection(
            "127.0.0.1", server.port, timeout=SOON, source_address=(f"127.0.0.{at}", 0)
        )
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request("GET", "/api/v1/events", headers=named)
        self.answer = self.connection.getresponse()

    def block(self) -> dict[str, str]:
        """The next block of the stream; a comment has the field ""."""
        lines: dict[str, str] = {}
        while True:
            raw = self.answer.readline()
            if not raw:
                raise EOFError("the stream has ended")
            line = raw.decode().rstrip("\n")
            if not line:
                return lines
            name, _, value = line.partition(":")
            lines[name] = value.strip()

    def event(self, kind: str = "state") -> dict[str, str]:
        """The next event of this kind."""
        while (block := self.block()).get("event") != kind:
            pass  # a stream that is silent for `SOON` raises
        return block

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


def test_a_phone_sees_the_whole_state_at_once_and_then_every_change(server: Server, table: FakeTable) -> None:
    phone = Phone(server)
    assert phone.answer.headers["Content-Type"].startswith("text/event-stream")
    first = phone.event()
    run = phone.answer.headers["X-Perudo-Run"]
    assert (first["event"], first["id"]) == ("state", f"{run}-1")
    assert json.loads(first["data"]) == in_json(table.state())
    for name in ("reading", "verdict-wrong"):
        table.show(STATES[name])
        event = phone.event()
        assert event["id"] == f"{run}-{table.state().version}"
        assert json.loads(event["data"]) == in_json(table.state())
    phone.close()


def test_a_hundred_phones_see_a_change_and_may_call(server: Server, table: FakeTable, remote_phone: type[Any]) -> None:
    phones = [Phone(server, at) for at in range(1, 101)]
    for phone in phones:
        phone.event()
    one_more = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SOON)
    one_more.request("GET", "/api/v1/events")
    busy = one_more.getresponse()
    assert (busy.status, json.loads(busy.read())["error"], busy.headers["Retry-After"]) == (503, "busy", "30")
    remote_phone(server.url, "1234").post("dudo")
    assert table.commands == [CallDudo()]
    table.show(STATES["reading"])
    assert {json.loads(phone.event()["data"])["phase"] for phone in phones} == {"reading"}
    one_more.close()
    for phone in phones:
        phone.close()


def test_a_phone_that_disconnects_is_removed(server: Server, listening: Callable[[], int]) -> None:
    phones = [Phone(server) for _ in range(3)]
    for phone in phones:
        phone.event()
    assert listening() == 3
    phones[1].close()
    wait_until(lambda: listening() == 2)
    phones[0].close()
    phones[2].close()
    wait_until(lambda: listening() == 0)


def test_a_phone_that_does_not_read_delays_nobody_and_blocks_no_thread(table: FakeTable, clock: FakeClock) -> None:
    app = create_app(Parts(table))
    app.extensions["streams"].clock = clock
    with make_server(app, "127.0.0.1", 0, Limits(threads=1)) as server:
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        deaf.connect(("127.0.0.1", server.port))
        deaf.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: server.feed.count == 1)
        phone = Phone(server)
        phone.event()
        big = replace(STATES["verdict-wrong"], winner="x" * 20_000)

        def only_one_left() -> bool:
            table.show(big)
            clock.sleep(UNREAD_FOR / 10)
            assert phone.event()["id"].endswith(f"-{table.state().version}")
            return server.feed.count == 1

        wait_until(only_one_left)
        deaf.settimeout(SOON)
        with pytest.raises(ConnectionResetError):
            collections.deque(iter(lambda: deaf.recv(65536), b""), maxlen=0)
        deaf.close()
        with urllib.request.urlopen(f"{server.url}api/v1/state", timeout=SOON) as answer:
            assert answer.status == 200
        phone.close()


def test_a_phone_that_comes_back_gets_what_it_missed(server: Server, table: FakeTable) -> None:
    phone = Phone(server)
    run = phone.answer.headers["X-Perudo-Run"]
    last = phone.event()["id"]
    phone.close()
    for name in ("reading", "verdict-wrong", "bidding"):
        table.show(STATES[name])
    back = Phone(server, Last_Event_ID=last)
    assert [back.event()["id"] for _ in range(3)] == [f"{run}-{version}" for version in (2, 3, 4)]
    back.close()


def test_changes_of_seats_are_sent_at_once_and_without_the_code(table: FakeTable) -> None:
    access = Access(code="2718")
    with make_server(create_app(Parts(table, access=access)), "127.0.0.1", 0) as server:
        phone = Phone(server)
        seats = json.loads(phone.event("seats")["data"])
        assert (seats["seats"]["Ana"], seats["phones"]) == (None, [])
        joined = access.phones.join()
        access.phones.sit(joined, "player", "Ana")
        while (seats := json.loads(phone.event("seats")["data"]))["seats"]["Ana"] is None:
            pass
        assert seats["phones"] == [], "a stranger is told of no phones"
        inside = Phone(server, Authorization=f"Bearer {access.token(joined)}")
        seats = json.loads(inside.event("seats")["data"])
        (ana,) = seats["phones"]
        assert (ana["phone"], ana["player"], ana["host"], ana["away"]) == (joined.id, "Ana", True, False)
        inside.close()
        table.show(replace(STATES["bidding"], players=(PublicPlayer("Ben", "red", 5),)))
        raw = phone.event("seats")["data"]
        assert json.loads(raw)["seats"] == {"Ben": None}
        assert "2718" not in raw
        phone.close()


def test_a_stopping_server_does_not_claim_that_too_many_are_listening(table: FakeTable) -> None:
    app = create_app(Parts(table))
    app.extensions["feed"].close()
    answer = app.test_client().get("/api/v1/events")
    assert (answer.status_code, answer.json["error"]) == (503, "closed")
    assert (answer.json["message"], answer.headers["Retry-After"]) == ("The program is stopping.", "5")


def test_a_head_request_takes_no_place(server: Server, listening: Callable[[], int]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SOON)
    connection.request("HEAD", "/api/v1/events")
    assert connection.getresponse().status == 200
    connection.close()
    wait_until(lambda: listening() == 0)


def test_a_table_that_closes_ends_every_stream(server: Server, table: FakeTable) -> None:
    phone = Phone(server)
    phone.event("seats")
    table.close()
    assert phone.answer.read() == b""
    phone.close()


def test_stopping_the_server_ends_every_stream_and_thread(table: FakeTable) -> None:
    before = set(threading.enumerate())
    server = make_server(create_app(Parts(table)), "127.0.0.1", 0).start()
    phone = Phone(server)
    phone.event("seats")
    server.stop()
    server.stop()
    assert phone.answer.read() == b""
    phone.close()
    wait_until(lambda: server.feed.count == 0)
    wait_until(lambda: set(threading.enumerate()) <= before)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=SOON).close()


def test_a_server_that_never_ran_releases_its_port(table: FakeTable) -> None:
    server = make_server(create_app(Parts(table)), "127.0.0.1", 0)
    server.stop()
    again = make_server(create_app(Parts(table)), "127.0.0.1", server.port)
    assert again.port == server.port
    assert again.url == f"http://127.0.0.1:{server.port}/"
    again.stop()


def test_a_port_that_is_taken_is_an_error(server: Server, table: FakeTable) -> None:
    with pytest.raises(OSError, match="in use"):
        make_server(create_app(Parts(table)), "127.0.0.1", server.port)
