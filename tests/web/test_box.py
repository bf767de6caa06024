"""`/api/v1/box`: what the box is; the rest of it is tested with the features."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fakes.states import STATES
from tests.fakes.table import FakeTable


def test_everybody_may_know_what_the_box_is(client: FlaskClient, table: FakeTable) -> None:
    now = client.get("/api/v1/box").json
    assert (now["version"], now["playing"]) == (version("perudo-companion"), True)
    assert now["name"]
    table.show(STATES["seating"])
    assert client.get("/api/v1/box").json["playing"] is False


@pytest.mark.parametrize(
    ("addresses", "shown"),
    [
        (["http://10.0.0.5:8000/", "http://perudo-2.local:8000/"], "perudo-2.local:8000"),
        (["http://10.0.0.5/", "http://172.16.0.1/"], "10.0.0.5"),  # nothing answers to a name here
    ],
)
def test_the_address_that_is_shown_is_one_that_phones_find(
    addresses: list[str], shown: str, make_app: Callable[..., Flask], table: FakeTable
) -> None:
    phone = make_app(table, addresses=lambda: addresses).test_client()
    assert phone.get("/api/v1/box").json["address"] == shown


@pytest.mark.parametrize(
    ("path", "body"),
    [("camera/try", {"source": "pi"}), ("camera/keep", {}), ("buttons/learn", {}), ("buttons/stop", {})],
)
def test_a_table_without_settings_has_no_camera_and_no_buttons_to_choose(
    client: FlaskClient, table: FakeTable, path: str, body: dict[str, str]
) -> None:
    table.show(STATES["seating"])
    now = client.get("/api/v1/box").json
    assert (now["camera"], now["buttons"]) == (None, None)
    assert client.post(f"/api/v1/box/{path}", json=body).json["error"] == "not_found"
