"""Writes to a card's boot partition: a folder, or the partition inside an image of a card.

mtools(1) writes to the FAT partition inside an image without root.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final, Protocol

from companion.card.first_start import CARD_FILE

SECTOR: Final = 512


class CardError(ValueError):
    """The card's files cannot be written there. The message says what to do about it."""


class BootPartition(Protocol):
    """The place of the firmware's files, where ours go too."""

    def read(self, name: str) -> str | None:
        """The text of a file in the top folder; None if there is none."""

    def write(self, folder: Path) -> None:
        """Copy everything in `folder` to the top folder, replacing files of the same names. Raises `CardError`."""


class BootFolder:
    """A folder: a mounted boot partition, or one whose content is copied there later."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, name: str) -> str | None:
        path = self.folder / name
        return path.read_text(encoding="utf-8") if path.is_file() else None

    def write(self, folder: Path) -> None:
        for each in filter(Path.is_dir, folder.iterdir()):
            there = self.folder / each.name
            if there.exists() and any(there.iterdir()) and not (there / CARD_FILE).exists():
                raise CardError(
                    f"{there} is there already, and was not written by perudo card: nothing was changed. Name another "
                    "folder, or move it away."
                )
        try:
            for each in folder.iterdir():
                if each.is_dir():
                    shutil.rmtree(self.folder / each.name, ignore_errors=True)
                    shutil.copytree(each, self.folder / each.name, copy_function=_copy_private)
                else:
                    self.folder.mkdir(parents=True, exist_ok=True)
                    _copy_private(each, self.folder / each.name)
        except (OSError, shutil.Error) as error:
            raise CardError(f"{self.folder} cannot be written: {error}.") from error


def _copy_private(source: Path | str, target: Path | str) -> None:
    """Copy a file so that only its owner may read it: the Wi-Fi key and the table's code are among the files."""
    Path(target).unlink(missing_ok=True)
    made = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with Path(source).open("rb") as old, os.fdopen(made, "wb") as new:
        shutil.copyfileobj(old, new)


class BootImage:
    """The first partition of a card's image."""

    def __init__(self, image: Path) -> None:
        """Raises `CardError` if the file is not such an image."""
        self.image = image
        self.start = partitions(image)[0]
        self._run("mdir", "-i", self._at, "::")

    def read(self, name: str) -> str | None:
        done = subprocess.run(["mtype", "-i", self._at, f"::{name}"], capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else None

    def write(self, folder: Path) -> None:
        for each in sorted(folder.iterdir()):
            if each.is_dir():
                subprocess.run(["mdeltree", "-i", self._at, f"::{each.name}"], capture_output=True, check=False)
            self._run("mcopy", "-o", "-s", "-Q", "-i", self._at, str(each), "::")

    @property
    def _at(self) -> str:
        return f"{self.image}@@{self.start}"

    def _run(self, *command: str) -> None:
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        except FileNotFoundError as error:
            raise CardError(f"{command[0]} is needed for an image: sudo apt install mtools") from error
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise CardError(
                f"{self.image} cannot be used ({said[-1] if said else command[0]}). Is it an unpacked image of "
                "Raspberry Pi OS, and has its boot partition 100 MB of room?"
            )


def partitions(image: Path) -> list[int]:
    """Offset of each partition of `image` in bytes. Raises `CardError`."""
    try:
        done = subprocess.run(
            ["sfdisk", "--json", str(image)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise CardError("sfdisk is needed for an image: sudo apt install fdisk") from error
    if done.returncode:
        raise CardError(f"{image} is no image of a card. If its name ends in .xz, unpack it first: xz -dk {image}")
    return [each["start"] * SECTOR for each in json.loads(done.stdout)["partitiontable"]["partitions"]]


def boot_partition(out: Path) -> BootPartition:
    """The boot partition at `out`: a folder, which may be new, or an image. Raises `CardError`."""
    return BootImage(out) if out.is_file() else BootFolder(out)
