"""A file that is no picture gets a reason, not a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.image_file import ImageError, read_image, write_image

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
