"""No picture that somebody made takes a box's memory, and what cameras and phones write is read."""

from __future__ import annotations

import os
import subprocess
import sys

import cv2
import numpy as np
import pytest

from calibration.image_decoder import ImageError, ImageTooLargeError, decode, jpeg_size
from companion import MOST_PIXELS
from tests.calibration.hostile_pictures import KINDS, Draw, behind_a_stray_marker, parts, small

MOST_MEGABYTES = 300


def test_no_picture_takes_the_memory_of_the_box() -> None:
    """In a process of its own, whose OpenCV was loaded without a limit."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENCV")}
    command = [sys.executable, "-m", "tests.calibration.hostile_pictures", str(len(KINDS))]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=300)
    worst = result.stdout.splitlines()[0]
    assert int(worst.split()[0]) < MOST_MEGABYTES, result.stdout


def with_segment(marker: int, data: bytes) -> bytes:
    jpeg = small()
    return jpeg[:2] + bytes([0xFF, marker]) + (len(data) + 2).to_bytes(2, "big") + data + jpeg[2:]


@pytest.mark.parametrize("marker", [0x01, 0x02, 0xBF, 0xC3, 0xC9, 0xCC, 0xD0, 0xD7, 0xD8, 0xDC, 0xF0, 0xFD])
def test_what_libjpeg_passes_over_or_does_not_know_is_refused(marker: int) -> None:
    with pytest.raises(ImageError, match="no JPEG file of a kind"):
        decode(with_segment(marker, b"\0\0"))


def test_a_picture_that_two_parsers_read_differently_is_refused() -> None:
    with pytest.raises(ImageError):
        jpeg_size(behind_a_stray_marker(Draw(1)))
    segments, data = parts(small())
    with pytest.raises(ImageError):
        jpeg_size(b"\xff\xd8" + b"".join(segments + segments) + data)


def test_bytes_that_fill_and_what_follows_the_end_are_passed_over() -> None:
    jpeg = small()
    assert jpeg_size(jpeg[:2] + b"\xff" * 5 + jpeg[2:] + b"\0\xff\xd8MotionPhoto_Data") == (64, 64)
    assert decode(with_segment(0xE5, b"thumbnail \xff\xd8\xff\xc0 \xff\xd9")).shape == (64, 64, 3)


def test_every_way_cameras_write_a_jpeg_is_read() -> None:
    picture = np.random.default_rng(1).integers(0, 255, (48, 70, 3), np.uint8)
    for options in (
        (),
        (cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
        (cv2.IMWRITE_JPEG_RST_INTERVAL, 1),
        (cv2.IMWRITE_JPEG_OPTIMIZE, 1),
        (cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x111111),
    ):
        jpeg = bytes(cv2.imencode(".jpg", picture, options)[1])
        assert jpeg_size(jpeg) == (70, 48)
        assert decode(jpeg).shape == (48, 70, 3)
        with pytest.raises(ImageError, match="too early"):
            decode(jpeg[:-2])
    for suffix in (".jpg", ".png", ".bmp", ".webp"):
        assert decode(bytes(cv2.imencode(suffix, picture[..., 0])[1])).shape == (48, 70, 3)
        for options in ((), (cv2.IMWRITE_WEBP_QUALITY, 101)):
            assert decode(bytes(cv2.imencode(suffix, picture, options)[1])).shape == (48, 70, 3)


def test_opencv_has_the_limit_before_it_is_loaded() -> None:
    program = (
        "import calibration, cv2, numpy; from tests.calibration.hostile_pictures import named, parts, small\n"
        "segments, data = parts(small()); large = [bytes([255, 216]), *named(segments, 8000, 8000), data]\n"
        "cv2.imdecode(numpy.frombuffer(b''.join(large), numpy.uint8), cv2.IMREAD_COLOR)"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENCV")}
    result = subprocess.run(
        [sys.executable, "-c", program], check=False, env=environment, capture_output=True, text=True
    )
    assert "pixels <= " in result.stderr


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_a_picture_larger_than_any_cameras_is_too_large(suffix: str) -> None:
    wide = bytes(cv2.imencode(suffix, np.zeros((1, MOST_PIXELS // 40_000), np.uint8))[1])
    assert decode(wide).shape[0] == 1
    taller = bytearray(wide)
    at = wide.index(b"\xff\xc0") + 5 if suffix == ".jpg" else 20
    taller[at : at + (2 if suffix == ".jpg" else 4)] = (60_000).to_bytes(2 if suffix == ".jpg" else 4, "big")
    with pytest.raises(ImageTooLargeError):
        decode(bytes(taller))
