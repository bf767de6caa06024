"""libcamera's `virtual` pipeline as a camera for picamera2. For tests only.

    python tests/pi/vcam.py ROOT     writes the pipeline's configuration, and pictures of tables for it to show

The pipeline has no device and no driver: it shows picture files, as NV12, in up to three streams (libcamera,
src/libcamera/pipeline/virtual/README.md). picamera2 is written for a Raspberry Pi. `install` stands in for what is
missing between the two, and for nothing else:

- pykms, which picamera2 imports for a preview on a display: a module without anything in it;
- buffers come from /dev/dma_heap: here from memory files, and an NV12 buffer has its two planes named;
- the modes of a sensor are asked for by a raw stream, which this pipeline does not have: here one mode is told.

A fourth thing cannot be mended from Python: the pipeline (of libcamera 0.4) never sets the status of its frames, and
picamera2 drops what is no success. tests/pi/camera.sh has the C library hand out empty memory, in which it is one.

All else is what runs on a Pi: picamera2's configuration, its requests, jobs and event loop, libcamera's streams.
"""

from __future__ import annotations

import mmap
import os
import sys
import types
from pathlib import Path
from typing import Any, Final

SIZE: Final = (1280, 960)
SMALL: Final = (640, 480)

TABLES: Final = (
    (("red", (1, 2, 3, 4, 5)), ("blue", (6, 6, 1))),
    (("red", (2, 2)), ("blue", (5, 3, 4, 1))),
    (("red", (6,)), ("blue", (2, 4, 4, 3, 5))),
)
"""What lies on each picture, in turn: colour and faces."""


def install() -> None:
    """Have picamera2 run on this pipeline. To be called before anything imports picamera2."""
    sys.modules.setdefault("pykms", _Anything("pykms"))
    import libcamera
    from picamera2 import picamera2 as module
    from picamera2.allocators.allocator import Allocator, Sync

    class Memory(Sync):  # type: ignore[misc]
        """A buffer that is plain memory needs no waiting for caches."""

        def __init__(self, allocator: Any, buffer: Any, write: bool) -> None:
            self.memory = allocator.memory[buffer]

        def __enter__(self) -> mmap.mmap:
            return self.memory  # type: ignore[no-any-return]

        def __exit__(self, *error: object) -> None:
            pass

    class MemoryFiles(Allocator):  # type: ignore[misc]
        """Buffers in memory files, as long as their camera is configured."""

        def __init__(self) -> None:
            super().__init__()
            self.sync = Memory
            self.memory: dict[Any, mmap.mmap] = {}
            self.made: dict[Any, list[Any]] = {}

        def allocate(self, configuration: Any, use: Any) -> None:
            self.memory, self.made = {}, {}
            for stream in configuration:
                self.made[stream.stream] = [self.buffer(stream) for _ in range(stream.buffer_count)]

        def buffer(self, stream: Any) -> Any:
            file = os.memfd_create("frame")
            try:
                os.ftruncate(file, stream.frame_size)
                bright = stream.stride * stream.size.height
                ends = (bright, stream.frame_size) if str(stream.pixel_format) == "NV12" else (stream.frame_size,)
                planes, start = [], 0
                for end in ends:
                    plane = libcamera.FrameBuffer.Plane()
                    plane.fd, plane.offset, plane.length = file, start, end - start
                    planes.append(plane)
                    start = end
                buffer = libcamera.FrameBuffer(planes)  # has a handle of its own on the file
                self.memory[buffer] = mmap.mmap(file, stream.frame_size)
            finally:
                os.close(file)
            return buffer

        def buffers(self, stream: Any) -> list[Any]:
            return self.made[stream]

        def acquire(self, buffers: Any) -> None:
            pass

        def release(self, buffers: Any) -> None:
            pass

    module.DmaAllocator = MemoryFiles
    module.Picamera2._get_raw_modes = lambda _: [{"format": "NV12", "size": SIZE}]


class _Anything(types.ModuleType):
    """A module that has every name, and nothing in any."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__getattr__": lambda _, inner: inner})()


def write(root: Path) -> None:
    """The pipeline's configuration, and the pictures in /frames, as seen from `root`."""
    import cv2
    import numpy as np

    from vision.drawn.table_scene import SceneDie, TableScene, render_table

    frames = root / "frames"
    frames.mkdir(exist_ok=True)
    rng = np.random.default_rng(1)
    for number, table in enumerate(TABLES):
        dice = tuple(
            SceneDie(x=-90.0 + 45.0 * n, y=-40.0 + 80.0 * row, angle=0.3 * n, face=face, colour=colour)
            for row, (colour, faces) in enumerate(table)
            for n, face in enumerate(faces)
        )
        image = render_table(TableScene(dice, seed=number), SIZE)
        noisy = np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)
        cv2.imwrite(str(frames / f"{number}.jpg"), noisy, [cv2.IMWRITE_JPEG_QUALITY, 95])
    folder = root / "usr/share/libcamera/pipeline/virtual"
    folder.mkdir(parents=True, exist_ok=True)
    sizes = "".join(f"    - {{width: {w}, height: {h}, frame_rates: [30, 60]}}\n" for w, h in (SIZE, SMALL))
    (folder / "virtual.yaml").write_text(
        f'"Virtual0":\n  supported_formats:\n{sizes}  frames: {{path: "/frames/"}}\n  model: "table"\n'
    )


if __name__ == "__main__":
    write(Path(sys.argv[1]))
