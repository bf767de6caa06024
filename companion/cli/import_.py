"""`perudo import`: records into the state folder, or a whole state folder out of an exported file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from companion.cli.options import UNUSABLE
from companion.cli.saved_games import complain, say, stated


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@stated
@click.pass_context
def import_(context: click.Context, files: tuple[Path, ...], state: Path, as_json: bool) -> None:
    """Bring games in: records (JSON Lines), or all that `perudo export --all` has written.

    A record is taken whole or not at all, and only once; it can be brought in while the table is playing. An exported
    SQLite file is restored into a state folder without a journal. The exit status is 2 when a file was not taken.
    """
    from companion.engine import EngineError
    from companion.table.errors import TableError

    status = 0
    for file in files:
        try:
            said, values = _taken(file, state)
        except (TableError, EngineError) as error:
            said, values, status = "", {"taken": False, "error": error.message}, UNUSABLE
            complain(context, f"{file}: {error.message}")
        except OSError as error:
            reason = f"{error.strerror or type(error).__name__}."
            said, values, status = "", {"taken": False, "error": reason}, UNUSABLE
            complain(context, f"{file}: {reason}")
        if as_json:
            click.echo(json.dumps({"file": str(file), **values}))
        elif said:
            say(f"{file}: {said}")
    context.exit(status)


def _taken(file: Path, state: Path) -> tuple[str, dict[str, Any]]:
    """Take one file: the sentence about it, and the same for programs."""
    from companion.table.journal.backup import SQLITE_HEADER, restore_backup
    from companion.table.journal.saved_games import LARGEST_RECORD, import_record

    with file.open("rb") as stream:
        content = stream.read(len(SQLITE_HEADER))
        if content != SQLITE_HEADER:
            content += stream.read(LARGEST_RECORD)
    if content == SQLITE_HEADER:
        done = restore_backup(file, state)
        missing = f", {done.missing} pictures are not in it" if done.missing else ""
        said = f"{done.games} games and {done.pictures} pictures are in {state} now{missing}."
        return said, {"taken": True, "games": done.games, "pictures": done.pictures, "missing": done.missing}
    brought = import_record(state, file.name, content)
    said = f"it is game {brought.key} now." if brought.new else f"it is there already, as game {brought.key}."
    return said, {"taken": brought.new, "game": brought.key}
