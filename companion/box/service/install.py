"""The plan of installing the service, and the plan of taking it away: lists of steps, made from what is known.

What was made is written down in a receipt beside the configuration, so that exactly that is taken away again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from companion.box.service.place import InstallError
from companion.box.service.steps import Command, Machine, Remove, Step, Write
from companion.box.service.unit import NAME, Service, avahi, unit

UNIT: Final = f"/etc/systemd/system/{NAME}.service"
AVAHI: Final = f"/etc/avahi/services/{NAME}.service"
FOLDER: Final = f"/etc/{NAME}"
RECEIPT: Final = f"{FOLDER}/installed.json"
STATE: Final = f"/var/lib/{NAME}"

GROUPS: Final = ("video", "gpio", "spi", "i2c")
"""Whose devices the camera, the panel and its display are on Raspberry Pi OS."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What installing made."""

    user: str
    """Whom the service runs as."""
    made_user: bool
    """Whether that user was not there before."""
    joined: tuple[str, ...]
    """The groups that user was put in."""
    files: tuple[str, ...]
    port: int | None = None
    """What was asked for with --port."""

    def text(self) -> str:
        """As it is kept."""
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def read(cls, text: str) -> Receipt:
        """Raises `InstallError` where it cannot be understood."""
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
                f"{RECEIPT}, which says what was installed, cannot be read ({error}). By hand: systemctl disable --now "
                f"{NAME}; rm {UNIT} {AVAHI} {RECEIPT}; userdel {NAME}."
            ) from error


@dataclass(frozen=True, slots=True)
class Known:
    """What the plan depends on."""

    service: Service
    port: int
    """Where the page will be: the service's, else the configuration's."""
    config: str
    """The text of the configuration that is written where there is none."""
    groups: tuple[str, ...]
    """Those of `GROUPS` that this system has."""
    avahi: bool
    """Whether Avahi is installed."""
    compiled: tuple[str, ...]
    """The folders of our packages, and the Python that compiles them: the first of all."""
    before: Receipt | None = None
    """Of an earlier installation."""
    has_user: bool = False
    """Whether the service's user is there already."""
    member_of: tuple[str, ...] = ()
    """The groups that user is in already."""


def installing(known: Known) -> tuple[Step, ...]:
    """What has to be done, in this order. Done again it changes nothing but starts the service anew."""
    user = known.service.user
    before = known.before
    files = (UNIT, *((AVAHI,) if known.avahi else ()))
    joined = tuple(group for group in known.groups if group not in known.member_of)
    receipt = Receipt(user, not known.has_user, joined, files, known.service.port)
    if before is not None:  # it goes on counting what it made then
        receipt = Receipt(
            user,
            before.made_user or receipt.made_user,
            tuple(dict.fromkeys((*before.joined, *joined))),
            tuple(dict.fromkeys((*before.files, *files))),
            known.service.port,
        )
    steps: list[Step] = [
        # First, so that whatever is cut off half-way can be taken away.
        Write(RECEIPT, receipt.text()),
        Command(
            f"make the user {user}, who cannot log in",
            ("useradd", "--system", "--user-group", "--no-create-home", "--home-dir", STATE,
             "--shell", "/usr/sbin/nologin", user),
            f"userdel {user}",
            lambda machine: machine.has_user(user),
        ),
    ]  # fmt: skip
    if known.groups:
        steps.append(
            Command(
                f"put {user} in the groups {', '.join(known.groups)}",
                ("usermod", "--append", "--groups", ",".join(known.groups), user),
                "; ".join(f"gpasswd --delete {user} {group}" for group in known.groups),
            )
        )
    steps += [
        Write(known.service.config, known.config, 0o640, user, keep=True),
        # One that was there already may be root's alone; it holds the table's code, so it is not for everybody.
        Command(f"let {user} read the configuration", ("chown", f"root:{user}", known.service.config)),
        Command("and nobody else", ("chmod", "u=rw,g=r,o=", known.service.config)),
        Write(UNIT, unit(known.service)),
    ]
    if known.avahi:
        steps.append(Write(AVAHI, avahi(known.port)))
    python, *packages = known.compiled
    steps += [
        # The service may not write where the program lies, and without this Python would compile at every start.
        Command("compile the program, for a quicker start", (python, "-m", "compileall", "-q", *packages)),
        Command("have systemd read its units", ("systemctl", "daemon-reload")),
        Command(
            "start the service at every boot", ("systemctl", "enable", f"{NAME}.service"), f"systemctl disable {NAME}"
        ),
        Command("start it now", ("systemctl", "restart", f"{NAME}.service"), f"systemctl stop {NAME}"),
    ]
    return tuple(steps)


def removing(receipt: Receipt, purge: bool) -> tuple[Step, ...]:
    """How what the receipt names is taken away. The games and the configuration stay, but for `purge`."""
    steps: list[Step] = [
        Command(
            "stop the service, now and at every boot",
            ("systemctl", "disable", "--now", f"{NAME}.service"),
            unless=lambda machine: not machine.exists(UNIT),
        ),
        *(Remove(path) for path in receipt.files),
        Command("have systemd read its units", ("systemctl", "daemon-reload")),
        Command("have systemd forget how it failed", ("systemctl", "reset-failed", f"{NAME}.service"), may_fail=True),
    ]
    if purge:
        steps += [Remove(STATE), Remove(f"{FOLDER}/perudo.toml")]
    else:
        # The number of a user that is gone may be given to another.
        steps.append(
            Command(
                f"give {STATE}, which stays, to root",
                ("chown", "--recursive", "--no-dereference", "root:root", STATE, f"{FOLDER}/perudo.toml"),
                may_fail=True,
            )
        )
    if receipt.made_user:
        steps.append(
            Command(
                f"remove the user {receipt.user}",
                ("userdel", receipt.user),
                unless=lambda machine: not machine.has_user(receipt.user),
            )
        )
    else:
        steps += [
            Command(
                f"take {receipt.user} out of the group {group}",
                ("gpasswd", "--delete", receipt.user, group),
                may_fail=True,
            )
            for group in receipt.joined
        ]
    steps.append(Remove(RECEIPT))
    if purge:
        steps.append(
            Command(
                f"remove {FOLDER}, unless there is more in it",
                ("rmdir", FOLDER),
                unless=lambda machine: not machine.exists(FOLDER),
                may_fail=True,
            )
        )
    return tuple(steps)


def receipt_of(machine: Machine) -> Receipt | None:
    """What an earlier installation made here; None where there was none. Raises `InstallError`."""
    text = machine.read(RECEIPT)
    return None if text is None else Receipt.read(text)


def shown(steps: Sequence[Step]) -> str:
    """The whole plan for people: every step, what exactly it writes or runs, and how it is undone."""
    parts = []
    for number, step in enumerate(steps, 1):
        body = "\n".join(f"    {line}".rstrip() for line in step.shown.splitlines())
        parts.append(
            f"{number}. {step.does[0].upper()}{step.does[1:]}.\n{body}\n"
            + (f"   Undo: {step.undo}\n" if step.undo else "")
        )
    return "\n".join(parts)
