"""Reading and writing picture files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.image import Image

LARGEST_PICTURE: Final = 64 * 2**20
"""Bytes of a picture file at most; a Pi's camera makes 20 MB at its best."""


class ImageError(ValueError):
    """A file that is not a readable picture. The message says why, without the file's name."""


def read_image(path: Path) -> Image:
    """The picture as height x width x 3, BGR, 8 bit, as stored: an EXIF orientation is ignored.

    Raises `ImageError` when the file is missing, unreadable or not a picture.
    """
    content = _content(path)
    if not content:
        raise ImageError("the file is empty")
    if len(content) > LARGEST_PICTURE:
        raise ImageError(f"it is too large to be a picture: over {LARGEST_PICTURE // 2**20} MiB")
    data = np.frombuffer(content, np.uint8)
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error as error:
        raise ImageError(f"it could not be decoded: {error.err}") from error
    if image is None or image.dtype != np.uint8:
        raise ImageError("it is not a picture that can be read here: use JPEG or PNG")
    return np.asarray(image, dtype=np.uint8)


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
