"""The systemd unit of a club's hub, and the plans for installing and removing it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Final

from companion.box.service.install_steps import InstallStep, RemovePath, RunCommand, WriteFile
from companion.box.service.unit import NAME, SANDBOX, Service, quoted

CLUB_NAME: Final = f"{NAME}-club"
CLUB_UNIT_FILE: Final = f"/etc/systemd/system/{CLUB_NAME}.service"
CLUB_STATE: Final = f"/var/lib/{CLUB_NAME}"
"""A link to the folder that systemd keeps for a user of the moment."""
CLUB_ENVIRONMENT_FILE: Final = f"/etc/default/{CLUB_NAME}"
SECRET_OPTIONS: Final = {"--broker": "PERUDO_BROKER", "--database": "PERUDO_DATABASE"}
"""Options of `perudo club` that may have a password, and the variable for each: every user can read a command, and
what systemd knows of a unit.
"""


def without_secrets(options: Sequence[str], environ: Mapping[str, str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The options for the command, and the variables for the others and from `environ`. By default --embedded."""
    variables = {name: environ[name] for name in SECRET_OPTIONS.values() if environ.get(name)}
    kept, given = [], iter(options)
    for each in given:
        option, equals, value = each.partition("=")
        if option in SECRET_OPTIONS:
            variables[SECRET_OPTIONS[option]] = value if equals else next(given, "")
        else:
            kept.append(each)
    if "PERUDO_BROKER" not in variables and "--embedded" not in kept:
        kept.insert(0, "--embedded")
    return tuple(kept), variables


def environment_text(variables: Mapping[str, str]) -> str:
    """The text of the file for `variables`."""
    return _CLUB_ENVIRONMENT + "".join(f'{name}="{value.translate(_ESCAPES)}"\n' for name, value in variables.items())


def club_unit_text(service: Service, options: Sequence[str]) -> str:
    """The text of the unit. `options`: those of `perudo club`, none with a password."""
    home = "ProtectHome=yes"
    if service.at_home:
        home = "\n".join(["ProtectHome=tmpfs", *(f"BindReadOnlyPaths={quoted(each)}" for each in service.at_home)])
    # systemd reads a % in a command as the beginning of a specifier, and $ as that of a variable.
    given = shlex.join(options).replace("%", "%%").replace("$", "$$")
    return _CLUB_UNIT.format(
        name=CLUB_NAME,
        program=quoted(service.program),
        state=CLUB_STATE,
        options=given,
        environment=CLUB_ENVIRONMENT_FILE,
        home=home,
        sandbox=SANDBOX,
    )


def club_install_plan(service: Service, options: Sequence[str], environ: Mapping[str, str]) -> tuple[InstallStep, ...]:
    """The steps, in order. Carried out again, they only restart the hub. `options`: those of `perudo club`."""
    kept, variables = without_secrets(options, environ)
    return (
        WriteFile(CLUB_ENVIRONMENT_FILE, environment_text(variables), mode=0o600),
        WriteFile(CLUB_UNIT_FILE, club_unit_text(service, kept)),
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
        RemovePath(CLUB_ENVIRONMENT_FILE),
        RunCommand("have systemd read its units", ("systemctl", "daemon-reload")),
    ]
    if purge:
        steps += [RemovePath(CLUB_STATE), RemovePath(f"/var/lib/private/{CLUB_NAME}")]
    return tuple(steps)


_ESCAPES: Final = str.maketrans({each: f"\\{each}" for each in '\\"$`'})
"""What has a meaning between double quotes, in the shell and in systemd's EnvironmentFile=."""

_CLUB_ENVIRONMENT: Final = """\
# Written by `perudo install-service --club`, which writes it anew. What the hub must know and nobody else may.
"""

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
EnvironmentFile=-{environment}
# The user exists while the hub runs; what it keeps is in /var/lib/private.
DynamicUser=yes
StateDirectory={name}
StateDirectoryMode=0700
UMask=0077
Restart=always
RestartSec=5
TimeoutStopSec=30
LimitCORE=0
# Each connection of a table is a file of mosquitto, which takes all it may; the hub itself needs less than 1024.
LimitNOFILE=1024:524288
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
AmbientCapabilities=CAP_NET_BIND_SERVICE
DevicePolicy=closed
{home}
{sandbox}
[Install]
WantedBy=multi-user.target
"""
