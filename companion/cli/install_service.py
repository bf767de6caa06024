"""`perudo install-service`: the box starts with the power, and is taken away again without a trace."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.cli.output import UNUSABLE
from companion.messages.printable import printable

if TYPE_CHECKING:
    from companion.box.service.install_steps import Machine
    from companion.box.service.unit import Service

NO_SYSTEMD: Final = "no systemd runs here that could start the box: `perudo run` starts it by hand."


@click.command("install-service")
@click.option("--remove", is_flag=True, help="Take away what was installed. The games and the configuration stay.")
@click.option("--purge", is_flag=True, help="With --remove: the games and the configuration too, for good.")
@click.option("--port", type=click.IntRange(1, 65535), default=None, metavar="N",
              help="Where the page is, whatever the configuration says; 80 is not typed.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Print every file and every command, and do nothing. Needs no root.")
def install_service(remove: bool, purge: bool, port: int | None, dry_run: bool) -> None:
    """Have systemd start the box at every boot, as its own user, and start it again should it fail.

    The page is announced by Avahi, where that is installed. The same command again brings everything up to date.
    Exit status 2: it could not be done.
    """
    from companion.box.service.install_steps import Machine
    from companion.box.service.installation import InstallError

    if purge and not remove:
        raise click.UsageError("--purge goes with --remove.")
    try:
        if not dry_run:
            _check_allowed()
        if remove:
            _remove(Machine(), purge, dry_run)
        else:
            _install(Machine(), port, dry_run)
    except InstallError as error:
        click.echo(f"perudo install-service: {error}", err=True)
        sys.exit(UNUSABLE)


def _check_allowed() -> None:
    from companion.box.service.installation import InstallError

    if os.geteuid() != 0:
        typed = printable(shlex.join([str(Path(sys.prefix) / "bin" / "perudo"), *sys.argv[1:]]))
        raise InstallError(
            f"this makes a user and writes to /etc, which only root may. Type\n    sudo {typed}\n"
            "or add --dry-run to see what it would do."
        )
    if not Path("/run/systemd/system").is_dir():
        raise InstallError(NO_SYSTEMD)


def _install(machine: Machine, port: int | None, dry_run: bool) -> None:
    from companion.box.service.install_steps import carry_out, describe_steps
    from companion.box.service.plans import has_avahi, install_plan, receipt_of
    from companion.box.service.unit import CONFIG_FILE
    from companion.config import default_text

    before = receipt_of(machine)
    service, page_port = _service(before.port if port is None and before is not None else port)
    steps = install_plan(machine, service, page_port, default_text())
    if dry_run:
        click.echo(printable_lines(describe_steps(steps)))
    else:
        carry_out(steps, machine, lambda sentence: click.echo(printable(sentence)))
        click.echo(
            "The box starts with the power from now on. How it is: systemctl status perudo. What it said, with the "
            "table's code: sudo journalctl -u perudo.\n"
            f"Its configuration: {CONFIG_FILE}; after a change: sudo systemctl restart perudo."
        )
    if not has_avahi(machine):
        click.echo("Nothing announces the page: Avahi is not installed (apt install avahi-daemon).", err=True)


def _remove(machine: Machine, purge: bool, dry_run: bool) -> None:
    from companion.box.service.install_steps import carry_out, describe_steps
    from companion.box.service.installation import InstallError
    from companion.box.service.plans import CONFIG_FOLDER, RECEIPT_FILE, SERVICE_STATE, receipt_of, removal_plan

    receipt = receipt_of(machine)
    if receipt is None:
        raise InstallError(f"nothing was installed here by this command: there is no {RECEIPT_FILE}.")
    steps = removal_plan(receipt, purge)
    if dry_run:
        click.echo(printable_lines(describe_steps(steps)))
        return
    carry_out(steps, machine, lambda sentence: click.echo(printable(sentence)))
    if not purge:
        click.echo(f"The games are still in {SERVICE_STATE} and the configuration in {CONFIG_FOLDER}, both root's now.")


def _service(port: int | None) -> tuple[Service, int]:
    """The service of this installation, and the page's port: `port`, else the configured one. Raises `InstallError`."""
    from companion.box.service.installation import InstallError, check_installation, this_installation
    from companion.box.service.unit import CONFIG_FILE, PRIVILEGED_PORTS, Service
    from companion.config import ConfigError, default_text, load, parse

    place = this_installation()
    check_installation(place)
    there = Path(CONFIG_FILE)
    try:
        # Once it is the service's, a dry run of somebody else's cannot read it.
        configured = load(there, {}) if os.access(there, os.R_OK) else parse(default_text(), {})
    except ConfigError as error:
        raise InstallError(
            "the configuration has to be mended first:\n" + "\n".join(printable(str(each)) for each in error.mistakes)
        ) from error
    page_port = configured.web.port if port is None else port
    if page_port == 0:
        raise InstallError(f"{CONFIG_FILE} says port 0, another at every start: give it one, or use --port.")
    return Service(str(place.program), port, page_port in PRIVILEGED_PORTS, tuple(map(str, place.at_home))), page_port


def printable_lines(text: str) -> str:
    """`text` made safe to print, line by line."""
    return "\n".join(map(printable, text.split("\n")))
