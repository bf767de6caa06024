"""What commands print, and how they fail."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import datetime
from typing import Final, NoReturn

import click

from companion.messages.printable import printable

UNUSABLE: Final = 2
"""The exit status if something that is needed cannot be used."""


def say(*lines: str, err: bool = False) -> None:
    """Print untrusted text: control characters, and letters that the terminal lacks, become escapes."""
    encoding = (sys.stderr if err else sys.stdout).encoding
    for line in lines:
        click.echo(printable(line).encode(encoding, "backslashreplace").decode(encoding), err=err)


def answer(values: Mapping[str, object], *lines: str, as_json: bool) -> None:
    """Print `values` as JSON for programs, or `lines` for people."""
    if as_json:
        click.echo(json.dumps(values))
    else:
        say(*lines)


def complain(sentence: str, command: str | None = None) -> None:
    """Print on standard error what `command` could not do; None is the one that runs."""
    command = click.get_current_context().info_name if command is None else command
    say(f"perudo{f' {command}' if command else ''}: {sentence}", err=True)


def fail(sentence: str, command: str | None = None) -> NoReturn:
    """Complain, and end with the status `UNUSABLE`."""
    complain(sentence, command)
    raise click.exceptions.Exit(UNUSABLE)


def local_time(at: str) -> str:
    """A time of the journal by this machine's clock, to the minute; unchanged if it is not a time."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at or "unknown"
