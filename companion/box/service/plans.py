"""The plans for installing and for removing the service: lists of steps.

A receipt beside the configuration says what was installed, so that exactly that is removed.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from companion.box.service.install_steps import InstallStep, Machine, MakeLink, RemovePath, RunCommand, WriteFile
from companion.box.service.installation import PACKAGES, PROGRAM_FOLDER, InstallError
from companion.box.service.unit import (
    CARETAKER_PATH_UNIT,
    CARETAKER_UNIT,
    CONFIG_FILE,
    NAME,
    ROLL_BACK_UNIT,
    Service,
    avahi_text,
    caretaker_path_text,
    caretaker_text,
    dnsmasq_text,
    polkit_text,
    roll_back_text,
    unit_text,
)

UNITS: Final = "/etc/systemd/system"
UNIT_FILE: Final = f"{UNITS}/{NAME}.service"
AVAHI_FILE: Final = f"/etc/avahi/services/{NAME}.service"
DNSMASQ_FILE: Final = f"/etc/NetworkManager/dnsmasq-shared.d/{NAME}.conf"
POLKIT_FILE: Final = f"/etc/polkit-1/rules.d/60-{NAME}.rules"
COMMAND_FILE: Final = f"/usr/local/bin/{NAME}"
"""Where the command is found, for everybody and for sudo."""
CONFIG_FOLDER: Final = f"/etc/{NAME}"
RECEIPT_FILE: Final = f"{CONFIG_FOLDER}/installed.json"
SERVICE_STATE: Final = f"/var/lib/{NAME}"

DEVICE_GROUPS: Final = ("video", "gpio", "spi", "i2c")
"""The groups that the camera, the panel and its display belong to on Raspberry Pi OS."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was installed."""

    user: str
    """The user the service runs as."""
    made_user: bool
    """Whether installing made that user."""
    joined: tuple[str, ...]
    """The groups that user was added to."""
    files: tuple[str, ...]
    port: int | None = None
    """The port of --port."""

    def text(self) -> str:
        """The text of the receipt's file."""
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def read(cls, text: str) -> Receipt:
        """The receipt in a file's text. Raises `InstallError`."""
        try:
            values = json.loads(text)
            return cls(
                values["user"],
                values["made_user"],
                tuple(values["joined"]),
                tuple(values["files"]),
                values.get("port"),
            )
        except (ValueError, LookupError, TypeError) as error:
            raise InstallError(
                f"{RECEIPT_FILE}, which says what was installed, cannot be read ({error}). By hand: systemctl "
                f"disable --now {NAME}; rm {UNIT_FILE} {AVAHI_FILE} {POLKIT_FILE} {COMMAND_FILE} {RECEIPT_FILE}; "
                f"userdel {NAME}."
            ) from error


def receipt_of(machine: Machine) -> Receipt | None:
    """The receipt of an earlier installation, if there was one. Raises `InstallError`."""
    text = machine.read(RECEIPT_FILE)
    return None if text is None else Receipt.read(text)


def has_avahi(machine: Machine) -> bool:
    """Whether Avahi is installed."""
    return machine.exists(str(Path(AVAHI_FILE).parent))


def has_polkit(machine: Machine) -> bool:
    """Whether polkit is installed, which decides who may switch the machine off."""
    return machine.exists(str(Path(POLKIT_FILE).parent))


def has_network_manager(machine: Machine) -> bool:
    """Whether NetworkManager is installed, by which a phone chooses the box's Wi-Fi."""
    return machine.exists("/etc/NetworkManager")


def check_command(machine: Machine, before: Receipt, program: str) -> None:
    """Raise `InstallError` if the command's place is taken by something that this program did not put there."""
    target = machine.link_target(COMMAND_FILE)
    ours = target is not None and (target == program or COMMAND_FILE in before.files)
    if machine.exists(COMMAND_FILE) and not ours:
        what = "another file" if target is None else f"a link to {target}"
        raise InstallError(
            f"{COMMAND_FILE} is {what}, and stays as it is. Move it away (sudo mv {COMMAND_FILE} {COMMAND_FILE}.old), "
            "then type the same command again."
        )


def install_plan(machine: Machine, service: Service, page_port: int, config: str) -> tuple[InstallStep, ...]:
    """The steps, in order. Carried out again, they only restart the service.

    `page_port` is announced by Avahi; `config` is written where there is no configuration. Raises `InstallError`.
    """
    # Removing also takes away what an earlier installation made.
    before = receipt_of(machine) or Receipt(NAME, False, (), ())
    check_command(machine, before, service.program)
    groups = {name: members for name, members in machine.groups().items() if name in DEVICE_GROUPS}
    present = [group for group in DEVICE_GROUPS if group in groups]
    joined = [group for group in present if NAME not in groups[group]]
    python = str(Path(service.program).with_name("python"))
    units = {CARETAKER_UNIT: caretaker_text(python), CARETAKER_PATH_UNIT: caretaker_path_text()}
    if service.versions:
        units[ROLL_BACK_UNIT] = roll_back_text()
    files = [UNIT_FILE, COMMAND_FILE, *(f"{UNITS}/{unit}" for unit in units)]
    if has_avahi(machine):
        files.append(AVAHI_FILE)
    if has_polkit(machine):
        files.append(POLKIT_FILE)
    if has_network_manager(machine):
        files.append(DNSMASQ_FILE)
    receipt = Receipt(
        NAME,
        before.made_user or not machine.has_user(NAME),
        tuple(dict.fromkeys((*before.joined, *joined))),
        tuple(dict.fromkeys((*before.files, *files))),
        service.port,
    )
    steps: list[InstallStep] = [
        # First, so that an installation cut off half-way can be removed.
        WriteFile(RECEIPT_FILE, receipt.text()),
        RunCommand(
            f"make the user {NAME}, who cannot log in",
            ("useradd", "--system", "--user-group", "--no-create-home", "--home-dir", SERVICE_STATE,
             "--shell", "/usr/sbin/nologin", NAME),
            f"userdel {NAME}",
            lambda machine: machine.has_user(NAME),
        ),
    ]  # fmt: skip
    if present:
        steps.append(
            RunCommand(
                f"put {NAME} in the groups {', '.join(present)}",
                ("usermod", "--append", "--groups", ",".join(present), NAME),
                "; ".join(f"gpasswd --delete {NAME} {group}" for group in present),
            )
        )
    steps += [
        WriteFile(CONFIG_FILE, config, 0o640, NAME, keep=True),
        # An existing file may be readable by root alone. It holds the table's code, so not everybody may read it.
        RunCommand(f"let {NAME} read the configuration", ("chown", f"root:{NAME}", CONFIG_FILE)),
        RunCommand("and nobody else", ("chmod", "u=rw,g=r,o=", CONFIG_FILE)),
        WriteFile(UNIT_FILE, unit_text(service)),
        *(WriteFile(f"{UNITS}/{unit}", text) for unit, text in units.items()),
        MakeLink(COMMAND_FILE, service.program),
    ]
    if has_polkit(machine):
        steps.append(WriteFile(POLKIT_FILE, polkit_text()))
    if has_network_manager(machine):
        steps.append(WriteFile(DNSMASQ_FILE, dnsmasq_text()))
    if has_avahi(machine):
        steps.append(WriteFile(AVAHI_FILE, avahi_text(page_port)))
    packages = (str(PROGRAM_FOLDER / name) for name in PACKAGES)
    steps += [
        # The service may not write to the program's folder: without this, Python would compile at every start.
        RunCommand("compile the program, for a quicker start", (sys.executable, "-m", "compileall", "-q", *packages)),
        RunCommand("have systemd read its units", ("systemctl", "daemon-reload")),
        RunCommand(
            "start the service at every boot", ("systemctl", "enable", f"{NAME}.service"), f"systemctl disable {NAME}"
        ),
        RunCommand(
            "carry out what the page asks of root",
            ("systemctl", "enable", "--now", CARETAKER_PATH_UNIT),
            f"systemctl disable --now {CARETAKER_PATH_UNIT}",
        ),
        RunCommand("start it now", ("systemctl", "restart", f"{NAME}.service"), f"systemctl stop {NAME}"),
    ]
    return tuple(steps)


def removal_plan(machine: Machine, receipt: Receipt, purge: bool) -> tuple[InstallStep, ...]:
    """The steps that remove what the receipt names, and with `purge` the games and the configuration too."""
    steps: list[InstallStep] = [
        RunCommand(
            "stop the service, now and at every boot",
            ("systemctl", "disable", "--now", f"{NAME}.service", CARETAKER_PATH_UNIT),
            is_done=lambda machine: not machine.exists(UNIT_FILE),
        ),
        # A file that somebody has put in the link's place since is not ours.
        *(RemovePath(path) for path in receipt.files if path != COMMAND_FILE or machine.link_target(path) is not None),
        RunCommand("have systemd read its units", ("systemctl", "daemon-reload")),
        RunCommand(
            "have systemd forget how it failed", ("systemctl", "reset-failed", f"{NAME}.service"), may_fail=True
        ),
    ]
    if not purge:
        # The system may give the number of a removed user to another one.
        steps.append(
            RunCommand(
                f"give {SERVICE_STATE}, which stays, to root",
                ("chown", "--recursive", "--no-dereference", "root:root", SERVICE_STATE, CONFIG_FILE),
                may_fail=True,
            )
        )
    if receipt.made_user:
        steps.append(
            RunCommand(
                f"remove the user {receipt.user}",
                ("userdel", receipt.user),
                is_done=lambda machine: not machine.has_user(receipt.user),
            )
        )
    else:
        steps += [
            RunCommand(
                f"take {receipt.user} out of the group {group}",
                ("gpasswd", "--delete", receipt.user, group),
                may_fail=True,
            )
            for group in receipt.joined
        ]
    steps.append(RemovePath(RECEIPT_FILE))
    return (*steps, *(purge_plan() if purge else ()))


def purge_plan() -> tuple[InstallStep, ...]:
    """The steps that remove the games and the configuration, which a removal leaves."""
    return (
        RemovePath(SERVICE_STATE),
        RemovePath(CONFIG_FILE),
        RunCommand(
            f"remove {CONFIG_FOLDER}, unless there is more in it",
            ("rmdir", CONFIG_FOLDER),
            is_done=lambda machine: not machine.exists(CONFIG_FOLDER),
            may_fail=True,
        ),
    )
