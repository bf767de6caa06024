"""`perudo install-service`: have the box start with the power, and remove it without a trace."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import click

from companion.box.release.versions import PLACE
from companion.box.service import installation, plans
from companion.box.service.club_unit import CLUB_NAME, CLUB_STATE, club_install_plan, club_removal_plan
from companion.box.service.install_steps import InstallStep, Machine, carry_out, describe_steps
from companion.box.service.installation import InstallError
from companion.box.service.unit import CONFIG_FILE, PRIVILEGED_PORTS, Service
from companion.cli.output import UNUSABLE, say
from companion.config import ConfigError, default_text, load, parse
from companion.messages.printable import printable


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
    Exit status 2: it could not be done.
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
    before = plans.receipt_of(machine)
    service, page_port = _service(before.port if port is None and before is not None else port)
    _carry_out(
        plans.install_plan(machine, service, page_port, default_text()),
        machine,
        dry_run,
        "The box starts with the power from now on. How it is: systemctl status perudo. What it said, with the "
        "table's code: sudo journalctl -u perudo.",
        f"Its configuration: {CONFIG_FILE}; after a change: sudo systemctl restart perudo.",
        "From now on the command is perudo, in any folder: sudo perudo doctor.",
    )
    if not plans.has_avahi(machine):
        say("Nothing announces the page: Avahi is not installed (apt install avahi-daemon).", err=True)
    if not plans.has_polkit(machine):
        say("The panel cannot switch the box off: polkit is not installed (apt install polkitd).", err=True)


def _club(machine: Machine, options: tuple[str, ...], dry_run: bool, *, remove: bool, purge: bool) -> None:
    if remove:
        closing = () if purge else (f"The club's books are still in {CLUB_STATE}.",)
        _carry_out(club_removal_plan(purge), machine, dry_run, *closing)
        return
    if find_spec("paho") is None:
        raise InstallError(
            "the part for clubs is not installed: .venv/bin/pip install --editable '.[club]' in the clone."
        )
    place = installation.this_installation()
    installation.check_installation(place)
    service = Service(str(place.program), at_home=tuple(map(str, place.at_home)))
    _carry_out(
        club_install_plan(service, options, os.environ),
        machine,
        dry_run,
        "The hub starts with the power from now on. The lobby's address, and the code of who runs the tournaments: "
        f"sudo journalctl -u {CLUB_NAME}.",
        f"A table joins by an invitation: sudo perudo club invite --state {CLUB_STATE}",
    )


def _remove(machine: Machine, purge: bool, dry_run: bool) -> None:
    receipt = plans.receipt_of(machine)
    if receipt is None and purge and any(map(machine.exists, (plans.SERVICE_STATE, CONFIG_FILE))):
        _carry_out(plans.purge_plan(), machine, dry_run)  # an earlier removal left them
        return
    if receipt is None:
        raise InstallError(f"nothing was installed here by this command: there is no {plans.RECEIPT_FILE}.")
    left = f"The games are still in {plans.SERVICE_STATE} and the configuration in {plans.CONFIG_FOLDER}"
    closing = () if purge else (f"{left}, both root's now.",)
    _carry_out(plans.removal_plan(machine, receipt, purge), machine, dry_run, *closing)


def _carry_out(steps: Sequence[InstallStep], machine: Machine, dry_run: bool, *closing: str) -> None:
    """Carry out the steps and print the closing lines; in a dry run, print the steps instead."""
    if dry_run:
        say(*describe_steps(steps).split("\n"))
    else:
        carry_out(steps, machine, say)
        say(*closing)


def _service(port: int | None) -> tuple[Service, int]:
    """The service of this installation, and the page's port: `port`, else the configured one. Raises `InstallError`."""
    place = installation.this_installation()
    installation.check_installation(place)
    file = Path(CONFIG_FILE)
    try:
        # Once it is the service's, a dry run by somebody else cannot read it.
        configured = load(file, {}) if os.access(file, os.R_OK) else parse(default_text(), {})
    except ConfigError as error:
        raise InstallError(
            "the configuration has to be mended first:\n" + "\n".join(printable(str(each)) for each in error.mistakes)
        ) from error
    page_port = configured.web.port if port is None else port
    if page_port == 0:
        raise InstallError(f"{CONFIG_FILE} says port 0, another at every start: give it one, or use --port.")
    secure_port = replace(configured.web, port=page_port).secure_port
    low_port = page_port in PRIVILEGED_PORTS or secure_port in PRIVILEGED_PORTS
    service = Service(
        str(place.program),
        port,
        low_port,
        tuple(map(str, place.at_home)),
        versions=place.program.is_relative_to(PLACE / "current"),
    )
    return service, page_port
