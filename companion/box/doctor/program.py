"""The program: its packages, the libraries it needs, its networks."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.box.doctor import Diagnosis, absent, bad, good
from companion.messages.message import Message

LIBRARIES: Final = {"numpy": "numpy", "cv2": "opencv-python", "ncnn": "ncnn", "flask": "flask",
                    "tornado": "tornado", "gpiozero": "gpiozero", "picamera2": "picamera2"}  # fmt: skip
"""Import name -> distribution."""

IMPORT_TOGETHER: Final = "import numpy, cv2; from picamera2 import Picamera2"

IMPORT_TIMEOUT: Final = 60
"""Seconds."""


def package(name: str, home: Path) -> Diagnosis:
    """Check that Python finds our package in `home`: others also use the names `web` and `hardware`."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.origin:
        return bad(name, "The package is missing. Install the program again.")
    folder = Path(spec.origin).resolve().parent
    if folder.parent != home:
        return bad(
            name,
            f"Python finds another package of this name, {folder}. Use the program's own virtual environment, "
            "without PYTHONPATH.",
        )
    return good(name, str(folder))


def missing_library(error: ImportError) -> str | None:
    """What to install for a system library that a wheel needs; None if the import failed for another reason."""
    missing, _, fault = str(error).partition(": ")
    if not fault.startswith("cannot open shared object file"):
        return None
    return (
        f"{missing} is missing, which OpenCV needs: install libgl1 and libglib2.0-0 (Debian, Ubuntu), or mesa-libGL "
        "and glib2 (Fedora)."
    )


def library(name: str, distribution: str) -> Diagnosis:
    """Check that a library can be imported."""
    try:
        module = importlib.import_module(name)
    except Exception as error:  # noqa: BLE001 - a library can break in any way; the doctor reports how
        if not (isinstance(error, ModuleNotFoundError) and error.name == name):
            if isinstance(error, ImportError) and (sentence := missing_library(error)):
                return bad(name, f"It is installed, but does not import: {sentence}")
            reason = str(error) or type(error).__name__
            return bad(name, f"It is installed, but does not import: {reason}. Install the program again.")
        if name == "picamera2":  # which pip does not have
            return absent(
                name,
                "Only a Raspberry Pi camera needs it: `sudo apt install python3-picamera2`, then the set-up again.",
            )
        return bad(name, "It is not installed. Install the program again.")
    if name == "picamera2":
        from hardware.camera.picamera import too_old

        if (message := too_old(module.Picamera2)) is not None:
            return bad(name, str(message))
    try:
        return good(name, importlib.metadata.version(distribution))
    except importlib.metadata.PackageNotFoundError:
        return good(name, str(getattr(module, "__version__", "version unknown")))


def together() -> Iterator[Diagnosis]:
    """Check that numpy, cv2 and picamera2 can be imported together. Yields nothing without picamera2.

    pip's numpy may conflict with apt's picamera2: github.com/raspberrypi/picamera2.
    """
    try:
        if importlib.util.find_spec("picamera2") is None:
            return
    except (ImportError, ValueError):
        return
    # In a separate process, because a crash here can take the interpreter down.
    try:
        done = subprocess.run(
            [sys.executable, "-c", IMPORT_TOGETHER],
            capture_output=True,
            text=True,
            check=False,
            timeout=IMPORT_TIMEOUT,
        )
        trouble = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        works = done.returncode == 0
    except subprocess.TimeoutExpired:
        trouble, works = f"nothing came of it within {IMPORT_TIMEOUT} seconds", False
    if works:
        yield good("together", "numpy, cv2 and picamera2 import in one process")
        return
    yield bad(
        "together",
        f"numpy, cv2 and picamera2 do not import in one process: {trouble}. The virtual environment has another numpy "
        "than apt's: remove .venv and set up again, `python3 -m companion.bootstrap setup`, which holds to apt's.",
    )


def networks() -> Iterator[Diagnosis]:
    """Check the model files against their hashes."""
    from vision.models.integrity import model_faults

    faults = model_faults()
    for name, fault in faults.items():
        yield bad(
            "model",
            Message(
                "A file for reading dice is damaged ({file}). The memory card may be worn out: install the program "
                "again, perhaps on a new one.",
                file=name,
            ),
            f"vision/models/{name} {fault}; `git -C FOLDER checkout vision/models`.",
        )
    if not faults:
        yield good("model", Message("The files for reading dice are intact."))


def reader() -> Diagnosis:
    """Check that the reader can read an empty frame."""
    try:
        import numpy as np

        from vision.reader import Reader

        ms = Reader.load().read(np.zeros((96, 128, 3), np.uint8)).ms
    except Exception as error:  # noqa: BLE001 - whatever the cause, dice cannot be read
        return bad("reader", f"The dice cannot be read: {str(error).rstrip('.')}.")
    return good("reader", f"reads an empty frame in {ms:.0f} ms")
