"""Converts a camera's buffer to a BGR picture.

Names of formats are libcamera's (DRM fourccs), which list bytes from last to first: its RGB888 is cv2's BGR. See the
picamera2 manual, appendix A, "Pixel and image formats".
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.protocol import Image

PACKED: Final = {"RGB888": 3, "BGR888": 3, "XRGB8888": 4, "XBGR8888": 4}
"""Format -> bytes per pixel."""
PLANAR: Final = frozenset({"YUV420", "YVU420", "NV12", "NV21"})
"""Formats with brightness for every pixel and colour for every second pixel of every second row."""
READABLE: Final = frozenset(PACKED) | PLANAR


class BufferLayout(NamedTuple):
    """The layout of a buffer."""

    format: str
    size: tuple[int, int]
    """Width and height in pixels."""
    stride: int
    """Bytes from one row of the first plane to the next, including any padding."""


class ColourEncoding(NamedTuple):
    """How YCbCr was computed from red, green and blue."""

    red: float
    blue: float
    """The weight of blue in the brightness, like `red`."""
    full: bool
    """Values go from 0 to 255; otherwise brightness from 16 to 235 and colour from 16 to 240."""


JPEG: Final = ColourEncoding(0.299, 0.114, True)
"""libcamera's sYCC, which the program requests: BT.601, full range."""
BT601: Final = ColourEncoding(0.299, 0.114, False)
BT709: Final = ColourEncoding(0.2126, 0.0722, False)


def encoding(space: object) -> ColourEncoding:
    """The encoding of a libcamera `ColorSpace`; sYCC for None, and for RGB, which needs none.

    Its members are compared by name, to avoid importing libcamera.
    """
    matrix = str(getattr(space, "ycbcrEncoding", ""))
    full = not str(getattr(space, "range", "")).endswith("Limited")
    shares = BT709 if matrix.endswith("Rec709") else JPEG
    return ColourEncoding(shares.red, shares.blue, full)


def picture(data: npt.NDArray[np.uint8], layout: BufferLayout, made: ColourEncoding = JPEG) -> Image:
    """Copy the picture out of a buffer; `data` is flat, and may be longer than its planes.

    Raises `ValueError` for a format that is not in `READABLE`, or a buffer that is too short.
    """
    if layout.format not in READABLE:
        raise ValueError(f"no picture is made of {layout.format}")
    width, height = layout.size
    rows = data[: height * layout.stride].reshape(height, layout.stride)
    if layout.format in PACKED:
        each = PACKED[layout.format]
        pixels = rows[:, : width * each].reshape(height, width, each)[:, :, :3]
        return np.ascontiguousarray(pixels if "RGB" in layout.format else pixels[:, :, ::-1])
    colours = _colours(data[height * layout.stride :], layout)
    merged = cv2.merge([np.ascontiguousarray(rows[:, :width]), *colours])
    return np.asarray(cv2.transform(merged, _to_bgr(made)), np.uint8)


def _colours(data: npt.NDArray[np.uint8], layout: BufferLayout) -> tuple[Image, Image]:
    """Cb and Cr, enlarged to the size of the picture."""
    width, height = layout.size
    wide, high = (width + 1) // 2, (height + 1) // 2
    if layout.format.startswith("NV"):
        pairs = data[: high * layout.stride].reshape(high, layout.stride)[:, : 2 * wide].reshape(high, wide, 2)
        first, second = pairs[:, :, 0], pairs[:, :, 1]
    else:
        stride = layout.stride // 2
        planes = data[: 2 * high * stride].reshape(2, high, stride)[:, :, :wide]
        first, second = planes[0], planes[1]
    if layout.format in ("YVU420", "NV21"):
        first, second = second, first

    def enlarged(plane: npt.NDArray[np.uint8]) -> Image:
        large = cv2.resize(np.ascontiguousarray(plane), (2 * wide, 2 * high), interpolation=cv2.INTER_LINEAR)
        return np.ascontiguousarray(np.asarray(large, np.uint8)[:height, :width])

    return enlarged(first), enlarged(second)


def _to_bgr(made: ColourEncoding) -> npt.NDArray[np.float64]:
    """The 3 x 4 matrix from (Y, Cb, Cr, 1) to (B, G, R), by the formulas of ITU-R BT.601 and BT.709."""
    black, brightness, colour = (0.0, 1.0, 1.0) if made.full else (16.0, 255 / 219, 255 / 224)
    green = 1 - made.red - made.blue
    of_blue, of_red = 2 * (1 - made.blue) * colour, 2 * (1 - made.red) * colour
    matrix = np.array(
        [
            [brightness, of_blue, 0.0],
            [brightness, -of_blue * made.blue / green, -of_red * made.red / green],
            [brightness, 0.0, of_red],
        ]
    )
    return np.column_stack([matrix, matrix @ np.array([-black, -128.0, -128.0])])
