"""The versions of the program on a box, side by side: a virtual environment each, and a link to the one in use.

    /opt/perudo/versions/NAME     a virtual environment, with its release.json
    /opt/perudo/current           -> the version in use, from which the service runs
    /opt/perudo/before            -> the previous version
    /opt/perudo/trial             -> a new version that has not answered yet
    /opt/perudo/passed, failed    -> the version that was tried last

Every change replaces one link, so a power cut leaves either the old or the new one. What systemd runs as root once the
service answers, or when it fails during a trial, is shell script in the units of companion/box/files: it must work
however broken the new version is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

from companion.box.release.release import MANIFEST, Release, ReleaseError, parse_release, read_release

PLACE: Final = Path("/opt/perudo")

SPACE: Final = 600 * 1024 * 1024
"""Bytes that a version needs at most, with pip's temporary files."""


@dataclass(frozen=True)
class Trial:
    """The update that was tried last."""

    release: str
    """The name of its release."""
    passed: bool
    at: str
    """ISO 8601, UTC, from the box's clock."""


class Versions:
    """The versions installed under a folder."""

    def __init__(self, place: Path = PLACE) -> None:
        self.place = place

    @property
    def current(self) -> Release | None:
        """The version in use; None if the program was installed another way."""
        return self._release("current")

    @property
    def before(self) -> Release | None:
        """The previous version, to which the box can return."""
        return self._release("before")

    @property
    def on_trial(self) -> bool:
        """True while a new version is on trial."""
        return (self.place / "trial").is_symlink()

    @property
    def last_trial(self) -> Trial | None:
        """The last update that was tried, until the next one."""
        for name in ("passed", "failed"):
            link = self.place / name
            if link.is_symlink():
                at = datetime.fromtimestamp(link.lstat().st_mtime, timezone.utc)  # noqa: UP017 - for an older Python
                return Trial(link.readlink().name, name == "passed", at.isoformat(timespec="seconds"))
        return None

    def install(self, folder: Path, signers: Path, say: Callable[[str], None]) -> str:
        """Install the release in `folder` beside the others without using it; returns its name.

        After a power cut, call it again: it starts over. Raises `ReleaseError`.
        """
        release = read_release(folder, signers)
        python = f"{sys.version_info[0]}.{sys.version_info[1]}"
        if (release.python, release.machine) != (python, os.uname().machine):
            raise ReleaseError(
                f"This release is for Python {release.python} on {release.machine}, and here is Python {python} on "
                f"{os.uname().machine}: take the release for this box."
            )
        home = self.place / "versions" / release.name
        if self._whole(home):
            return release.name
        self._remove_others()
        self.place.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(self.place).free < SPACE and self.before is not None:
            say("there is room for no third version: the one before is removed ...")
            self._remove_others(keep_before=False)
        if (free := shutil.disk_usage(self.place).free) < SPACE:
            raise ReleaseError(f"Only {free // 2**20} MB are free on the card, and a version takes {SPACE // 2**20}.")
        say(f"installing {release.name} ...")
        shutil.rmtree(home, ignore_errors=True)
        home.parent.mkdir(parents=True, exist_ok=True)
        # A release includes pip, which Debian packages apart from Python; older releases do not.
        own = [str(folder / wheel.name / "pip") for wheel in release.wheels if wheel.name.startswith("pip-")]
        venv = ["-m", "venv", "--system-site-packages", *(["--without-pip"] if own else []), str(home)]
        _build([sys.executable, *venv], "make a virtual environment")
        wanted = home / "requirements.txt"
        wanted.write_text("".join(f"{wheel.requirement}\n" for wheel in release.wheels), encoding="utf-8")
        pip = [
            str(home / "bin" / "python"),
            *(own or ["-m", "pip"]),
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]
        only_these = ["--no-input", "--no-cache-dir", "--no-index", "--find-links", str(folder), "--require-hashes"]
        _build([*pip, *only_these, "-r", str(wanted)], "install its packages")
        _build([str(home / "bin" / "perudo"), "--version"], "start it")
        _build([str(home / "bin" / "python"), "-c", "import cv2, flask, gpiozero, ncnn, numpy"], "load its libraries")
        os.sync()  # everything is on the card before the file that says so
        (home / MANIFEST).write_bytes((folder / MANIFEST).read_bytes())
        os.sync()
        return release.name

    def use(self, name: str) -> None:
        """Switch to an installed version; it is on trial if there is a version to return to.

        Raises `ReleaseError` if its program does not start.
        """
        target = f"versions/{name}"
        program = self.place / target / "bin" / "perudo"
        _run([str(program), "--version"], f"{name} does not start, and nothing has changed.")
        current = self.place / "current"
        for each in ("passed", "failed"):
            (self.place / each).unlink(missing_ok=True)
        if current.is_symlink() and str(current.readlink()) != target:
            self._link("before", str(current.readlink()))
            self._link("trial", target)
        self._link("current", target)
        os.sync()
        self._remove_others()

    def _link(self, name: str, target: str) -> None:
        new = self.place / f".{name}.new"
        new.unlink(missing_ok=True)
        new.symlink_to(target)
        new.replace(self.place / name)

    def _remove_others(self, *, keep_before: bool = True) -> None:
        """Remove all versions except the current and the previous one: a card has little space."""
        if not keep_before:
            (self.place / "before").unlink(missing_ok=True)
        links = [self.place / name for name in ("current", "before", "trial")]
        kept = {link.readlink().name for link in links if link.is_symlink()}
        for each in (self.place / "versions").glob("*"):
            if each.name not in kept:
                shutil.rmtree(each)

    def _whole(self, home: Path) -> bool:
        return (home / MANIFEST).is_file()

    def _release(self, link: str) -> Release | None:
        try:
            return parse_release((self.place / link / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ReleaseError):
            return None


def _build(command: list[str], what: str) -> None:
    _run(command, f"The new version could not be installed, and nothing has changed: to {what} failed.")


def _run(command: list[str], sentence: str) -> None:
    """Run a command. Raises `ReleaseError`, beginning with `sentence`, if it fails."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    except OSError as error:
        raise ReleaseError(f"{sentence}\n{error}") from error
    if done.returncode != 0:
        said = "\n".join(done.stdout.strip().splitlines()[-8:])
        raise ReleaseError(f"{sentence}\n{said}")
