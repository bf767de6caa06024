"""Decodes every picture file that the program reads, from a phone, a network camera or the disk.

A few bytes can announce a picture that takes gigabytes, and two parsers may disagree about its size. So a JPEG file is
walked from marker to marker as libjpeg does it, whatever libjpeg would skip or guess is refused, and the decoder has a
limit of its own (`companion.MOST_PIXELS`).
"""

from __future__ import annotations

import re
from typing import Final

import cv2
import numpy as np

from calibration.image import Image
from companion import MOST_PIXELS

_START_OF_IMAGE: Final = b"\xff\xd8"
_END_OF_IMAGE: Final = 0xD9
_START_OF_SCAN: Final = 0xDA
_FRAMES: Final = frozenset({0xC0, 0xC1, 0xC2})
"""The markers of baseline, extended and progressive JPEG (ITU-T T.81, table B.1)."""
_SEGMENTS: Final = frozenset({*_FRAMES, 0xC4, _START_OF_SCAN, 0xDB, 0xDD, *range(0xE0, 0xF0), 0xFE})
"""The markers that are accepted: those, tables, scans, the restart interval, application data and comments."""
_MOST_SEGMENTS: Final = 2000
"""The most markers of a file; a camera writes some twenty."""
_MOST_SCANS: Final = 32
"""The most scans of a progressive JPEG file: each costs as much as a whole picture."""
_FILL: Final = re.compile(rb"\xff+")
"""The byte before a marker; it may be repeated."""
_END_OF_SCAN: Final = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""The next marker that ends a scan: FF 00 is the byte FF itself, and D0 to D7 are restart markers."""

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_PNG_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Colour type -> channels (PNG, 11.2.1)."""


class ImageError(ValueError):
    """The file is not a readable picture. The message says why, without the file's name."""


class HeicError(ImageError):
    """The picture is in HEIC, the format of iPhones, which OpenCV cannot read."""

    def __init__(self) -> None:
        super().__init__(
            'it is a HEIC picture, which is not read here: save it as JPEG (iPhone: Camera, Formats, "Most Compatible")'
        )


class ImageTooLargeError(ImageError):
    """The picture has too many bytes or pixels."""

    def __init__(self, reason: str = f"it has too many pixels: over {MOST_PIXELS // 10**6} million") -> None:
        super().__init__(reason)


def decode(data: bytes | bytearray, *, turned: bool = True) -> Image:
    """Decode a JPEG, PNG, BMP or WebP file to height x width x 3, BGR, 8 bit.

    turned: rotate it by its EXIF orientation.

    Raises `ImageError`.
    """
    size = _named_size(data)
    if size[0] * size[1] > MOST_PIXELS:
        raise ImageTooLargeError
    try:
        flags = cv2.IMREAD_COLOR | (0 if turned else cv2.IMREAD_IGNORE_ORIENTATION)
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error as error:
        raise ImageError(f"it could not be decoded: {error.err}") from error
    if image is None or image.dtype != np.uint8:
        raise ImageError("it is not a picture that can be read here: use JPEG or PNG")
    if sorted(image.shape[:2]) != sorted(size):
        raise ImageError("its header names another size than its picture has")
    return np.asarray(image, dtype=np.uint8)


def _named_size(data: bytes | bytearray) -> tuple[int, int]:
    """The width and height in the header. Raises `ImageError`."""
    if data.startswith(_START_OF_IMAGE):
        return jpeg_size(data)
    if is_heic(data):
        raise HeicError
    head, size = data[:30].ljust(30, b"\0"), None
    if head.startswith(_PNG):
        size = int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
        if size[0] * size[1] * head[24] * _PNG_CHANNELS.get(head[25], 4) > MOST_PIXELS * 24:  # it is unpacked as it is
            raise ImageTooLargeError
    elif head.startswith(b"BM"):
        wide = 2 if int.from_bytes(head[14:18], "little") == 12 else 4  # of OS/2
        width, height = (int.from_bytes(head[at : at + wide], "little", signed=wide == 4) for at in (18, 18 + wide))
        size = width, abs(height)
    elif head.startswith(b"RIFF") and head[8:12] == b"WEBP":  # RFC 9649
        if head[12:16] == b"VP8X":
            size = 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")
        elif head[12:16] == b"VP8L":
            both = int.from_bytes(head[21:25], "little")
            size = 1 + (both & 0x3FFF), 1 + (both >> 14 & 0x3FFF)
        else:
            size = int.from_bytes(head[26:28], "little") & 0x3FFF, int.from_bytes(head[28:30], "little") & 0x3FFF
    if size is None:
        raise ImageError("it is not a picture that can be read here: use JPEG or PNG")
    return size


def jpeg_size(data: bytes | bytearray) -> tuple[int, int]:
    """Return the width and height of a JPEG file, walking it from the first marker to the last without decoding it.

    Bytes after its end are ignored. Raises `ImageTooLargeError`, and `ImageError` for another kind of file or one that
    ends too early.
    """
    if not data.startswith(_START_OF_IMAGE):
        raise ImageError("it is not a JPEG file")
    at, size, scans = 2, (0, 0), 0
    for _ in range(_MOST_SEGMENTS):
        fill = _FILL.match(data, at)
        if fill is None or fill.end() == len(data):
            raise ImageError("it ends too early" if fill or at == len(data) else "it is damaged")
        marker, at = data[fill.end()], fill.end() + 1
        if marker == _END_OF_IMAGE and scans:
            return size
        if marker not in _SEGMENTS or (marker in _FRAMES and any(size)) or (marker == _START_OF_SCAN and not any(size)):
            break
        length = int.from_bytes(data[at : at + 2], "big")
        if length < 2 or at + length > len(data):
            raise ImageError("it ends too early")
        if marker in _FRAMES:
            size = int.from_bytes(data[at + 5 : at + 7], "big"), int.from_bytes(data[at + 3 : at + 5], "big")
            if length < 8 or data[at + 2] != 8 or not all(size):
                break
            if size[0] * size[1] > MOST_PIXELS:
                raise ImageTooLargeError
        at += length
        if marker == _START_OF_SCAN:
            scans += 1
            end = _END_OF_SCAN.search(data, at)
            if end is None:
                raise ImageError("it ends too early")
            if scans > _MOST_SCANS:
                raise ImageTooLargeError
            at = end.start()
    raise ImageError("it is no JPEG file of a kind that is read here")


def is_heic(data: bytes | bytearray) -> bool:
    """True for a picture in a format of the HEIF family (ISO/IEC 23008-12)."""
    return data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1")
