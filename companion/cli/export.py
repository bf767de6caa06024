"""`perudo export`: records, stories, and everything there is, out of the state folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.saved_games import chosen, complain, fail, failing, nothing_yet, say, stated

if TYPE_CHECKING:
    from companion.table.journal.saved_games import SavedGame


@click.command()
@click.argument("numbers", metavar="[NUMBER]...", nargs=-1)
@click.option("--out", default=".", metavar="DIR", help='The folder for the records; "-" is standard output, which '
              "takes one.  [default: this folder]")  # fmt: skip
@click.option("--story", metavar="NUMBER", help="Tell this game instead, in sentences.")
@click.option("--all", "everything", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write all there is instead, as one SQLite file that `perudo import` takes.")  # fmt: skip
@click.option("--pictures/--no-pictures", default=True, help="With --all: the judged pictures, or leave them out.")
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
@stated
@click.pass_context
def export(
    context: click.Context,
    numbers: tuple[str, ...],
    out: str,
    story: str | None,
    everything: Path | None,
    pictures: bool,
    force: bool,
    state: Path,
    as_json: bool,
) -> None:
    """Write the records of the games with these NUMBERs (see `perudo games`), or of all games.

    A record is what `perudo replay` plays and `perudo import` takes, in a file such as game-3.jsonl. Where a player
    left or came back it is in parts. It can be asked while the table is playing. The exit status is 2 when something
    could not be read or written.
    """
    if sum((bool(numbers), story is not None, everything is not None)) > 1:
        raise click.UsageError("Name games, or say --story, or --all: one of these.")
    if everything is not None:
        _export_all(context, state, everything, pictures=pictures, force=force, as_json=as_json)
        return
    from companion.table.journal.saved_games import saved_games

    with failing(context):
        games = saved_games(state)
    if story is not None:
        _tell(chosen(context, games, story, state), as_json=as_json)
        return
    wanted = [chosen(context, games, number, state) for number in dict.fromkeys(numbers)] or games
    if not wanted:
        fail(context, nothing_yet(state))
    for each in wanted:
        if not each.game.record:
            complain(context, f"Game {each.key} has no record yet: the players are rolling for the opening.")
    if numbers and not all(each.game.record for each in wanted):
        context.exit(2)
    _write(context, wanted, out, force=force, as_json=as_json)


def _export_all(context: click.Context, state: Path, file: Path, *, pictures: bool, force: bool, as_json: bool) -> None:
    from companion.table.journal.backup import write_backup

    with failing(context):
        done = write_backup(state, file, pictures=pictures, overwrite=force)
    if as_json:
        click.echo(json.dumps({"file": str(file), **asdict(done)}))
        return
    with_them = f" and {done.pictures} of the judged pictures" if pictures else ", without the judged pictures,"
    say(f"{done.games} games{with_them} are in {file}.")
    if done.missing:
        complain(context, f"{done.missing} of the judged pictures are no longer there.")


def _tell(kept: SavedGame, *, as_json: bool) -> None:
    from companion.table.past.story import story

    told = story(kept.game)
    if as_json:
        click.echo(json.dumps({"game": kept.key, "story": told}))
    else:
        say(*told)


def _write(context: click.Context, wanted: list[SavedGame], out: str, *, force: bool, as_json: bool) -> None:
    records = {
        _name(each, part): (each.key, part, lines)
        for each in wanted
        for part, lines in enumerate(each.game.record, start=1)
    }
    if out == "-":
        if len(records) != 1:
            fail(context, f"Standard output takes one record, and these are {len(records)}: name a folder with --out.")
        for _, _, lines in records.values():
            # Bytes: a record is UTF-8 whatever the terminal is.
            sys.stdout.buffer.write(_text(lines))
        return
    folder = Path(out)
    for name in records:
        try:
            there = (folder / name).exists()
        except OSError as error:
            fail(context, f"{folder / name} cannot be written: {error.strerror or error}.")
        if there and not force:
            fail(context, f"{folder / name} is there already, and nothing was written. Say --force to overwrite it.")
    for name, (key, part, lines) in records.items():
        file = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_bytes(_text(lines))
        except OSError as error:
            fail(context, f"{file} cannot be written: {error.strerror or error}.")
        if as_json:
            click.echo(json.dumps({"game": key, "part": part, "file": str(file), "lines": len(lines)}))
        else:
            say(str(file))


def _text(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _name(kept: SavedGame, part: int) -> str:
    """ "game-3.jsonl", "game-3-part-2.jsonl", "record-1.jsonl"."""
    begin = f"game-{kept.key}" if kept.name is None else f"record-{kept.game.number}"
    return f"{begin}.jsonl" if len(kept.game.record) == 1 else f"{begin}-part-{part}.jsonl"
