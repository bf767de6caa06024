"""https on the page of the box: who may make a certificate, and what devices need of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.features.https.secure_site import SecureSite
from companion.features.https.service import SecurePage
from tests.fakes.table import FakeTable

pytestmark = pytest.mark.programs("openssl")


@pytest.fixture
def https(tmp_path: Path) -> SecurePage:
    return SecurePage(SecureSite(tmp_path, "box", lambda: ["127.0.0.1", "box.local"]), "127.0.0.1", 0)


@pytest.fixture
def app(table: FakeTable, https: SecurePage, make_app: Callable[..., Flask]) -> Flask:
    return make_app(table, https=https)


def test_the_host_makes_what_everybody_may_have(client: FlaskClient, stranger: FlaskClient, https: SecurePage) -> None:
    before = stranger.get("/api/v1/box").get_json()["https"]
    assert before == {"openssl": True, "fingerprint": None, "port": None, "names": []}
    assert stranger.get("/perudo-ca.crt").status_code == 404
    made = client.post("/api/v1/box/certificate", json={})
    assert made.status_code == 200, made.json
    assert made.get_json()["https"]["fingerprint"] == https.state().fingerprint
    assert made.get_json()["https"]["names"] == ["127.0.0.1", "box.local"]
    file = stranger.get("/perudo-ca.crt")
    assert file.mimetype == "application/x-x509-ca-cert", "a tablet installs it by this type"
    assert file.data == https.certificate()
    assert b"PRIVATE" not in file.data
    assert file.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert client.post("/api/v1/box/certificate", json={}).get_json() == made.get_json(), "it is kept"


def test_only_the_host_makes_one(client: FlaskClient, stranger: FlaskClient, app: Flask, https: SecurePage) -> None:
    guest = app.test_client().join()  # type: ignore[attr-defined]
    assert guest.post("/api/v1/box/certificate", json={}).status_code == 403
    assert stranger.post("/api/v1/box/certificate", json={}).status_code == 401
    assert https.certificate() is None


def test_without_openssl_it_says_what_to_type(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert client.get("/api/v1/box").get_json()["https"]["openssl"] is False
    refused = client.post("/api/v1/box/certificate", json={})
    assert (refused.status_code, refused.get_json()["error"]) == (503, "certificate")
    assert "sudo apt install openssl" in refused.get_json()["message"]


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("box.local:8000", "connect-src 'self' https://box.local:*;"),
        ("192.168.1.5", "connect-src 'self' https://192.168.1.5:*;"),
        ("[fd00::7]:8000", "connect-src 'self';"),
        ("x;script-src *.local", "connect-src 'self';"),
    ],
)
def test_only_the_boxs_page_may_ask_its_own_host_over_https(stranger: FlaskClient, host: str, allowed: str) -> None:
    policy = stranger.get("/box", headers={"Host": host}).headers["Content-Security-Policy"]
    assert allowed in policy
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "connect-src 'self';" in stranger.get("/").headers["Content-Security-Policy"]


def test_where_there_is_no_https_nothing_is_offered(table: FakeTable, make_app: Callable[..., Flask]) -> None:
    plain = make_app(table).test_client()
    assert plain.get("/api/v1/box").json["https"] is None
    assert plain.get("/perudo-ca.crt").status_code == 404
