"""`/api/v1/box`: what the box is, and what only the host's phone sees of it."""

from __future__ import annotations

import logging
import zipfile
from collections.abc import Callable
from contextlib import closing
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.box.doctor.bundle import REMOVED
from companion.box.restart import REPAIR_FILE, Restart
from companion.camera.supervised_camera import SupervisedCamera
from companion.config import load
from companion.config.settings_file import SettingsFile
from companion.features.camera.service import CameraSetup
from companion.features.health.recent_log import RecentLog
from companion.features.health.service import Maintenance
from companion.messages.message import Message
from companion.messages.shown_address import shown_address
from companion.state_folder import SECOND_FILE
from companion.table.state.state import CameraStatus
from hardware.camera.protocol import CameraError
from tests.fakes.button_box import OLD, ButtonBox
from tests.fakes.parts import box_parts
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera, FakeTable
from tests.wait import wait_until
from web.access.access import Access
from web.app import create_app


@pytest.fixture
def recent() -> RecentLog:
    return RecentLog()


@pytest.fixture
def restart() -> Restart:
    return Restart()


@pytest.fixture
def make_box(
    table: FakeTable,
    recent: RecentLog,
    restart: Restart,
    phone_client: Any,
    described: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Any]:
    """The host's phone at a box."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))

    def made(*, camera: bool = True, access: Access | None = None, **parts: Any) -> Any:
        supervised = SupervisedCamera(FakeCamera, lambda: 0.0, lambda _: None)
        maintenance = Maintenance(tmp_path, table.state, recent, restart, supervised if camera else None)
        app = create_app(box_parts(table, access=access or Access(code="1234"), maintenance=maintenance, **parts))
        app.testing = True
        app.after_request(described.check)
        app.test_client_class = phone_client
        return app.test_client().join()

    return made


def test_everybody_may_know_what_the_box_is(client: FlaskClient, table: FakeTable) -> None:
    now = client.get("/api/v1/box").get_json()
    assert now["version"] == version("perudo-companion")
    assert now["name"]
    assert now["playing"] is True
    table.show(STATES["seating"])
    assert client.get("/api/v1/box").get_json()["playing"] is False


@pytest.mark.parametrize(
    ("addresses", "shown"),
    [
        (["http://10.0.0.5:8000/", "http://perudo-2.local:8000/"], "perudo-2.local:8000"),
        (["http://10.0.0.5/", "http://172.16.0.1/"], "10.0.0.5"),  # nothing answers to a name here
    ],
)
def test_the_address_that_is_shown_is_one_that_phones_find(
    addresses: list[str], shown: str, make_box: Callable[..., Any]
) -> None:
    assert make_box(addresses=lambda: addresses).get("/api/v1/box").json["address"] == shown


@pytest.mark.parametrize("address", ["log", "health", "bundle.zip"])
def test_only_the_hosts_phone_sees_the_inside_of_the_box(make_box: Callable[..., Any], address: str) -> None:
    host = make_box()
    stranger, guest = FlaskClient(host.application, host.application.response_class), host.application.test_client()
    refused = stranger.get(f"/api/v1/box/{address}")
    assert (refused.status_code, (refused.json or {})["error"]) == (401, "join-first")
    refused = guest.join(seat="table").get(f"/api/v1/box/{address}")
    assert (refused.status_code, (refused.json or {})["error"]) == (403, "not-host")
    assert host.get(f"/api/v1/box/{address}").status_code == 200


@pytest.mark.parametrize("address", ["camera", "restart", "repair"])
def test_only_the_hosts_phone_mends_the_box(
    make_box: Callable[..., Any], table: FakeTable, restart: Restart, address: str
) -> None:
    table.show(STATES["seating"])
    host = make_box()
    refused = host.application.test_client().join(seat="table").post(f"/api/v1/box/{address}", json={})
    assert (refused.status_code, refused.json["error"]) == (403, "not-host")
    assert host.post(f"/api/v1/box/{address}", json={"all": True}).status_code == 400
    assert not restart.due
    assert host.post(f"/api/v1/box/{address}", json={}).json["name"]
    assert restart.due is (address != "camera")


def test_the_host_reads_the_log_without_the_tables_secrets(
    make_box: Callable[..., Any], access: Access, recent: RecentLog
) -> None:
    host = make_box(access=access)
    assert host.get("/api/v1/box/log").json == {"lines": []}
    for text in (f"code {access.code} and 1235", f"GET /#{access.invitation}", "token=abc", "reading 7 is dropped"):
        recent.handle(logging.LogRecord("companion.table", logging.INFO, "", 0, text, None, None))
    lines = host.get("/api/v1/box/log").json["lines"]
    assert [line.partition("companion.table: ")[2] for line in lines] == [
        f"code {REMOVED} and 1235", f"GET /#{REMOVED}", f"token={REMOVED}", "reading 7 is dropped"
    ]  # fmt: skip


def test_the_host_is_told_in_words_what_is_not_well(make_box: Callable[..., Any], table: FakeTable) -> None:
    sentence = Message("The camera is starting.")
    table.show(replace(STATES["seating"], camera=CameraStatus(ok=False, name="", sentence=sentence)))
    said = make_box().get("/api/v1/box/health").json
    (camera,) = (each for each in said["findings"] if each["part"] == "camera")
    assert camera == {
        "sentence": "The camera is starting.",
        "said": [{"msgid": "The camera is starting.", "params": {}}],
        "part": "camera",
        "severity": "bad",
        "mend": "camera",
    }


def test_the_report_is_a_zip_to_save(make_box: Callable[..., Any]) -> None:
    answer = make_box().get("/api/v1/box/bundle.zip")
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="perudo-')
    with zipfile.ZipFile(BytesIO(answer.data)) as report:
        assert "doctor.txt" in report.namelist()


@pytest.mark.parametrize("path", ["restart", "repair", "second"])
def test_the_program_is_not_started_anew_during_a_game(
    make_box: Callable[..., Any], restart: Restart, tmp_path: Path, path: str
) -> None:
    refused = make_box().post(f"/api/v1/box/{path}", json={})
    assert (refused.status_code, refused.json["error"]) == (409, "wrong-phase")
    assert not restart.due
    assert not (tmp_path / REPAIR_FILE).exists()


def test_what_is_only_in_memory_is_not_lost_by_a_restart(
    make_box: Callable[..., Any], table: FakeTable, restart: Restart, tmp_path: Path
) -> None:
    table.show(replace(STATES["seating"], journal=STATES["journal-full"].journal))
    host = make_box()
    for path in ("restart", "second"):
        refused = host.post(f"/api/v1/box/{path}", json={})
        assert (refused.status_code, refused.json["error"]) == (409, "unsaved")
    assert not restart.due
    assert not (tmp_path / SECOND_FILE).exists()
    assert host.post("/api/v1/box/repair", json={}).status_code == 200, "a journal that cannot be written is set aside"


def test_a_box_becomes_a_second_one_at_a_new_start(
    make_box: Callable[..., Any], table: FakeTable, restart: Restart, tmp_path: Path
) -> None:
    table.show(STATES["seating"])
    assert make_box().post("/api/v1/box/second", json={}).status_code == 200
    assert (tmp_path / SECOND_FILE).exists()
    assert restart.due


@pytest.mark.parametrize("path", ["repair", "second"])
def test_what_cannot_be_noted_is_refused(
    make_box: Callable[..., Any], table: FakeTable, restart: Restart, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    table.show(STATES["seating"])

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "touch", full)
    refused = make_box().post(f"/api/v1/box/{path}", json={})
    assert (refused.status_code, refused.json["error"]) == (409, "unsaved")
    assert "No space left" in refused.json["message"]
    assert not restart.due


def test_a_box_without_a_camera_of_its_own_has_none_to_look_for(make_box: Callable[..., Any]) -> None:
    refused = make_box(camera=False).post("/api/v1/box/camera", json={})
    assert (refused.status_code, refused.json["error"]) == (503, "no_camera")


@pytest.mark.parametrize("address", ["health", "bundle.zip"])
def test_a_program_without_a_box_says_so(client: FlaskClient, address: str) -> None:
    assert client.get(f"/api/v1/box/{address}").status_code == 404
    assert client.post("/api/v1/box/camera", json={}).status_code == 404


# The camera and the buttons that the host chooses


@pytest.fixture
def cameras(restart: Restart, tmp_path: Path) -> CameraSetup:
    """There is one camera, and an address at which nothing answers."""

    def open_camera(source: str) -> FakeCamera:
        if "://" in source:
            raise CameraError(Message("No pictures come from {address}.", address=shown_address(source)))
        return FakeCamera()

    settings = SettingsFile(tmp_path / "perudo.toml")
    return CameraSetup(None, open_camera, settings, restart, found=lambda: {"webcam:2": "ACME HD"})


def trial_of(phone: Any) -> Any:
    return wait_until(lambda: it if (it := phone.get("/api/v1/box").json["camera"]["trial"])["step"] != "trying" else 0)


def test_the_host_tries_a_camera_sees_its_picture_and_keeps_it(
    make_box: Callable[..., Any], table: FakeTable, cameras: CameraSetup, restart: Restart, tmp_path: Path
) -> None:
    table.show(STATES["seating"])
    host = make_box(camera_setup=cameras)
    assert host.get("/api/v1/box").json["camera"] == {
        "source": None,
        "found": [{"source": "webcam:2", "name": "ACME HD"}],
        "trial": None,
    }
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


def test_a_camera_is_chosen_by_the_host_alone_and_not_during_a_game(
    make_box: Callable[..., Any], table: FakeTable, cameras: CameraSetup
) -> None:
    host = make_box(camera_setup=cameras)
    for path, body in (("camera/try", {"source": "webcam:2"}), ("camera/keep", {})):
        refused = host.post(f"/api/v1/box/{path}", json=body)
        assert (refused.status_code, refused.json["error"]) == (409, "wrong-phase")
    table.show(STATES["seating"])
    guest = host.application.test_client().join(seat="table")
    for answer in (
        guest.post("/api/v1/box/camera/try", json={"source": "webcam:2"}),
        guest.post("/api/v1/box/camera/keep", json={}),
        guest.get("/api/v1/box/camera.jpg"),
    ):
        assert (answer.status_code, answer.json["error"]) == (403, "not-host")
    for source in ("folder:/etc", "pi", "http://a b"):
        refused = host.post("/api/v1/box/camera/try", json={"source": source})
        assert refused.json["error"] == "settings"
        assert "No camera is called that" in refused.json["message"]
    assert host.post("/api/v1/box/camera/try", json={"source": ""}).status_code == 400
    assert host.get("/api/v1/box").json["camera"]["trial"] is None


def test_a_table_without_settings_has_no_camera_and_no_buttons_to_choose(
    make_box: Callable[..., Any], table: FakeTable
) -> None:
    table.show(STATES["seating"])
    host = make_box()
    now = host.get("/api/v1/box").json
    assert (now["camera"], now["buttons"]) == (None, None)
    for path, body in (
        ("camera/try", {"source": "pi"}),
        ("camera/keep", {}),
        ("buttons/learn", {}),
        ("buttons/stop", {}),
    ):
        assert host.post(f"/api/v1/box/{path}", json=body).json["error"] == "not_found"


def test_the_host_has_the_buttons_learned_and_nobody_else(
    make_box: Callable[..., Any], table: FakeTable, tmp_path: Path
) -> None:
    with closing(ButtonBox(tmp_path)) as box:
        host = make_box(buttons=box.open())
        assert host.post("/api/v1/box/buttons/learn", json={}).json["error"] == "wrong-phase"
        table.show(STATES["seating"])
        guest = host.application.test_client().join(seat="table")
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
