"""The networks' files, and the engine that runs them."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import cv2
import numpy as np
import pytest

from vision.models.integrity import MODELS_FOLDER
from vision.models.network import ModelError, Network, limit_resources


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("detector", (256, 320)),
        ("classifier", (64, 64)),
        ("second/detector", (320, 256)),
        ("second/classifier", (96, 96)),
        ("verifier", (72, 72)),
    ],
)
def test_the_engine_gives_the_answers_of_the_published_onnx_file(name: str, size: tuple[int, int]) -> None:
    image = np.random.default_rng(3).integers(0, 256, (*size, 3), dtype=np.uint8)
    onnx = cv2.dnn.readNetFromONNX(str(MODELS_FOLDER / f"{name}.onnx"))
    onnx.setInput(cv2.dnn.blobFromImage(image, 1 / 255))
    assert Network(MODELS_FOLDER / name).run(image) == pytest.approx(np.asarray(onnx.forward())[0], abs=0.01)


@pytest.mark.parametrize("suffix", [".param", ".bin"])
def test_a_damaged_or_missing_file_says_to_install_again(tmp_path: Path, suffix: str) -> None:
    for each in (".param", ".bin"):
        shutil.copy(MODELS_FOLDER / f"verifier{each}", tmp_path)
    file = tmp_path / f"verifier{suffix}"
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(ModelError, match=rf"^verifier\{suffix} in vision/models is damaged"):
        Network(tmp_path / "verifier")
    file.unlink()
    with pytest.raises(ModelError, match=rf"^verifier\{suffix} is missing .*: install the program again\.$"):
        Network(tmp_path / "verifier")


def printed_by(program: str) -> list[str]:
    """What `program` prints, in a process of its own with glibc's allocator."""
    if "glibc" not in platform.libc_ver():
        pytest.skip("glibc alone keeps what is freed")
    done = subprocess.run([sys.executable, "-c", dedent(program)], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_memory_that_was_freed_goes_back_to_the_system() -> None:
    before, after = printed_by("""
        from pathlib import Path
        import numpy as np
        from vision.models.network import trim_memory
        blocks = [np.ones(8_000) for _ in range(2_000)]
        last = blocks[-1]
        del blocks
        for step in (lambda: None, trim_memory):
            step()
            print(Path("/proc/self/statm").read_text().split()[1])
    """)
    assert int(before) - int(after) > 20_000, "of some 31,000 pages of 4 KB"


def test_opencv_leaves_half_of_the_cores_to_the_page() -> None:
    threads = cv2.getNumThreads()
    try:
        limit_resources()
        assert cv2.getNumThreads() == max(1, (os.cpu_count() or 1) // 2)
    finally:
        cv2.setNumThreads(threads)


def test_threads_share_what_they_keep() -> None:
    printed = printed_by("""
        import ctypes
        import threading
        from vision.models.network import limit_resources
        limit_resources()
        together = threading.Barrier(6)
        def work():
            ctypes.CDLL(None).malloc(100)
            together.wait()
        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        libc = ctypes.CDLL(None)
        libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
        libc.fflush(None)
    """)
    assert 1 <= sum("<heap nr=" in line for line in printed) <= 2
