"""The steps of installing and removing the service, and the machine they are carried out on."""

from __future__ import annotations

import grp
import os
import pwd
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from companion.box.service.installation import InstallError


class Machine:
    """The machine this runs on."""

    def read(self, path: str) -> str | None:
        """The text of a file; None if there is none."""
        try:
            return Path(path).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    def exists(self, path: str) -> bool:
        """Whether there is such a file, folder or link."""
        return os.path.lexists(path)

    def link_target(self, path: str) -> str | None:
        """Where a link leads; None if there is no link."""
        return str(Path(path).readlink()) if Path(path).is_symlink() else None

    def link(self, path: str, target: str) -> None:
        """Make a link, in place of an earlier one. Raises `OSError`."""
        new = Path(path).with_name(f".{Path(path).name}.new")
        new.unlink(missing_ok=True)
        new.symlink_to(target)
        new.replace(path)

    def write(self, path: str, text: str, mode: int, group: str) -> None:
        """Write a file, whole or not at all, and make the folders above it. Raises `OSError`."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(f".{target.name}.new")
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            os.fchown(file.fileno(), 0, grp.getgrnam(group).gr_gid)
            os.fchmod(file.fileno(), mode)
            file.flush()
            os.fsync(file.fileno())
        new.replace(target)

    def remove(self, path: str) -> None:
        """Remove a file, or a folder with everything in it. Raises `OSError`."""
        if Path(path).is_dir() and not Path(path).is_symlink():
            shutil.rmtree(path)
        else:
            Path(path).unlink(missing_ok=True)

    def has_user(self, name: str) -> bool:
        """Whether there is a user of this name."""
        try:
            pwd.getpwnam(name)
        except KeyError:
            return False
        return True

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Every group with its members."""
        return {group.gr_name: group.gr_mem for group in grp.getgrall()}

    def run(self, command: tuple[str, ...]) -> tuple[int, str]:
        """Run a command; its exit status and its output. Raises `OSError` if there is no such command."""
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        return done.returncode, done.stdout


# Each step has a purpose, in a few words; a detail, which is what it writes or runs; and the command that undoes it by
# hand, empty if there is nothing to undo. carry_out raises OSError or InstallError.


@dataclass(frozen=True, slots=True)
class WriteFile:
    """Write a file."""

    path: str
    text: str
    mode: int = 0o644
    group: str = "root"
    keep: bool = False
    """Leave a file that exists alone."""

    @property
    def purpose(self) -> str:
        return f"write {self.path}" + (", if there is none yet" if self.keep else "")

    @property
    def undo(self) -> str:
        return f"rm {shlex.quote(self.path)}"

    @property
    def detail(self) -> str:
        return f"{self.path} (mode {self.mode:o}, group {self.group}):\n{self.text}"

    def is_done(self, machine: Machine) -> bool:
        return machine.exists(self.path) if self.keep else machine.read(self.path) == self.text

    def carry_out(self, machine: Machine) -> None:
        machine.write(self.path, self.text, self.mode, self.group)


@dataclass(frozen=True, slots=True)
class MakeLink:
    """Make a link."""

    path: str
    target: str

    @property
    def purpose(self) -> str:
        return f"make {self.path} the command"

    @property
    def undo(self) -> str:
        return f"rm {shlex.quote(self.path)}"

    @property
    def detail(self) -> str:
        return shlex.join(("ln", "-sfn", self.target, self.path))

    def is_done(self, machine: Machine) -> bool:
        return machine.link_target(self.path) == self.target

    def carry_out(self, machine: Machine) -> None:
        machine.link(self.path, self.target)


@dataclass(frozen=True, slots=True)
class RemovePath:
    """Remove a file or a folder."""

    path: str
    undo: ClassVar = ""

    @property
    def purpose(self) -> str:
        return f"remove {self.path}"

    @property
    def detail(self) -> str:
        return f"rm -r {shlex.quote(self.path)}"

    def is_done(self, machine: Machine) -> bool:
        return not machine.exists(self.path)

    def carry_out(self, machine: Machine) -> None:
        machine.remove(self.path)


@dataclass(frozen=True, slots=True)
class RunCommand:
    """Run a command that does no harm when run twice."""

    purpose: str
    command: tuple[str, ...]
    undo: str = ""
    is_done: Callable[[Machine], bool] = lambda _: False
    may_fail: bool = False
    """Whether the later steps are carried out even if this one fails."""

    @property
    def detail(self) -> str:
        return shlex.join(self.command)

    def carry_out(self, machine: Machine) -> None:
        status, output = machine.run(self.command)
        if status and not self.may_fail:
            raise InstallError(f"`{self.detail}` failed (exit status {status}). It said:\n{output.strip()}")


InstallStep = WriteFile | MakeLink | RemovePath | RunCommand


def carry_out(steps: Iterable[InstallStep], machine: Machine, tell: Callable[[str], None]) -> None:
    """Carry out the steps in order, and report each.

    Raises `InstallError` at the first that fails; called again, it goes on from there.
    """
    for step in steps:
        if step.is_done(machine):
            tell(f"already so: {step.purpose}")
            continue
        try:
            step.carry_out(machine)
        except OSError as error:
            raise InstallError(f"Could not {step.purpose}: {error}. The same command goes on from here.") from error
        tell(f"done: {step.purpose}" + (f"    (undo: {step.undo})" if step.undo else ""))


def describe_steps(steps: Sequence[InstallStep]) -> str:
    """The steps as text: what each writes or runs, and how to undo it."""
    parts = []
    for number, step in enumerate(steps, 1):
        body = "\n".join(f"    {line}".rstrip() for line in step.detail.splitlines())
        parts.append(
            f"{number}. {step.purpose[0].upper()}{step.purpose[1:]}.\n{body}\n"
            + (f"   Undo: {step.undo}\n" if step.undo else "")
        )
    return "\n".join(parts)
