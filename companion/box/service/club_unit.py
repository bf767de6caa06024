"""The systemd unit of a club's hub, and the plans for installing and removing it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

from companion.box.service.install_steps import InstallStep, RemovePath, RunCommand, WriteFile
from companion.box.service.unit import NAME, SANDBOX, Service, quoted

CLUB_NAME: Final = f"{NAME}-club"
CLUB_UNIT_FILE: Final = f"/etc/systemd/system/{CLUB_NAME}.service"
CLUB_STATE: Final = f"/var/lib/{CLUB_NAME}"
"""A link to the folder that systemd keeps for a user of the moment."""


def club_unit_text(service: Service, options: Sequence[str]) -> str:
    """The text of the unit. `options`: those of `perudo club`."""
    home = "ProtectHome=yes"
    if service.at_home:
        home = "\n".join(["ProtectHome=tmpfs", *(f"BindReadOnlyPaths={quoted(each)}" for each in service.at_home)])
    # systemd reads a % in a command as the beginning of a specifier, and $ as that of a variable.
    given = shlex.join(options).replace("%", "%%").replace("$", "$$")
    return _CLUB_UNIT.format(
        name=CLUB_NAME, program=quoted(service.program), state=CLUB_STATE, options=given, home=home, sandbox=SANDBOX
    )


def club_install_plan(service: Service, options: Sequence[str]) -> tuple[InstallStep, ...]:
    """The steps, in order. Carried out again, they only restart the hub."""
    return (
        # An address in the options may have a password.
        WriteFile(CLUB_UNIT_FILE, club_unit_text(service, options), mode=0o600),
        RunCommand("have systemd read its units", ("systemctl", "daemon-reload")),
        RunCommand(
            "start the hub at every boot",
            ("systemctl", "enable", f"{CLUB_NAME}.service"),
            f"systemctl disable {CLUB_NAME}",
        ),
        RunCommand("start it now", ("systemctl", "restart", f"{CLUB_NAME}.service"), f"systemctl stop {CLUB_NAME}"),
    )


def club_removal_plan(purge: bool) -> tuple[InstallStep, ...]:
    """The steps that take the hub away; with `purge` its books too, for good."""
    steps: list[InstallStep] = [
        RunCommand(
            "stop the hub, now and at every boot",
            ("systemctl", "disable", "--now", f"{CLUB_NAME}.service"),
            is_done=lambda machine: not machine.exists(CLUB_UNIT_FILE),
        ),
        RemovePath(CLUB_UNIT_FILE),
        RunCommand("have systemd read its units", ("systemctl", "daemon-reload")),
    ]
    if purge:
        steps += [RemovePath(CLUB_STATE), RemovePath(f"/var/lib/private/{CLUB_NAME}")]
    return tuple(steps)


_CLUB_UNIT: Final = """\
# Written by `perudo install-service --club`, which writes it anew: changes belong in a drop-in, which
# `systemctl edit {name}` makes. `perudo install-service --club --remove` takes it away.

[Unit]
Description=Perudo club: many tables, one lobby
After=network.target
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart={program} club --state {state} {options}
Environment=PYTHONUNBUFFERED=1 PYTHONFAULTHANDLER=1
# The user exists while the hub runs; what it keeps is in /var/lib/private.
DynamicUser=yes
StateDirectory={name}
StateDirectoryMode=0700
UMask=0077
Restart=always
RestartSec=5
TimeoutStopSec=30
LimitCORE=0
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
AmbientCapabilities=CAP_NET_BIND_SERVICE
DevicePolicy=closed
{home}
{sandbox}
[Install]
WantedBy=multi-user.target
"""
