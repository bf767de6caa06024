"""`/api/v1/box`: what the box is, and what only the host's phone sees of it."""

from __future__ import annotations

import logging
from importlib.metadata import version
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.box.doctor.redaction import REMOVED
from companion.box.recent_log import RecentLog
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web import create_app
from web.access.access import Access


def test_everybody_may_know_what_the_box_is(client: FlaskClient, table: FakeTable) -> None:
    now = client.get("/api/v1/box").get_json()
    assert now["version"] == version("perudo-companion")
    assert now["name"]
    assert now["playing"] is True
    table.show(STATES["seating"])
    assert client.get("/api/v1/box").get_json()["playing"] is False


@pytest.mark.parametrize("address", ["log"])
def test_only_the_hosts_phone_sees_the_inside_of_the_box(
    client: FlaskClient, app: Flask, stranger: FlaskClient, address: str
) -> None:
    refused = stranger.get(f"/api/v1/box/{address}")
    assert (refused.status_code, (refused.json or {})["error"]) == (401, "join-first")
    guest: Any = app.test_client()
    refused = guest.join(seat="table").get(f"/api/v1/box/{address}")
    assert (refused.status_code, (refused.json or {})["error"]) == (403, "not-host")
    assert client.get(f"/api/v1/box/{address}").status_code == 200


def test_the_host_reads_the_log_without_the_tables_secrets(access: Access, phone_client: Any, described: Any) -> None:
    recent = RecentLog()
    app = create_app(FakeTable(STATES["bidding"]), access=access, recent_log=recent)
    app.after_request(described.check)
    host = phone_client(app, app.response_class).join()
    assert host.get("/api/v1/box/log").json == {"lines": []}
    for text in (f"code {access.code} and 1235", f"GET /#{access.invitation}", "token=abc", "reading 7 is dropped"):
        recent.handle(logging.LogRecord("companion.table", logging.INFO, "", 0, text, None, None))
    lines = host.get("/api/v1/box/log").json["lines"]
    assert [line.partition("companion.table: ")[2] for line in lines] == [
        f"code {REMOVED} and 1235", f"GET /#{REMOVED}", f"token={REMOVED}", "reading 7 is dropped"
    ]  # fmt: skip
