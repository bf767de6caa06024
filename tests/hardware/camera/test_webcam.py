"""A USB camera over a fake `cv2.VideoCapture`, and over the real one reading a video file.

There is no real USB camera in the tests, so a driver's answers to sizes and exposures are those of the fake.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.camera import capture as capture_camera
from hardware.camera import v4l2, webcam
from hardware.camera.protocol import CameraError, Image
from hardware.camera.settings import CameraSettings
from hardware.camera.webcam import Webcam, open_capture
from tests.wait import wait_until

MJPG = float(cv2.VideoWriter.fourcc(*"MJPG"))
YUYV = float(cv2.VideoWriter.fourcc(*"YUYV"))


def numbered(number: int, grey: int) -> Image:
    image = np.full((12, 16, 3), grey, np.uint8)
    image[0, 0] = number % 256
    return image


class FakeCapture:
    """A fake `cv2.VideoCapture`: gives a frame whenever the test says so, and fails when it is unplugged."""

    def __init__(self, there: bool = True, sizes: tuple[tuple[int, int], ...] = ((1280, 720), (640, 480))) -> None:
        self.there = there
        self.released = threading.Event()
        self.reading = threading.Event()
        self.values: dict[int, float] = {
            cv2.CAP_PROP_FOURCC: YUYV,
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_EXPOSURE: 333.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
            cv2.CAP_PROP_FOCUS: 30.0,
        }
        self.refuses: set[int] = set()
        self.lacks: set[tuple[int, float]] = set()
        """What a control that it has cannot be set to."""
        self.sizes = sizes
        self.breaks: cv2.error | None = None
        self.when_held = 110
        """The brightness of the pictures at the reported exposure."""
        self.backend = "V4L2"
        self.decoded: list[int] = []
        """The numbers of the frames that were decoded."""
        self.damaged: set[int] = set()
        self._asked = [640.0, 480.0]
        self._frames: queue.SimpleQueue[float] = queue.SimpleQueue()
        self._unplugged = False
        self._grabs = self._exposed = 0
        self.count = 0
        """How many frames it gave."""
        self.time = 1000.0
        """Seconds: goes on with each frame."""
        self.real_time = True
        self.decodes = threading.Event()
        self.slow = threading.Event()
        """While it is not set, decoding goes on and on."""
        self.slow.set()

    def isOpened(self) -> bool:  # noqa: N802
        return self.there

    def get(self, prop: int, /) -> float:
        if prop in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            width, height = self._asked
            nearest = min(self.sizes, key=lambda size: abs(size[0] * size[1] - width * height))
            return float(nearest[prop == cv2.CAP_PROP_FRAME_HEIGHT])
        return self.values.get(prop, -1.0)

    def getBackendName(self) -> str:  # noqa: N802
        return self.backend

    def set(self, prop: int, value: float, /) -> bool:
        if prop in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            self._asked[prop == cv2.CAP_PROP_FRAME_HEIGHT] = value
            return True
        if prop not in self.values or prop in self.refuses or (prop, value) in self.lacks:
            return False
        self.values[prop] = value
        return True

    def expose(self, frames: int = 1) -> None:
        for _ in range(frames):
            self.time += 0.03
            self._exposed += 1
            self._frames.put(time.monotonic() if self.real_time else self.time)

    def unplug(self) -> None:
        self._unplugged = True
        self.expose()

    @property
    def waits(self) -> bool:
        """Whether the camera waits for the next frame, and has dealt with all others."""
        return self._grabs == self._exposed + 1

    def grab(self) -> bool:
        self._grabs += 1
        self.reading.set()
        self.values[cv2.CAP_PROP_POS_MSEC] = 1000 * self._frames.get()
        if self.breaks is not None:
            raise self.breaks
        self.count += 1
        return not self._unplugged

    def retrieve(self) -> tuple[bool, object]:
        self.decodes.set()
        self.slow.wait(60)
        self.decoded.append(self.count)
        if self.count in self.damaged:
            return False, None
        manual = self.values.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1
        return True, numbered(self.count, self.when_held if manual else 100)

    def release(self) -> None:
        self.released.set()


Opened = Callable[..., Webcam]


@pytest.fixture
def capture() -> FakeCapture:
    return FakeCapture()


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Opens a webcam over a capture; in the end it is unplugged and closed."""
    with ExitStack() as stack:

        def open_webcam(capture: FakeCapture, settings: CameraSettings | None = None) -> Webcam:
            camera = Webcam(987, settings or CameraSettings(), opener=lambda _: capture)  # type: ignore[arg-type, return-value]
            stack.callback(camera.close)
            stack.callback(capture.unplug)
            return camera

        yield open_webcam


def in_time(capture: Any, ask: Callable[[], Any]) -> Any:
    """The result of a call during which frames keep coming."""
    finished = threading.Event()

    def go_on() -> None:
        while not finished.wait(0.005):
            capture.expose()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        return ask()
    finally:
        finished.set()
        thread.join()


def test_a_webcam_gives_no_frame_that_began_before_the_request(
    capture: FakeCapture, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webcam, "LATENCY", 0.0)
    camera = opened(capture)
    in_time(capture, camera.frame)
    wait_until(lambda: capture.waits)
    request_time, before = time.monotonic(), capture.count
    frame = in_time(capture, lambda: camera.frame(after=request_time))
    # The first frame after the request may have been exposing at the request; the one after it was not.
    assert frame.image[0, 0, 0] >= before + 2
    assert frame.at > request_time


@pytest.mark.parametrize("backend", ["V4L2", "FFMPEG"])
def test_a_frame_that_lay_in_the_queue_while_another_was_decoded_is_not_new(
    capture: FakeCapture, opened: Opened, monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    capture.backend = backend
    capture.real_time = False
    monkeypatch.setattr(webcam, "LATENCY", 0.0)
    monkeypatch.setattr(capture_camera, "time", SimpleNamespace(monotonic=lambda: capture.time))
    camera = opened(capture)
    in_time(capture, camera.frame)
    wait_until(lambda: capture.waits)
    capture.slow.clear()
    capture.decodes.clear()
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(camera.frame)
        while not capture.decodes.is_set():
            capture.expose()
            capture.decodes.wait(0.005)
        capture.expose(4)
        last = capture.count + 4
        capture.time += 0.5  # the driver's buffers are full, and what comes now is lost
        new = pool.submit(camera.frame, after=capture.time)
        wait_until(lambda: len(camera._asked) == 2)
        capture.time += 0.01
        capture.slow.set()
        slow.result(60)
        wait_until(lambda: capture.waits)
        frame = in_time(capture, lambda: new.result(60))
    assert frame.image[0, 0, 0] > last


def test_frames_that_nobody_waits_for_are_not_decoded(capture: FakeCapture, opened: Opened) -> None:
    camera = opened(capture)
    in_time(capture, camera.frame)
    decoded = len(capture.decoded)
    capture.expose(100)
    wait_until(lambda: capture.waits)
    assert len(capture.decoded) == decoded == 1


def test_a_damaged_frame_is_passed_over(capture: FakeCapture, opened: Opened) -> None:
    capture.damaged = set(range(4))
    camera = opened(capture)
    frame = in_time(capture, camera.frame)
    assert frame.image[0, 0, 0] == 4
    assert len(capture.decoded) > 1


def test_a_frame_in_transfer_is_not_used(capture: FakeCapture, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webcam, "LATENCY", 1000.0)  # the time the camera takes to send a picture
    camera = opened(capture)
    frame = in_time(capture, lambda: camera.frame(after=float("-inf")))
    assert frame.at < time.monotonic() - 999
    monkeypatch.setattr(capture_camera, "FRAME_TIMEOUT", 0.1)
    request_time = time.monotonic()
    with pytest.raises(CameraError, match="plugged in"):
        in_time(capture, lambda: camera.frame(after=request_time))


def test_an_unplugged_webcam_is_reported_and_closed(capture: FakeCapture, opened: Opened) -> None:
    camera = opened(capture)
    capture.unplug()
    with pytest.raises(CameraError, match="plugged in"):
        camera.frame()
    camera.close()
    camera.close()
    assert capture.released.wait(60)


def test_a_webcam_whose_read_never_returns_is_reported_and_closed(
    capture: FakeCapture, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = opened(capture)
    in_time(capture, camera.frame)
    monkeypatch.setattr("hardware.camera.capture.FRAME_TIMEOUT", 0.02)
    with pytest.raises(CameraError, match="plugged in"):
        camera.frame(after=time.monotonic())
    with pytest.raises(CameraError, match="plugged in"):
        camera.frame()  # an earlier frame is no sign of life
    camera.close()
    assert not capture.released.is_set()
    capture.unplug()  # the driver returns after all
    assert capture.released.wait(60)


def test_a_webcam_whose_driver_raises_is_reported_and_closed(capture: FakeCapture, opened: Opened) -> None:
    camera = opened(capture)
    capture.breaks = cv2.error("the JPEG is damaged")
    capture.expose()
    with pytest.raises(CameraError, match="plugged in"):
        camera.frame()
    assert capture.released.wait(60)
    camera.close()


def test_a_missing_webcam_is_reported() -> None:
    with pytest.raises(CameraError, match="no USB camera number 3"):
        Webcam(3, opener=lambda _: FakeCapture(there=False))  # type: ignore[arg-type, return-value]
    with pytest.raises(CameraError, match="no USB camera number 987"):
        open_capture(987)


def test_without_any_usb_camera_no_other_device_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(v4l2, "usb_cameras", list)
    opened: list[int] = []
    with pytest.raises(CameraError, match="Plug it in"):
        Webcam(opener=opened.append)
    monkeypatch.setattr(v4l2, "usb_cameras", lambda: [2, 8])
    with pytest.raises(CameraError, match="no USB camera number 2"):
        Webcam(opener=lambda _: FakeCapture(there=False))  # type: ignore[arg-type, return-value]
    assert opened == []


# The configuration


@pytest.mark.parametrize(
    ("has", "still", "gives"),
    [
        (((1920, 1080), (1280, 720), (640, 480)), None, (1920, 1080)),
        (((3840, 2160), (1920, 1080), (640, 480)), None, (1920, 1080)),
        (((2304, 1536), (1600, 1200), (640, 480)), None, (1600, 1200)),
        (((640, 480),), None, (640, 480)),
        (((1920, 1080), (1280, 720)), (1280, 720), (1280, 720)),
    ],
)
def test_a_webcam_gives_the_configured_size_or_the_largest_usual_one(
    opened: Opened, has: tuple[tuple[int, int], ...], still: tuple[int, int] | None, gives: tuple[int, int]
) -> None:
    capture = FakeCapture(sizes=has)
    opened(capture, CameraSettings(still=still))
    assert (capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT)) == gives
    assert capture.values[cv2.CAP_PROP_FOURCC] == MJPG
    assert capture.values[cv2.CAP_PROP_AUTOFOCUS] == 1  # until it is locked


class LargeCapture(FakeCapture):
    """A fake whose pictures have the size that was asked for."""

    def retrieve(self) -> tuple[bool, object]:
        width, height = (round(self.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        return True, np.full((height, width, 3), 100, np.uint8)


@pytest.mark.parametrize(
    ("has", "whole"),
    [
        (((1920, 1080), (3840, 2160)), (2160, 3840, 3)),
        (((1920, 1080), (2560, 1440)), (1440, 2560, 3)),
        (((1920, 1080), (1280, 720)), None),
    ],
)
def test_a_webcam_gives_more_pixels_beside_the_picture_while_they_are_wanted(
    opened: Opened, has: tuple[tuple[int, int], ...], whole: tuple[int, ...] | None
) -> None:
    capture = LargeCapture(sizes=has)
    camera = opened(capture)
    in_time(capture, camera.frame)
    for wanted in (True, False):
        in_time(capture, lambda wanted=wanted: camera.show_whole(wanted))
        frame = in_time(capture, camera.frame)
        assert (frame.image.shape, camera.size) == ((1080, 1920, 3), (1920, 1080))
        assert (None if frame.whole is None else frame.whole.shape) == (whole if wanted else None)


# Locked values


def test_a_webcam_locks_the_values_it_accepted(capture: FakeCapture, opened: Opened) -> None:
    camera = opened(capture)
    values = in_time(capture, camera.lock)
    assert values == {"exposure": 30_000.0, "white_balance": 4600.0, "focus": 30.0}
    assert capture.values[cv2.CAP_PROP_AUTOFOCUS] == 0
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert capture.values[cv2.CAP_PROP_EXPOSURE] == 300  # three periods of lamps on 50 Hz
    assert in_time(capture, lambda: camera.lock({"exposure": 20_000.0})) == {"exposure": 20_000.0}
    in_time(capture, camera.unlock)
    automatic = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
    assert [capture.values[prop] for prop in automatic] == [3, 1, 1]
    assert in_time(capture, lambda: camera.lock(values)) == values


@pytest.mark.parametrize(("chosen", "locked"), [(20.0, 2_000.0), (60.0, 6_000.0), (70.0, 10_000.0), (149.0, 10_000.0)])
def test_an_exposure_in_the_sun_stays_short(capture: FakeCapture, opened: Opened, chosen: float, locked: float) -> None:
    capture.values[cv2.CAP_PROP_EXPOSURE] = chosen
    camera = opened(capture)
    assert in_time(capture, camera.lock)["exposure"] == locked


def test_if_an_exposure_is_refused_later_the_camera_chooses(capture: FakeCapture, opened: Opened) -> None:
    camera = opened(capture)
    in_time(capture, camera.lock)
    capture.refuses = {cv2.CAP_PROP_EXPOSURE}
    assert "exposure" not in in_time(capture, lambda: camera.lock({"exposure": 10_000.0}))
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3


def test_a_camera_with_other_values_of_automatic_controls_is_unlocked_too(capture: FakeCapture, opened: Opened) -> None:
    capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] = 0.0
    capture.lacks = {(cv2.CAP_PROP_AUTO_EXPOSURE, 3)}
    camera = opened(capture)
    assert "exposure" in in_time(capture, camera.lock)
    in_time(capture, camera.unlock)
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 0


def test_values_locked_before_a_restart_are_unlocked(capture: FakeCapture, opened: Opened) -> None:
    camera = opened(capture)
    in_time(capture, camera.lock)
    capture.unplug()
    camera.close()
    again = FakeCapture()
    again.values |= capture.values  # the camera still has them, since it was not unplugged
    camera = opened(again)
    automatic = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
    assert [again.values[prop] for prop in automatic] == [3, 1, 1]
    again.unplug()
    camera.close()


@pytest.mark.parametrize(
    ("refuses", "when_held"),
    [({cv2.CAP_PROP_AUTO_EXPOSURE}, 110), ({cv2.CAP_PROP_EXPOSURE}, 110), (set(), 30), (set(), 200)],
    ids=["no manual mode", "no such exposure", "darker", "brighter"],
)
def test_an_exposure_that_is_refused_or_changes_the_brightness_is_not_locked(
    capture: FakeCapture, opened: Opened, refuses: set[int], when_held: int
) -> None:
    capture.refuses, capture.when_held = refuses, when_held
    camera = opened(capture)
    assert in_time(capture, camera.lock) == {"white_balance": 4600.0, "focus": 30.0}
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3


def test_a_webcam_without_these_controls_locks_nothing(capture: FakeCapture, opened: Opened) -> None:
    capture.values.clear()
    camera = opened(capture)
    assert in_time(capture, camera.lock) == {}


def test_a_silent_webcam_is_not_waited_for(
    capture: FakeCapture, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.camera.capture.FRAME_TIMEOUT", 0.02)
    camera = opened(capture)
    capture.reading.wait(60)
    with pytest.raises(CameraError, match="plugged in"):
        camera.lock({"exposure": 10_000.0})


# The real cv2.VideoCapture, on a file: its end is like an unplugged camera


def test_the_real_capture_gives_a_videos_frames_and_its_end_is_an_unplugging(tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    for n in range(60):
        writer.write(np.full((240, 320, 3), 4 * n, np.uint8))
    writer.release()
    turns: queue.SimpleQueue[float] = queue.SimpleQueue()

    class Paced:
        """The real capture, which reads only when the test allows it, since a file has no clock."""

        def __init__(self) -> None:
            self.real = cv2.VideoCapture(str(path))

        def __getattr__(self, name: str) -> object:
            return getattr(self.real, name)

        def expose(self, frames: int = 1) -> None:
            for _ in range(frames):
                turns.put(time.monotonic())

        def grab(self) -> bool:
            turns.get()
            return self.real.grab()

    capture = Paced()
    camera = Webcam(987, opener=lambda _: capture)  # type: ignore[arg-type, return-value]
    assert camera.size == (0, 0)
    first = in_time(capture, camera.frame)
    second = in_time(capture, lambda: camera.frame(after=first.at))
    assert second.at > first.at
    assert second.image.mean() > first.image.mean() + 2
    assert camera.size == (320, 240)
    capture.expose(60)
    with pytest.raises(CameraError, match="plugged in"):
        camera.frame(after=time.monotonic())
    camera.close()


# Devices of Linux


def test_usb_cameras_are_distinguished_from_the_pis_own_devices(tmp_path: Path) -> None:
    """The content of /sys/class/video4linux on a Pi with a camera module and two USB cameras."""
    devices = tmp_path / "class"
    for number, where, index in (
        (0, "platform/axi/csi", 0),
        (10, "platform/bcm2835-codec", 0),
        (8, "platform/scb/pcie/usb1/1-1/1-1.2", 0),
        (9, "platform/scb/pcie/usb1/1-1/1-1.2", 1),
        (2, "platform/scb/pcie/usb1/1-1/1-1.3", 0),
    ):
        parent = tmp_path / "devices" / where
        parent.mkdir(parents=True, exist_ok=True)
        (devices / f"video{number}").mkdir(parents=True)
        (devices / f"video{number}" / "device").symlink_to(parent)
        (devices / f"video{number}" / "index").write_text(f"{index}\n")
        (devices / f"video{number}" / "name").write_bytes(b"Cam\xe9ra %d\n" % number)
    assert v4l2.usb_cameras(devices) == [2, 8]
    assert v4l2.usb_cameras(tmp_path / "nowhere") == []
    links = tmp_path / "by-id"
    links.mkdir()
    (links / "usb-ACME_HD-video-index0").symlink_to("../video8")
    assert v4l2.usb_camera_names(devices, links) == {
        "webcam:2": "Cam\ufffdra 2",
        f"webcam:{links}/usb-ACME_HD-video-index0": "Cam\ufffdra 8",
    }
    assert v4l2.usb_camera_names(tmp_path / "nowhere", tmp_path / "nowhere") == {}


def test_twins_are_named_by_the_place_they_are_plugged_in(tmp_path: Path) -> None:
    """Two webcams of one kind with one serial number; udev has one link for both, of the last that came."""
    devices = tmp_path / "class"
    links, places = tmp_path / "by-id", tmp_path / "by-path"
    links.mkdir()
    places.mkdir()
    for number, maker in ((0, "C270"), (2, "C270"), (4, "Other")):
        parent = tmp_path / "devices" / "usb1" / f"1-{number}"
        parent.mkdir(parents=True)
        (devices / f"video{number}").mkdir(parents=True)
        (devices / f"video{number}" / "device").symlink_to(parent)
        (devices / f"video{number}" / "index").write_text("0\n")
        (devices / f"video{number}" / "name").write_text(f"{maker}\n")
        (places / f"place-{number}").symlink_to(f"../video{number}")
    (links / "usb-other").symlink_to("../video4")
    for last in (0, 2):
        link = links / "usb-twin"
        link.unlink(missing_ok=True)
        link.symlink_to(f"../video{last}")
        assert list(v4l2.usb_camera_names(devices, links)) == [
            f"webcam:{places}/place-0",
            f"webcam:{places}/place-2",
            f"webcam:{links}/usb-other",
        ]


def test_a_usb_camera_is_found_by_the_name_that_stays(tmp_path: Path) -> None:
    (tmp_path / "video7").touch()
    (tmp_path / "usb-ACME_HD-video-index0").symlink_to(tmp_path / "video7")
    assert v4l2.video_number(str(tmp_path / "usb-ACME_HD-video-index0")) == 7
    assert v4l2.video_number("3") == 3
    with pytest.raises(CameraError, match=r"no USB camera at .*/usb-other\. Is it plugged in"):
        v4l2.video_number(str(tmp_path / "usb-other"))


def test_a_file_that_is_no_device_has_no_mains_setting(tmp_path: Path) -> None:
    (tmp_path / "video0").write_text("a file")
    assert not v4l2.set_mains(0, 50, tmp_path)
    assert not v4l2.set_mains(1, 50, tmp_path)
