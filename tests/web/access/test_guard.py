"""No other page and no other host name can press the button or see the table."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.fakes.table import FakeTable
from web.access.guard import host_allowed, own_names, same_origin


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


def test_a_rebound_host_name_sees_nothing(client: FlaskClient, table: FakeTable) -> None:
    answer = client.get("/api/v1/state", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.json["error"]) == (403, "host")
    assert "players" not in answer.text


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
