"""Makes a partition for everything that a box writes, so that the rest of the card is read-only.

The writable folders are bind-mounted from it: the games, the versions of the program, the configuration, and the Wi-Fi
networks joined from the page. overlayroot(8) keeps all other changes in memory.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.bootstrap.apt import SetupError, tail

LABEL: Final = "perudo-state"
MOUNT: Final = Path("/srv/perudo")
ROOT_BYTES: Final = 5 * 2**30
"""Size of the system's partition. Raspberry Pi OS Lite takes 3 GB, and its updates need room."""
LEAST_BYTES: Final = 3 * 2**29
"""Least remaining size, for the games and two versions of the program."""

FOLDERS: Final = {
    "var": "/var/lib/perudo",
    "opt": "/opt/perudo",
    "etc": "/etc/perudo",
    "network": "/etc/NetworkManager/system-connections",
    "netplan": "/etc/netplan",
}
"""Folder on the partition -> its mount point."""
OVERLAY_FILE: Final = Path("/etc/overlayroot.local.conf")


class NoRoomError(SetupError):
    """The card is too small; trying again does not help."""


_FSTAB: Final = Path("/etc/fstab")


def make_state_partition(say: Callable[[str], None]) -> None:
    """Make the partition behind the system's, unless it exists, and mount it now and at every start.

    Raises `SetupError`, in particular `NoRoomError`.
    """
    if not _said("blkid", "--label", LABEL, fails=True):
        say("making a partition for the games ...")
        _partition()
    MOUNT.mkdir(parents=True, exist_ok=True)
    if not MOUNT.is_mount():
        _said("mount", f"LABEL={LABEL}", str(MOUNT))
    lines = [f"LABEL={LABEL} {MOUNT} ext4 defaults,noatime 0 2"]
    for name, at in FOLDERS.items():
        ours, there = MOUNT / name, Path(at)
        there.mkdir(parents=True, exist_ok=True)
        if not ours.is_dir():
            new = MOUNT / f".{name}.new"
            shutil.rmtree(new, ignore_errors=True)
            shutil.copytree(there, new)
            shutil.copystat(there, new)
            new.rename(ours)
        if not there.is_mount():
            _said("mount", "--bind", str(ours), at)
        lines.append(f"{ours} {at} none bind,x-systemd.requires-mounts-for={MOUNT} 0 0")
    kept = [line for line in _FSTAB.read_text(encoding="utf-8").splitlines() if str(MOUNT) not in line]
    _write_fstab([*kept, *lines])


def _partition() -> None:
    root = _said("findmnt", "--noheadings", "--output", "SOURCE", "/").strip()
    disk = "/dev/" + _said("lsblk", "--noheadings", "--output", "PKNAME", root).strip()
    table = json.loads(_said("sfdisk", "--json", disk))["partitiontable"]
    parts = table["partitions"]
    number = next(n for n, each in enumerate(parts, 1) if each["node"] == root)
    sector = int(table.get("sectorsize", 512))
    whole = int(_said("blockdev", "--getsize64", disk))
    begin = int(parts[number - 1]["start"]) * sector
    size = max(ROOT_BYTES, int(parts[number - 1]["size"]) * sector)
    if number != len(parts) or whole - begin - size < LEAST_BYTES:
        raise NoRoomError(
            "The card has no room for a partition for the games: take one of 8 GB or more, or make it without "
            "--read-only."
        )
    _said("sfdisk", "--force", "--no-reread", "--partno", str(number), disk, given=f",{size // sector}\n")
    _said("sfdisk", "--force", "--no-reread", "--append", disk, given=f"{begin // sector + size // sector},,L\n")
    _said("partx", "--update", disk)
    _said("resize2fs", root)
    new = json.loads(_said("sfdisk", "--json", disk))["partitiontable"]["partitions"][-1]["node"]
    _said("udevadm", "settle", fails=True)
    _said("mkfs.ext4", "-q", "-F", "-L", LABEL, "-m", "0", new)
    _said("udevadm", "settle", fails=True)


def read_only_from_now_on() -> None:
    """Make the rest of the card read-only from the next start on. Raises `OSError`."""
    _write_fstab(list(map(_only_read, _FSTAB.read_text(encoding="utf-8").splitlines())))
    OVERLAY_FILE.write_text('overlayroot="tmpfs:recurse=0"\n', encoding="utf-8")


def _write_fstab(lines: list[str]) -> None:
    new = _FSTAB.with_name(".fstab.new")
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    new.replace(_FSTAB)


def _only_read(line: str) -> str:
    """The line with a read-only mount: FAT does not survive a power cut during a write."""
    fields = line.split()
    if len(fields) > 3 and fields[1] == "/boot/firmware" and "ro" not in fields[3].split(","):
        fields[3] += ",ro"
        return " ".join(fields)
    return line


def _said(*command: str, given: str | None = None, fails: bool = False) -> str:
    """The output of a command. Raises `SetupError` if it fails, unless it may."""
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if done.returncode and not fails:
        raise SetupError(f"{' '.join(command)} failed. It said:\n{tail(done.stderr or done.stdout)}")
    return done.stdout
