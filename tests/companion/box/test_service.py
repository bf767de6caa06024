"""What is installed, that it can be done twice, and that removing leaves nothing: below a folder, by fake commands."""

from __future__ import annotations

import json
import os
import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from companion.box.installation import Installation, InstallError
from companion.box.network_manager import HOTSPOT_ADDRESS
from companion.box.service import (
    CLUB_ENVIRONMENT_FILE,
    CLUB_STATE,
    CLUB_UNIT_FILE,
    COMMAND_FILE,
    CONFIG_FILE,
    FILES,
    OF_A_CARD,
    RECEIPT_FILE,
    SECRET_OPTIONS,
    STATE,
    UNIT_FILE,
    Machine,
    Receipt,
    Step,
    box_install_steps,
    box_purge_steps,
    box_removal_steps,
    carry_out,
    club_install_steps,
    club_removal_steps,
    describe_steps,
    environment_text,
    read_receipt,
    without_secrets,
)
from companion.cli.club import club
from tests.benchmarks import systemd_exposure
from tests.fakes.machine import IN_OPT, FakeSystem, a_pi, machine, unit

__all__ = ["a_pi"]

AT_HOME = Installation(Path("/home/ana/my perudo/bin/perudo"), (Path("/home/ana/my perudo"), Path("/usr")))
AVAHI_FILE = "/etc/avahi/services/perudo.service"
POLKIT_FILE = "/etc/polkit-1/rules.d/60-perudo.rules"
Pi = tuple[Machine, FakeSystem]


def steps(here: Machine, place: Installation = IN_OPT, port: int | None = None) -> list[Step]:
    return box_install_steps(here, place, port=port, page_port=port or 8000, low_port=False, config="# the defaults\n")


def installed(here: Machine, place: Installation = IN_OPT) -> list[str]:
    lines: list[str] = []
    carry_out(steps(here, place), here, lines.append)
    return lines


def taken_away(here: Machine, *, purge: bool = False) -> None:
    receipt = read_receipt(here)
    assert receipt is not None
    carry_out(box_removal_steps(here, receipt, purge=purge), here, lambda _: None)


def files(here: Machine) -> list[str]:
    found = (each for each in here.root.rglob("*") if each.is_symlink() or each.is_file())
    return sorted(f"/{each.relative_to(here.root)}" for each in found)


def text(here: Machine, path: str) -> str:
    return here.at(path).read_text(encoding="utf-8")


def put(here: Machine, path: str, content: str) -> None:
    here.at(path).parent.mkdir(parents=True, exist_ok=True)
    here.at(path).write_text(content, encoding="utf-8")


@pytest.fixture
def here(a_pi: Pi) -> Machine:
    """Where the service is installed."""
    installed(a_pi[0])
    return a_pi[0]


# The files


def test_no_value_is_left_to_be_put_in(here: Machine) -> None:
    carry_out(club_install_steps(here, AT_HOME, ("--title", "x"), {}), here, lambda _: None)
    for path in files(here):
        assert re.findall(r"@\w+@", text(here, path) if path != COMMAND_FILE else "") == []


@pytest.mark.programs("systemd-analyze")
@pytest.mark.parametrize("place", [IN_OPT, AT_HOME], ids=["opt", "home"])
def test_systemd_rates_the_unit_as_hardly_exposed(place: Installation, tmp_path: Path) -> None:
    exposure = systemd_exposure.exposure(unit(tmp_path, place, 80, low_port=True))
    assert exposure is not None
    assert exposure < systemd_exposure.MOST_EXPOSURE


@pytest.mark.programs("systemd-analyze")
def test_systemd_finds_no_fault_in_the_unit(tmp_path: Path) -> None:
    program = Installation(Path("/bin/true"), ())  # it looks whether the program is there
    faults = systemd_exposure.faults(unit(tmp_path, program))
    assert [line for line in faults.splitlines() if "perudo" in line and "roll-back" not in line] == []


def test_only_a_low_port_needs_a_capability(tmp_path: Path) -> None:
    assert "\nCapabilityBoundingSet=\nAmbientCapabilities=\n" in unit(tmp_path)
    assert "PERUDO_WEB_PORT" not in unit(tmp_path), "the configuration says it"
    low = unit(tmp_path, IN_OPT, 80, low_port=True)
    assert low.count("CAP_") == low.count("=CAP_NET_BIND_SERVICE\n") == 2
    assert "\nEnvironment=PERUDO_WEB_PORT=80\n" in low


def test_of_all_homes_only_the_programs_folder_is_seen(tmp_path: Path) -> None:
    text = unit(tmp_path, AT_HOME)
    assert '\nProtectHome=tmpfs\nBindReadOnlyPaths="/home/ana/my perudo"\n' in text
    assert '\nExecStart="/home/ana/my perudo/bin/perudo" run\n' in text
    assert "\nProtectHome=yes\nPrivateTmp=yes\n" in unit(tmp_path)


def test_what_is_asked_of_root_is_done_by_the_programs_own_python(here: Machine) -> None:
    asked = text(here, "/etc/systemd/system/perudo-caretaker.service")
    assert "\nExecStart=/opt/perudo/.venv/bin/python -m companion.box.root_helper\n" in asked


def test_avahi_is_told_the_port_in_a_file_it_can_read(a_pi: Pi) -> None:
    here, _ = a_pi
    carry_out(steps(here, port=8080), here, lambda _: None)
    root = ET.fromstring(text(here, AVAHI_FILE))
    assert root.findtext("service/port") == "8080"
    assert root.findtext("service/type") == "_http._tcp"
    assert root.findtext("name") == "Perudo on %h"


def test_polkit_lets_the_service_switch_the_machine_off_and_choose_the_wifi_and_nothing_else(here: Machine) -> None:
    rule = text(here, POLKIT_FILE)
    assert 'subject.user == "perudo"' in rule
    assert set(re.findall(r"org\.[A-Za-z0-9.-]+", rule)) == {
        "org.freedesktop.login1.power-off",
        "org.freedesktop.login1.power-off-multiple-sessions",
        "org.freedesktop.NetworkManager.enable-disable-wifi",
        "org.freedesktop.NetworkManager.network-control",
        "org.freedesktop.NetworkManager.settings.modify.system",
        "org.freedesktop.NetworkManager.wifi.scan",
        "org.freedesktop.NetworkManager.wifi.share.protected",
    }


def test_on_the_boxs_own_wifi_every_name_leads_to_it() -> None:
    settings = FILES / "box/etc/NetworkManager/dnsmasq-shared.d/perudo.conf"
    assert f"\naddress=/#/{HOTSPOT_ADDRESS}\n" in settings.read_text(encoding="utf-8")


# Installing


def test_the_plan_shows_every_file_and_every_command(a_pi: Pi) -> None:
    plan = steps(a_pi[0])
    shown = describe_steps(plan)
    for step in plan:
        assert all(line.strip() in shown for line in step.detail.splitlines())
    assert re.findall(r"^(\d+)\. ", shown, re.MULTILINE) == [str(n + 1) for n in range(len(plan))]


def test_installing_writes_starts_and_says_each_step(a_pi: Pi) -> None:
    here, system = a_pi
    lines = installed(here)
    assert text(here, CONFIG_FILE) == "# the defaults\n"
    assert [oct(here.at(path).stat().st_mode)[-3:] for path in (UNIT_FILE, CONFIG_FILE)] == ["644", "640"]
    assert system.ran[0].startswith("useradd --system")
    assert system.ran[1] == "usermod --append --groups video,gpio,input,spi,i2c perudo"
    assert f"chown root:perudo {CONFIG_FILE}" in system.ran
    assert system.ran[-4:] == [
        "systemctl daemon-reload",
        "systemctl enable perudo.service",
        "systemctl enable --now perudo-caretaker.path",
        "systemctl restart perudo.service",
    ]
    assert here.at(COMMAND_FILE).readlink() == IN_OPT.program
    assert all(line.startswith("done: ") for line in lines)


def test_what_other_programs_read_they_may_read_whatever_roots_umask(a_pi: Pi) -> None:
    here, _ = a_pi
    before = os.umask(0o077)
    try:
        installed(here)
    finally:
        os.umask(before)
    assert [here.at(path).stat().st_mode & 0o777 for path in (UNIT_FILE, AVAHI_FILE, POLKIT_FILE)] == [0o644] * 3


def test_installing_again_makes_nothing_twice_and_keeps_a_changed_configuration(a_pi: Pi) -> None:
    here, system = a_pi
    installed(here)
    put(here, CONFIG_FILE, "[web]\nport = 8000\n")
    before = {path: text(here, path) for path in files(here) if path != COMMAND_FILE}
    system.ran.clear()
    lines = installed(here)
    assert {path: text(here, path) for path in files(here) if path != COMMAND_FILE} == before
    assert not any(command.startswith("useradd") for command in system.ran)
    assert "already so: write /etc/systemd/system/perudo.service" in lines
    assert system.ran[-1] == "systemctl restart perudo.service"


def test_a_file_of_an_older_version_is_removed(a_pi: Pi) -> None:
    """As the receipt of a version that had more units names it."""
    here, _ = a_pi
    old = "/etc/systemd/system/perudo-stick.service"
    put(here, old, "[Unit]\n")
    receipt = {"user": "perudo", "made_user": True, "joined": ["video"], "files": [UNIT_FILE, old]}
    put(here, RECEIPT_FILE, json.dumps(receipt))
    installed(here)
    assert not here.at(old).exists()
    found = read_receipt(here)
    assert found.made_user
    assert UNIT_FILE in found.files
    assert old not in found.files


def test_an_older_program_can_read_the_receipt(a_pi: Pi) -> None:
    """A box that goes back to it has it install and remove its own files."""
    here, _ = a_pi
    installed(here)
    values = json.loads(text(here, RECEIPT_FILE))
    assert values.keys() == {"user", "made_user", "joined", "files", "port"}
    assert set(values["files"]) | {CONFIG_FILE, RECEIPT_FILE} == set(files(here))


def test_a_failed_step_shows_the_output_of_its_command_and_the_next_try_goes_on(a_pi: Pi) -> None:
    here, system = a_pi
    system.fails = "systemctl restart"
    with pytest.raises(InstallError, match="it would not"):
        installed(here)
    system.fails = ""
    assert installed(here)[-1].startswith("done: start it now")


def test_files_for_programs_and_groups_that_do_not_exist_are_left_out(tmp_path: Path) -> None:
    here, system = machine(tmp_path, groups=("cdrom",))
    installed(here)
    assert {path.split("/")[2] for path in files(here) if path.startswith("/etc/")} == {"perudo", "systemd"}
    assert not any(command.startswith("usermod") for command in system.ran)


def test_a_program_that_moved_takes_its_command_with_it(here: Machine) -> None:
    installed(here, AT_HOME)
    assert here.at(COMMAND_FILE).readlink() == AT_HOME.program


def test_another_program_of_the_commands_name_is_left_alone_and_said(a_pi: Pi) -> None:
    here, _ = a_pi
    put(here, COMMAND_FILE, "#!/bin/sh")
    with pytest.raises(InstallError, match=rf"{COMMAND_FILE} is another file, and stays .* Move it away"):
        installed(here)
    assert files(here) == [COMMAND_FILE], "nothing was done"
    here.at(COMMAND_FILE).unlink()
    here.at(COMMAND_FILE).symlink_to("/opt/games/perudo")
    with pytest.raises(InstallError, match="a link to /opt/games/perudo"):
        installed(here)
    assert here.at(COMMAND_FILE).readlink() == Path("/opt/games/perudo")


# Taking it away


def test_removing_leaves_the_games_and_the_configuration(a_pi: Pi) -> None:
    here, system = a_pi
    installed(here)
    put(here, f"{STATE}/journal.sqlite3", "the games")
    put(here, "/etc/systemd/system/perudo.service.d/override.conf", "mine")
    taken_away(here)
    left = [CONFIG_FILE, "/etc/systemd/system/perudo.service.d/override.conf", f"{STATE}/journal.sqlite3"]
    assert files(here) == left
    assert system.users == set()
    assert any(f"root:root {STATE}" in command for command in system.ran)  # its number may be given to another
    assert "systemctl disable --now perudo.service perudo-caretaker.path" in system.ran


def test_a_file_that_took_the_commands_place_stays(here: Machine) -> None:
    here.at(COMMAND_FILE).unlink()
    put(here, COMMAND_FILE, "#!/bin/sh")
    taken_away(here)
    assert here.at(COMMAND_FILE).exists()


def test_purging_removes_the_games_and_the_configuration_too(here: Machine) -> None:
    put(here, f"{STATE}/journal.sqlite3", "the games")
    put(here, "/etc/perudo/notes.txt", "somebody's")
    taken_away(here, purge=True)
    assert files(here) == ["/etc/perudo/notes.txt"]


@pytest.mark.parametrize("card", [True, False])
def test_a_purge_leaves_nothing_of_a_cards_box_and_a_clone_in_the_same_place(here: Machine, card: bool) -> None:
    for path in OF_A_CARD if card else ():
        put(here, path, "")
    program = "/opt/perudo/versions/1/bin/perudo" if card else "/opt/perudo/.git/HEAD"
    put(here, program, "")
    taken_away(here, purge=True)
    assert files(here) == ([] if card else [program])
    assert not here.at("/etc/perudo").exists()


def test_what_a_removal_left_can_be_purged(here: Machine) -> None:
    put(here, f"{STATE}/journal.sqlite3", "the games")
    taken_away(here)
    assert read_receipt(here) is None
    carry_out(box_purge_steps(here), here, lambda _: None)
    assert files(here) == []
    assert not here.at("/etc/perudo").exists()


def test_a_user_who_existed_before_stays_with_the_groups_of_before(a_pi: Pi) -> None:
    here, system = a_pi
    system.users.add("perudo")
    system.members["video"].append("perudo")
    installed(here)
    system.ran.clear()
    taken_away(here)
    assert system.users == {"perudo"}
    removals = [command for command in system.ran if command.startswith("gpasswd")]
    assert removals == [f"gpasswd --delete perudo {group}" for group in ("gpio", "input", "spi", "i2c")]


def test_after_a_second_installation_it_still_knows_what_the_first_one_made(a_pi: Pi) -> None:
    here, system = a_pi
    installed(here)
    assert all("perudo" in members for members in system.members.values())
    installed(here)
    receipt = read_receipt(here)
    assert (receipt.made_user, receipt.joined) == (True, ("video", "gpio", "input", "spi", "i2c"))


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"user": 1}'])
def test_a_receipt_that_cannot_be_read_says_how_to_remove_it_by_hand(a_pi: Pi, content: str) -> None:
    put(a_pi[0], RECEIPT_FILE, content)
    with pytest.raises(InstallError, match="systemctl disable --now"):
        read_receipt(a_pi[0])


def test_only_what_the_installation_made_is_removed(a_pi: Pi) -> None:
    here, _ = a_pi
    plan = box_removal_steps(here, Receipt("perudo", True, (), (UNIT_FILE,)), purge=True)
    paths = [step.command[2].removeprefix(str(here.root)) for step in plan if step.command[0] == "rm"]
    assert paths == [UNIT_FILE, RECEIPT_FILE, STATE, CONFIG_FILE]


# The hub of a club


def club_unit(here: Machine, place: Installation = IN_OPT, *options: str) -> str:
    carry_out(club_install_steps(here, place, options, {}), here, lambda _: None)
    return text(here, CLUB_UNIT_FILE)


def test_the_options_reach_the_command_as_they_were_typed(a_pi: Pi) -> None:
    command = f"/opt/perudo/.venv/bin/perudo club --state {CLUB_STATE} --embedded --title 'Crown & $$5 100%%'\n"
    assert f"\nExecStart={command}" in club_unit(a_pi[0], IN_OPT, "--title", "Crown & $5 100%")


def test_every_connection_of_a_table_is_a_file(a_pi: Pi) -> None:
    """mosquitto takes all that the hard limit allows; the hub waits by select(2), which ends at 1024."""
    assert "\nLimitNOFILE=1024:524288\n" in club_unit(a_pi[0])


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


def test_the_hub_is_installed_twice_and_removed_once(a_pi: Pi) -> None:
    here, system = a_pi
    for _ in range(2):
        shown = club_unit(here, IN_OPT, "--broker", "mqtts://hub:secret@broker")
    assert "secret" not in shown, "every user can ask systemd for it"
    assert f"EnvironmentFile=-{CLUB_ENVIRONMENT_FILE}\n" in shown
    assert 'PERUDO_BROKER="mqtts://hub:secret@broker"\n' in text(here, CLUB_ENVIRONMENT_FILE)
    assert here.at(CLUB_ENVIRONMENT_FILE).stat().st_mode & 0o777 == 0o600
    assert system.ran.count("systemctl restart perudo-club.service") == 2
    put(here, f"{CLUB_STATE}/club.sqlite3", "the books")
    carry_out(club_removal_steps(here, purge=False), here, lambda _: None)
    assert files(here) == [f"{CLUB_STATE}/club.sqlite3"]
    assert "systemctl disable --now perudo-club.service" in system.ran
    carry_out(club_removal_steps(here, purge=True), here, lambda _: None)
    assert files(here) == []
