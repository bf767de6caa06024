"""`python3 -m companion.bootstrap update`: a real clone of a real repository; the set-up itself is only recorded."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.bootstrap import set_up as bootstrap
from companion.bootstrap import update
from companion.bootstrap.apt import SetupError, quietly
from companion.cli.update import update as cli_update


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "init.defaultBranch=main")
    result = subprocess.run(
        ["git", *identity, "-C", str(folder), *arguments], capture_output=True, text=True, check=True
    )
    return result.stdout.strip()


def publish(origin: Path, text: str) -> None:
    (origin / "program.py").write_text(text)
    git(origin, "add", "program.py")
    git(origin, "commit", "-m", text)


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    folder = tmp_path / "origin"
    folder.mkdir()
    git(folder, "init")
    publish(folder, "one")
    return folder


@pytest.fixture
def clone(origin: Path, tmp_path: Path) -> Path:
    git(tmp_path, "clone", str(origin), "clone")
    return tmp_path / "clone"


class Shell:
    """Runs git for real, records every other command, and fails when the version in the clone is a bad one."""

    def __init__(self, clone: Path) -> None:
        self.clone = clone
        self.commands: list[str] = []

    def __call__(self, command: Sequence[str], hold: Sequence[int] = ()) -> tuple[bool, str]:
        if command[0] == "git":
            return quietly(command)
        version = (self.clone / "program.py").read_text()
        self.commands.append(f"{version}: {' '.join(command[-2:])}")
        return (False, "no such package") if version == "bad" else (True, "")


@pytest.fixture
def shell(clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    shell = Shell(clone)
    monkeypatch.setattr(update, "quietly", shell)
    monkeypatch.setattr(update, "SERVICE_UNIT", tmp_path / "perudo.service")
    return shell


def test_the_newest_version_is_fetched_set_up_and_tried_and_the_printed_way_back_works(
    origin: Path, clone: Path, shell: Shell, capsys: pytest.CaptureFixture[str]
) -> None:
    before = git(clone, "rev-parse", "--short=12", "HEAD")
    publish(origin, "two")
    update.update(clone)
    assert (clone / "program.py").read_text() == "two"
    assert shell.commands == ["two: companion.bootstrap setup", f"two: {clone}/.venv/bin/perudo --version"]
    back, _, again = capsys.readouterr().err.strip().splitlines()[-1].partition(" && python3")
    assert back.endswith(f"git reset --keep {before}")
    assert again == " -m companion.bootstrap setup"
    subprocess.run(back, shell=True, check=True, capture_output=True)
    assert (clone / "program.py").read_text() == "one"


def test_an_update_with_sudo_is_reverted_with_sudo(clone: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    update.SERVICE_UNIT.write_text(f"ExecStart={clone}/.venv/bin/perudo run\n")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("SUDO_UID", "1000")
    assert update._back(clone, "abc").strip() == (
        f"cd {clone} && sudo git reset --keep abc && sudo python3 -m companion.bootstrap setup "
        "&& sudo .venv/bin/perudo install-service"
    )
    monkeypatch.delenv("SUDO_UID")
    assert "sudo " not in update._back(clone, "abc")


def test_a_version_that_cannot_be_set_up_is_reverted(origin: Path, clone: Path, shell: Shell) -> None:
    publish(origin, "bad")
    with pytest.raises(SetupError, match="no such package") as caught:
        update.update(clone)
    assert "is back and nothing has changed" in str(caught.value)
    assert (clone / "program.py").read_text() == "one"
    assert shell.commands[-1].startswith("one: ")
    publish(origin, "three")
    update.update(clone)
    assert (clone / "program.py").read_text() == "three"


def test_it_is_set_up_even_when_nothing_is_new(clone: Path, shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    update.update(clone)
    assert "is the newest version" in capsys.readouterr().err
    assert len(shell.commands) == 2


@pytest.mark.parametrize(
    ("runs_from", "last", "said"),
    [
        ("", "perudo install-service", "starting the service anew"),
        ("/opt", "perudo --version", "runs from another folder"),
    ],
    ids=["this clone", "another"],
)
def test_the_service_of_this_clone_alone_is_restarted(
    clone: Path, shell: Shell, capsys: pytest.CaptureFixture[str], runs_from: str, last: str, said: str
) -> None:
    update.SERVICE_UNIT.write_text(f"ExecStart={runs_from or clone}/.venv/bin/perudo run\n")
    update.update(clone)
    assert shell.commands[-1].endswith(last)
    assert said in capsys.readouterr().err


def test_a_clone_with_files_changed_by_hand_is_left_alone(origin: Path, clone: Path, shell: Shell) -> None:
    publish(origin, "two")
    (clone / "program.py").write_text("mine")
    with pytest.raises(SetupError, match="changed by hand"):
        update.update(clone)
    assert (clone / "program.py").read_text() == "mine"
    assert shell.commands == []


def test_a_folder_that_is_no_clone_and_a_clone_of_another_user_are_refused(
    clone: Path, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SetupError, match="is no clone"):
        update.update(tmp_path)
    uid = clone.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    with pytest.raises(SetupError, match=r"sudo|that user"):
        update.update(clone)


def test_update_is_a_bootstrap_command(monkeypatch: pytest.MonkeyPatch) -> None:
    updated: list[Path] = []
    monkeypatch.setattr(bootstrap, "update", updated.append)
    assert bootstrap.main(["update"]) == 0
    assert updated == [bootstrap.REPOSITORY]


def test_a_program_that_is_in_no_clone_says_how_to_update_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cli.update.CLONE", tmp_path)
    result = CliRunner().invoke(cli_update, [])
    assert result.exit_code == 2
    assert "install the newest version as you installed this one" in result.stderr
