"""Cameras: frames newer than they must be, and a sentence where there is none."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.camera_choice import UnknownCameraError, choose_camera, open_camera, parse_name
from hardware.camera.folder import FolderCamera
from hardware.camera.protocol import Camera, CameraError, CameraSettings, Frame, FrameSizes, Image, small_picture
from hardware.virtual.virtual_camera import VirtualCamera
from tests.fakes.camera import ScriptedCamera
from tests.fakes.clock import FakeClock


def plain(grey: int) -> Image:
    return np.full((12, 16, 3), grey, np.uint8)


# The virtual table


def test_the_virtual_camera_gives_what_is_painted_ten_times_a_second() -> None:
    clock = FakeClock(50.0)
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
    clock = FakeClock()
    camera = FolderCamera(tmp_path, clock, clock.sleep)
    assert [int(camera.frame().image[0, 0, 0]) for _ in range(4)] == [10, 200, 10, 200]


def test_frames_of_a_folder_are_newer_than_asked_for(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), plain(1))
    clock = FakeClock()
    camera = FolderCamera(tmp_path, clock, clock.sleep)
    first = camera.frame(after=clock.now)
    assert camera.frame(after=first.at).at > first.at


def test_a_video_is_played_over_and_over(tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (16, 12))
    for grey in (0, 250):
        writer.write(plain(grey))
    writer.release()
    clock = FakeClock()
    camera = FolderCamera(path, clock, clock.sleep)
    assert [int(camera.frame().image[0, 0, 0]) > 100 for _ in range(4)] == [False, True, False, True]


def test_a_file_that_is_no_picture_is_said_and_can_be_mended(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"none")
    clock = FakeClock()
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


def test_a_folder_plays_its_videos_among_its_pictures(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), plain(100))
    writer = cv2.VideoWriter(str(tmp_path / "2.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (16, 12))
    for _ in range(2):
        writer.write(plain(250))
    writer.release()
    clock = FakeClock()
    camera = FolderCamera(tmp_path, clock, clock.sleep)
    assert [int(camera.frame().image[0, 0, 0]) > 200 for _ in range(4)] == [False, True, True, False]


# Large and small


@pytest.mark.parametrize(
    ("given", "made"),
    [((1280, 960), (640, 480)), ((2304, 1296), (640, 360)), ((960, 1280), (480, 640)), ((64, 48), (64, 48))],
)
def test_a_small_picture_has_its_longer_side_as_long_as_a_preview(
    given: tuple[int, int], made: tuple[int, int]
) -> None:
    image = np.full((given[1], given[0], 3), 77, np.uint8)
    shown = small_picture(Frame(image, 0.0))
    assert shown.shape == (made[1], made[0], 3)
    assert FrameSizes.of(*given) == (given, made)
    assert (shown == 77).all()


def test_where_the_camera_gives_a_preview_that_is_the_small_picture() -> None:
    preview = plain(3)
    assert small_picture(Frame(np.zeros((960, 1280, 3), np.uint8), 0.0, preview)) is preview


def test_sizes_are_unknown_until_the_first_picture(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), plain(1))
    clock = FakeClock()
    for camera in (
        FolderCamera(tmp_path, clock, clock.sleep),
        ScriptedCamera([plain(1)], clock),
        VirtualCamera(lambda _: plain(1), clock),
    ):
        assert camera.sizes.still == (0, 0)
        camera.frame()
        assert camera.sizes == ((16, 12), (16, 12))
        assert camera.lock() == camera.lock({"exposure": 1.0}) == {}


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
        parse_name(asked)


def test_a_picture_that_was_painted_over_or_exchanged_is_given_as_it_is_in_the_file(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), plain(9))
    clock = FakeClock()
    camera = FolderCamera(tmp_path, clock, clock.sleep)
    camera.frame().image[:] = 77  # whoever has a frame may draw on it
    assert camera.frame().image[0, 0, 0] == 9
    cv2.imwrite(str(tmp_path / "a.png"), plain(30))
    os.utime(tmp_path / "a.png", (1, 1))
    assert camera.frame().image[0, 0, 0] == 30
    (tmp_path / "a.png").unlink()
    with pytest.raises(CameraError, match="not a picture that can be read"):
        camera.frame()


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


def test_what_is_configured_goes_to_the_camera_that_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    class Asked(ScriptedCamera):
        """A fake that remembers how it was made."""

        def __init__(self, *made: object) -> None:
            given.append(made)
            super().__init__([plain(1)], lambda: 0.0)

    monkeypatch.setattr("hardware.camera.picamera.PiCamera", Asked)
    monkeypatch.setattr("hardware.camera.webcam.Webcam", Asked)
    settings = CameraSettings(mains=60)
    for name in (None, "pi:1", "webcam", "webcam:2"):
        choose_camera(name, settings=settings)
    assert given == [(0, settings), (1, settings), (None, settings), (2, settings)]


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
