"""Cameras: frames newer than they must be, and a sentence where there is none."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest

from hardware.camera import Camera, CameraError, Image
from hardware.choose import UnknownCameraError, choose_camera, open_camera, read_name
from hardware.folder import FolderCamera
from hardware.picamera import PiCamera
from hardware.scripted import ScriptedCamera
from hardware.virtual import VirtualCamera
from hardware.webcam import Webcam


def plain(grey: int) -> Image:
    return np.full((12, 16, 3), grey, np.uint8)


class Clock:
    """Seconds that pass when told to, and when slept."""

    def __init__(self) -> None:
        self.now = 50.0
        self.slept = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept += seconds


# The virtual table


def test_the_virtual_camera_gives_what_is_painted_ten_times_a_second() -> None:
    clock = Clock()
    painted: list[float] = []

    def paint(at: float) -> Image:
        painted.append(at)
        return plain(len(painted))

    camera = VirtualCamera(paint, clock, clock.sleep)
    frames = [camera.frame() for _ in range(5)]
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [1, 2, 3, 4, 5]
    assert [frame.at for frame in frames] == painted == pytest.approx([50.0, 50.1, 50.2, 50.3, 50.4])


def test_the_virtual_camera_gives_nothing_once_closed() -> None:
    camera = VirtualCamera(lambda _: plain(0))
    camera.close()
    camera.close()
    with pytest.raises(CameraError):
        camera.frame()


# A folder or a video


def test_a_folder_gives_its_pictures_in_order_for_ever(tmp_path: Path) -> None:
    for n, grey in enumerate((10, 200)):
        cv2.imwrite(str(tmp_path / f"{n}.png"), plain(grey))
    (tmp_path / "notes.txt").write_text("not a picture")
    clock = Clock()
    camera = FolderCamera(tmp_path, clock, clock.sleep)
    assert [int(camera.frame().image[0, 0, 0]) for _ in range(4)] == [10, 200, 10, 200]


def test_frames_of_a_folder_are_newer_than_asked_for(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), plain(1))
    clock = Clock()
    camera = FolderCamera(tmp_path, clock, clock.sleep)
    first = camera.frame(after=clock.now)
    assert camera.frame(after=first.at).at > first.at


def test_a_video_is_played_over_and_over(tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (16, 12))
    for grey in (0, 250):
        writer.write(plain(grey))
    writer.release()
    clock = Clock()
    camera = FolderCamera(path, clock, clock.sleep)
    assert [int(camera.frame().image[0, 0, 0]) > 100 for _ in range(4)] == [False, True, False, True]


def test_a_file_that_is_no_picture_is_said_and_can_be_mended(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"none")
    clock = Clock()
    camera = FolderCamera(tmp_path, clock, clock.sleep)
    with pytest.raises(CameraError, match="not a picture"):
        camera.frame()
    cv2.imwrite(str(path), plain(7))
    assert camera.frame().image[0, 0, 0] == 7


@pytest.mark.parametrize("there", ["nothing", "empty"])
def test_a_folder_without_pictures_is_said(tmp_path: Path, there: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(CameraError, match=r"no (pictures|folder)"):
        FolderCamera(tmp_path / there)


# A USB camera


class FakeCapture:
    """A fake `cv2.VideoCapture`: gives a frame whenever the test says so, and fails when it is unplugged."""

    def __init__(self, there: bool = True) -> None:
        self.there = there
        self.released = False
        self._frames = threading.Semaphore(0)
        self._unplugged = False
        self._count = 0

    def isOpened(self) -> bool:  # noqa: N802
        return self.there

    def set(self, prop: int, value: float, /) -> bool:
        return True

    def expose(self, frames: int = 1) -> None:
        self._frames.release(frames)

    def unplug(self) -> None:
        self._unplugged = True
        self._frames.release()

    def read(self) -> tuple[bool, object]:
        self._frames.acquire()
        if self._unplugged:
            return False, None
        self._count += 1
        return True, plain(self._count)

    def release(self) -> None:
        self.released = True


def test_a_webcam_gives_no_frame_that_began_before_it_was_asked_for() -> None:
    capture = FakeCapture()
    camera = Webcam(opener=lambda _: capture)
    capture.expose(2)
    camera.frame()
    asked = time.monotonic()
    threading.Timer(0.01, capture.expose, [2]).start()
    frame = camera.frame(after=asked)
    # The third frame may have been under exposure when it was asked for; the fourth was not.
    assert frame.image[0, 0, 0] == 4
    assert frame.at > asked
    capture.unplug()
    camera.close()


def test_a_webcam_pulled_out_is_said_and_given_back() -> None:
    capture = FakeCapture()
    camera = Webcam(opener=lambda _: capture)
    capture.unplug()
    with pytest.raises(CameraError, match="plugged in"):
        camera.frame()
    camera.close()
    camera.close()
    assert capture.released


def test_no_webcam_is_said() -> None:
    with pytest.raises(CameraError, match="no USB camera number 3"):
        Webcam(3, opener=lambda _: FakeCapture(there=False))


# The Pi's own camera, by a fake picamera2 with the few names we use


class FakePicamera2:
    """A fake of picamera2's class. Its frames are one second apart on a clock of its own."""

    advertised: tuple[str, ...] = ("ExposureTime",)
    info: tuple[dict[str, str], ...] = ({"Model": "imx708"},)

    def __init__(self, number: int) -> None:
        self.camera_controls = dict.fromkeys(self.advertised)
        self.controls: dict[str, object] = {}
        self.closed = 0
        self.flushed: list[object] = []
        self.stamp = 0
        FakePicamera2.opened = self

    @classmethod
    def global_camera_info(cls) -> list[dict[str, str]]:
        return list(cls.info)

    def create_video_configuration(self, **asked: object) -> dict[str, object]:
        return asked

    def configure(self, configuration: dict[str, object]) -> None:
        self.configuration = configuration

    def set_controls(self, controls: dict[str, object]) -> None:
        self.controls = controls

    def start(self) -> None:
        pass

    def captured_request(self, wait: float, flush: object) -> FakeRequest:
        self.flushed.append(flush)
        self.stamp += 1_000_000_000
        return FakeRequest(self.stamp)

    def close(self) -> None:
        self.closed += 1


class FakeRequest:
    """A fake of a completed request."""

    def __init__(self, stamp: int) -> None:
        self.stamp = stamp

    def __enter__(self) -> FakeRequest:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def make_array(self, stream: str) -> Image:
        return plain(5)

    def get_metadata(self) -> dict[str, int]:
        return {"SensorTimestamp": self.stamp, "ExposureTime": 10_000}


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FakePicamera2]]:
    module = ModuleType("picamera2")
    module.Picamera2 = FakePicamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(FakePicamera2, "advertised", ("ExposureTime",))
    return FakePicamera2


def test_without_picamera2_it_is_said_where_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="sudo apt install python3-picamera2"):
        PiCamera()


def test_a_ribbon_cable_that_is_out_is_said(picamera2: type[FakePicamera2]) -> None:
    with pytest.raises(CameraError, match="ribbon cable"):
        PiCamera(1)


def test_the_pis_camera_flushes_and_gives_a_frame_exposed_after(picamera2: type[FakePicamera2]) -> None:
    with PiCamera() as camera:
        frame = camera.frame(after=2.5)
        assert frame.at == pytest.approx(3.01)
        assert set(FakePicamera2.opened.flushed) == {True}
        assert "imx708" in camera.name
    assert FakePicamera2.opened.closed == 1


@pytest.mark.parametrize(("advertised", "set_to"), [((), {}), (("AfMode", "Gain"), {"AfMode": 0})])
def test_only_controls_the_camera_knows_are_set(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch, advertised: tuple[str, ...], set_to: dict
) -> None:
    monkeypatch.setattr(FakePicamera2, "advertised", advertised)
    with PiCamera():
        assert FakePicamera2.opened.controls == set_to


def test_a_pi_camera_that_stops_is_said(picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    def late(self: FakePicamera2, wait: float, flush: object) -> FakeRequest:
        raise TimeoutError

    with PiCamera() as camera:
        monkeypatch.setattr(FakePicamera2, "captured_request", late)
        with pytest.raises(CameraError, match="no frame in time"):
            camera.frame()


# Which one


def test_a_script_gives_its_frames_and_failures_and_then_its_last() -> None:
    camera = ScriptedCamera([plain(1), "unplugged", plain(2)], clock=lambda: 7.0)
    assert camera.frame(after=3.0).image[0, 0, 0] == 1
    with pytest.raises(CameraError, match="unplugged"):
        camera.frame()
    assert [int(camera.frame().image[0, 0, 0]) for _ in range(2)] == [2, 2]
    assert camera.asked == [3.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("asked", ["", "kinect", "pi:first", "webcam:-1", "folder", "folder:"])
def test_a_name_that_means_no_camera_is_refused(asked: str) -> None:
    with pytest.raises(UnknownCameraError, match="names no camera"):
        read_name(asked)


def test_a_folder_can_be_asked_for_by_name(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), plain(9))
    camera = open_camera(f"folder:{tmp_path}")
    assert camera.frame().image[0, 0, 0] == 9
    camera.close()


def test_the_first_camera_that_answers_is_taken() -> None:
    there = ScriptedCamera([plain(1)], clock=lambda: 0.0)

    def opener(name: str) -> Camera:
        if name == "pi":
            raise CameraError("No Pi camera.")
        return there

    assert choose_camera(opener=opener) is there


def test_only_the_camera_asked_for_is_tried() -> None:
    tried = []

    def opener(name: str) -> Camera:
        tried.append(name)
        raise CameraError("It does not answer.")

    with pytest.raises(CameraError):
        choose_camera("webcam:2", opener)
    assert tried == ["webcam:2"]


def test_when_none_answers_the_sentence_is_short_and_the_log_says_why(caplog: pytest.LogCaptureFixture) -> None:
    def opener(name: str) -> Camera:
        raise CameraError(f"Reason of {name}.")

    with caplog.at_level("INFO"), pytest.raises(CameraError, match="No camera answers"):
        choose_camera(opener=opener)
    assert "Reason of pi." in caplog.text
    assert "Reason of webcam." in caplog.text
