"""Packs a signed release: our own wheel from the last commit, and every wheel that it needs on the box."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from companion.box.release.release import MANIFEST, Release, ReleaseError, sign, wheel_of

SOURCES: Final = Path(__file__).resolve().parents[2]

PYTHON: Final = "3.13"
"""Python of Raspberry Pi OS 13."""
NUMPY: Final = "2.2.4"
"""numpy of Debian 13: apt's picamera2 needs exactly this version (companion.bootstrap.set_up says why)."""
NEWEST_GLIBC: Final = 41
"""Minor version of Debian 13's glibc, 2.41; wheels for older ones run there too."""
EXTRAS: Final = "[club,display]"
"""The panel's display and joining a club have to work without using a terminal."""
MOST_NOTES: Final = 12
DESKTOP, HEADLESS = '"opencv-python>', '"opencv-python-headless>'
"""The beginning of dependencies in pyproject.toml: what the program declares, and what a box gets."""


def pack(out: Path, key: Path, machine: str, say: Callable[[str], None]) -> Release:
    """Write the release of the clone's last commit for `machine` into the empty folder `out`.

    `key`: the private key that signs it. Raises `ReleaseError`.
    """
    if out.exists() and any(out.iterdir()):
        raise ReleaseError(f"{out} is not empty: name a new folder for the release.")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="perudo-release-") as folder:
        tree = Path(folder) / "tree"
        tree.mkdir()
        archive = subprocess.run(["git", "-C", str(SOURCES), "archive", "HEAD"], capture_output=True, check=False)
        if archive.returncode:
            raise ReleaseError(
                f"{SOURCES} is no clone with a commit: {archive.stderr.decode(errors='replace').strip()}"
            )
        subprocess.run(["tar", "-x", "-C", str(tree)], input=archive.stdout, check=True)
        _take_headless(tree / "pyproject.toml")
        say("making the program's wheel ...")
        _pip("wheel", "--no-deps", "--wheel-dir", str(out), str(tree))
        notes = news((tree / "CHANGELOG.md").read_text(encoding="utf-8"))
    own = next(out.glob("*.whl"))
    say(f"fetching what it needs, for Python {PYTHON} on {machine} ...")
    tags = [f"manylinux_2_{minor}_{machine}" for minor in range(17, NEWEST_GLIBC + 1)] + [f"manylinux2014_{machine}"]
    only = ["--only-binary=:all:", "--implementation=cp", f"--python-version={PYTHON}"]
    abis = [f"--abi={abi}" for abi in (f"cp{PYTHON.replace('.', '')}", "abi3", "none")]
    platforms = [f"--platform={tag}" for tag in tags]
    _pip("download", *only, *abis, *platforms, "--dest", str(out), "pip", f"numpy=={NUMPY}", f"{own}{EXTRAS}")
    made, commit = _git("show", "-s", "--format=%ct %h", "HEAD").split()
    when = datetime.fromtimestamp(int(made), UTC)
    version = own.name.split("-")[1]
    release = Release(
        name=f"{version}-{when:%Y%m%d}-{commit}",
        version=version,
        made=when.isoformat(),
        python=PYTHON,
        machine=machine,
        notes=notes,
        wheels=tuple(wheel_of(path) for path in sorted(out.glob("*.whl"))),
    )
    (out / MANIFEST).write_text(release.text(), encoding="utf-8")
    sign(out / MANIFEST, key)
    return release


def _take_headless(project: Path) -> None:
    """Replace OpenCV by the build without windows: the other one needs some 200 MB of desktop packages from Debian.

    Both have the same version and module; a clone keeps the one that the program declares. Raises `ReleaseError`.
    """
    text = project.read_text(encoding="utf-8")
    if text.count(DESKTOP) != 1:
        raise ReleaseError(f"{project.name} of the last commit does not say {DESKTOP}...: pack a newer one.")
    project.write_text(text.replace(DESKTOP, HEADLESS), encoding="utf-8")


def news(changelog: str) -> tuple[str, ...]:
    """What the first section of a changelog adds: at most `MOST_NOTES` paragraphs of plain text."""
    section = changelog.split("\n## ")[1] if "\n## " in changelog else ""
    points = re.findall(r"^- (.+(?:\n  .+)*)", section.split("\n### ")[1] if "\n### " in section else section, re.M)
    plain = [re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", " ".join(each.split())).replace("`", "") for each in points]
    return tuple(plain[:MOST_NOTES])


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check", "--no-input"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()
        raise ReleaseError("pip could not get what the release needs. It said:\n" + "\n".join(said[-5:]))


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(SOURCES), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()
