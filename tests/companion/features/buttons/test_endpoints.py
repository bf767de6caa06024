"""The buttons that the host has learned on the page of the box."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from flask import Flask

from tests.fakes.button_box import OLD, ButtonBox
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable


def test_only_the_host_has_the_buttons_learned(
    make_app: Callable[..., Flask], table: FakeTable, tmp_path: Path
) -> None:
    with closing(ButtonBox(tmp_path)) as box:
        app = make_app(table, buttons=box.open())
        host = app.test_client().join()
        assert host.post("/api/v1/box/buttons/learn", json={}).json["error"] == "wrong-phase"
        table.show(STATES["seating"])
        guest = app.test_client().join(seat="table")
        assert guest.post("/api/v1/box/buttons/learn", json={}).json["error"] == "not-host"
        assert guest.get("/api/v1/box").json["buttons"] == {
            "buttons": [{"name": "dudo", "place": f"KEY_ENTER on {OLD}", "there": True}],
            "lamps": False,
            "trouble": None,
            "learning": False,
            "said": [],
        }
        assert host.post("/api/v1/box/buttons/learn", json={}).json["buttons"]["learning"] is True
        box.hears("key for DUDO")
        table.show(STATES["bidding"])
        assert host.post("/api/v1/box/buttons/stop", json={}).status_code == 200
        box.ends()
        assert host.get("/api/v1/box").json["buttons"]["said"][-1]["sentence"] == "Nothing was changed."
