"""Reads picture files from the disk and from phones, and writes them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import cv2

from calibration.image import Image, shrunk
from calibration.image_decoder import HeicError, ImageError, ImageTooLargeError, decode, is_heic, jpeg_size

LARGEST_PICTURE: Final = 64 * 2**20
"""Largest picture file in bytes; a Pi's camera makes 20 MB at its best quality."""

LARGEST_PHOTO: Final = 4 * 2**20
"""Largest picture from a phone in bytes; the page shrinks it to less than 1 MB."""
PHOTO_SIDE: Final = 2304
"""Longest side in pixels of a phone's picture after it is shrunk: as wide as a Pi camera's frames."""


def check_photo(data: bytes) -> tuple[int, int]:
    """Return the width and height in the header of a JPEG file, without decoding it.

    Raises `ImageTooLargeError`, and `ImageError` for another kind of file or one that ends too early.
    """
    if len(data) > LARGEST_PHOTO:
        raise ImageTooLargeError(f"it is too large: over {LARGEST_PHOTO // 2**20} MiB")
    if is_heic(data):
        raise HeicError
    return jpeg_size(data)


def decode_photo(data: bytes) -> Image:
    """Decode a phone's JPEG file to height x width x 3, BGR, turned by its EXIF orientation, at most `PHOTO_SIDE` long.

    Raises `ImageError`, as `check_photo` does.
    """
    check_photo(data)
    image = decode(data)
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
    return decode(content, turned=False)


def _content(path: Path) -> bytes:
    try:
        # Without O_NONBLOCK, opening a pipe would wait for a writer; a pipe that nobody writes to reads as empty.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            return file.read(LARGEST_PICTURE + 1)
    except FileNotFoundError as error:
        raise ImageError("there is no such file") from error
    except (OSError, ValueError) as error:  # ValueError: the name contains a null byte
        reason = os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else str(error)
        raise ImageError(f"it could not be opened: {reason}") from error


def write_image(path: Path, image: Image, quality: int = 90) -> None:
    """Write a BGR picture in the format of the file's suffix. Raises `OSError`."""
    options = [cv2.IMWRITE_JPEG_QUALITY, quality] if path.suffix.lower() in (".jpg", ".jpeg") else []
    if not cv2.haveImageWriter(path.name):
        raise OSError(f"no picture format for {path.suffix!r}")
    done, data = cv2.imencode(path.suffix, image, options)
    if not done:
        raise OSError(f"the picture could not be packed as {path.suffix!r}")
    path.write_bytes(data.tobytes())
