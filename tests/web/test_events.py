"""The stream, over a real waitress on a free port and a real socket."""

from __future__ import annotations

import http.client
import json
import queue
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from web import create_app
from web.events import Listeners, Stream
from web.fake import FakeTable
from web.fake_states import STATES
from web.serve import Server, make_server

SOON = 5.0
"""Seconds after which a test gives up; nothing here is expected to take a tenth of it."""


@pytest.fixture
def server(table: FakeTable, tmp_path: Path) -> Iterator[Server]:
    app = create_app(table, pictures=tmp_path, heartbeat=0.2, max_listeners=40)
    with make_server(app, "127.0.0.1", 0) as server:
        yield server


class Phone:
    """A client that reads the stream line by line."""

    def __init__(self, server: Server) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SOON)
        self.connection.request("GET", "/api/v1/events")
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

    def event(self) -> dict[str, str]:
        """The next block that is not a heart-beat."""
        until = time.monotonic() + SOON
        while "data" not in (block := self.block()):
            assert time.monotonic() < until, "nothing but heart-beats"
        return block

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


def eventually(true: Any) -> bool:
    until = time.monotonic() + SOON
    while not (done := bool(true())) and time.monotonic() < until:
        time.sleep(0.01)
    return done


def test_a_phone_sees_the_whole_state_at_once_and_then_every_change(server: Server, table: FakeTable) -> None:
    phone = Phone(server)
    assert phone.answer.headers["Content-Type"].startswith("text/event-stream")
    first = phone.event()
    assert (first["event"], first["id"]) == ("state", "1")
    assert json.loads(first["data"]) == table.state()
    for name in ("reading", "verdict-wrong"):
        table.show(STATES[name])
        event = phone.event()
        assert event["id"] == str(table.state()["version"])
        assert json.loads(event["data"]) == table.state()
    phone.close()


def test_a_quiet_stream_has_a_heart_beat(server: Server) -> None:
    phone = Phone(server)
    phone.event()
    assert phone.block() == {"": "alive"}
    assert phone.block() == {"": "alive"}
    phone.close()


def test_forty_phones_see_a_change_and_the_button_still_works(server: Server, table: FakeTable) -> None:
    phones = [Phone(server) for _ in range(40)]
    for phone in phones:
        phone.event()
    one_more = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SOON)
    one_more.request("GET", "/api/v1/events")
    busy = one_more.getresponse()
    assert (busy.status, json.loads(busy.read())["error"]) == (503, "busy")
    one_more.request("POST", "/api/v1/dudo", b"{}", {"Content-Type": "application/json"})
    assert one_more.getresponse().read()
    assert table.commands == [("dudo", {"player": None})]
    table.show(STATES["reading"])
    assert {json.loads(phone.event()["data"])["phase"] for phone in phones} == {"reading"}
    one_more.close()
    for phone in phones:
        phone.close()


def test_a_phone_that_hangs_up_is_let_go(server: Server, table: FakeTable) -> None:
    phones = [Phone(server) for _ in range(3)]
    for phone in phones:
        phone.event()
    assert table.listening == 3
    phones[1].close()
    assert eventually(lambda: table.listening == 2)
    phones[0].close()
    phones[2].close()
    assert eventually(lambda: table.listening == 0)


def test_a_phone_that_does_not_read_stops_nobody(server: Server, table: FakeTable) -> None:
    deaf = socket.create_connection(("127.0.0.1", server.port))
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    deaf.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    phone = Phone(server)
    phone.event()
    big = {**STATES["verdict-wrong"], "last": "x" * 20_000}
    for _ in range(200):
        table.show(big)
    assert eventually(lambda: int(phone.event()["id"]) == 201)
    deaf.close()
    phone.close()
    assert eventually(lambda: table.listening == 0)


def test_asking_only_for_the_headers_takes_no_place(server: Server, table: FakeTable) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SOON)
    connection.request("HEAD", "/api/v1/events")
    assert connection.getresponse().status == 200
    connection.close()
    assert eventually(lambda: table.listening == 0)


def test_a_table_that_closes_ends_every_stream(server: Server, table: FakeTable) -> None:
    phone = Phone(server)
    phone.event()
    table.close()
    assert phone.answer.read() == b""
    phone.close()


def test_stopping_ends_every_stream_and_leaves_no_thread(table: FakeTable) -> None:
    before = set(threading.enumerate())
    server = make_server(create_app(table), "127.0.0.1", 0, threads=8).start()
    phone = Phone(server)
    phone.event()
    server.stop()
    server.stop()
    assert phone.answer.read() == b""
    phone.close()
    assert table.listening == 0
    assert eventually(lambda: set(threading.enumerate()) <= before)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=1).close()


def test_a_server_that_never_ran_gives_its_port_back(table: FakeTable) -> None:
    server = make_server(create_app(table), "127.0.0.1", 0, threads=2)
    server.stop()
    again = make_server(create_app(table), "127.0.0.1", server.port, threads=2)
    assert again.port == server.port
    assert again.url == f"http://127.0.0.1:{server.port}/"
    again.stop()


def test_a_port_that_is_taken_is_an_error(server: Server, table: FakeTable) -> None:
    with pytest.raises(OSError, match="in use"):
        make_server(create_app(table), "127.0.0.1", server.port)


def test_the_heart_beats_every_ten_seconds_of_silence(table: FakeTable) -> None:
    now = 0.0

    class Ticking:
        open = True

        def get(self, block: bool = True, timeout: float | None = None) -> Any:
            nonlocal now
            now += timeout or 0.0
            raise queue.Empty

        def close(self) -> None:
            pass

    table.subscribe = Ticking  # type: ignore[assignment, method-assign]
    listeners = Listeners(limit=1)
    assert listeners.enter()
    assert not listeners.enter()
    stream = Stream(table, listeners, heartbeat=10.0, clock=lambda: now, gone=lambda: False)
    next(stream)
    assert next(stream).startswith(b":")
    assert now == pytest.approx(10.0)
    next(stream)
    assert now == pytest.approx(20.0)
    stream.close()
    stream.close()
    assert listeners.count == 0
