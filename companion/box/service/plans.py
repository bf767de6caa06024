"""The plans for installing and for removing the service: lists of steps.

A receipt beside the configuration says what was installed, so that exactly that is removed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from companion.box.service.install_steps import InstallStep, Machine, RemovePath, RunCommand, WriteFile
from companion.box.service.installation import InstallError
from companion.box.service.unit import NAME, Service, avahi_text, unit_text

UNIT_FILE: Final = f"/etc/systemd/system/{NAME}.service"
AVAHI_FILE: Final = f"/etc/avahi/services/{NAME}.service"
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
    """That of --port."""

    def text(self) -> str:
        """The text of the receipt's file."""
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def read(cls, text: str) -> Receipt:
        """The receipt that `text` holds. Raises `InstallError`."""
        try:
            found = json.loads(text)
            return cls(
                str(found["user"]),
                bool(found["made_user"]),
                tuple(map(str, found["joined"])),
                tuple(map(str, found["files"])),
                None if found.get("port") is None else int(found["port"]),
            )
        except (ValueError, LookupError, TypeError) as error:
            raise InstallError(
                f"{RECEIPT_FILE}, which says what was installed, cannot be read ({error}). By hand: systemctl disable "
                f"--now {NAME}; rm {UNIT_FILE} {AVAHI_FILE} {RECEIPT_FILE}; userdel {NAME}."
            ) from error


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """The facts that the plan depends on."""

    service: Service
    port: int
    """The page's port: the service's, else the configuration's."""
    config: str
    """The configuration to write where there is none."""
    groups: tuple[str, ...]
    """Those of `DEVICE_GROUPS` that this system has."""
    avahi: bool
    """Whether Avahi is installed."""
    compiled: tuple[str, ...]
    """The Python that compiles our packages, then their folders."""
    before: Receipt | None = None
    """That of an earlier installation."""
    has_user: bool = False
    """Whether the service's user exists."""
    member_of: tuple[str, ...] = ()
    """The groups that user is in."""


def install_plan(facts: PlanFacts) -> tuple[InstallStep, ...]:
    """The steps, in order. Carried out again, they only restart the service."""
    user = facts.service.user
    before = facts.before
    files = (UNIT_FILE, *((AVAHI_FILE,) if facts.avahi else ()))
    joined = tuple(group for group in facts.groups if group not in facts.member_of)
    receipt = Receipt(user, not facts.has_user, joined, files, facts.service.port)
    if before is not None:  # what that one made, removing takes away too
        receipt = Receipt(
            user,
            before.made_user or receipt.made_user,
            tuple(dict.fromkeys((*before.joined, *joined))),
            tuple(dict.fromkeys((*before.files, *files))),
            facts.service.port,
        )
    steps: list[InstallStep] = [
        # First, so that an installation cut off half-way can be removed.
        WriteFile(RECEIPT_FILE, receipt.text()),
        RunCommand(
            f"make the user {user}, who cannot log in",
            ("useradd", "--system", "--user-group", "--no-create-home", "--home-dir", SERVICE_STATE,
             "--shell", "/usr/sbin/nologin", user),
            f"userdel {user}",
            lambda machine: machine.has_user(user),
        ),
    ]  # fmt: skip
    if facts.groups:
        steps.append(
            RunCommand(
                f"put {user} in the groups {', '.join(facts.groups)}",
                ("usermod", "--append", "--groups", ",".join(facts.groups), user),
                "; ".join(f"gpasswd --delete {user} {group}" for group in facts.groups),
            )
        )
    steps += [
        WriteFile(facts.service.config, facts.config, 0o640, user, keep=True),
        # One that was there may be root's alone. It holds the table's code, so not everybody may read it.
        RunCommand(f"let {user} read the configuration", ("chown", f"root:{user}", facts.service.config)),
        RunCommand("and nobody else", ("chmod", "u=rw,g=r,o=", facts.service.config)),
        WriteFile(UNIT_FILE, unit_text(facts.service)),
    ]
    if facts.avahi:
        steps.append(WriteFile(AVAHI_FILE, avahi_text(facts.port)))
    python, *packages = facts.compiled
    steps += [
        # The service may not write where the program lies: without this Python would compile at every start.
        RunCommand("compile the program, for a quicker start", (python, "-m", "compileall", "-q", *packages)),
        RunCommand("have systemd read its units", ("systemctl", "daemon-reload")),
        RunCommand(
            "start the service at every boot", ("systemctl", "enable", f"{NAME}.service"), f"systemctl disable {NAME}"
        ),
        RunCommand("start it now", ("systemctl", "restart", f"{NAME}.service"), f"systemctl stop {NAME}"),
    ]
    return tuple(steps)


def removal_plan(receipt: Receipt, purge: bool) -> tuple[InstallStep, ...]:
    """The steps that remove what the receipt names, and with `purge` the games and the configuration too."""
    steps: list[InstallStep] = [
        RunCommand(
            "stop the service, now and at every boot",
            ("systemctl", "disable", "--now", f"{NAME}.service"),
            unless=lambda machine: not machine.exists(UNIT_FILE),
        ),
        *(RemovePath(path) for path in receipt.files),
        RunCommand("have systemd read its units", ("systemctl", "daemon-reload")),
        RunCommand(
            "have systemd forget how it failed", ("systemctl", "reset-failed", f"{NAME}.service"), may_fail=True
        ),
    ]
    if purge:
        steps += [RemovePath(SERVICE_STATE), RemovePath(f"{CONFIG_FOLDER}/perudo.toml")]
    else:
        # The system may give the number of a removed user to another one.
        steps.append(
            RunCommand(
                f"give {SERVICE_STATE}, which stays, to root",
                (
                    "chown",
                    "--recursive",
                    "--no-dereference",
                    "root:root",
                    SERVICE_STATE,
                    f"{CONFIG_FOLDER}/perudo.toml",
                ),
                may_fail=True,
            )
        )
    if receipt.made_user:
        steps.append(
            RunCommand(
                f"remove the user {receipt.user}",
                ("userdel", receipt.user),
                unless=lambda machine: not machine.has_user(receipt.user),
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
    if purge:
        steps.append(
            RunCommand(
                f"remove {CONFIG_FOLDER}, unless there is more in it",
                ("rmdir", CONFIG_FOLDER),
                unless=lambda machine: not machine.exists(CONFIG_FOLDER),
                may_fail=True,
            )
        )
    return tuple(steps)


def receipt_of(machine: Machine) -> Receipt | None:
    """The receipt of an earlier installation, if there was one. Raises `InstallError`."""
    text = machine.read(RECEIPT_FILE)
    return None if text is None else Receipt.read(text)


def describe_steps(steps: Sequence[InstallStep]) -> str:
    """The plan as text: every step, what it writes or runs, and how to undo it."""
    parts = []
    for number, step in enumerate(steps, 1):
        body = "\n".join(f"    {line}".rstrip() for line in step.detail.splitlines())
        parts.append(
            f"{number}. {step.purpose[0].upper()}{step.purpose[1:]}.\n{body}\n"
            + (f"   Undo: {step.undo}\n" if step.undo else "")
        )
    return "\n".join(parts)
