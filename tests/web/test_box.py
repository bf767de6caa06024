"""`/api/v1/box`: what the box is."""

from __future__ import annotations

from importlib.metadata import version

from flask.testing import FlaskClient

from tests.fakes.states import STATES
from tests.fakes.table import FakeTable


def test_everybody_may_know_what_the_box_is(client: FlaskClient, table: FakeTable) -> None:
    now = client.get("/api/v1/box").get_json()
    assert now["version"] == version("perudo-companion")
    assert now["name"]
    assert now["playing"] is True
    table.show(STATES["seating"])
    assert client.get("/api/v1/box").get_json()["playing"] is False
