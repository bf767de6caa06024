"""No other page and no other host name can press the button or see the table."""

from __future__ import annotations

import socket

import pytest
from flask.testing import FlaskClient

from tests.fakes.parts import box_parts
from tests.fakes.table import FakeTable
from web.access.guard import host_allowed, own_names, same_origin
from web.app import create_app


@pytest.mark.parametrize(
    "host",
    [
        "192.168.1.20:8000",
        "10.0.0.1",
        "[fe80::1]:8000",
        "localhost:5000",
        "perudo.local",
        "PERUDO.local.:80",
        "box.lan",
    ],
)
def test_the_box_answers_to_its_own_names(host: str) -> None:
    assert host_allowed(host, {"box", "box.lan"})


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "perudo.local.evil.example", "local", "x@10.0.0.1", "10.0.0.1/x", "[::1", "10.0.0.1:99999",
     "10.0.0.1.evil.example", "other.lan"],
)  # fmt: skip
def test_the_box_answers_to_no_other_name(host: str) -> None:
    assert not host_allowed(host, {"box", "box.lan"})


def test_the_box_answers_to_the_name_of_this_machine() -> None:
    assert all(host_allowed(name, own_names()) for name in own_names())
    short = socket.gethostname().lower().split(".")[0]
    assert {f"{short}.fritz.box", f"{short}.localdomain", f"{short}.speedport.ip"} <= own_names()


def test_a_rebound_host_name_sees_nothing(client: FlaskClient, table: FakeTable) -> None:
    answer = client.get("/api/v1/state", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.json["error"]) == (403, "host")
    assert "players" not in answer.text


def test_a_browser_that_knows_the_box_by_another_name_is_shown_where_it_is(table: FakeTable) -> None:
    app = create_app(box_parts(table, addresses=lambda: ["http://192.168.1.5:8000/", "http://perudo.local:8000/"]))
    answer = app.test_client().get("/", headers={"Host": "perudo.example", "Accept": "text/html,*/*;q=0.8"})
    assert (answer.status_code, answer.mimetype) == (403, "text/html")
    assert '<a href="http://192.168.1.5:8000/">' in answer.text
    assert '<a href="http://perudo.local:8000/">' in answer.text
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_the_box_goes_by_the_names_of_its_configuration(table: FakeTable) -> None:
    client = create_app(box_parts(table, names=("perudo.example.org",))).test_client()
    for host, status in (("Perudo.example.org:8000", 200), ("example.org", 403), ("x.perudo.example.org", 403)):
        assert client.get("/api/v1/state", headers={"Host": host}).status_code == status


def test_no_browser_is_led_to_the_name_that_was_refused(client: FlaskClient) -> None:
    answer = client.get("/", headers={"Host": "evil.example", "Accept": "text/html"})
    assert (answer.status_code, answer.mimetype) == (403, "application/json")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:81"},
        {"Origin": "https://localhost"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
    ],
)
def test_another_page_cannot_press_the_button(client: FlaskClient, table: FakeTable, headers: dict[str, str]) -> None:
    answer = client.post("/api/v1/dudo", json={}, headers=headers)
    assert (answer.status_code, answer.json["error"]) == (403, "origin")
    assert table.commands == []


@pytest.mark.parametrize(
    "headers", [{}, {"Origin": "http://localhost"}, {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}]
)
def test_our_own_page_and_programs_can(client: FlaskClient, table: FakeTable, headers: dict[str, str]) -> None:
    assert client.post("/api/v1/dudo", json={}, headers=headers).status_code == 200
    assert len(table.commands) == 1


def test_the_port_is_part_of_the_origin() -> None:
    assert same_origin("http://10.0.0.5:8000", None, "http", "10.0.0.5:8000")
    assert not same_origin("http://10.0.0.5:9000", None, "http", "10.0.0.5:8000")


@pytest.mark.parametrize("path", ["/", "/api/v1/state", "/nothing", "/healthz"])
def test_every_answer_carries_the_guards_headers(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
