"""The USB stick that is plugged in, for root: mounted for as long as one file is copied. Needs Python alone.

The stick is mounted without its programs and devices, and a backup has its name on it only once it is there to the last
byte. The files of the service are opened with its rights, so that it learns and changes nothing that it may not.

Mounting with `sync` would write a FAT's table after every cluster, which takes minutes and wears the stick out: the
file is synced instead, and unmounting waits for the rest.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, NotRequired, TypedDict

from companion.state_folder import Owner, rights_of

STICK_PLACE: Final = Path("/run/perudo-stick")
"""Where it is mounted."""
STICK_SYSTEMS: Final = ("vfat", "exfat", "ext4")
STICK_PROBLEMS: Final = {
    "no-stick": "No USB stick is plugged in.",
    "no-room": "There is too little room on the USB stick.",
    "read-only": "The USB stick cannot be written.",
    "no-backup": "This backup is not on the USB stick.",
    "failed": "The USB stick cannot be used.",
}
"""The words of what may be wrong."""
MOST_LISTED: Final = 20

_OPTIONS: Final = "nosuid,nodev,noexec"
_COLUMNS: Final = "PATH,TYPE,FSTYPE,TRAN,RM,RO,MOUNTPOINTS"
_BACKUP_NAME: Final = re.compile(r"perudo[A-Za-z0-9-]{0,80}\.zip")
_BY_DESKTOP: Final = re.compile(r"(/run)?/media/[^/]+/.+")
"""Where a desktop mounts what is plugged in; /media/root-ro is the card itself."""
_PIECE: Final = 1 << 20
_COMMAND_PATIENCE: Final = 60.0
"""Seconds for a command; unmounting waits for what is still to be written."""
_UNMOUNT_PATIENCE: Final = 900.0

Run = Callable[[Sequence[str]], str]
"""Runs a command and gives what it printed. Raises `OSError` and `subprocess.SubprocessError`."""


class StickProblem(RuntimeError):
    """The stick cannot be used. `code` is one of `STICK_PROBLEMS`."""

    def __init__(self, code: str) -> None:
        super().__init__(STICK_PROBLEMS[code])
        self.code = code


class BlockDevice(TypedDict):
    """A disk, or a part of one, as lsblk tells of it."""

    path: str
    type: str
    fstype: str | None
    tran: str | None
    rm: bool | str
    ro: bool | str
    mountpoints: list[str | None]
    children: NotRequired[list[BlockDevice]]


class Stick(NamedTuple):
    """A file system on a stick."""

    device: str
    system: str
    read_only: bool


def run_command(command: Sequence[str]) -> str:
    """Run a command. Raises `OSError` and `subprocess.SubprocessError`."""
    patience = _UNMOUNT_PATIENCE if command[0] == "umount" else _COMMAND_PATIENCE
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=patience)
    return done.stdout


def look_at_stick(run: Run = run_command, place: Path = STICK_PLACE) -> list[dict[str, object]]:
    """The backups on the stick, the newest first: name and bytes of each. Raises `StickProblem`."""
    with _mounted(run, place, "ro"):
        found = []
        for entry in os.scandir(place):
            if _BACKUP_NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                its = entry.stat(follow_symlinks=False)
                found.append((its.st_mtime, entry.name, its.st_size))
    return [{"name": name, "bytes": size} for _, name, size in sorted(found, reverse=True)[:MOST_LISTED]]


def save_on_stick(file: Path, name: str, owner: Owner, run: Run = run_command, place: Path = STICK_PLACE) -> None:
    """Write `file`, which is `owner`'s, to the stick as `name`, completely or not at all. Raises `StickProblem`."""
    _check_name(name)
    with os.fdopen(_owned(file, owner), "rb") as source, _mounted(run, place, "rw"):
        size = os.fstat(source.fileno()).st_size
        disk = os.statvfs(place)
        if disk.f_bavail * disk.f_frsize < size + _PIECE:
            raise StickProblem("no-room")
        draft = place / f"{name}.part"
        try:
            draft.unlink(missing_ok=True)
            with draft.open("xb") as copy:
                shutil.copyfileobj(source, copy, _PIECE)
                copy.flush()
                os.fsync(copy.fileno())
            draft.replace(place / name)
            _sync(place)
        finally:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)


def take_from_stick(name: str, file: Path, owner: Owner, run: Run = run_command, place: Path = STICK_PLACE) -> None:
    """Copy the backup `name` from the stick to `file`, which is made, and `owner`'s. Raises `StickProblem`."""
    _check_name(name)
    with _mounted(run, place, "ro"):
        try:
            handle = os.open(place / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise StickProblem("no-backup") from error
        with os.fdopen(handle, "rb") as source:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise StickProblem("no-backup")
            with rights_of(owner):
                file.unlink(missing_ok=True)
                new = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            try:
                with os.fdopen(new, "wb") as copy:
                    shutil.copyfileobj(source, copy, _PIECE)
            except BaseException:
                with rights_of(owner), contextlib.suppress(OSError):
                    file.unlink()
                raise


def find_stick(run: Run = run_command) -> Stick:
    """The first file system on something plugged in that is no part of the system. Raises `StickProblem`."""
    listed = json.loads(run(["lsblk", "--json", "--output", _COLUMNS]))
    unusable = False
    for disk in listed["blockdevices"]:
        parts = [disk, *_below(disk)]
        if disk["type"] != "disk" or not _pluggable(disk) or any(map(_in_use, parts)):
            continue
        for part in parts:
            if part["fstype"] in STICK_SYSTEMS:
                return Stick(part["path"], part["fstype"], _true(part["ro"]))
        unusable = True
    raise StickProblem("failed" if unusable else "no-stick")


def _pluggable(disk: BlockDevice) -> bool:
    return disk["tran"] == "usb" or _true(disk["rm"])


def _true(value: object) -> bool:
    """Older versions of lsblk write "1"."""
    return value in (True, "1")


def _below(part: BlockDevice) -> Iterator[BlockDevice]:
    for child in part.get("children", ()):
        yield child
        yield from _below(child)


def _in_use(part: BlockDevice) -> bool:
    """Whether the system itself, which may have been started from USB, or somebody else has mounted it."""
    points = (point for point in part["mountpoints"] if point)
    return any(not _BY_DESKTOP.fullmatch(point) for point in points)


@contextlib.contextmanager
def _mounted(run: Run, place: Path, mode: str) -> Iterator[None]:
    try:
        stick = find_stick(run)
        if mode == "rw" and stick.read_only:
            raise StickProblem("read-only")
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if place.is_mount():  # a killed program left it
            run(["umount", str(place)])
        run(["mount", "-t", stick.system, "-o", f"{mode},{_OPTIONS}", stick.device, str(place)])
    except (OSError, subprocess.SubprocessError, ValueError, LookupError) as error:
        raise StickProblem("failed") from error
    try:
        yield
    except OSError as error:
        full, shut = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT), (errno.EROFS, errno.EACCES, errno.EPERM)
        word = "no-room" if error.errno in full else "read-only" if error.errno in shut else "failed"
        raise StickProblem(word) from error
    finally:
        _unmount(run, place)


def _unmount(run: Run, place: Path) -> None:
    """Unmount, which waits until everything is written. Raises `StickProblem`: then it may not be."""
    try:
        run(["umount", str(place)])
    except (OSError, subprocess.SubprocessError) as error:
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            run(["umount", "--lazy", str(place)])
        raise StickProblem("failed") from error
    with contextlib.suppress(OSError):
        place.rmdir()


def _check_name(name: str) -> None:
    if not _BACKUP_NAME.fullmatch(name):
        raise StickProblem("no-backup")


def _owned(file: Path, owner: Owner) -> int:
    """Open a file for reading if it is `owner`'s. Raises `StickProblem`."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise StickProblem("no-backup") from error
    its = os.fstat(handle)
    if not stat.S_ISREG(its.st_mode) or its.st_uid != owner.user:
        os.close(handle)
        raise StickProblem("no-backup")
    return handle


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with contextlib.suppress(OSError):  # not every file system can
            os.fsync(handle)
    finally:
        os.close(handle)
