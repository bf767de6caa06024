"""`hardware.camera.picamera` over the real picamera2, on libcamera's virtual pipeline: run by tests/pi/camera.sh.

Skipped everywhere else: a Raspberry Pi has picamera2 too, but no pictures whose dice are known.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

FRAMES = os.environ.get("PERUDO_VIRTUAL_CAMERA")
if FRAMES is None:
    pytest.skip("no virtual camera here: tests/pi/camera.sh makes one", allow_module_level=True)

from tests.pi import vcam  # noqa: E402

vcam.install()

from companion.box.camera_report import camera_report  # noqa: E402
from companion.camera.supervised_camera import FIRST_PAUSE, SupervisedCamera  # noqa: E402 - only what comes after `install` has a camera
from hardware.camera.camera_choice import open_camera  # noqa: E402
from hardware.camera.picamera import PiCamera  # noqa: E402
from hardware.camera.protocol import (  # noqa: E402
    FRAME_TIMEOUT,
    CameraBusyError,
    CameraError,
    Frame,
    Image,
    small_picture,
)
from hardware.camera.settings import CameraSettings  # noqa: E402
from vision.reader import Reader  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:setDaemon:DeprecationWarning")  # picamera2's own


def tiny(image: Image) -> npt.NDArray[np.int_]:
    return cv2.resize(image, (160, 120), interpolation=cv2.INTER_AREA).astype(int)


SHOWN = [tiny(cv2.imread(str(path))) for path in sorted(Path(FRAMES).glob("*.jpg"))]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pipeline makes its frames with the processor, and on a busy machine seconds can pass until one comes."""
    monkeypatch.setattr("hardware.camera.picamera.FRAME_TIMEOUT", 60.0)


@pytest.fixture
def camera() -> Iterator[PiCamera]:
    with closing(PiCamera()) as camera:
        yield camera


def which(image: Image) -> int:
    """The number of the table that this is a picture of."""
    differ = [np.abs(shown - tiny(image)).mean() for shown in SHOWN]
    assert min(differ) < 4.0, differ
    return int(np.argmin(differ))


def test_it_opens_with_two_sizes_and_says_its_name(camera: PiCamera) -> None:
    assert camera.size == vcam.SIZE
    assert camera.name == "Raspberry Pi camera table"
    assert camera.sensor


def test_image_and_preview_are_one_moment_in_the_colours_of_the_table(camera: PiCamera) -> None:
    seen = set()
    for _ in range(12):
        frame = camera.frame()
        assert frame.preview is not None
        assert (frame.image.shape, frame.preview.shape) == ((960, 1280, 3), (480, 640, 3))
        assert which(frame.image) == which(frame.preview)
        assert small_picture(frame) is frame.preview
        seen.add(which(frame.image))
    assert len(seen) > 1


def test_the_dice_are_read(camera: PiCamera) -> None:
    reader = Reader.load()
    for _ in range(3):
        frame = camera.frame()
        read = {
            colour: sorted(die.face for die in reader.read(frame.image).dice if die.colour == colour)
            for colour in ("red", "blue")
        }
        assert read == {colour: sorted(faces) for colour, faces in vcam.TABLES[which(frame.image)]}


def test_every_frame_is_newer_than_the_one_before_and_than_its_call(camera: PiCamera) -> None:
    before = camera.frame()
    for _ in range(10):
        asked = time.monotonic()
        frame = camera.frame(after=before.at)
        assert frame.at > max(before.at, asked)
        assert frame.at <= time.monotonic()
        before = frame


def test_no_frame_is_older_than_a_press_though_nobody_took_any_for_a_while(camera: PiCamera) -> None:
    camera.frame()
    time.sleep(0.5)  # picamera2 keeps the last frame for whoever comes next
    pressed = time.monotonic()
    assert camera.frame(after=pressed).at > pressed


def test_a_camera_can_be_closed_and_opened_again() -> None:
    for _ in range(3):
        with closing(PiCamera()) as camera:
            camera.frame()
            camera.close()
        with pytest.raises(CameraError, match="closed"):
            camera.frame()


def test_a_smaller_still_is_given_as_it_was_asked_for() -> None:
    with closing(PiCamera(settings=CameraSettings(still=vcam.SMALL))) as camera:
        assert camera.size == vcam.SMALL
        frame = camera.frame()
        assert frame.preview is None
        which(frame.image)


def test_what_this_camera_does_not_advertise_is_not_held(camera: PiCamera) -> None:
    assert camera.lock() == {}
    assert camera.lock({"exposure": 10_000.0, "gain": 2.0, "red": 1.0, "blue": 1.0, "lens": 1.0}) == {}
    camera.unlock()
    camera.frame()


def test_it_is_found_by_its_name() -> None:
    camera = open_camera("pi:0")
    camera.close()
    assert camera.name == "Raspberry Pi camera table"
    with pytest.raises(CameraError, match="no Raspberry Pi camera number 1"):
        open_camera("pi:1")


def test_a_camera_that_is_in_use_is_said(camera: PiCamera) -> None:
    # Nothing keeps two programs apart on this pipeline, so the other program is this one.
    gc.collect()  # what earlier cameras left
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        with pytest.raises(CameraBusyError, match="is used by another program"):
            PiCamera()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    camera.frame()


def stall(camera: PiCamera) -> None:
    """As near to pulling the cable as it gets: nothing comes from libcamera any more, and picamera2 is not told."""
    camera._camera.process_requests = lambda _: None


def test_a_pipeline_that_stops_is_said_and_the_camera_can_be_closed_and_opened_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(PiCamera()) as camera:
        camera.frame()
        stall(camera)
        monkeypatch.setattr("hardware.camera.picamera.FRAME_TIMEOUT", FRAME_TIMEOUT)
        with pytest.raises(CameraError, match=r"sends no picture.* ribbon cable"):
            camera.frame()
    monkeypatch.setattr("hardware.camera.picamera.FRAME_TIMEOUT", 60.0)
    with closing(PiCamera()) as again:
        again.frame()


def test_the_watch_mends_a_pipeline_that_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pictures(PiCamera):
        """Its pictures are the same again and again, which a sensor's never are."""

        sensor = False

    opened: list[Pictures] = []

    def opener() -> Pictures:
        opened.append(Pictures())
        return opened[-1]

    watched = SupervisedCamera(opener, time.monotonic, lambda _: None, hangs=60.0)
    try:
        watched.frame()
        stall(opened[0])
        monkeypatch.setattr("hardware.camera.picamera.FRAME_TIMEOUT", FRAME_TIMEOUT)
        with pytest.raises(CameraError, match=r"sends no picture.* ribbon cable"):
            watched.frame()
        assert not watched.status.ok
        monkeypatch.setattr("hardware.camera.picamera.FRAME_TIMEOUT", 60.0)
        time.sleep(FIRST_PAUSE)
        which(watched.frame().image)
        assert (len(opened), watched.status.ok) == (2, True)
    finally:
        watched.close()


def test_a_look_is_the_small_picture_of_the_same_table(camera: PiCamera) -> None:
    assert camera.looks
    look = camera.look()
    assert look.image is look.preview
    assert look.image.shape[1] == 640
    which(look.image)
    which(camera.frame().image)


def test_the_report_of_a_real_picamera2_has_all_its_figures(camera: PiCamera) -> None:
    figures = dict(camera_report(camera))
    assert {"controls", "fast", "slow", "from call to frame, slow", "locked", "light"} <= figures.keys()


def test_several_threads_may_take_frames_at_once(camera: PiCamera) -> None:
    taken: list[Frame] = []

    def take() -> None:
        for _ in range(5):
            taken.append(camera.frame())

    threads = [threading.Thread(target=take) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(taken) == 15
    for frame in taken:
        which(frame.image)
