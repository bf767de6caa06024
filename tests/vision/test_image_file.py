"""A file that is no picture gets a reason, not a traceback."""

from __future__ import annotations

import os
import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import image_decoder
from calibration.image_decoder import HeicError, ImageError
from vision.image_file import check_photo, read_image, write_image

PICTURE = np.full((20, 30, 3), (10, 120, 240), np.uint8)


@pytest.mark.parametrize("name", ["a.png", "b.jpg", "with space é.png"])
def test_a_written_picture_can_be_read_again(tmp_path: Path, name: str) -> None:
    write_image(tmp_path / name, PICTURE)
    assert np.abs(read_image(tmp_path / name).astype(int) - PICTURE).max() <= 3


def test_grey_and_transparent_pictures_become_bgr(tmp_path: Path) -> None:
    for name, picture in (("g.png", PICTURE[..., 0]), ("t.png", np.dstack([PICTURE, PICTURE[..., :1]]))):
        cv2.imwrite(str(tmp_path / name), picture)
        assert read_image(tmp_path / name).shape == (20, 30, 3)


def test_16_bit_pictures_become_8_bit(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "deep.png"), PICTURE.astype(np.uint16) * 257)
    assert np.array_equal(read_image(tmp_path / "deep.png"), PICTURE)


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\xd8\xff\xe0" + b"\0" * 40, b"\x89PNG\r\n\x1a\n"])
def test_a_file_that_is_no_picture_is_reported(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "no.jpg"
    path.write_bytes(content)
    with pytest.raises(ImageError):
        read_image(path)


HEIC = b"\x00\x00\x00\x18ftypheic" + bytes(40)


def test_an_iphones_picture_is_called_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "IMG_1.HEIC").write_bytes(HEIC)
    with pytest.raises(HeicError, match="save it as JPEG"):
        read_image(tmp_path / "IMG_1.HEIC")
    with pytest.raises(HeicError):
        check_photo(HEIC)


def test_a_header_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []
    real = image_decoder._FILL

    class Counted:
        def match(self, data: bytes, at: int) -> re.Match[bytes] | None:
            steps.append(at)
            return real.match(data, at)

    monkeypatch.setattr(image_decoder, "_FILL", Counted())
    for header in (b"\xff" * 4_000_000, b"\xff\xe0\x00\x02" * 1_000_000):
        steps.clear()
        with pytest.raises(ImageError):
            check_photo(b"\xff\xd8" + header)
        assert len(steps) < 3000


def test_bytes_that_fill_before_a_marker_are_skipped() -> None:
    jpeg = cv2.imencode(".jpg", PICTURE)[1].tobytes()
    filled = jpeg[:2] + b"\xff" * 5 + jpeg[2:]
    assert check_photo(filled) == check_photo(jpeg) == PICTURE.shape[1::-1]


def test_missing_files_and_folders_are_reported(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match="no such file"):
        read_image(tmp_path / "nowhere.jpg")
    with pytest.raises(ImageError, match="directory"):
        read_image(tmp_path)
    with pytest.raises(ImageError):
        read_image(Path("null\0byte.jpg"))


def test_a_named_pipe_is_reported_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(ImageError, match="empty"):
        read_image(tmp_path / "pipe.jpg")


def test_the_orientation_tag_does_not_turn_the_pixels(tmp_path: Path) -> None:
    _, data = cv2.imencode(".jpg", PICTURE)
    orientation = bytes.fromhex(
        "ffe1 0022 4578 6966 0000 4d4d 002a 0000 0008 0001 0112 0003 0000 0001 0006 0000 0000 0000"
    )
    (tmp_path / "turned.jpg").write_bytes(data.tobytes()[:2] + orientation + data.tobytes()[2:])
    assert read_image(tmp_path / "turned.jpg").shape == (20, 30, 3)


@pytest.mark.parametrize("name", ["picture", "picture.xyz", "picture."])
def test_a_name_without_a_picture_format_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError, match="no picture format"):
        write_image(tmp_path / name, PICTURE)
