"""Pictures and videos in place of a camera."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import pytest

from hardware.camera.folder import FolderCamera
from hardware.camera.protocol import CameraError
from tests.fakes.camera import plain
from tests.fakes.clock import FakeClock


def test_a_folder_gives_its_pictures_in_order_for_ever(tmp_path: Path, clock: FakeClock) -> None:
    for n, grey in enumerate((10, 200)):
        cv2.imwrite(str(tmp_path / f"{n}.png"), plain(grey))
    (tmp_path / "notes.txt").write_text("not a picture")
    camera = FolderCamera(tmp_path, clock, clock.sleep)
    assert [int(camera.frame().image[0, 0, 0]) for _ in range(4)] == [10, 200, 10, 200]


def test_a_frame_of_a_folder_does_not_come_before_the_requested_moment(tmp_path: Path, clock: FakeClock) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), plain(1))
    camera = FolderCamera(tmp_path, clock, clock.sleep)
    moment = clock.now + 0.25
    assert camera.frame(after=moment).at >= moment
    assert clock.now >= moment
    last = camera.frame().at
    assert camera.frame(after=last).at > last


def test_a_file_that_is_no_picture_is_reported_and_can_be_replaced(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"none")
    camera = FolderCamera(tmp_path, clock, clock.sleep)
    with pytest.raises(CameraError, match="not a picture"):
        camera.frame()
    cv2.imwrite(str(path), plain(7))
    assert camera.frame().image[0, 0, 0] == 7


@pytest.mark.parametrize("there", ["nothing", "empty"])
def test_a_folder_without_pictures_is_reported(tmp_path: Path, there: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(CameraError, match=r"no (pictures|folder)"):
        FolderCamera(tmp_path / there)


def test_a_folder_plays_its_videos_among_its_pictures(tmp_path: Path, clock: FakeClock) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), plain(100))
    writer = cv2.VideoWriter(str(tmp_path / "2.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (16, 12))
    for _ in range(2):
        writer.write(plain(250))
    writer.release()
    camera = FolderCamera(tmp_path, clock, clock.sleep)
    assert [int(camera.frame().image[0, 0, 0]) > 200 for _ in range(4)] == [False, True, True, False]


def test_a_picture_is_read_again_from_its_file(tmp_path: Path, clock: FakeClock) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), plain(9))
    camera = FolderCamera(tmp_path, clock, clock.sleep)
    camera.frame().image[:] = 77  # the receiver of a frame may draw on it
    assert camera.frame().image[0, 0, 0] == 9
    cv2.imwrite(str(tmp_path / "a.png"), plain(30))
    os.utime(tmp_path / "a.png", (1, 1))
    assert camera.frame().image[0, 0, 0] == 30
    (tmp_path / "a.png").unlink()
    with pytest.raises(CameraError, match="not a picture that can be read"):
        camera.frame()
