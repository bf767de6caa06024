"""The USB stick: which of what is plugged in it is; copying there and back, if possible on a real file system."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.box.stick import Owner, Stick, StickProblem, find_stick, look_at_stick, save_on_stick, take_from_stick

NAME = "perudo-attic-2026-05-03.zip"
MINE = Owner(os.geteuid(), os.getegid())


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def part(path: str, fstype: str | None = None, *points: str, **more: Any) -> dict[str, Any]:
    """A line of lsblk."""
    return {
        "path": path, "type": "part", "fstype": fstype, "tran": None, "rm": False, "ro": False,
        "mountpoints": list(points) or [None], **more,
    }  # fmt: skip


def disk(path: str, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    return part(path, **{"type": "disk", "children": list(children), **more})


CARD = disk("/dev/mmcblk0", part("/dev/mmcblk0p1", "vfat", "/boot/firmware"), part("/dev/mmcblk0p2", "ext4", "/"))
STICK = disk("/dev/sda", part("/dev/sda1", "vfat"), tran="usb", rm=True)


def listed(*disks: dict[str, Any]) -> Callable[[Sequence[str]], str]:
    return lambda _: json.dumps({"blockdevices": disks})


@pytest.mark.parametrize(
    ("disks", "found"),
    [
        ([CARD, STICK], Stick("/dev/sda1", "vfat", read_only=False)),
        ([disk("/dev/sda", fstype="exfat", tran="usb"), CARD], Stick("/dev/sda", "exfat", read_only=False)),
        ([disk("/dev/sda", part("/dev/sda1", "ntfs"), part("/dev/sda2", "ext4"), rm="1", ro="0")],
         Stick("/dev/sda2", "ext4", read_only=False)),
        ([disk("/dev/sda", part("/dev/sda1", "vfat", ro=True), tran="usb")],
         Stick("/dev/sda1", "vfat", read_only=True)),
        ([disk("/dev/sda", part("/dev/sda1", "vfat", "/media/pi/STICK"), tran="usb")],
         Stick("/dev/sda1", "vfat", read_only=False)),
    ],
)  # fmt: skip
def test_the_stick_is_found(disks: list[dict[str, Any]], found: Stick) -> None:
    assert find_stick(listed(*disks)) == found


@pytest.mark.parametrize(
    ("disks", "problem"),
    [
        ([CARD], "no-stick"),
        ([disk("/dev/nvme0n1", part("/dev/nvme0n1p3", "ext4"), tran="nvme")], "no-stick"),
        ([disk("/dev/sda", part("/dev/sda1", "vfat", "/boot/firmware"), part("/dev/sda2", "ext4", "/"),
               part("/dev/sda3", "ext4"), tran="usb")], "no-stick"),
        ([disk("/dev/sda", part("/dev/sda1", "vfat"), part("/dev/sda2", "ext4", "/media/root-ro"), tran="usb")],
         "no-stick"),
        ([disk("/dev/sda", part("/dev/sda1", "vfat", "[SWAP]"), tran="usb")], "no-stick"),
        ([disk("/dev/sda", part("/dev/sda1", "ntfs"), tran="usb")], "failed"),
        ([disk("/dev/sda", tran="usb")], "failed"),
        ([part("/dev/loop0", "vfat", type="loop", rm=True)], "no-stick"),
    ],
)  # fmt: skip
def test_what_the_system_runs_from_is_no_stick(disks: list[dict[str, Any]], problem: str) -> None:
    with pytest.raises(StickProblem) as refused:
        find_stick(listed(*disks))
    assert refused.value.code == problem


def test_what_cannot_be_mounted_is_told(tmp_path: Path) -> None:
    def run(command: Sequence[str]) -> str:
        if command[0] == "mount":
            raise subprocess.CalledProcessError(32, command)
        return listed(STICK)(command)

    with pytest.raises(StickProblem) as refused:
        look_at_stick(run, tmp_path / "place")
    assert refused.value.code == "failed"


class FakeStick:
    """mount and umount of a stick that is a folder. Notes the commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.commands: list[tuple[str, ...]] = []

    def __call__(self, command: Sequence[str]) -> str:
        self.commands.append(tuple(command))
        place = Path(command[-1])
        if command[0] == "mount":
            place.rmdir()
            place.symlink_to(self.folder)
        elif command[0] == "umount":
            place.unlink()
        return listed(CARD, STICK)(command)

    @property
    def options(self) -> set[str]:
        (mount,) = [command for command in self.commands if command[0] == "mount"]
        return set(mount[mount.index("-o") + 1].split(","))


@pytest.fixture
def stick(tmp_path: Path) -> FakeStick:
    return FakeStick(tmp_path / "stick")


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    (tmp_path / "backup.zip").write_bytes(os.urandom(3_000_000))
    return tmp_path / "backup.zip"


def test_a_file_goes_there_and_comes_back(stick: FakeStick, backup: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"
    save_on_stick(backup, NAME, MINE, stick, place)
    assert {"rw", "nosuid", "nodev", "noexec"} <= stick.options
    assert stick.commands[-1] == ("umount", str(place))
    assert names(stick.folder) == [NAME]
    assert look_at_stick(stick, place) == [{"name": NAME, "bytes": 3_000_000}]
    take_from_stick(NAME, tmp_path / "back.zip", MINE, stick, place)
    assert (tmp_path / "back.zip").read_bytes() == backup.read_bytes()
    assert (tmp_path / "back.zip").stat().st_mode & 0o777 == 0o600
    assert not os.path.lexists(place)


def test_only_backups_are_listed_the_newest_first(stick: FakeStick, tmp_path: Path) -> None:
    for age, name in enumerate(("perudo-new.zip", "perudo-old.zip", "holiday.zip", "perudo-x.zip.part", "a.txt")):
        (stick.folder / name).write_bytes(b"x" * age)
        os.utime(stick.folder / name, (1000 - age, 1000 - age))
    (stick.folder / "perudo-link.zip").symlink_to("/etc/passwd")
    (stick.folder / "perudo-folder.zip").mkdir()
    assert [each["name"] for each in look_at_stick(stick, tmp_path / "p")] == ["perudo-new.zip", "perudo-old.zip"]
    with pytest.raises(StickProblem):
        take_from_stick("perudo-link.zip", tmp_path / "back.zip", MINE, stick, tmp_path / "p")
    assert not (tmp_path / "back.zip").exists()


@pytest.mark.parametrize("name", ["../perudo.zip", "holiday.zip", "perudo/x.zip", "perudo.zip\n", "perudo.txt", ""])
def test_a_name_is_one_of_a_backup(stick: FakeStick, backup: Path, tmp_path: Path, name: str) -> None:
    for act in (
        lambda: save_on_stick(backup, name, MINE, stick, tmp_path / "p"),
        lambda: take_from_stick(name, tmp_path / "back.zip", MINE, stick, tmp_path / "p"),
    ):
        with pytest.raises(StickProblem) as refused:
            act()
        assert refused.value.code == "no-backup"
    assert stick.commands == []


def test_the_service_gets_nothing_written_that_is_not_its_own(stick: FakeStick, backup: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(backup)
    other = Owner(MINE.user + 1, MINE.group)
    for file, owner in ((tmp_path / "link", MINE), (backup, other), (tmp_path, MINE), (tmp_path / "gone", MINE)):
        with pytest.raises(StickProblem):
            save_on_stick(file, NAME, owner, stick, tmp_path / "p")
    assert names(stick.folder) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take another's rights")
def test_a_file_from_the_stick_is_made_with_the_services_rights(stick: FakeStick, tmp_path: Path) -> None:
    (stick.folder / NAME).write_bytes(b"a backup")
    nobody = Owner(65534, 65534)
    for folder in (tmp_path, *tmp_path.parents):
        folder.chmod(folder.stat().st_mode | 0o011)
    (tmp_path / "roots").mkdir(mode=0o700)
    with pytest.raises(StickProblem):
        take_from_stick(NAME, tmp_path / "roots" / "b.zip", nobody, stick, tmp_path / "p")
    assert names(tmp_path / "roots") == []
    (tmp_path / "its").mkdir()
    os.chown(tmp_path / "its", *nobody)
    take_from_stick(NAME, tmp_path / "its" / "b.zip", nobody, stick, tmp_path / "p")
    assert (tmp_path / "its" / "b.zip").stat().st_uid == nobody.user
    assert (os.geteuid(), os.getegid()) == (0, 0)


@pytest.mark.parametrize(
    ("number", "problem"), [(errno.ENOSPC, "no-room"), (errno.EROFS, "read-only"), (errno.EIO, "failed")]
)
def test_a_copy_that_fails_leaves_nothing_and_the_stick_is_unmounted(
    stick: FakeStick, backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, problem: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(shutil, "copyfileobj", fail)
    with pytest.raises(StickProblem) as refused:
        save_on_stick(backup, NAME, MINE, stick, tmp_path / "p")
    assert refused.value.code == problem
    assert names(stick.folder) == []
    assert stick.commands[-1][0] == "umount"


# A real file system


@pytest.fixture(params=["vfat", "ext4"])
def device(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[Sequence[str]], str]]:
    """Runs commands; lsblk tells of a loop device of 20 MB as of a stick."""
    system = str(request.param)
    if os.geteuid() != 0:
        pytest.skip("mounting takes root")
    image = tmp_path / "image"
    with image.open("wb") as file:
        file.truncate(20_000_000)
    subprocess.run([f"mkfs.{system}", str(image)], check=True, capture_output=True)
    made = subprocess.run(["losetup", "--find", "--show", str(image)], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no loop device: {made.stderr.strip()}")
    loop = made.stdout.strip()

    def run(command: Sequence[str]) -> str:
        if command[0] == "lsblk":
            return listed(CARD, disk("/dev/sda", part(loop, system), tran="usb"))(command)
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    try:
        (tmp_path / "try").mkdir()
        mounted = subprocess.run(["mount", loop, str(tmp_path / "try")], check=False, capture_output=True, text=True)
        if mounted.returncode:
            pytest.skip(f"this machine cannot mount {system}: {mounted.stderr.strip()}")
        subprocess.run(["umount", str(tmp_path / "try")], check=True)
        yield run
    finally:
        subprocess.run(["losetup", "--detach", loop], check=True)


@pytest.mark.programs("mkfs.vfat", "mkfs.ext4")
def test_a_real_stick_takes_a_backup_and_gives_it_back(
    device: Callable[[Sequence[str]], str], backup: Path, tmp_path: Path
) -> None:
    place = tmp_path / "place"
    for _ in range(2):  # the second time in place of the first
        save_on_stick(backup, NAME, MINE, device, place)
        assert not place.exists()
    assert look_at_stick(device, place) == [{"name": NAME, "bytes": 3_000_000}]
    take_from_stick(NAME, tmp_path / "back.zip", MINE, device, place)
    assert (tmp_path / "back.zip").read_bytes() == backup.read_bytes()
    large = tmp_path / "large.zip"
    large.write_bytes(bytes(19_500_000))
    with pytest.raises(StickProblem) as refused:
        save_on_stick(large, "perudo-large.zip", MINE, device, place)
    assert refused.value.code == "no-room"
    assert [each["name"] for each in look_at_stick(device, place)] == [NAME]
    assert not place.exists()
