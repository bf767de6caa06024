"""What commands print, and the exit status where they cannot do what was asked."""

from __future__ import annotations

import logging
import sys
from datetime import datetime
from typing import Final, NoReturn

import click

from companion.messages.printable import printable

UNUSABLE: Final = 2
"""The exit status when something asked for cannot be used."""


def say(*lines: str) -> None:
    """Print lines with names in them: nothing steers the terminal, and letters it lacks become escapes."""
    encoding = sys.stdout.encoding
    for line in lines:
        click.echo(printable(line).encode(encoding, "backslashreplace").decode(encoding))


def complain(sentence: str, command: str | None = None) -> None:
    """Say on standard error what `command` could not do; None is the one that runs."""
    command = click.get_current_context().info_name if command is None else command
    click.echo(f"perudo{f' {command}' if command else ''}: {printable(sentence)}", err=True)


def fail(sentence: str, command: str | None = None) -> NoReturn:
    """Complain, and end with the status `UNUSABLE`."""
    complain(sentence, command)
    raise click.exceptions.Exit(UNUSABLE)


def local_time(at: str) -> str:
    """A time of the journal by this machine's clock, to the minute; as it is written where it is no time."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at or "unknown"


def log_to_stderr(verbose: bool) -> None:
    """Logs go to standard error: standard output is for the page's address."""
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
