"""The reference that is written from the code says what the code says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs.reference import club, commands, configuration, endpoints, man, signs

REPOSITORY = Path(__file__).resolve().parents[2]
REFERENCE = REPOSITORY / "docs" / "reference"


def test_the_commands_are_as_the_command_says() -> None:
    assert commands.markdown() in (REFERENCE / "commands.md").read_text(encoding="utf-8")


def test_the_addresses_are_as_the_openapi_document_says() -> None:
    assert endpoints.markdown() in (REFERENCE / "api.md").read_text(encoding="utf-8")
    frozen = (REFERENCE / "openapi.json").read_text(encoding="utf-8")
    assert endpoints.openapi() == frozen, "programs rely on it: python -m docs.reference writes what was added"


def test_the_configuration_is_as_its_keys_are_declared() -> None:
    assert configuration.markdown() in (REFERENCE / "configuration.md").read_text(encoding="utf-8")


def test_the_payloads_and_addresses_of_a_club_are_as_they_are_declared() -> None:
    text = (REFERENCE / "club.md").read_text(encoding="utf-8")
    assert club.payloads() in text
    assert club.addresses() in text
    assert (REFERENCE / "club.schema.json").read_text(encoding="utf-8") == club.schema()


def test_the_signs_of_the_panel_are_as_the_panel_shows_them() -> None:
    assert signs.markdown() in (REFERENCE / "wiring.md").read_text(encoding="utf-8")


# The manual, and completion


@pytest.mark.programs("groff")
def test_the_page_of_the_manual_is_as_the_command_says_without_a_warning() -> None:
    file = REFERENCE / "perudo.1"
    assert file.read_text(encoding="utf-8") == man.page(), "python -m docs.reference writes it anew"
    read = subprocess.run(
        ["groff", "-man", "-ww", "-Tascii", "-P-cbou", str(file)], capture_output=True, text=True, check=True
    )
    assert read.stderr == ""
    shown = " ".join(read.stdout.split())
    assert "--camera CAMERA pi, pi:NUMBER, webcam" in shown
    assert "perudo club join" in shown
    assert ".SS perudo evaluate" not in man.page(), "the wheel has the page, and lacks that command"


def test_the_wheel_brings_the_page_to_where_man_looks() -> None:
    setuptools = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert setuptools["data-files"] == {"share/man/man1": ["docs/reference/perudo.1"]}


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """The environment of a shell in which `perudo` is a command."""
    command = tmp_path / "perudo"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m companion "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(REPOSITORY)}


def test_the_tab_key_completes_commands_and_options_after_the_line_of_the_text(shell: dict[str, str]) -> None:
    line = re.search(r"^eval .*bash_source.*$", (REFERENCE / "commands.md").read_text("utf-8"), re.MULTILINE)
    script = f"""
        {line[0]}
        function=$(complete -p perudo | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        for words in "perudo ru" "perudo run --cam" "perudo rules hasb"; do
            COMP_WORDS=($words); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=(); $function perudo
            echo "${{COMPREPLY[*]}}"
        done
    """
    typed = subprocess.run(["bash", "-ec", script], env=shell, capture_output=True, text=True, check=True)
    assert typed.stdout.splitlines() == ["run rules", "--camera", "hasbro-1994"], typed.stderr


@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_other_shells_get_their_line_too(name: str, shell: dict[str, str]) -> None:
    assert f"_PERUDO_COMPLETE={name}_source perudo" in (REFERENCE / "commands.md").read_text("utf-8")
    source = subprocess.run(
        ["perudo"], env={**shell, "_PERUDO_COMPLETE": f"{name}_source"}, capture_output=True, text=True, check=True
    )
    assert f"_PERUDO_COMPLETE={name}_complete" in source.stdout
