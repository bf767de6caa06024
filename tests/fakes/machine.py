"""A machine to install services on: a folder with what lies in /etc, its users and groups, and every command run."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.box.installation import Installation
from companion.box.service import DEVICE_GROUPS, FILES, Machine, box_install_steps, carry_out

IN_OPT = Installation(Path("/opt/perudo/.venv/bin/perudo"), (Path("/opt/perudo"),))


class FakeSystem:
    """What the commands do to the users and groups. It runs only those that write below its folder."""

    def __init__(self, root: Path, groups: Sequence[str] = DEVICE_GROUPS) -> None:
        self.root = root
        self.users: set[str] = set()
        self.members: dict[str, list[str]] = {group: [] for group in groups}
        self.ran: list[str] = []
        self.fails = ""
        """A command with this in it fails."""

    def run(self, command: Sequence[str]) -> tuple[int, str]:
        if command[:2] == ("getent", "passwd"):
            return (0 if command[2] in self.users else 2), ""
        if command[:2] == ("getent", "group"):
            return 0, "".join(f"{name}:x:44:{','.join(members)}\n" for name, members in self.members.items())
        self.ran.append(" ".join(command).replace(str(self.root), ""))
        if self.fails and self.fails in self.ran[-1]:
            return 1, "it would not"
        match command[0]:
            case "useradd":
                self.users.add(command[-1])
            case "userdel":
                self.users.remove(command[-1])
            case "usermod":
                for group in command[-2].split(","):
                    self.members[group].append(command[-1])
            case "rm" | "ln" | "rmdir":
                assert str(self.root) in command[-1]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                return done.returncode, done.stderr
        return 0, ""


def machine(root: Path, *programs: str, groups: Sequence[str] = DEVICE_GROUPS) -> tuple[Machine, FakeSystem]:
    """A machine below `root` with these programs' folders in /etc, and what its commands do."""
    for name in ("etc/systemd/system", "usr/local/bin", *(f"etc/{program}" for program in programs)):
        (root / name).mkdir(parents=True, exist_ok=True)
    system = FakeSystem(root, groups)
    return Machine(root, system.run), system


@pytest.fixture
def a_pi(tmp_path: Path) -> tuple[Machine, FakeSystem]:
    """A machine with all that the box has files for."""
    return machine(tmp_path, "avahi", "polkit-1", "NetworkManager")


def unit(root: Path, place: Installation = IN_OPT, port: int | None = None, *, low_port: bool = False) -> str:
    """The box's unit, as it is installed below `root`."""
    here, _ = machine(root)
    steps = box_install_steps(here, place, port=port, page_port=port or 8000, low_port=low_port, config="")
    carry_out(steps, here, lambda _: None)
    return here.at("/etc/systemd/system/perudo.service").read_text(encoding="utf-8")


def shell_command(name: str) -> str:
    """What a unit of the box has the shell run."""
    text = (FILES / "box/etc/systemd/system" / name).read_text(encoding="utf-8")
    (found,) = re.findall(r"/bin/sh -c '(.*)'", text)
    return str(found)
