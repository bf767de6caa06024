"""Updates a clone, and goes back if the new version cannot be set up.

Standard library only: the virtual environment itself may be replaced.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.bootstrap.apt import SetupError, quietly, say, tail

if TYPE_CHECKING:
    from collections.abc import Sequence

SERVICE_UNIT = Path("/etc/systemd/system/perudo.service")
"""`companion.box.service.UNIT_FILE`, which an old bare Python cannot import."""


def update(repository: Path) -> None:
    """Fetch the newest version, set it up, and restart the service if it is installed. Raises `SetupError`.

    A clone with local changes is left alone; a version that cannot be set up is reverted.
    """
    _check(repository)
    before = _git(repository, "rev-parse", "--short=12", "HEAD").strip()
    say("fetching the newest version ...")
    _git(repository, "pull", "--ff-only", "--quiet")
    after = _git(repository, "rev-parse", "--short=12", "HEAD").strip()
    back = _back(repository, before)
    if after == before:
        say(f"{before} is the newest version.")
    else:
        say(f"{before} was the version before, {after} is the new one.")
    trouble = _set_up(repository)
    if trouble and after != before:
        _git(repository, "reset", "--keep", before)
        again = _set_up(repository)
        raise SetupError(
            f"the new version could not be set up, so {before} is back"
            + (f", which cannot be set up either now:\n{again}" if again else " and nothing has changed.")
            + f"\nWhat was wrong with the new one:\n{trouble}"
        )
    if trouble:
        raise SetupError(f"the program cannot be set up:\n{trouble}")
    if _has_service(repository):
        _restart(repository)
    elif SERVICE_UNIT.exists():
        say(f"the service runs from another folder ({SERVICE_UNIT} says which), and is left alone.")
    if after != before:
        say(
            "all is set up. Back to the version before, which sets the journal aside and goes on without those games "
            f"that it does not understand:\n{back}"
        )


def _check(repository: Path) -> None:
    if shutil.which("git") is None or not (repository / ".git").exists():
        raise SetupError(
            f"{repository} is no clone that git could bring up to date. Make one, and install the service from there."
        )
    owner = repository.stat().st_uid
    if owner != os.geteuid():
        who = (
            "root: type the same with sudo" if owner == 0 else f"another user's (number {owner}): type it as that user"
        )
        raise SetupError(f"{repository} is {who}.")
    changed = _git(repository, "status", "--porcelain", "--untracked-files=no")
    if changed.strip():
        raise SetupError(
            f"files in {repository} were changed by hand, and are left alone. Keep the changes elsewhere first (git "
            f"stash), then type the same command again:\n{tail(changed)}"
        )


def _git(repository: Path, *arguments: str) -> str:
    """Run git and return its output. Raises `SetupError`."""
    done, output = quietly(["git", "-C", str(repository), *arguments])
    if not done:
        raise SetupError(f"git {arguments[0]} failed in {repository}. It said:\n{tail(output)}")
    return output


def _set_up(repository: Path) -> str:
    """Set up the clone's present version with its own program. Returns why that failed, or ""."""
    here = ["env", "-C", str(repository), sys.executable, "-m", "companion.bootstrap", "setup"]
    for command in (here, [str(repository / ".venv" / "bin" / "perudo"), "--version"]):
        done, output = quietly(command)
        if not done:
            return tail(output) or f"    {shlex.join(command)} failed"
    return ""


def _has_service(repository: Path) -> bool:
    """True if the service is installed and runs from this clone."""
    program = (repository / ".venv").resolve() / "bin" / "perudo"
    try:
        text = SERVICE_UNIT.read_text(encoding="utf-8")
    except OSError:
        return False
    return f"ExecStart={program} " in text or f'ExecStart="{program}" ' in text


def _restart(repository: Path) -> None:
    """Install the new version's service and restart it. Raises `SetupError`."""
    become_root: Sequence[str] = [] if os.geteuid() == 0 else ["sudo"]
    command = [*become_root, str(repository / ".venv" / "bin" / "perudo"), "install-service"]
    say("starting the service anew" + (", with sudo, which may ask for your password ..." if become_root else " ..."))
    done, output = quietly(command)
    if not done:
        raise SetupError(f"the new version is set up, but the service did not start. It said:\n{tail(output)}")


def _back(repository: Path, version: str) -> str:
    """The command that goes back to a version."""
    folder = shlex.quote(str(repository))
    root = os.geteuid() == 0
    sudo = "sudo " if root and os.environ.get("SUDO_UID", "0") != "0" else ""
    steps = [f"cd {folder}", f"{sudo}git reset --keep {version}", f"{sudo}python3 -m companion.bootstrap setup"]
    if _has_service(repository):
        steps.append(f"{sudo if root else 'sudo '}.venv/bin/perudo install-service")
    return f"    {' && '.join(steps)}"
