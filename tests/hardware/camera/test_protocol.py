"""Sizes and small pictures of frames, and the scripted camera."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.folder import FolderCamera
from hardware.camera.protocol import CameraError, Frame, small_picture
from hardware.virtual.virtual_camera import VirtualCamera
from tests.fakes.camera import ScriptedCamera, plain
from tests.fakes.clock import FakeClock


@pytest.mark.parametrize(
    ("size", "expected"),
    [((1280, 960), (640, 480)), ((2304, 1296), (640, 360)), ((960, 1280), (480, 640)), ((64, 48), (64, 48))],
)
def test_the_longer_side_of_a_small_picture_is_a_previews(size: tuple[int, int], expected: tuple[int, int]) -> None:
    image = np.full((size[1], size[0], 3), 77, np.uint8)
    preview = small_picture(Frame(image, 0.0))
    assert preview.shape == (expected[1], expected[0], 3)
    assert (preview == 77).all()


def test_the_cameras_own_preview_is_the_small_picture() -> None:
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
        assert camera.size == (0, 0)
        camera.frame()
        assert camera.size == (16, 12)
        assert camera.lock() == camera.lock({"exposure": 1.0}) == {}


def test_a_script_gives_its_frames_and_failures_and_then_its_last() -> None:
    camera = ScriptedCamera([plain(1), "unplugged", plain(2)], clock=lambda: 7.0)
    assert camera.frame(after=3.0).image[0, 0, 0] == 1
    with pytest.raises(CameraError, match="unplugged"):
        camera.frame()
    assert [int(camera.frame().image[0, 0, 0]) for _ in range(2)] == [2, 2]
    assert camera.asked == [3.0, 0.0, 0.0, 0.0]
