"""The page over https, opened and closed beside a server that goes on over http."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.features.https import certificates
from companion.features.https.certificates import CertificateError
from companion.features.https.secure_site import SecureSite
from companion.features.https.service import SecurePage
from tests.fakes.parts import box_parts
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from tests.wait import wait_until, wait_until_closed
from web.access.access import Access
from web.app import create_app
from web.stream.server import Server, make_server

pytestmark = pytest.mark.programs("openssl")


@pytest.fixture
def names() -> list[str]:
    return ["127.0.0.1"]


@pytest.fixture
def site(tmp_path: Path, names: list[str]) -> SecureSite:
    return SecureSite(tmp_path, "box", lambda: names)


@pytest.fixture
def server() -> Iterator[Server]:
    with make_server(
        create_app(box_parts(FakeTable(STATES["seating"]), access=Access(code="1234"))), "127.0.0.1", 0
    ) as server:
        yield server


@pytest.fixture
def page(site: SecureSite, server: Server) -> Iterator[SecurePage]:
    page = SecurePage(site, "127.0.0.1", 0)
    page.start(server)
    yield page
    page.stop()


def names_at(port: int, authority: bytes, host: str = "127.0.0.1") -> set[str]:
    """The names in the certificate of the server at that port. Raises `ssl.SSLError`."""
    trust = ssl.create_default_context(cadata=authority.decode())
    with (
        socket.create_connection(("127.0.0.1", port), 10) as plain,
        trust.wrap_socket(plain, server_hostname=host) as secure,
    ):
        shown = secure.getpeercert()
    assert shown
    return {str(name) for _, name in shown["subjectAltName"]}  # type: ignore[misc, index]


def test_https_opens_at_once_when_a_certificate_is_made_and_follows_the_box(page: SecurePage, names: list[str]) -> None:
    assert page.state().port is None
    assert page.certificate() is None
    page.make()
    state, authority = page.state(), page.certificate()
    assert state.port is not None
    assert authority is not None
    assert state.names == ("127.0.0.1",)
    assert state.fingerprint == certificates.Authority(authority, b"").fingerprint
    names.append("box.local")
    page.look()
    assert "box.local" in names_at(state.port, authority, "box.local")
    assert page.state().port == state.port


def test_certificates_that_are_removed_end_https_and_not_http(page: SecurePage, server: Server, tmp_path: Path) -> None:
    page.make()
    port = page.state().port
    assert port is not None
    certificates.remove_certificates(tmp_path)
    page.look()
    assert page.state().port is None
    wait_until_closed(port)
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as phone:
        phone.request("GET", "/api/v1/state")
        assert phone.getresponse().status == 200


def test_a_port_that_another_program_has_is_said_once_and_taken_when_it_is_free(
    site: SecureSite, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        page = SecurePage(site, "127.0.0.1", port)
        page.start(server)
        with pytest.raises(CertificateError, match=f"port {port}"):
            page.make()
        page.look()
        assert len([line for line in caplog.messages if "https_port" in line]) == 1
    page.look()
    assert page.state().port == port
    page.stop()


def test_a_program_serves_https_by_the_certificates_of_its_folder(
    tmp_path: Path, remote_phone: Callable[..., Any]
) -> None:
    state = tmp_path / "state"
    environment = {**os.environ, "PERUDO_CONFIG": str(tmp_path / "box.toml")}
    (tmp_path / "box.toml").write_text("[web]\nhttps_port = 0\n")
    perudo = (sys.executable, "-m", "companion.cli")
    run = (*perudo, "run", "--no-panel", "--host", "127.0.0.1", "--port", "0", "--state", str(state))
    with subprocess.Popen(run, stdout=subprocess.PIPE, text=True, env=environment) as program:
        address, code = (program.stdout.readline().strip() for _ in range(2))
        assert address.startswith("http://127.0.0.1:"), "http stays the default"
        made = subprocess.run((*perudo, "certificate", "--state", str(state)), check=True, env=environment)
        assert made.returncode == 0
        authority = certificates.read_authority(state)
        phone = remote_phone(address, code.removeprefix("Table code: "))
        port = wait_until(lambda: json.loads(phone.get("api/v1/box"))["https"]["port"])
        assert "127.0.0.1" in names_at(port, authority.certificate)
        program.send_signal(signal.SIGTERM)
        program.communicate(timeout=60)
        assert program.returncode == 0
