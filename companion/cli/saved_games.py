"""What the commands about kept games share: --state and --json, finding a game by its number, and how they fail."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from companion.cli.options import UNUSABLE
from companion.messages.printable import printable
from companion.state_folder import state_folder

if TYPE_CHECKING:
    from companion.table.journal.saved_games import SavedGame


def stated(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --state, whose value is the folder, and --json."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="JSON, and nothing else on standard output."),
        click.option(
            "--state",
            type=click.Path(file_okay=False, path_type=Path),
            callback=lambda _context, _parameter, named: named or state_folder(),
            metavar="DIR",
            help="The folder of the journal and the judged pictures.  [default: $STATE_DIRECTORY, else the user's own]",
        ),
    ):
        command = option(command)
    return command


@contextmanager
def failing(context: click.Context) -> Iterator[None]:
    """What the table refuses becomes a sentence on standard error, and the exit status `UNUSABLE`."""
    from companion.table.errors import TableError

    try:
        yield
    except TableError as error:
        fail(context, error.message)


def fail(context: click.Context, sentence: str) -> NoReturn:
    """Say on standard error why it could not be done, and end with the status `UNUSABLE`."""
    complain(context, sentence)
    context.exit(UNUSABLE)


def complain(context: click.Context, sentence: str) -> None:
    """Say on standard error what could not be done."""
    click.echo(f"perudo {context.info_name}: {printable(sentence)}", err=True)


def nothing_yet(state: Path) -> str:
    """What there is to say where nobody has played."""
    return f"There are no games in {state} yet."


def say(*lines: str) -> None:
    """Print lines with names in them: nothing steers the terminal, and letters it lacks become escapes."""
    encoding = sys.stdout.encoding
    for line in lines:
        click.echo(printable(line).encode(encoding, "backslashreplace").decode(encoding))


def chosen(context: click.Context, games: Sequence[SavedGame], key: str, state: Path) -> SavedGame:
    """The game that `key` names. Ends the command with a sentence where there is none."""
    for each in games:
        if each.key == key:
            return each
    known = f"perudo games lists the {len(games)} there are." if games else nothing_yet(state)
    fail(context, f"There is no game {key}. {known}")


def when(at: str) -> str:
    """A time of the journal by this machine's clock, to the minute; as it is written where it is no time."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at or "unknown"
