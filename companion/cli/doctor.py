"""`perudo doctor`: checks the parts, how they fit together, and the machine."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from companion.box.doctor import Diagnosis, Severity
from companion.cli.options import FOLDER_PATH
from companion.cli.output import fail, say
from companion.state_folder import as_owner_of, state_folder


@click.command()
@click.option("--json", "as_json", is_flag=True, help="A JSON list, and nothing else on standard output.")
@click.option("--state", type=FOLDER_PATH, metavar="DIR",
              help="The folder of the games.  [default: the service's, else the user's]")  # fmt: skip
@click.option("--repair", is_flag=True,
              help="If the journal is damaged, set it aside and go on with all of it that can be read.")  # fmt: skip
@click.option("--bundle", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.zip",
              help="Put the report and what else a bug report needs into one file. No secrets are in it.")  # fmt: skip
@click.option("--with-games", is_flag=True,
              help="With --bundle: the record of the last game too, with its players' names.")  # fmt: skip
@click.option("--with-pictures", is_flag=True, help="With --bundle: the last pictures of the table too.")
def doctor(
    as_json: bool, state: Path | None, repair: bool, bundle: Path | None, with_games: bool, with_pictures: bool
) -> None:  # fmt: skip
    """Check that all the parts are there and fit together, and that the machine is well.

    "ok" is well, "--" is not there and need not be, "!!" should be seen to, "BAD" must be fixed; each line says
    what to do about it. Exit status 1: something is BAD.
    """
    if bundle is None and (with_games or with_pictures):
        raise click.UsageError("--with-games and --with-pictures go with --bundle.")
    from companion.box.doctor.examination import examine

    state = state or service_or_own_state()
    if repair:
        _repair(state)
    checks = print_diagnoses(examine(state), as_json=as_json)
    if bundle is not None:
        from companion.box.doctor.bundle import BundleError, write

        try:
            names = write(bundle, checks, state, games=with_games, pictures=with_pictures)
        except BundleError as error:
            fail(str(error))
        say(f"{bundle}: {', '.join(names)}. Look into it before you send it.", err=True)
    sys.exit(exit_status(checks))


def print_diagnoses(diagnoses: Iterable[Diagnosis], *, as_json: bool) -> list[Diagnosis]:
    """Print each diagnosis as soon as it is made, or all of them as JSON. Returns them."""
    made = []
    for each in diagnoses:
        made.append(each)
        if not as_json:
            say(str(each))
    if as_json:
        findings = [{"part": each.part, "finding": each.severity.value, "sentence": each.sentence} for each in made]
        click.echo(json.dumps(findings, ensure_ascii=False))
    return made


def exit_status(diagnoses: Iterable[Diagnosis]) -> int:
    """1 if something is BAD."""
    return int(any(each.severity is Severity.BAD for each in diagnoses))


def _repair(state: Path) -> None:
    from companion.table.errors import TableError
    from companion.table.journal.repair import repair_journal

    try:
        with as_owner_of(state):
            repair = repair_journal(state)
    except TableError as error:
        fail(error.message)
    if repair is None:
        say(f"The journal in {state} is not damaged, and was left as it is.", err=True)
        return
    say(*repair.damage, f"The damaged journal is in {repair.aside}; all else of it is in its place.", err=True)


def service_or_own_state() -> Path:
    """The service's folder if it is installed, otherwise the user's own."""
    from companion.box.service import STATE, is_installed

    of_service = not os.environ.get("STATE_DIRECTORY") and is_installed()
    return Path(STATE) if of_service else state_folder()
