"""What the box does as root when the host asks for it on the page: perudo-caretaker.service, one request at a time.

A request comes from an unprivileged program, so no path or command in it is trusted: files are opened in the service's
own folder without following links, and names are checked.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import stat
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from calibration.atomic_write import write_atomically
from companion.box.release.release import SIGNERS_FILE, ReleaseError, fetch_manifest, fetch_wheels
from companion.box.release.versions import PLACE, Versions
from companion.box.root_requests import ANSWER_FILE, ANSWERS, HOST_NAME, REQUEST_FILE, RootRequestError
from companion.box.service import CONFIG_FILE, STATE, Machine, read_receipt, run_command
from companion.config import ConfigError, parse
from companion.state_folder import as_owner_of

log = logging.getLogger(__name__)

LARGEST_REQUEST: Final = 256 * 1024
"""Bytes. A request may contain a configuration."""
INCOMING_RELEASE: Final = PLACE / "incoming"
"""Where a downloaded release is stored."""

Answer = Mapping[str, object]


def take_request(state: Path) -> dict[str, str]:
    """Read and remove the request in the service's folder. Raises `RootRequestError`."""
    path = state / REQUEST_FILE
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise RootRequestError(f"{path} is no file.")
            found = json.loads(file.read(LARGEST_REQUEST + 1))
    except (OSError, ValueError, RecursionError) as error:
        raise RootRequestError(f"The request cannot be read: {error}.") from error
    finally:
        _remove(path)  # otherwise systemd would start this again and again
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise RootRequestError("A request is an object of texts.")
    return found


def _remove(path: Path) -> None:
    """Remove the service's file, or its folder of that name with all contents."""
    with as_owner_of(path.parent):
        try:
            path.unlink(missing_ok=True)
        except IsADirectoryError:
            subprocess.run(("chmod", "--recursive", "u+rwX", str(path)), check=False)  # its owner may have shut it
            subprocess.run(("rm", "--recursive", "--force", str(path)), check=False)


class RootHelper:
    """Carries out requests on this machine."""

    def __init__(self, versions: Versions, run: Callable[[Sequence[str]], tuple[int, str]] = run_command) -> None:
        """`run` runs a command and returns its exit status and output."""
        self._versions = versions
        self._run = run
        self.requests: Mapping[str, Callable[[Mapping[str, str]], Answer]] = {
            "rename": self._rename,
            "configure": self._configure,
            "update": self._update,
            "go-back": self._go_back,
        }
        """The requests: the word in `do` -> the method that carries it out."""

    def carry_out(self, request: Mapping[str, str]) -> Answer:
        """The answer to a request, including a refusal."""
        do = self.requests.get(request.get("do", ""))
        answer: dict[str, object] = {"id": request.get("id", ""), "do": request.get("do", "")}
        if do is None:
            return {**answer, "ok": False, "error": f"There is no request {request.get('do')!r}."}
        try:
            return {**answer, "ok": True, **do(request)}
        except RootRequestError as error:
            return {**answer, "ok": False, "error": error.message}
        except (ReleaseError, OSError, ValueError) as error:  # for example a value with a NUL
            log.warning("%s: %s", request.get("do"), error)
            return {**answer, "ok": False, "error": str(error)}

    def _rename(self, request: Mapping[str, str]) -> Answer:
        """Set the host name to `name`; phones then find the box as name.local."""
        name = request.get("name", "")
        if not HOST_NAME.fullmatch(name):
            raise RootRequestError(f"{name!r} is no name for a machine: small letters, digits and hyphens, at most 32.")
        self._command("hostnamectl", "hostname", name)
        hosts = Path("/etc/hosts")
        lines = [line for line in hosts.read_text(encoding="utf-8").splitlines() if not line.startswith("127.0.1.1")]
        _write(hosts, "\n".join([*lines, f"127.0.1.1 {name}"]) + "\n", 0o644)
        self._keep(Path("/etc/hostname"), hosts)
        self._command("systemctl", "try-restart", "avahi-daemon.service")
        return {}

    def _configure(self, request: Mapping[str, str]) -> Answer:
        """Replace the configuration with `text` if it has no mistakes."""
        text = request.get("text", "")
        try:
            parse(text, {})
        except ConfigError as error:
            raise RootRequestError("The configuration has mistakes: " + "; ".join(map(str, error.mistakes))) from error
        before = Path(CONFIG_FILE).stat()
        _write(Path(CONFIG_FILE), text, before.st_mode & 0o777, before.st_gid)
        return {}

    def _update(self, request: Mapping[str, str]) -> Answer:
        """Fetch the release at `address`, install it beside the others, and start a trial."""
        signers = Path(SIGNERS_FILE)
        if self._versions.on_trial:
            raise RootRequestError("A new version is being tried just now.")
        release = fetch_manifest(request.get("address", ""), INCOMING_RELEASE, signers)
        present = self._versions.current
        if present is not None and release.made <= present.made:
            raise RootRequestError(f"{release.name} is not newer than {present.name}, which is in use.")
        fetch_wheels(request["address"], INCOMING_RELEASE, release)
        name = self._versions.install(INCOMING_RELEASE, signers, log.info)
        shutil.rmtree(INCOMING_RELEASE)
        return self._use(name)

    def _go_back(self, _: Mapping[str, str]) -> Answer:
        before = self._versions.before
        if before is None:
            raise RootRequestError("There is no previous version.")
        return self._use(before.name)

    def _use(self, name: str) -> Answer:
        """Let a version write its units and start. Waits until the page answers, at most three minutes."""
        self._versions.use(name)
        before = _installed()
        status, output = self._run((str(self._versions.place / "current" / "bin" / "perudo"), "install-service"))
        self._keep(*before, *_installed())
        if status:  # systemd then returns to the previous version (perudo-roll-back.service)
            raise RootRequestError(f"The new version did not start. {output.strip()[-500:]}")
        return {"release": name}

    def _keep(self, *files: Path) -> None:
        """On a read-only card, write these files to the card too; otherwise they would be lost at the next start."""
        card = Path("/media/root-ro")
        if not card.is_mount():
            return
        self._command("mount", "-o", "remount,rw", str(card))
        try:
            for file in files:
                on_card = card / file.relative_to("/")
                if file.is_file() and not file.is_symlink():
                    _write(on_card, file.read_text(encoding="utf-8"), file.stat().st_mode & 0o777)
                    continue
                on_card.unlink(missing_ok=True)  # an older version may have written it
                if file.is_symlink():
                    on_card.symlink_to(file.readlink())
            os.sync()
        finally:
            self._command("mount", "-o", "remount,ro", str(card))

    def _command(self, *command: str) -> None:
        status, output = self._run(command)
        if status:
            raise RootRequestError(f"{' '.join(command)} failed: {output.strip()[-300:]}")


def _installed() -> tuple[Path, ...]:
    """The files that `perudo install-service` wrote, and the links by which systemd starts the units."""
    receipt = read_receipt(Machine())
    wanted = Path("/etc/systemd/system/multi-user.target.wants").glob("perudo*")
    return (*map(Path, () if receipt is None else receipt.files), *wanted)


def _write(file: Path, text: str, mode: int, group: int = 0) -> None:
    """Write a file owned by root atomically. Raises `OSError`."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, text.encode(), mode)
    os.chown(file, -1, group)
    file.chmod(mode)  # regardless of the umask


def answer_once(helper: RootHelper, state: Path = Path(STATE), answers: Path = ANSWERS) -> None:
    """Carry out the pending request, and write the answer, which everybody may read."""
    try:
        request = take_request(state)
    except RootRequestError as error:
        log.warning("%s", error)
        answer: Answer = {"id": "", "do": "", "ok": False, "error": error.message}
    else:
        log.info("asked to %s", request.get("do"))
        answer = helper.carry_out(request)
    answers.mkdir(parents=True, exist_ok=True)
    answers.chmod(0o755)
    _write(answers / ANSWER_FILE, json.dumps(answer), 0o644)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    answer_once(RootHelper(Versions()))
