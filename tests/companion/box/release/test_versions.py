"""Versions side by side: real virtual environments, and the commands that systemd runs, as they stand in the units."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.box.release import versions as versions_module
from companion.box.release.release import ReleaseError
from companion.box.release.versions import SPACE, Versions
from tests.fakes.machine import shell_command
from tests.fakes.releases import key, put, release, signers, versions

__all__ = ["key", "put", "release", "signers", "versions"]

pytestmark = pytest.mark.programs("ssh-keygen")

SERVICE_TRIAL = shell_command("perudo.service")
ROLL_BACK = shell_command("perudo-roll-back.service")


def said(versions: Versions) -> str:
    program = versions.place / "current" / "bin" / "perudo"
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.strip()


def systemd(versions: Versions, command: str) -> None:
    """Run a command of the units on these versions, which would be started by `install-service` at its end."""
    here = command.replace("/opt/perudo", str(versions.place)).replace("current/bin/perudo install-service", "true")
    subprocess.run(["sh", "-c", here], check=True)


def test_a_new_version_is_tried_and_passes_once_the_service_answers(
    versions: Versions, put: Callable[[str], str]
) -> None:
    versions.use(put("one"))
    assert said(versions) == "one"
    assert not versions.on_trial, "there is nothing to go back to"
    versions.use(put("two"))
    assert said(versions) == "two"
    assert versions.on_trial
    assert versions.last_trial is None
    systemd(versions, SERVICE_TRIAL)
    assert not versions.on_trial
    assert (versions.last_trial.release, versions.last_trial.passed) == ("two", True)
    assert versions.before.name == "one"
    systemd(versions, SERVICE_TRIAL)
    assert versions.last_trial.passed, "later starts try nothing"


def test_a_version_that_does_not_answer_is_taken_back(versions: Versions, put: Callable[[str], str]) -> None:
    versions.use(put("one"))
    versions.use(put("two"))
    systemd(versions, ROLL_BACK)
    assert said(versions) == "one"
    systemd(versions, SERVICE_TRIAL)
    assert (versions.last_trial.release, versions.last_trial.passed) == ("two", False)
    assert not versions.on_trial


def test_the_host_can_go_back_and_that_is_a_trial_too(versions: Versions, put: Callable[[str], str]) -> None:
    versions.use(put("one"))
    versions.use(put("two"))
    systemd(versions, SERVICE_TRIAL)
    versions.use("two")
    assert not versions.on_trial, "it is in use"
    assert versions.before.name == "one"
    versions.use("one")
    assert said(versions) == "one"
    assert versions.on_trial
    assert versions.before.name == "two"


def test_an_installation_that_was_cut_off_begins_anew_and_one_that_fails_changes_nothing(
    versions: Versions,
    release: Callable[..., Path],
    signers: Path,
    put: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put("zero")
    half = versions.place / "versions" / "one" / "bin"
    half.mkdir(parents=True)
    (half / "perudo").write_text("half of a program")
    ran: list[str] = []
    real = versions_module._run
    monkeypatch.setattr(versions_module, "_run", lambda command, why: (ran.extend(command), real(command, why)))
    versions.use(versions.install(release("one", pip=True), signers, lambda _: None))
    assert said(versions) == "one"
    assert "--without-pip" in ran, "which Debian's Python has in a package of its own"
    assert [each.name for each in (versions.place / "versions").iterdir()] == ["one"], "no room is wasted"
    with pytest.raises(ReleaseError, match="nothing has changed"):
        versions.install(release("two", broken=True, pip=True), signers, lambda _: None)
    assert said(versions) == "one"
    assert not versions.on_trial


def test_an_update_that_fails_leaves_the_version_to_go_back_to(
    versions: Versions, release: Callable[..., Path], signers: Path, put: Callable[[str], str]
) -> None:
    for name in ("one", "two"):
        versions.use(put(name))
    with pytest.raises(ReleaseError, match="nothing has changed"):
        versions.install(release("three", broken=True), signers, lambda _: None)
    versions.use(versions.before.name)
    assert said(versions) == "one"


def test_two_versions_are_kept(versions: Versions, put: Callable[[str], str]) -> None:
    for name in ("one", "two", "three"):
        versions.use(put(name))
    assert sorted(each.name for each in (versions.place / "versions").iterdir()) == ["three", "two"]


def test_where_there_is_room_for_two_the_version_before_makes_way(
    versions: Versions,
    release: Callable[..., Path],
    signers: Path,
    put: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("one", "two"):
        versions.use(put(name))

    def usage(_: object) -> SimpleNamespace:
        return SimpleNamespace(free=0 if (versions.place / "before").is_symlink() else SPACE)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    told: list[str] = []
    with pytest.raises(ReleaseError, match="could not be installed"):
        versions.install(release("three", broken=True), signers, told.append)
    assert "the one before is removed" in told[0]
    assert versions.before is None


def test_a_version_that_does_not_start_is_not_used(versions: Versions, put: Callable[[str], str]) -> None:
    versions.use(put("one"))
    put("two")
    (versions.place / "versions" / "two" / "bin" / "perudo").write_text("#!/bin/sh\necho no; exit 1\n")
    with pytest.raises(ReleaseError, match="two does not start, and nothing has changed"):
        versions.use("two")
    assert said(versions) == "one"
    assert not versions.on_trial


def test_a_release_for_another_machine_is_refused(
    versions: Versions, release: Callable[..., Path], signers: Path
) -> None:
    with pytest.raises(ReleaseError, match="on riscv128"):
        versions.install(release("one", machine="riscv128"), signers, lambda _: None)
    assert not versions.place.exists()


def test_a_program_that_was_installed_in_another_way_has_no_versions(versions: Versions) -> None:
    assert versions.current is None
    assert versions.before is None
    assert versions.last_trial is None
