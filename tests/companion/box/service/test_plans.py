"""The text of the unit, what installing and removing do, and that both are safe to repeat."""

from __future__ import annotations

import dataclasses
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.box.service import installation, plans
from companion.box.service.install_steps import (
    InstallStep,
    Machine,
    RemovePath,
    RunCommand,
    WriteFile,
    carry_out,
    describe_steps,
)
from companion.box.service.installation import Installation, InstallError, check_installation
from companion.box.service.plans import (
    AVAHI_FILE,
    COMMAND_FILE,
    POLKIT_FILE,
    RECEIPT_FILE,
    SERVICE_STATE,
    UNIT_FILE,
    Receipt,
    install_plan,
    removal_plan,
)
from companion.box.service.unit import Service, avahi_text, unit_text
from tests.benchmarks import systemd_exposure

GOLDEN = Path(__file__).parent / "golden"
PROGRAM = "/opt/perudo/.venv/bin/perudo"
IN_OPT = Service(PROGRAM)
IN_A_HOME = Service("/home/ana/perudo/.venv/bin/perudo", port=80, low_port=True, at_home=("/home/ana/perudo",))


class FakeMachine(Machine):
    """A fake machine: its files, users and groups, and every command that was run."""

    def __init__(self, groups: Sequence[str] = plans.DEVICE_GROUPS, *, avahi: bool = True, polkit: bool = True) -> None:
        self.files: dict[str, tuple[str, int, str]] = {}
        self.users: set[str] = set()
        self.members: dict[str, list[str]] = {group: [] for group in groups}
        self.avahi = avahi
        self.polkit = polkit
        self.links: dict[str, str] = {}
        self.ran: list[str] = []
        self.fails = ""

    def read(self, path: str) -> str | None:
        return self.files[path][0] if path in self.files else None

    def exists(self, path: str) -> bool:
        if path == str(Path(AVAHI_FILE).parent):
            return self.avahi
        if path == str(Path(POLKIT_FILE).parent):
            return self.polkit
        if path in self.links:
            return True
        return any(each == path or each.startswith(f"{path}/") for each in self.files)

    def write(self, path: str, text: str, mode: int, group: str) -> None:
        assert group == "root" or group in self.users
        self.files[path] = (text, mode, group)

    def link_target(self, path: str) -> str | None:
        return self.links.get(path)

    def link(self, path: str, target: str) -> None:
        self.links[path] = target

    def remove(self, path: str) -> None:
        self.links.pop(path, None)
        self.files = {
            each: content for each, content in self.files.items() if each != path and not each.startswith(f"{path}/")
        }

    def has_user(self, name: str) -> bool:
        return name in self.users

    def groups(self) -> dict[str, list[str]]:
        return self.members

    def run(self, command: tuple[str, ...]) -> tuple[int, str]:
        self.ran.append(" ".join(command))
        if self.fails and self.fails in self.ran[-1]:
            return 1, "it would not"
        if command[0] == "useradd":
            self.users.add(command[-1])
        if command[0] == "usermod":
            for group in command[-2].split(","):
                self.members[group].append(command[-1])
        if command[0] == "userdel":
            self.users.remove(command[-1])
        return 0, ""


def plan(machine: Machine) -> tuple[InstallStep, ...]:
    return install_plan(machine, IN_OPT, 8000, "# the defaults\n")


def installed(machine: Machine) -> list[str]:
    lines: list[str] = []
    carry_out(plan(machine), machine, lines.append)
    return lines


# The texts


@pytest.mark.parametrize(("name", "service"), [("opt.service", IN_OPT), ("home.service", IN_A_HOME)])
def test_the_unit_is_the_reviewed_one(name: str, service: Service) -> None:
    assert unit_text(service) == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.programs("systemd-analyze")
@pytest.mark.parametrize("service", [IN_OPT, IN_A_HOME], ids=["opt", "home"])
def test_systemd_rates_the_unit_as_hardly_exposed(service: Service) -> None:
    exposure = systemd_exposure.exposure(unit_text(service))
    assert exposure is not None
    assert exposure < systemd_exposure.MOST_EXPOSURE


@pytest.mark.programs("systemd-analyze")
def test_systemd_finds_no_fault_in_the_unit() -> None:
    text = unit_text(dataclasses.replace(IN_OPT, program="/bin/true"))  # it looks whether the program is there
    faults = systemd_exposure.faults(text)
    assert faults is not None
    assert [line for line in faults.splitlines() if "perudo" in line] == []


def test_only_a_low_port_needs_a_capability() -> None:
    assert "\nCapabilityBoundingSet=\nAmbientCapabilities=\n" in unit_text(IN_OPT)
    assert unit_text(IN_A_HOME).count("CAP_") == unit_text(IN_A_HOME).count("CAP_NET_BIND_SERVICE") == 2


def test_avahi_is_told_the_port_in_a_file_it_can_read() -> None:
    root = ET.fromstring(avahi_text(8080))
    assert root.findtext("service/port") == "8080"
    assert root.findtext("service/type") == "_http._tcp"
    assert root.findtext("name") == "Perudo on %h"


# The plan


def test_the_plan_shows_every_file_every_command_and_how_to_undo_it() -> None:
    steps = plan(FakeMachine())
    text = describe_steps(steps)
    for step in steps:
        if isinstance(step, RunCommand):
            assert step.detail in text
        elif isinstance(step, WriteFile):
            assert all(line.strip() in text for line in step.text.splitlines())
            assert f"Undo: rm {step.path}" in text
    assert "userdel perudo" in text
    assert re.findall(r"^(\d+)\. ", text, re.MULTILINE) == [str(n + 1) for n in range(len(steps))]


def test_installing_writes_starts_and_says_each_step() -> None:
    machine = FakeMachine()
    lines = installed(machine)
    assert machine.files[UNIT_FILE][:2] == (unit_text(IN_OPT), 0o644)
    assert machine.files["/etc/perudo/perudo.toml"] == ("# the defaults\n", 0o640, "perudo")
    assert machine.files[AVAHI_FILE][0] == avahi_text(8000)
    assert machine.ran[0].startswith("useradd --system")
    assert machine.ran[1] == "usermod --append --groups video,gpio,spi,i2c perudo"
    assert machine.ran[-4:] == [
        "systemctl daemon-reload",
        "systemctl enable perudo.service",
        "systemctl enable --now perudo-caretaker.path",
        "systemctl restart perudo.service",
    ]
    assert machine.links == {"/usr/local/bin/perudo": PROGRAM}
    assert len(lines) == len(plan(machine))
    assert all(line.startswith("done: ") for line in lines)


def test_installing_again_makes_nothing_twice_and_keeps_a_changed_configuration() -> None:
    machine = FakeMachine()
    installed(machine)
    machine.files["/etc/perudo/perudo.toml"] = ("[web]\nport = 8000\n", 0o640, "perudo")
    before = dict(machine.files)
    machine.ran.clear()
    lines = installed(machine)
    assert machine.files == before
    assert not any(command.startswith("useradd") for command in machine.ran)
    assert "already so: write /etc/systemd/system/perudo.service" in lines
    assert machine.ran[-1] == "systemctl restart perudo.service"


def test_a_failed_step_shows_the_output_of_its_command_and_the_next_try_goes_on() -> None:
    machine = FakeMachine()
    machine.fails = "systemctl restart"
    with pytest.raises(InstallError, match="it would not"):
        installed(machine)
    machine.fails = ""
    assert installed(machine)[-1].startswith("done: start it now")


def test_avahi_and_groups_that_do_not_exist_are_left_out() -> None:
    machine = FakeMachine(groups=("cdrom",), avahi=False, polkit=False)
    installed(machine)
    assert AVAHI_FILE not in machine.files
    assert POLKIT_FILE not in machine.files
    assert not any(command.startswith("usermod") for command in machine.ran)


def test_polkit_lets_the_service_switch_the_machine_off_and_choose_the_wifi_and_nothing_else() -> None:
    machine = FakeMachine()
    installed(machine)
    rule = machine.files[POLKIT_FILE][0]
    assert 'subject.user == "perudo"' in rule
    assert set(re.findall(r"org\.[A-Za-z0-9.-]+", rule)) == {
        "org.freedesktop.login1.power-off",
        "org.freedesktop.login1.power-off-multiple-sessions",
        "org.freedesktop.NetworkManager.network-control",
        "org.freedesktop.NetworkManager.settings.modify.system",
        "org.freedesktop.NetworkManager.wifi.scan",
        "org.freedesktop.NetworkManager.wifi.share.protected",
    }
    assert rule.count("{") == rule.count("}") == 1


def test_a_program_that_moved_takes_its_command_with_it() -> None:
    machine = FakeMachine()
    installed(machine)
    carry_out(install_plan(machine, IN_A_HOME, 80, ""), machine, lambda _: None)
    assert machine.links == {COMMAND_FILE: IN_A_HOME.program}


def test_another_program_of_the_commands_name_is_left_alone_and_said() -> None:
    machine = FakeMachine()
    machine.files[COMMAND_FILE] = ("#!/bin/sh", 0o755, "root")
    with pytest.raises(InstallError, match=rf"{COMMAND_FILE} is another file, and stays .* Move it away"):
        installed(machine)
    assert list(machine.files) == [COMMAND_FILE], "nothing was done"
    machine = FakeMachine()
    machine.links[COMMAND_FILE] = "/opt/games/perudo"
    with pytest.raises(InstallError, match="a link to /opt/games/perudo"):
        installed(machine)
    assert machine.links == {COMMAND_FILE: "/opt/games/perudo"}


def test_a_link_is_made_read_replaced_and_removed_even_if_it_leads_nowhere(tmp_path: Path) -> None:
    machine, link = Machine(), str(tmp_path / "perudo")
    assert machine.link_target(link) is None
    for target in ("/nowhere/perudo", PROGRAM):
        machine.link(link, target)
        assert machine.link_target(link) == target
        assert machine.exists(link)
    machine.remove(link)
    assert list(tmp_path.iterdir()) == []


# Taking it away


def taken_away(machine: Machine, purge: bool = False) -> None:
    receipt = plans.receipt_of(machine)
    assert receipt is not None
    carry_out(removal_plan(machine, receipt, purge), machine, lambda _: None)


def test_removing_leaves_the_games_and_the_configuration() -> None:
    machine = FakeMachine()
    installed(machine)
    machine.files[f"{SERVICE_STATE}/journal.sqlite3"] = ("the games", 0o600, "perudo")
    machine.files["/etc/systemd/system/perudo.service.d/override.conf"] = ("mine", 0o644, "root")
    taken_away(machine)
    assert sorted(machine.files) == [
        "/etc/perudo/perudo.toml",
        "/etc/systemd/system/perudo.service.d/override.conf",
        f"{SERVICE_STATE}/journal.sqlite3",
    ]
    assert machine.links == {}
    assert machine.users == set()
    assert any(f"root:root {SERVICE_STATE}" in command for command in machine.ran)  # its number may be given to another
    assert "systemctl disable --now perudo.service perudo-caretaker.path" in machine.ran


def test_a_file_that_took_the_commands_place_stays() -> None:
    machine = FakeMachine()
    installed(machine)
    machine.remove(COMMAND_FILE)
    machine.files[COMMAND_FILE] = ("#!/bin/sh", 0o755, "root")
    taken_away(machine)
    assert COMMAND_FILE in machine.files


def test_purging_removes_the_games_and_the_configuration_too() -> None:
    machine = FakeMachine()
    installed(machine)
    machine.files[f"{SERVICE_STATE}/journal.sqlite3"] = ("the games", 0o600, "perudo")
    machine.files["/etc/perudo/notes.txt"] = ("somebody's", 0o644, "root")
    taken_away(machine, purge=True)
    assert list(machine.files) == ["/etc/perudo/notes.txt"]


def test_what_a_removal_left_can_be_purged() -> None:
    machine = FakeMachine()
    installed(machine)
    machine.files[f"{SERVICE_STATE}/journal.sqlite3"] = ("the games", 0o600, "perudo")
    taken_away(machine)
    assert plans.receipt_of(machine) is None
    carry_out(plans.purge_plan(), machine, lambda _: None)
    assert machine.files == {}


def test_a_user_who_existed_before_stays_with_the_groups_of_before() -> None:
    machine = FakeMachine()
    machine.users.add("perudo")
    machine.members["video"].append("perudo")
    installed(machine)
    machine.ran.clear()
    taken_away(machine)
    assert machine.users == {"perudo"}
    removals = [command for command in machine.ran if command.startswith("gpasswd")]
    assert removals == [f"gpasswd --delete perudo {group}" for group in ("gpio", "spi", "i2c")]


def test_after_a_second_installation_it_still_knows_what_the_first_one_made() -> None:
    machine = FakeMachine()
    installed(machine)
    machine.avahi = False
    installed(machine)
    caretaker = ("/etc/systemd/system/perudo-caretaker.service", "/etc/systemd/system/perudo-caretaker.path")
    files = (UNIT_FILE, COMMAND_FILE, *caretaker, AVAHI_FILE, POLKIT_FILE)
    assert plans.receipt_of(machine) == Receipt("perudo", True, ("video", "gpio", "spi", "i2c"), files, None)
    taken_away(machine)
    assert list(machine.files) == ["/etc/perudo/perudo.toml"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"user": 1}'])
def test_a_receipt_that_cannot_be_read_says_how_to_remove_it_by_hand(text: str) -> None:
    machine = FakeMachine()
    machine.files[RECEIPT_FILE] = (text, 0o644, "root")
    with pytest.raises(InstallError, match="systemctl disable --now"):
        plans.receipt_of(machine)


def test_only_what_the_installation_made_is_removed() -> None:
    receipt = Receipt("perudo", True, (), (UNIT_FILE,))
    paths = [step.path for step in removal_plan(FakeMachine(), receipt, purge=True) if isinstance(step, RemovePath)]
    assert paths == [UNIT_FILE, RECEIPT_FILE, SERVICE_STATE, "/etc/perudo/perudo.toml"]


# Where the program lies


def lies(tmp_path: Path) -> Installation:
    """A clone with a virtual environment, readable for all."""
    clone = tmp_path / "perudo"
    (clone / ".venv" / "bin").mkdir(parents=True)
    program = clone / ".venv" / "bin" / "perudo"
    program.write_text("#!")
    for each in (program, *program.parents):
        if tmp_path in (each, *each.parents) and each != tmp_path:
            each.chmod(0o755)
    return Installation(program, (clone / ".venv", clone, Path("/usr")), (program,))


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Homes of their own: /home is this folder, and nothing under /tmp passes."""
    home = tmp_path / "home"
    (home / "ana").mkdir(parents=True, mode=0o700)
    monkeypatch.setattr(installation, "HOMES", (home,))
    monkeypatch.setattr(installation, "TEMPORARY", ())
    return home


def test_a_clone_in_a_private_home_works_since_only_the_clone_is_mounted(homes: Path) -> None:
    program = lies(homes / "ana")
    check_installation(program)
    assert program.at_home == (homes / "ana" / "perudo",)


def test_a_clone_that_others_may_not_read_is_refused_and_opt_is_named(homes: Path) -> None:
    program = lies(homes / "ana")
    (homes / "ana" / "perudo").chmod(0o700)
    with pytest.raises(InstallError, match="may not be read by everybody") as caught:
        check_installation(program)
    assert "/opt/perudo" in str(caught.value)
    assert str(homes / "ana" / "perudo") in str(caught.value)


def test_a_home_that_is_itself_the_clone_is_refused(homes: Path) -> None:
    program = homes / "ana" / "perudo"
    program.write_text("#!")
    with pytest.raises(InstallError, match="itself"):
        check_installation(Installation(program, (homes / "ana",), ()))


@pytest.mark.parametrize("path", ["/opt/100%/perudo", '/opt/a"b/perudo', "/opt/a:b/perudo", "/opt/a$b/perudo"])
def test_a_path_that_systemd_would_misread_is_refused(path: str) -> None:
    with pytest.raises(InstallError, match="misread"):
        check_installation(Installation(Path(path), (), ()))


def test_a_program_in_tmp_is_refused() -> None:
    with pytest.raises(InstallError, match="empties"):
        check_installation(Installation(Path("/tmp/perudo/bin/perudo"), (), ()))
