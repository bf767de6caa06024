"""Reading and writing picture files."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np

from calibration.image import Image


class ImageError(ValueError):
    """A file that is not a readable picture. The message says why, without the file's name."""


def read_image(path: Path) -> Image:
    """The picture as height x width x 3, BGR, 8 bit, as stored: an EXIF orientation is ignored.

    Raises `ImageError` when the file is missing, unreadable or not a picture.
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except FileNotFoundError as error:
        raise ImageError("there is no such file") from error
    except (OSError, ValueError) as error:  # ValueError: a name with a null byte
        reason = os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else str(error)
        raise ImageError(f"it could not be opened: {reason}") from error
    if not data.size:
        raise ImageError("the file is empty")
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error as error:
        raise ImageError(f"it could not be decoded: {error.err}") from error
    if image is None or image.dtype != np.uint8:
        raise ImageError("it is not a picture that can be read here: use JPEG or PNG")
    return np.asarray(image, dtype=np.uint8)


def write_image(path: Path, image: Image, quality: int = 90) -> None:
    """Write a BGR picture in the format of the name's suffix. Raises `OSError`."""
    options = [cv2.IMWRITE_JPEG_QUALITY, quality] if path.suffix.lower() in (".jpg", ".jpeg") else []
    if not cv2.haveImageWriter(path.name):
        raise OSError(f"no picture format for {path.suffix!r}")
    done, data = cv2.imencode(path.suffix, image, options)
    if not done:
        raise OSError(f"the picture could not be packed as {path.suffix!r}")
    path.write_bytes(data.tobytes())
