"""Pictures that somebody made to take a box's memory: drawn from a seed, decoded one by one, and weighed.

`python -m tests.calibration.hostile_pictures 200` decodes so many and prints what the worst took.
"""

from __future__ import annotations

import gc
import random
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from calibration.image_decoder import ImageError, decode

Draw = random.Random

SIDES = (4000, 5000, 8000, 16_000, 32_000, 65_500)


def small(*options: int) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((64, 64, 3), 120, np.uint8), list(options))[1])


def parts(jpeg: bytes) -> tuple[list[bytes], bytes]:
    """The segments of a JPEG file with one scan, and its scan's data with the end."""
    at, found = 2, []
    while True:
        length = 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
        found.append(jpeg[at : at + length])
        at += length
        if found[-1][1] == 0xDA:
            return found, jpeg[at:]


def named(segments: list[bytes], width: int, height: int) -> list[bytes]:
    """The same with another size in the header."""
    return [
        each[:5] + struct.pack(">HH", height, width) + each[9:] if each[1] in (0xC0, 0xC2) else each
        for each in segments
    ]


def size(draw: Draw) -> tuple[int, int]:
    return draw.choice(SIDES), draw.choice(SIDES)


def large_header(draw: Draw) -> bytes:
    """A few bytes that say they are large."""
    segments, data = parts(small())
    return b"\xff\xd8" + b"".join(named(segments, *size(draw))) + data


def behind_a_stray_marker(draw: Draw) -> bytes:
    """The large header behind a marker that has no length for libjpeg, with a length for others."""
    segments, data = parts(small())
    hidden = b"".join(named(segments, *size(draw))) + data[:-2]
    hidden += b"\0" * ((len(hidden) + 2) % 256 == 255)
    stray = bytes([0xFF, draw.choice((*range(0xD0, 0xD9), 0x01, 0x02, 0xBF, 0xF0, 0xFD))])
    head = b"\xff\xd8" + stray + struct.pack(">H", len(hidden) + 2) + hidden
    return head + b"".join(segments) + data


def within_other_data(draw: Draw) -> bytes:
    """The large header after garbage, in a segment of a wrong length, or after a second start."""
    segments, data = parts(small())
    large = b"".join(named(segments, *size(draw)))
    between = draw.choice((b"\0\0", b"garbage", b"\xff\xe0\0\0", b"\xff\xe0\0\1", b"\xff\xd8", b"\xff\xc4\0\3\0"))
    return b"\xff\xd8" + between + large + b"".join(segments) + data


def second_header(draw: Draw) -> bytes:
    """Two headers, before or after the scan."""
    segments, data = parts(small())
    large = named(segments, *size(draw))
    order = [segments, large] if draw.random() < 0.5 else [large, segments]
    if draw.random() < 0.5:
        return b"\xff\xd8" + b"".join(order[0][:-1] + order[1]) + data
    return b"\xff\xd8" + b"".join(order[0]) + data[:-2] + b"".join(order[1]) + data


def many_scans(draw: Draw) -> bytes:
    """A progressive picture as large as is read, all of whose coefficients are kept."""
    segments, data = parts(small(cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x111111))
    return b"\xff\xd8" + b"".join(named(segments, *draw.choice(((5000, 5000), (12_500, 2000), size(draw))))) + data


def true_picture(draw: Draw) -> bytes:
    """One that is as large as it says, and packs well."""
    suffix = draw.choice((".jpg", ".png", ".webp", ".bmp", ".tiff"))
    side = 4600 if suffix == ".bmp" else draw.choice((3000, 5000, 8000))
    return bytes(cv2.imencode(suffix, np.full((side, side, 3), 120, np.uint8))[1])


def png(draw: Draw) -> bytes:
    """A PNG header, with data that unpacks to much."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    width, height = size(draw)
    deep = struct.pack(">IIBBBBB", width, height, 16, 6, 0, 0, draw.choice((0, 1)))
    zeros = zlib.compress(b"\0" * (1 << 24), 9)
    more = draw.choice((b"", chunk(b"iCCP", b"a\0\0" + zeros), chunk(b"zTXt", b"a\0\0" + zeros)))
    animated = draw.choice((b"", chunk(b"acTL", struct.pack(">II", 1000, 0))))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", deep) + animated + more + chunk(b"IDAT", zeros) + chunk(b"IEND", b"")


def other_header(draw: Draw) -> bytes:
    """Headers of other formats that name a large picture."""
    width, height = size(draw)
    riff = b"VP8X" + struct.pack("<I", 10) + b"\0" * 4 + (width - 1).to_bytes(3, "little")
    riff += (height - 1).to_bytes(3, "little")
    return draw.choice(
        (
            b"BM" + struct.pack("<IHHIIiiHH", 54, 0, 0, 54, 40, width, height, 1, 24) + b"\0" * 64,
            b"BM" + struct.pack("<IHHIIiiHHI", 54, 0, 0, 54, 40, width, height, 1, 8, 1) + b"\xff\0" * 64,
            b"RIFF" + struct.pack("<I", 4 + len(riff)) + b"WEBP" + riff + b"\0" * 64,
            b"GIF89a" + struct.pack("<HH", width % 65_536, height % 65_536) + b"\x80\0\0" + b"\0" * 64,
            b"P6 %d %d 255\n" % (width, height) + b"\0" * 64,
            b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH 3\nMAXVAL 255\nENDHDR\n" % (width, height) + b"\0" * 64,
            b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n" % (height, width) + b"\2" * 64,
            b"II*\0\x08\0\0\0" + b"\0" * 64,
        )
    )


def spoilt(draw: Draw) -> bytes:
    """A picture with some bytes replaced."""
    data = bytearray(draw.choice((small(), small(cv2.IMWRITE_JPEG_PROGRESSIVE, 1), png(draw))))
    for _ in range(draw.randint(1, 12)):
        data[draw.randrange(min(len(data), 700))] = draw.choice((0, 1, 0x7F, 0xFF, 0xC0, 0xD0, 0xD8, 0xDA))
    return bytes(data)


KINDS: tuple[Callable[[Draw], bytes], ...] = (
    large_header,
    behind_a_stray_marker,
    within_other_data,
    second_header,
    many_scans,
    png,
    other_header,
    spoilt,
    true_picture,
)


def hostile_pictures(count: int) -> Iterator[tuple[str, bytes]]:
    """So many, of all kinds in turn, each with the name of its kind."""
    draw = random.Random(7)
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        yield kind.__name__, kind(draw)


def memory(line: str) -> int:
    """MB of this process."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition(f"{line}:")[2].split()[0]) // 1024


def most_taken(data: bytes) -> tuple[int, str]:
    """The MB that decoding took for a moment, and what came of it."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
    before = memory("VmRSS")
    try:
        came = "x".join(map(str, decode(data).shape[1::-1]))
    except ImageError as error:
        came = str(error)
    return memory("VmHWM") - before, came


if __name__ == "__main__":
    small()  # what OpenCV takes once is not theirs
    results = [(*most_taken(data), kind, len(data)) for kind, data in hostile_pictures(int(sys.argv[1]))]
    for megabytes, came, kind, length in sorted(results, reverse=True)[:8]:
        print(f"{megabytes:5} MB  {kind}, {length} bytes: {came}")
