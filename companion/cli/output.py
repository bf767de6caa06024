"""What commands print, and how they fail."""

from __future__ import annotations

import errno
import json
import logging
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final, NoReturn

import click

from calibration.atomic_write import check_plain, write_atomically
from companion.messages.printable import printable

UNUSABLE: Final = 2
"""The exit status if something needed cannot be used."""


def say(*lines: str, err: bool = False) -> None:
    """Print untrusted text: control characters, and letters that the terminal lacks, are escaped."""
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
    """Print to standard error what `command`, by default the running one, could not do."""
    if command is None:
        words = click.get_current_context().command_path.split()
        command = " ".join(words[1:] or words)
    say(f"perudo{f' {command}' if command else ''}: {sentence}", err=True)


def fail(sentence: str, command: str | None = None) -> NoReturn:
    """Complain, and exit with the status `UNUSABLE`."""
    complain(sentence, command)
    raise click.exceptions.Exit(UNUSABLE)


def write_file(file: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file completely or not at all, with the permissions `mode` minus the umask.

    Ends the command if that fails, or if something other than a file has its name.
    """
    try:
        check_plain(file)
        write_atomically(file, content, mode)
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror or error}.")


class PrintableFormatter(logging.Formatter):
    """Formats a line of the log with control characters escaped: it may contain names of players and files."""

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(map(printable, super().format(record).split("\n")))


@contextmanager
def sentences_for_errors() -> Iterator[None]:
    """Exit with a sentence on an error of the system or of standard output, instead of a traceback."""
    if sys.stdout is None:  # it was closed: nobody wants the output
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for the whole program
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if logging.lastResort is not None:  # the log of commands that configure none
        logging.lastResort.setFormatter(PrintableFormatter())
    # So that drafts are deleted, as after Ctrl-C. `perudo run` sets another handler.
    before = signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(128 + signal.SIGTERM))
    try:
        try:
            yield
        finally:
            signal.signal(signal.SIGTERM, before)
            sys.stdout.flush()
    except OSError as error:
        _discard_output()
        if error.errno == errno.EPIPE:  # the reader, such as `head`, has enough
            sys.exit(1)
        what = error.filename or "standard output"
        complain(f"{what}: {error.strerror or type(error).__name__}.", command="")
        sys.exit(UNUSABLE)
    except ImportError as error:
        from companion.box.doctor.program import missing_library

        if (sentence := missing_library(error)) is None:
            raise
        complain(sentence, command="")
        sys.exit(UNUSABLE)
    except MemoryError:
        complain("there is not enough memory for that.", command="")
        sys.exit(UNUSABLE)
    except RecursionError:
        complain("something that was to be read is nested too deeply.", command="")
        sys.exit(UNUSABLE)


def _discard_output() -> None:
    """Send the output of Python's final flush nowhere."""
    with suppress(OSError, ValueError):  # a test's standard output is no file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def local_time(at: str) -> str:
    """A time of the journal in local time, to the minute; unchanged if it is not a time."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at or "unknown"
