"""Which camera is opened."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from hardware.camera import camera_choice
from hardware.camera.camera_choice import UnknownCameraError, choose_camera, open_camera, parse_name
from hardware.camera.protocol import Camera, CameraError
from hardware.camera.settings import CameraSettings
from tests.fakes.camera import ScriptedCamera, plain


@pytest.mark.parametrize("name", ["", "kinect", "pi:first", "webcam:-1", "webcam:video0", "folder", "folder:"])
def test_an_unknown_camera_name_is_refused(name: str) -> None:
    with pytest.raises(UnknownCameraError, match="names no camera"):
        parse_name(name)


def test_a_folder_can_be_named_as_the_camera(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), plain(9))
    camera = open_camera(f"folder:{tmp_path}")
    assert camera.frame().image[0, 0, 0] == 9
    camera.close()


def test_a_camera_without_a_first_frame_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = ScriptedCamera(["Nothing comes."], lambda: 0.0)
    monkeypatch.setattr("hardware.camera.folder.FolderCamera", lambda _: camera)
    with pytest.raises(CameraError, match="Nothing comes"):
        open_camera("folder:there")
    assert camera.closed == 1


def test_the_first_camera_that_answers_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    there = ScriptedCamera([plain(1)], clock=lambda: 0.0)

    def opener(name: str, _: CameraSettings) -> Camera:
        if name == "pi":
            raise CameraError("No Pi camera.")
        return there

    monkeypatch.setattr(camera_choice, "open_camera", opener)
    assert choose_camera(None, CameraSettings()) is there


def test_the_configuration_is_passed_to_the_camera_that_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []

    class Asked(ScriptedCamera):
        def __init__(self, *arguments: object) -> None:
            calls.append(arguments)
            super().__init__([plain(1)], lambda: 0.0)

    monkeypatch.setattr("hardware.camera.picamera.PiCamera", Asked)
    monkeypatch.setattr("hardware.camera.webcam.Webcam", Asked)
    settings = CameraSettings(mains=60)
    for name in (None, "pi:1", "webcam", "webcam:2"):
        choose_camera(name, settings)
    assert calls == [(0, settings), (1, settings), (None, settings), (2, settings)]


def test_only_the_named_camera_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    def opener(name: str, _: CameraSettings) -> Camera:
        opened.append(name)
        raise CameraError("It does not answer.")

    monkeypatch.setattr(camera_choice, "open_camera", opener)
    with pytest.raises(CameraError, match="It does not answer"):
        choose_camera("webcam:2", CameraSettings())
    assert opened == ["webcam:2"]


def test_when_none_answers_the_sentence_is_short_and_the_log_says_why(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opener(name: str, _: CameraSettings) -> Camera:
        raise CameraError(f"Reason of {name}.")

    monkeypatch.setattr(camera_choice, "open_camera", opener)
    with caplog.at_level("INFO"), pytest.raises(CameraError, match="No camera answers"):
        choose_camera(None, CameraSettings())
    assert "Reason of pi." in caplog.text
    assert "Reason of webcam." in caplog.text
