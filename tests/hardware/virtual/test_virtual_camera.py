"""The camera of the demo."""

from __future__ import annotations

import pytest

from hardware.camera.protocol import CameraError, Image
from hardware.virtual.virtual_camera import VirtualCamera
from tests.fakes.camera import plain
from tests.fakes.clock import FakeClock


def test_the_virtual_camera_gives_a_painted_frame_ten_times_a_second() -> None:
    clock = FakeClock(50.0)
    painted: list[float] = []

    def paint(at: float) -> Image:
        painted.append(at)
        return plain(len(painted))

    camera = VirtualCamera(paint, clock, clock.sleep)
    frames = [camera.frame() for _ in range(5)]
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [1, 2, 3, 4, 5]
    assert [frame.at for frame in frames] == painted == pytest.approx([50.0, 50.1, 50.2, 50.3, 50.4])


def test_a_closed_virtual_camera_gives_no_frames() -> None:
    camera = VirtualCamera(lambda _: plain(0))
    camera.close()
    camera.close()
    with pytest.raises(CameraError):
        camera.frame()
