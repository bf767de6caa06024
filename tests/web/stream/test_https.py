"""The page over https: the same table at a second port, and guests that shake no hand."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import ssl
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from companion.features.https.secure_site import SecureSite
from companion.listening_socket import listen
from tests.fakes.table import FakeTable
from tests.wait import wait_until_closed
from web.access.access import Access
from web.app import create_app
from web.parts import Parts
from web.stream.guests import Limits
from web.stream.server import STANDARD_LIMITS, Server, make_server

pytestmark = pytest.mark.programs("openssl")

SOON = 60.0
STATE = b"GET /api/v1/state HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> SecureSite:
    site = SecureSite(tmp_path_factory.mktemp("state"), "box", lambda: ["127.0.0.1", "box.local", "localhost"])
    site.make()
    return site


@pytest.fixture
def trust(site: SecureSite) -> ssl.SSLContext:
    """A device that has installed the authority."""
    return ssl.create_default_context(cadata=site.authority.certificate.decode())


@pytest.fixture
def app(table: FakeTable) -> Flask:
    return create_app(Parts(table, access=Access(code="1234")))


Opens = Callable[..., contextlib.AbstractContextManager[tuple[Server, int]]]


@pytest.fixture
def opens(app: Flask, site: SecureSite) -> Opens:
    """Serves the page over http, and over https at the port it gives."""

    @contextlib.contextmanager
    def opened(limits: Limits = STANDARD_LIMITS) -> Iterator[tuple[Server, int]]:
        context = site.refresh()
        assert context is not None
        with make_server(app, "127.0.0.1", 0, limits) as server:
            listening = listen("127.0.0.1", 0)
            port = listening.getsockname()[1]
            server.open_https(listening, context)
            yield server, port

    return opened


def asked(
    connection: http.client.HTTPConnection, method: str = "GET", path: str = "/api/v1/state", **options: Any
) -> tuple[http.client.HTTPResponse, Any]:
    with contextlib.closing(connection):
        connection.request(method, path, **options)
        answer = connection.getresponse()
        return answer, json.loads(answer.read())


def over_https(port: int, trust: ssl.SSLContext) -> http.client.HTTPSConnection:
    return http.client.HTTPSConnection("127.0.0.1", port, timeout=SOON, context=trust)


def over_http(server: Server) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", server.port, timeout=SOON)


def test_the_same_table_is_there_over_both(opens: Opens, trust: ssl.SSLContext) -> None:
    with opens() as (server, port):
        answer, state = asked(over_https(port, trust))
        assert answer.status == 200
        assert asked(over_http(server))[1] == state
        with pytest.raises(ssl.SSLCertVerificationError):
            asked(over_https(port, ssl.create_default_context()))


def test_a_phone_joins_and_acts_over_https(opens: Opens, trust: ssl.SSLContext) -> None:
    with opens() as (_, port):
        origin = f"https://127.0.0.1:{port}"
        headers = {"Content-Type": "application/json", "Origin": origin, "Sec-Fetch-Site": "same-origin"}
        answer, me = asked(over_https(port, trust), "POST", "/api/v1/join", body='{"code": "1234"}', headers=headers)
        assert me["joined"], me
        cookie = answer.headers["Set-Cookie"]
        assert cookie.startswith(f"perudo_phone_{port}=")
        assert "; Secure" in cookie
        acts = {**headers, "Cookie": cookie.split(";")[0], "X-Perudo-CSRF": me["csrf"], "Idempotency-Key": "12345678"}
        seat = json.dumps({"role": "watching"})
        assert asked(over_https(port, trust), "POST", "/api/v1/seat", body=seat, headers=acts)[0].status == 200
        for wrong in (f"http://127.0.0.1:{port}", "https://evil.example"):
            forged = {**acts, "Origin": wrong, "Idempotency-Key": "87654321"}
            answer, refusal = asked(over_https(port, trust), "POST", "/api/v1/seat", body=seat, headers=forged)
            assert (answer.status, refusal["error"]) == (403, "origin")


def test_a_phone_that_goes_from_http_to_https_stays_who_it_is(opens: Opens, trust: ssl.SSLContext) -> None:
    with opens() as (server, port):
        headers = {"Content-Type": "application/json"}
        answer, me = asked(over_http(server), "POST", "/api/v1/join", body='{"code": "1234"}', headers=headers)
        assert answer.headers["Set-Cookie"].startswith(f"perudo_phone_{server.port}=")
        assert "Secure" not in answer.headers["Set-Cookie"]
        cookie = {"Cookie": answer.headers["Set-Cookie"].split(";")[0]}
        answer, there = asked(over_https(port, trust), path="/api/v1/me", headers=cookie)
        assert (there["phone"], there["host"]) == (me["phone"], True)
        assert answer.headers["Set-Cookie"].startswith(f"perudo_phone_{port}=")


def test_who_is_invited_over_https_joins_over_http(opens: Opens, trust: ssl.SSLContext) -> None:
    with opens() as (server, port):
        _, me = asked(over_https(port, trust), path="/api/v1/me")
        assert me["addresses"] == [f"http://127.0.0.1:{server.port}/"]


def test_the_stream_comes_over_https_and_tells_what_is_new(
    opens: Opens, trust: ssl.SSLContext, table: FakeTable
) -> None:
    with opens() as (_, port), contextlib.closing(over_https(port, trust)) as phone:
        phone.request("GET", "/api/v1/events")
        stream = phone.getresponse()
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        before = event(stream)
        table.show(table.state())
        assert event(stream) >= before


def event(stream: http.client.HTTPResponse) -> int:
    """The version of the next state in it."""
    while line := stream.readline():
        if line.startswith(b"data: ") and b'"version"' in line:
            return int(json.loads(line[6:])["version"])
    raise AssertionError("the stream ended")


def test_a_handshake_that_never_ends_is_ended_and_keeps_nobody_out(opens: Opens, trust: ssl.SSLContext) -> None:
    with opens(Limits(connections=6, share=4, head_timeout=0.3)) as (server, port), contextlib.ExitStack() as stack:
        silent = [stack.enter_context(socket.create_connection(("127.0.0.1", port), SOON)) for _ in range(8)]
        silent[-1].sendall(b"\x16\x03\x01\x02\x00")  # the beginning of one
        assert asked(over_http(server))[0].status == 200
        assert asked(over_https(port, trust))[0].status == 200
        for each in silent:
            assert received(each) == b""


def test_connections_of_both_ports_count_together(opens: Opens) -> None:
    with opens(Limits(connections=6, share=2)) as (server, port), contextlib.ExitStack() as stack:

        def connected(at: int) -> socket.socket:
            return stack.enter_context(socket.create_connection(("127.0.0.1", at), SOON))

        plain = connected(server.port)
        first, _ = connected(port), connected(port)
        assert received(plain) == b"", "beyond its share, the oldest of an address ends, whichever its port is"
        connected(server.port)
        assert received(first) == b""


def test_plain_http_at_https_is_harmless(opens: Opens, trust: ssl.SSLContext, caplog: pytest.LogCaptureFixture) -> None:
    with opens() as (_, port), contextlib.closing(over_https(port, trust)) as phone:
        phone.connect()
        for junk in (STATE, b"\0" * 4096, b"\x16\x03\x01\xff\xff" + b"x" * 4096):
            with socket.create_connection(("127.0.0.1", port), SOON) as guest:
                guest.sendall(junk)
                assert not received(guest).startswith(b"HTTP")
        with pytest.raises(ssl.SSLCertVerificationError):
            asked(over_https(port, ssl.create_default_context()))
        phone.request("GET", "/api/v1/state")
        assert phone.getresponse().status == 200
    assert caplog.messages == [], "a guest cannot fill the log"


def received(guest: socket.socket) -> bytes:
    with contextlib.suppress(ConnectionResetError):
        return guest.recv(65536)
    return b""


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_versions_of_tls_given_up_are_refused(opens: Opens, trust: ssl.SSLContext, version: ssl.TLSVersion) -> None:
    trust.minimum_version = trust.maximum_version = version
    trust.set_ciphers("ALL:@SECLEVEL=0")
    with opens() as (_, port), pytest.raises(ssl.SSLError):
        asked(over_https(port, trust))


def test_https_is_closed_and_opened_while_http_goes_on(opens: Opens, trust: ssl.SSLContext, site: SecureSite) -> None:
    with opens() as (server, port):
        assert asked(over_https(port, trust))[0].status == 200
        server.close_https()
        wait_until_closed(port)
        assert asked(over_http(server))[0].status == 200
        context = site.refresh()
        assert context is not None
        listening = listen("127.0.0.1", 0)
        server.open_https(listening, context)
        assert asked(over_https(listening.getsockname()[1], trust))[0].status == 200
