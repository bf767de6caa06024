"""Every pixel format of a camera gives the same picture."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera.pixel_formats import (
    BT601,
    BT709,
    JPEG,
    PACKED,
    PLANAR,
    BufferLayout,
    ColourEncoding,
    encoding,
    picture,
)

COLOURS = st.tuples(*[st.integers(0, 255)] * 3)
SIZES = st.tuples(st.integers(1, 9).map(lambda n: 2 * n), st.integers(1, 9).map(lambda n: 2 * n))


def ycc(bgr: tuple[int, int, int], encoding: ColourEncoding) -> tuple[int, int, int]:
    """The inverse conversion, from the definition."""
    blue, green, red = (value / 255 for value in bgr)
    y = encoding.red * red + (1 - encoding.red - encoding.blue) * green + encoding.blue * blue
    cb, cr = (blue - y) / (2 - 2 * encoding.blue), (red - y) / (2 - 2 * encoding.red)
    low, high, colour = (0, 255, 255) if encoding.full else (16, 219, 224)
    return tuple(min(255, max(0, round(v))) for v in (low + high * y, 128 + colour * cb, 128 + colour * cr))  # type: ignore[return-value]


def buffer(
    kind: str, size: tuple[int, int], bgr: tuple[int, int, int], encoding: ColourEncoding, pad: int
) -> npt.NDArray[np.uint8]:
    """A buffer of one colour, with random padding of its rows."""
    width, height = size
    if kind in PACKED:
        one = bgr if "RGB" in kind else bgr[::-1]
        row = np.resize(np.array([*one, 255][: PACKED[kind]], np.uint8), width * PACKED[kind])
        return np.tile(np.concatenate([row, np.full(pad, 99, np.uint8)]), height)
    y, cb, cr = ycc(bgr, encoding)
    luma = np.tile(np.concatenate([np.full(width, y, np.uint8), np.full(pad, 99, np.uint8)]), height)
    first, second = (cr, cb) if kind in ("YVU420", "NV21") else (cb, cr)
    if kind.startswith("NV"):
        row = np.concatenate([np.resize(np.array([first, second], np.uint8), width), np.full(pad, 99, np.uint8)])
        return np.concatenate([luma, np.tile(row, height // 2)])
    planes = [
        np.tile(np.concatenate([np.full(width // 2, value, np.uint8), np.full(pad // 2, 99, np.uint8)]), height // 2)
        for value in (first, second)
    ]
    return np.concatenate([luma, *planes])


@given(
    st.sampled_from(sorted(PACKED) + sorted(PLANAR)),
    SIZES,
    COLOURS,
    st.sampled_from([JPEG, BT601, BT709]),
    st.sampled_from([0, 2, 64]),
)
def test_a_colour_survives_every_format(
    kind: str, size: tuple[int, int], bgr: tuple[int, int, int], encoding: ColourEncoding, pad: int
) -> None:
    stride = size[0] * PACKED.get(kind, 1) + pad
    data = np.concatenate([buffer(kind, size, bgr, encoding, pad), np.full(7, 99, np.uint8)])  # buffers end on a page
    image = picture(data, BufferLayout(kind, size, stride), encoding)
    assert image.shape == (size[1], size[0], 3)
    assert image.dtype == np.uint8
    assert np.abs(image.astype(int) - bgr).max() <= (0 if kind in PACKED else 3)


def test_each_pixel_stays_in_its_place() -> None:
    y = np.arange(48, dtype=np.uint8).reshape(6, 8) * 5
    data = np.concatenate([y.ravel(), np.full(24, 128, np.uint8)])
    assert np.array_equal(picture(data, BufferLayout("YUV420", (8, 6), 8))[:, :, 1], y)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="SBGGR10"):
        picture(np.zeros(100, np.uint8), BufferLayout("SBGGR10", (4, 4), 8))


class Space:
    def __init__(self, matrix: str, reach: str) -> None:
        self.ycbcrEncoding = f"YcbcrEncoding.{matrix}"
        self.range = f"Range.{reach}"


@pytest.mark.parametrize(
    ("space", "expected"),
    [
        (Space("Rec601", "Full"), JPEG),
        (Space("Rec601", "Limited"), BT601),
        (Space("Rec709", "Limited"), BT709),
        (Space("Null", "Full"), JPEG),
        (None, JPEG),
    ],
)
def test_the_encoding_is_that_of_libcamera(space: object, expected: ColourEncoding) -> None:
    assert encoding(space) == expected
