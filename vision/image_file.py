"""Reading and writing picture files."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.image import Image, shrunk

LARGEST_PICTURE: Final = 64 * 2**20
"""Bytes of a picture file at most; a Pi's camera makes 20 MB at its best."""


LARGEST_PHOTO: Final = 4 * 2**20
"""Bytes of a phone's picture at most; the page shrinks it to less than one of them."""
MOST_PHOTO_PIXELS: Final = 16_000_000
PHOTO_SIDE: Final = 2304
"""Pixels of the longer side to which a phone's picture is shrunk, as wide as a Pi camera's frames."""
_MOST_SCANS: Final = 32
"""Scans of a progressive JPEG file: each costs as much as a whole picture."""
_MOST_SEGMENTS: Final = 2000
"""Segments before the picture: a camera writes some twenty."""
_FILL: Final = re.compile(rb"\xff+")
"""The byte before a marker, which may be repeated."""
_FRAMES: Final = frozenset({0xC0, 0xC1, 0xC2})
"""The markers of baseline, extended and progressive JPEG."""


class ImageError(ValueError):
    """A file that is not a readable picture. The message says why, without the file's name."""


class HeicError(ImageError):
    """A picture as iPhones keep it, which OpenCV does not read."""

    def __init__(self) -> None:
        super().__init__(
            'it is a HEIC picture, which is not read here: save it as JPEG (iPhone: Camera, Formats, "Most Compatible")'
        )


class ImageTooLargeError(ImageError):
    """Too many bytes or pixels."""


def check_photo(data: bytes) -> tuple[int, int]:
    """The width and height that the header of a JPEG file names, without decoding it.

    Raises `ImageTooLargeError`, and `ImageError` for another kind of file or one that ends too early.
    """
    if len(data) > LARGEST_PHOTO:
        raise ImageTooLargeError(f"it is too large: over {LARGEST_PHOTO // 2**20} MiB")
    if not data.startswith(b"\xff\xd8"):
        raise HeicError if _is_heic(data) else ImageError("it is not a JPEG file")
    at, size, segments = 2, None, 0
    while (fill := _FILL.match(data, at)) and segments < _MOST_SEGMENTS:
        at, segments = fill.end() - 1, segments + 1
        if at + 4 > len(data):
            raise ImageError("it ends too early")
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in _FRAMES:
            size = int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        elif marker == 0xDA:
            break
        at += 2 + length
    else:
        raise ImageError("it ends too early")
    if size is None or not all(size):
        raise ImageError("it is no JPEG file of a kind that is read here")
    if size[0] * size[1] > MOST_PHOTO_PIXELS or data.count(b"\xff\xda", at) > _MOST_SCANS:
        raise ImageTooLargeError("it has too many pixels")
    if b"\xff\xd9" not in data[at:]:
        raise ImageError("it ends too early")
    return size


def decode_photo(data: bytes) -> Image:
    """A phone's JPEG file as height x width x 3, BGR, turned as its EXIF says and at most `PHOTO_SIDE` long.

    Raises `ImageError`, as `check_photo` does.
    """
    check_photo(data)
    image = _decoded(data, cv2.IMREAD_COLOR)
    height, width = image.shape[:2]
    return shrunk(image, max(1, round(width * PHOTO_SIDE / max(height, width))))


def read_image(path: Path) -> Image:
    """The picture as height x width x 3, BGR, 8 bit, as stored: an EXIF orientation is ignored.

    Raises `ImageError` when the file is missing, unreadable or not a picture.
    """
    content = _content(path)
    if not content:
        raise ImageError("the file is empty")
    if len(content) > LARGEST_PICTURE:
        raise ImageError(f"it is too large to be a picture: over {LARGEST_PICTURE // 2**20} MiB")
    return _decoded(content, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)


def _decoded(data: bytes, flags: int) -> Image:
    """The picture, by OpenCV's `flags`. Raises `ImageError`."""
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error as error:
        raise ImageError(f"it could not be decoded: {error.err}") from error
    if image is None and _is_heic(data):
        raise HeicError
    if image is None or image.dtype != np.uint8:
        raise ImageError("it is not a picture that can be read here: use JPEG or PNG")
    return np.asarray(image, dtype=np.uint8)


def _is_heic(data: bytes) -> bool:
    """Whether it is a picture of the family of HEIF (ISO/IEC 23008-12)."""
    return data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1")


def _content(path: Path) -> bytes:
    try:
        # Opening a pipe does not wait for a writer like this; there is nothing in one that nobody writes.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            return file.read(LARGEST_PICTURE + 1)
    except FileNotFoundError as error:
        raise ImageError("there is no such file") from error
    except (OSError, ValueError) as error:  # ValueError: a name with a null byte
        reason = os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else str(error)
        raise ImageError(f"it could not be opened: {reason}") from error


def write_image(path: Path, image: Image, quality: int = 90) -> None:
    """Write a BGR picture in the format of the name's suffix. Raises `OSError`."""
    options = [cv2.IMWRITE_JPEG_QUALITY, quality] if path.suffix.lower() in (".jpg", ".jpeg") else []
    if not cv2.haveImageWriter(path.name):
        raise OSError(f"no picture format for {path.suffix!r}")
    done, data = cv2.imencode(path.suffix, image, options)
    if not done:
        raise OSError(f"the picture could not be packed as {path.suffix!r}")
    path.write_bytes(data.tobytes())
