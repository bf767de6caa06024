"""The camera that the host chooses on the page of the box."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.box.restart import Restart
from companion.config import load
from companion.config.settings_file import SettingsFile
from companion.features.camera.service import CameraSetup
from companion.messages.message import Message
from companion.messages.shown_address import shown_address
from hardware.camera.protocol import CameraError
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera, FakeTable
from tests.wait import wait_until


@pytest.fixture
def restart() -> Restart:
    return Restart()


@pytest.fixture
def host(table: FakeTable, restart: Restart, make_app: Callable[..., Flask], tmp_path: Path) -> Any:
    """The host's phone at a box with one camera, and an address at which nothing answers."""

    def open_camera(source: str) -> FakeCamera:
        if "://" in source:
            raise CameraError(Message("No pictures come from {address}.", address=shown_address(source)))
        return FakeCamera()

    settings = SettingsFile(tmp_path / "perudo.toml")
    setup = CameraSetup(None, open_camera, settings, restart, found=lambda: {"webcam:2": "ACME HD"})
    return make_app(table, camera_setup=setup).test_client().join()


def trial_of(phone: Any) -> Any:
    return wait_until(lambda: it if (it := phone.get("/api/v1/box").json["camera"]["trial"])["step"] != "trying" else 0)


def test_the_host_tries_sees_and_keeps_a_camera(host: Any, table: FakeTable, restart: Restart, tmp_path: Path) -> None:
    table.show(STATES["seating"])
    found = [{"source": "webcam:2", "name": "ACME HD"}]
    assert host.get("/api/v1/box").json["camera"] == {"source": None, "found": found, "trial": None}
    assert host.get("/api/v1/box/camera.jpg").status_code == 404
    address = {"source": "http://ana:s3cret@cam/video"}
    assert "s3cret" not in host.post("/api/v1/box/camera/try", json=address).text
    failed = trial_of(host)
    assert (failed["step"], failed["source"]) == ("failed", "http://cam")
    assert failed["trouble"]["sentence"] == "No pictures come from http://cam."
    host.post("/api/v1/box/camera/try", json={"source": "webcam:2"})
    assert trial_of(host)["step"] == "tried"
    picture = host.get("/api/v1/box/camera.jpg")
    assert (picture.mimetype, picture.data[:2]) == ("image/jpeg", b"\xff\xd8")
    assert not restart.due
    host.post("/api/v1/box/camera/keep", json={})
    wait_until(lambda: restart.due)
    assert load(tmp_path / "perudo.toml", {}).camera.source == "webcam:2"


def test_a_camera_is_chosen_by_the_host_alone_and_not_during_a_game(host: Any, table: FakeTable) -> None:
    changes = (("camera/try", {"source": "webcam:2"}), ("camera/keep", {}))
    for path, body in changes:
        refused = host.post(f"/api/v1/box/{path}", json=body)
        assert (refused.status_code, refused.json["error"]) == (409, "wrong-phase")
    table.show(STATES["seating"])
    guest = host.application.test_client().join(seat="table")
    answers = [guest.post(f"/api/v1/box/{path}", json=body) for path, body in changes]
    for answer in (*answers, guest.get("/api/v1/box/camera.jpg")):
        assert (answer.status_code, answer.json["error"]) == (403, "not-host")
    refused = host.post("/api/v1/box/camera/try", json={"source": "folder:/etc"})
    assert refused.json["error"] == "settings"
    assert "No camera is called that" in refused.json["message"]
    assert host.post("/api/v1/box/camera/try", json={"source": ""}).status_code == 400
    assert host.get("/api/v1/box").json["camera"]["trial"] is None
