"""The cameras of `python -m tests.benchmarks cameras`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hardware.camera.protocol import Camera
from hardware.camera.stream import StreamCamera
from hardware.camera.webcam import Webcam
from tests.benchmarks import cameras
from tests.benchmarks.cameras import CameraCost, UsbCamera, markdown, mjpeg, rtsp, usb
from tests.benchmarks.running import CostError


def changes(camera: Camera) -> bool:
    first = camera.frame()
    later = camera.frame(after=first.at)
    camera.close()
    assert camera.size == cameras.SIZE
    return not np.array_equal(first.image, later.image)


def test_the_pictures_change_as_a_cameras_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras, "SIZE", (64, 48))
    monkeypatch.setattr(cameras, "PICTURES", 3)
    monkeypatch.setattr(cameras, "pictures", lambda: (np.full((48, 64, 3), 90 + n, np.uint8) for n in range(3)))
    with mjpeg(tmp_path) as address:
        assert changes(StreamCamera(address, "a phone"))
    with usb(tmp_path):
        assert changes(Webcam(0, opener=UsbCamera))  # type: ignore[arg-type]


def test_what_h264_needs_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CostError, match="apt install ffmpeg"), rtsp(tmp_path):
        pass


def test_a_camera_is_a_line() -> None:
    assert "| a phone | 0.1 s | 1.5 s | 0.4 s |" in markdown([CameraCost("a phone", 0.08, 1.48, 0.36)])
