"""`perudo doctor`: are all the parts there, are they ours, do they fit together?"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import click

from companion.cli.places import state_folder

PACKAGES: Final = ("companion", "vision", "hardware", "web", "calibration")
"""Ours. Some of these are names of other people's packages too."""

OLDEST: Final = (3, 11)


class Finding(StrEnum):
    """What became of a check."""

    GOOD = "ok"
    ABSENT = "--"
    """Not there; the program runs without it."""
    BAD = "BAD"
    """The program cannot work like this."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's report."""

    part: str
    finding: Finding
    sentence: str
    """What was found, and what to do about it."""


@click.command()
def doctor() -> None:
    """See whether all the parts are there and fit together. Exit status 1: something must be mended."""
    bad = False
    for examine in (python, packages, libraries, networks, folder, camera, pins):
        for check in examine():
            bad = bad or check.finding is Finding.BAD
            click.echo(f"{check.finding.value:>3}  {check.part:<10} {check.sentence}")
    sys.exit(1 if bad else 0)


def python() -> Iterator[Check]:
    """The interpreter and the machine."""
    found = f"{platform.python_version()} on {platform.machine()}, {sys.executable}"
    if sys.version_info < OLDEST:
        yield Check("Python", Finding.BAD, f"{found}: it must be {OLDEST[0]}.{OLDEST[1]} or newer.")
    else:
        yield Check("Python", Finding.GOOD, found)


def packages() -> Iterator[Check]:
    """Whether the packages that are imported are ours: `web` and `hardware` are names others use too."""
    home = Path(__file__).resolve().parent.parent.parent
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        origin = Path(spec.origin).resolve() if spec is not None and spec.origin else None
        if origin is None:
            yield Check(name, Finding.BAD, "The package is missing. Install the program again.")
        elif origin.parent.parent != home:
            yield Check(
                name,
                Finding.BAD,
                f"Python finds another package of this name, {origin.parent}. "
                "Use the program's own virtual environment, without PYTHONPATH.",
            )
        else:
            yield Check(name, Finding.GOOD, str(origin.parent))


def libraries() -> Iterator[Check]:
    """The libraries that break most often: numpy and OpenCV, and picamera2 beside them."""
    for name in ("numpy", "cv2", "flask", "waitress", "gpiozero"):
        yield _import(name, Finding.BAD, "Install the program again.")
    # A numpy from pip beside a picamera2 from apt is a known way for the import itself to fail.
    yield _import(
        "picamera2", Finding.ABSENT, "Only a Raspberry Pi camera needs it: `sudo apt install python3-picamera2`."
    )


def _import(name: str, otherwise: Finding, todo: str) -> Check:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return Check(name, otherwise, f"It is not installed. {todo}")
        return Check(name, Finding.BAD, f"It does not import: {error}. {todo}")
    except Exception as error:  # noqa: BLE001 - a library can break in any way; the doctor says how
        return Check(name, Finding.BAD, f"It is installed, but does not import: {error}. {todo}")
    try:
        return Check(name, Finding.GOOD, importlib.metadata.version(_DISTRIBUTIONS.get(name, name)))
    except importlib.metadata.PackageNotFoundError:
        return Check(name, Finding.GOOD, str(getattr(module, "__version__", "version unknown")))


_DISTRIBUTIONS: Final = {"cv2": "opencv-python"}


def networks() -> Iterator[Check]:
    """The reader's networks: there, whole, and they run."""
    try:
        import numpy as np

        from vision.reader import Reader

        reading = Reader.load().read(np.zeros((96, 128, 3), np.uint8))
    except Exception as error:  # noqa: BLE001 - whatever it is, the dice cannot be read
        yield Check("reader", Finding.BAD, f"The dice cannot be read: {error}.")
    else:
        yield Check("reader", Finding.GOOD, f"The networks are there and read an empty frame in {reading.ms:.0f} ms.")


def folder() -> Iterator[Check]:
    """Whether the state folder can be written."""
    path = state_folder()
    nearest = next(parent for parent in (path, *path.parents) if parent.exists())
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        yield Check("state", Finding.BAD, f"{path} cannot be written ({error.strerror}). Name another with --state.")
        return
    free = os.statvfs(nearest)
    yield Check("state", Finding.GOOD, f"{path}, {free.f_bavail * free.f_frsize / 2**30:.1f} GiB free")


def camera() -> Iterator[Check]:
    """Whether a camera answers."""
    from hardware.camera import CameraError
    from hardware.choose import open_camera

    for name in ("pi", "webcam"):
        try:
            opened = open_camera(name)
        except CameraError as error:
            yield Check(name, Finding.ABSENT, str(error))
            continue
        try:
            height, width = opened.frame().image.shape[:2]
            yield Check(name, Finding.GOOD, f"{opened.name}, {width} x {height}")
        except CameraError as error:
            yield Check(name, Finding.BAD, str(error))
        finally:
            opened.close()


def pins() -> Iterator[Check]:
    """Whether there are GPIO pins for the panel."""
    from hardware.panel import Panel, PanelError

    try:
        panel = Panel()
    except PanelError as error:
        yield Check("panel", Finding.ABSENT, str(error))
        return
    panel.close()
    yield Check("panel", Finding.GOOD, "The panel's pins answer.")
