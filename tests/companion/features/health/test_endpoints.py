"""The health of the box over HTTP: only the host's phone sees its inside, and mends it."""

from __future__ import annotations

import logging
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.box.doctor.bundle import REMOVED
from companion.box.restart import REPAIR_FILE, Restart
from companion.camera.supervised_camera import SupervisedCamera
from companion.features.health.recent_log import RecentLog
from companion.features.health.service import Maintenance
from companion.messages.message import Message
from companion.state_folder import SECOND_FILE
from companion.table import State
from companion.table.state.state import CameraStatus
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera, FakeTable
from web.access.access import Access

SEATING, PLAYING = STATES["seating"], STATES["bidding"]
UNSAVED = replace(SEATING, journal=STATES["journal-full"].journal)


@pytest.fixture
def recent() -> RecentLog:
    return RecentLog()


@pytest.fixture
def restart() -> Restart:
    return Restart()


@pytest.fixture
def camera() -> SupervisedCamera | None:
    return SupervisedCamera(FakeCamera, lambda: 0.0, lambda _: None)


@pytest.fixture
def host(
    table: FakeTable,
    access: Access,
    recent: RecentLog,
    restart: Restart,
    camera: SupervisedCamera | None,
    make_app: Callable[..., Flask],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Any:
    """The host's phone at a box where nobody plays."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    table.show(SEATING)
    box = Maintenance(tmp_path, table.state, recent, restart, camera)
    return make_app(table, access=access, maintenance=box).test_client().join()


@pytest.mark.parametrize("address", ["log", "health", "bundle.zip"])
def test_only_the_hosts_phone_sees_the_inside_of_the_box(host: Any, address: str) -> None:
    stranger, guest = FlaskClient(host.application, host.application.response_class), host.application.test_client()
    refused = stranger.get(f"/api/v1/box/{address}")
    assert (refused.status_code, refused.json["error"]) == (401, "join-first")
    refused = guest.join(seat="table").get(f"/api/v1/box/{address}")
    assert (refused.status_code, refused.json["error"]) == (403, "not-host")
    assert host.get(f"/api/v1/box/{address}").status_code == 200


@pytest.mark.parametrize("address", ["camera", "restart", "repair"])
def test_only_the_hosts_phone_mends_the_box(host: Any, restart: Restart, address: str) -> None:
    refused = host.application.test_client().join(seat="table").post(f"/api/v1/box/{address}", json={})
    assert (refused.status_code, refused.json["error"]) == (403, "not-host")
    assert host.post(f"/api/v1/box/{address}", json={"all": True}).status_code == 400
    assert not restart.due
    assert host.post(f"/api/v1/box/{address}", json={}).json["name"]
    assert restart.due is (address != "camera")


def test_the_host_reads_the_log_without_the_tables_secrets(host: Any, access: Access, recent: RecentLog) -> None:
    assert host.get("/api/v1/box/log").json == {"lines": []}
    for text in (f"code {access.code} and 1235", f"GET /#{access.invitation}", "token=abc", "reading 7 is dropped"):
        recent.handle(logging.LogRecord("companion.table", logging.INFO, "", 0, text, None, None))
    lines = host.get("/api/v1/box/log").json["lines"]
    assert [line.partition("companion.table: ")[2] for line in lines] == [
        f"code {REMOVED} and 1235", f"GET /#{REMOVED}", f"token={REMOVED}", "reading 7 is dropped"
    ]  # fmt: skip


def test_the_host_is_told_in_words_what_is_not_well(host: Any, table: FakeTable) -> None:
    sentence = Message("The camera is starting.")
    table.show(replace(SEATING, camera=CameraStatus(ok=False, name="", sentence=sentence)))
    (found,) = (each for each in host.get("/api/v1/box/health").json["findings"] if each["part"] == "camera")
    said = {"sentence": "The camera is starting.", "said": [{"msgid": "The camera is starting.", "params": {}}]}
    assert found == said | {"part": "camera", "severity": "bad", "mend": "camera"}


def test_the_report_is_a_zip_to_save(host: Any) -> None:
    answer = host.get("/api/v1/box/bundle.zip")
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="perudo-')
    with zipfile.ZipFile(BytesIO(answer.data)) as report:
        assert "doctor.txt" in report.namelist()


@pytest.mark.parametrize(
    ("path", "state", "full", "code"),
    [
        pytest.param("restart", PLAYING, False, "wrong-phase", id="restart in a game"),
        pytest.param("repair", PLAYING, False, "wrong-phase", id="repair in a game"),
        pytest.param("second", PLAYING, False, "wrong-phase", id="second in a game"),
        pytest.param("restart", UNSAVED, False, "unsaved", id="restart with a game only in memory"),
        pytest.param("second", UNSAVED, False, "unsaved", id="second with a game only in memory"),
        pytest.param("repair", SEATING, True, "unsaved", id="repair on a full disk"),
        pytest.param("second", SEATING, True, "unsaved", id="second on a full disk"),
    ],
)
def test_the_program_is_not_started_anew_where_something_would_be_lost(
    host: Any,
    table: FakeTable,
    restart: Restart,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    state: State,
    full: bool,
    code: str,
) -> None:
    table.show(state)
    if full:
        monkeypatch.setattr(Path, "touch", Mock(side_effect=OSError(28, "No space left on device")))
    refused = host.post(f"/api/v1/box/{path}", json={})
    assert (refused.status_code, refused.json["error"]) == (409, code)
    assert ("No space left" in refused.json["message"]) is full
    assert not restart.due
    assert not {REPAIR_FILE, SECOND_FILE} & {each.name for each in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("path", "state", "file"),
    [("repair", UNSAVED, REPAIR_FILE), ("second", SEATING, SECOND_FILE)],
    ids=["a journal that cannot be written is set aside", "a box becomes a second one"],
)
def test_what_is_done_at_the_next_start_is_noted(
    host: Any, table: FakeTable, restart: Restart, tmp_path: Path, path: str, state: State, file: str
) -> None:
    table.show(state)
    assert host.post(f"/api/v1/box/{path}", json={}).status_code == 200
    assert (tmp_path / file).exists()
    assert restart.due


@pytest.mark.parametrize("camera", [None])
def test_a_box_without_a_camera_of_its_own_has_none_to_look_for(host: Any) -> None:
    refused = host.post("/api/v1/box/camera", json={})
    assert (refused.status_code, refused.json["error"]) == (503, "no_camera")


def test_a_program_without_a_box_has_no_health(client: FlaskClient) -> None:
    answers = [client.get(f"/api/v1/box/{address}") for address in ("health", "bundle.zip")]
    answers.append(client.post("/api/v1/box/camera", json={}))
    assert [answer.status_code for answer in answers] == [404] * 3
