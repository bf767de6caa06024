"""`perudo install-service`: makes the box start with the power, and removes it without a trace."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import click

from companion.box import installation
from companion.box.installation import InstallError
from companion.box.service import (
    CLUB,
    CLUB_STATE,
    CONFIG_FILE,
    RECEIPT_FILE,
    STATE,
    Machine,
    Step,
    box_install_steps,
    box_purge_steps,
    box_removal_steps,
    carry_out,
    club_install_steps,
    club_removal_steps,
    describe_steps,
    read_receipt,
)
from companion.cli.output import UNUSABLE, say
from companion.config import Config, ConfigError, default_text, load, parse
from companion.messages.printable import printable

_PRIVILEGED_PORTS = range(1, 1024)
"""Listening on these ports needs root or CAP_NET_BIND_SERVICE."""


@click.command("install-service")
@click.option("--remove", is_flag=True, help="Take away what was installed. The games and the configuration stay.")
@click.option("--purge", is_flag=True, help="With --remove: the games and the configuration too, for good.")
@click.option("--port", type=click.IntRange(1, 65535), default=None, metavar="N",
              help="The page's port, whatever the configuration says; nobody has to type 80.")  # fmt: skip
@click.option("--club", is_flag=True, help="The hub of a club instead of a box: `perudo club` with OPTIONS, by default "
              "--embedded.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Print every file and every command, and do nothing. Needs no root.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def install_service(
    remove: bool, purge: bool, port: int | None, club: bool, dry_run: bool, options: tuple[str, ...]
) -> None:
    """Have systemd start the box at every boot, as its own user, and restart it if it fails.

    From then on `perudo` is a command in every folder. The page is announced by Avahi, and the panel may switch the box
    off by polkit, where those are installed. The same command again brings everything up to date.
    """
    if purge and not remove:
        raise click.UsageError("--purge goes with --remove.")
    if options and (remove or not club):
        raise click.UsageError(
            "OPTIONS are for --club, as in: perudo install-service --club -- --title Crown --embedded"
        )
    if club and port is not None:
        raise click.UsageError("The port of a lobby is one of the OPTIONS: perudo install-service --club -- --port 80")
    try:
        if not dry_run:
            _check_allowed()
        if club:
            _club(Machine(), options, dry_run, remove=remove, purge=purge)
        elif remove:
            _remove(Machine(), purge, dry_run)
        else:
            _install(Machine(), port, dry_run)
    except InstallError as error:
        click.echo(f"perudo install-service: {error}", err=True)
        sys.exit(UNUSABLE)


def _check_allowed() -> None:
    if os.geteuid() != 0:
        typed = printable(shlex.join([str(Path(sys.prefix) / "bin" / "perudo"), *sys.argv[1:]]))
        raise InstallError(
            f"this makes a user and writes to /etc, which only root may. Type\n    sudo {typed}\n"
            "or add --dry-run to see what it would do."
        )
    if not Path("/run/systemd/system").is_dir():
        raise InstallError("no systemd runs here that could start the box: `perudo run` starts it by hand.")


def _install(machine: Machine, port: int | None, dry_run: bool) -> None:
    before = read_receipt(machine)
    port = before.port if port is None and before is not None else port
    place = installation.this_installation()
    installation.check_installation(place)
    web = _configured(machine.at(CONFIG_FILE)).web
    page_port = web.port if port is None else port
    if page_port == 0:
        raise InstallError(f"{CONFIG_FILE} says port 0, another at every start: give it one, or use --port.")
    low_port = page_port in _PRIVILEGED_PORTS or replace(web, port=page_port).secure_port in _PRIVILEGED_PORTS
    steps = box_install_steps(machine, place, port=port, page_port=page_port, low_port=low_port, config=default_text())
    _carry_out(
        steps,
        machine,
        dry_run,
        "The box starts with the power from now on. How it is: systemctl status perudo. What it said, with the "
        "table's code: sudo journalctl -u perudo.",
        f"Its configuration: {CONFIG_FILE}; after a change: sudo systemctl restart perudo.",
        "From now on the command is perudo, in any folder: sudo perudo doctor.",
    )
    if not machine.at("/etc/avahi").is_dir():
        say("Nothing announces the page: Avahi is not installed (apt install avahi-daemon).", err=True)
    if not machine.at("/etc/polkit-1").is_dir():
        say("The panel cannot switch the box off: polkit is not installed (apt install polkitd).", err=True)


def _configured(file: Path) -> Config:
    try:
        # A dry run by another user cannot read it once it belongs to the service.
        return load(file, {}) if os.access(file, os.R_OK) else parse(default_text(), {})
    except ConfigError as error:
        raise InstallError(
            "the configuration has to be corrected first:\n"
            + "\n".join(printable(str(each)) for each in error.mistakes)
        ) from error


def _club(machine: Machine, options: tuple[str, ...], dry_run: bool, *, remove: bool, purge: bool) -> None:
    if remove:
        closing = () if purge else (f"The club's books are still in {CLUB_STATE}.",)
        _carry_out(club_removal_steps(machine, purge=purge), machine, dry_run, *closing)
        return
    if find_spec("paho") is None:
        raise InstallError(
            "the part for clubs is not installed: .venv/bin/pip install --editable '.[club]' in the clone."
        )
    place = installation.this_installation()
    installation.check_installation(place)
    _carry_out(
        club_install_steps(machine, place, options, os.environ),
        machine,
        dry_run,
        "The hub starts with the power from now on. The lobby's address, and the code of who runs the tournaments: "
        f"sudo journalctl -u {CLUB}.",
        f"A table joins by an invitation: sudo perudo club invite --state {CLUB_STATE}",
    )


def _remove(machine: Machine, purge: bool, dry_run: bool) -> None:
    receipt = read_receipt(machine)
    if receipt is None and purge and any(machine.at(path).exists() for path in (STATE, CONFIG_FILE)):
        _carry_out(box_purge_steps(machine), machine, dry_run)  # left by an earlier removal
        return
    if receipt is None:
        raise InstallError(f"nothing was installed here by this command: there is no {RECEIPT_FILE}.")
    left = f"The games are still in {STATE} and the configuration in {Path(CONFIG_FILE).parent}"
    closing = () if purge else (f"{left}, both root's now.",)
    _carry_out(box_removal_steps(machine, receipt, purge=purge), machine, dry_run, *closing)


def _carry_out(steps: Sequence[Step], machine: Machine, dry_run: bool, *closing: str) -> None:
    """Carry out the steps and print the closing lines; in a dry run, only print the steps."""
    if dry_run:
        say(*describe_steps(steps).split("\n"))
    else:
        carry_out(steps, machine, say)
        say(*closing)
