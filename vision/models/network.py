"""One network, run by ncnn.

ncnn was chosen by measurement (`docs/why/decisions/06-ncnn.md`). Only this module imports it.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Final

import cv2
import ncnn
import numpy as np

from calibration.image import Floats, Image

_INPUT: Final = "in0"
_OUTPUT: Final = "out0"
"""The names of the input and output that ncnn's converter gives."""


_POOLS: Final = ncnn.PoolAllocator(), ncnn.PoolAllocator()
"""Memory pools for weights and for work, shared by all networks: pools of its own cost each network some 40 MB."""
_LIBC: Final = ctypes.CDLL(None) if sys.platform == "linux" else None
THREADS: Final = max(1, (os.cpu_count() or 1) // 2)
"""Half the cores; the others serve the phones. Threads that wait for each other are slower than one."""
_ARENA_MAX: Final = -8
"""`M_ARENA_MAX` of glibc's malloc.h."""


def free_memory() -> None:
    """Free the memory that the networks keep for their next run."""
    for pool in _POOLS:
        pool.clear()


def limit_resources() -> None:
    """Limit OpenCV to `THREADS`, and threads that start later to two glibc arenas: each arena keeps what reading
    frees."""
    cv2.setNumThreads(THREADS)
    if mallopt := getattr(_LIBC, "mallopt", None):
        mallopt(_ARENA_MAX, 2)


def trim_memory() -> None:
    """Return freed memory to the system: glibc keeps up to twice what the program holds."""
    if trim := getattr(_LIBC, "malloc_trim", None):
        trim(0)


class ModelError(RuntimeError):
    """The weights could not be read. The message says what to do about it."""


class Network:
    """A network from `FILE.param` and `FILE.bin`. Not thread-safe."""

    def __init__(self, file: Path) -> None:
        """Load the network. Raises `ModelError`."""
        self._net = ncnn.Net()
        self._net.opt.num_threads = THREADS
        # Half precision, which few processors have, would give other readings there than elsewhere.
        self._net.opt.use_fp16_arithmetic = False
        self._net.opt.use_fp16_storage = False
        self._net.opt.use_fp16_packed = False
        self._net.opt.blob_allocator, self._net.opt.workspace_allocator = _POOLS
        for suffix, load in ((".param", self._net.load_param), (".bin", self._net.load_model)):
            path = file.with_suffix(suffix)
            if not path.is_file():
                raise ModelError(f"{path.name} is missing from vision/models: install the program again.")
            if load(str(path)) != 0:
                raise ModelError(f"{path.name} in vision/models is damaged: install the program again.")

    def run(self, image: Image) -> Floats:
        """Run the network on a picture, height x width x 3, BGR, and return its output."""
        blob = cv2.dnn.blobFromImage(image, 1 / 255)[0]
        extractor = self._net.create_extractor()
        extractor.input(_INPUT, ncnn.Mat(blob))
        _, out = extractor.extract(_OUTPUT)
        return np.array(out, dtype=np.float32)
