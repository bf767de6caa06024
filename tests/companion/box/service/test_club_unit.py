"""The hub's unit, and what installing and removing it do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from companion.box.service.club_unit import (
    CLUB_ENVIRONMENT_FILE,
    CLUB_STATE,
    CLUB_UNIT_FILE,
    SECRET_OPTIONS,
    club_install_plan,
    club_removal_plan,
    club_unit_text,
    environment_text,
    without_secrets,
)
from companion.box.service.install_steps import carry_out
from companion.box.service.unit import Service
from companion.cli.club import club
from tests.companion.box.service.test_plans import FakeMachine

IN_OPT = Service("/opt/perudo/.venv/bin/perudo")


def test_the_options_reach_the_command_as_they_were_typed() -> None:
    text = club_unit_text(IN_OPT, ("--embedded", "--title", "Crown & $5 100%"))
    assert (
        f"ExecStart=/opt/perudo/.venv/bin/perudo club --state {CLUB_STATE} --embedded --title 'Crown & $$5 100%%'\n"
        in text
    )
    assert "ProtectHome=yes" in text


def test_a_program_in_a_home_is_seen_and_nothing_else_there() -> None:
    text = club_unit_text(Service("/home/ana/perudo/.venv/bin/perudo", at_home=("/home/ana/perudo",)), ())
    assert "ProtectHome=tmpfs\nBindReadOnlyPaths=/home/ana/perudo\n" in text


def test_every_connection_of_a_table_is_a_file() -> None:
    """mosquitto takes all that the hard limit allows; the hub waits by select(2), which ends at 1024."""
    assert "\nLimitNOFILE=1024:524288\n" in club_unit_text(IN_OPT, ())


@pytest.mark.parametrize(
    ("options", "environ", "kept", "variables"),
    [
        ((), {}, ("--embedded",), {}),
        (("--title", "Crown"), {}, ("--embedded", "--title", "Crown"), {}),
        (("--embedded",), {"PERUDO_WEB_PORT": "80"}, ("--embedded",), {}),
        (("--broker", "mqtt://b", "--port", "80"), {}, ("--port", "80"), {"PERUDO_BROKER": "mqtt://b"}),
        (("--broker=mqtt://a:b=c@d",), {"PERUDO_BROKER": "x"}, (), {"PERUDO_BROKER": "mqtt://a:b=c@d"}),
        (("--port", "80"), {"PERUDO_BROKER": "mqtt://b"}, ("--port", "80"), {"PERUDO_BROKER": "mqtt://b"}),
        (("--database", "sqlite://"), {}, ("--embedded",), {"PERUDO_DATABASE": "sqlite://"}),
    ],
)
def test_addresses_are_variables(
    options: tuple[str, ...], environ: dict[str, str], kept: tuple[str, ...], variables: dict[str, str]
) -> None:
    assert without_secrets(options, environ) == (kept, variables)


def test_the_variables_are_those_of_the_command() -> None:
    declared = {option: each.envvar for each in club.params for option in each.opts if each.envvar}
    assert declared == SECRET_OPTIONS


def test_a_value_in_the_file_is_read_as_it_was_given(tmp_path: Path) -> None:
    """By the shell, whose double quotes systemd's are."""
    value = """mqtts://hub:a b'c"d$HOME`id`\\e\\\\@broker"""
    file = tmp_path / "environment"
    file.write_text(environment_text({"PERUDO_BROKER": value}))
    done = subprocess.run(
        ["sh", "-c", '. "$0"; printf %s "$PERUDO_BROKER"', file], capture_output=True, text=True, check=True
    )
    assert done.stdout == value


def test_it_is_installed_twice_and_removed_once() -> None:
    machine = FakeMachine()
    for _ in range(2):
        plan = club_install_plan(IN_OPT, ("--broker", "mqtts://hub:secret@broker"), {})
        carry_out(plan, machine, lambda _: None)
    unit, _, _ = machine.files[CLUB_UNIT_FILE]
    assert "secret" not in unit, "every user can ask systemd for it"
    assert f"EnvironmentFile=-{CLUB_ENVIRONMENT_FILE}\n" in unit
    environment, mode, _ = machine.files[CLUB_ENVIRONMENT_FILE]
    assert 'PERUDO_BROKER="mqtts://hub:secret@broker"\n' in environment
    assert mode == 0o600
    assert machine.ran.count("systemctl restart perudo-club.service") == 2
    carry_out(club_removal_plan(purge=False), machine, lambda _: None)
    assert machine.files.keys().isdisjoint({CLUB_UNIT_FILE, CLUB_ENVIRONMENT_FILE})
    assert "systemctl disable --now perudo-club.service" in machine.ran
