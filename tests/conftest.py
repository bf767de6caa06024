"""What tests of several packages share."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def photos() -> Path:
    """The folder of real photographs; they are not part of the repository."""
    named = os.environ.get("PERUDO_PHOTOS")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "photos"
    if not folder.is_dir():
        pytest.skip(f"no photographs here: {folder} is not a folder (PERUDO_PHOTOS names another)")
    return folder


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """The packages of tests/page/package-lock.json, installed by npm where they are not there yet."""
    folder = REPOSITORY / "tests" / "page"
    lock = folder / "package-lock.json"
    modules = folder / "node_modules"
    stamp = modules / "installed"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    with lock.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # two runs of the tests would tread on each other's feet
        if not (stamp.is_file() and stamp.read_text() == wanted) and (trouble := _npm_ci(folder)):
            if os.environ.get("PERUDO_REQUIRE_BROWSER") == "1":
                pytest.fail(trouble)
            pytest.skip(trouble)
        stamp.write_text(wanted)
    return modules


def _npm_ci(folder: Path) -> str:
    """Install what the lock file of `folder` names; why that failed, or nothing."""
    npm = shutil.which("npm")
    if npm is None:
        return "no npm here, which brings what checks the page (Debian: apt install npm)"
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"npm did not install what checks the page: {error}"
    said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
    return f"npm did not install what checks the page. It said:\n{said}" if done.returncode else ""
