"""Choosing the camera on the page: which may be tried, what is seen of it, and what is kept."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from companion.box.restart import Restart
from companion.config import load, parse
from companion.config.settings_file import SettingsError, SettingsFile
from companion.features.camera.service import CameraSetup, CameraTrial
from companion.messages.message import Message
from hardware.camera.protocol import Camera, CameraError
from tests.fakes.camera import ScriptedCamera
from tests.wait import wait_until

WEBCAM = "webcam:/dev/v4l/by-id/usb-ACME_HD-video-index0"
SECRET = "http://ana:s3cret@192.168.1.20:8080/video?key=s3cret"
SHOWN = "http://192.168.1.20"


class Shelf:
    """The cameras of a box, of which one is in use."""

    def __init__(self, folder: Path) -> None:
        self.opened: list[str] = []
        self.lent: list[str] = []
        self.camera: Camera = ScriptedCamera([np.full((24, 32, 3), 90, np.uint8)], lambda: 0.0)
        self.error: Exception | None = None
        self.file = folder / "perudo.toml"
        self.restart = Restart()
        self.setup = CameraSetup(
            None, self.open, SettingsFile(self.file), self.restart, lent=self.lend, found=lambda: {WEBCAM: "ACME HD"}
        )

    def open(self, source: str) -> Camera:
        self.opened.append(source)
        if self.error is not None:
            raise self.error
        return self.camera

    @contextmanager
    def lend(self) -> Iterator[None]:
        self.lent.append("away")
        try:
            yield
        finally:
            self.lent.append("back")

    def tried(self, source: str) -> CameraTrial:
        """What came of a trial."""
        self.setup.try_camera(source)
        return wait_until(lambda: trial if (trial := self.trial).step != "trying" else None)

    @property
    def trial(self) -> CameraTrial:
        trial = self.setup.state().trial
        assert trial is not None
        return trial


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def test_a_camera_is_tried_seen_and_kept(shelf: Shelf) -> None:
    state = shelf.setup.state()
    assert (state.source, state.trial, [each.name for each in state.found]) == (None, None, ["ACME HD"])
    trial = shelf.tried(WEBCAM)
    assert (trial.source, trial.step, trial.picture, trial.trouble) == (WEBCAM, "tried", 1, None)
    assert shelf.setup.picture.shape == (24, 32, 3)
    assert isinstance(shelf.camera, ScriptedCamera)
    assert (shelf.lent, shelf.camera.closed) == (["away", "back"], 1)
    assert not shelf.file.exists()
    assert not shelf.restart.due
    shelf.setup.keep()
    wait_until(lambda: shelf.trial.step == "kept")
    assert load(shelf.file, {}).camera.source == WEBCAM
    wait_until(lambda: shelf.restart.due)


def test_a_password_is_kept_and_never_shown(shelf: Shelf, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    shelf.error = CameraError(Message("No pictures come from {address}.", address=SHOWN))
    assert shelf.tried(SECRET).source == SHOWN
    shelf.error = None
    assert shelf.tried(SECRET).step == "tried"
    shelf.setup.keep()
    wait_until(lambda: shelf.restart.due)
    assert load(shelf.file, {}).camera.source == SECRET
    again = CameraSetup(SECRET, shelf.open, SettingsFile(shelf.file), Restart(), found=dict)
    for text in (str(shelf.setup.state()), str(again.state()), caplog.text):
        assert "s3cret" not in text
    assert again.state().source == SHOWN


def test_one_that_gives_no_picture_is_not_kept_and_its_sentence_is_told(shelf: Shelf) -> None:
    shelf.error = CameraError(Message("There is no USB camera at {path}. Is it plugged in?", path="/dev/video0"))
    trial = shelf.tried(WEBCAM)
    assert (trial.step, trial.picture) == ("failed", None)
    assert trial.trouble.sentence == "There is no USB camera at /dev/video0. Is it plugged in?"
    shelf.setup.keep()
    assert shelf.trial.step == "failed"
    assert not shelf.file.exists()
    shelf.error = RuntimeError("a driver")
    trial = shelf.tried(WEBCAM)
    assert trial.trouble.sentence == "The camera broke: a driver."
    assert shelf.lent == ["away", "back"] * 2


def test_that_the_phones_take_the_pictures_needs_no_picture(shelf: Shelf) -> None:
    assert shelf.tried("phone").step == "tried"
    assert (shelf.opened, shelf.setup.picture) == ([], None)
    shelf.setup.keep()
    wait_until(lambda: shelf.restart.due)
    assert load(shelf.file, {}).camera.source == "phone"


@pytest.mark.parametrize(
    "source",
    [
        *("folder:/etc", "webcam", "webcam:0", "webcam:/dev/../etc/passwd", f"{WEBCAM}/../../../../etc/passwd"),
        *("pi", "file:///etc/passwd", "ftp://cam", "http://", "http://a b", 'http://a"\n[access]', "http://[", "x"),
        *("http://cam;ls", "rtsp://cam:0/", "phone:1"),
    ],
)
def test_only_what_was_found_and_addresses_are_opened(shelf: Shelf, source: str) -> None:
    with pytest.raises(SettingsError, match=r"No camera is called that|cannot be set"):
        shelf.setup.try_camera(source)
    assert (shelf.opened, shelf.setup.state().trial) == ([], None)


def test_where_an_option_wins_no_camera_is_tried(shelf: Shelf) -> None:
    settings = SettingsFile(shelf.file, lambda text: parse(text, {"PERUDO_CAMERA_SOURCE": "phone"}))
    setup = CameraSetup("phone", shelf.open, settings, Restart(), found=lambda: {WEBCAM: ""})
    with pytest.raises(SettingsError, match="overrides"):
        setup.try_camera(WEBCAM)
    assert shelf.opened == []


def test_a_camera_that_cannot_be_kept_is_told(shelf: Shelf) -> None:
    assert shelf.tried(WEBCAM).step == "tried"
    shelf.file.write_text("camera.mains = 50\n")
    shelf.setup.keep()
    wait_until(lambda: shelf.trial.step == "failed")
    assert "in another way" in shelf.trial.trouble.sentence
    assert not shelf.restart.due
