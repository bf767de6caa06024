"""`/api/v1/calibration`: who may do what, and that every answer is as the OpenAPI document says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from calibration.profile import Profile
from calibration.profiles import Profiles
from companion.camera.profile_in_use import ProfileInUse
from companion.features.calibration.service import CalibrationSession
from hardware.virtual.virtual_camera import VirtualCamera
from tests.browser.sheet_table import SIZE
from tests.fakes.clock import FakeClock
from tests.fakes.sheet_table import sheet_table
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from vision.reader import Reader

BASE = "/api/v1/calibration"


class Desk:
    """A calibration behind the API, and the phones that use it."""

    def __init__(self, state: Path, make_app: Callable[..., Flask]) -> None:
        self.clock = FakeClock()
        self.table = FakeTable(STATES["seating"])
        self.seen = sheet_table(())
        camera = VirtualCamera(self.seen.paint, self.clock, self.clock.sleep, name="Raspberry Pi camera imx708")
        self.profiles = Profiles.of(state)
        in_use = ProfileInUse(self.profiles, camera, lambda profile: None, lambda status: None)
        self.calibrating = CalibrationSession(
            camera, self.profiles, in_use, self.table.state, Reader.load, clock=self.clock, spawn=lambda job: job()
        )
        self.seen.wanted = self.calibrating.wanted
        camera.frame()
        app: Any = make_app(self.table, calibration=self.calibrating)
        self.ana, self.ben = app.test_client().join(), app.test_client().join()
        self.stranger = FlaskClient(app, app.response_class)

    def look(self, times: int = 1) -> dict[str, Any]:
        for _ in range(times):
            self.calibrating.look()
            self.clock.now += 0.2
        return dict(self.ana.get(BASE).json)

    def do(self, act: str, phone: Any = None, **what: Any) -> Any:
        return (phone or self.ana).post(f"{BASE}/{act}", json=what)


@pytest.fixture
def desk(tmp_path: Path, make_app: Callable[..., Flask]) -> Desk:
    return Desk(tmp_path, make_app)


def test_everybody_sees_the_calibration_and_only_phones_that_joined_calibrate(desk: Desk) -> None:
    assert desk.stranger.get(BASE).json["step"] is None
    assert desk.do("start", desk.stranger).status_code == 401
    assert desk.do("start").json["yours"]
    assert desk.look()["step"] == "aim"
    answer = desk.stranger.get(BASE)
    assert (answer.json["step"], answer.json["yours"]) == ("aim", False)
    assert answer.headers["Cache-Control"] == "no-store"
    picture = desk.stranger.get(f"{BASE}/picture.jpg?number={answer.json['picture']['number']}")
    image = cv2.imdecode(np.frombuffer(picture.data, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape[1] == answer.json["picture"]["width"] <= 960
    assert len(picture.data) < 200_000


def test_while_dice_may_lie_under_cups_only_the_hosts_phone_sees_what_is_calibrated(desk: Desk) -> None:
    desk.do("start", desk.ben)
    desk.look(3)
    pictures = ("picture.jpg", "compared/before.jpg", "compared/after.jpg")
    for phase in ("bidding", "asking", "verdict-right"):
        desk.table.show(STATES[phase])
        for phone in (desk.ben, desk.stranger):
            seen = phone.get(BASE).json
            assert (seen["step"], seen["yours"]) == ("aim", phone is desk.ben)
            assert not any(seen[field] for field in ("picture", "says", "hint", "findings", "compared", "check"))
            assert "only the host's phone" in seen["trouble"]["sentence"]
            refused = [phone.get(f"{BASE}/{picture}") for picture in pictures]
            assert {(answer.status_code, answer.json["error"]) for answer in refused} == {(403, "hidden")}
        assert desk.ana.get(BASE).json["picture"]
        assert desk.ana.get(f"{BASE}/picture.jpg").status_code == 200
    desk.table.show(STATES["over"])
    assert desk.stranger.get(f"{BASE}/picture.jpg").status_code == 200
    assert desk.ben.get(BASE).json["trouble"] is None


def test_a_phone_that_only_watches_cannot_calibrate(desk: Desk) -> None:
    desk.ben.post("/api/v1/seat", json={"role": "watching"})
    assert desk.do("start", desk.ben).json["error"] == "watching"


def test_the_second_phone_is_told_who_calibrates_and_may_take_over(desk: Desk) -> None:
    desk.do("start")
    refused = desk.do("start", desk.ben)
    assert (refused.status_code, refused.json["error"]) == (409, "calibrating")
    assert refused.json["said"]
    assert desk.do("go", desk.ben, step="sheet").json["error"] == "calibrating"
    assert desk.do("take", desk.ben).json["yours"]
    assert desk.do("go", desk.ben, step="sheet").json["step"] == "sheet"
    assert desk.do("cancel").json["error"] == "calibrating"
    assert desk.do("cancel", desk.ben).json["step"] is None
    assert desk.do("cancel", desk.ben).json["error"] == "not-calibrating"


def test_a_tap_counts_once(desk: Desk) -> None:
    desk.do("start")
    request = {"json": {"mm": 98}, "headers": {"Idempotency-Key": "tap-number-1"}}
    first = desk.ana.post(f"{BASE}/ruler", **request)
    again = desk.ana.post(f"{BASE}/ruler", **request)
    assert first.json["views"]["square_mm"] == pytest.approx(33 * 0.98)
    assert again.headers["X-Perudo-Again"] == "1"


def test_nothing_begins_while_dice_are_read(desk: Desk) -> None:
    desk.table.show(STATES["reading"])
    refused = desk.do("start")
    assert (refused.status_code, refused.json["error"]) == (409, "dice-read")


def test_from_the_sheet_to_the_lens_every_answer_follows_the_document(desk: Desk) -> None:
    desk.do("start")
    desk.look(2)
    desk.do("go", step="sheet")
    desk.do("ruler", mm=100)
    desk.do("go", step="views")
    assert desk.look(5)["step"] == "views"
    assert desk.do("assume").json["step"] == "flat", "finding the lens takes long, and is tested with the service"
    desk.do("capture")
    state = desk.look(2)
    assert state["step"] == "lens"
    assert state["lens"]["height_mm"] > 300
    assert state["compared"] == ["before", "after"]
    for which in state["compared"]:
        assert desk.ana.get(f"{BASE}/compared/{which}.jpg").mimetype == "image/jpeg"
    desk.do("go", step="colours")
    desk.look(4)
    desk.do("go", step="check")
    state = desk.look(4)
    assert state["check"]["seen"] == 0
    assert desk.do("save", name="a\u00adb").json["error"] == "bad-profile"
    saved = desk.do("save", name="Küche <oben>").json
    assert saved["kept"]["name"] == "Küche <oben>"
    assert [each["name"] for each in saved["profiles"]] == ["Küche <oben>"]
    assert desk.do("profiles/remove", desk.ben, name="Küche <oben>").json["error"] == "not-host"
    assert desk.do("profiles/rename", name="Küche <oben>", to="Kitchen").json["profiles"][0]["name"] == "Kitchen"
    assert desk.do("profiles/use", name=None).json["profiles"][0]["in_use"] is False
    assert desk.do("profiles/use", name="Kitchen").json["profiles"][0]["in_use"] is True
    assert desk.do("profiles/undo", name="Kitchen").json["error"] == "bad-profile"
    assert desk.do("profiles/remove", name="Kitchen").json["profiles"] == []
    assert desk.do("revert").json["error"] == "wrong-step" or desk.do("revert").json["error"] == "nothing-found"


def test_the_sheet_comes_as_pdf_and_for_a_screen(desk: Desk) -> None:
    for paper in ("a4", "letter"):
        for language in ("en", "fr", "xx"):  # one that is not offered is English
            answer = desk.stranger.get(f"{BASE}/sheet.pdf?paper={paper}&language={language}")
            assert answer.mimetype == "application/pdf"
            assert answer.data.startswith(b"%PDF-")
    screen = desk.stranger.get(f"{BASE}/sheet.svg?square=50")
    assert 'width="350"' in screen.text
    for wrong in ("sheet.pdf?paper=a3", "sheet.svg?square=1", "sheet.svg?square=1e9"):
        assert desk.stranger.get(f"{BASE}/{wrong}").status_code == 400, wrong


@pytest.mark.parametrize(
    ("act", "what"),
    [
        ("go", {"step": "dance"}),
        ("go", {}),
        ("go", {"step": "aim", "without": "yes"}),
        ("ruler", {"mm": "100"}),
        ("ruler", {"mm": -1}),
        ("square", {"mm": True}),
        ("mark", {"at": [1], "colour": "red"}),
        ("mark", {"at": ["a", 1], "colour": "red"}),
        ("mark", {"at": [1, 1], "colour": "pink"}),
        ("mark", {"at": [10**400, 1], "colour": "red"}),
        ("expect", {"dice": 0}),
        ("save", {"name": ""}),
        ("save", {"name": "x" * 41}),
        ("profiles/use", {"name": 7}),
        ("start", {"more": 1}),
    ],
)
def test_an_unreadable_request_is_refused(desk: Desk, act: str, what: dict[str, Any]) -> None:
    desk.do("start")
    answer = desk.do(act, **what)
    assert answer.status_code == 400, answer.json
    assert desk.ana.get(BASE).json["step"] == "aim"


def test_ignoring_a_moved_camera_returns_the_state_of_the_table(desk: Desk) -> None:
    assert desk.do("ignore").json["phase"] == "seating"


def test_without_a_camera_there_is_nothing_to_calibrate(client: FlaskClient) -> None:
    assert client.get(BASE).json["error"] == "no_camera"
    assert client.get(f"{BASE}/picture.jpg").status_code == 503
    assert client.get(f"{BASE}/sheet.pdf").status_code == 200
    for path, body in (("start", {}), ("ruler", {"mm": 99.5}), ("save", {"name": "Home"}), ("ignore", {})):
        answer = client.post(f"{BASE}/{path}", json=body)
        assert (answer.status_code, answer.json["error"]) == (503, "no_camera")


def test_missing_pictures_are_not_found(desk: Desk) -> None:
    assert desk.stranger.get(f"{BASE}/picture.jpg").status_code == 404
    assert desk.stranger.get(f"{BASE}/compared/before.jpg").status_code == 404
    assert desk.stranger.get(f"{BASE}/compared/nothing.jpg").status_code == 404


def test_the_status_of_the_calibration_is_small(desk: Desk) -> None:
    desk.do("start")
    desk.do("go", step="views")
    desk.look(3)
    desk.profiles.save(Profile("Table", "2026-01-01"))
    assert len(json.dumps(desk.ana.get(BASE).json)) < 8000
    assert SIZE[0] > 960
