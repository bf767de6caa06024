"""Uncompressed EXR files, as Blender writes them."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt


def read_exr(path: Path) -> dict[str, npt.NDArray[np.float32]]:
    """Each channel of the file, height x width."""
    data = path.read_bytes()
    i = 8
    channels: list[tuple[str, int]] = []
    width = height = 0

    def text(i: int) -> tuple[str, int]:
        j = data.index(b"\0", i)
        return data[i:j].decode(), j + 1

    while True:
        name, i = text(i)
        if not name:
            break
        _, i = text(i)
        size = struct.unpack_from("<i", data, i)[0]
        i += 4
        value = data[i : i + size]
        i += size
        if name == "channels":
            j = 0
            while value[j]:
                e = value.index(b"\0", j)
                channels.append((value[j:e].decode(), struct.unpack_from("<i", value, e + 1)[0]))
                j = e + 17
        elif name == "dataWindow":
            x0, y0, x1, y1 = struct.unpack("<4i", value)
            width, height = x1 - x0 + 1, y1 - y0 + 1
        elif name == "compression" and value[0]:
            raise ValueError(f"{path} is compressed")
    offsets = np.frombuffer(data, "<u8", height, i)
    row = np.dtype([(c, {1: "<f2", 2: "<f4", 0: "<u4"}[t], width) for c, t in channels])
    out = {c: np.empty((height, width), np.float32) for c, _ in channels}
    for y, o in enumerate(offsets):
        line = np.frombuffer(data, row, 1, int(o) + 8)[0]
        for c, _ in channels:
            out[c][y] = line[c]
    return out
