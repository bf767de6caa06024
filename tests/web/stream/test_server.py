"""The server and hostile guests, over real sockets, with limits of a few connections."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from flask import Flask, request, send_file

from tests.fakes.table import FakeTable
from tests.wait import wait_until
from web.access.access import Access
from web.app import create_app
from web.parts import Parts
from web.stream.guests import Limits
from web.stream.server import MAX_BODY, MAX_HEAD, Server, make_server
from web.stream.stream import MAX_LISTENERS, STRANGERS, Feed
from web.stream.wsgi import FILE_PIECE, Door, FileBody, environment

SOON = 60.0
"""Seconds after which a test gives up; nothing here should take a tenth of it."""
STATE = b"GET /api/v1/state HTTP/1.1\r\nHost: localhost\r\n\r\n"
EVENTS = b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
Guests = Callable[..., socket.socket]


@pytest.fixture
def app(table: FakeTable) -> Flask:
    return create_app(Parts(table, access=Access(code="1234")))


@pytest.fixture
def guest() -> Iterator[Callable[..., socket.socket]]:
    """Opens a connection from 127.0.0.`at` and sends `data`."""
    with contextlib.ExitStack() as stack:

        def opened(server: Server, at: int, data: bytes = b"") -> socket.socket:
            address = ("127.0.0.1", server.port)
            connection = socket.create_connection(address, SOON, source_address=(f"127.0.0.{at}", 0))
            stack.enter_context(connection)
            connection.sendall(data)
            return connection

        yield opened


def status(connection: socket.socket) -> int | None:
    """The status of the answer, None if the connection is closed without one."""
    try:
        head = connection.recv(65536)
    except ConnectionResetError:
        head = b""
    return int(head.split()[1]) if head else None


def is_closed(connection: socket.socket) -> bool:
    return status(connection) is None


def connected(server: Server, at: int = 1) -> contextlib.closing[http.client.HTTPConnection]:
    """A phone at 127.0.0.`at`."""
    source = (f"127.0.0.{at}", 0)
    return contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, SOON, source_address=source))


def asked(server: Server, method: str = "GET", path: str = "state", at: int = 1, **options: Any) -> tuple[int, Any]:
    """Status and JSON of the answer to a phone at 127.0.0.`at`."""
    with connected(server, at) as phone:
        phone.request(method, f"/api/v1/{path}", **options)
        answer = phone.getresponse()
        return answer.status, json.loads(answer.read())


def test_idle_connections_from_one_address_keep_nobody_out(app: Flask, guest: Guests) -> None:
    with make_server(app, "127.0.0.1", 0, Limits(connections=9, share=4)) as server:
        host = guest(server, 1, STATE)
        assert status(host) == 200
        idle = [guest(server, 2) for _ in range(12)]
        assert status(guest(server, 3, STATE)) == 200
        assert all(map(is_closed, idle[:8])), "beyond its share, its oldest idle connections end"
        assert status(guest(server, 2, STATE)) == 200, "and others at that address are served too"
        host.sendall(STATE)
        assert status(host) == 200, "a phone with an open connection keeps it"


def test_a_phone_of_ipv4_is_known_by_its_address_where_the_page_is_on_ipv6_too(app: Flask) -> None:
    app.add_url_rule("/address", view_func=lambda: request.remote_addr or "")
    with make_server(app, "::", 0) as server:
        for address in ("127.0.0.1", "::1"):
            with contextlib.closing(http.client.HTTPConnection(address, server.port, timeout=SOON)) as phone:
                phone.request("GET", "/address")
                assert phone.getresponse().read().decode() == address


def test_idle_connections_from_many_addresses_keep_nobody_out(app: Flask, guest: Guests) -> None:
    with make_server(app, "127.0.0.1", 0, Limits(connections=6, share=4)) as server:
        idle = [guest(server, at) for at in (2, 2, 2, 3, 3, 3)]
        assert status(guest(server, 4, STATE)) == 200
        assert is_closed(idle[0])


def test_an_address_whose_share_is_busy_is_refused_and_others_are_not(app: Flask, guest: Guests) -> None:
    with make_server(app, "127.0.0.1", 0, Limits(connections=9, share=2)) as server:
        streams = [guest(server, 2, EVENTS) for _ in range(2)]
        assert [status(stream) for stream in streams] == [200, 200]
        assert is_closed(guest(server, 2))
        assert status(guest(server, 3, EVENTS)) == 200


def test_with_all_connections_busy_the_address_with_the_most_gives_one_up(app: Flask, guest: Guests) -> None:
    with make_server(app, "127.0.0.1", 0, Limits(connections=4, share=4)) as server:
        streams = [guest(server, 2, EVENTS) for _ in range(4)]
        assert [status(stream) for stream in streams] == [200] * 4
        assert status(guest(server, 3, EVENTS)) == 200
        while streams[0].recv(65536):
            pass
        assert status(guest(server, 4, EVENTS)) == 200
        assert server.feed.count <= 4


def test_without_a_free_descriptor_accepting_pauses_and_then_goes_on(
    app: Flask, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failures() -> int:
        return caplog.text.count("No connection is accepted now: Too many open files.")

    pause, usual = 0.2, resource.getrlimit(resource.RLIMIT_NOFILE)
    monkeypatch.setattr("web.stream.server.ACCEPT_PAUSE", pause)
    with make_server(app, "127.0.0.1", 0) as server, socket.socket() as phone:
        begun = time.monotonic()
        resource.setrlimit(resource.RLIMIT_NOFILE, (8, usual[1]))
        try:
            phone.connect(("127.0.0.1", server.port))
            wait_until(lambda: failures() >= 2)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, usual)
        assert failures() <= 1 + (time.monotonic() - begun) / pause
        phone.settimeout(SOON)
        phone.sendall(STATE)
        assert status(phone) == 200


def test_with_few_descriptors_streams_of_strangers_leave_room_for_a_tap(table: FakeTable, guest: Guests) -> None:
    few = Limits.within(30)
    feed = Feed(limit=few.streams, strangers=few.strangers)
    with make_server(create_app(Parts(table, feed=feed)), "127.0.0.1", 0, few) as server:
        answers = [status(guest(server, 1, EVENTS)) for _ in range(2 * few.connections)]
        assert answers == [200] * few.strangers + [503] * (len(answers) - few.strangers)
        assert asked(server)[0] == 200


def test_the_limits_fit_the_descriptors_there_are() -> None:
    assert Limits.within(1024 - 64) == Limits()
    assert (Limits().streams, Limits().strangers) == (MAX_LISTENERS, STRANGERS)
    for descriptors in range(9, 1024):
        limits = Limits.within(descriptors)
        assert limits.connections + 4 * (limits.threads - 1) <= descriptors
        assert 1 <= limits.streams < limits.share <= limits.connections // 2


def test_a_connection_that_does_not_finish_its_first_head_is_closed(app: Flask, guest: Guests) -> None:
    with make_server(app, "127.0.0.1", 0, Limits(head_timeout=0.2)) as server:
        silent, slow, kept = guest(server, 2), guest(server, 2, STATE[:30]), guest(server, 2, STATE)
        assert status(kept) == 200
        assert is_closed(silent)
        assert is_closed(slow)
        kept.sendall(STATE)
        assert status(kept) == 200, "after its first request a phone may be silent for longer"


def test_a_kept_connection_and_a_slow_body_end_too(app: Flask, guest: Guests) -> None:
    with make_server(app, "127.0.0.1", 0, Limits(keep_alive=0.2, body_timeout=0.2)) as server:
        kept = guest(server, 2, STATE)
        assert status(kept) == 200
        assert is_closed(kept)
        head = b"POST /api/v1/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"
        assert is_closed(guest(server, 2, head))


def test_guests_that_read_nothing_hold_no_thread(app: Flask, guest: Guests) -> None:
    many = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 60
    with make_server(app, "127.0.0.1", 0, Limits(threads=1)) as server:
        deaf = [guest(server, 2, many) for _ in range(10)]
        assert asked(server)[0] == 200
        for each in deaf:
            each.close()  # a server that stops gives them time to read


def test_slow_requests_of_one_address_leave_threads_to_others(app: Flask, guest: Guests) -> None:
    go_on, begun = threading.Event(), threading.Semaphore(0)

    def slow() -> str:
        begun.release()
        go_on.wait(SOON)
        return "done"

    app.add_url_rule("/slow", view_func=slow)
    with make_server(app, "127.0.0.1", 0, Limits(threads=2, shared_threads=1)) as server:
        greedy = [guest(server, 2, STATE.replace(b"/api/v1/state", b"/slow")) for _ in range(5)]
        assert begun.acquire(timeout=SOON)
        assert asked(server, at=3)[0] == 200
        assert not begun.acquire(blocking=False)
        go_on.set()
        assert [status(each) for each in greedy] == [200] * 5


def test_a_request_in_work_is_answered_when_the_server_stops(app: Flask, guest: Guests) -> None:
    go_on, begun = threading.Event(), threading.Event()

    def slow() -> str:
        begun.set()
        go_on.wait(SOON)
        return "done"

    app.add_url_rule("/slow", view_func=slow)
    with make_server(app, "127.0.0.1", 0) as server:
        waiting = guest(server, 1, STATE.replace(b"/api/v1/state", b"/slow"))
        assert begun.wait(SOON)
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        go_on.set()
        assert status(waiting) == 200
        stopping.join()


def test_what_is_too_long_is_refused(app: Flask, guest: Guests) -> None:
    with make_server(app, "127.0.0.1", 0) as server:
        code, refusal = asked(
            server, "POST", "join", body=b"{" * (MAX_BODY // 2), headers={"Content-Type": "application/json"}
        )
        assert (code, refusal["error"]) == (413, "too_large")
        head = b"POST /api/v1/join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        longer = guest(server, 1, head + b"Content-Length: %d\r\n\r\n" % (MAX_BODY + 1))
        answer = longer.recv(65536)
        assert answer.startswith(b"HTTP/1.1 413")
        assert b"Connection: close" in answer
        assert is_closed(longer)
        assert status(guest(server, 1, STATE[:-2] + b"X: " + b"x" * MAX_HEAD + b"\r\n\r\n")) == 400
        assert asked(server)[0] == 200


def test_the_cookie_is_named_by_the_port_we_listen_on(app: Flask) -> None:
    with make_server(app, "127.0.0.1", 0) as server, connected(server) as phone:
        body, headers = json.dumps({"code": "1234"}), {"Content-Type": "application/json", "Host": "box.local:81"}
        phone.request("POST", "/api/v1/join", body, {**headers, "X-Forwarded-Port": "82"})
        answer = phone.getresponse()
        answer.read()
        assert answer.headers["Set-Cookie"].startswith(f"perudo_phone_{server.port}=")
        assert answer.headers["Date"]
        assert "Server" not in answer.headers


def test_an_application_that_fails_hangs_up(app: Flask, guest: Guests, caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: object) -> Any:
        raise RuntimeError("broken")

    with make_server(app, "127.0.0.1", 0) as server:
        works, app.wsgi_app = app.wsgi_app, broken  # type: ignore[method-assign]
        assert is_closed(guest(server, 1, STATE))
        app.wsgi_app = works  # type: ignore[method-assign]
        assert asked(server)[0] == 200


def environ(target: str, **headers: str) -> dict[str, Any]:
    named = {name.replace("__", "-"): value for name, value in headers.items()}
    return environment("POST", target, "HTTP/1.1", named, b"{}", "10.0.0.7", Door(8000))


def test_the_environment_of_a_request() -> None:
    found = environ("/a%20b/%C3%A9?x=%20", Host="localhost", Content__Type="application/json", X__Perudo__CSRF="x")
    assert found["PATH_INFO"] == "/a b/é".encode().decode("latin-1")
    assert (found["QUERY_STRING"], found["CONTENT_LENGTH"], found["wsgi.input"].read()) == ("x=%20", "2", b"{}")
    assert (found["REMOTE_ADDR"], found["SERVER_PORT"]) == ("10.0.0.7", "8000")
    assert (found["HTTP_HOST"], found["HTTP_X_PERUDO_CSRF"]) == ("localhost", "x")
    assert found["CONTENT_TYPE"] == "application/json"


def test_a_guest_cannot_say_who_it_is() -> None:
    forged = environ(
        "/", X__Forwarded__For="10.0.0.1", Forwarded="for=10.0.0.1", X_Perudo_CSRF="x", X__forwarded__port="1"
    )
    assert not [name for name in forged if name.startswith("HTTP_")]


@pytest.mark.parametrize("target", ["http://evil.example/api/v1/state?a=b", "/api/v1/state?a=b"])
def test_a_whole_url_is_read_as_its_path(target: str) -> None:
    found = environ(target)
    assert (found["PATH_INFO"], found["QUERY_STRING"]) == ("/api/v1/state", "a=b")


def test_two_slashes_are_a_path_and_not_a_host() -> None:
    assert environ("//api/v1/state")["PATH_INFO"] == "//api/v1/state"


# A file, in pieces


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "large"
    path.write_bytes(random.Random(1).randbytes(9 * 2**20 + 7))
    return path


@pytest.fixture
def with_file(app: Flask, file: Path) -> Flask:
    app.add_url_rule("/large", "large", lambda: send_file(file, mimetype="application/zip"))
    return app


def test_a_large_file_arrives_whole_and_its_length_is_said_before(with_file: Flask, file: Path) -> None:
    with make_server(with_file, "127.0.0.1", 0) as server, connected(server) as phone:
        for method, wanted in (("HEAD", b""), ("GET", file.read_bytes()), ("GET", file.read_bytes())):
            phone.request(method, "/large")
            answer = phone.getresponse()
            assert answer.headers["Content-Length"] == str(file.stat().st_size)
            assert answer.read() == wanted, "and the connection goes on to be used"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    ("head", "status"),
    [
        ({}, 200),
        ({"Range": "bytes=5-9"}, 206),  # how a browser goes on with a picture whose loading was interrupted
        ({"Range": "bytes=999999999-"}, 416),
        ({"If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"}, 304),
    ],
)
def test_a_file_is_closed_whatever_of_it_was_asked_for(
    with_file: Flask, file: Path, method: str, head: dict[str, str], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[IO[bytes]] = []
    make = FileBody.__init__
    monkeypatch.setattr(FileBody, "__init__", lambda body, *of: opened.append(of[0]) or make(body, *of))
    with make_server(with_file, "127.0.0.1", 0) as server, connected(server) as phone:
        phone.request(method, "/large", headers=head)
        answer = phone.getresponse()
        body = answer.read()
        assert answer.status == status
        if method == "GET" and status in (200, 206):
            assert body == (file.read_bytes() if status == 200 else file.read_bytes()[5:10])
        (content,) = opened
        wait_until(lambda: content.closed)


def test_phones_that_read_a_large_file_slowly_hold_no_thread_and_no_memory(
    with_file: Flask, file: Path, guest: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    piece = FileBody.piece
    monkeypatch.setattr(FileBody, "piece", lambda body: read.append(1) or piece(body))
    request = b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with make_server(with_file, "127.0.0.1", 0, Limits(threads=1)) as server:
        deaf = [guest(server, at, request) for at in range(2, 8)]
        for phone in deaf:
            assert phone.recv(15) == b"HTTP/1.1 200 OK"
        assert asked(server)[0] == 200
        whole = -(-file.stat().st_size // FILE_PIECE)
        assert len(read) < len(deaf) * whole / 2, "what nobody reads is not read from the disk"
        for phone in deaf:
            phone.close()


def test_who_reads_nothing_of_a_file_is_cut_off(
    with_file: Flask, guest: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.stream.server.READ_PATIENCE", 0.3)
    monkeypatch.setattr("companion.listening_socket.SILENCE_MS", 600_000)  # or the kernel ends it
    given_up, close = threading.Event(), FileBody.close
    monkeypatch.setattr(FileBody, "close", lambda body: close(body) or given_up.set())
    with make_server(with_file, "127.0.0.1", 0) as server:
        deaf = guest(server, 2, b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        assert given_up.wait(SOON)
        size = 0
        with contextlib.suppress(ConnectionResetError):
            while part := deaf.recv(1 << 20):
                size += len(part)
        assert size < 9 * 2**20


def test_a_file_that_ends_too_early_is_no_whole_answer(with_file: Flask, file: Path) -> None:
    """As when the disk fails: the phone must not take a part for the whole."""
    piece = FileBody.piece
    left = [3]

    def fails(body: FileBody) -> bytes:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(5, "Input/output error")
        return piece(body)

    with pytest.MonkeyPatch.context() as patch, make_server(with_file, "127.0.0.1", 0) as server:
        patch.setattr(FileBody, "piece", fails)
        with connected(server) as phone:
            phone.request("GET", "/large")
            with pytest.raises((http.client.IncompleteRead, ConnectionResetError)):
                phone.getresponse().read()
        assert asked(server)[0] == 200
