"""`perudo replay`: plays a game record and reports what became of every line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from companion.cli.options import INPUT_PATH
from companion.cli.output import UNUSABLE, complain
from companion.engine.record import LONGEST_LINE
from companion.engine.record import replay as play
from companion.messages.printable import printable

LONGEST_REST: Final = 256 * 2**20
"""In bytes; a file with a longer line is no record."""

REFUSED: Final = 1
"""The exit status if a line was refused."""

MOST_REFUSED: Final = 20
"""Refused lines shown per file: as with a compiler's errors, the first ones tell what is wrong."""


class _FileError(Exception):
    """A file could not be read to its end. Unlike `OSError`, it cannot come from standard output."""


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=INPUT_PATH)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line in, and nothing else.")
@click.pass_context
def replay(context: click.Context, files: tuple[Path, ...], as_json: bool) -> None:
    """Replay game records (JSON Lines) and check every line. "-" is standard input.

    Exit status 0: every line was accepted. 1: some line was refused. 2: some file could not be read.
    """
    status = 0
    for file in map(str, files):
        try:
            accepted = _as_json(file) if as_json else _as_transcript(file, heading=len(files) > 1)
        except _FileError as error:
            complain(f"{file}: {error}")
            status = UNUSABLE
        else:
            status = max(status, 0 if accepted else REFUSED)
    context.exit(status)


def _as_json(file: str) -> bool:
    """Print what became of every line, as JSON; return True if all were accepted."""
    accepted = True
    # One encoder and plain writes: echoing and flushing each line would take longer than the replay.
    encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
    out = sys.stdout
    for step in play(_lines(file)):
        accepted = accepted and step.error is None
        out.write(encode(step.to_json()) + "\n")
    out.flush()
    return accepted


def _as_transcript(file: str, *, heading: bool) -> bool:
    """Print the transcript; return True if all lines were accepted."""
    from companion.table.past.transcript import transcript  # imports the whole table

    refused, before = 0, None
    encoding = sys.stdout.encoding
    if heading:
        click.secho(printable(file), bold=True)
    for step in play(_lines(file)):
        refused += step.error is not None
        if step.error is not None and refused > MOST_REFUSED:
            continue
        for line in transcript(step, before):
            # A name may contain letters that this terminal's encoding lacks: they are escaped.
            click.echo(line.encode(encoding, "backslashreplace").decode(encoding))
        before = step.position
    if refused > MOST_REFUSED:
        complain(f"{file}: {refused - MOST_REFUSED} more lines were refused.")
    return not refused


def _lines(file: str) -> Iterator[bytes]:
    """The lines of `file`; a line longer than a record allows is cut short."""
    try:
        with click.open_file(file, "rb") as stream:
            while line := stream.readline(LONGEST_LINE + 1):
                yield line
                rest = LONGEST_REST
                while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                    line = stream.readline(LONGEST_LINE + 1)
                    rest -= len(line)
                    if rest < 0:
                        raise _FileError(f"a line of it is longer than {LONGEST_REST // 2**20} MiB: it is no record.")
    except OSError as error:
        raise _FileError(error.strerror or type(error).__name__) from error
