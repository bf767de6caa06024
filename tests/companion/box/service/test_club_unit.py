"""The hub's unit, and what installing and removing it do."""

from __future__ import annotations

from companion.box.service.club_unit import (
    CLUB_STATE,
    CLUB_UNIT_FILE,
    club_install_plan,
    club_removal_plan,
    club_unit_text,
)
from companion.box.service.install_steps import carry_out
from companion.box.service.unit import Service
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


def test_it_is_installed_twice_and_removed_once() -> None:
    machine = FakeMachine()
    for _ in range(2):
        carry_out(club_install_plan(IN_OPT, ("--broker", "mqtts://hub:secret@broker")), machine, lambda _: None)
    _, mode, _ = machine.files[CLUB_UNIT_FILE]
    assert mode == 0o600, "the address of the broker has a password"
    assert machine.ran.count("systemctl restart perudo-club.service") == 2
    carry_out(club_removal_plan(purge=False), machine, lambda _: None)
    assert CLUB_UNIT_FILE not in machine.files
    assert "systemctl disable --now perudo-club.service" in machine.ran
